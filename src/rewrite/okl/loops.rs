use super::Pass;
use crate::diagnostics::codes;
use crate::expr::{self, Expr};
use crate::module::Launch;
use crate::module::{
    Comparison, Construct, KernelForm, Loop, LoopId, LoopKind, Nest, Statement, What,
};
use crate::render::{DeviceKernel, arguments};
use crate::rewrite::text::{block_indentation, fill, indentation, parenthesized};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// An attributed loop stays a loop; a tile becomes two.
    pub(super) fn host_loop(&mut self, id: LoopId) -> Result<(), Overlap> {
        let first = self.module.loop_(id);
        let second = first
            .tile
            .is_some()
            .then(|| first.children.first().map(|c| (*c, self.module.loop_(*c))))
            .flatten();
        self.edits
            .delete(Span::new(first.span.start, first.header_span.start));
        if let Some((_, second)) = second {
            self.host_tile(first, second)?;
        }
        let (last_id, last) = second.unwrap_or((id, first));
        let is_leaf = !last.children.iter().any(|c| self.contains_inner(*c));
        if last.kind == LoopKind::Inner && is_leaf {
            self.item_number(last_id, last);
            let pragma = self.backend.spelling.vectorize.clone();
            if last.plain_body && second.is_none() && !pragma.is_empty() {
                self.pragma(first.span.start, &pragma);
            }
        }
        if let Some(nest) = self.nest_of_root(id) {
            let collapse = match nest.collapse {
                0 | 1 => String::new(),
                n => format!(" collapse({n})"),
            };
            let pragma = fill(&self.backend.spelling.parallel, &[("collapse", &collapse)]);
            if !pragma.is_empty() {
                self.pragma(first.span.start, &pragma);
            }
        }
        Ok(())
    }

    fn contains_inner(&self, id: LoopId) -> bool {
        let this = self.module.loop_(id);
        this.kind == LoopKind::Inner || this.children.iter().any(|c| self.contains_inner(*c))
    }

    fn nest_of_root(&self, root: LoopId) -> Option<&Nest> {
        let forms = self.module.kernels.iter().map(|k| &k.form);
        let nests = forms.filter_map(|f| match f {
            KernelForm::Okl { nests } => Some(nests),
            _ => None,
        });
        nests.flatten().find(|n| n.root == root)
    }

    fn root_of(&self, mut id: LoopId) -> LoopId {
        while let Some(parent) = self.module.loop_(id).parent {
            id = parent;
        }
        id
    }

    fn host_tile(&mut self, first: &Loop, second: &Loop) -> Result<(), Overlap> {
        let h = &first.header;
        let (Some(tile), Some(within)) = (&first.tile, &second.tile) else {
            return Ok(());
        };
        let start = self.edits.take(h.start_span, self.text)?;
        let end = self.edits.take(h.end_span, self.text)?;
        let step = match h.step_span {
            Some(span) => self.edits.take(span, self.text)?,
            None => "1".to_string(),
        };
        let (size, step) = (parenthesized(&tile.size_text), parenthesized(&step));
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
        let (ty, i, t) = (&h.type_name, &h.variable, &tile.variable);
        let mut text = format!(
            "for ({ty} {t} = {start}; {t} {compare} {end}; {t} {sign}= {width}) \
             for ({ty} {i} = {t}; {i} {past} {t} {sign} {width}; {i} {sign}= {step})"
        );
        if within.check {
            text.push_str(&format!(" if ({i} {compare} {end})"));
        }
        self.edits.discard(first.header_span);
        self.edits.replace(first.header_span, text);
        Ok(())
    }

    /// `const int brook_item = …;` at the beginning of an innermost inner loop, where exclusive
    /// variables are indexed by it.
    fn item_number(&mut self, id: LoopId, leaf: &Loop) {
        let Some(nest) = self.nest_of_root(self.root_of(id)).cloned() else {
            return;
        };
        if !nest.uses_exclusive {
            return;
        }
        let mut positions: [Option<String>; 3] = [None, None, None];
        let mut at = Some(id);
        while let Some(this) = at {
            let this = self.module.loop_(this);
            if this.kind == LoopKind::Inner
                && let Some(position) = positions.get_mut(this.axis)
            {
                *position = Some(iteration(this, self.text));
            }
            at = this.parent;
        }
        let [x, y, z] = positions;
        let [lx, ly, _] = &nest.inner;
        let mut text = z.unwrap_or_default();
        for (position, extent) in [(y, ly), (x, lx)] {
            let extent = parenthesized(&extent.to_string());
            text = match (text.is_empty(), position) {
                (true, position) => position.unwrap_or_default(),
                (false, Some(position)) => {
                    format!("{} * {extent} + {position}", parenthesized(&text))
                }
                (false, None) => format!("{} * {extent}", parenthesized(&text)),
            };
        }
        let line = format!("const int brook_item = {text};");
        if leaf.block {
            let own = indentation(self.text, leaf.span.start);
            let inner = block_indentation(self.text, leaf.body, own);
            self.edits
                .insert_before(leaf.body.start + 1, format!("\n{inner}{line}"));
        } else {
            self.edits
                .insert_before(leaf.body.start, format!("{{ {line} "));
            self.edits.append(leaf.body.end, " }");
        }
    }

    pub(super) fn host_barrier(&mut self, span: Span, inside: Option<LoopId>) {
        if inside.is_some() {
            let name = self.backend.name.clone();
            self.error(&codes::BARRIER_INSIDE_LOOPS, span, &[&name]);
            return;
        }
        // Each inner loop has ended before the next statement begins.
        self.edits.replace(span, ";");
    }

    /// An exclusive variable becomes an array over the items of the group.
    pub(super) fn exclusive(&mut self, construct: &Construct) -> Result<(), Overlap> {
        let What::Exclusive {
            name,
            name_span,
            brackets,
            value,
            rank,
            nest,
            end,
            by_item,
            type_name,
        } = &construct.what
        else {
            return Ok(());
        };
        let Some(nest) = self.nest_of_root(*nest) else {
            return Ok(());
        };
        let items = match nest.threads {
            Some(threads) => threads.max(1).to_string(),
            None => {
                let factors = nest.inner.iter().filter(|e| expr::constant(e) != Some(1));
                let factors: Vec<String> = factors
                    .map(|e: &Expr| parenthesized(&e.to_string()))
                    .collect();
                factors.join(" * ")
            }
        };
        // Items are assigned one after another, so the array itself cannot be constant.
        let before = Span::new(
            name_span.start.saturating_sub(type_name.len() as u32 + 8),
            name_span.start,
        );
        let constant = before
            .of(self.text)
            .rfind("const ")
            .map(|i| before.start + i as u32);
        if let Some(at) = constant.filter(|_| type_name.contains("const")) {
            self.edits.delete(Span::new(at, at + 6));
        }
        let at = if *by_item {
            name_span.end
        } else {
            brackets.end
        };
        self.edits.insert(at, format!("[{items}]"));
        let Some((value, from)) = value else {
            return Ok(());
        };
        if *rank > 0 {
            self.error(
                &codes::EXCLUSIVE_ARRAY_VALUE,
                construct.span,
                &[name, &self.backend.name],
            );
            return Ok(());
        }
        let text = self.edits.take(*value, self.text)?;
        self.edits.delete(Span::new(*from, value.end));
        self.edits.insert(
            *end,
            format!(
                " for (int brook_item = 0; brook_item < {items}; ++brook_item) \
                 {name}[brook_item] = {text};"
            ),
        );
        Ok(())
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
                arguments: arguments(kernel, &[]),
            });
            let one = || Expr::int(1);
            host.push(vec![Statement::Launch(Launch {
                kernel: kernel.name.clone(),
                groups: [one(), one(), one()],
                items: [one(), one(), one()],
                arguments: kernel.parameters.iter().map(|p| p.name.clone()).collect(),
            })]);
        }
        (functions, host)
    }
}

/// Which iteration of its loop the variable's value belongs to.
fn iteration(this: &Loop, text: &str) -> String {
    let h = &this.header;
    let start = match &this.tile {
        Some(tile) => tile.variable.clone(),
        None => h.start_span.of(text).to_string(),
    };
    let distance = match (h.down, start.trim()) {
        (false, "0") => h.variable.clone(),
        (false, start) => format!("({} - {})", h.variable, parenthesized(start)),
        (true, start) => format!("({} - {})", parenthesized(start), h.variable),
    };
    match h.step_span {
        Some(step) if step.of(text).trim() != "1" => {
            format!("{distance} / {}", parenthesized(step.of(text)))
        }
        _ => distance,
    }
}
