//! The `;` that is missing in the header of a loop. How many there are is counted: a parser may give up a whole kernel for
//! one that is missing, and says nothing of where.

use super::brackets::edited;
use super::oracle::Oracle;
use super::tokens::is_operand;
use super::{Repair, What};
use crate::lex::Lexed;
use crate::source::Span;

/// The missing `;`, where a text's first error is at `error`.
pub(super) fn find(lexed: &Lexed<'_>, oracle: &Oracle<'_>, error: u32) -> Option<Repair> {
    let loops = (0..lexed.tokens.len()).filter(|&at| lexed.word(at) == "for");
    loops
        .filter_map(|at| Header::of(lexed, at + 1))
        .filter(Header::lacks_one)
        .find_map(|header| header.repair(lexed, oracle, error))
}

/// What stands in the brackets of a `for`, up to attributes.
struct Header {
    open: usize,
    end: usize,
    semicolons: Vec<usize>,
    /// `for (x : values)`.
    is_range: bool,
}

impl Header {
    fn of(lexed: &Lexed<'_>, open: usize) -> Option<Self> {
        if lexed.word(open) != "(" {
            return None;
        }
        let mut header = Self {
            open,
            end: open,
            semicolons: Vec::new(),
            is_range: false,
        };
        let (mut depth, mut choices) = (1usize, 0usize);
        for at in open + 1..lexed.tokens.len() {
            match lexed.word(at) {
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 1 => {
                    header.end = at;
                    return Some(header);
                }
                ")" | "]" => depth -= 1,
                "{" | "}" => return None,
                ";" if depth == 1 && lexed.word(at + 1) == "@" => {
                    header.end = at;
                    return Some(header);
                }
                ";" if depth == 1 => header.semicolons.push(at),
                "?" => choices += 1,
                ":" if choices == 0 => header.is_range = true,
                ":" => choices -= 1,
                _ => {}
            }
        }
        None
    }

    fn lacks_one(&self) -> bool {
        self.semicolons.len() == 1 && !self.is_range
    }

    fn repair(&self, lexed: &Lexed<'_>, oracle: &Oracle<'_>, error: u32) -> Option<Repair> {
        let ends = |at: usize| is_operand(lexed, at) || matches!(lexed.word(at), ")" | "]");
        let step = |at: usize| matches!(lexed.word(at), "++" | "--");
        let begins = |at: usize| is_operand(lexed, at) || (step(at) && is_operand(lexed, at + 1));
        // `const unsigned int i = 0` is one declaration.
        let declared = (self.open..self.end).find(|&at| matches!(lexed.word(at), "=" | ";"));
        let first = declared.unwrap_or(self.open) + 1;
        let between = |&at: &usize| ends(at - 1) && begins(at);
        let places: Vec<usize> = (first..self.end).filter(between).collect();
        let repair = |at: usize| Repair {
            span: Span::at(lexed.tokens.get(at - 1).map_or(0, |t| t.span.end)),
            text: ";".to_string(),
            what: What::Missing(";", None),
            certain: true,
        };
        let mends = |&&at: &&usize| {
            let text = edited(lexed.text, &repair(at));
            oracle.may_go_on() && oracle.is_better(&text, error, 0).is_some()
        };
        let mut fitting = places.iter().filter(mends);
        let at = *fitting.next()?;
        let only = fitting.next().is_none();
        Some(Repair {
            certain: only,
            ..repair(at)
        })
    }
}
