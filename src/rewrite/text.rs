//! Small questions about text that several lowerings ask.

use crate::lex::lex;
use crate::source::{Moved, Span};

/// The white space at the beginning of the line that holds `offset`.
pub(super) fn indentation(text: &str, offset: u32) -> &str {
    let before = text.get(..offset as usize).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = text.get(start..).unwrap_or("");
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or("")
}

/// Whether nothing but white space stands before `offset` on its line.
pub(super) fn begins_line(text: &str, offset: u32) -> bool {
    let before = text.get(..offset as usize).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    before.get(start..).is_some_and(|s| s.trim().is_empty())
}

/// The indentation of a block's content: that of its first line, or four more than its own.
pub(super) fn block_indentation(text: &str, block: Span, own: &str) -> String {
    let inside = Span::new(block.start + 1, block.end).of(text);
    let first = inside.lines().skip(1).find(|line| !line.trim().is_empty());
    let first = first.filter(|line| line.trim() != "}");
    match first {
        Some(line) => {
            let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(0);
            line.get(..end).unwrap_or("").to_string()
        }
        None => format!("{own}    "),
    }
}

/// Whether `text` is a name or a number, which needs no parentheses anywhere.
pub(super) fn is_simple(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// `text`, in parentheses unless it is a name or a number.
pub(super) fn parenthesized(text: &str) -> String {
    let text = text.trim();
    if is_simple(text) {
        text.to_string()
    } else {
        format!("({text})")
    }
}

/// The comments in a span, for code that is dropped: each on the line where it stood, and with its place.
pub(super) fn comments(text: &str, span: Span) -> Moved {
    let tokens = lex(span.of(text));
    let mut kept = Moved::default();
    let mut at = span.start;
    for token in &tokens {
        kept.push_span(Span::new(at, span.start + token.span.start), text);
        at = span.start + token.span.end;
    }
    kept.push_span(Span::new(at, span.end), text);
    if tokens.is_empty() {
        return kept;
    }
    let mut lines = Moved::default();
    let mut at = 0;
    for whole in kept.text().split_inclusive('\n') {
        let line = whole.lines().next().unwrap_or("");
        let blank = line.len() - line.trim_start().len();
        if blank < line.len() {
            let from = kept.original(at + blank as u32);
            lines.push("\n", from);
            lines.push(line, from);
        }
        at += whole.len() as u32;
    }
    lines
}
