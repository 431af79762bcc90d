//! Which loops over items become vectors, where loops stay loops.

use super::Pass;
use crate::module::{LoopId, Respelled};
use crate::rewrite::Part;
use crate::rewrite::text::begins_line;
use crate::schedule::Vectorized;

/// The prelude's macro for loops whose body declares arrays.
const LANES: &str = "BROOK_LANES";

impl Pass<'_> {
    /// Says before an innermost loop over items that these may be lanes of a vector.
    pub(super) fn lanes(&mut self, id: LoopId, at: u32) {
        let pragma = self.backend.spelling.vectorize.clone();
        if pragma.is_empty() {
            return;
        }
        match self.schedule.vectorized(id) {
            Vectorized::No => {}
            Vectorized::Plainly => self.pragma(at, &pragma),
            Vectorized::Dissolving => {
                self.uses.insert(Part::Lanes.into());
                let gap = match begins_line(self.text, at) {
                    true => {
                        let indent = crate::rewrite::text::indentation(self.text, at);
                        format!("\n{indent}")
                    }
                    false => " ".to_string(),
                };
                self.edits.insert(at, format!("{LANES}{gap}"));
            }
        }
    }

    /// The same for the loop within a tile, which has no line of its own.
    pub(super) fn lanes_of_tile(&mut self, id: LoopId) -> Option<String> {
        let pragma = &self.backend.spelling.vectorize;
        if pragma.is_empty() {
            return None;
        }
        match self.schedule.vectorized(id) {
            Vectorized::No => None,
            Vectorized::Plainly => Some(format!("_Pragma(\"{pragma}\")")),
            Vectorized::Dissolving => {
                self.uses.insert(Part::Lanes.into());
                Some(LANES.to_string())
            }
        }
    }

    /// Writes what such loops compute of their items in another way. Comes before whatever takes text.
    pub(super) fn scattered(&mut self) {
        if self.is_simt() {
            return;
        }
        let all = self.module.nests().flat_map(|n| &n.legal.scattered);
        for Respelled { span, text } in all.flat_map(|(_, rewritten)| rewritten) {
            self.edits.replace(*span, text.clone());
        }
    }
}
