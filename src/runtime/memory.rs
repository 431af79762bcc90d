//! Typed device memory.

use super::{Device, Error, Result};
use crate::expr::Scalar;
use brook_driver::Buffer;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

mod sealed {
    pub trait Sealed {}
}

/// A scalar type that lies in device memory as it does on the host.
pub trait Element: sealed::Sealed + Copy + Default + Send + Sync + 'static {
    /// The type's name in kernels.
    const SCALAR: Scalar;
}

macro_rules! elements {
    ($($rust:ty => $scalar:ident),* $(,)?) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const SCALAR: Scalar = Scalar::$scalar;
        }
    )*};
}

// Not `bool`: a byte that a kernel wrote need not be 0 or 1, as Rust demands of one.
elements! {
    i8 => Char, u8 => UChar, i16 => Short, u16 => UShort, i32 => Int, u32 => UInt,
    i64 => Long, u64 => ULong, f32 => Float, f64 => Double,
}

/// The bytes of a slice of elements.
pub(crate) fn bytes_of<T: Element>(slice: &[T]) -> &[u8] {
    // SAFETY: elements are plain numbers without padding, so every byte of them is initialised, and
    // a byte has no alignment.
    unsafe { std::slice::from_raw_parts(slice.as_ptr().cast(), size_of_val(slice)) }
}

/// The bytes of a slice of elements, to be written.
pub(crate) fn bytes_of_mut<T: Element>(slice: &mut [T]) -> &mut [u8] {
    // SAFETY: as in `bytes_of`; and any bytes are valid elements, since all of them are numbers.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), size_of_val(slice)) }
}

/// Device memory that holds `len` elements of type `T`; freed when dropped.
pub struct Memory<T: Element> {
    buffer: Arc<dyn Buffer>,
    device: Device,
    len: usize,
    element: PhantomData<T>,
}

impl Device {
    /// Device memory with a copy of `elements`.
    ///
    /// # Errors
    /// There is not enough memory, or the copy failed.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<Memory<T>> {
        let memory = Memory::uninitialized(self, elements.len())?;
        memory.buffer.write(0, bytes_of(elements))?;
        Ok(memory)
    }

    /// Device memory of `len` elements, all of them zero.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Memory<T>> {
        let memory = Memory::uninitialized(self, len)?;
        memory.buffer.zero()?;
        Ok(memory)
    }
}

impl<T: Element> Memory<T> {
    fn uninitialized(device: &Device, len: usize) -> Result<Self> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| {
            Error::argument(format!(
                "{len} elements of {} bytes are too many",
                size_of::<T>()
            ))
        })?;
        let buffer = device.allocate(bytes)?;
        Ok(Self {
            buffer,
            device: device.clone(),
            len,
            element: PhantomData,
        })
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The driver's buffer.
    pub fn buffer(&self) -> &dyn Buffer {
        &*self.buffer
    }

    /// Copies `elements` to the device, replacing all there were.
    ///
    /// # Errors
    /// The lengths differ, or the copy failed.
    pub fn write(&mut self, elements: &[T]) -> Result<()> {
        self.same_length(elements.len())?;
        Ok(self.buffer.write(0, bytes_of(elements))?)
    }

    /// Copies all elements to the host, after everything launched so far has finished.
    ///
    /// # Errors
    /// The lengths differ, the copy failed, or a launch before it did.
    pub fn download(&self, elements: &mut [T]) -> Result<()> {
        self.same_length(elements.len())?;
        Ok(self.buffer.read(0, bytes_of_mut(elements))?)
    }

    /// All elements, copied to the host.
    ///
    /// # Errors
    /// As [`Memory::download`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut elements = vec![T::default(); self.len];
        self.download(&mut elements)?;
        Ok(elements)
    }

    /// Copies all elements of `source`, which may be on another device.
    ///
    /// # Errors
    /// The lengths differ, or the copy failed.
    pub fn copy_from(&mut self, source: &Self) -> Result<()> {
        self.same_length(source.len)?;
        self.write(&source.to_vec()?)
    }

    fn same_length(&self, other: usize) -> Result<()> {
        if other == self.len {
            return Ok(());
        }
        Err(Error::argument(format!(
            "the device memory has {} elements, the other side of the copy {other}",
            self.len
        )))
    }
}

impl<T: Element> fmt::Debug for Memory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Memory<{}>[{}] on {}",
            T::SCALAR.c_name(),
            self.len,
            self.device.name()
        )
    }
}
