//! From Brook+ and `@attribute` syntax to plain C and C++ with `[[okl_…("…")]]` and
//! `[[brook_…("…")]]`, token by token.
//!
//! The pass works on raw text: macro bodies, headers and branches not taken are normalised like
//! everything else, and every directive stays as it is written. What is in normal form already is
//! left alone, so normalising twice changes nothing; macro expansion relies on that.
//!
//! - `okl.rs`: `@name(arguments)` in every position OKL allows.
//! - `lines.rs`: `@directive("…")` and `OKL("…")`.
//! - `brook.rs`: `kernel`, `reduce`, `out`, `iter`, `shared`, and the angle brackets of streams.
//! - `brackets.rs`: which bracket closes which.
//! - [`attributes`]: the table generated from `grammar/attributes.toml`.

pub mod attributes;
mod brackets;
mod brook;
mod lines;
mod okl;

pub use crate::grammar::Dialect;
use crate::lex::{Token, lex, spliced_words};
use crate::source::{EditMap, Edits};
use brackets::Brackets;
use foldhash::HashMap;
use std::cell::RefCell;

/// The plain form of `text`, and the map back. What only macro expansion or a directive decides is left
/// as it is: `@name` where `name` is no attribute (but may be a macro, or become one by pasting), and
/// attributes with directives among their arguments.
pub fn normalize(text: &str, dialect: Dialect) -> (String, EditMap) {
    pass(text, dialect, false)
}

/// The plain form of preprocessed text, in which nothing is left to be decided.
pub fn normalize_preprocessed(text: &str, dialect: Dialect) -> (String, EditMap) {
    pass(text, dialect, true)
}

fn pass(text: &str, dialect: Dialect, preprocessed: bool) -> (String, EditMap) {
    let tokens = lex(text);
    let source = Source {
        text,
        preprocessed,
        brackets: Brackets::of(text, &tokens),
        spliced: spliced_words(text, &tokens),
        lines: (0..)
            .zip(&tokens)
            .filter_map(|(index, token)| token.line_start.then_some(index))
            .collect(),
        starts: RefCell::default(),
        tokens,
    };
    let mut edits = Edits::new();
    match dialect {
        Dialect::Okl => okl::normalize(&source, &mut edits),
        Dialect::Brook => brook::normalize(&source, &mut edits),
    }
    if edits.is_empty() {
        return (text.to_string(), EditMap::identity());
    }
    // Both passes visit each token once and edit disjoint tokens; should that ever be wrong, the
    // text as written is parsed, and the parser reports what it finds.
    edits
        .apply(text)
        .unwrap_or_else(|_| (text.to_string(), EditMap::identity()))
}

/// A text and its tokens, as both passes see it.
struct Source<'a> {
    text: &'a str,
    /// Macros are expanded and directives obeyed.
    preprocessed: bool,
    tokens: Vec<Token>,
    /// Spellings of tokens with a backslash-newline inside.
    spliced: HashMap<usize, Box<str>>,
    brackets: Brackets,
    /// Which tokens are the first of their lines.
    lines: Vec<usize>,
    /// What `declaration_start` has found so far, by token. Attributes come in long rows, and each of them asks.
    starts: RefCell<HashMap<usize, Start>>,
}

/// Where the declaration that a token belongs to begins.
#[derive(Clone, Copy)]
enum Start {
    At(usize),
    /// There is a directive before it: at the token that was asked for.
    Here,
}

impl Source<'_> {
    fn word(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(token) if token.spliced => self.spliced.get(&index).map_or("", |w| w),
            Some(token) => token.text(self.text),
            None => "",
        }
    }

    fn is_identifier(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(Token::is_identifier)
    }

    /// The index after the bracket that closes the one at `open`.
    fn after(&self, open: usize) -> Option<usize> {
        self.brackets.partner(open).map(|close| close + 1)
    }

    /// First token of the declaration or statement that token `index` belongs to. `<…>` before it
    /// is skipped like other brackets.
    fn declaration_start(&self, index: usize) -> usize {
        let mut starts = self.starts.borrow_mut();
        let mut passed = Vec::new();
        let found = self.walk_to_start(index, &starts, &mut passed);
        starts.extend(passed.into_iter().map(|at| (at, found)));
        match found {
            Start::At(start) => start,
            Start::Here => index,
        }
    }

    /// The same, and which tokens it went by, from which it is no other.
    fn walk_to_start(
        &self,
        index: usize,
        known: &HashMap<usize, Start>,
        passed: &mut Vec<usize>,
    ) -> Start {
        let mut start = index;
        while start > 0 {
            if let Some(found) = known.get(&start) {
                return *found;
            }
            passed.push(start);
            let previous = start - 1;
            if self.tokens.get(start).is_some_and(|t| t.line_start) && self.in_directive(previous) {
                break;
            }
            match self.word(previous) {
                "(" | "," | ";" | "{" | "}" | ":" => break,
                ")" | "]" => match self.brackets.partner(previous) {
                    Some(open) if self.ends_macro_head(open) => break,
                    Some(open) => start = open,
                    None => break,
                },
                ">" => match self.template_open(previous) {
                    Some(open) => start = open,
                    None => break,
                },
                word => {
                    if self.is_identifier(previous) && self.is_macro_name(previous) {
                        break;
                    }
                    start = previous;
                    if word == "#" {
                        return Start::Here;
                    }
                }
            }
        }
        Start::At(start)
    }

    /// The first token of the line that token `index` stands in.
    fn line_start(&self, index: usize) -> usize {
        let lines = self.lines.partition_point(|&first| first <= index);
        let last = lines.checked_sub(1).and_then(|i| self.lines.get(i));
        last.copied().unwrap_or(0)
    }

    /// Whether token `index` stands in a preprocessor directive.
    fn in_directive(&self, index: usize) -> bool {
        self.word(self.line_start(index)) == "#"
    }

    /// Whether token `index` names a parameter of the macro in whose definition it stands.
    fn is_macro_parameter(&self, index: usize) -> bool {
        let start = self.line_start(index);
        let open = start + 3;
        let Some(close) = self.brackets.partner(open) else {
            return false;
        };
        self.word(start) == "#"
            && self.ends_macro_head(open)
            && (open..close).any(|at| self.word(at) == self.word(index))
    }

    /// Whether a directive stands among tokens `from..to`.
    fn holds_directive(&self, from: usize, to: usize) -> bool {
        (from..to)
            .any(|at| self.tokens.get(at).is_some_and(|t| t.line_start) && self.word(at) == "#")
    }

    /// Whether token `index` is the name that a `#define` defines.
    fn is_macro_name(&self, index: usize) -> bool {
        index >= 2
            && self.word(index - 1) == "define"
            && self.word(index - 2) == "#"
            && self.tokens.get(index - 2).is_some_and(|t| t.line_start)
    }

    /// Whether the bracket at `open` begins the parameter list of a function-like macro being defined.
    fn ends_macro_head(&self, open: usize) -> bool {
        open > 0
            && self.tokens.get(open).is_some_and(|t| !t.space_before)
            && self.is_macro_name(open - 1)
    }

    fn template_open(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        for at in (close.saturating_sub(64)..=close).rev() {
            match self.word(at) {
                ">" => depth += 1,
                "<" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }
}

/// `[[PREFIX_NAME("ARGUMENTS")]]`; the arguments are escaped for the string literal they live in.
fn render_attribute(prefix: &str, name: &str, arguments: &str) -> String {
    let mut out = String::with_capacity(arguments.len() + name.len() + 16);
    out.push_str("[[");
    out.push_str(prefix);
    out.push_str(name);
    out.push_str("(\"");
    escape_into(arguments, &mut out);
    out.push_str("\")]]");
    out
}

fn escape_into(text: &str, out: &mut String) {
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
}

/// The text of tokens `from..to` on one line: blanks stay blanks, comments and line ends become one.
fn one_line(source: &Source<'_>, from: usize, to: usize) -> String {
    let mut out = String::new();
    for (index, token) in source.tokens.iter().enumerate().take(to).skip(from) {
        if index > from && token.space_before {
            out.push(' ');
        }
        out.push_str(source.word(index));
    }
    out
}

#[cfg(test)]
mod tests;
