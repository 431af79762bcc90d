//! Several sources at a time, whose results are told in their order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` makes of the numbers below `count`, in their order, on at most that many threads. Each thread has a state of
/// its own, which it begins with and which is given away in the end. Nothing where a piece of work did not end.
pub(crate) fn in_order<S, T: Send>(
    count: usize,
    threads: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&S, usize) -> T + Sync,
    end: impl Fn(S) + Sync,
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(|| {
                let state = start();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(slot) = results.get(index) else {
                        break;
                    };
                    let done = work(&state, index);
                    if let Ok(mut result) = slot.lock() {
                        *result = Some(done);
                    }
                }
                end(state);
            });
        }
    });
    let results = results.into_iter();
    results.map(|r| r.into_inner().ok().flatten()).collect()
}
