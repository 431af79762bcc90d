//! Optimisations over bodies: each is a function from a kernel's body to what its [`Schedule`] says of a nest, one a file, with its
//! legality in its comment. They ask `facts`, and leave alone what these do not know.
//!
//! - `wide_access/`: items that access elements of several iterations at once.
//! - `coarsening.rs`: items that run several iterations of an outer loop.
//! - `matrix_layout.rs`: matrices of a group that lie the other way, or both ways, where its items are lanes of vectors.
//! - `flat_arrays.rs`: arrays of a group whose rows are left.
//!
//! [`Schedule`]: crate::module::Schedule

mod coarsening;
mod flat_arrays;
mod matrix_layout;
#[cfg(test)]
mod tests;
mod wide_access;

pub(crate) use coarsening::{Coarse, coarsened};
pub(crate) use flat_arrays::rows_kept;
pub(crate) use matrix_layout::{Matrix, matrices};
pub(crate) use wide_access::{WideAccess, wide_accesses};
