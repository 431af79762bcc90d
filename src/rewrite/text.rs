//! Small questions about text that several lowerings ask.

use crate::lex::lex;
use crate::source::Span;

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

/// The comments in a span, for code that is dropped: each on the line where it stood.
pub(super) fn comments(text: &str, span: Span) -> String {
    let piece = span.of(text);
    let tokens = lex(piece);
    let mut kept = String::new();
    let mut at = 0;
    for token in &tokens {
        kept.push_str(piece.get(at..token.span.start as usize).unwrap_or(""));
        at = token.span.end as usize;
    }
    kept.push_str(piece.get(at..).unwrap_or(""));
    if tokens.is_empty() {
        return kept;
    }
    let lines = kept.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("\n{line}")).collect()
}

/// Replaces `{name}` by value in a spelling; blanks that an empty value leaves double are made one.
pub(super) fn fill(spelling: &str, values: &[(&str, &str)]) -> String {
    let mut out = spelling.to_string();
    for (name, value) in values {
        if value.is_empty() {
            out = out.replace(&format!(" {{{name}}}"), "");
        }
        out = out.replace(&format!("{{{name}}}"), value);
    }
    out
}
