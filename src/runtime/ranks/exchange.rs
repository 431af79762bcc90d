//! Messages between the processes of a set.

use super::super::error::driver_error;
use super::super::{Device, Error, Result, lock};
use super::links::{self, Reach};
use brook_driver::{Buffer, ErrorKind, Exchange};
use brook_mpi::{Communicator, LAST_TAG, Reduction, Transfer};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::ThreadId;
use std::time::Duration;

/// Bytes that are under way to others at most: what was sent first is waited for then.
const MOST_UNDER_WAY: usize = 256 << 20;

/// The processes of this one's job.
pub(in super::super) struct Ranks {
    communicator: Communicator,
    /// The thread that does what all processes do in one order.
    thread: ThreadId,
    outgoing: Mutex<Vec<(Transfer, usize)>>,
    /// Sets that are open, by name.
    pub(super) sets: Mutex<Vec<Device>>,
}

/// Bytes of a device's memory that come from another process.
pub(in super::super) struct Incoming {
    pub(in super::super) part: usize,
    pub(in super::super) memory: usize,
    pub(in super::super) bytes: Range<usize>,
    pub(in super::super) buffer: Arc<dyn Buffer>,
    /// The process that sends them.
    pub(in super::super) from: usize,
    transfer: Transfer,
}

/// The first is that of what has no number.
const KINDS: [ErrorKind; 5] = [
    ErrorKind::Device,
    ErrorKind::Memory,
    ErrorKind::Compile,
    ErrorKind::Missing,
    ErrorKind::Invalid,
];

static WORLD: OnceLock<brook_driver::Result<Arc<Ranks>>> = OnceLock::new();

impl Incoming {
    /// Waits for them.
    pub(in super::super) fn wait(self) -> brook_driver::Result<Vec<u8>> {
        self.transfer.wait()
    }
}

impl Ranks {
    /// All processes of the job, if a set of their devices was opened.
    pub(in super::super) fn opened() -> Option<&'static Arc<Self>> {
        WORLD.get()?.as_ref().ok()
    }

    /// All processes of the job.
    pub(super) fn world() -> Result<&'static Arc<Self>> {
        let world = WORLD.get_or_init(|| {
            Ok(Arc::new(Self {
                communicator: Communicator::world()?,
                thread: std::thread::current().id(),
                outgoing: Mutex::default(),
                sets: Mutex::default(),
            }))
        });
        world.as_ref().map_err(|error| match error.kind {
            ErrorKind::Missing => Error::NoDevice(error.message.clone()),
            _ => Error::Device(error.clone()),
        })
    }

    /// This process's number.
    pub(in super::super) fn rank(&self) -> usize {
        self.communicator.rank()
    }

    /// How many there are.
    pub(in super::super) fn size(&self) -> usize {
        self.communicator.size()
    }

    pub(super) fn communicator(&self) -> &Communicator {
        &self.communicator
    }

    /// Steps are in one order in all processes only if one thread takes them.
    pub(super) fn check_thread(&self) -> brook_driver::Result<()> {
        match std::thread::current().id() == self.thread {
            true => Ok(()),
            false => Err(brook_driver::Error::invalid(
                "the devices of several processes are used by one thread of each, the one that opened them",
            )),
        }
    }

    /// Gives the first process, at the end, what each other one has, by its number. `None` in the others; nothing of those that do not
    /// come to their end in some seconds.
    pub(in super::super) fn collect(&self, own: Vec<u8>) -> Option<Vec<(usize, Vec<u8>)>> {
        const PATIENCE: Duration = Duration::from_secs(5);
        let give = |bytes: Vec<u8>| {
            let given = self.communicator.send(bytes, 0, LAST_TAG)?;
            given.wait_for(PATIENCE)
        };
        if !self.communicator.goes_on() {
            return (self.rank() == 0).then(Vec::new);
        }
        if self.rank() > 0 {
            let length = (own.len() as u64).to_le_bytes().to_vec();
            // Whoever does not listen any more does without.
            let _ = give(length).and_then(|_| give(own));
            return None;
        }
        let take = |bytes: usize, rank: usize| {
            let taken = self.communicator.receive(bytes, rank, LAST_TAG).ok()?;
            taken.wait_for(PATIENCE).ok()?
        };
        let of = |rank| {
            let length: [u8; 8] = take(8, rank)?.try_into().ok()?;
            Some((rank, take(u64::from_le_bytes(length) as usize, rank)?))
        };
        Some((1..self.size()).filter_map(of).collect())
    }

    /// Counts one more copy that all processes know of; the result is its tag.
    pub(in super::super) fn step(&self) -> brook_driver::Result<i32> {
        self.check_thread()?;
        Ok(self.communicator.step())
    }

    /// Sends bytes, and does not wait.
    pub(in super::super) fn send(
        &self,
        bytes: Vec<u8>,
        to: usize,
        tag: i32,
    ) -> brook_driver::Result<()> {
        let mut outgoing = lock(&self.outgoing);
        let mut failed = Ok(());
        outgoing.retain_mut(|(transfer, _)| match transfer.is_done() {
            Ok(done) => !done,
            Err(error) => {
                failed = Err(error);
                false
            }
        });
        failed?;
        let length = bytes.len();
        outgoing.push((self.communicator.send(bytes, to, tag)?, length));
        let mut under_way: usize = outgoing.iter().map(|(_, bytes)| bytes).sum();
        while under_way > MOST_UNDER_WAY {
            let (first, bytes) = outgoing.remove(0);
            first.wait()?;
            under_way -= bytes;
        }
        Ok(())
    }

    /// Begins to take bytes.
    pub(in super::super) fn receive(
        &self,
        (part, buffer): (usize, &Arc<dyn Buffer>),
        (memory, bytes): (usize, &Range<usize>),
        from: usize,
        tag: i32,
    ) -> brook_driver::Result<Incoming> {
        Ok(Incoming {
            part,
            memory,
            bytes: bytes.clone(),
            buffer: Arc::clone(buffer),
            from,
            transfer: self.communicator.receive(bytes.len(), from, tag)?,
        })
    }

    /// Gives all processes what one of them has.
    pub(in super::super) fn give_all(
        &self,
        bytes: &mut [u8],
        root: usize,
    ) -> brook_driver::Result<()> {
        self.check_thread()?;
        let given = self.communicator.broadcast(bytes.to_vec(), root)?;
        bytes.copy_from_slice(&given);
        Ok(())
    }

    /// Values of so many bytes each, given the process that has each, of which `own` are this one's, in their order. All processes
    /// call it.
    pub(in super::super) fn gather(
        &self,
        own: &[Vec<u8>],
        size: usize,
        owners: &[usize],
    ) -> brook_driver::Result<Vec<Vec<u8>>> {
        self.check_thread()?;
        let of = |rank| owners.iter().filter(|owner| **owner == rank).count();
        let most = (0..self.size()).map(of).max().unwrap_or(0);
        let mut sent = own.concat();
        sent.resize(most * size, 0);
        let gathered = self.communicator.gather(&sent)?;
        let mut taken = vec![0; self.size()];
        let values = owners.iter().map(|owner| {
            let from = taken[*owner];
            taken[*owner] += size;
            gathered[*owner][from..from + size].to_vec()
        });
        Ok(values.collect())
    }

    /// How the devices of a set, one in each process, reach each other without the host; `None` where that is not so for all. All
    /// processes call this at once.
    pub(in super::super) fn join(&self, devices: &[Device]) -> Option<Arc<dyn Exchange>> {
        let seats = devices.iter().map(|d| d.seat().map(|seat| seat.rank));
        let own = devices
            .get(self.rank())
            .filter(|_| seats.eq((0..self.size()).map(Some)))?;
        links::join(&self.communicator, own, Reach::Devices)
    }

    /// Whether MPI may be given the memory of a device.
    pub(in super::super) fn gives_memory_of(&self, device: &Device) -> bool {
        links::may_be_given(&self.communicator, device)
    }

    /// What came of something that each process has tried by itself: the failure of the first that it failed for is everybody's.
    pub(in super::super) fn agree_on(
        &self,
        done: brook_driver::Result<()>,
    ) -> brook_driver::Result<()> {
        self.check_thread()?;
        agree_on(&self.communicator, done)
    }

    /// Ends the job where something failed that only this process knows of: the others would wait for it.
    pub(in super::super) fn or_abort<T, E: Into<Error>>(
        &self,
        result: std::result::Result<T, E>,
    ) -> Result<T> {
        match result.map_err(Into::into) {
            Err(error @ (Error::Device(_) | Error::Toolchain(_))) => self.abort(&error),
            result => result,
        }
    }

    #[expect(clippy::print_stderr, reason = "the process ends")]
    fn abort(&self, error: &Error) -> ! {
        let (rank, size) = (self.communicator.rank(), self.communicator.size());
        eprintln!("brook: rank {rank} of {size} cannot go on: {error}");
        self.communicator.abort(error.exit_code())
    }
}

/// The first process of which something is true, and whether it is true of all.
pub(super) fn first_of(communicator: &Communicator, is_so: bool) -> Result<(Option<usize>, bool)> {
    let (rank, size) = (communicator.rank() as i64, communicator.size() as i64);
    let mut least = [if is_so { rank } else { size }, i64::from(is_so)];
    communicator.reduce(&mut least, Reduction::Min)?;
    let first = (least[0] < size).then_some(least[0] as usize);
    Ok((first, least[1] == 1))
}

/// As [`Ranks::agree_on`].
pub(super) fn agree_on(
    communicator: &Communicator,
    done: brook_driver::Result<()>,
) -> brook_driver::Result<()> {
    let failed = first_of(communicator, done.is_err()).map_err(driver_error)?;
    let (Some(first), _) = failed else {
        return Ok(());
    };
    // The kind by number, and the message behind it.
    let own = done.err().filter(|_| first == communicator.rank());
    let said = own.map_or(Vec::new(), |error| {
        let kind = KINDS.iter().position(|kind| *kind == error.kind);
        let mut said = vec![kind.unwrap_or_default() as u8];
        said.extend(error.message.into_bytes());
        said
    });
    let said = communicator.broadcast_any(said, first)?;
    let (kind, message) = said.split_first().unwrap_or((&0, &[]));
    let kind = KINDS.get(usize::from(*kind)).copied();
    let message = String::from_utf8_lossy(message);
    Err(brook_driver::Error::new(
        kind.unwrap_or(ErrorKind::Device),
        format!("rank {first}: {message}"),
    ))
}
