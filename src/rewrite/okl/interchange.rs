//! Loops over items that change places with the loops in them, where loops stay loops: items that copy several rows
//! each write them one after the other then, as far as the group is wide.

use super::Pass;
use crate::module::{Loop, LoopId};
use crate::rewrite::directives::Unrolled;
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// The loops that a loop over items may stand in, from the outside, if all of them are unrolled.
    pub(super) fn uniform_loops(&self, id: LoopId) -> Vec<Unrolled> {
        self.loops_around(id).unwrap_or_default()
    }

    fn loops_around(&self, id: LoopId) -> Option<Vec<Unrolled>> {
        let this = self.module.loop_(id);
        let nest = self.nest_of_root(self.module.root_of(id))?;
        let found = { nest.schedule.interchanged.iter() }.find(|i| i.leaf == id)?;
        if !this.plain_body || !this.block || !this.constants.trim().is_empty() {
            return None;
        }
        let unrolled = |span: &Span| self.unrolled.iter().find(|u| u.span == *span).cloned();
        let chain: Option<Vec<Unrolled>> = found.loops.iter().map(unrolled).collect();
        let chain = chain?;
        if chain.iter().any(|u| self.is_named_around(id, &u.variable)) {
            return None;
        }
        // Lines for the compiler have their place among the others.
        let other = |line: Span| this.body.contains(line) && chain.iter().all(|u| u.pragma != line);
        let lines = self.module.directives.iter().any(|d| other(d.span));
        Some(chain).filter(|_| !lines)
    }

    /// Whether a loop over items, or one around it, has a name in its header: headers of attributed loops come to stand, or are
    /// repeated, where the others' variables mean something.
    pub(super) fn is_named_around(&self, id: LoopId, name: &str) -> bool {
        let mut around = self
            .module
            .and_around(id)
            .map(|id| &self.module.loop_(id).header);
        around.any(|h| h.variable == name || h.names.iter().any(|n| n == name))
    }

    /// Puts the header of a loop over items behind those of the loops in it; returns where it stands now, and what its
    /// body is.
    pub(super) fn interchange(
        &mut self,
        this: &Loop,
        header: String,
        chain: &[Unrolled],
    ) -> Result<Option<(u32, Span)>, Overlap> {
        let Some(last) = chain.last() else {
            return Ok(None);
        };
        let mut place = this.header_span;
        for next in chain {
            let text = self.edits.take(next.header, self.text)?;
            self.edits.discard(next.pragma);
            self.edits
                .delete(Span::new(next.pragma.start, next.pragma.end + 1));
            self.edits.replace(place, text);
            place = next.header;
        }
        self.edits.replace(place, header);
        Ok(Some((last.span.start, last.body)))
    }
}
