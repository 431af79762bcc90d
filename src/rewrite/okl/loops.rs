use super::Pass;
use super::streamed::Around;
use crate::backend::fill;
use crate::expr::Expr;
use crate::lex::without_const;
use crate::module::{
    BarrierScope, Comparison, ConstructKind, Header, Launch, Loop, LoopId, LoopKind, Statement,
};
use crate::rewrite::text::{begins_line, block_indentation, indentation, parenthesized};
use crate::rewrite::{DeviceKernel, arguments};
use crate::schedule::{Items, Shared};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// An attributed loop stays a loop; a tile becomes two.
    pub(super) fn host_loop(&mut self, id: LoopId) -> Result<(), Overlap> {
        let module = self.module;
        let first = module.loop_(id);
        let second_id = first.second_half();
        let second = second_id.map(|c| module.loop_(c));
        let (last_id, last) = match (second_id, second) {
            (Some(id), Some(second)) => (id, second),
            _ => (id, first),
        };
        self.edits
            .delete(Span::new(first.span.start, first.header_span.start));
        // What is split begins at the first inner loop, which may be the second half of a tile.
        let splits = self.split_below(last_id);
        let top_is_first = first.kind == LoopKind::Inner && self.is_top(first);
        let top_is_second = second.is_some_and(|s| s.kind == LoopKind::Inner && self.is_top(s));
        let schedule = self.schedule;
        match schedule.items.get(&last_id) {
            Some(Items::Masked(items)) => {
                self.masked_loop(first, (last_id, last), items)?;
                self.within_braces(first);
                self.shared_out(id, first);
                return Ok(());
            }
            Some(Items::Accumulated(found)) => {
                self.accumulation(last, found)?;
                self.shared_out(id, first);
                return Ok(());
            }
            Some(Items::Interchanged(_)) | None => {}
        }
        let header = match second {
            Some(second) => {
                let lanes = second_id.and_then(|id| self.lanes_of_tile(id));
                let streamed = match second_id.filter(|_| splits.is_none()) {
                    Some(id) => self.streamed(first, id)?,
                    None => None,
                };
                let (tiles, within) = self.tile_headers(first, second, lanes.is_some())?;
                let within = match lanes {
                    Some(lanes) => format!("{lanes} {within}"),
                    None => within,
                };
                match second_id {
                    Some(id) if top_is_second => {
                        self.headers.insert(id, within.clone());
                    }
                    _ => {
                        self.headers.insert(id, format!("{tiles} {within}"));
                    }
                }
                match splits {
                    Some(leaf) if top_is_second => {
                        let carried = self.carried_block(leaf);
                        format!("{tiles} {carried}{within}")
                    }
                    _ => {
                        let streamed = streamed.unwrap_or_default();
                        format!("{tiles} {streamed}{within}")
                    }
                }
            }
            None => {
                let header = match self.is_counted_wide(id) {
                    true => self.wide_header(first)?,
                    false => self.edits.take(first.header_span, self.text)?,
                };
                self.headers.insert(id, header.clone());
                header
            }
        };
        let chain = schedule.interchanged(last_id);
        let innermost = self.interchange(last, header.clone(), chain)?;
        if innermost.is_none() {
            self.edits.replace(first.header_span, header);
        }
        let (place, body) = innermost.unwrap_or((first.span.start, last.body));
        self.end_label(last_id, last);
        let lines = self.body_lines(last_id);
        if !lines.is_empty() {
            self.at_beginning(place, body, &lines);
        }
        if second.is_none() {
            self.lanes(last_id, place);
        }
        self.within_braces(first);
        if let Some(leaf) = splits.filter(|_| top_is_first || top_is_second) {
            self.split(leaf, first);
            if top_is_first {
                let carried = self.carried_block(leaf);
                self.edits.insert_before(first.span.start, carried);
            }
            self.edits.append(first.span.end, " }");
        }
        self.shared_out(id, first);
        Ok(())
    }

    /// The check of a tile must not take an `else` that belongs to what stands around.
    pub(super) fn within_braces(&mut self, first: &Loop) {
        if first.alone && first.tile.is_some() {
            let own = indentation(self.text, first.span.start).to_string();
            self.edits
                .insert_before(first.span.start, format!("{{\n{own}"));
            self.edits.append(first.span.end, " }");
        }
    }

    /// Says before the outermost loop of a nest that its groups are shared out among threads.
    pub(super) fn shared_out(&mut self, id: LoopId, first: &Loop) {
        if let Some(nest) = self.nest_of_root(id) {
            let collapse = match nest.collapse {
                0 | 1 => String::new(),
                n => format!(" collapse({n})"),
            };
            let schedule = match nest.uneven {
                true => " schedule(dynamic)",
                false => "",
            };
            let few = match Shared::of(nest) {
                Shared::Always => String::new(),
                Shared::If(condition) => format!(" if ({condition})"),
                // Not left out: what a compiler may make of a program depends on whether a function of its own is made of the loops.
                Shared::Never => " if (0)".to_string(),
            };
            let streams = self.around_streams(id);
            let pragma = fill(
                &self.backend.spelling.parallel,
                &[
                    ("collapse", &collapse),
                    ("streams", streams.as_ref().map_or("", |s| s.clause)),
                    ("schedule", schedule),
                    ("few", &few),
                ],
            );
            if !pragma.is_empty() {
                self.pragma(first.span.start, &pragma);
            }
            if let Some(Around { before, .. }) = streams {
                let gap = match begins_line(self.text, first.span.start) {
                    true => format!("\n{}", indentation(self.text, first.span.start)),
                    false => " ".to_string(),
                };
                let open = format!("{{ {before}{gap}");
                self.edits.insert_before(first.span.start, open);
                self.edits.append(first.span.end, " }");
            }
        }
    }

    /// No inner loop stands around it.
    pub(super) fn is_top(&self, this: &Loop) -> bool {
        let mut at = this.parent;
        while let Some(id) = at {
            let around = self.module.loop_(id);
            if around.kind == LoopKind::Inner {
                return false;
            }
            at = around.parent;
        }
        true
    }

    /// The split loop at the bottom of a chain of inner loops.
    fn split_below(&self, id: LoopId) -> Option<LoopId> {
        if self.schedule.barriers.is_split(id) {
            return Some(id);
        }
        match self.module.loop_(id).children.as_slice() {
            [child] if self.module.loop_(id).kind == LoopKind::Inner => self.split_below(*child),
            _ => None,
        }
    }

    /// `{` and what lives across the barriers of a split loop.
    fn carried_block(&self, leaf: LoopId) -> String {
        let results = self.results.get(&leaf).into_iter().flatten();
        let carried = self.carried.get(&leaf).into_iter().flatten();
        results
            .chain(carried)
            .fold("{ ".to_string(), |text, d| text + d + " ")
    }

    /// Inserts before a statement of a loop's body, behind what the body begins with.
    pub(super) fn at_statement(&mut self, leaf: LoopId, at: u32, text: String) {
        let body = self.module.loop_(leaf).body;
        match at <= body.start + 1 {
            true => self.edits.insert(at, text),
            false => self.edits.insert_before(at, text),
        }
    }

    /// What the body of a loop begins with: the variable of a tile whose own type is narrow, and the
    /// item's number.
    pub(super) fn body_lines(&self, id: LoopId) -> Vec<String> {
        let this = self.module.loop_(id);
        let narrowing = this.tile.as_ref().and_then(|_| this.header.narrowing());
        let is_leaf = !this.children.iter().any(|c| self.module.contains_inner(*c));
        // An item of a tile whose second half is no loop over items runs through all of that.
        let tiles = this.tile.as_ref().filter(|t| !t.over_tiles);
        let item = match this.kind {
            LoopKind::Inner => Some(id),
            LoopKind::Sequential => tiles.and(this.parent),
            LoopKind::Outer => None,
        };
        let item = item.filter(|&i| is_leaf && self.module.loop_(i).kind == LoopKind::Inner);
        let number = item.and_then(|i| self.item_number(i));
        let anew = self.anew.get(&id).cloned().unwrap_or_default();
        let constants = Some(this.constants.trim().to_string()).filter(|c| !c.is_empty());
        // Between loops that are shared out as one nothing may stand.
        let shared = self.shared_loops(id).filter(|all| all.last() == Some(&id));
        let counted = shared.into_iter().flatten();
        let counted = counted.filter(|&id| self.is_counted_wide(id));
        let counted = counted.map(|id| super::tiles::counted(&self.module.loop_(id).header));
        narrowing
            .into_iter()
            .chain(counted)
            .chain(constants)
            .chain(number)
            .chain(anew)
            .collect()
    }

    /// Lines at the beginning of the body of a loop that stands there.
    fn at_beginning(&mut self, at: u32, body: Span, lines: &[String]) {
        if body.of(self.text).starts_with('{') {
            let own = indentation(self.text, at);
            let inner = block_indentation(self.text, body, own);
            let lines: String = lines.iter().map(|l| format!("\n{inner}{l}")).collect();
            self.edits.insert_before(body.start + 1, lines);
        } else {
            // A pragma of what stands in the body needs a line of its own.
            let own = indentation(self.text, body.start);
            let open = format!("{{ {}\n{own}", lines.join(" "));
            self.edits.insert_before(body.start, open);
            self.edits.append(body.end, " }");
        }
    }

    /// `return` becomes a jump to the end of the body.
    pub(super) fn returns(&mut self, span: Span, ends: LoopId, direct: bool) {
        // A fiber and a thread are functions of their own.
        if self.is_simt() || self.schedule.barriers.in_fibers(ends) {
            return;
        }
        let text = match direct {
            true => "continue;".to_string(),
            false => format!("goto brook_end_{};", ends.index()),
        };
        self.edits.replace(span, text);
    }

    fn end_label(&mut self, id: LoopId, this: &Loop) {
        let jumps =
            self.module.constructs.iter().any(
                |c| matches!(c.kind, ConstructKind::Return { ends, direct: false } if ends == id),
            );
        if jumps && this.has_return {
            self.edits.insert_before(this.body.start, "{ ");
            let label = format!(" brook_end_{}:; }}", id.index());
            self.edits.append(this.body.end, label);
        }
    }

    /// A barrier that is a statement of its own.
    pub(super) fn barrier(&mut self, span: Span, scope: BarrierScope, inside: Option<LoopId>) {
        if inside.is_some_and(|leaf| self.schedule.barriers.is_split(leaf)) && !self.is_simt() {
            return;
        }
        let fiber = inside.is_some_and(|id| self.schedule.barriers.in_fibers(id));
        let spelling = &self.backend.spelling;
        let text = match scope {
            // Each inner loop has ended before the next statement begins.
            _ if !self.is_simt() && !fiber => ";",
            BarrierScope::Warp if !spelling.warp_barrier.is_empty() => &spelling.warp_barrier,
            _ => &spelling.barrier,
        };
        let text = text.to_string();
        let split = inside.filter(|leaf| self.schedule.barriers.is_split(*leaf));
        match split {
            Some(leaf) => self.phase_barrier(span, leaf, &text),
            None => self.edits.replace(span, text),
        }
    }

    /// The headers of the two loops that a tile becomes.
    pub(super) fn tile_headers(
        &mut self,
        first: &Loop,
        second: &Loop,
        canonical: bool,
    ) -> Result<(String, String), Overlap> {
        let h = &first.header;
        let (Some(tile), Some(within)) = (&first.tile, &second.tile) else {
            return Ok(Default::default());
        };
        let start = h.first_value(&self.edits.take(h.start_span, self.text)?);
        let end = self.edits.take(h.end_span, self.text)?;
        let step = match h.step_span {
            Some(span) => self.edits.take(span, self.text)?,
            None => h.step.to_string(),
        };
        let size = tile_size(&tile.size_text, h);
        let (size, step) = (parenthesized(&size), parenthesized(&step));
        let width = if step == "1" {
            size
        } else {
            format!("{size} * {step}")
        };
        let sign = if h.down { "-" } else { "+" };
        let compare = match (h.comparison, h.down) {
            (Comparison::NotEqual, true) => ">",
            (Comparison::NotEqual, false) => "<",
            (other, _) => other.text(),
        };
        let past = if h.down { ">" } else { "<" };
        let (ty, t) = (h.type_name.as_str(), &tile.variable);
        let i = h.wide_name();
        let ty = h.wide().unwrap_or(ty);
        let over = super::tiles::counter(first).unwrap_or(ty);
        let tiles = format!("for ({over} {t} = {start}; {t} {compare} {end}; {t} {sign}= {width})");
        if within.check && super::tiles::may_wrap(second) {
            let text = super::tiles::within(second, t, &width, true, (&end, &step), canonical);
            self.edits.discard(first.header_span);
            return Ok((tiles, text));
        }
        let mut text =
            format!("for ({ty} {i} = {t}; {i} {past} {t} {sign} {width}; {i} {sign}= {step})");
        if within.check {
            text.push_str(&format!(" if ({i} {compare} {end})"));
        }
        self.edits.discard(first.header_span);
        Ok((tiles, text))
    }

    /// Whether the loop is shared out among threads although OpenMP's compilers could not count its iterations, which
    /// they do in the type of the variable: another one of a wider type counts.
    fn is_counted_wide(&self, id: LoopId) -> bool {
        let this = self.module.loop_(id);
        this.tile.is_none() && !super::tiles::fits(&this.header) && self.shared_loops(id).is_some()
    }

    /// The header of such a loop.
    fn wide_header(&mut self, this: &Loop) -> Result<String, Overlap> {
        let h = &this.header;
        let start = h.first_value(&self.edits.take(h.start_span, self.text)?);
        let end = self.edits.take(h.end_span, self.text)?;
        let step = match h.step_span {
            Some(span) => self.edits.take(span, self.text)?,
            None => h.step.to_string(),
        };
        self.edits.discard(this.header_span);
        let i = format!("brook_long_{}", h.variable);
        let sign = if h.down { "-" } else { "+" };
        let compare = match (h.comparison, h.down) {
            (Comparison::NotEqual, true) => ">",
            (Comparison::NotEqual, false) => "<",
            (other, _) => other.text(),
        };
        let (start, end, step) = (start.trim(), end.trim(), step.trim());
        Ok(format!(
            "for (long {i} = {start}; {i} {compare} {end}; {i} {sign}= {step})"
        ))
    }

    /// The loops of a nest that are shared out as one, if a loop is among them.
    fn shared_loops(&self, id: LoopId) -> Option<Vec<LoopId>> {
        let nest = self.nest_of_root(self.module.root_of(id))?;
        let next = |id: &LoopId| self.module.loop_(*id).children.first().copied();
        let all = std::iter::successors(Some(nest.root), next);
        let all: Vec<LoopId> = all.take(nest.collapse.max(1)).collect();
        all.contains(&id).then_some(all)
    }

    /// A kernel stays a function, with C linkage.
    pub(super) fn functions(&mut self) -> (Vec<DeviceKernel>, Vec<Vec<Statement>>) {
        let mut functions = Vec::new();
        let mut host = Vec::new();
        for kernel in &self.module.kernels {
            let text = Span::new(kernel.head.start, kernel.body.start).of(self.text);
            let open = text
                .find('(')
                .map_or(kernel.head.end, |i| kernel.head.start + i as u32);
            let parts = self.backend.spelling.signature.split_once('(');
            let head = parts.map_or("void {name}", |(head, _)| head);
            let head = fill(head, &[("bounds", ""), ("name", &kernel.name)]);
            self.edits.discard(Span::new(kernel.head.start, open));
            self.edits.replace(Span::new(kernel.head.start, open), head);
            functions.push(DeviceKernel {
                name: kernel.name.clone(),
                arguments: arguments(kernel, &[], false),
            });
            let one = || Expr::int(1);
            host.push(vec![Statement::Launch(Box::new(Launch {
                kernel: kernel.name.clone(),
                groups: [one(), one(), one()],
                items: [one(), one(), one()],
                arguments: kernel.parameters.iter().map(|p| p.name.clone()).collect(),
                offsets: false,
                shared: 0,
                bases: Vec::new(),
                most_items: 0,
            }))]);
        }
        (functions, host)
    }
}

/// A tile's size in the type of its loop: an unsigned one would make bounds below zero huge.
pub(super) fn tile_size(text: &str, h: &Header) -> String {
    let ty = h.wide().unwrap_or(&h.type_name);
    let plain = text.trim().bytes().all(|b| b.is_ascii_digit());
    match plain || h.wide().is_none() && h.is_auto() {
        true => text.to_string(),
        false => format!("({})({})", without_const(ty), text.trim()),
    }
}

/// Which iteration of its loop the variable's value belongs to.
pub(super) fn iteration(this: &Loop, text: &str) -> String {
    let h = &this.header;
    let first = h.first_value(h.start_span.of(text).trim());
    let step = match h.step_span {
        Some(step) => step.of(text).trim().to_string(),
        None => h.step.to_string(),
    };
    // A loop over tiles counts them from the loop's start, a loop within one from the tile's.
    let (variable, start, step) = match &this.tile {
        Some(tile) if tile.over_tiles => {
            let width = format!(
                "{} * {}",
                parenthesized(&tile.size_text),
                parenthesized(&step)
            );
            (tile.variable.clone(), first, width)
        }
        Some(tile) => (h.variable.clone(), tile.variable.clone(), step),
        None => (h.variable.clone(), first, step),
    };
    let distance = match (h.down, start.as_str()) {
        (false, "0") => variable,
        (false, start) => format!("({variable} - {})", parenthesized(start)),
        (true, start) => format!("({} - {variable})", parenthesized(start)),
    };
    match step.as_str() {
        "1" => distance,
        step => format!("{distance} / {}", parenthesized(step)),
    }
}
