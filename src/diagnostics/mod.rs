//! Errors and warnings as values: what is wrong, where in the user's own file, and how to mend it.
//!
//! Texts, codes and help live in `grammar/diagnostics.toml`; [`codes`] is generated from it, so a
//! diagnostic is one row there and one line where it is raised.
//!
//! - [`Diagnostic`], [`Sink`]: one message, and where a stage gathers its own.
//! - [`Report`]: what a failed translation returns: all messages, with the files they point into.
//! - `brcc.rs`: Brook+ messages as AMD's compiler wrote them.
//! - `suggest.rs`: the name that a misspelled one was meant to be.
//! - `reference.rs`: what a code means, and the page of all of them.
//! - `fixes.rs`: the changes that messages propose, made.
//! - `human.rs`: as people read it, source lines and carets; `json.rs`: as programs read it.

mod brcc;
mod fixes;
mod human;
mod json;
mod reference;
mod report;
mod suggest;

/// Every diagnostic the transpiler can raise, by name.
pub mod codes {
    use super::{Classic, Code, Severity};
    include!(concat!(env!("OUT_DIR"), "/diagnostics.rs"));
}

pub use brcc::to_brcc;
pub use fixes::{FixedFile, certain, fixed};
pub use human::{Style, to_human, to_short};
pub use json::to_json;
pub use reference::{explain, find, list, reference, search};
pub use report::{Classic, Code, Diagnostic, Fix, Note, Report, Severity, Sink};
pub use suggest::did_you_mean;
pub(crate) use suggest::{is_as_near, is_certain, is_macro_like, nearest};
