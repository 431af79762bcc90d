//! The one expression language: C expressions over scalars, as they occur in `#if`, in attribute
//! arguments, in loop headers, in array sizes and in host code around `@outer` loops.
//!
//! - [`Expr`], [`Scalar`], [`Value`] (`types.rs`): the tree and its values.
//! - `parse` (`parse.rs`): from text, by way of the lexer; never through a grammar that could take
//!   a comparison for a template.
//! - `evaluate` (`evaluate.rs`): with C's promotions and conversions.
//! - `simplify` (`simplify.rs`): constant folding, and differences of linear forms, so that
//!   `(eo + 12) - eo` is 12 (`polynomial.rs`).
//! - Display of [`Expr`] (`print.rs`): C text again.
//!
//! What they share: the table of operators (`operators.rs`) and of functions (`functions.rs`),
//! literals (`literal.rs`), conversions between types (`convert.rs`).

mod convert;
mod evaluate;
mod functions;
mod literal;
mod operators;
mod parse;
mod polynomial;
mod print;
mod simplify;
mod types;

pub use evaluate::{EvaluateError, Scope, evaluate, evaluate_in, type_of};
pub use functions::is_function;
pub(crate) use literal::{number, string};
pub use parse::{ParseError, parse, parse_statement};
pub use simplify::{constant, simplify};
pub use types::{BinaryOperator, Expr, Scalar, UnaryOperator, Value, root_name};
