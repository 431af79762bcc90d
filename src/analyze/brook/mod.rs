//! Brook+: kernels over streams, completely typed, and the host half of the program.
//!
//! - `items.rs`: which top-level pieces of the text are kernels.
//! - `stand_ins.rs`: what the grammar reads where it could not tell names from types.
//! - `unit.rs`: the file: kernels, their parameters, their forms.
//! - `check/`: the semantic checker: types, rules, messages.
//! - `body.rs`, `expression.rs`, `access.rs`, `call.rs`: the constructs of kernels that the checker has
//!   passed: what targets spell differently.
//! - `truth.rs`: comparisons of scalars that are used as numbers.
//! - `wrap.rs`: integers that may overflow.
//! - `row.rs`: which values are the place along a row plus a constant.
//! - `lockstep.rs`: loops that items leave at different times.
//! - `lower/`: what kernels do, as typed trees, when somebody asks.
//! - `functions.rs`: the functions of the language, from `grammar/functions.toml`.
//! - `host.rs`, `spliced.rs`: streams and kernels in host code; its text.
//! - `shapes.rs`: calls there over streams of known sizes.

mod access;
mod body;
mod call;
mod check;
mod expression;
mod functions;
mod host;
mod items;
mod lower;
mod masked_loops;
mod row_gathers;
mod shapes;
mod spliced;
pub(super) mod stand_ins;
mod truth;
mod unit;
mod wrap;

pub(crate) use shapes::check_calls;
pub use unit::analyze;
pub(crate) use unit::analyze_with_bodies;
