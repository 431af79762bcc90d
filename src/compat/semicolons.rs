use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::lex::{Token, TokenKind};
use crate::preprocess::Preprocessed;
use crate::source::{Edits, Span};

/// A bracket that is open.
struct Open {
    /// What closes it.
    closes: &'static str,
    /// Semicolons belong into it: a block, or the header of a statement.
    separates: bool,
    /// Semicolons directly inside.
    found: Vec<Span>,
}

/// Drops each `;` that stands directly in parentheses other than those of `for`, `if` and `switch`, as
/// in `a * ((b + 1); + (b + 2))`. Where a bracket does not close, what is wrong is for the parser to
/// tell.
pub(super) fn drop_within_parentheses(
    read: &Preprocessed,
    tokens: &[Token],
    edits: &mut Edits,
    sink: &mut Sink,
) {
    let text = &read.text;
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut open: Vec<Open> = Vec::new();
    let mut in_directive = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if in_directive || token.kind != TokenKind::Punctuator {
            continue;
        }
        match token.text(text) {
            "(" => {
                let before = index.checked_sub(1).map_or("", word);
                let is_constexpr = before == "constexpr" && index >= 2 && word(index - 2) == "if";
                open.push(Open {
                    closes: ")",
                    separates: is_constexpr || matches!(before, "for" | "if" | "switch"),
                    found: Vec::new(),
                });
            }
            bracket @ ("[" | "{") => open.push(Open {
                closes: if bracket == "[" { "]" } else { "}" },
                separates: true,
                found: Vec::new(),
            }),
            bracket @ (")" | "]" | "}") => match open.pop() {
                Some(closed) if closed.closes == bracket => {
                    for span in closed.found {
                        edits.delete(span);
                        let code = &codes::SEMICOLON_IN_PARENTHESES;
                        sink.push(Diagnostic::at(code, &read.provenance, span, &[]));
                    }
                }
                _ => return,
            },
            ";" => {
                if let Some(innermost) = open.last_mut().filter(|o| !o.separates) {
                    innermost.found.push(token.span);
                }
            }
            _ => {}
        }
    }
}
