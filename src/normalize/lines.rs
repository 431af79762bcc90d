//! `@directive("…")`, which is a line of its own, and `OKL("…")`, which is OKL in programs that a
//! C++ compiler reads too.

use super::{Dialect, Source, escape_into, normalize};
use crate::lex::TokenKind;
use crate::source::Edits;

/// Writes what the call at token `index` stands for; returns the index after it, `None` if there is
/// none.
pub(super) fn injected(source: &Source<'_>, edits: &mut Edits, index: usize) -> Option<usize> {
    if let Some((content, end)) = directive(source, index) {
        return line(source, edits, index, end, content.trim());
    }
    let (content, _) = okl_call(source, index)?;
    let content = content.trim();
    if content.starts_with('#') {
        return line(source, edits, index, index + 4, content);
    }
    // The semicolon makes it a statement of C++; only a barrier is one of OKL.
    let semicolon = source.word(index + 4) == ";" && !content.starts_with("@barrier");
    let end = index + 4 + usize::from(semicolon);
    let text = normalize(content, Dialect::Okl).0;
    replace(source, edits, index, end, text);
    Some(end)
}

/// What `OKL("…")` at token `index` says, and the index after it.
pub(super) fn okl_call(source: &Source<'_>, index: usize) -> Option<(String, usize)> {
    let is_string = |at: usize| {
        source
            .tokens
            .get(at)
            .is_some_and(|t| t.kind == TokenKind::String)
    };
    let call = source.word(index) == "OKL"
        && source.word(index + 1) == "("
        && is_string(index + 2)
        && source.word(index + 3) == ")";
    match call {
        true => Some((unquoted(source.word(index + 2))?, index + 4)),
        false => None,
    }
}

/// The content of `@directive("…")` in either spelling, and the index after it.
fn directive(source: &Source<'_>, index: usize) -> Option<(String, usize)> {
    let word = |at: usize| source.word(index + at);
    if word(0) == "@" && word(1) == "directive" && word(2) == "(" && word(4) == ")" {
        return Some((unquoted(word(3))?, index + 5));
    }
    let open = word(0) == "[" && word(1) == "[" && word(2) == "okl_directive" && word(3) == "(";
    if open && word(5) == ")" && word(6) == "]" && word(7) == "]" {
        let arguments = unquoted(word(4))?;
        let quoted = arguments.strip_prefix('(')?.strip_suffix(')')?;
        // Out of a macro by now, where it is too late for all others.
        let content = unquoted(quoted.trim())?;
        return content
            .trim()
            .starts_with("#pragma")
            .then_some((content, index + 8));
    }
    None
}

/// Puts a directive on a line of its own. Within another one only a pragma can stand, as `_Pragma`.
fn line(
    source: &Source<'_>,
    edits: &mut Edits,
    index: usize,
    end: usize,
    content: &str,
) -> Option<usize> {
    let end = end + usize::from(source.word(end) == ";");
    if source.in_directive(index) {
        let words = content.strip_prefix('#')?.trim_start();
        let mut text = String::from("_Pragma(\"");
        escape_into(words.strip_prefix("pragma")?.trim(), &mut text);
        text.push_str("\")");
        replace(source, edits, index, end, text);
        return Some(end);
    }
    // A macro may stand for an attribute.
    let content = &*normalize(content, Dialect::Okl).0;
    let mut text = String::new();
    if !source.tokens.get(index).is_some_and(|t| t.line_start) {
        text.push('\n');
    }
    text.push_str(content);
    if source.tokens.get(end).is_some_and(|t| !t.line_start) {
        text.push('\n');
    }
    replace(source, edits, index, end, text);
    Some(end)
}

fn replace(source: &Source<'_>, edits: &mut Edits, first: usize, end: usize, text: String) {
    if let (Some(first), Some(last)) = (source.tokens.get(first), source.tokens.get(end - 1)) {
        edits.replace(first.span.to(last.span), text);
    }
}

/// What a string literal without prefix says.
fn unquoted(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = (c == '\\')
            .then(|| chars.next_if(|c| matches!(c, '"' | '\\')))
            .flatten();
        out.push(escaped.unwrap_or(c));
    }
    Some(out)
}
