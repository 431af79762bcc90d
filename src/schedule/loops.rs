//! What becomes of loops over items where loops stay loops: which are lanes of vectors, which change places with the loops in
//! them, which add up element by element, and which go on together until the last item has left. And which nests are shared
//! out among threads.

use super::FEW_OPERATIONS;
use super::barriers::Barriers;
use super::extents::times_iterations;
use super::masked_loops::{Lanes, has_directives, is_wanted};
use super::unrolling::{Spelled, Unrolled, is_unrolling};
use crate::backend::Backend;
use crate::expr;
use crate::module::{
    Accumulated, Header, Loop, LoopId, LoopKind, MaskedLoopItems, MaskedLoopStage, Module, Nest,
};
use crate::options::Options;
use crate::source::Span;
use foldhash::{HashMap, HashMapExt};
use std::cell::OnceCell;

/// Items with which a block is worth it: a group that has fewer leaves most lanes empty.
const FEWEST_ITEMS: i64 = 8;

/// The most rounds that become one stretch of code.
const MOST_ROUNDS: u64 = 64;

/// What becomes of an innermost loop over items, which may be the second half of a `@tile`.
#[derive(Clone, Debug)]
pub(crate) enum Items<'m> {
    /// Blocks of items go on together, cut into stages.
    Masked(&'m MaskedLoopItems),
    /// Elements grow one by one, each in a register.
    Accumulated(&'m Accumulated),
    /// The loop stands within these, from the outside, all of which are unrolled.
    Interchanged(Vec<Unrolled>),
}

/// What is decided before it.
pub(super) struct Before<'a, 'm> {
    pub(super) barriers: &'a Barriers<'m>,
    pub(super) spelled: &'a [Spelled],
    pub(super) lanes: &'a OnceCell<Lanes>,
}

/// What becomes of all such loops that do not stay as they are.
pub(super) fn items<'m>(
    module: &'m Module,
    backend: &Backend,
    options: &Options,
    before: &Before<'_, 'm>,
) -> HashMap<LoopId, Items<'m>> {
    let mut all = HashMap::new();
    for nest in module.nests() {
        for found in &nest.legal.interchanged {
            if let Some(chain) = interchanged(module, before.spelled, found.leaf, &found.loops) {
                all.insert(found.leaf, Items::Interchanged(chain));
            }
        }
        let accumulated = { nest.legal.accumulated.iter() }
            .filter(|found| is_accumulated(module, before.barriers, found));
        all.extend(accumulated.map(|found| (found.leaf, Items::Accumulated(found))));
        if is_wanted(backend, options) {
            let masked = nest.legal.masked.iter();
            let masked = masked.filter(|items| is_masked(module, before, items));
            all.extend(masked.map(|items| (items.leaf, Items::Masked(items))));
        }
    }
    all
}

/// The loops that a loop over items may stand in, if all of them are unrolled.
fn interchanged(
    module: &Module,
    spelled: &[Spelled],
    id: LoopId,
    loops: &[Span],
) -> Option<Vec<Unrolled>> {
    let this = module.loop_(id);
    if !this.plain_body || !this.block || !this.constants.trim().is_empty() {
        return None;
    }
    let unrolled = |span: &Span| all_unrolled(spelled).find(|u| u.span == *span).cloned();
    let chain: Option<Vec<Unrolled>> = loops.iter().map(unrolled).collect();
    let chain = chain?;
    if chain
        .iter()
        .any(|u| is_named_around(module, id, &u.variable))
    {
        return None;
    }
    // Lines for the compiler have their place among the others.
    let other = |line: Span| this.body.contains(line) && chain.iter().all(|u| u.pragma != line);
    let lines = module.directives.iter().any(|d| other(d.span));
    Some(chain).filter(|_| !lines)
}

/// Whether a loop over items adds up so, and no line for the compiler says more of it than that loops are unrolled.
fn is_accumulated(module: &Module, barriers: &Barriers<'_>, found: &Accumulated) -> bool {
    let this = module.loop_(found.leaf);
    let plain = this.block && this.tile.is_none() && this.constants.trim().is_empty();
    if !plain
        || !has_lanes(module, this)
        || barriers.is_split(found.leaf)
        || barriers.in_fibers(found.leaf)
        || found.rounds.1 > MOST_ROUNDS
    {
        return false;
    }
    let mut elements = found.elements.iter();
    if elements.any(|(_, name)| is_named_around(module, found.leaf, name)) {
        return false;
    }
    // Lines for the compiler have their place among the others.
    let other = |line: Span| this.body.contains(line) && !is_unrolling(line.of(&module.text));
    !module.directives.iter().any(|d| other(d.span))
}

/// Whether the body of a loop over items runs over lanes.
fn is_masked(module: &Module, before: &Before<'_, '_>, items: &MaskedLoopItems) -> bool {
    let id = items.leaf;
    let this = module.loop_(id);
    let few = expr::constant(&this.count).is_some_and(|count| count < FEWEST_ITEMS);
    if few
        || before.barriers.is_split(id)
        || before.barriers.in_fibers(id)
        || has_directives(module, this.body)
    {
        return false;
    }
    let calls = items.stages.iter().filter_map(|stage| match stage {
        MaskedLoopStage::Calls(_, calls) => Some(calls),
        MaskedLoopStage::Loop(_) => None,
    });
    // What is spelled as a whole with the call in it has taken the call's text.
    let lanes = before.lanes.get_or_init(|| Lanes::new(module));
    let around: Vec<Span> = lanes
        .within(module, this.body)
        .map(|(_, c)| c.span)
        .collect();
    calls.flatten().all(|call| {
        let holds = |s: &Span| s.contains(call.span);
        let function = module.functions.get(call.function);
        let directives = function.is_none_or(|f| has_directives(module, f.span));
        !directives && !around.iter().any(holds)
    })
}

/// Whether a loop over items, or one around it, has a name in its header: headers of attributed loops come to stand, or are
/// repeated, where the others' variables mean something.
fn is_named_around(module: &Module, id: LoopId, name: &str) -> bool {
    let mut around = module.and_around(id).map(|id| &module.loop_(id).header);
    around.any(|h| h.variable == name || h.names.iter().any(|n| n == name))
}

/// Whether an innermost loop over items may be lanes of a vector.
pub(super) fn has_lanes(module: &Module, this: &Loop) -> bool {
    let is_leaf = !this.children.iter().any(|c| module.contains_inner(*c));
    let counted = this.tile.is_some() || is_canonical(&this.header);
    this.kind == LoopKind::Inner && is_leaf && this.plain_body && counted
}

/// Whether a compiler of OpenMP takes the loop's condition: of a variable that is smaller than an `int`, GCC refuses one that
/// compares it in a type of more values.
pub(crate) fn is_canonical(h: &Header) -> bool {
    let narrow = h.scalar.is_some_and(|s| s.promoted() != s);
    !narrow
        || h.end_scalar
            .is_some_and(|s| s.promoted() == expr::Scalar::Int)
}

/// How an innermost loop over items is one of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vectorized {
    /// It is none.
    No,
    /// Compilers are told so.
    Plainly,
    /// They are told so where nothing is left of the arrays that its body declares, since all loops that keep them are unrolled.
    Dissolving,
}

/// How a loop over items is one of lanes.
pub(super) fn vectorized(module: &Module, spelled: &[Spelled], id: LoopId) -> Vectorized {
    let nest = module.nest_of_root(module.root_of(id));
    let scattered = |n: &Nest| n.legal.scattered.iter().any(|(leaf, _)| *leaf == id);
    if !has_lanes(module, module.loop_(id)) || nest.is_some_and(scattered) {
        return Vectorized::No;
    }
    let found = nest.and_then(|n| n.legal.dissolving.iter().find(|d| d.leaf == id));
    let unrolled = |span: &Span| all_unrolled(spelled).any(|u| u.span == *span);
    match found.is_some_and(|found| found.loops.iter().all(unrolled)) {
        true => Vectorized::Dissolving,
        false => Vectorized::Plainly,
    }
}

/// The loops of which no loop is left.
fn all_unrolled(spelled: &[Spelled]) -> impl Iterator<Item = &Unrolled> {
    spelled.iter().filter_map(|line| line.unrolled.as_ref())
}

/// Whether a nest is shared out among threads.
pub(crate) enum Shared {
    /// In any case: nobody knows how much it has to do, or it is much.
    Always,
    /// Where this holds.
    If(String),
    /// It takes less than to wake them.
    Never,
}

impl Shared {
    pub(crate) fn of(nest: &Nest) -> Self {
        let Some(operations) = nest.operations else {
            return Self::Always;
        };
        let Some((known, unknown)) = times_iterations(operations.max(1) as u64, nest) else {
            return Self::Always;
        };
        if unknown.is_empty() || known == 0 {
            return match known <= FEW_OPERATIONS {
                true => Self::Never,
                false => Self::Always,
            };
        }
        Self::If(format!(
            "{} > {}",
            unknown.join(" * "),
            FEW_OPERATIONS / known
        ))
    }
}
