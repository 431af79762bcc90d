use crate::lex::Token;
use crate::preprocess::Preprocessed;
use crate::source::Edits;

/// A bracket that is open.
struct Open {
    /// It may hold operators `,` that the grammar does not know beside assignments.
    plain: bool,
    /// The parts between commas so far: their first and last token, and whether they assign.
    parts: Vec<(usize, usize)>,
    /// Where the part at hand begins.
    first: usize,
    /// The part at hand assigns.
    assigns: bool,
    /// There was a comma.
    comma: bool,
}

/// Writes `(s = x, s)` as `((s = x), s)`: in parentheses the parser's grammar knows no assignment beside a comma.
pub(super) fn bracket_assignments(read: &Preprocessed, tokens: &[Token], edits: &mut Edits) {
    let text = &read.text;
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut open: Vec<Open> = Vec::new();
    let mut in_directive = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if in_directive {
            continue;
        }
        let end_part = |this: &mut Open| {
            if this.assigns && index > this.first {
                this.parts.push((this.first, index - 1));
            }
            this.first = index + 1;
            this.assigns = false;
        };
        match token.text(text) {
            bracket @ ("(" | "[" | "{") => open.push(Open {
                plain: bracket == "(" && is_plain(tokens, text, index),
                parts: Vec::new(),
                first: index + 1,
                assigns: false,
                comma: false,
            }),
            ")" | "]" | "}" => {
                let Some(mut closed) = open.pop() else { return };
                end_part(&mut closed);
                if !(closed.plain && closed.comma) {
                    continue;
                }
                for (first, last) in closed.parts {
                    if let (Some(first), Some(last)) = (tokens.get(first), tokens.get(last)) {
                        edits.insert(first.span.start, "(");
                        edits.insert(last.span.end, ")");
                    }
                }
            }
            "," => {
                if let Some(this) = open.last_mut() {
                    this.comma = true;
                    end_part(this);
                }
            }
            ";" => {
                if let Some(this) = open.last_mut() {
                    this.plain = false;
                }
            }
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => {
                if let Some(this) = open.last_mut().filter(|o| o.plain) {
                    // What is declared begins with two names.
                    let declares = (this.first..index).any(|at| {
                        let name = |at: usize| tokens.get(at).is_some_and(Token::is_identifier);
                        let apart = matches!(word(at + 1), "*" | "&") && at == this.first;
                        name(at) && (name(at + 1) || apart && name(at + 2))
                    });
                    this.plain &= !declares;
                    this.assigns = true;
                }
            }
            _ => {}
        }
    }
}

/// Whether parentheses are those of an expression: behind a name are those of a call or of a statement, which the
/// grammar knows.
fn is_plain(tokens: &[Token], text: &str, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|at| tokens.get(at));
    before.is_none_or(|t| !t.is_identifier() || t.is(text, "return"))
}
