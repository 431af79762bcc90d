//! Texts whose tokens are known: one stage of a translation after the other looks at the same text.

use super::Token;
use std::cell::RefCell;

/// Texts that are remembered: a source's own, its normal form, what the preprocessor makes of that, and the parser's input.
const MOST: usize = 4;

/// Bytes below which a text is read again as soon as it is found.
const LEAST: usize = 200;

/// Texts and their tokens, the latest first.
type Known = Vec<(Box<str>, Box<[Token]>)>;

thread_local! {
    /// What is known while somebody remembers.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// A text that `work` lexes again has the tokens that it had. What is remembered is gone behind it.
pub(crate) fn remembering_tokens<R>(work: impl FnOnce() -> R) -> R {
    struct Forget(bool);
    impl Drop for Forget {
        fn drop(&mut self) {
            if self.0 {
                KNOWN.set(None);
            }
        }
    }
    let first = KNOWN.with_borrow_mut(|known| {
        let first = known.is_none();
        known.get_or_insert_default();
        first
    });
    let _forget = Forget(first);
    work()
}

/// The tokens of a text: those of the last time, or what `read` finds.
pub(super) fn recalled(text: &str, read: impl FnOnce() -> Vec<Token>) -> Vec<Token> {
    if text.len() < LEAST {
        return read();
    }
    KNOWN.with_borrow_mut(|known| {
        let Some(known) = known else {
            return read();
        };
        if let Some(at) = known.iter().position(|(t, _)| **t == *text) {
            known[..=at].rotate_right(1);
            return known[0].1.to_vec();
        }
        let tokens = read();
        known.truncate(MOST - 1);
        known.insert(0, (text.into(), tokens.as_slice().into()));
        tokens
    })
}
