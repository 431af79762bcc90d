//! Bodies that are split at their barriers into phases, with loops between them that all items run alike. Where
//! loops become indices, only some of a group's items run such a body, and each phase checks by itself who;
//! where loops stay loops, each phase is a loop over the items.

use super::Pass;
use crate::lex;
use crate::module::{Loop, LoopId, Module, Split};
use crate::rewrite::Part;
use crate::rewrite::text::{block_indentation, indentation};
use crate::schedule::Schedule;
use crate::source::Span;
use foldhash::HashMap;

/// What a phase of a split loop begins and ends with.
struct Phase {
    open: String,
    close: String,
}

impl Pass<'_> {
    /// What begins the first phase of a loop that is split at its barriers: the conditions of all
    /// loops up to the outermost inner one, and what lives across barriers.
    pub(super) fn first_phase(
        &mut self,
        leaf: LoopId,
        lines: &mut Vec<String>,
        closing: &mut Vec<String>,
    ) {
        let chain = crate::schedule::chain(self.module, leaf);
        let mut conditions = Vec::new();
        for &id in chain.iter().rev() {
            let this = self.module.loop_(id);
            let end = this.header.end.to_string();
            conditions.extend(self.conditions(this, &end));
        }
        let this = self.module.loop_(leaf);
        let condition = match conditions.is_empty() {
            true => "true".to_string(),
            false => conditions.join(" && "),
        };
        let constant = if this.continues_early { "" } else { "const " };
        self.uses.insert(Part::Phases.into());
        let bool_type = match self.backend.spelling.phase_condition.as_str() {
            "" => "bool",
            other => other,
        };
        lines.push(format!("{constant}{bool_type} brook_active = {condition};"));
        lines.extend(self.carried.get(&leaf).cloned().unwrap_or_default());
        let phase = phase_of_thread(this);
        lines.push(phase.open.clone());
        closing.push(phase.close.clone());
        if let Some(split) = self.schedule.barriers.split_of(leaf) {
            let calls = split.cuts.iter().filter(|c| c.is_empty());
            calls.for_each(|cut| self.phase_deposits(leaf, cut.start));
            for &of_all in &split.loops {
                self.loop_of_all(leaf, of_all, &phase, &[]);
            }
        }
    }

    /// Ends the phase before a statement that holds calls of functions of the group, and begins another.
    fn phase_deposits(&mut self, leaf: LoopId, cut: u32) {
        let indent = indentation(self.text, cut).to_string();
        let Phase { open, close } = phase_of_thread(self.module.loop_(leaf));
        let mut text = String::new();
        for (before, between) in self.deposits_at(cut) {
            text.extend(before.iter().map(|b| format!("{b}\n{indent}")));
            text.push_str(&format!("{close}\n{indent}"));
            text.extend(between.iter().map(|b| format!("{b}\n{indent}")));
            text.push_str(&format!("{open}\n{indent}"));
        }
        self.at_statement(leaf, cut, text);
    }

    /// A loop that all items run through, since there are barriers in it: it stands between phases. Each of
    /// its rounds begins with `first`.
    fn loop_of_all(
        &mut self,
        leaf: LoopId,
        (statement, body): (Span, Span),
        Phase { open, close }: &Phase,
        first: &[String],
    ) {
        let indent = indentation(self.text, statement.start).to_string();
        let within = block_indentation(self.text, body, &indent).to_string();
        let at = loop_start(self.module, statement);
        if self.ends_phase(leaf, at) {
            // Before a pragma, the line's own indentation follows.
            let text = match at == statement.start {
                true => format!("{close}\n{indent}"),
                false => format!("{indent}{close}\n"),
            };
            self.edits.insert_before(at, text);
        }
        let mut begin: String = first.iter().map(|f| format!("\n{within}{f}")).collect();
        if self.begins_phase(leaf, body.start + 1) {
            begin.push_str(&format!("\n{within}{open}"));
        }
        if !begin.is_empty() {
            self.edits.insert_before(body.start + 1, begin);
        }
        if self.ends_phase(leaf, body.end - 1) {
            let text = format!("{close}\n{indent}");
            self.edits.insert(body.end - 1, text);
        }
        if self.begins_phase(leaf, statement.end) {
            let text = format!("\n{indent}{open}");
            self.edits.append(statement.end, text);
        }
    }

    /// A barrier between two phases of a split loop.
    pub(super) fn phase_barrier(&mut self, span: Span, leaf: LoopId, barrier: &str) {
        let phase = phase_of_thread(self.module.loop_(leaf));
        self.between_phases(span, leaf, &phase, barrier);
    }

    /// The same with what phases are made of.
    fn between_phases(
        &mut self,
        span: Span,
        leaf: LoopId,
        Phase { open, close }: &Phase,
        barrier: &str,
    ) {
        let indent = indentation(self.text, span.start).to_string();
        let mut text = String::new();
        if self.ends_phase(leaf, span.start) {
            text = format!("{close}\n{indent}");
        }
        text.push_str(barrier);
        if self.begins_phase(leaf, span.end) {
            text.push_str(&format!("\n{indent}{open}"));
        }
        self.edits.replace(span, text);
    }

    /// Ends all loops from `first` on at each barrier of `leaf`, and begins them again.
    pub(super) fn split(&mut self, leaf: LoopId, first: &Loop) {
        let this = self.module.loop_(leaf);
        let Some(split) = self.schedule.barriers.split_of(leaf) else {
            return;
        };
        let Split { cuts, loops, .. } = split;
        let indent = indentation(self.text, first.span.start).to_string();
        let inside = block_indentation(self.text, this.body, &indent);
        let phase = self.phase_of_items(leaf, &inside);
        for cut in cuts.iter().filter(|c| !c.is_empty()) {
            match loops.is_empty() {
                true => {
                    let text = format!("{}\n{indent}{}", phase.close, phase.open);
                    self.edits.replace(*cut, text);
                }
                // Other cuts and the ends of loops may stand beside it.
                false => self.between_phases(*cut, leaf, &phase, ""),
            }
        }
        for cut in cuts.iter().filter(|c| c.is_empty()) {
            let mut text = String::new();
            for (before, between) in self.deposits_at(cut.start) {
                text.push_str(&before.join(&format!("\n{inside}")));
                if !phase.close.is_empty() {
                    text.push_str(&format!("\n{indent}{}", phase.close));
                }
                text.push_str(&format!("\n{indent}"));
                text.extend(between.iter().map(|b| format!("{b}\n{indent}")));
                text.push_str(&format!("{}\n{inside}", phase.open));
            }
            self.at_statement(leaf, cut.start, text);
        }
        for &(statement, body) in loops {
            // A value begins anew in each round of the innermost loop around its call.
            let inner = |cut: &&Span| {
                let within = |b: Span| b.contains(**cut);
                let smaller = |b: Span| b != body && body.contains(b);
                within(body) && !loops.iter().any(|l| smaller(l.1) && within(l.1))
            };
            let first: Vec<String> = cuts
                .iter()
                .filter(|c| c.is_empty())
                .filter(inner)
                .flat_map(|cut| self.resets_at(cut.start))
                .collect();
            self.loop_of_all(leaf, (statement, body), &phase, &first);
        }
    }

    /// The loops over the items that a phase of a body is.
    fn phase_of_items(&self, leaf: LoopId, inside: &str) -> Phase {
        let mut chain = crate::schedule::chain(self.module, leaf);
        chain.retain(|id| self.headers.contains_key(id));
        // A body without braces gets some for what it begins with.
        let lines = self.body_lines(leaf);
        let is_block =
            |id: &LoopId| self.module.loop_(*id).block || (*id == leaf && !lines.is_empty());
        let close = "}".repeat(chain.iter().filter(|id| is_block(id)).count());
        let mut open = String::new();
        for id in chain.iter().rev() {
            let header = self.headers.get(id).map_or("", String::as_str);
            open.push_str(header);
            open.push_str(if is_block(id) { " {" } else { " " });
        }
        for line in &lines {
            open.push_str(&format!("\n{inside}{line}"));
        }
        Phase { open, close }
    }

    /// Whether anything stands between `at` and what is before it that ends a phase.
    fn ends_phase(&self, leaf: LoopId, at: u32) -> bool {
        let (before, _) = self.boundaries_at(leaf, at);
        before.is_none_or(|b| !lex::is_blank(Span::new(b.end, at).of(self.text)))
    }

    /// Whether anything stands between `at` and what is behind it that begins a phase.
    fn begins_phase(&self, leaf: LoopId, at: u32) -> bool {
        let (_, behind) = self.boundaries_at(leaf, at);
        behind.is_none_or(|b| !lex::is_blank(Span::new(at, b.start).of(self.text)))
    }

    /// What stands before a place of such a loop, and what behind it, between two phases: barriers, and the two ends of
    /// loops with barriers. A phase in which values are given to functions of the group has something in it.
    fn boundaries_at(&self, id: LoopId, at: u32) -> (Option<Span>, Option<Span>) {
        let Some(all) = self.boundaries.get(&id) else {
            return (None, None);
        };
        let before = all.partition_point(|b| b.end <= at);
        let behind = all.partition_point(|b| b.start < at);
        let before = before.checked_sub(1).and_then(|i| all.get(i));
        (before.copied(), all.get(behind).copied())
    }
}

/// A phase where loops become indices.
fn phase_of_thread(this: &Loop) -> Phase {
    let (open, close) = match this.has_continue {
        true => ("if (brook_active) do {", "} while (0);"),
        false => ("if (brook_active) {", "}"),
    };
    Phase {
        open: open.to_string(),
        close: close.to_string(),
    }
}

/// What stands between the phases of all split loops, in source order: barriers, and the two ends of loops with barriers.
pub(super) fn boundaries(module: &Module, schedule: &Schedule<'_>) -> HashMap<LoopId, Vec<Span>> {
    let all = schedule.barriers.splits();
    all.map(|(leaf, split)| (leaf, boundaries_of(module, split)))
        .collect()
}

fn boundaries_of(module: &Module, split: &Split) -> Vec<Span> {
    let barriers = split.cuts.iter().filter(|c| !c.is_empty()).copied();
    let ends = split.loops.iter().flat_map(|(statement, body)| {
        let head = Span::new(loop_start(module, *statement), body.start + 1);
        [head, Span::new(body.end - 1, statement.end)]
    });
    let mut all: Vec<Span> = barriers.chain(ends).collect();
    all.sort_unstable();
    all
}

/// Where a loop begins with the pragmas before it: where the line of the first one begins.
fn loop_start(module: &Module, statement: Span) -> u32 {
    let (text, all) = (&module.text, &module.directives);
    let blank = |from: u32, to: u32| lex::is_blank(Span::new(from, to).of(text));
    let mut at = statement.start;
    let behind = all.partition_point(|d| d.span.end <= at);
    for directive in all.iter().take(behind).rev() {
        if !blank(directive.span.end, at) {
            break;
        }
        at = directive.span.start;
    }
    match at == statement.start {
        true => at,
        false => at - indentation(text, at).len() as u32,
    }
}
