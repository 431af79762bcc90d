//! The attributes in a text, by position.
//!
//! The grammars know C++ attributes, but not everywhere OKL has them, and each one costs them a
//! second reading of all that follows. So the parser never sees ours: they are blanked out of its
//! input and put into the tree by where they stand.

use crate::lex::{Token, lex};
use crate::source::Span;

/// One `[[okl_…("…")]]` or `[[brook_…("…")]]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) span: Span,
    /// Start of the first word after it that is no attribute.
    pub(super) next: u32,
    /// End of the last word before it that is no attribute.
    pub(super) previous: u32,
    /// It has found its place in the tree.
    pub(super) used: bool,
}

/// All attributes of ours in `text`, in order.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    if !text.contains("[[") {
        return Vec::new();
    }
    let tokens = lex(text);
    let mut marks: Vec<Mark> = Vec::new();
    // Attributes whose following word is not known yet.
    let mut open = 0;
    let mut previous = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if let Some(end) = attribute_end(text, &tokens, index) {
            let last = tokens.get(end - 1).map_or(token.span, |t| t.span);
            let span = token.span.to(last);
            marks.push(Mark {
                span,
                next: span.end,
                previous,
                used: false,
            });
            index = end;
            continue;
        }
        for mark in marks.iter_mut().skip(open) {
            mark.next = token.span.start;
        }
        open = marks.len();
        previous = token.span.end;
        index += 1;
    }
    marks
}

/// The names of all attributes of ours in a text, those in arguments of others, too, with what was written behind them by mistake.
pub(crate) fn attribute_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for mark in marks(text) {
        let mut pieces = mark.span.of(text).split('@');
        let own = pieces.next().unwrap_or("").trim_start_matches('[');
        let own = own.strip_prefix("okl_").or(own.strip_prefix("brook_"));
        for from in own.into_iter().chain(pieces.map(str::trim_start)) {
            let end = from.find(['(', ',', ')', '"']).unwrap_or(from.len());
            names.push(from[..end].trim());
        }
    }
    names
}

/// `[` `[` okl_name `(` "…" `)` `]` `]`: the index after it.
fn attribute_end(text: &str, tokens: &[Token], index: usize) -> Option<usize> {
    let word = |i: usize| tokens.get(index + i).map_or("", |t| t.text(text));
    let ours = word(2).starts_with("okl_") || word(2).starts_with("brook_");
    let shape = word(0) == "[" && word(1) == "[" && ours && word(3) == "(";
    let close = word(5) == ")" && word(6) == "]" && word(7) == "]";
    (shape && close).then_some(index + 8)
}
