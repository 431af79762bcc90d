//! Preprocessed OKL that no C++ compiler would take and existing OKL tools do: mended before it is
//! parsed, by edits whose maps lead back.
//!
//! - `semicolons.rs`: `;` inside the parentheses of an expression.

mod semicolons;

use crate::diagnostics::Sink;
use crate::lex::lex;
use crate::preprocess::Preprocessed;
use crate::source::Edits;

/// Mends `read`; what was done is told in warnings.
pub(crate) fn adjust(read: &mut Preprocessed, sink: &mut Sink) {
    let tokens = lex(&read.text);
    let mut edits = Edits::new();
    semicolons::drop_within_parentheses(read, &tokens, &mut edits, sink);
    apply(read, edits);
}

fn apply(read: &mut Preprocessed, edits: Edits) {
    if edits.is_empty() {
        return;
    }
    // Single tokens are edited, each once; should that ever be wrong, the parser reports what it finds
    // in the text as written.
    if let Ok((text, map)) = edits.apply(&read.text) {
        read.renormalize(text, map);
    }
}
