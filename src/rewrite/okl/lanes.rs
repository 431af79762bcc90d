//! Which loops over items become vectors, where loops stay loops.

use super::Pass;
use crate::module::{Loop, LoopId, LoopKind, Respelled};
use crate::rewrite::Part;
use crate::rewrite::text::begins_line;
use crate::source::Span;

/// The prelude's macro for loops whose body declares arrays.
const LANES: &str = "BROOK_LANES";

impl Pass<'_> {
    /// Says before an innermost loop over items that these may be lanes of a vector.
    pub(super) fn lanes(&mut self, id: LoopId, at: u32) {
        let this = self.module.loop_(id);
        let pragma = self.backend.spelling.vectorize.clone();
        if !self.has_lanes(this) || pragma.is_empty() || self.is_scattered(id) {
            return;
        }
        match self.arrays_dissolve(id) {
            false => self.pragma(at, &pragma),
            true => {
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
        let this = self.module.loop_(id);
        let pragma = &self.backend.spelling.vectorize;
        if !self.has_lanes(this) || pragma.is_empty() || self.is_scattered(id) {
            return None;
        }
        if self.arrays_dissolve(id) {
            self.uses.insert(Part::Lanes.into());
            return Some(LANES.to_string());
        }
        Some(format!("_Pragma(\"{pragma}\")"))
    }

    pub(super) fn has_lanes(&self, this: &Loop) -> bool {
        let is_leaf = !this.children.iter().any(|c| self.contains_inner(*c));
        let counted = this.tile.is_some() || super::tiles::is_canonical(&this.header);
        this.kind == LoopKind::Inner && is_leaf && this.plain_body && counted
    }

    /// Writes what such loops compute of their items in another way. Comes before whatever takes text.
    pub(super) fn scattered(&mut self) {
        if self.is_simt() {
            return;
        }
        let all = self.module.nests().flat_map(|n| &n.schedule.scattered);
        for Respelled { span, text } in all.flat_map(|(_, rewritten)| rewritten) {
            self.edits.replace(*span, text.clone());
        }
    }

    /// Whether a vector has nothing to gain from it.
    fn is_scattered(&self, id: LoopId) -> bool {
        let nest = self.nest_of_root(self.module.root_of(id));
        nest.is_some_and(|n| n.schedule.scattered.iter().any(|(leaf, _)| *leaf == id))
    }

    /// Whether the body declares arrays of which nothing is left, since all loops that keep them are unrolled.
    fn arrays_dissolve(&self, id: LoopId) -> bool {
        let nest = self.nest_of_root(self.module.root_of(id));
        let found = nest.and_then(|n| n.schedule.dissolving.iter().find(|d| d.leaf == id));
        let unrolled = |span: &Span| self.unrolled.iter().any(|u| u.span == *span);
        found.is_some_and(|found| found.loops.iter().all(unrolled))
    }
}
