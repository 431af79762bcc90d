//! Nests whose items may run several iterations of an outer loop.

use super::unit::Unit;
use crate::module::{Coarsened, LoopId, LoopKind};
use crate::passes::Coarse;
use crate::source::Span;
use foldhash::HashMap;

fn may_be_coarsened(unit: &Unit, id: LoopId) -> bool {
    let this = &unit.loops[id.index()];
    this.kind == LoopKind::Outer
        && this.tile.is_none()
        && !this.guarded
        && this.absent.is_empty()
        && this.constants.is_empty()
        && !this.has_continue
        && !this.has_return
}

/// The loops that may be coarsened, by their statements.
pub(super) fn loops(unit: &Unit) -> HashMap<Span, LoopId> {
    let all = (0..unit.loops.len()).map(LoopId::at);
    let meant = all.filter(|id| may_be_coarsened(unit, *id));
    meant.map(|id| (unit.loops[id.index()].span, id)).collect()
}

/// What the pass has found, if the loop is one of those.
pub(super) fn described(loops: &HashMap<Span, LoopId>, found: &Coarse) -> Option<Coarsened> {
    Some(Coarsened {
        outer: *loops.get(&found.outer)?,
        iterations: found.iterations,
        operations: found.operations,
        again: found.again,
    })
}
