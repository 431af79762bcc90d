//! Asks the passes over bodies about all kernels, and notes in the nests what they say.

use super::masked_loops::Masked;
use super::unit::Unit;
use super::{accumulation, coarsening, fission, loop_facts, shared_arrays, wide_access};
use crate::analyze::lower::{Facts, Wanted, lower_some};
use crate::body::{Body, Memory, Program, TypeKind};
use crate::facts::{Aliases, Definitions, Ranges};
use crate::intrinsics::Intrinsics;
use crate::module::{
    Accumulated, ConstructKind, Elementwise, KernelForm, Loop, LoopId, LoopsInside,
    MaskedLoopItems, Parameter, Respelled, Split, Transformations,
};
use crate::passes::{self, Accumulation, Coarse, Fission, Inside, Matrix, WideAccess};
use crate::sema::Sema;
use crate::source::Span;
use crate::syntax::{NodeId, Tree};
use foldhash::{HashMap, HashMapExt, HashSet};

/// Fills in what is legal to make of nests, and how arrays of groups lie.
pub(super) fn settle(
    unit: &mut Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    table: &Intrinsics,
    directives: &[Span],
) {
    let mut said = Said::of(unit, (tree, text, sema), table);
    if unit.constructs.iter().any(|c| declares_rows(&c.kind)) {
        shared_arrays::settle(unit, (text, directives), &said.matrices, &said.kept);
    }
    let wide = std::mem::take(&mut said.wide);
    let mut wide = elementwise(unit, (tree, text, sema), wide);
    let meant = coarsening::loops(unit);
    let fissions = std::mem::take(&mut said.fissions);
    let splits = fission::settle(unit, (tree, text, sema), fissions);
    let found = std::mem::take(&mut said.accumulations);
    let accumulated = accumulation::settle(unit, (tree, text), found);
    let mut of_nests = said.legal(&unit.loops, splits, accumulated);
    for kernel in &mut unit.kernels {
        let KernelForm::Okl { nests } = &mut kernel.form else {
            continue;
        };
        for nest in nests {
            let mut legal = of_nests.remove(&nest.root).unwrap_or_default();
            legal.wide = wide.remove(&nest.span);
            // Which of them a target takes, or both, is its own to choose.
            let coarse = said.coarse.get(&nest.span);
            legal.coarsened = coarse.and_then(|c| coarsening::described(&meant, c));
            nest.legal = legal;
        }
    }
}

/// What the passes say, by nests, variables, loops' statements and places in the text.
#[derive(Default)]
struct Said {
    coarse: HashMap<Span, Coarse>,
    wide: Vec<WideAccess>,
    matrices: Vec<Matrix>,
    kept: HashMap<u32, bool>,
    sinking: Vec<Span>,
    interchanged: Vec<Inside>,
    dissolving: Vec<Inside>,
    accumulations: Vec<Accumulation>,
    scattered: Vec<(Span, Vec<Respelled>)>,
    fissions: Vec<Fission>,
    masked: Vec<MaskedLoopItems>,
}

impl Said {
    fn of(
        unit: &mut Unit,
        (tree, text, sema): (&Tree, &str, &Sema<'_>),
        table: &Intrinsics,
    ) -> Self {
        let mut said = Self::default();
        let mut masked = Masked::new(unit, (tree, text, sema));
        let kernels = unit.kernels.iter().filter_map(|k| match &k.form {
            KernelForm::Okl { nests } if !nests.is_empty() => {
                Some((k.name.as_str(), k.parameters.as_slice()))
            }
            _ => None,
        });
        let kernels: HashMap<&str, &[Parameter]> = kernels.collect();
        let names: HashSet<&str> = kernels.keys().copied().collect();
        if names.is_empty() {
            return said;
        }
        let facts = Facts {
            loops: &unit.loops,
            constructs: &unit.constructs,
            intrinsics: table,
            uncertain: &unit.uncertain,
            no_auto_barriers: false,
            // Nothing is moved across what waits for them: they are the library's.
            tells_copies: false,
        };
        let lanes = loop_facts::vectors(unit);
        let functions = masked.wanted();
        let mut show = |program: &Program, body: &Body| {
            program.assert_valid(body);
            if !body.kernel {
                masked.function(program, body);
            } else if let Some(parameters) = kernels.get(body.name.as_str()) {
                let definitions = Definitions::of(body);
                said.kernel((program, body), (parameters, &definitions), &lanes);
                masked.kernel(program, body, &definitions);
            }
        };
        let wanted = Wanted {
            names: &names,
            functions: &functions,
            show: &mut show,
        };
        lower_some(tree, text, sema, &facts, wanted);
        said.masked = masked.settle(unit);
        said
    }

    /// Asks all passes about a kernel.
    fn kernel(
        &mut self,
        (program, body): (&Program, &Body),
        (parameters, definitions): (&[Parameter], &Definitions),
        lanes: &HashSet<Span>,
    ) {
        let aliases = Aliases::of(parameters);
        let coarse = passes::coarsened(program, body, definitions, &aliases);
        self.coarse.extend(coarse.into_iter().map(|c| (c.nest, c)));
        let known = (parameters, &aliases);
        self.wide
            .extend(passes::wide_accesses(program, body, definitions, known));
        self.sinking.extend(passes::sinking_guards(program, body));
        self.interchanged
            .extend(passes::interchanges(program, body, definitions));
        self.dissolving.extend(passes::dissolving(program, body));
        self.scattered
            .extend(passes::scattered(program, body, definitions));
        self.accumulations
            .extend(passes::accumulations(program, body, definitions));
        self.fissions
            .extend(passes::fissions(program, body, definitions));
        if has_rows(program, body) {
            let ranges = Ranges::of(program, body, definitions);
            let vector = |span: Span| lanes.contains(&span);
            let facts = (definitions, &ranges);
            self.matrices
                .extend(passes::matrices(program, body, facts, &vector));
            self.kept.extend(passes::rows_kept(program, body, &ranges));
        }
    }

    /// What concerns single loops, by the outermost loops of their nests.
    fn legal(
        &mut self,
        loops: &[Loop],
        splits: Vec<Split>,
        accumulated: Vec<Accumulated>,
    ) -> HashMap<LoopId, Transformations> {
        // The halves of a tile have one statement.
        let mut of: HashMap<Span, Vec<LoopId>> = HashMap::new();
        for (index, this) in loops.iter().enumerate() {
            of.entry(this.span).or_default().push(LoopId::at(index));
        }
        let of = |span: &Span| of.get(span).map_or(&[][..], Vec::as_slice);
        let root = |mut id: LoopId| {
            while let Some(parent) = loops[id.index()].parent {
                id = parent;
            }
            id
        };
        let mut of_nests: HashMap<LoopId, Transformations> = HashMap::new();
        for span in std::mem::take(&mut self.sinking) {
            if let [first, ..] = *of(&span) {
                let legal = of_nests.entry(root(first)).or_default();
                legal.sinking.push(first);
            }
        }
        for Inside { leaf, loops } in std::mem::take(&mut self.interchanged) {
            if let [leaf] = *of(&leaf) {
                let legal = of_nests.entry(root(leaf)).or_default();
                legal.interchanged.push(LoopsInside { leaf, loops });
            }
        }
        for (leaf, rewritten) in std::mem::take(&mut self.scattered) {
            if let [.., leaf] = *of(&leaf) {
                let legal = of_nests.entry(root(leaf)).or_default();
                legal.scattered.push((leaf, rewritten));
            }
        }
        for Inside { leaf, loops } in std::mem::take(&mut self.dissolving) {
            if let [.., leaf] = *of(&leaf) {
                let legal = of_nests.entry(root(leaf)).or_default();
                legal.dissolving.push(LoopsInside { leaf, loops });
            }
        }
        for found in accumulated {
            let legal = of_nests.entry(root(found.leaf)).or_default();
            legal.accumulated.push(found);
        }
        for split in splits {
            let legal = of_nests.entry(root(split.leaf)).or_default();
            legal.split.push(split);
        }
        for items in std::mem::take(&mut self.masked) {
            let legal = of_nests.entry(root(items.leaf)).or_default();
            legal.masked.push(items);
        }
        of_nests
    }
}

/// Whether arrays of several dimensions that a group shares are declared there.
fn declares_rows(what: &ConstructKind) -> bool {
    match what {
        ConstructKind::Shared { variables, .. } => variables.iter().any(|v| v.rank > 1),
        _ => false,
    }
}

/// Whether a kernel has such arrays.
fn has_rows(program: &Program, body: &Body) -> bool {
    let types = &program.types;
    body.variables.iter().any(|v| match types.kind(v.ty) {
        TypeKind::Array(rows, _) if v.memory == Memory::Shared => {
            matches!(types.kind(rows), TypeKind::Array(..))
        }
        _ => false,
    })
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
