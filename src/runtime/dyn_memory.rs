//! Device memory whose elements are known at run time only.

use super::plain::ElementKind;
use super::pool::Lease;
use super::trace::{self, What};
use super::{Device, Error, Result};
use brook_driver::{Buffer, NativeMemory};
use std::fmt;
use std::sync::Arc;

/// As [`Memory`](super::Memory), of elements that are known at run time only: what other languages hold.
///
/// Clones are the same memory.
#[derive(Clone)]
pub struct DynMemory {
    pub(super) buffer: Arc<dyn Buffer>,
    pub(super) device: Device,
    kind: ElementKind,
    len: usize,
    /// Where the memory goes back to, if it is a pool's.
    #[expect(dead_code, reason = "what counts is when the last clone is dropped")]
    lease: Option<Arc<Lease>>,
}

impl Device {
    /// Device memory of `len` elements of that kind, all of them zero bytes.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn zeros_of(&self, kind: ElementKind, len: usize) -> Result<DynMemory> {
        let memory = self.room_for(kind, len)?;
        memory.zero()?;
        Ok(memory)
    }

    /// Device memory of `len` elements of that kind, whatever there was before in it.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn room_for(&self, kind: ElementKind, len: usize) -> Result<DynMemory> {
        let buffer = self.allocate(kind.bytes_for(len)?)?;
        Ok(DynMemory::new(buffer, self, kind, len, None))
    }

    /// As [`Device::shared`], of elements of that kind.
    ///
    /// # Errors
    /// As [`Device::shared`].
    pub fn shared_of(&self, kind: ElementKind, len: usize) -> Result<DynMemory> {
        let buffer = self.driver().allocate_shared(kind.bytes_for(len)?)?;
        let memory = DynMemory::new(buffer, self, kind, len, None);
        memory.zero()?;
        // The host does not ask whether that is done.
        self.driver().synchronize()?;
        Ok(memory)
    }

    /// As [`Device::import`], of elements of that kind.
    ///
    /// # Errors
    /// As [`Device::import`].
    ///
    /// # Safety
    /// As of [`Device::import`].
    pub unsafe fn import_of(
        &self,
        kind: ElementKind,
        memory: NativeMemory,
        len: usize,
    ) -> Result<DynMemory> {
        // SAFETY: by this function's contract.
        let buffer = unsafe { self.driver().import(memory, kind.bytes_for(len)?) }?;
        Ok(DynMemory::new(buffer, self, kind, len, None))
    }
}

impl DynMemory {
    pub(super) fn new(
        buffer: Arc<dyn Buffer>,
        device: &Device,
        kind: ElementKind,
        len: usize,
        lease: Option<Arc<Lease>>,
    ) -> Self {
        Self {
            buffer,
            device: device.clone(),
            kind,
            len,
            lease,
        }
    }

    /// What its elements are.
    pub fn kind(&self) -> ElementKind {
        self.kind
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> usize {
        self.len * self.kind.size()
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The driver's buffer.
    pub fn buffer(&self) -> &dyn Buffer {
        &*self.buffer
    }

    /// The vendor's object behind it; valid as long as this.
    pub fn native(&self) -> NativeMemory {
        self.buffer.native()
    }

    /// Where the host finds its first element, if it is memory that kernels and the host both use: [`Device::shared`],
    /// the host's own that was imported, and all that the processor has.
    pub fn host(&self) -> Option<*mut u8> {
        self.buffer.host()
    }

    /// `len` elements from number `first` on, which are the same memory: see [`Memory::slice`](super::Memory::slice).
    ///
    /// # Errors
    /// There are not as many.
    pub fn part(&self, first: usize, len: usize) -> Result<Self> {
        let offset = self.offset(first, len)?;
        let buffer = self.buffer.slice(offset, len * self.kind.size())?;
        Ok(Self {
            buffer,
            len,
            ..self.clone()
        })
    }

    /// The same memory as elements of another kind.
    ///
    /// # Errors
    /// It is no whole number of them.
    pub fn cast(&self, kind: ElementKind) -> Result<Self> {
        let bytes = self.bytes();
        match bytes.checked_rem(kind.size()) {
            Some(0) => Ok(Self {
                kind,
                len: bytes / kind.size(),
                ..self.clone()
            }),
            _ => Err(Error::argument(format!(
                "{bytes} bytes are no whole number of elements of type {kind}"
            ))),
        }
    }

    /// Replaces elements from number `first` on by the bytes of others.
    ///
    /// # Errors
    /// They are no whole number of elements, or more than there are; the copy failed.
    pub fn write(&self, first: usize, bytes: &[u8]) -> Result<()> {
        let offset = self.offset(first, self.count_in(bytes.len())?)?;
        let what = What::from_host(bytes.len());
        let write = || self.buffer.write(offset, bytes);
        Ok(trace::waiting(&self.device, what, write)?)
    }

    /// Copies elements from number `first` on to the host, as many as there is room for, after everything launched so
    /// far has finished.
    ///
    /// # Errors
    /// As [`DynMemory::write`]; or a launch before it failed.
    pub fn read(&self, first: usize, bytes: &mut [u8]) -> Result<()> {
        let offset = self.offset(first, self.count_in(bytes.len())?)?;
        let what = What::to_host(bytes.len());
        let read = || self.buffer.read(offset, bytes);
        Ok(trace::waiting(&self.device, what, read)?)
    }

    /// Fills it with zero bytes.
    ///
    /// # Errors
    /// The device's.
    pub fn zero(&self) -> Result<()> {
        self.buffer.zero()?;
        self.device.settle()
    }

    /// Copies `len` elements of `source` from number `from` on to those from number `to` on: on the device where they
    /// are there, between devices where they can do that, else by way of the host. The two may overlap.
    ///
    /// # Errors
    /// There are not as many, their kinds differ, or the copy failed.
    pub fn copy(&self, to: usize, source: &Self, from: usize, len: usize) -> Result<()> {
        self.same_kind(source)?;
        let (to, from) = (self.offset(to, len)?, source.offset(from, len)?);
        let bytes = len * self.kind.size();
        let copy = || self.buffer.copy_from(to, &*source.buffer, from, bytes);
        let what = What::copy("copy", bytes);
        Ok(trace::enqueuing(&self.device, None, what, copy)?)
    }

    /// Memory of its own with the same elements, on the same device.
    ///
    /// # Errors
    /// There is not enough memory, or the copy failed.
    pub fn try_clone(&self) -> Result<Self> {
        let clone = self.device.room_for(self.kind, self.len)?;
        clone.copy(0, self, 0, self.len)?;
        self.device.settle()?;
        Ok(clone)
    }

    pub(super) fn same_kind(&self, source: &Self) -> Result<()> {
        match self.kind == source.kind {
            true => Ok(()),
            false => Err(Error::argument(format!(
                "elements of type {} cannot be copied to {self:?}",
                source.kind
            ))),
        }
    }

    /// How many elements so many bytes are.
    fn count_in(&self, bytes: usize) -> Result<usize> {
        match bytes.checked_rem(self.kind.size()) {
            Some(0) => Ok(bytes / self.kind.size()),
            _ => Err(Error::argument(format!(
                "{bytes} bytes are no whole number of elements of {self:?}"
            ))),
        }
    }

    /// The byte where an element begins, with so many behind it.
    pub(crate) fn offset(&self, first: usize, len: usize) -> Result<usize> {
        match first.checked_add(len) {
            Some(end) if end <= self.len => Ok(first * self.kind.size()),
            _ => Err(Error::argument(format!(
                "{len} elements from number {first} on are not all in {self:?}"
            ))),
        }
    }

    pub(super) fn same_length(&self, other: usize) -> Result<()> {
        if other == self.len {
            return Ok(());
        }
        Err(Error::argument(format!(
            "the device memory has {} elements, the other side of the copy {other}",
            self.len
        )))
    }
}

impl ElementKind {
    /// Bytes of an element.
    pub const fn size(self) -> usize {
        match self {
            Self::Numbers(scalar, count) => scalar.size() * count,
            Self::Structure(bytes) => bytes,
        }
    }

    /// Bytes of so many elements.
    pub(super) fn bytes_for(self, len: usize) -> Result<usize> {
        len.checked_mul(self.size()).ok_or_else(|| {
            let size = self.size();
            Error::argument(format!("{len} elements of {size} bytes are too many"))
        })
    }
}

impl fmt::Debug for DynMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = self.device.name();
        write!(f, "Memory<{}>[{}] on {device}", self.kind, self.len)
    }
}
