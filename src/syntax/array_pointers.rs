use crate::lex::lex;
use std::borrow::Cow;

/// `int (*p)[4] = m;` declares a pointer, which the grammar takes for an assignment to `int(*p)[4]`. It reads a type that
/// nothing is called by: as long a word, which may take a blank or a line's end beside it.
pub(super) fn pointers_to_arrays(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_candidate = |(at, _): (usize, &str)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let behind = text.get(at + 1..).unwrap_or_default().trim_start();
        matches!(behind.bytes().next(), Some(b'*' | b'&'))
            && longer(before.rsplit(is_no_word).next()).is_some()
    };
    if !text.match_indices('(').any(is_candidate) {
        return text;
    }
    let tokens = lex(&text);
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(&text));
    let mut bytes = text.as_bytes().to_vec();
    for (index, token) in tokens.iter().enumerate() {
        let Some(other) = longer(Some(word(index))) else {
            continue;
        };
        let begins = match index.checked_sub(1).map(word) {
            Some("(") => index > 1 && word(index - 2) == "for",
            before => matches!(before, None | Some(";" | "{" | "}")),
        };
        let stars = (index + 2..).take_while(|&at| matches!(word(at), "*" | "&"));
        let name = index + 2 + stars.count();
        let named = name > index + 2 && !word(name).chars().any(is_no_word);
        if !begins || word(index + 1) != "(" || !named || word(name + 1) != ")" {
            continue;
        }
        if word(name + 2) != "[" {
            continue;
        }
        let range = token.span.range();
        let start = match (other.len() > range.len(), bytes.get(range.end)) {
            (true, Some(next)) if next.is_ascii_whitespace() => range.start,
            (false, _) => range.start,
            // What stands before may end a comment.
            _ => match range.start.checked_sub(1) {
                Some(before) if bytes.get(before) == Some(&b' ') => before,
                _ => continue,
            },
        };
        if let Some(room) = bytes.get_mut(start..start + other.len()) {
            room.copy_from_slice(other.as_bytes());
        }
    }
    String::from_utf8(bytes).map_or(text, Cow::Owned)
}

fn is_no_word(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

/// A type that nothing is called by, for one that something may be; it is as long, but for one letter.
fn longer(word: Option<&str>) -> Option<&'static str> {
    Some(match word? {
        "int" | "char" | "bool" => "long",
        "float" => "short",
        "double" => "signed",
        _ => return None,
    })
}
