//! The memory behind [`SpreadBuffer`](super::SpreadBuffer): on each device of a set, as far as somebody needed it there.

use super::super::Device;
use super::super::error::driver_error;
use super::super::ranks::Seat;
use super::copies::{Copies, Side};
use super::directory::{Bring, Directory};
use super::rule::{self, Rows};
use brook_driver::{Buffer, Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// One memory of a set. What a part has, or has written, is committed there.
pub(super) struct Storage {
    pub(super) devices: Arc<[Device]>,
    pub(super) bytes: usize,
    /// How what the host writes is shared out.
    rows: Rows,
    least: usize,
    /// Where the rows of each part begin, and where the last ones end, if somebody has said so.
    bounds: RwLock<Vec<usize>>,
    /// By number of the part, made when needed.
    parts: Vec<OnceLock<Arc<dyn Buffer>>>,
    directory: Mutex<Directory>,
    /// Others know where the first device has it, and may read and write it there at any time.
    exposed: AtomicBool,
}

impl Storage {
    /// Memory that nobody has written, on no device so far. Where the host writes it, rows are shared out.
    pub(super) fn new(devices: &Arc<[Device]>, bytes: usize, rows: Option<Rows>) -> Self {
        Self {
            devices: Arc::clone(devices),
            bytes,
            rows: rows.unwrap_or(Rows::single(bytes)),
            least: rule::least_bytes(),
            bounds: RwLock::default(),
            parts: devices.iter().map(|_| OnceLock::new()).collect(),
            directory: Mutex::new(Directory::new(bytes)),
            exposed: AtomicBool::new(false),
        }
    }

    /// Somebody else's memory of the first device.
    pub(super) fn import(devices: &Arc<[Device]>, first: Arc<dyn Buffer>) -> Self {
        let this = Self::new(devices, first.len(), None);
        // It is new.
        let _ = this.parts[0].set(first);
        this.exposed.store(true, Ordering::Relaxed);
        this
    }

    /// Lets others know where the first device has it: from now on all of it is there whenever nobody runs.
    pub(super) fn expose(&self) -> Result<()> {
        let all = 0..self.bytes;
        self.bring(0, &all)?;
        self.directory().written(0, &all);
        self.exposed.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn directory(&self) -> MutexGuard<'_, Directory> {
        // A panic elsewhere leaves nothing half-way.
        self.directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for it where it is needed first: for what the first device is to have; of several processes, for what each one's
    /// devices are.
    pub(super) fn claim(&self) -> Result<()> {
        match self.devices[0].ranks() {
            None => self.try_claim(|part| part == 0),
            Some(ranks) => {
                ranks.agree_on(self.try_claim(|part| !self.devices[part].is_elsewhere()))
            }
        }
    }

    fn try_claim(&self, claims: impl Fn(usize) -> bool) -> Result<()> {
        for part in (0..self.parts.len()).filter(|part| claims(*part)) {
            self.try_part(part)?;
        }
        let homes = self.homes(&(0..self.bytes)).into_iter();
        let mut own = homes.filter(|(part, _)| claims(*part));
        own.try_for_each(|(part, home)| self.try_commit(part, &home))
    }

    /// What a part has of it: its addresses, and memory where some was [committed](Self::commit).
    pub(super) fn part(&self, part: usize) -> Result<&Arc<dyn Buffer>> {
        known_to_all(&self.devices[part], self.try_part(part))
    }

    fn try_part(&self, part: usize) -> Result<&Arc<dyn Buffer>> {
        if let Some(made) = self.parts[part].get() {
            return Ok(made);
        }
        let device = &self.devices[part];
        // A device that has all or nothing of it needs no more than that; and no MPI takes memory that comes as it is needed.
        let by_mpi = device
            .ranks()
            .is_some_and(|ranks| ranks.gives_memory_of(device));
        let made = match by_mpi || self.share(1).is_empty() {
            true => device.allocate(self.bytes),
            false => device.reserve(self.bytes),
        };
        let made =
            made.map_err(|error| self.lack_of_room(part, self.bytes, driver_error(error)))?;
        Ok(self.parts[part].get_or_init(|| made))
    }

    /// Sees to it that a part has memory for a range, whatever is in it.
    pub(super) fn commit(&self, part: usize, range: &Range<usize>) -> Result<()> {
        known_to_all(&self.devices[part], self.try_commit(part, range))
    }

    fn try_commit(&self, part: usize, range: &Range<usize>) -> Result<()> {
        let committed = self.try_part(part)?.commit(range.clone());
        committed.map_err(|error| self.lack_of_room(part, range.len(), error))
    }

    /// An error that says which part has no room for how much.
    fn lack_of_room(&self, part: usize, bytes: usize, mut error: Error) -> Error {
        if error.kind == ErrorKind::Memory {
            let (number, parts) = (part + 1, self.parts.len());
            let name = self.devices[part].name();
            error.message = format!(
                "part {number} of {parts} ({name}) has no room for {bytes} bytes: {}",
                error.message
            );
        }
        error
    }

    /// Whether others know where the first device has it.
    pub(super) fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::Relaxed)
    }

    /// The rows that belong to a part.
    pub(super) fn share(&self, part: usize) -> Range<usize> {
        let parts = self.parts.len();
        // What has no rows is not shared out, however many those who look at it see.
        match (self.is_exposed() || self.rows.count <= 1, part) {
            (true, 0) => 0..usize::MAX,
            (true, _) => usize::MAX..usize::MAX,
            (false, part) => {
                let bounds = self.bounds.read().unwrap_or_else(PoisonError::into_inner);
                match bounds.get(part..part + 2) {
                    Some(own) => own[0]..own[1],
                    None => self.rows.share(part, parts, self.least),
                }
            }
        }
    }

    /// From now on each part has as many rows as is said, and all of them have been brought there.
    ///
    /// # Errors
    /// They are not all rows, or nothing that can be shared out.
    pub(super) fn share_out(&self, counts: &[usize]) -> Result<()> {
        let refuse = |why: String| Err(Error::invalid(why));
        if self.is_exposed() {
            return refuse(
                "others know the address of the memory, so it is the first device's".into(),
            );
        }
        let (parts, rows) = (self.parts.len(), self.rows.count);
        let sum = { counts.iter() }.try_fold(0usize, |sum, count| sum.checked_add(*count));
        if counts.len() != parts || sum != Some(rows) {
            return refuse(format!(
                "{rows} rows are to be shared out between {parts} devices; got {counts:?}"
            ));
        }
        if rows > 1 {
            let mut bounds = vec![0];
            for count in counts {
                bounds.extend(bounds.last().map(|last| last + count));
            }
            *self.bounds.write().unwrap_or_else(PoisonError::into_inner) = bounds;
        }
        let all = 0..self.bytes;
        let copies = Copies::begin(&self.devices)?;
        let homes = self.homes(&all);
        for (part, home) in &homes {
            self.copy_among(&copies, *part, home)?;
        }
        copies.complete()?;
        let mut directory = self.directory();
        for (part, home) in &homes {
            directory.settled(*part, home);
        }
        Ok(())
    }

    pub(super) fn written(&self, part: usize, range: &Range<usize>) -> Result<()> {
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
    pub(super) fn look_again(&self, range: &Range<usize>) {
        if self.is_exposed() {
            self.directory().written(0, range);
        }
    }

    /// As [`Directory::holders`].
    pub(super) fn holders(&self, range: &Range<usize>) -> Vec<(Range<usize>, Option<usize>)> {
        self.look_again(range);
        self.directory().holders(range)
    }

    /// What of a range a part has as it is now.
    pub(super) fn held(&self, part: usize, range: &Range<usize>) -> Vec<Range<usize>> {
        self.look_again(range);
        self.directory().held(part, range)
    }

    /// Whether a part has a range.
    pub(super) fn has(&self, part: usize, range: &Range<usize>) -> bool {
        self.look_again(range);
        range.is_empty() || self.directory().has(part, range)
    }

    /// Sees to it that a part has a range.
    pub(super) fn bring(&self, part: usize, range: &Range<usize>) -> Result<()> {
        self.look_again(range);
        self.copy(part, range)
    }

    /// Copies to the host what a part has, wherever that is.
    pub(super) fn fetch(&self, part: usize, offset: usize, to: &mut [u8]) -> Result<()> {
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
    pub(super) fn own_part(&self) -> usize {
        let own = self.devices.iter().position(|d| !d.is_elsewhere());
        own.unwrap_or(0)
    }

    /// Makes a range zeros, which the first device has at once where others look there.
    pub(super) fn zero(&self, range: &Range<usize>) -> Result<()> {
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
    pub(super) fn copy_among(
        &self,
        copies: &Copies<'_>,
        part: usize,
        range: &Range<usize>,
    ) -> Result<()> {
        let own = self.part(part)?;
        self.commit(part, range)?;
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
    pub(super) fn homes(&self, range: &Range<usize>) -> Vec<(usize, Range<usize>)> {
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

/// As [`Device::known_to_all`], among what drivers do.
pub(super) fn known_to_all<T>(device: &Device, done: Result<T>) -> Result<T> {
    device.known_to_all(done).map_err(driver_error)
}
