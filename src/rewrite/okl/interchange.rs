//! Loops over items that change places with the loops in them, where loops stay loops: items that copy several rows
//! each write them one after the other then, as far as the group is wide.

use super::Pass;
use crate::module::Loop;
use crate::schedule::Unrolled;
use crate::source::{Overlap, Span};

impl Pass<'_> {
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
