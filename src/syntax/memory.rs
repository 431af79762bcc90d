//! The tree of the text before: while somebody types, most of the next text is as it was.

use super::Grammar;
use std::cell::{Cell, RefCell};
use tree_sitter::{InputEdit, Point, Tree};

/// Bytes below which a parse from the beginning takes no time.
const LEAST: usize = 2000;

/// Texts that are remembered: a source as it is analysed, and as repairs are looked for in it.
const MOST: usize = 2;

/// A text, and its tree.
struct Remembered {
    grammar: Grammar,
    text: String,
    tree: Tree,
}

thread_local! {
    static REMEMBERS: Cell<bool> = const { Cell::new(false) };
    static GIVES_UP: Cell<Option<bool>> = const { Cell::new(None) };
    static LAST: RefCell<Vec<Remembered>> = const { RefCell::new(Vec::new()) };
    /// A text that could not be parsed, and its tree, which was made from the beginning.
    static BROKEN: RefCell<Option<Remembered>> = const { RefCell::new(None) };
}

/// What `work` parses may begin with what was parsed before, in this thread, by another such call. Trees are the same.
pub(crate) fn remembering<R>(work: impl FnOnce() -> R) -> R {
    during(true, work)
}

/// Parts of a text are parsed: the tree of the whole stays in memory.
pub(crate) fn apart<R>(work: impl FnOnce() -> R) -> R {
    during(false, work)
}

/// The same for whoever has something better to do with a text that cannot be parsed, if what was parsed before tells that it
/// is one: `true` besides what came of `work`, whose trees are empty then.
pub(crate) fn giving_up<R>(work: impl FnOnce() -> R) -> (R, bool) {
    let before = GIVES_UP.replace(Some(false));
    let result = work();
    let gave_up = GIVES_UP.replace(before);
    (result, gave_up == Some(true))
}

/// Whether nobody needs the tree of a text that cannot be parsed; notes that there is one.
pub(super) fn gives_up() -> bool {
    let gives_up = GIVES_UP.get().is_some();
    if gives_up {
        GIVES_UP.set(Some(true));
    }
    gives_up
}

/// Whether there is somebody who types.
pub(crate) fn remembers() -> bool {
    REMEMBERS.get()
}

fn during<R>(remembers: bool, work: impl FnOnce() -> R) -> R {
    let before = REMEMBERS.replace(remembers);
    let result = work();
    REMEMBERS.set(before);
    result
}

/// The tree of the text before, prepared for a text.
pub(super) fn recalled(grammar: Grammar, text: &str) -> Option<Tree> {
    if !REMEMBERS.get() || text.len() < LEAST {
        return None;
    }
    LAST.with_borrow(|last| {
        let (last, edit) = nearest(last, grammar, text)?;
        let mut tree = last.tree.clone();
        tree.edit(&edit);
        Some(tree)
    })
}

/// The tree of just this text, if it could not be parsed before either.
pub(super) fn still_broken(grammar: Grammar, text: &str) -> Option<Tree> {
    let same = |b: &&Remembered| REMEMBERS.get() && b.grammar == grammar && b.text == text;
    BROKEN.with_borrow(|broken| broken.as_ref().filter(same).map(|b| b.tree.clone()))
}

/// Keeps a text and its tree, which are those of a parse from the beginning.
pub(super) fn remember(grammar: Grammar, text: &str, tree: &Tree) {
    if !REMEMBERS.get() || text.len() < LEAST {
        return;
    }
    let new = Remembered {
        grammar,
        text: text.to_string(),
        tree: tree.clone(),
    };
    if tree.root_node().has_error() {
        BROKEN.set(Some(new));
        return;
    }
    LAST.with_borrow_mut(|last| {
        last.retain(|l| l.grammar != grammar || difference(&l.text, text).is_none());
        last.truncate(MOST - 1);
        last.insert(0, new);
    });
}

/// What is remembered of a text that differs in one place.
fn nearest<'l>(
    last: &'l [Remembered],
    grammar: Grammar,
    text: &str,
) -> Option<(&'l Remembered, InputEdit)> {
    let mut same = last.iter().filter(|l| l.grammar == grammar);
    same.find_map(|l| Some((l, difference(&l.text, text)?)))
}

/// The one place where two texts differ; nothing if that is most of them.
fn difference(old: &str, new: &str) -> Option<InputEdit> {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let before = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()) - before;
    let behind = a.iter().rev().zip(b.iter().rev());
    let behind = behind.take(rest).take_while(|(x, y)| x == y).count();
    let (old_end, new_end) = (a.len() - behind, b.len() - behind);
    (before + behind > b.len() / 2).then(|| InputEdit {
        start_byte: before,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(a, before),
        old_end_position: point(a, old_end),
        new_end_position: point(b, new_end),
    })
}

/// Row and column, in bytes, of a byte.
fn point(text: &[u8], at: usize) -> Point {
    let before = text.get(..at).unwrap_or(text);
    let row = before.iter().filter(|b| **b == b'\n').count();
    let start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |i| i + 1);
    Point::new(row, before.len() - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_one_piece() {
        let same = |old: &str, new: &str| {
            difference(old, new).map(|e| (e.start_byte, e.old_end_byte, e.new_end_byte))
        };
        assert_eq!(
            same("int a;\nint b;", "int a;\nint bc;"),
            Some((12, 12, 13))
        );
        assert_eq!(same("aaaa", "aaa"), Some((3, 4, 3)));
        assert_eq!(same("aa", "aaaa"), Some((2, 2, 4)).filter(|_| false));
        assert_eq!(same("abc", "xyz"), None);
        let edit = difference("int a;\nint b;", "int a;\nint bc;");
        assert_eq!(edit.map(|e| e.start_position), Some(Point::new(1, 5)));
    }
}
