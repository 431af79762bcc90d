//! How the kernels of a module run on a backend: what is legal to make of them (`module::Transformations`, and what analysis says
//! of Brook+'s kernels) becomes one value, [`Schedule`], before anything is rewritten. Rewriting and rendering do as it says, and
//! decide nothing of their own.
//!
//! - `nests.rs`: nests of OKL where a target has groups and items; `wide_access.rs`: items that run several iterations at
//!   once, and `windows.rs` the elements that these need; `coarsening.rs`: one after the other.
//! - `extents.rs`: how many groups and items there are.
//! - `barriers.rs`: bodies whose items wait for each other, everywhere.
//! - `loops.rs`: loops over items where loops stay loops; `streamed.rs`: which write past the caches; `guards.rs`: which leave
//!   their conditions to the loops in them.
//! - `maps.rs`: kernels of Brook+; `work.rs`: what these do.
//! - `masked_loops.rs`: loops that items leave at different times, of both.
//! - `unrolling.rs`: lines that ask for copies of loops' bodies.

mod barriers;
mod coarsening;
mod extents;
mod guards;
mod loops;
mod maps;
mod masked_loops;
mod nests;
mod streamed;
#[cfg(test)]
mod tests;
mod unrolling;
mod wide_access;
mod windows;
mod work;

pub(crate) use barriers::{Barriers, chain};
pub(crate) use loops::{Items, Shared, Vectorized, is_canonical};
pub(crate) use maps::{MapSchedule, is_streamed, width};
pub(crate) use masked_loops::Lanes;
pub(crate) use nests::NestSchedule;
pub(crate) use streamed::{bytes_streamed, element_is_streamed};
pub(crate) use unrolling::{Spelled, Unrolled};
pub(crate) use wide_access::Wide;
pub(crate) use windows::Window;
pub(crate) use work::{Made, doings, elementwise, folds_alone, gathers_beside, made, plain_size};

use crate::backend::{Backend, Model};
use crate::module::{Collective, ConstructKind, Kernel, LoopId, MatrixLayout, Module};
use crate::options::Options;
use crate::source::Span;
use foldhash::{HashMap, HashSet};
use std::cell::OnceCell;

/// What a processor does in about the time that it takes to wake its other threads, in operations: with fewer, one thread is left
/// alone.
pub(crate) const FEW_OPERATIONS: u64 = 8192;

/// Bytes of a processor's cache line.
pub(crate) const LINE: usize = 64;

/// Who writes an array past the caches does no more than that, in operations, besides: others have something else to wait for, and
/// their bodies would stand there several times for nothing.
const MOST_STREAMING: usize = 64;

/// Bytes that a GPU reads and writes best at once.
pub(crate) const WIDE: usize = 16;

/// How the kernels of a module run on a backend.
pub(crate) struct Schedule<'m> {
    module: &'m Module,
    /// Where a target has groups and items: nests that do not run as the program says it, by their outermost loops.
    pub(crate) nests: HashMap<LoopId, NestSchedule>,
    /// Bodies whose items wait for each other.
    pub(crate) barriers: Barriers<'m>,
    /// Where loops stay loops: what becomes of loops over items, by the innermost of them.
    pub(crate) items: HashMap<LoopId, Items<'m>>,
    /// The same: which write arrays past the caches; of a `@tile` the second half.
    pub(crate) streamed: HashSet<LoopId>,
    /// Loops whose conditions the loop in them checks, too; of a `@tile` the first half.
    pub(crate) sinking: HashSet<LoopId>,
    /// Of how many groups there are to be registers at once, by kernels' numbers: what somebody has chosen, where a target can be
    /// told.
    pub(crate) resident: Vec<Option<u32>>,
    /// Kernels of Brook+, by number.
    pub(crate) maps: Vec<MapSchedule>,
    /// What the lines become that ask for copies of a loop's body.
    pub(crate) spelled: Vec<Spelled>,
    /// What is asked about loops over lanes.
    lanes: OnceCell<Lanes>,
}

/// Settles how the kernels of a module run on a backend.
pub(crate) fn schedule<'m>(
    module: &'m Module,
    backend: &Backend,
    options: &Options,
) -> Schedule<'m> {
    let is_native = |call: &Collective| {
        let row = options.intrinsics.get(&call.function.name());
        row.is_some_and(|r| r.call(&backend.name).is_some())
    };
    let resident = |kernel: &Kernel| {
        let chosen = options.choices_of(module.asked_name(&kernel.name)).groups;
        let told = !backend.spelling.resident_bounds.is_empty();
        chosen.filter(|_| told).map(u32::from)
    };
    let mut this = Schedule {
        module,
        nests: nests::schedules(module, backend, options),
        barriers: Barriers::new(module, backend.model, &is_native),
        items: HashMap::default(),
        streamed: HashSet::default(),
        sinking: HashSet::default(),
        resident: module.kernels.iter().map(resident).collect(),
        maps: maps::schedules(module, backend, options),
        spelled: unrolling::spelled(module, backend),
        lanes: OnceCell::new(),
    };
    let before = guards::Before {
        nests: &this.nests,
        barriers: &this.barriers,
        constructs: &constructs(module, backend),
    };
    this.sinking = guards::sinking(module, &before);
    if backend.model == Model::Loops {
        let before = loops::Before {
            barriers: &this.barriers,
            spelled: &this.spelled,
            lanes: &this.lanes,
        };
        this.items = loops::items(module, backend, options, &before);
        this.streamed = streamed::streamed(module, backend, options, &this.barriers);
    }
    this
}

/// Where constructs stand, ascending: what is written anew there, or not as the program does.
fn constructs(module: &Module, backend: &Backend) -> Vec<Span> {
    let all = module.constructs.iter().filter(|c| match c.kind {
        ConstructKind::Read(_) => false,
        ConstructKind::SeveralWays { .. } => backend.lowering.several_ways,
        _ => true,
    });
    let mut all: Vec<Span> = all.map(|c| c.span).collect();
    all.sort_unstable();
    all
}

impl Schedule<'_> {
    /// What is asked of loops over lanes.
    pub(crate) fn lanes(&self) -> &Lanes {
        self.lanes.get_or_init(|| Lanes::new(self.module))
    }

    /// How a loop over items is one of lanes, where loops stay loops.
    pub(crate) fn vectorized(&self, id: LoopId) -> Vectorized {
        loops::vectorized(self.module, &self.spelled, id)
    }

    /// The loops that a loop over items comes to stand in, from the outside.
    pub(crate) fn interchanged(&self, id: LoopId) -> &[Unrolled] {
        match self.items.get(&id) {
            Some(Items::Interchanged(chain)) => chain,
            _ => &[],
        }
    }

    /// How a matrix lies that the groups of a nest share, where that is no target's own affair: fibers are no lanes.
    pub(crate) fn layout(&self, layout: MatrixLayout, nest: LoopId) -> MatrixLayout {
        match self.barriers.has_fibers(nest) {
            true => MatrixLayout::Declared,
            false => layout,
        }
    }
}
