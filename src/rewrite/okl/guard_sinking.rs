//! Conditions of loops that have nothing but another loop in them: the innermost checks all of them at once,
//! so that items find out together, and with their indices known, whether they go on.

use super::Pass;
use crate::module::LoopId;

impl Pass<'_> {
    /// Whether the loop inside checks the conditions of this one, which may be a tile, too.
    pub(super) fn passes_on(&self, id: LoopId) -> bool {
        self.schedule.sinking.contains(&id)
    }

    /// The conditions of loops around this one that it checks.
    pub(super) fn inherited(&self, id: LoopId) -> Vec<String> {
        let mut all = Vec::new();
        let mut at = self.statement_around(id);
        while let Some(around) = at.filter(|a| self.passes_on(*a)) {
            let first = self.module.loop_(around);
            let end = first.header.end_span.of(self.text).trim();
            let mut own = self.conditions(first, end);
            let last = self.module.last_part(first);
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
}
