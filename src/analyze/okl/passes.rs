//! Asks the passes over bodies about the kernels that one of them may be meant for, and notes in the nests what they say.

use super::unit::Unit;
use super::{coarsening, wide_access};
use crate::analyze::lower::{Facts, Wanted, lower_some};
use crate::body::{Body, Program};
use crate::intrinsics::Intrinsics;
use crate::module::{Elementwise, Kernel, KernelForm, Parameter, ParameterKind};
use crate::passes::{self, Coarse, WideAccess};
use crate::sema::Sema;
use crate::source::Span;
use crate::syntax::{NodeId, Tree};
use std::collections::{HashMap, HashSet};

/// Fills in the schedules of the nests of these kernels, by number.
pub(super) fn settle(
    unit: &mut Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    table: &Intrinsics,
    kernels: &HashSet<usize>,
) {
    let (coarse, wide) = asked(unit, (tree, text, sema), table, kernels);
    let mut wide = elementwise(unit, (tree, text, sema), wide);
    let meant = coarsening::loops(unit);
    for kernel in &mut unit.kernels {
        let KernelForm::Okl { nests } = &mut kernel.form else {
            continue;
        };
        for nest in nests {
            let schedule = &mut nest.schedule;
            schedule.wide = wide.remove(&nest.span);
            // Which of them a target takes is its own to choose, and what is wide has no rows.
            if schedule.wide.is_none() {
                let coarse = coarse.get(&nest.span);
                schedule.coarsened = coarse.and_then(|c| coarsening::described(&meant, c));
            }
        }
    }
}

/// What the passes say, by nests.
fn asked(
    unit: &Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    table: &Intrinsics,
    kernels: &HashSet<usize>,
) -> (HashMap<Span, Coarse>, Vec<WideAccess>) {
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
    let (mut coarse, mut wide) = (HashMap::new(), Vec::new());
    let mut show = |program: &Program, body: &Body| {
        let Some(kernel) = named.get(body.name.as_str()) else {
            return;
        };
        let alone = |p: &Parameter| {
            matches!(p.kind, ParameterKind::Pointer(_)) && p.restrict == Some(true) && !p.volatile
        };
        let alone: Vec<bool> = kernel.parameters.iter().map(alone).collect();
        let all = passes::coarsened(program, body, &alone);
        coarse.extend(all.into_iter().map(|c| (c.nest, c)));
        wide.extend(passes::wide_accesses(program, body, &kernel.parameters));
    };
    let wanted = Wanted {
        names: &names,
        show: &mut show,
    };
    lower_some(tree, text, sema, &facts, wanted);
    (coarse, wide)
}

/// Wide accesses as the text has them, by nests.
fn elementwise(
    unit: &Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    found: Vec<WideAccess>,
) -> HashMap<Span, Elementwise> {
    let loops = wide_access::Loops::of(unit);
    let mut bodies: HashMap<Span, WideAccess> = HashMap::new();
    for wide in found {
        if let Some(body) = loops.body(unit, &wide) {
            bodies.insert(body, wide);
        }
    }
    let mut all = HashMap::new();
    let nodes = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    let nodes: Vec<NodeId> = nodes.collect();
    for node in nodes {
        if bodies.is_empty() {
            break;
        }
        if wide_access::is_around(tree, node) {
            continue;
        }
        let Some(wide) = bodies.remove(&tree.span(node)) else {
            continue;
        };
        let nest = wide.nest;
        let described = wide_access::described((tree, text, sema), unit, &loops, node, wide);
        all.extend(described.map(|d| (nest, d)));
    }
    all
}
