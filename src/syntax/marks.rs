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

/// All attributes of ours in a text but in its directives, in order; `without` has blanks in the place of these.
pub(super) fn marks((text, directives): (&str, &[Span]), without: &str) -> Vec<Mark> {
    if !without.contains("[[") {
        return Vec::new();
    }
    // What begins in a directive usually ends there, so that the text's own tokens will do, which are known.
    let ends = |words: &str| !words.contains("/*") && !words.contains("R\"");
    let tokens = match directives.iter().all(|d| ends(d.of(text))) {
        true => outside(lex(text), directives),
        false => lex(without),
    };
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

/// The tokens that are in none of some directives.
fn outside(mut tokens: Vec<Token>, directives: &[Span]) -> Vec<Token> {
    if !directives.is_empty() {
        tokens.retain(|token| token.span.holder(directives).is_none());
    }
    tokens
}

/// The names of all attributes of ours in a text, those in arguments of others, too, with what was written behind them by mistake.
pub(crate) fn attribute_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for mark in marks((text, &[]), text) {
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
    // Every token is asked about, and few are brackets.
    if word(0) != "[" || word(1) != "[" {
        return None;
    }
    let ours = word(2).starts_with("okl_") || word(2).starts_with("brook_");
    let close = word(5) == ")" && word(6) == "]" && word(7) == "]";
    (ours && word(3) == "(" && close).then_some(index + 8)
}
