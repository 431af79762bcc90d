//! Conditions of loops that have nothing but another loop in them: the innermost checks all of them at once,
//! so that items find out together, and with their indices known, whether they go on.

use super::Pass;
use crate::module::{Loop, LoopId};
use crate::source::Span;

impl Pass<'_> {
    /// Whether the loop inside checks the conditions of this one, which may be a tile, too.
    pub(super) fn passes_on(&self, id: LoopId) -> bool {
        let nest = self.nest_of_root(self.module.root_of(id));
        if !nest.is_some_and(|n| n.schedule.sinking.contains(&id)) {
            return false;
        }
        let first = self.module.loop_(id);
        let last = self.last_part(first);
        let [child] = last.children.as_slice() else {
            return false;
        };
        let inner = self.module.loop_(*child);
        // What stands in the loop's own lines may need the conditions.
        let lines = !last.constants.is_empty() || !inner.constants.is_empty();
        let kinds = [first, last, inner, self.last_part(inner)];
        !lines
            && self.wide_nest(first).is_none()
            && !self.plan.is_deferred(id)
            && !self.plan.is_deferred(*child)
            && kinds.iter().all(|l| self.is_repeatable(l))
            && !self.hides(inner, first)
            && last.holds_only(self.text, inner.span)
    }

    /// Whether the variable of a loop from `inner` on inwards hides a name that the conditions of another use.
    fn hides(&self, inner: &Loop, outer: &Loop) -> bool {
        let h = &outer.header;
        let used = |name: &String| *name == h.variable || h.names.contains(name);
        let deeper = inner
            .children
            .iter()
            .any(|c| self.hides(self.module.loop_(*c), outer));
        used(&inner.header.variable) || deeper
    }

    /// The conditions of loops around this one that it checks.
    pub(super) fn inherited(&self, id: LoopId) -> Vec<String> {
        let mut all = Vec::new();
        let mut at = self.statement_around(id);
        while let Some(around) = at.filter(|a| self.passes_on(*a)) {
            let first = self.module.loop_(around);
            let end = first.header.end_span.of(self.text).trim();
            let mut own = self.conditions(first, end);
            let last = self.last_part(first);
            if !std::ptr::eq(first, last) {
                own.extend(self.conditions(last, end));
            }
            all.splice(0..0, own);
            at = self.statement_around(around);
        }
        all
    }

    /// The loop statement around one: for a tile, the loop over tiles.
    fn statement_around(&self, id: LoopId) -> Option<LoopId> {
        let parent = self.module.loop_(id).parent?;
        let around = self.module.loop_(parent);
        let own = around.tile.as_ref().filter(|t| !t.over_tiles);
        match own {
            Some(_) => around.parent,
            None => Some(parent),
        }
    }

    /// The second half of a tile, or the loop itself.
    fn last_part<'l>(&'l self, first: &'l Loop) -> &'l Loop {
        let second = first.second_half();
        second.map_or(first, |id| self.module.loop_(id))
    }

    /// Whether no backend spells bounds and step in another way than the program.
    fn is_repeatable(&self, this: &Loop) -> bool {
        let h = &this.header;
        let spans = [Some(h.start_span), Some(h.end_span), h.step_span];
        let mut spans = spans.into_iter().flatten();
        spans.all(|span| {
            let from = self.spelled.partition_point(|s| s.start < span.start);
            let mut behind = self.spelled.iter().skip(from);
            let inside = |s: &&Span| s.start <= span.end;
            !behind
                .by_ref()
                .take_while(inside)
                .any(|s| span.contains(*s))
        })
    }
}
