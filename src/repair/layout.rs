//! Where lines begin, and what that says about brackets.

use crate::lex::{Lexed, Token};
use crate::source::Span;

/// A text with the columns in which its lines begin.
pub(super) struct Text<'l, 't> {
    pub(super) lexed: &'l Lexed<'t>,
    /// For each token the column in which its line begins.
    lines: Vec<usize>,
    /// For each token the column in which the lines begin that belong together: a list of parameters does not end what
    /// it stands in.
    heads: Vec<usize>,
    /// It stands in a directive.
    pub(super) directive: Vec<bool>,
}

impl<'l, 't> Text<'l, 't> {
    pub(super) fn of(lexed: &'l Lexed<'t>) -> Self {
        let count = lexed.tokens.len();
        let mut lines = Vec::with_capacity(count);
        let mut heads = Vec::with_capacity(count);
        let mut directive = Vec::with_capacity(count);
        let (mut line, mut head, mut in_directive) = (0, 0, false);
        // For each open brace, the brackets that are open in it.
        let mut open = vec![0usize];
        let inside = |open: &[usize]| open.last().is_some_and(|&o| o > 0);
        let mut before = "";
        for (at, token) in lexed.tokens.iter().enumerate() {
            let word = lexed.word(at);
            if token.line_start {
                line = lexed.column(at);
                in_directive = word == "#";
                if !in_directive && !inside(&open) && before != "," {
                    head = line;
                }
            }
            lines.push(line);
            directive.push(in_directive);
            if in_directive {
                heads.push(line);
                continue;
            }
            before = word;
            // What closes brackets belongs to what they stand in, and what opens them, too.
            let closes = matches!(word, ")" | "]");
            if let Some(inner) = open.last_mut().filter(|_| closes) {
                *inner = inner.saturating_sub(1);
            }
            heads.push(if inside(&open) { line } else { head });
            match word {
                "{" => open.push(0),
                "}" if open.len() > 1 => {
                    open.pop();
                }
                "(" | "[" => {
                    if let Some(inner) = open.last_mut() {
                        *inner += 1;
                    }
                }
                _ => {}
            }
        }
        Self {
            lexed,
            lines,
            heads,
            directive,
        }
    }

    pub(super) fn span(&self, at: usize) -> Span {
        let end = Span::at(self.lexed.text.len() as u32);
        self.lexed.tokens.get(at).map_or(end, |t| t.span)
    }

    pub(super) fn starts_line(&self, at: usize) -> bool {
        self.lexed.tokens.get(at).is_some_and(|t| t.line_start)
    }

    /// The column in which the line of a token begins.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.get(at).copied().unwrap_or(0)
    }

    /// The column of what a brace opens.
    pub(super) fn head(&self, open: usize) -> usize {
        match self.starts_line(open) {
            true => self.line(open),
            false => self.heads.get(open).copied().unwrap_or(0),
        }
    }

    /// The first line behind an open brace that is no further right than what it opens, and whether the lines before
    /// it are: elsewhere layout says nothing.
    pub(super) fn first_outside(&self, open: usize) -> (usize, bool) {
        let count = self.lexed.tokens.len();
        let head = self.head(open);
        let mut lines = (open + 1..count).filter(|&at| self.starts_line(at) && !self.directive[at]);
        let Some(first) = lines.next() else {
            return (count, true);
        };
        let inner = self.line(first);
        // `} else {` and `} name;` without the brace stand where that was followed by a blank.
        let goes_on = |at: usize| {
            let named = self.lexed.tokens.get(at).is_some_and(Token::is_identifier);
            self.lexed.word(at) == "else" || (named && self.lexed.word(at + 1) == ";")
        };
        let outside = |&at: &usize| self.line(at) <= head || (self.line(at) < inner && goes_on(at));
        let next = std::iter::once(first).chain(lines).find(outside);
        (next.unwrap_or(count), inner > head)
    }

    /// Whether a token is an `else` further left than the lines of the block in which it stands. In `} else {`, it stands
    /// behind a brace.
    pub(super) fn is_left_by_else(&self, open: usize, at: usize) -> bool {
        self.starts_line(at)
            && self.lexed.word(at) == "else"
            && self.lexed.word(open) == "{"
            && self.starts_line(open + 1)
            && self.line(at) < self.line(open + 1)
    }

    /// Whether a brace is closed further left than what it opens, or further right.
    pub(super) fn askew(&self, open: usize, close: usize) -> std::cmp::Ordering {
        self.line(close).cmp(&self.head(open))
    }
}
