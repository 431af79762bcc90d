//! What exchanges use, kept for the next ones: to allocate takes a device longer than to exchange.

use super::super::{Result, lock};
use std::sync::Mutex;

/// What no exchange uses now.
pub(super) struct Kept<T>(Mutex<Vec<T>>);

/// More are not kept.
const MOST: usize = 4;

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// One that fits, or a new one.
    pub(super) fn take(
        &self,
        fits: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let mut kept = lock(&self.0);
        if let Some(at) = kept.iter().position(fits) {
            return Ok(kept.swap_remove(at));
        }
        drop(kept);
        make()
    }

    /// Keeps what an exchange has done with.
    pub(super) fn give_back(&self, one: T) {
        let mut kept = lock(&self.0);
        kept.truncate(MOST - 1);
        kept.push(one);
    }
}
