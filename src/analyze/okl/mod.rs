//! OKL: kernels, device functions, constants, and the attributed loops.
//!
//! - `unit.rs`: the file scope.
//! - `kernel.rs`: one kernel: parameters, nests, and their check.
//! - `walk.rs`: the one walk over a function that finds every [`Construct`].
//! - `nest.rs`, `memory.rs`, `atomic.rs`: what it does at attributed loops, at declarations and uses of
//!   memory, at atomics.
//! - `symbols.rs`: names by scope.
//! - `header.rs`: the header of a `for` loop as start, bound and step.
//! - `extents.rs`: axes, trip counts and launch extents.
//! - `host.rs`: host code around `@outer` loops.
//! - `expressions.rs`, `effects.rs`, `functions.rs`: the expressions in it, those that change variables,
//!   and the functions it calls.
//! - `records.rs`: layouts of structs, unions and enumerations.
//!
//! [`Construct`]: crate::module::Construct

mod atomic;
mod effects;
mod expressions;
mod extents;
mod functions;
mod header;
mod host;
mod kernel;
mod memory;
mod nest;
mod records;
mod symbols;
mod unit;
mod walk;

pub use unit::analyze;
