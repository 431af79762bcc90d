//! Memory that each device of a set has room for, and has as much of as it needs.

use super::super::Device;
use super::copies::Copies;
use super::rule::Rows;
use super::storage::{Storage, known_to_all};
use brook_driver::{
    Buffer, NativeMemory, Result, check_range, copy_overlapping, copy_through_host, ranges_overlap,
};
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// A memory of all devices of a set, or a part of one: bytes have the same place on every device, and are there as far as
/// somebody needed them there.
pub(in super::super) struct SpreadBuffer {
    storage: Arc<Storage>,
    offset: usize,
    bytes: usize,
}

impl SpreadBuffer {
    /// Memory that nobody has written. Where the host writes it, rows are shared out.
    pub(in super::super) fn new(devices: &Arc<[Device]>, bytes: usize, rows: Option<Rows>) -> Self {
        Self::over(Storage::new(devices, bytes, rows))
    }

    /// Somebody else's memory of the first device.
    pub(super) fn import(devices: &Arc<[Device]>, first: Arc<dyn Buffer>) -> Self {
        Self::over(Storage::import(devices, first))
    }

    fn over(storage: Storage) -> Self {
        Self {
            offset: 0,
            bytes: storage.bytes,
            storage: Arc::new(storage),
        }
    }

    /// As [`Storage::share_out`], of a whole memory.
    pub(super) fn share_out(&self, counts: &[usize]) -> Result<()> {
        self.storage.share_out(counts)
    }

    /// A device's memory, if it is one of a set's.
    pub(in super::super) fn of(buffer: &dyn Buffer) -> Option<&Self> {
        buffer.as_any().downcast_ref::<Self>()
    }

    /// The rows of the whole that belong to a part.
    pub(super) fn share(&self, part: usize) -> Range<usize> {
        self.storage.share(part)
    }

    /// As [`Storage::claim`].
    pub(in super::super) fn claim(&self) -> Result<()> {
        self.storage.claim()
    }

    /// What a part has of it, with the addresses of all bytes, whether or not they are there.
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

    /// Sees to it that a part can write those bytes.
    pub(super) fn commit(&self, part: usize, range: &Range<usize>) -> Result<()> {
        self.storage.commit(part, &self.within(range))
    }

    /// Says that a part has written those bytes, which it had memory for.
    pub(super) fn written(&self, part: usize, range: &Range<usize>) -> Result<()> {
        self.storage.written(part, &self.within(range))
    }

    /// Bytes of it as bytes of the whole.
    fn within(&self, range: &Range<usize>) -> Range<usize> {
        self.offset + range.start..self.offset + range.end
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
            self.storage.commit(part, &home)?;
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
            self.storage.commit(part, &range)?;
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
        let part = self.storage.expose().and_then(|()| self.part(0));
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
