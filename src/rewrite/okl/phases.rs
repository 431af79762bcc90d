//! Bodies that only some of a group's items run, split at their barriers, which all items reach: each
//! phase checks by itself who runs it. Where loops become indices.

use super::Pass;
use crate::module::{Barriers, Loop, LoopId};
use crate::rewrite::text::{block_indentation, indentation};
use crate::source::Span;

impl Pass<'_> {
    /// What begins the first phase of a loop that is split at its barriers: the conditions of all
    /// loops up to the outermost inner one, and what lives across barriers.
    pub(super) fn first_phase(
        &mut self,
        leaf: LoopId,
        lines: &mut Vec<String>,
        closing: &mut Vec<String>,
    ) {
        let chain = super::plan::chain(self.module, leaf);
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
        self.uses.insert("phases".to_string());
        let bool_type = match self.backend.spelling.phase_condition.as_str() {
            "" => "bool",
            other => other,
        };
        lines.push(format!("{constant}{bool_type} brook_active = {condition};"));
        lines.extend(self.carried.get(&leaf).cloned().unwrap_or_default());
        let (open, close) = phase(this);
        lines.push(open.to_string());
        closing.push(close.to_string());
        if let Barriers::Cuts(cuts) | Barriers::InLoops { cuts, .. } = &this.barriers {
            let calls = cuts.iter().filter(|c| c.is_empty());
            calls.for_each(|cut| self.phase_deposits(leaf, cut.start));
        }
        if let Barriers::InLoops { loops, .. } = &this.barriers {
            for (statement, body) in loops {
                self.loop_of_all(this, *statement, *body);
            }
        }
    }

    /// Ends the phase before a statement that holds calls of functions of the group, and begins another.
    fn phase_deposits(&mut self, leaf: LoopId, cut: u32) {
        let indent = indentation(self.text, cut).to_string();
        let (open, close) = phase(self.module.loop_(leaf));
        let mut text = String::new();
        for (before, between) in self.deposits_at(cut) {
            text.extend(before.iter().map(|b| format!("{b}\n{indent}")));
            text.push_str(&format!("{close}\n{indent}"));
            text.extend(between.iter().map(|b| format!("{b}\n{indent}")));
            text.push_str(&format!("{open}\n{indent}"));
        }
        self.at_statement(leaf, cut, text);
    }

    /// A loop that all items run through, since there are barriers in it: it stands between phases.
    fn loop_of_all(&mut self, leaf: &Loop, statement: Span, body: Span) {
        let (open, close) = phase(leaf);
        let indent = indentation(self.text, statement.start).to_string();
        let within = block_indentation(self.text, body, &indent).to_string();
        let at = loop_start(self.text, statement);
        if self.ends_phase(leaf, at) {
            // Before a pragma, the line's own indentation follows.
            let text = match at == statement.start {
                true => format!("{close}\n{indent}"),
                false => format!("{indent}{close}\n"),
            };
            self.edits.insert_before(at, text);
        }
        if self.begins_phase(leaf, body.start + 1) {
            let text = format!("\n{within}{open}");
            self.edits.insert_before(body.start + 1, text);
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
        let indent = indentation(self.text, span.start).to_string();
        let this = self.module.loop_(leaf);
        let (open, close) = phase(this);
        let mut text = String::new();
        if self.ends_phase(this, span.start) {
            text = format!("{close}\n{indent}");
        }
        text.push_str(barrier);
        if self.begins_phase(this, span.end) {
            text.push_str(&format!("\n{indent}{open}"));
        }
        self.edits.replace(span, text);
    }

    /// Whether anything stands between `at` and what is before it that ends a phase.
    fn ends_phase(&self, leaf: &Loop, at: u32) -> bool {
        let between = |e: &Span| e.end <= at && is_blank(self.text, e.end, at);
        !boundaries(self.text, leaf).iter().any(between)
    }

    /// Whether anything stands between `at` and what is behind it that begins a phase.
    fn begins_phase(&self, leaf: &Loop, at: u32) -> bool {
        let between = |e: &Span| e.start >= at && is_blank(self.text, at, e.start);
        !boundaries(self.text, leaf).iter().any(between)
    }
}

/// What stands between phases: barriers, and the two ends of loops with barriers. A phase in which values
/// are given to functions of the group has something in it.
fn boundaries(text: &str, leaf: &Loop) -> Vec<Span> {
    let barriers = |cuts: &[Span]| -> Vec<Span> {
        let all = cuts.iter().filter(|c| !c.is_empty());
        all.copied().collect()
    };
    match &leaf.barriers {
        Barriers::Cuts(cuts) => barriers(cuts),
        Barriers::InLoops { cuts, loops } => {
            let ends = loops.iter().flat_map(|(statement, body)| {
                let head = Span::new(loop_start(text, *statement), body.start + 1);
                [head, Span::new(body.end - 1, statement.end)]
            });
            barriers(cuts).into_iter().chain(ends).collect()
        }
        _ => Vec::new(),
    }
}

fn is_blank(text: &str, from: u32, to: u32) -> bool {
    Span::new(from, to).of(text).trim().is_empty()
}

/// Where a loop begins with the pragmas before it.
fn loop_start(text: &str, statement: Span) -> u32 {
    let mut at = statement.start;
    while let Some(line) = directive_before(text, at) {
        at = line;
    }
    at
}

/// Where the line before `at` begins, if that is a directive.
fn directive_before(text: &str, at: u32) -> Option<u32> {
    let before = text.get(..at as usize)?.trim_end_matches([' ', '\t']);
    let line = before.strip_suffix('\n')?;
    let start = line.rfind('\n').map_or(0, |n| n + 1);
    let directive = line.get(start..)?.trim_start().starts_with('#');
    directive.then_some(start as u32)
}

/// What a phase of a split loop begins and ends with.
fn phase(this: &Loop) -> (&'static str, &'static str) {
    match this.has_continue {
        true => ("if (brook_active) do {", "} while (0);"),
        false => ("if (brook_active) {", "}"),
    }
}
