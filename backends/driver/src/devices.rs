//! The devices that a driver has found, and those that are open.

use crate::error::{Error, Result};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// Devices are looked up once in the life of this value. Opening one twice gives the same device while the first is still
/// in use, so their buffers can be mixed.
pub struct Devices<F, D> {
    found: OnceLock<Result<Vec<F>>>,
    open: Mutex<Vec<(usize, Weak<D>)>>,
}

impl<F, D> Default for Devices<F, D> {
    fn default() -> Self {
        Self {
            found: OnceLock::new(),
            open: Mutex::default(),
        }
    }
}

impl<F, D> Devices<F, D> {
    /// What `find` found when it was asked first.
    ///
    /// # Errors
    /// What `find` says, each time.
    pub fn found(&self, find: impl FnOnce() -> Result<Vec<F>>) -> Result<&[F]> {
        let found = self.found.get_or_init(find);
        found.as_deref().map_err(Clone::clone)
    }

    /// Opens the `ordinal`-th of what was found, unless it is open.
    ///
    /// # Errors
    /// There is none of that number, or what `open` says.
    pub fn open(
        &self,
        backend: &str,
        found: &[F],
        ordinal: usize,
        open: impl FnOnce(&F) -> Result<D>,
    ) -> Result<Arc<D>> {
        let Some(one) = found.get(ordinal) else {
            return Err(Error::invalid(format!(
                "there is no {backend}:{ordinal}; the last device is {backend}:{}",
                found.len() - 1
            )));
        };
        let mut opened = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        opened.retain(|(_, device)| device.strong_count() > 0);
        let known = opened.iter().find(|(o, _)| *o == ordinal);
        if let Some(device) = known.and_then(|(_, device)| device.upgrade()) {
            return Ok(device);
        }
        let device = Arc::new(open(one)?);
        opened.push((ordinal, Arc::downgrade(&device)));
        Ok(device)
    }
}
