use super::templates::Text;
use crate::lex::{Token, TokenKind};
use crate::preprocess::Preprocessed;
use crate::source::Edits;

/// Writes `long(x)` as `(long)(x)`: of the functional casts to a type of one word, the parser's grammar knows
/// those to `int` and the like, but takes these words for the beginning of a declaration.
pub(super) fn spell_functional_casts(read: &Preprocessed, tokens: &[Token], edits: &mut Edits) {
    let text = &read.text;
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut in_directive = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        let sized = matches!(word(index), "short" | "long" | "signed" | "unsigned");
        if in_directive || !sized || word(index + 1) != "(" || index < 2 {
            continue;
        }
        if is_called(&word, tokens, index) {
            edits.insert(token.span.start, "(");
            edits.insert(token.span.end, ")");
        }
    }
}

/// Whether the type that a name at a token stands for is called there: `T(x)`.
pub(super) fn is_functional(text: &Text<'_>, index: usize) -> bool {
    index >= 2 && text.word(index + 1) == "(" && is_called(&|at| text.word(at), text.tokens, index)
}

/// Whether a type with a bracket behind it is called, not part of a declaration or another type.
fn is_called<'t>(word: &dyn Fn(usize) -> &'t str, tokens: &[Token], index: usize) -> bool {
    // `long (*f)(int)` and `long(int)` are types.
    let inside = word(index + 2);
    if matches!(inside, "*" | "&" | ")" | "const") || names_number(inside) && word(index + 3) != "("
    {
        return false;
    }
    let behind_operand = match word(index - 1) {
        "return" | "case" => false,
        // `(int) long(x)`
        ")" => !names_number(word(index - 2)),
        // A list's brace, not a block's.
        "{" => !matches!(word(index - 2), "=" | "]" | "{" | ",") && !goes_on(word, index + 1),
        ";" | "}" | "else" | "do" => !goes_on(word, index + 1),
        _ => tokens[index - 1].kind != TokenKind::Punctuator,
    };
    !behind_operand
}

/// Whether the bracket at a token is closed and an operator follows that no declarator goes on with: `long(k) * n;` is no
/// declaration of 'k', as `long(k);` and `long(k) = n;` are.
fn goes_on<'t>(word: &dyn Fn(usize) -> &'t str, open: usize) -> bool {
    let mut depth = 0usize;
    for at in open.. {
        match word(at) {
            "(" => depth += 1,
            ")" if depth == 1 => {
                let behind = word(at + 1);
                return !matches!(
                    behind,
                    "" | ";" | "=" | "," | "(" | "[" | "{" | ":" | ")" | "@"
                );
            }
            ")" => depth -= 1,
            "" | ";" => return false,
            _ => {}
        }
    }
    false
}

/// A word of a number's type.
fn names_number(word: &str) -> bool {
    matches!(
        word,
        "bool" | "char" | "double" | "float" | "int" | "long" | "short" | "signed" | "unsigned"
    )
}
