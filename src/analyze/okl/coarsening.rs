//! Nests whose items may run several iterations of an outer loop: what looks like one is asked of its body.

use super::unit::Unit;
use crate::module::{
    AccessKind, Barriers, Coarsened, ConstructKind, LoopId, LoopKind, Nest, Parameter,
};
use crate::passes::Coarse;
use crate::source::Span;
use std::collections::HashMap;

/// A nest with fewer reads than this has nothing that neighbours read, too.
const FEWEST_READS: usize = 2;

/// What was found before a kernel.
#[derive(Clone, Copy)]
pub(super) struct Before {
    constructs: usize,
    accesses: usize,
}

impl Before {
    pub(super) fn of(unit: &Unit) -> Self {
        Self {
            constructs: unit.constructs.len(),
            accesses: unit.accesses.len(),
        }
    }

    /// Whether the kernel has arrays of several dimensions that a group shares.
    pub(super) fn declares_rows(self, unit: &Unit) -> bool {
        let mut own = unit.constructs.iter().skip(self.constructs);
        own.any(|c| match &c.kind {
            ConstructKind::Shared { variables, .. } => variables.iter().any(|v| v.rank > 1),
            _ => false,
        })
    }
}

/// Whether the body of a nest is worth being looked at: it has a loop that could be meant, it reads arrays through
/// pointers of which some promise not to overlap, and nothing in it is for the items of a group together. Cheap, since most
/// nests are asked and few are meant.
pub(super) fn is_candidate(
    unit: &Unit,
    nest: &Nest,
    parameters: &[Parameter],
    before: Before,
) -> bool {
    let restricted = parameters.iter().any(|p| p.restrict == Some(true));
    if !restricted || nest.uses_exclusive {
        return false;
    }
    if !has_plain_outer(unit, nest.root) {
        return false;
    }
    let accesses = unit.accesses.iter().skip(before.accesses);
    let reads = accesses.filter(|a| a.kind == AccessKind::Read && nest.span.contains(a.span));
    let mut own = unit.constructs.iter().skip(before.constructs);
    let together = |what: &ConstructKind| {
        matches!(
            what,
            ConstructKind::Shared { .. }
                | ConstructKind::ItemVariables { .. }
                | ConstructKind::Barrier { .. }
                | ConstructKind::Collective(_)
                | ConstructKind::Critical { .. }
        )
    };
    reads.count() >= FEWEST_READS && !own.any(|c| nest.span.contains(c.span) && together(&c.kind))
}

/// Whether an outer loop that is no tile stands among those from the root on that have nothing but each other in them.
fn has_plain_outer(unit: &Unit, root: LoopId) -> bool {
    let mut at = Some(root);
    let mut found = false;
    while let Some(id) = at {
        let this = &unit.loops[id.index()];
        if this.barriers != Barriers::None
            || this.barrier_before
            || this.barrier_after
            || this.kind == LoopKind::Sequential
        {
            return false;
        }
        found |= may_be_coarsened(unit, id);
        at = match this.children.as_slice() {
            [child] => Some(*child),
            _ => None,
        };
    }
    found
}

fn may_be_coarsened(unit: &Unit, id: LoopId) -> bool {
    let this = &unit.loops[id.index()];
    this.kind == LoopKind::Outer
        && this.tile.is_none()
        && this.block
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
    })
}
