//! Memory of streams.

use super::spread::{Rows, SpreadBuffer};
use super::{Device, Error, Result};
use brook_driver::{Buffer, ErrorKind, NativeMemory};
use std::sync::{Arc, OnceLock};

/// Memory of a stream and of its parts. Where calls wait, that of a new stream is made when somebody needs it: many streams
/// are gone before that.
pub(super) struct StreamMemory {
    device: Device,
    bytes: usize,
    /// How it is shared out between the devices of a set.
    rows: Option<Rows>,
    made: OnceLock<Arc<dyn Buffer>>,
    /// Of somebody else's memory: the object that it is in, where it is in one, and where it begins there.
    place: Option<(usize, u64)>,
}

impl StreamMemory {
    /// Zeros, made at once or later.
    pub(super) fn new(
        device: &Device,
        (bytes, rows): (usize, Rows),
        later: bool,
    ) -> Result<Arc<Self>> {
        let this = Self {
            device: device.clone(),
            bytes,
            rows: Some(rows),
            made: OnceLock::new(),
            place: None,
        };
        if !later {
            this.buffer()?;
        }
        Ok(Arc::new(this))
    }

    /// Memory that is there.
    pub(super) fn of(device: &Device, buffer: Arc<dyn Buffer>) -> Arc<Self> {
        Self::imported(device, buffer, NativeMemory::Unknown)
    }

    /// Somebody else's memory, of which there may be other streams, too.
    pub(super) fn imported(
        device: &Device,
        buffer: Arc<dyn Buffer>,
        at: NativeMemory,
    ) -> Arc<Self> {
        let place = match at {
            NativeMemory::Address(address) => Some((0, address)),
            NativeMemory::Host(host) => Some((0, host.addr() as u64)),
            NativeMemory::OpenCl { object, offset } => Some((object.addr(), offset as u64)),
            _ => None,
        };
        Arc::new(Self {
            device: device.clone(),
            bytes: buffer.len(),
            rows: None,
            made: OnceLock::from(buffer),
            place,
        })
    }

    /// A part of a device's memory that is compared with others by where it lies; `None` where nobody knows that.
    pub(super) fn by_place(device: &Device, buffer: &Arc<dyn Buffer>) -> Option<Arc<Self>> {
        let this = Self::imported(device, Arc::clone(buffer), buffer.native());
        this.place.is_some().then_some(this)
    }

    /// Whether some bytes of it are bytes of a device's memory, or may be.
    pub(super) fn meets_buffer(self: &Arc<Self>, buffer: &Arc<dyn Buffer>) -> bool {
        let other = Self::by_place(&self.device, buffer);
        other.is_none_or(|other| self.meets(&other))
    }

    /// Whether it is the same memory as another.
    pub(super) fn is_one_with(self: &Arc<Self>, other: &Arc<Self>) -> bool {
        let alike = || self.bytes == other.bytes && self.device.is_same(&other.device);
        Arc::ptr_eq(self, other) || self.place.is_some() && self.place == other.place && alike()
    }

    /// Whether some bytes of it are bytes of another, as far as that can be told.
    pub(super) fn meets(self: &Arc<Self>, other: &Arc<Self>) -> bool {
        let (Some((object, own)), Some((others, begin))) = (self.place, other.place) else {
            return Arc::ptr_eq(self, other);
        };
        let (end, other_end) = (own + self.bytes as u64, begin + other.bytes as u64);
        object == others && own < other_end && begin < end && self.device.is_same(&other.device)
    }

    /// Size in bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes
    }

    /// The same of what has been made.
    pub(super) fn held(&self) -> usize {
        self.made.get().map_or(0, |buffer| buffer.len())
    }

    /// Whether it is there.
    pub(super) fn is_made(&self) -> bool {
        self.made.get().is_some()
    }

    /// The driver's.
    ///
    /// # Errors
    /// It is to be made, and there is not enough.
    pub(super) fn buffer(&self) -> Result<&Arc<dyn Buffer>> {
        self.make(true)
    }

    /// The same for whoever writes all of it.
    ///
    /// # Errors
    /// As [`StreamMemory::buffer`].
    pub(super) fn to_be_filled(&self) -> Result<&Arc<dyn Buffer>> {
        self.make(false)
    }

    /// Makes zeros of what should have been filled, and was not.
    pub(super) fn was_not_filled(&self) {
        // Whoever comes next hears what is wrong with the device.
        let _ = self.made.get().map(|buffer| buffer.zero());
    }

    fn make(&self, zero: bool) -> Result<&Arc<dyn Buffer>> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        // Without a lock: where memory is short, that makes calls which wait, and they may need this. Of two threads the
        // first one's is taken.
        let buffer: Arc<dyn Buffer> = match self.device.set_of() {
            Some(set) => {
                let buffer = SpreadBuffer::new(set, self.bytes, self.rows);
                // Where there is not enough, that is said now, as of any stream.
                let claimed = buffer.claim().map_err(Error::from);
                claimed.map_err(failed_to_create)?;
                Arc::new(buffer)
            }
            None => self.device.allocate(self.bytes).map_err(failed_to_create)?,
        };
        if zero {
            // Some devices find only now that there is not enough.
            buffer
                .zero()
                .map_err(|error| failed_to_create(error.into()))?;
        }
        Ok(self.made.get_or_init(|| buffer))
    }
}

/// An allocation's failure in the specification's words.
fn failed_to_create(error: Error) -> Error {
    match error {
        Error::Device(ref reason) if reason.kind == ErrorKind::Memory => {
            error.context("Stream Allocation: Failed to create buffer")
        }
        other => other,
    }
}
