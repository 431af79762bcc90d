//! Inner loops whose items wait for each other, where loops stay loops and the body cannot be split:
//! each item becomes a fiber, with a stack of its own, that runs until its next barrier.

use super::Pass;
use crate::diagnostics::codes;
use crate::module::{Loop, LoopId, LoopKind};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// The loop, or the second half of a tile, is run by fibers.
    pub(super) fn is_fiber_loop(&self, id: LoopId) -> bool {
        let this = self.module.loop_(id);
        let second = this.tile.as_ref().and_then(|_| this.children.first());
        self.schedule.barriers.in_fibers(id)
            || second.is_some_and(|s| self.schedule.barriers.in_fibers(*s))
    }

    /// A loop whose iterations are fibers, or one inside it: its variable is computed from the
    /// fiber's place.
    pub(super) fn fiber_loop(&mut self, id: LoopId) -> Result<(), Overlap> {
        let module = self.module;
        let first = module.loop_(id);
        let second = first.tile.as_ref().and_then(|_| first.children.first());
        let second = second.map(|c| module.loop_(*c));
        let header = self.header_texts(first)?;
        let mut open = String::new();
        let mut close = String::new();
        for part in [Some(first), second].into_iter().flatten() {
            let mut lines = Vec::new();
            let mut closing = Vec::new();
            if part.kind == LoopKind::Inner && self.is_top(part) {
                lines.push(self.fiber_head(id, part));
                closing.push("});".to_string());
            } else if part.kind == LoopKind::Inner {
                lines.push("{".to_string());
                closing.push("}".to_string());
            }
            let conditions = self.simt_part(part, &header, &mut lines, &mut closing);
            if !conditions.is_empty() {
                lines.push(format!("if ({}) {{", conditions.join(" && ")));
                closing.push("}".to_string());
            }
            open.push_str(&lines.join(" "));
            open.push(' ');
            closing.reverse();
            close = format!(" {}{close}", closing.join(" "));
        }
        open.push_str(&second.unwrap_or(first).constants);
        if second.unwrap_or(first).has_continue {
            open.push_str("do ");
            close = format!(" while (0);{close}");
        }
        self.edits
            .discard(Span::new(first.span.start, first.body.start));
        self.edits
            .replace(Span::new(first.span.start, first.body.start), open);
        if first.barrier_after && !self.is_top(first) {
            close.push(' ');
            close.push_str(&self.backend.spelling.barrier);
        }
        self.edits.append(first.span.end, close);
        Ok(())
    }

    fn fiber_head(&mut self, id: LoopId, top: &Loop) -> String {
        let root = self.module.root_of(id);
        let Some(nest) = self.nest_of_root(root) else {
            return String::new();
        };
        let name = self.backend.name.clone();
        self.error(&codes::FIBERS, top.head, &[&name]);
        let mut text = self.fiber_group(nest);
        if nest.uses_exclusive {
            text.push(' ');
            text.push_str(&self.item_number_of_fiber(nest));
            text.push_str(" (void)brook_item;");
        }
        text
    }
}
