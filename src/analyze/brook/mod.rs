//! Brook+: kernels over streams, completely typed, and the host half of the program.
//!
//! - `items.rs`: which top-level pieces of the text are kernels.
//! - `stand_ins.rs`: what the grammar reads where it could not tell names from types.
//! - `program.rs`, `unit.rs`: the file, and what is found of it; `heads.rs`: kernels' parameters and forms.
//! - `check/`: the semantic checker: types, rules, messages.
//! - `body.rs`, `statements.rs`, `expression.rs`, `access.rs`, `call.rs`: the constructs of kernels that the checker has
//!   passed: what targets spell differently.
//! - `truth.rs`: comparisons of scalars that are used as numbers.
//! - `values.rs`, `wrap.rs`: what integers can be, and which may overflow.
//! - `changes.rs`: where variables are given values; `writes.rs`: which outputs are on every way.
//! - `contraction.rs`: sums of a product that round once.
//! - `passes.rs`: asks the passes over bodies: loops that items leave at different times, gathers along rows.
//! - `lower/`: what kernels do, as typed trees, when somebody asks.
//! - `functions.rs`: the functions of the language, from `grammar/functions.toml`.
//! - `host.rs`, `spliced.rs`: streams and kernels in host code; its text.
//! - `host_names.rs`: names that it misspells.
//! - `shapes.rs`: calls there over streams of known sizes.

mod access;
mod body;
mod call;
mod changes;
mod check;
mod contraction;
mod declared;
mod expression;
mod functions;
mod heads;
mod host;
mod host_names;
mod items;
mod lower;
mod passes;
#[cfg(test)]
mod passes_tests;
mod program;
mod shapes;
mod spliced;
pub(super) mod stand_ins;
mod statements;
mod truth;
mod unit;
mod values;
mod wrap;
mod writes;

pub(crate) use host_names::check_names;
pub(super) use program::{analyze, syntax_errors};
pub(crate) use shapes::check_calls;
