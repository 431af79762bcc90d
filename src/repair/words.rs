//! What belongs behind a word: the `:` of a `case` and of a choice, the brackets of a condition. As for headers, a parser
//! may give up a whole kernel for one that is missing.

use super::brackets::edited;
use super::oracle::Oracle;
use super::tokens::is_operand;
use super::{Repair, What};
use crate::lex::Lexed;
use crate::source::Span;

/// What is missing, if all of a text can be parsed with it.
pub(super) fn find(lexed: &Lexed<'_>, oracle: &Oracle<'_>) -> Option<Repair> {
    let found = (0..lexed.tokens.len()).filter_map(|at| match lexed.word(at) {
        "case" | "?" => colon(lexed, at),
        "if" | "while" | "switch" => condition(lexed, at),
        _ => None,
    });
    let mends = |repair: &Repair| {
        let text = edited(lexed.text, repair);
        oracle.may_go_on() && oracle.first_error(&text).is_none()
    };
    // Few can be missing, and each that is tried takes time.
    found.take(4).find(mends)
}

/// The `:` that does not follow, between two values that do.
fn colon(lexed: &Lexed<'_>, word: usize) -> Option<Repair> {
    let operand = |at: usize| is_operand(lexed, at) || lexed.word(at) == "@";
    let (mut depth, mut choices, mut place) = (0usize, 0usize, None);
    for at in word + 1..lexed.tokens.len() {
        let ended = is_operand(lexed, at - 1) || matches!(lexed.word(at - 1), ")" | "]");
        if depth == 0 && place.is_none() && at > word + 1 && ended && operand(at) {
            place = Some(at - 1);
        }
        match lexed.word(at) {
            "(" | "[" => depth += 1,
            ")" | "]" if depth > 0 => depth -= 1,
            "?" if depth == 0 => choices += 1,
            ":" if depth == 0 && choices > 0 => choices -= 1,
            ":" if depth == 0 => return None,
            ")" | "]" | "{" | "}" | ";" => break,
            "," if depth == 0 => break,
            _ => {}
        }
    }
    let text = if lexed.word(word) == "?" { " :" } else { ":" };
    Some(Repair {
        span: Span::at(lexed.tokens.get(place?)?.span.end),
        text: text.to_string(),
        what: What::Missing(":", None),
        certain: true,
    })
}

/// The brackets that a condition lacks, before the brace that follows it.
fn condition(lexed: &Lexed<'_>, word: usize) -> Option<Repair> {
    if matches!(lexed.word(word + 1), "(" | "constexpr") {
        return None;
    }
    let ends = |at: &usize| matches!(lexed.word(*at), "{" | "}" | ";" | "");
    let brace = (word + 1..=lexed.tokens.len()).find(ends)?;
    if lexed.word(brace) != "{" || brace == word + 1 {
        return None;
    }
    let (first, last) = (lexed.tokens.get(word + 1)?, lexed.tokens.get(brace - 1)?);
    let span = Span::new(first.span.start, last.span.end);
    Some(Repair {
        span,
        text: format!("({})", span.of(lexed.text)),
        what: What::Missing("(", None),
        certain: true,
    })
}
