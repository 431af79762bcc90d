//! Optimisations over bodies: each is a function from a kernel's body to what its [`Schedule`] says of a nest, one a file, with its
//! legality in its comment. They ask `facts`, and leave alone what these do not know.
//!
//! - `wide_access/`: items that access elements of several iterations at once.
//! - `coarsening.rs`: items that run several iterations of an outer loop.
//!
//! [`Schedule`]: crate::module::Schedule

mod coarsening;
#[cfg(test)]
mod tests;
mod wide_access;

pub(crate) use coarsening::{Coarse, coarsened};
pub(crate) use wide_access::{WideAccess, wide_accesses};
