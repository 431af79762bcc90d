//! What stands between the tokens of one statement is blanks and line ends: nobody behind has to think of comments
//! or continued lines there. Comments between statements, and those of directives, stay.

use crate::lex::{Token, TokenKind, unspliced};
use crate::source::{Edits, Span};

/// A bracket that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Of a block, of a type's members, or of a namespace.
    Block,
    /// Of anything that is a part of a statement.
    Part,
}

/// Clears the gaps of `text`.
pub(super) fn clear(text: &str, tokens: &[Token], edits: &mut Edits) {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    // A comment that the text ends with may end with a line that is continued.
    if text.ends_with('\\')
        && tokens
            .last()
            .is_none_or(|t| (t.span.end as usize) < text.len())
    {
        let end = text.len() as u32;
        edits.delete(Span::new(end - 1, end));
    }
    let mut open: Vec<Open> = Vec::new();
    let mut in_directive = false;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|b| tokens.get(b));
        let gap = Span::new(before.map_or(0, |b| b.span.end), token.span.start);
        let behind_directive = in_directive && token.line_start;
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if token.spliced {
            edits.replace(token.span, unspliced(token.text(text)));
        }
        let previous = index.checked_sub(1).map_or("", word);
        // Grammars know these pairs only together.
        let pair = !gap.is_empty() && is_pair(text, tokens, index);
        let marked = |gap: &str| gap.bytes().any(|b| matches!(b, b'/' | b'\\'));
        let plain = !pair && (gap.is_empty() || !marked(gap.of(text)));
        if !plain && !behind_directive && (!in_directive || token.line_start) {
            let inside = open.last() != Some(&Open::Part);
            let between = inside && matches!(previous, "" | ";" | "{" | "}");
            let new = match pair {
                true => String::new(),
                false => cleared(gap.of(text), between),
            };
            if new != gap.of(text) {
                edits.replace(gap, new);
            }
        }
        if in_directive || token.kind != TokenKind::Punctuator {
            continue;
        }
        match token.text(text) {
            "(" | "[" => open.push(Open::Part),
            "{" => {
                let list = matches!(previous, "=" | "," | "(" | "[" | "return");
                let within = open.last() == Some(&Open::Part) && matches!(previous, "{");
                open.push(match list || within {
                    true => Open::Part,
                    false => Open::Block,
                });
            }
            ")" | "]" | "}" => drop(open.pop()),
            _ => {}
        }
    }
}

/// Whether token `index` and the one before it are written in one piece: grammars know some only so, and names of
/// members and scopes are compared as they stand.
fn is_pair(text: &str, tokens: &[Token], index: usize) -> bool {
    let at = |back: usize| index.checked_sub(back).and_then(|i| tokens.get(i));
    let word = |back: usize| at(back).map_or("", |t| t.text(text));
    // What a value may end with.
    let value = |back: usize| {
        at(back).is_some_and(|t| t.is_identifier() || matches!(t.kind, TokenKind::Number))
            || matches!(word(back), ")" | "]")
    };
    let name = |back: usize| at(back).is_some_and(Token::is_identifier);
    match (word(1), word(0)) {
        ("[", "[" | "]") | ("]", "]") => true,
        ("(", ")") => word(2) == "operator",
        ("::" | "." | "->", _) => name(0),
        (_, "::") => name(1) || word(1) == ">",
        (_, "." | "->") => value(1),
        ("-" | "+", _) => {
            let number = at(0).is_some_and(|t| t.kind == TokenKind::Number);
            number && (!value(2) || matches!(word(2), "return" | "case"))
        }
        _ => false,
    }
}

/// A gap without continued lines, and without its comments unless it lies between statements.
fn cleared(gap: &str, comments: bool) -> String {
    let mut out = String::with_capacity(gap.len());
    let mut rest = gap;
    let mut apart = false;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' => {
                rest = rest.trim_start_matches('\\').trim_start_matches('\r');
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                continue;
            }
            '/' => comment_length(rest),
            _ => c.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        rest = behind;
        if c != '/' || comments {
            // What ends a line leaves nothing before the end, and no empty lines.
            if c == '\n' && apart {
                out.truncate(out.trim_end_matches([' ', '\t', '\r', '\n']).len());
                apart = false;
            }
            out.push_str(piece);
        } else {
            apart = true;
        }
    }
    // Blanks from before and behind the comment; one, where there were none.
    match apart && !out.contains('\n') {
        true => " ".to_string(),
        false => out,
    }
}

/// Bytes of the comment at the beginning of `text`.
fn comment_length(text: &str) -> usize {
    if text.starts_with("/*") {
        return text
            .get(2..)
            .and_then(|t| t.find("*/"))
            .map_or(text.len(), |n| n + 4);
    }
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let line = line.trim_end_matches('\n').trim_end_matches('\r');
        if !line.ends_with('\\') {
            return end - usize::from(text[..end].ends_with('\n'));
        }
    }
    end
}
