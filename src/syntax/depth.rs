//! How deep a tree may be: whoever walks one recurses. A sum of a thousand terms is as deep as it has terms, and so is a
//! row of `else if`: what is not nested to its reader, so such sources are read once more, with a stack that suits them.

use std::cell::Cell;
use std::thread;

/// Levels that any thread's stack has room for.
const USUAL: usize = 200;
/// Levels of trees that have a stack of their own.
const MOST: usize = 12_000;
/// Bytes of that stack. Only what is used becomes memory.
const STACK: usize = 512 << 20;

thread_local! {
    static DEEPEST: Cell<usize> = const { Cell::new(USUAL) };
}

/// Deeper trees are refused.
pub(super) fn deepest() -> usize {
    DEEPEST.get()
}

/// Does work over trees that are deeper than usual; `None` if there is no stack to be had.
pub(crate) fn deeply<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    if deepest() > USUAL {
        return None;
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        let work = || {
            DEEPEST.set(MOST);
            work()
        };
        let running = builder.spawn_scoped(scope, work).ok()?;
        match running.join() {
            Ok(done) => Some(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
