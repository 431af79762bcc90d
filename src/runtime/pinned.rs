//! Host memory that the device copies from and to without a detour.

use super::{Device, Element, Result};
use brook_driver::HostMemory;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Host memory that the device copies from and to without a detour, which is what asynchronous copies
/// want: page-locked on GPUs, ordinary on the processor. A slice in all other respects.
pub struct Pinned<T: Element> {
    memory: Box<dyn HostMemory>,
    len: usize,
    element: PhantomData<T>,
}

impl Device {
    /// Pinned host memory of `len` elements, all of them zero.
    ///
    /// # Errors
    /// There is not enough of it.
    pub fn pinned<T: Element>(&self, len: usize) -> Result<Pinned<T>> {
        // Drivers align it for every vector type, and numbers need no more.
        const { assert!(align_of::<T>() <= 64) };
        let memory = self.driver().pinned(T::KIND.bytes_for(len)?)?;
        Ok(Pinned {
            memory,
            len,
            element: PhantomData,
        })
    }
}

impl<T: Element> Deref for Pinned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the memory has room for that many aligned elements, any bytes are elements, and all
        // were zero at first. Nobody else has the address.
        unsafe { std::slice::from_raw_parts(self.memory.pointer().cast(), self.len) }
    }
}

impl<T: Element> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.memory.pointer().cast(), self.len) }
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for Pinned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}
