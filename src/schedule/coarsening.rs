//! Items that run several neighbouring iterations of an outer loop (`passes/coarsening.rs` says of which that is legal).

use super::extents::is_known;
use crate::expr;
use crate::module::{LoopId, MOST_OPERATIONS, Module, Nest};

/// The loop of which items run several iterations, and how many: as many as somebody has chosen, or as the pass says if that is little
/// work.
pub(super) fn iterations(
    module: &Module,
    nest: &Nest,
    chosen: Option<u8>,
) -> Option<(LoopId, usize)> {
    let this = nest.legal.coarsened.as_ref()?;
    let outer = module.loop_(this.outer);
    // What the launch cannot count is not grouped.
    let few = |e| expr::constant(e).is_none_or(|n| n < i64::from(u32::MAX));
    let counted = nest.outer.iter().all(few) && is_known(&outer.count);
    let many = match chosen {
        Some(many) => usize::from(many),
        None if this.iterations * this.operations <= MOST_OPERATIONS => this.iterations,
        None => 1,
    };
    (counted && many > 1).then_some((this.outer, many))
}
