//! Typed device memory.

use super::plain::{bytes_of, bytes_of_mut, zeros};
use super::{Device, DynMemory, Element, Error, Result};
use brook_driver::{Buffer, NativeMemory};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

/// Device memory that holds `len` elements of type `T`, or a part of such memory ([`Memory::slice`]).
/// It is freed when the last part of it is dropped, and whatever has been launched over it has ended.
///
/// Kernels and copies share it as they do on any device: `&Memory` is enough to write it. Who must
/// not write it is given [`Memory::read_only`].
pub struct Memory<T: Element> {
    memory: DynMemory,
    element: PhantomData<T>,
}

impl Device {
    /// Device memory with a copy of `elements`.
    ///
    /// # Errors
    /// There is not enough memory, or the copy failed.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<Memory<T>> {
        let memory = Memory::new(self.room_for(T::KIND, elements.len())?);
        memory.write(elements)?;
        Ok(memory)
    }

    /// Device memory of `len` elements, all of them zero.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Memory<T>> {
        Ok(Memory::new(self.zeros_of(T::KIND, len)?))
    }

    /// Memory of `len` elements that are zero at first, which kernels and the host both use where it is
    /// ([`Memory::host`]): on GPUs page-locked memory of the host, which kernels reach over the bus. OpenCL's GPUs with
    /// memory of their own have none.
    ///
    /// # Errors
    /// There is none on this device, or not enough.
    pub fn shared<T: Element>(&self, len: usize) -> Result<Memory<T>> {
        Ok(Memory::new(self.shared_of(T::KIND, len)?))
    }

    /// Somebody else's memory: a `CUdeviceptr` or a pointer that HIP gave, a `cl_mem` of this device's
    /// context, host memory where kernels can use it ([`Device::shared`]). It is not freed when the last part is
    /// dropped; of a `cl_mem`, one reference is kept; the host's is page-locked meanwhile.
    ///
    /// # Errors
    /// It is not this device's, as far as that can be told, or of a kind that the device has not got.
    ///
    /// # Safety
    /// There is memory of this device for `len` elements, aligned as they are, until the last part of
    /// this is dropped and what was launched over it has ended; and whoever else uses it keeps out of
    /// the way of kernels and copies.
    pub unsafe fn import<T: Element>(&self, memory: NativeMemory, len: usize) -> Result<Memory<T>> {
        // SAFETY: by this function's contract.
        let memory = unsafe { self.import_of(T::KIND, memory, len) }?;
        Ok(Memory::new(memory))
    }
}

impl<T: Element> Memory<T> {
    /// Of memory whose elements are of this kind.
    pub(super) fn new(memory: DynMemory) -> Self {
        debug_assert_eq!(memory.kind(), T::KIND);
        Self {
            memory,
            element: PhantomData,
        }
    }

    /// The same memory, as what does not know its type.
    pub fn as_dyn(&self) -> &DynMemory {
        &self.memory
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    /// The driver's buffer.
    pub fn buffer(&self) -> &dyn Buffer {
        self.memory.buffer()
    }

    /// The vendor's object behind it; valid as long as this.
    pub fn native(&self) -> NativeMemory {
        self.memory.native()
    }

    /// Where the host finds its first element, if it is memory that kernels and the host both use: of
    /// [`Device::shared`], the host's own that was imported, and all that the processor has. What kernels write is there once
    /// they have ended, and they see what was written before they were launched.
    pub fn host(&self) -> Option<*mut T> {
        self.memory.host().map(<*mut u8>::cast)
    }

    /// A part, which is the same memory: what one writes the other reads.
    ///
    /// It may begin at any element. On OpenCL kernels are built once more for parts that begin at no multiple of 128 (PoCL)
    /// or 512 bytes (NVIDIA's GPUs), when the first of them is launched.
    ///
    /// # Errors
    /// The range reaches beyond the end.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self> {
        let start = match range.start_bound() {
            Bound::Included(n) => *n,
            Bound::Excluded(n) => n.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(n) => n.saturating_add(1),
            Bound::Excluded(n) => *n,
            Bound::Unbounded => self.len(),
        };
        if start > end || end > self.len() {
            return Err(Error::argument(format!(
                "the elements {start}..{end} are not all in {self:?}"
            )));
        }
        Ok(Self::new(self.memory.part(start, end - start)?))
    }

    /// For a kernel that must not write it: a parameter that is not declared `const` refuses it.
    pub fn read_only(&self) -> ReadOnly<'_, T> {
        ReadOnly(self)
    }

    /// Copies `elements` to the device, replacing all there were.
    ///
    /// # Errors
    /// The lengths differ, or the copy failed.
    pub fn write(&self, elements: &[T]) -> Result<()> {
        self.same_length(elements.len())?;
        self.memory.write(0, bytes_of(elements))
    }

    /// Copies `elements` to the device, replacing those from `first` on.
    ///
    /// # Errors
    /// There are not as many, or the copy failed.
    pub fn write_at(&self, first: usize, elements: &[T]) -> Result<()> {
        self.memory.write(first, bytes_of(elements))
    }

    /// Copies all elements to the host, after everything launched so far has finished.
    ///
    /// # Errors
    /// The lengths differ, the copy failed, or a launch before it did.
    pub fn download(&self, elements: &mut [T]) -> Result<()> {
        self.same_length(elements.len())?;
        self.memory.read(0, bytes_of_mut(elements))
    }

    /// Copies elements from `first` on to the host, as many as there is room for.
    ///
    /// # Errors
    /// There are not as many, the copy failed, or a launch before it did.
    pub fn download_at(&self, first: usize, elements: &mut [T]) -> Result<()> {
        self.memory.read(first, bytes_of_mut(elements))
    }

    /// All elements, copied to the host.
    ///
    /// # Errors
    /// As [`Memory::download`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut elements = zeros(self.len());
        self.download(&mut elements)?;
        Ok(elements)
    }

    /// Fills the memory with zero bytes.
    ///
    /// # Errors
    /// The device's.
    pub fn zero(&self) -> Result<()> {
        self.memory.zero()
    }

    /// Copies all elements of `source`: on the device where they are there, between devices where they
    /// can do that, else by way of the host. The two may overlap.
    ///
    /// # Errors
    /// The lengths differ, or the copy failed.
    pub fn copy_from(&self, source: &Self) -> Result<()> {
        self.same_length(source.len())?;
        self.memory.copy(0, &source.memory, 0, source.len())
    }

    /// Memory of its own with the same elements, on the same device.
    ///
    /// # Errors
    /// There is not enough memory, or the copy failed.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self::new(self.memory.try_clone()?))
    }

    pub(super) fn same_length(&self, other: usize) -> Result<()> {
        self.memory.same_length(other)
    }
}

impl<T: Element> fmt::Debug for Memory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.memory.fmt(f)
    }
}

/// Memory that a kernel may read only: [`Memory::read_only`].
#[derive(Clone, Copy, Debug)]
pub struct ReadOnly<'a, T: Element>(pub(super) &'a Memory<T>);
