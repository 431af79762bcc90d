//! Where a long text can be cut: whoever types breaks one statement of many, and trying on that alone is as much faster as
//! it is shorter.

use super::oracle::{Oracle, Reads};
use crate::lex::{Lexed, lex};
use crate::source::Span;
use crate::syntax::{apart, remembers};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;

/// Bytes below which nothing is won.
const LEAST: usize = 4000;
/// Parts that cannot be parsed by themselves; with more, the text is not cut where we think.
const MOST_BROKEN: usize = 4;
/// What a statement is given to be one of a function.
const BEFORE: &str = "void f() {\n";
const BEHIND: &str = "\n}\n";

/// A function or declaration of a text, or a statement of a long function.
pub(super) struct Part {
    pub(super) span: Span,
    is_statement: bool,
}

impl Part {
    /// What is parsed of it.
    pub(super) fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let own = self.span.of(text);
        match self.is_statement {
            true => Cow::Owned(format!("{BEFORE}{own}{BEHIND}")),
            false => Cow::Borrowed(own),
        }
    }

    /// The place in the whole text of one in what is parsed; `None` if it is in nothing of the text's.
    pub(super) fn place(&self, span: Span) -> Option<Span> {
        let before = if self.is_statement {
            BEFORE.len() as u32
        } else {
            0
        };
        let moved = |at: u32| Some(at.checked_sub(before)? + self.span.start);
        let place = Span::new(moved(span.start)?, moved(span.end)?);
        (place.end <= self.span.end).then_some(place)
    }

    /// What takes the place of the part, of what is parsed and has been changed.
    pub(super) fn mended<'t>(&self, after: &'t str) -> Option<&'t str> {
        match self.is_statement {
            true => after.strip_prefix(BEFORE)?.strip_suffix(BEHIND),
            false => Some(after),
        }
    }
}

/// The parts of a text that cannot be parsed, if all others can; none where the text is short, or does not fall into
/// parts.
pub(super) fn broken(text: &str, oracle: &Oracle<'_>) -> Option<Vec<Part>> {
    if text.len() < LEAST {
        return None;
    }
    let items = items(text);
    let is_one = items.len() < 3;
    if is_one && oracle.has_streams() {
        return None;
    }
    let mut search = Search {
        text,
        oracle,
        sound: Sound::recalled(oracle),
        broken: Vec::new(),
    };
    for span in items {
        // What follows something that is not closed says the same as often as there is text.
        if search.may_go_on() {
            search.part(span, false);
        }
    }
    search.sound.keep(oracle);
    let broken = search.broken;
    // The text as it is would be looked at anyway.
    let cut = !is_one || broken.iter().all(|part| part.is_statement);
    (cut && (1..=MOST_BROKEN).contains(&broken.len())).then_some(broken)
}

struct Search<'s> {
    text: &'s str,
    oracle: &'s Oracle<'s>,
    sound: Sound,
    broken: Vec<Part>,
}

impl Search<'_> {
    fn may_go_on(&self) -> bool {
        self.broken.len() <= MOST_BROKEN
    }

    /// Notes what of a part cannot be parsed: statements in it, or all of it.
    fn part(&mut self, span: Span, is_statement: bool) {
        let found = self.broken.len();
        // Of Brook+'s functions, only kernels are parsed.
        if span.of(self.text).len() >= LEAST && !self.oracle.has_streams() {
            for inner in statements(span.of(self.text)) {
                if self.may_go_on() {
                    let (start, end) = (inner.start + span.start, inner.end + span.start);
                    self.part(Span::new(start, end), true);
                }
            }
        }
        if self.broken.len() > found {
            return;
        }
        let part = Part { span, is_statement };
        if !self.sound.is(&part.of(self.text), self.oracle) {
            self.broken.push(part);
        }
    }
}

/// Parts that can be parsed. While somebody types, those of the text before are known.
struct Sound {
    before: HashSet<String>,
    now: HashSet<String>,
}

thread_local! {
    static SOUND: RefCell<Option<(Reads, HashSet<String>)>> = const { RefCell::new(None) };
}

impl Sound {
    fn recalled(oracle: &Oracle<'_>) -> Self {
        let before = SOUND.take();
        let before = before.filter(|(reads, _)| remembers() && *reads == oracle.reads());
        Self {
            before: before.map(|(_, items)| items).unwrap_or_default(),
            now: HashSet::new(),
        }
    }

    fn is(&mut self, item: &str, oracle: &Oracle<'_>) -> bool {
        if let Some(known) = self.before.take(item) {
            self.now.insert(known);
        }
        // What is found must not depend on what is remembered.
        if self.now.contains(item) {
            oracle.counts(item);
            return true;
        }
        let sound = apart(|| oracle.first_error(item)).is_none();
        if sound {
            self.now.insert(item.to_string());
        }
        sound
    }

    fn keep(self, oracle: &Oracle<'_>) {
        if remembers() {
            SOUND.set(Some((oracle.reads(), self.now)));
        }
    }
}

/// A text by what begins in the first column, behind something that ends.
fn items(text: &str) -> Vec<Span> {
    let tokens = lex(text);
    let mut starts = Vec::new();
    let mut before = "";
    for token in &tokens {
        let at = token.span.start as usize;
        let first = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
        let word = token.text(text);
        if first && begins(word) && matches!(before, "" | "}" | ";") {
            starts.push(token.span.start);
        }
        before = word;
    }
    let ends = starts.iter().skip(1).copied();
    let ends: Vec<u32> = ends.chain([text.len() as u32]).collect();
    let spans = starts.iter().zip(ends);
    spans.map(|(&start, end)| Span::new(start, end)).collect()
}

/// The statements in the outermost braces of a function or loop, by what begins in the first one's column behind something
/// that ends; none where something begins further left.
fn statements(text: &str) -> Vec<Span> {
    let lexed = Lexed::new(text);
    let Some(open) = (0..lexed.tokens.len()).find(|&at| lexed.word(at) == "{") else {
        return Vec::new();
    };
    let mut lines = (open + 1..lexed.tokens.len()).filter(|&at| lexed.tokens[at].line_start);
    let Some(first) = lines.next() else {
        return Vec::new();
    };
    let own = lexed.column(first);
    if own == 0 || first != open + 1 {
        return Vec::new();
    }
    let mut starts = Vec::new();
    let mut end = None;
    for at in std::iter::once(first).chain(lines) {
        let (word, start) = (lexed.word(at), lexed.tokens[at].span.start);
        let here = lexed.column(at);
        if word == "#" || here > own {
            continue;
        }
        if here < own {
            end = Some((at, start - here as u32));
            break;
        }
        if begins(word) && matches!(lexed.word(at - 1), "{" | "}" | ";") {
            starts.push(start - here as u32);
        }
    }
    let Some((closing, end)) = end else {
        return Vec::new();
    };
    if (closing..lexed.tokens.len()).any(|at| lexed.word(at) != "}") {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| Span::new(start, end))
        .collect()
}

/// Whether a word can be a statement's or declaration's first one, and is not what another one goes on with.
fn begins(word: &str) -> bool {
    let name = word == "@" || word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    name && !matches!(word, "else" | "while" | "case" | "default")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_in_the_first_column_is_an_item() {
        let text = "int a;\n@kernel void f() {\n  int x\n}\n\nvoid g()\n{\nint y;\n}\nfloat\nh() { return 1; }\n";
        let pieces: Vec<&str> = items(text).into_iter().map(|i| i.of(text).trim()).collect();
        assert_eq!(
            pieces,
            [
                "int a;",
                "@kernel void f() {\n  int x\n}",
                "void g()\n{\nint y;\n}",
                "float\nh() { return 1; }",
            ]
        );
    }

    #[test]
    fn what_begins_in_the_column_of_the_first_statement_is_one() {
        let text = "@kernel void f(\n    int n) {\n  int x;\n  for (;;) {\n    x = 1;\n  }\n  if (x)\n    y();\n  else\n    z();\n  { x = 2; }\n}\n";
        let pieces: Vec<&str> = statements(text)
            .into_iter()
            .map(|i| i.of(text).trim())
            .collect();
        assert_eq!(
            pieces,
            [
                "int x;",
                "for (;;) {\n    x = 1;\n  }",
                "if (x)\n    y();\n  else\n    z();\n  { x = 2; }"
            ]
        );
        for none in [
            "void f() { int x;\n  int y; }\n",
            "void f() {\nint x;\n}\n",
            "void f() {\n  int x;\n y = 1;\n}\n",
            "int a;",
        ] {
            assert_eq!(statements(none), [], "{none}");
        }
    }
}
