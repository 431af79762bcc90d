use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::lex::Token;
use crate::preprocess::Preprocessed;
use crate::source::Edits;

/// Drops each `\` outside of literals: where a line ends with two of them, the first one is left.
pub(super) fn drop_stray(
    read: &Preprocessed,
    tokens: &[Token],
    edits: &mut Edits,
    sink: &mut Sink,
) {
    let mut in_directive = false;
    for token in tokens {
        if token.line_start {
            in_directive = token.is(&read.text, "#");
        }
        if !in_directive && token.is(&read.text, "\\") {
            edits.delete(token.span);
            let code = &codes::BACKSLASH_STRAY;
            sink.push(Diagnostic::at(code, &read.provenance, token.span, &[]));
        }
    }
}
