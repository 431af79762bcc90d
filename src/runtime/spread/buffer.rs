//! Memory that each device of a set has room for, and has as much of as it needs.

use super::super::Device;
use super::super::error::driver_error;
use super::super::ranks::Seat;
use super::copies::{Copies, Side};
use super::directory::{Bring, Directory};
use super::rule::{self, Rows};
use brook_driver::{
    Buffer, ErrorKind, NativeMemory, Result, check_range, copy_overlapping, copy_through_host,
    ranges_overlap,
};
use std::any::Any;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A memory of all devices of a set, or a part of one: bytes have the same place on every device, and are there as far as
/// somebody needed them there.
pub(in super::super) struct SpreadBuffer {
    storage: Arc<Storage>,
    offset: usize,
    bytes: usize,
}

struct Storage {
    devices: Arc<[Device]>,
    bytes: usize,
    /// How what the host writes is shared out.
    rows: Rows,
    least: usize,
    /// By number of the part, made when needed.
    parts: Vec<OnceLock<Arc<dyn Buffer>>>,
    directory: Mutex<Directory>,
    /// Others know where the first device has it, and may read and write it there at any time.
    exposed: AtomicBool,
}

impl SpreadBuffer {
    /// Memory that nobody has written. Where the host writes it, rows are shared out.
    pub(in super::super) fn new(devices: &Arc<[Device]>, bytes: usize, rows: Option<Rows>) -> Self {
        let storage = Storage {
            devices: Arc::clone(devices),
            bytes,
            rows: rows.unwrap_or(Rows::single(bytes)),
            least: rule::least_bytes(),
            parts: devices.iter().map(|_| OnceLock::new()).collect(),
            directory: Mutex::new(Directory::new(bytes)),
            exposed: AtomicBool::new(false),
        };
        Self {
            storage: Arc::new(storage),
            offset: 0,
            bytes,
        }
    }

    /// Somebody else's memory of the first device.
    pub(super) fn import(devices: &Arc<[Device]>, first: Arc<dyn Buffer>) -> Self {
        let this = Self::new(devices, first.len(), None);
        // It is new.
        let _ = this.storage.parts[0].set(first);
        this.storage.exposed.store(true, Ordering::Relaxed);
        this
    }

    /// Lets others know where the first device has it: from now on all of it is there whenever nobody runs.
    fn expose(&self) -> Result<()> {
        let all = 0..self.storage.bytes;
        self.storage.bring(0, &all)?;
        self.storage.directory().written(0, &all);
        self.storage.exposed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// A device's memory, if it is one of a set's.
    pub(in super::super) fn of(buffer: &dyn Buffer) -> Option<&Self> {
        buffer.as_any().downcast_ref::<Self>()
    }

    /// The rows of the whole that belong to a part.
    pub(super) fn share(&self, part: usize) -> Range<usize> {
        self.storage.share(part)
    }

    /// Makes room for it where it is needed first: on the first device; of several processes, in each.
    pub(in super::super) fn claim(&self) -> Result<()> {
        match self.storage.devices[0].ranks() {
            None => self.storage.part(0).map(drop),
            Some(ranks) => ranks.agree_on(self.storage.try_own_parts()),
        }
    }

    /// What a part has of it, all bytes included, whether or not they are there.
    pub(in super::super) fn part(&self, part: usize) -> Result<Arc<dyn Buffer>> {
        let whole = self.storage.part(part)?;
        match self.bytes == self.storage.bytes {
            true => Ok(Arc::clone(whole)),
            false => whole.slice(self.offset, self.bytes),
        }
    }

    /// The ranges that make up a range, and the first part that has each, if any has.
    pub(super) fn holders(&self, range: &Range<usize>) -> Vec<(Range<usize>, Option<usize>)> {
        let found = self.storage.holders(&self.within(range));
        let own = |held: Range<usize>| held.start - self.offset..held.end - self.offset;
        let found = found.into_iter();
        found.map(|(held, part)| (own(held), part)).collect()
    }

    /// Those of some bytes that a part has as they are now.
    pub(super) fn held(&self, part: usize, range: &Range<usize>) -> Vec<Range<usize>> {
        let found = self.storage.held(part, &self.within(range)).into_iter();
        let own = found.map(|held| held.start - self.offset..held.end - self.offset);
        own.collect()
    }

    /// Whether a part has those bytes.
    pub(super) fn has(&self, part: usize, range: &Range<usize>) -> bool {
        self.storage.has(part, &self.within(range))
    }

    /// Sees to it that a part has those bytes.
    pub(super) fn bring(&self, part: usize, range: &Range<usize>) -> Result<()> {
        self.storage.bring(part, &self.within(range))
    }

    /// The same among other copies.
    pub(super) fn bring_among(
        &self,
        copies: &Copies<'_>,
        part: usize,
        range: &Range<usize>,
    ) -> Result<()> {
        let range = self.within(range);
        self.storage.look_again(&range);
        self.storage.copy_among(copies, part, &range)
    }

    /// Says that a part has written those bytes.
    pub(super) fn written(&self, part: usize, range: &Range<usize>) -> Result<()> {
        self.storage.written(part, &self.within(range))
    }

    /// Bytes of it as bytes of the whole.
    fn within(&self, range: &Range<usize>) -> Range<usize> {
        self.offset + range.start..self.offset + range.end
    }
}

impl Storage {
    fn directory(&self) -> MutexGuard<'_, Directory> {
        // A panic elsewhere leaves nothing half-way.
        self.directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory of this process's parts, as far as there is enough.
    fn try_own_parts(&self) -> Result<()> {
        let parts = self.devices.iter().enumerate();
        let mut own = parts.filter(|(_, device)| !device.is_elsewhere());
        own.try_for_each(|(part, _)| self.try_part(part).map(drop))
    }

    fn part(&self, part: usize) -> Result<&Arc<dyn Buffer>> {
        known_to_all(&self.devices[part], self.try_part(part))
    }

    fn try_part(&self, part: usize) -> Result<&Arc<dyn Buffer>> {
        if let Some(made) = self.parts[part].get() {
            return Ok(made);
        }
        let device = &self.devices[part];
        let made = device.allocate(self.bytes).map_err(driver_error);
        let made = made.map_err(|mut error| {
            if error.kind == ErrorKind::Memory {
                let (number, parts, bytes) = (part + 1, self.parts.len(), self.bytes);
                let name = device.name();
                error.message = format!(
                    "part {number} of {parts} ({name}) has no room for {bytes} bytes: {}",
                    error.message
                );
            }
            error
        })?;
        Ok(self.parts[part].get_or_init(|| made))
    }

    /// Whether others know where the first device has it.
    fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::Relaxed)
    }

    /// The rows that belong to a part.
    fn share(&self, part: usize) -> Range<usize> {
        let parts = self.parts.len();
        // What has no rows is not shared out, however many those who look at it see.
        match (self.is_exposed() || self.rows.count <= 1, part) {
            (true, 0) => 0..usize::MAX,
            (true, _) => usize::MAX..usize::MAX,
            (false, part) => self.rows.share(part, parts, self.least),
        }
    }

    fn written(&self, part: usize, range: &Range<usize>) -> Result<()> {
        let mut directory = self.directory();
        self.devices[0].lane().count_written();
        directory.written(part, range);
        drop(directory);
        match self.is_exposed() && part != 0 {
            true => self.copy(0, range),
            false => Ok(()),
        }
    }

    /// Of what others may write, the first device's is always what counts.
    fn look_again(&self, range: &Range<usize>) {
        if self.is_exposed() {
            self.directory().written(0, range);
        }
    }

    /// As [`Directory::holders`].
    fn holders(&self, range: &Range<usize>) -> Vec<(Range<usize>, Option<usize>)> {
        self.look_again(range);
        self.directory().holders(range)
    }

    /// What of a range a part has as it is now.
    fn held(&self, part: usize, range: &Range<usize>) -> Vec<Range<usize>> {
        self.look_again(range);
        self.directory().held(part, range)
    }

    /// Whether a part has a range.
    fn has(&self, part: usize, range: &Range<usize>) -> bool {
        self.look_again(range);
        range.is_empty() || self.directory().has(part, range)
    }

    /// Sees to it that a part has a range.
    fn bring(&self, part: usize, range: &Range<usize>) -> Result<()> {
        self.look_again(range);
        self.copy(part, range)
    }

    /// Copies to the host what a part has, wherever that is.
    fn fetch(&self, part: usize, offset: usize, to: &mut [u8]) -> Result<()> {
        let (device, buffer) = (&self.devices[part], self.part(part)?);
        let Some(Seat { ranks, rank }) = device.seat() else {
            return buffer.read(offset, to);
        };
        if !device.is_elsewhere() {
            known_to_all(device, buffer.read(offset, to))?;
        }
        known_to_all(device, ranks.give_all(to, *rank))
    }

    /// The number of a part that is this process's.
    fn own_part(&self) -> usize {
        let own = self.devices.iter().position(|d| !d.is_elsewhere());
        own.unwrap_or(0)
    }

    /// Makes a range zeros, which the first device has at once where others look there.
    fn zero(&self, range: &Range<usize>) -> Result<()> {
        self.directory().zeroed(range);
        match self.is_exposed() {
            true => self.copy(0, range),
            false => Ok(()),
        }
    }

    /// Copies what a part lacks.
    fn copy(&self, part: usize, range: &Range<usize>) -> Result<()> {
        if range.is_empty() || self.directory().has(part, range) {
            return Ok(());
        }
        // Copies come behind what made the memory.
        self.part(part)?;
        let copies = Copies::begin(&self.devices)?;
        self.copy_among(&copies, part, range)?;
        copies.complete()
    }

    /// The same among other copies. Whoever asks meanwhile waits, so that nothing is copied twice.
    fn copy_among(&self, copies: &Copies<'_>, part: usize, range: &Range<usize>) -> Result<()> {
        let own = self.part(part)?;
        let mut directory = self.directory();
        if range.is_empty() || directory.has(part, range) {
            return Ok(());
        }
        for bring in directory.lacking(part, range) {
            match bring {
                Bring::Copy(from, bytes) => {
                    let source = Side {
                        part: from,
                        buffer: self.part(from)?,
                    };
                    let target = Side { part, buffer: own };
                    copies.copy(std::ptr::from_ref(self).addr(), &bytes, target, source)?;
                }
                Bring::Zero(bytes) => {
                    copies.made_by(part);
                    let zeros = own.slice(bytes.start, bytes.len()).and_then(|b| b.zero());
                    known_to_all(&self.devices[part], zeros)?;
                }
            }
        }
        directory.brought(part, range);
        Ok(())
    }

    /// Where the rule puts each byte of a range.
    fn homes(&self, range: &Range<usize>) -> Vec<(usize, Range<usize>)> {
        let parts = self.parts.len();
        let homes = (0..parts).map(|part| {
            let rows = self.share(part);
            let end = match part + 1 == parts {
                true => self.bytes,
                false => rows.end.saturating_mul(self.rows.bytes),
            };
            let start = rows.start.saturating_mul(self.rows.bytes);
            let bytes = start.max(range.start)..end.min(range.end);
            (part, bytes)
        });
        homes.filter(|(_, bytes)| !bytes.is_empty()).collect()
    }
}

impl Buffer for SpreadBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        let range = self.within(&(offset..offset + bytes.len()));
        let begin = range.start;
        for (part, home) in self.storage.homes(&range) {
            let of_it = &bytes[home.start - begin..home.end - begin];
            let written = self.storage.part(part)?.write(home.start, of_it);
            known_to_all(&self.storage.devices[part], written)?;
            self.storage.written(part, &home)?;
        }
        Ok(())
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        let range = self.within(&(offset..offset + bytes.len()));
        let begin = range.start;
        for (held, part) in self.storage.holders(&range) {
            let to = &mut bytes[held.start - begin..held.end - begin];
            match part {
                Some(part) => self.storage.fetch(part, held.start, to)?,
                None => to.fill(0),
            }
        }
        Ok(())
    }

    fn zero(&self) -> Result<()> {
        self.storage.zero(&self.within(&(0..self.bytes)))
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        check_range(self.bytes, offset, bytes, "write")?;
        check_range(source.len(), source_offset, bytes, "read")?;
        let Some(source) = Self::of(source) else {
            return copy_through_host(self, offset, source, source_offset, bytes);
        };
        let to = self.within(&(offset..offset + bytes));
        let from = source.within(&(source_offset..source_offset + bytes));
        if Arc::ptr_eq(&self.storage, &source.storage)
            && ranges_overlap(to.start, from.start, bytes)
        {
            return copy_overlapping(self, offset, source, source_offset, bytes);
        }
        if !same(&self.storage.devices, &source.storage.devices) {
            return copy_through_host(self, offset, source, source_offset, bytes);
        }
        // Each part copies what it has, so that what was shared out still is.
        for (held, part) in source.storage.holders(&from) {
            let begin = to.start + (held.start - from.start);
            let range = begin..begin + held.len();
            let Some(part) = part else {
                self.storage.zero(&range)?;
                continue;
            };
            let (target, origin) = (self.storage.part(part)?, source.storage.part(part)?);
            let copied = target.copy_from(range.start, &**origin, held.start, held.len());
            known_to_all(&self.storage.devices[part], copied)?;
            self.storage.written(part, &range)?;
        }
        Ok(())
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self {
            storage: Arc::clone(&self.storage),
            offset: self.offset + offset,
            bytes,
        }))
    }

    fn needs_offset(&self) -> bool {
        let own = self.part(self.storage.own_part());
        own.is_ok_and(|part| part.needs_offset())
    }

    fn offset(&self) -> usize {
        let own = self.part(self.storage.own_part());
        own.map_or(0, |part| part.offset())
    }

    /// Where the first device has it, and now all of it; nowhere that all processes know.
    fn native(&self) -> NativeMemory {
        if self.storage.devices[0].ranks().is_some() {
            return NativeMemory::Unknown;
        }
        let part = self.expose().and_then(|()| self.part(0));
        part.map_or(NativeMemory::Unknown, |part| part.native())
    }

    fn host(&self) -> Option<*mut u8> {
        match self.storage.is_exposed() {
            true => self.part(0).ok()?.host(),
            false => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Whether two sets are of the same devices in the same order.
fn same(one: &[Device], other: &[Device]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(a, b)| a.is_same(b))
}

/// As [`Device::known_to_all`], among what drivers do.
pub(super) fn known_to_all<T>(device: &Device, done: Result<T>) -> Result<T> {
    device.known_to_all(done).map_err(driver_error)
}
