//! Every `;` that is missing at the end of a line, at once: whoever is used to languages without them forgets several,
//! and of none can be told alone that it helps.

use super::oracle::Oracle;
use super::tokens::{KEYWORDS, is_operand};
use super::{Repair, What};
use crate::expr::Scalar;
use crate::lex::Lexed;
use crate::source::Span;

/// So many are looked at one by one.
const FEW: usize = 8;

/// Repairs that mend a text together, the last first.
pub(super) fn find(lexed: &Lexed<'_>, oracle: &Oracle<'_>) -> Option<Vec<Repair>> {
    let ends = Lines::of(lexed).without_semicolon();
    if ends.is_empty() || !oracle.may_go_on() {
        return None;
    }
    let with = |left_out: Option<usize>| {
        let mut text = lexed.text.to_string();
        for (_, &end) in ends
            .iter()
            .enumerate()
            .rev()
            .filter(|&(at, _)| Some(at) != left_out)
        {
            text.insert(end as usize, ';');
        }
        text
    };
    let mends = |left_out| oracle.first_error(&with(left_out)).is_none();
    // What is said about a line must be a mistake of its own.
    let needed = |at: usize| oracle.may_go_on() && !mends(Some(at));
    let few = 2..=FEW;
    if !mends(None) || (few.contains(&ends.len()) && !(0..ends.len()).all(needed)) {
        return None;
    }
    let repair = |&end: &u32| Repair {
        span: Span::at(end),
        text: ";".to_string(),
        what: What::Missing(";", None),
        certain: true,
    };
    Some(ends.iter().rev().map(repair).collect())
}

struct Lines<'l, 't> {
    lexed: &'l Lexed<'t>,
    /// The tokens that stand in no directive.
    code: Vec<usize>,
}

impl<'l, 't> Lines<'l, 't> {
    fn of(lexed: &'l Lexed<'t>) -> Self {
        let mut in_directive = false;
        let code = (0..lexed.tokens.len()).filter(|&at| {
            if lexed.tokens.get(at).is_some_and(|t| t.line_start) {
                in_directive = lexed.word(at) == "#";
            }
            !in_directive
        });
        let code = code.collect();
        Self { lexed, code }
    }

    /// The word of a token of the code; nothing before the first.
    fn word(&self, at: Option<usize>) -> &'t str {
        let token = at.and_then(|at| self.code.get(at));
        token.map_or("", |&token| self.lexed.word(token))
    }

    /// Where lines end that look like statements of a block, behind which another one begins.
    fn without_semicolon(&self) -> Vec<u32> {
        let mut ends = Vec::new();
        // Open brackets, and whether they are a block's.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let (mut start, mut closed) = (0, 0);
        for at in 0..self.code.len() {
            let word = self.word(Some(at));
            let in_block = open.last().is_none_or(|&(_, block)| block);
            let before = at.checked_sub(1);
            let new_line = self.code.get(at).and_then(|&token| {
                let line = self.lexed.tokens.get(token)?.line_start;
                let skipped =
                    before.and_then(|b| self.code.get(b)).copied() != token.checked_sub(1);
                (line || skipped).then(|| self.lexed.tokens.get(*self.code.get(before?)?))?
            });
            let line_end = new_line.filter(|_| in_block && begins(word));
            if let Some(last) = line_end.filter(|_| self.is_statement(start, at, closed)) {
                ends.push(last.span.end);
                start = at;
            }
            match word {
                "(" | "[" => open.push((at, false)),
                "{" => {
                    open.push((at, self.is_block(at)));
                    start = at + 1;
                }
                ")" | "]" | "}" => closed = open.pop().map_or(0, |(opened, _)| opened),
                _ => {}
            }
            if matches!(word, ";" | "}") && open.last().is_none_or(|&(_, block)| block) {
                start = at + 1;
            }
        }
        ends
    }

    /// Whether a brace opens a block, and no list of values or names.
    fn is_block(&self, brace: usize) -> bool {
        let before = self.word(brace.checked_sub(1));
        let named = ["enum", "class"].contains(&self.word(brace.checked_sub(2)));
        !named && !matches!(before, "=" | "," | "(" | "{" | "return" | "enum" | "]")
    }

    /// Whether tokens, of which the last may close a bracket, are all of a statement or declaration but its end.
    fn is_statement(&self, start: usize, end: usize, opened: usize) -> bool {
        let word = |at: usize| self.word(Some(at));
        let Some(last) = end.checked_sub(1).filter(|&last| last >= start) else {
            return false;
        };
        let (first, ending) = (word(start), word(last));
        let attribute = |name: usize| name.checked_sub(1).is_some_and(|at| word(at) == "@");
        if ending == ")" {
            let called = opened.saturating_sub(1);
            let apart = matches!(word(called), "for" | "if" | "while" | "switch" | "alignas");
            return !apart && !attribute(called) && !word(called).starts_with("__");
        }
        let operand = self
            .code
            .get(last)
            .is_some_and(|&at| is_operand(self.lexed, at));
        if matches!(ending, "]" | "++" | "--" | "break" | "continue" | "return") {
            return true;
        }
        if !operand || KEYWORDS.contains(&ending) || attribute(last) {
            return false;
        }
        let assigns = |at: usize| matches!(word(at), "=" | "+=" | "-=" | "*=" | "/=" | "return");
        let declares =
            first == "const" || first == "unsigned" || Scalar::from_words([first]).is_some();
        (start..last).any(assigns) || (declares && last > start)
    }
}

/// Whether a statement can begin with a word, and no line go on with it.
fn begins(word: &str) -> bool {
    let name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    name || matches!(word, "@" | "}" | "++" | "--")
}
