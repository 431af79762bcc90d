//! Where a long text can be cut: whoever types breaks one function of many, and trying on that alone is as much faster as
//! it is shorter.

use super::oracle::{Oracle, Reads};
use crate::lex::lex;
use crate::source::Span;
use crate::syntax::{apart, remembers};
use std::cell::RefCell;
use std::collections::HashSet;

/// Bytes below which nothing is won.
const LEAST: usize = 4000;
/// Items that cannot be parsed by themselves; with more, the text is not cut where we think.
const MOST_BROKEN: usize = 4;

/// The items of a text that cannot be parsed, if all others can; none where the text is short, or does not fall into
/// items.
pub(super) fn broken(text: &str, oracle: &Oracle<'_>) -> Option<Vec<Span>> {
    if text.len() < LEAST {
        return None;
    }
    let items = items(text);
    if items.len() < 3 {
        return None;
    }
    let mut sound = Sound::recalled(oracle);
    let mut broken = Vec::new();
    for item in items {
        // What follows something that is not closed says the same as often as there is text.
        if !sound.is(item.of(text), oracle) {
            broken.push(item);
        }
        if broken.len() > MOST_BROKEN {
            break;
        }
    }
    sound.keep(oracle);
    (1..=MOST_BROKEN).contains(&broken.len()).then_some(broken)
}

/// Items that can be parsed. While somebody types, those of the text before are known.
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
        let begins = word == "@" || word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let alone = !matches!(word, "else" | "while" | "case" | "default");
        if first && begins && alone && matches!(before, "" | "}" | ";") {
            starts.push(token.span.start);
        }
        before = word;
    }
    let ends = starts.iter().skip(1).copied();
    let ends: Vec<u32> = ends.chain([text.len() as u32]).collect();
    let spans = starts.iter().zip(ends);
    spans.map(|(&start, end)| Span::new(start, end)).collect()
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
}
