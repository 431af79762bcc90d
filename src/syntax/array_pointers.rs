use super::Kind;
use crate::compat::{STAND_IN, array_pointers};
use crate::lex::lex;
use crate::source::Span;
use std::borrow::Cow;

/// `int (*p)[4] = m;` declares a pointer, which the grammar takes for an assignment to `int(*p)[4]`. It reads a type that
/// nothing is called by, for which there is room.
pub(super) fn pointers_to_arrays(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text
        .match_indices('(')
        .any(|(at, _)| is_candidate(&text, at))
    {
        return text;
    }
    let tokens = lex(&text);
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(&text));
    let mut bytes = text.as_bytes().to_vec();
    for index in array_pointers(&text, &tokens) {
        if is_sized(word(index)) {
            continue;
        }
        let begins = match index.checked_sub(1).map(word) {
            Some("(") => index > 1 && word(index - 2) == "for",
            Some(":") => is_label((0..index - 1).rev().map(word)),
            before => matches!(before, None | Some(";" | "{" | "}" | "else" | "do")),
        };
        let (Some(token), Some(next)) = (tokens.get(index), tokens.get(index + 1)) else {
            continue;
        };
        let (from, to) = (token.span.start as usize, next.span.start as usize);
        if let Some(room) = bytes.get_mut(from..to)
            && begins
            && room.len() >= STAND_IN.len()
        {
            room.fill(b' ');
            let words = room.iter_mut().zip(STAND_IN.bytes());
            words.for_each(|(byte, letter)| *byte = letter);
        }
    }
    String::from_utf8(bytes).map_or(text, Cow::Owned)
}

/// Whether `(*p)[` stands at a bracket.
fn is_candidate(text: &str, at: usize) -> bool {
    let behind = text.get(at + 1..).unwrap_or_default().trim_start();
    let name = behind.trim_start_matches(|c: char| matches!(c, '*' | '&') || c.is_whitespace());
    let rest = name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let rest = rest.trim_start().strip_prefix(')').unwrap_or_default();
    behind.starts_with(['*', '&']) && rest.trim_start().starts_with('[')
}

/// A word of a type that nothing is called by.
fn is_sized(word: &str) -> bool {
    matches!(word, "long" | "short" | "signed" | "unsigned")
}

/// Whether a colon ends a label, given the words before it from the last one on.
fn is_label<'t>(before: impl Iterator<Item = &'t str>) -> bool {
    let mut many = 0;
    for word in before {
        match word {
            ";" | "{" | "}" => break,
            "?" => return false,
            "case" => return true,
            _ => many += 1,
        }
    }
    many == 1
}

/// What a node is that the grammar read a stand-in for, and where.
pub(super) fn original(text: &str, span: Span) -> Option<(Kind, Span)> {
    let begin = text.get(span.start as usize..)?;
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    let word = begin.split(is_end).next().unwrap_or_default();
    let kind = match word {
        "int" if span.of(text).trim() != word => return None,
        word if is_sized(word) => return None,
        "" | "const" | "volatile" => return None,
        // The grammar's list.
        "bool" | "char" | "double" | "float" | "int" | "int16_t" | "int32_t" | "int64_t"
        | "int8_t" | "intptr_t" | "ptrdiff_t" | "size_t" | "ssize_t" | "uint16_t" | "uint32_t"
        | "uint64_t" | "uint8_t" | "uintptr_t" => Kind::PrimitiveType,
        _ => Kind::TypeIdentifier,
    };
    Some((kind, Span::new(span.start, span.start + word.len() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, expected: &str) {
        assert_eq!(pointers_to_arrays(Cow::Borrowed(text)), expected);
    }

    #[test]
    fn declarations_have_another_type() {
        read("int  (*p)[4] = m;", "long (*p)[4] = m;");
        read("{ float\n( * * p ) [4]; }", "{ long  ( * * p ) [4]; }");
        read("for (size_t (&p)[2] = m;;)", "for (long   (&p)[2] = m;;)");
        read("struct S {}; S   (*p)[N];", "struct S {}; long(*p)[N];");
        read("typedef A my; my  (*p)[4];", "typedef A my; long(*p)[4];");
        read("case 1: int (*p)[4];", "case 1: long(*p)[4];");
        read("case A::b + 1: int (*p)[4];", "case A::b + 1: long(*p)[4];");
        read("; end: int (*p)[4];", "; end: long(*p)[4];");
    }

    #[test]
    fn calls_stay() {
        for text in [
            "f  (*p)[4] = m;",
            "a = int (*p)[4];",
            "a ? b : int (*p)[4];",
            "case 1: x = a ? b : int (*p)[4];",
            "long (*p)[4];",
            "int (*p)(int);",
            "int (p)[4];",
            "int(*p)[4];",
        ] {
            read(text, text);
        }
    }
}
