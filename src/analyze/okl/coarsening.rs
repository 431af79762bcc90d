//! Nests whose items may run several iterations of an outer loop: what looks like one is asked of its body.

use super::unit::Unit;
use crate::analyze::lower::{Facts, Wanted, lower_some};
use crate::body::{Body, Program};
use crate::intrinsics::Intrinsics;
use crate::module::{
    AccessKind, Barriers, Coarsened, ConstructKind, Kernel, KernelForm, LoopId, LoopKind, Nest,
    Parameter, ParameterKind,
};
use crate::passes::{self, Coarse};
use crate::sema::Sema;
use crate::source::Span;
use crate::syntax::Tree;
use std::collections::{HashMap, HashSet};

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
    if !restricted || nest.elementwise.is_some() || nest.uses_exclusive {
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

/// Fills in the schedules of the nests of these kernels, by number.
pub(super) fn settle(
    unit: &mut Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    table: &Intrinsics,
    kernels: &HashSet<usize>,
) {
    let named = kernels.iter().filter_map(|k| unit.kernels.get(*k));
    let named: HashMap<&str, &Kernel> = named.map(|k| (k.name.as_str(), k)).collect();
    let names: HashSet<&str> = named.keys().copied().collect();
    let facts = Facts {
        loops: &unit.loops,
        constructs: &unit.constructs,
        intrinsics: table,
        uncertain: &unit.uncertain,
        no_auto_barriers: false,
    };
    let mut found: HashMap<Span, Coarse> = HashMap::new();
    let mut show = |program: &Program, body: &Body| {
        let Some(kernel) = named.get(body.name.as_str()) else {
            return;
        };
        let alone = |p: &Parameter| {
            matches!(p.kind, ParameterKind::Pointer(_)) && p.restrict == Some(true) && !p.volatile
        };
        let alone: Vec<bool> = kernel.parameters.iter().map(alone).collect();
        let all = passes::coarsened(program, body, &alone);
        found.extend(all.into_iter().map(|c| (c.nest, c)));
    };
    let wanted = Wanted {
        names: &names,
        show: &mut show,
    };
    lower_some(tree, text, sema, &facts, wanted);
    let all = (0..unit.loops.len()).map(LoopId::at);
    let meant = all.filter(|id| may_be_coarsened(unit, *id));
    let loops: HashMap<Span, LoopId> = meant.map(|id| (unit.loops[id.index()].span, id)).collect();
    for kernel in &mut unit.kernels {
        let KernelForm::Okl { nests } = &mut kernel.form else {
            continue;
        };
        for nest in nests {
            if nest.elementwise.is_some() {
                continue;
            }
            let coarse = found.get(&nest.span);
            nest.schedule.coarsened = coarse.and_then(|c| {
                Some(Coarsened {
                    outer: *loops.get(&c.outer)?,
                    iterations: c.iterations,
                    operations: c.operations,
                })
            });
        }
    }
}
