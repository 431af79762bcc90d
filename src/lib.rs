//! placeholder
pub mod analyze;
pub mod backend;
pub mod diagnostics;
pub mod expr;
pub mod lex;
pub mod module;
pub mod normalize;
pub mod preprocess;
pub mod render;
pub mod rewrite;
pub mod source;
pub mod syntax;
mod transpile;
pub use transpile::{Options, Source, Translation, check, lexical_errors, transpile};
