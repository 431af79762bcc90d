//! Optimisations over bodies: each is a function from a kernel's body to the [`Transformations`] that are legal for a nest, one a file, with its
//! legality in its comment. They ask `facts`, and leave alone what these do not know.
//!
//! - `barrier_fission.rs`: loops over items that become several where these wait for each other.
//! - `wide_access/`: items that access elements of several iterations at once.
//! - `coarsening.rs`: items that run several iterations of an outer loop.
//! - `matrix_layout.rs`: matrices of a group that lie the other way, or both ways, where its items are lanes of vectors.
//! - `flat_arrays.rs`: arrays of a group whose rows are left.
//! - `footprints/`: which rows of arrays the gathers of an element read.
//! - `guard_sinking.rs`: conditions of loops that the loops in them check.
//! - `interchange.rs`: loops over items that change places with the loops in them.
//! - `accumulation.rs`: loops in which elements of arrays grow, and that become the innermost ones.
//! - `masked_loops/`: loops that items leave at different times.
//! - `row_gathers.rs`: gathers that read along an element's row.
//! - `lanes.rs`: arrays that dissolve where items are lanes of vectors.
//! - `scattered.rs`: copies to places that do not lie side by side.
//! - `leaves.rs`: what is said of innermost loops.
//!
//! [`Transformations`]: crate::module::Transformations

mod accumulation;
mod barrier_fission;
mod coarsening;
mod flat_arrays;
mod footprints;
mod guard_sinking;
mod interchange;
mod lanes;
mod leaves;
#[cfg(test)]
mod loops_tests;
mod masked_loops;
mod matrix_layout;
mod row_gathers;
mod scattered;
#[cfg(test)]
mod tests;
mod wide_access;

pub(crate) use accumulation::{Accumulation, accumulations};
pub(crate) use barrier_fission::{Fission, Reason, fissions};
pub(crate) use coarsening::{Coarse, coarsened};
pub(crate) use flat_arrays::rows_kept;
pub(crate) use footprints::{Formal, footprints};
pub(crate) use guard_sinking::sinking_guards;
pub(crate) use interchange::interchanges;
pub(crate) use lanes::dissolving;
pub(crate) use leaves::Inside;
pub(crate) use masked_loops::{
    Asked, Callee, MaskedItems, MaskedLoop, MaskedLoops, Outer, Returns, Stage, is_lane,
};
pub(crate) use matrix_layout::{Matrix, matrices};
pub(crate) use row_gathers::{EXACT, Given, RowGather, row_gathers};
pub(crate) use scattered::scattered;
pub(crate) use wide_access::{WideAccess, wide_accesses};
