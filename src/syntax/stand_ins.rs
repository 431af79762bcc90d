//! What the grammars cannot read, as something of the same length that they can.

use crate::lex::{Token, lex};
use std::borrow::Cow;

/// A name where the language needs none and the grammars do, with the colon behind it.
const NAME: &[u8] = b"_:";

/// Mends `enum : unsigned {`, `unsigned : 3;`, `sizeof...(T)` and `using typename T::U;`.
pub(super) fn unreadable(text: Cow<'_, str>) -> Cow<'_, str> {
    let any = text.contains("sizeof...")
        || text.contains("typename")
        || text
            .match_indices(':')
            .any(|(at, _)| is_nameless(&text, at));
    if !any {
        return text;
    }
    let tokens = lex(&text);
    let mut edits: Vec<(u32, &[u8])> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let word = |at: usize| tokens.get(at).map_or("", |t: &Token| t.text(&text));
        let before = |back: usize| index.checked_sub(back).map_or("", word);
        match word(index) {
            ":" if is_nameless(&text, token.span.start as usize) => {
                edits.push((token.span.start, NAME));
            }
            "..." if before(1) == "sizeof" => edits.push((token.span.start, b"   ")),
            "typename" if before(1) == "using" => edits.push((token.span.start, b"        ")),
            _ => {}
        }
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, with) in edits {
        if let Some(room) = bytes.get_mut(at as usize..at as usize + with.len()) {
            room.copy_from_slice(with);
        }
    }
    String::from_utf8(bytes).map_or(text, Cow::Owned)
}

/// Whether a colon stands behind `enum`, or behind the type of a bit field, without a name, and there is room for one.
fn is_nameless(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let behind = text.get(at + 1..).unwrap_or_default();
    let type_words = before.trim_end();
    if type_words.len() == before.len() || !behind.starts_with(char::is_whitespace) {
        return false;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = type_words
        .rsplit(|c| !is_word(c))
        .next()
        .unwrap_or_default();
    match word {
        "enum" => true,
        "int" | "unsigned" | "signed" | "char" | "short" | "long" | "bool" => {
            // Of a bit field comes a number, and of a constant's label nothing like it.
            behind.trim_start().starts_with(is_word)
        }
        _ => false,
    }
}
