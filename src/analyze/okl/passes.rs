//! Asks the passes over bodies about the kernels that one of them may be meant for, and notes in the nests what they say.

use super::unit::Unit;
use super::{coarsening, loop_facts, shared_arrays, wide_access};
use crate::analyze::lower::{Facts, Wanted, lower_some};
use crate::body::{Body, Program};
use crate::facts::{Definitions, Ranges};
use crate::intrinsics::Intrinsics;
use crate::module::{Elementwise, KernelForm, Parameter, ParameterKind};
use crate::passes::{self, Coarse, Matrix, WideAccess};
use crate::sema::Sema;
use crate::source::Span;
use crate::syntax::{NodeId, Tree};
use std::collections::{HashMap, HashSet};

/// Fills in the schedules of nests, and how arrays of groups lie.
pub(super) fn settle(
    unit: &mut Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    table: &Intrinsics,
    directives: &[Span],
) {
    let asked = Asked {
        loops: named(unit, &unit.candidates),
        arrays: named(unit, &unit.with_rows),
    };
    let Said {
        coarse,
        wide,
        matrices,
        kept,
    } = asked.answers(unit, (tree, text, sema), table);
    if !unit.with_rows.is_empty() {
        shared_arrays::settle(unit, (text, directives), &matrices, &kept);
    }
    if unit.candidates.is_empty() {
        return;
    }
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

/// Kernels by their names, and what their parameters promise.
type Named<'u> = HashMap<&'u str, &'u [Parameter]>;

fn named<'u>(unit: &'u Unit, kernels: &HashSet<usize>) -> Named<'u> {
    let kernels = kernels.iter().filter_map(|k| unit.kernels.get(*k));
    { kernels.map(|k| (k.name.as_str(), k.parameters.as_slice())) }.collect()
}

/// The kernels that passes may be meant for.
struct Asked<'u> {
    /// Passes over loops.
    loops: Named<'u>,
    /// Passes over arrays of the group.
    arrays: Named<'u>,
}

/// What the passes say, by nests, variables and places in the text.
#[derive(Default)]
struct Said {
    coarse: HashMap<Span, Coarse>,
    wide: Vec<WideAccess>,
    matrices: Vec<Matrix>,
    kept: HashMap<u32, bool>,
}

impl Asked<'_> {
    fn answers(
        &self,
        unit: &Unit,
        (tree, text, sema): (&Tree, &str, &Sema<'_>),
        table: &Intrinsics,
    ) -> Said {
        let mut said = Said::default();
        let all = self.loops.keys().chain(self.arrays.keys());
        let names: HashSet<&str> = all.copied().collect();
        if names.is_empty() {
            return said;
        }
        let facts = Facts {
            loops: &unit.loops,
            constructs: &unit.constructs,
            intrinsics: table,
            uncertain: &unit.uncertain,
            no_auto_barriers: false,
        };
        let lanes = loop_facts::vectors(unit);
        let mut show = |program: &Program, body: &Body| {
            if let Some(parameters) = self.loops.get(body.name.as_str()) {
                let alone = |p: &Parameter| {
                    matches!(p.kind, ParameterKind::Pointer(_))
                        && p.restrict == Some(true)
                        && !p.volatile
                };
                let alone: Vec<bool> = parameters.iter().map(alone).collect();
                let all = passes::coarsened(program, body, &alone);
                said.coarse.extend(all.into_iter().map(|c| (c.nest, c)));
                said.wide
                    .extend(passes::wide_accesses(program, body, parameters));
            }
            if self.arrays.contains_key(body.name.as_str()) {
                let definitions = Definitions::of(body);
                let ranges = Ranges::of(program, body, &definitions);
                let vector = |span: Span| lanes.contains(&span);
                let facts = (&definitions, &ranges);
                said.matrices
                    .extend(passes::matrices(program, body, facts, &vector));
                said.kept.extend(passes::rows_kept(program, body, &ranges));
            }
        };
        let wanted = Wanted {
            names: &names,
            show: &mut show,
        };
        lower_some(tree, text, sema, &facts, wanted);
        said
    }
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
