use super::{Pass, coarsening, tiles};
use crate::backend::Language;
use crate::diagnostics::codes;
use crate::expr;
use crate::lex::without_const;
use crate::module::{Comparison, ConstructKind, Header, Loop, LoopId, LoopKind, Tile};
use crate::rewrite::Part;
use crate::rewrite::text::{block_indentation, indentation, parenthesized};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// An attributed loop becomes a block that computes its variable from the index of the group or
    /// item.
    pub(super) fn simt_loop(&mut self, id: LoopId) -> Result<(), Overlap> {
        let module = self.module;
        let first = module.loop_(id);
        let second_id = first.second_half();
        let second = second_id.map(|c| module.loop_(c));
        let last_id = second_id.unwrap_or(id);
        let mut lines = Vec::new();
        let mut closing = Vec::new();
        // Written when everything else in the nest is.
        if self.wide_nest(first).is_some() {
            return Ok(());
        }
        let header = self.header_texts(first)?;
        let passes_on = self.passes_on(id);
        let mut inherited = match passes_on {
            true => Vec::new(),
            false => self.inherited(id),
        };
        for (part, id) in [(Some(first), Some(id)), (second, second_id)] {
            let (Some(part), Some(id)) = (part, id) else {
                continue;
            };
            if let Some(many) = self.coarse_loop(part) {
                self.coarse_group(part, many, &mut lines, &mut closing);
            }
            let conditions = self.simt_part(part, &header, &mut lines, &mut closing);
            if passes_on {
                continue;
            }
            let mut conditions = conditions;
            if id == last_id {
                conditions.splice(0..0, inherited.drain(..));
            }
            if !conditions.is_empty() && !self.schedule.barriers.is_deferred(id) {
                lines.push(format!("if ({}) {{", conditions.join(" && ")));
                closing.push("}".to_string());
            }
        }
        let last = second.unwrap_or(first);
        if !last.constants.is_empty() {
            lines.push(last.constants.trim().to_string());
        }
        if self.schedule.barriers.is_split(last_id) {
            self.first_phase(last_id, &mut lines, &mut closing);
        } else if last.kind != LoopKind::Sequential && last.has_continue {
            // `continue` leaves this iteration; what follows the block is still reached.
            lines.push("do {".to_string());
            closing.push("} while (0);".to_string());
        }
        self.edits
            .discard(Span::new(first.head.start, first.body.start));
        let own = indentation(self.text, first.span.start);
        if first.block {
            let inner = block_indentation(self.text, first.body, own);
            self.edits
                .replace(Span::new(first.head.start, first.body.start), "");
            let lines: String = lines.iter().map(|l| format!("\n{inner}{l}")).collect();
            // Before what stands first in the block, so that the variable is known to it.
            self.edits.insert_before(first.body.start + 1, lines);
            let closers: String = closing
                .iter()
                .rev()
                .map(|c| format!("{c}\n{own}"))
                .collect();
            if !closers.is_empty() {
                self.edits.insert(first.body.end - 1, closers);
            }
        } else {
            let head = Span::new(first.head.start, first.head.end);
            self.edits.replace(head, format!("{{ {}", lines.join(" ")));
            let closers: String = closing.iter().rev().map(|c| format!(" {c}")).collect();
            self.edits.append(first.span.end, format!("{closers} }}"));
        }
        self.barriers_around(first, own);
        Ok(())
    }

    /// The barriers that the language implies before and after a loop, or what else ends a condition there.
    pub(super) fn barriers_around(&mut self, this: &Loop, own: &str) {
        let implied = !self.options.no_auto_barriers;
        let (before, after) = (
            implied && this.barrier_before,
            implied && this.barrier_after,
        );
        // No barrier of the language, so that `@nobarrier` does not speak of it.
        let closes = !after && this.in_condition && self.backend.lowering.closed_conditions;
        if !(before || after || closes) {
            return;
        }
        let barrier = self.backend.spelling.barrier.clone();
        if before {
            self.edits
                .insert_before(this.span.start, format!("{barrier}\n{own}"));
        }
        if after {
            self.edits
                .append(this.span.end, format!("\n{own}{barrier}"));
        }
        if closes {
            self.uses.insert(Part::ClosedConditions.into());
            self.edits
                .append(this.span.end, format!("\n{own}BROOK_END_OF_CONDITION;"));
        }
        if this.alone {
            self.edits.insert_before(this.span.start, "{ ");
            self.edits.append(this.span.end, " }");
        }
    }

    /// The parts of a loop's header, with the edits inside them made.
    pub(super) fn header_texts(&mut self, this: &Loop) -> Result<Texts, Overlap> {
        let h = &this.header;
        let start = h.first_value(&self.edits.take(h.start_span, self.text)?);
        let start = self.target_type(&start);
        let end = self.edits.take(h.end_span, self.text)?;
        let step = match h.step_span {
            Some(span) => self.edits.take(span, self.text)?,
            None => h.step.to_string(),
        };
        Ok(Texts { start, end, step })
    }

    /// Reports barriers that some items cannot reach.
    pub(super) fn check_barriers(&mut self) {
        for id in self.schedule.barriers.interleaved.clone() {
            let head = self.module.loop_(id).head;
            let name = self.backend.name.clone();
            self.error(&codes::BARRIER_INTERLEAVED, head, &[&name]);
        }
        for id in self.schedule.barriers.unreachable.clone() {
            let head = self.module.loop_(id).head;
            let mut all = self.module.constructs.iter();
            let call =
                all.find(|c| matches!(&c.kind, ConstructKind::Collective(c) if c.inside == id));
            match call {
                Some(call) => self.error(&codes::COLLECTIVE_GUARDED, call.span, &[]),
                None => self.error(&codes::BARRIER_GUARDED, head, &[]),
            }
        }
    }

    /// Whether anything reads the variable that a part computes.
    fn is_variable_used(&self, part: &Loop) -> bool {
        let Some(tile) = &part.tile else {
            return part.uses_variable;
        };
        if tile.over_tiles {
            // The iterations of a tile start from its variable; its end may be checked by it.
            let children = part.children.iter().map(|c| self.module.loop_(*c));
            return children.filter(|c| c.tile.is_some()).any(|c| {
                let checked = c.tile.as_ref().is_some_and(|t| t.check);
                c.kind == LoopKind::Sequential || checked || self.is_variable_used(c)
            });
        }
        part.uses_variable || tile.check && !tiles::may_wrap(part)
    }

    /// Where the items of a group are more than the iterations of a loop: what those that run it
    /// have in common.
    pub(super) fn conditions(&self, part: &Loop, end: &str) -> Vec<String> {
        let mut conditions = Vec::new();
        if part.kind == LoopKind::Sequential {
            return conditions;
        }
        let index = self.group_index(part);
        if part.guarded {
            // A loop without iterations may have a negative count, and indices may be unsigned.
            let signed = match expr::constant(&part.count) {
                Some(_) => "",
                None => "(long)",
            };
            conditions.push(format!(
                "{signed}{index} < {}",
                parenthesized(&part.count.to_string())
            ));
        }
        for &axis in &part.absent {
            conditions.push(format!("{} == 0", self.index_of_axis(part, axis)));
        }
        if part.tile.as_ref().is_some_and(|t| !t.over_tiles && t.check) {
            let h = &part.header;
            let compare = ordered(h.comparison, h.down);
            conditions.push(match (&part.tile, tiles::may_wrap(part)) {
                (Some(tile), true) => {
                    let step = match h.step_span {
                        Some(_) => h.step.to_string(),
                        None => "1".to_string(),
                    };
                    let ty = self.target_type(&h.plain_type());
                    let offset = offset(&index, &step, &ty);
                    let wide = part
                        .parent
                        .is_some_and(|p| self.stays_loop(self.module.loop_(p)));
                    tiles::check(part, &tile.variable, &offset, end, wide)
                }
                _ => format!("{} {compare} {end}", h.wide_name()),
            });
        }
        conditions
    }

    /// The words of a type of integers, alone or in a declaration of ours, as the target has them: OpenCL's C has no `long long`.
    fn target_type(&self, words: &str) -> String {
        match self.backend.language {
            Language::Cpp => words.to_string(),
            Language::OpenClC | Language::Metal => words.replace("long long", "long"),
        }
    }

    /// The lines that open one loop, or one half of a tile, and what closes them. Returns the
    /// conditions under which its body runs.
    pub(super) fn simt_part(
        &self,
        part: &Loop,
        header: &Texts,
        lines: &mut Vec<String>,
        closing: &mut Vec<String>,
    ) -> Vec<String> {
        let h = &part.header;
        let sized = |tile: &Tile| super::loops::tile_size(&tile.size_text, h);
        let sign = if h.down { "-" } else { "+" };
        let (variable, from, step) = match &part.tile {
            None => (
                h.variable.clone(),
                header.start.clone(),
                header.step.clone(),
            ),
            Some(tile) if tile.over_tiles => {
                let size = scaled(&sized(tile), &header.step);
                (tile.variable.clone(), header.start.clone(), size)
            }
            Some(tile) => (h.wide_name(), tile.variable.clone(), header.step.clone()),
        };
        // What reaches past the end must not wrap.
        let within = part.tile.as_ref().is_some_and(|t| !t.over_tiles);
        let ty = match h.wide().filter(|_| part.tile.is_some()) {
            Some(wide) => wide.to_string(),
            None => self.target_type(&h.type_name),
        };
        if self.stays_loop(part) {
            let ty = match tiles::counter(part).filter(|_| self.over_tiles(part)) {
                Some(wide) => wide.to_string(),
                None => ty.clone(),
            };
            if let Some(tile) = part.tile.as_ref().filter(|t| !t.over_tiles && t.check)
                && tiles::may_wrap(part)
            {
                let size = scaled(&sized(tile), &header.step);
                let wide = part
                    .parent
                    .is_some_and(|p| self.stays_loop(self.module.loop_(p)));
                let texts = (header.end.as_str(), header.step.as_str());
                let text = tiles::within(part, &tile.variable, &size, wide, texts, false);
                lines.push(format!("{text} {{"));
                closing.push("}".to_string());
                return Vec::new();
            }
            let bound = match &part.tile {
                Some(tile) if !tile.over_tiles => {
                    let size = scaled(&sized(tile), &header.step);
                    let compare = if h.down { ">" } else { "<" };
                    format!("{variable} {compare} {} {sign} {size}", tile.variable)
                }
                _ => format!(
                    "{variable} {} {}",
                    ordered(h.comparison, h.down),
                    header.end
                ),
            };
            lines.push(format!(
                "for ({ty} {variable} = {from}; {bound}; {variable} {sign}= {step}) {{"
            ));
            closing.push("}".to_string());
        } else {
            let cast = self.value_type(h, &ty, &from);
            // What is added up may not fit although the sum does.
            let long = part.tile.is_none() && step != "1" && tiles::crosses_zero(h);
            let (own, cast) = match long {
                true => (Some(cast), "long".to_string()),
                false => (None, cast),
            };
            let widened = part.axis == 0 && self.wide_nest(part).is_some()
                || self.coarse_loop(part).is_some();
            let value = match self.base(part).filter(|_| !widened) {
                // What does not depend on the index is ready before the index is.
                Some(base) => {
                    let first = match (from.trim(), sign) {
                        ("0", "+") => offset(base, &step, &cast),
                        (from, _) => value(from, sign, &step, base, &cast),
                    };
                    let index = self.index(part.kind, part.axis);
                    format!("({first}) {sign} {}", offset(&index, &step, &cast))
                }
                None => value(&from, sign, &step, &self.group_index(part), &cast),
            };
            let value = match &own {
                Some(own) => format!("({own})({value})"),
                None => value,
            };
            if self.is_variable_used(part) {
                let ty = match h.is_auto() {
                    true => own.unwrap_or(cast),
                    false => ty.clone(),
                };
                lines.push(format!("{ty} {variable} = {value};"));
            }
        }
        if within && self.is_variable_used(part) {
            lines.extend(h.narrowing().map(|line| self.target_type(&line)));
        }
        if part.kind == LoopKind::Sequential
            && part.tile.as_ref().is_some_and(|t| !t.over_tiles && t.check)
        {
            let compare = ordered(h.comparison, h.down);
            return vec![format!("{variable} {compare} {}", header.end)];
        }
        self.conditions(part, &header.end)
    }

    /// A loop that this backend does not turn into indices.
    fn stays_loop(&self, part: &Loop) -> bool {
        part.kind == LoopKind::Sequential || (part.kind == LoopKind::Outer && !self.is_simt())
    }

    fn over_tiles(&self, part: &Loop) -> bool {
        part.tile.as_ref().is_some_and(|t| t.over_tiles)
    }

    /// The type in which a loop variable is computed.
    fn value_type(&self, h: &Header, ty: &str, from: &str) -> String {
        let from = parenthesized(from.trim());
        match self.backend.language {
            _ if !h.is_auto() => without_const(ty),
            Language::OpenClC => format!("__typeof__({from} + 0)"),
            Language::Cpp | Language::Metal => format!("decltype({from} + 0)"),
        }
    }

    /// The index of a group or item as the program counts them.
    fn group_index(&self, part: &Loop) -> String {
        if self.coarse_loop(part).is_some() {
            return coarsening::group_name(part.axis).to_string();
        }
        match (self.wide_nest(part), part.axis, part.kind) {
            (Some(_), 0, LoopKind::Outer) => "brook_group_x".to_string(),
            (Some((_, wide)), 0, LoopKind::Inner) => wide.index().to_string(),
            _ => self.own_group_index(part),
        }
    }

    /// The index of a group or item, counted from the launch's first slice.
    pub(super) fn own_group_index(&self, part: &Loop) -> String {
        let index = self.index(part.kind, part.axis);
        match self.base(part) {
            Some(base) => format!("({index} + {base})"),
            None => index,
        }
    }

    /// The index along an axis that a loop has not, counted from the launch's first slice.
    fn index_of_axis(&self, part: &Loop, axis: usize) -> String {
        let other = Loop {
            axis,
            ..part.clone()
        };
        self.own_group_index(&other)
    }

    /// The parameter that holds the first group of a launch's slice, if there may be several.
    fn base(&self, part: &Loop) -> Option<&'static str> {
        if part.kind != LoopKind::Outer || !self.is_simt() {
            return None;
        }
        let nest = self.nest_of_root(self.root_of_loop(part))?;
        let sliced = self.sliced_axes(nest).contains(&part.axis);
        sliced.then(|| base_name(part.axis))
    }

    pub(super) fn root_of_loop(&self, part: &Loop) -> LoopId {
        let above = part.parent.map(|p| self.module.root_of(p));
        let own = || {
            let place = self.module.loops.iter().position(|l| std::ptr::eq(l, part));
            LoopId::at(place.unwrap_or(0))
        };
        above.unwrap_or_else(own)
    }

    fn index(&self, kind: LoopKind, axis: usize) -> String {
        let spelling = &self.backend.spelling;
        let names = if kind == LoopKind::Outer {
            &spelling.group
        } else {
            &spelling.item
        };
        names.get(axis).cloned().unwrap_or_default()
    }
}

/// The parts of a loop's header, with the edits inside them made.
pub(super) struct Texts {
    start: String,
    end: String,
    step: String,
}

/// `a * b`, shorter where one of them is 1.
fn scaled(a: &str, b: &str) -> String {
    match (a.trim(), b.trim()) {
        (a, "1") => parenthesized(a),
        ("1", b) => parenthesized(b),
        (a, b) => format!("{} * {}", parenthesized(a), parenthesized(b)),
    }
}

/// `!=` counts on hitting the bound exactly, which a tile's last step need not do.
fn ordered(comparison: Comparison, down: bool) -> &'static str {
    match comparison {
        Comparison::NotEqual if down => ">",
        Comparison::NotEqual => "<",
        other => other.text(),
    }
}

/// `from ± step * index`. Indices are unsigned in most targets, so they are cast to the variable's
/// type before they can wrap.
fn value(from: &str, sign: &str, step: &str, index: &str, ty: &str) -> String {
    let from = from.trim();
    if from == "0" && sign == "+" && step == "1" {
        return index.to_string();
    }
    format!("{} {sign} {}", parenthesized(from), offset(index, step, ty))
}

fn offset(index: &str, step: &str, ty: &str) -> String {
    match step {
        "1" => format!("({ty}){index}"),
        step => format!("({ty}){index} * {}", parenthesized(step)),
    }
}

/// The parameter that holds the first group of a slice.
pub(super) fn base_name(axis: usize) -> &'static str {
    ["brook_base_x", "brook_base_y", "brook_base_z"]
        .get(axis)
        .copied()
        .unwrap_or("")
}
