//! Processes that know each other by number.

use crate::bridge::{Bridge, Failure, Object, bridge};
use crate::starters::size_from_environment;
use crate::transfer::{PIECE, Transfer};
use brook_driver::{Error, Result};
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

/// The greatest tag that every MPI has.
pub const LAST_TAG: i32 = 32_767;
/// The tag of messages that two processes know by their order. Those of steps go round below it.
pub const ORDERED_TAG: i32 = LAST_TAG - 1;

/// Processes that send each other messages, each of which has a number, its rank. Clones are the same.
#[derive(Clone)]
pub struct Communicator(Arc<Inner>);

struct Inner {
    bridge: &'static Bridge,
    comm: Object,
    rank: usize,
    size: usize,
    local_rank: usize,
    local_size: usize,
    /// How many things all processes have done together.
    steps: AtomicU64,
    /// Where MPI lets only one thread call: that.
    only: Option<ThreadId>,
}

/// Whether the job is being ended.
static ABORTING: AtomicBool = AtomicBool::new(false);

/// MPI's own lock is not always there.
static CALLS: Mutex<()> = Mutex::new(());

// SAFETY: the object is used under `CALLS` only, by threads that MPI allows.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

/// What is made of numbers of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Reduction {
    Sum,
    Product,
    Min,
    Max,
}

/// Numbers that processes reduce.
pub trait Number: Copy + Send + 'static {
    /// As `bridge.c` counts them.
    #[doc(hidden)]
    const TYPE: c_int;
}

macro_rules! numbers {
    ($($type:ty: $number:literal),*) => { $(impl Number for $type { const TYPE: c_int = $number; })* };
}

numbers! { i32: 0, i64: 1, f32: 2, f64: 3, u64: 4 }

impl Communicator {
    /// All processes of the job; only this one where `mpirun` has not started it. Whoever is first in a process starts MPI, unless the
    /// program has done so; then it is ended with the process.
    ///
    /// # Errors
    /// There is no MPI, or it says why not.
    pub fn world() -> Result<Self> {
        let bridge = bridge()?;
        let mut comm = std::ptr::null_mut();
        let failure = locked(|| {
            // SAFETY: the result is written to where it lies.
            unsafe { (bridge.world)(&raw mut comm) }
        });
        bridge.check(failure, "MPI")?;
        let this = Self::of(bridge, comm)?;
        match size_from_environment().filter(|started| *started > 1 && this.size() == 1) {
            None => Ok(this),
            Some(started) => Err(Error::missing(format!(
                "{started} processes were started, and MPI knows of one: it is another one than that of mpirun (BROOK_MPICC names \
                 the mpicc of that)"
            ))),
        }
    }

    /// The processes of a communicator that the program has, by the number that `MPI_Comm_c2f` gives it. All of them call this at
    /// once; messages do not mix with the program's.
    ///
    /// # Errors
    /// There is no MPI, or it has not been started.
    pub fn from_fortran(communicator: i32) -> Result<Self> {
        let bridge = bridge()?;
        let mut comm = std::ptr::null_mut();
        let failure = locked(|| {
            // SAFETY: the result is written to where it lies; MPI checks the number.
            unsafe { (bridge.of)(communicator, &raw mut comm) }
        });
        bridge.check(failure, "MPI")?;
        Self::of(bridge, comm)
    }

    fn of(bridge: &'static Bridge, comm: Object) -> Result<Self> {
        let mut threads: c_int = 0;
        let mut place: [c_int; 4] = [0; 4];
        let [rank, size, local_rank, local_size] = &mut place;
        let failures = locked(|| {
            // SAFETY: results are written to where they lie; the communicator is a live one.
            unsafe {
                let threads = (bridge.threads)(&raw mut threads);
                [
                    threads,
                    (bridge.place)(comm, rank, size, local_rank, local_size),
                ]
            }
        });
        for failure in failures {
            bridge.check(failure, "MPI")?;
        }
        let place = place.map(|number| number as usize);
        Ok(Self(Arc::new(Inner {
            bridge,
            comm,
            rank: place[0],
            size: place[1],
            local_rank: place[2],
            local_size: place[3],
            steps: AtomicU64::new(0),
            only: (threads < 2).then(|| std::thread::current().id()),
        })))
    }

    /// Whether both are clones of one.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// This process's number, from 0 on.
    pub fn rank(&self) -> usize {
        self.0.rank
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// This process's number among those of its machine.
    pub fn local_rank(&self) -> usize {
        self.0.local_rank
    }

    /// How many of them are on this machine.
    pub fn local_size(&self) -> usize {
        self.0.local_size
    }

    /// Whether messages can still be sent: MPI has not been ended, and this is the process that started it. Not from within a call
    /// of MPI, which ends the process.
    pub fn goes_on(&self) -> bool {
        // SAFETY: MPI lets this be asked at any time.
        !ABORTING.load(Ordering::Relaxed) && unsafe { (self.0.bridge.goes_on)() } != 0
    }

    /// Counts one more thing that all processes do, also those that it does not concern. The result is its message's tag.
    pub fn step(&self) -> i32 {
        (self.0.steps.fetch_add(1, Ordering::Relaxed) % ORDERED_TAG as u64) as i32
    }

    /// Sends bytes to the process of that rank.
    ///
    /// # Errors
    /// What MPI says.
    pub fn send(&self, bytes: Vec<u8>, to: usize, tag: i32) -> Result<Transfer> {
        let from = (bytes.as_ptr().cast_mut().cast(), bytes.len());
        // SAFETY: the bytes stay where they are while the list of them is kept.
        unsafe { self.send_from(from, Box::new(bytes), to, tag) }
    }

    /// The same from an address, the host's or one that MPI [takes](Self::takes_devices). `kept` keeps the memory, and is kept for
    /// good where the transfer is given up.
    ///
    /// # Safety
    /// As many bytes are there as long as `kept`, and nobody changes them before the transfer is done.
    ///
    /// # Errors
    /// What MPI says.
    pub unsafe fn send_from(
        &self,
        from: (*mut c_void, usize),
        kept: Box<dyn Any + Send>,
        to: usize,
        tag: i32,
    ) -> Result<Transfer> {
        let what = format!("rank {to} to take {} bytes (tag {tag})", from.1);
        let (bridge, comm) = (self.0.bridge, self.0.comm);
        let kept = (Vec::new(), Some(kept));
        Transfer::begin_at(self, from, kept, (false, what), |from, bytes| {
            // SAFETY: the transfer keeps the memory until it is done, by this function's contract.
            self.request("a message", |made| unsafe {
                (bridge.send)(comm, from, bytes, to as c_int, tag, made)
            })
        })
    }

    /// Takes so many bytes from the process of that rank.
    ///
    /// # Errors
    /// What MPI says.
    pub fn receive(&self, bytes: usize, from: usize, tag: i32) -> Result<Transfer> {
        let what = comes(bytes, from, tag);
        // SAFETY: the transfer keeps the memory until it is done.
        let begin = |to, bytes| unsafe { self.begin_receive(to, bytes, from, tag) };
        Transfer::begin(self, vec![0; bytes], true, what, begin)
    }

    /// The same to an address, as [`Self::send_from`].
    ///
    /// # Safety
    /// As many bytes are there as long as `kept`, and nobody uses them before the transfer is done.
    ///
    /// # Errors
    /// What MPI says.
    pub unsafe fn receive_to(
        &self,
        to: (*mut c_void, usize),
        kept: Box<dyn Any + Send>,
        from: usize,
        tag: i32,
    ) -> Result<Transfer> {
        let what = (true, comes(to.1, from, tag));
        // SAFETY: the transfer keeps the memory until it is done, by this function's contract.
        let begin = |to, bytes| unsafe { self.begin_receive(to, bytes, from, tag) };
        let kept = (Vec::new(), Some(kept));
        Transfer::begin_at(self, to, kept, what, begin)
    }

    /// Whether MPI says that it takes addresses of the memory of CUDA's GPUs, and of ROCm's.
    pub fn takes_devices(&self) -> (bool, bool) {
        let (mut cuda, mut rocm) = (0, 0);
        // SAFETY: the answers are written to where they lie.
        locked(|| unsafe { (self.0.bridge.devices)(&raw mut cuda, &raw mut rocm) });
        (cuda != 0, rocm != 0)
    }

    /// # Safety
    /// As many bytes are there until the request is done.
    unsafe fn begin_receive(
        &self,
        to: *mut c_void,
        bytes: c_int,
        from: usize,
        tag: i32,
    ) -> Result<*mut c_void> {
        // SAFETY: by this function's contract.
        self.request("a message", |made| unsafe {
            (self.0.bridge.receive)(self.0.comm, to, bytes, from as c_int, tag, made)
        })
    }

    /// Gives all processes what one of them has. All call it, with equally many bytes.
    ///
    /// # Errors
    /// What MPI says.
    pub fn broadcast(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>> {
        if self.0.size == 1 {
            return Ok(bytes);
        }
        let what = format!("{} bytes that rank {root} gives to all", bytes.len());
        let (bridge, comm) = (self.0.bridge, self.0.comm);
        let given = Transfer::begin(self, bytes, false, what, |memory, bytes| {
            // SAFETY: the transfer keeps the memory until it is done.
            self.request("a broadcast", |made| unsafe {
                (bridge.broadcast)(comm, memory, bytes, root as c_int, made)
            })
        });
        given?.wait()
    }

    /// The same of as many bytes as the one has; what the others bring is not looked at.
    ///
    /// # Errors
    /// What MPI says.
    pub fn broadcast_any(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>> {
        let length = (bytes.len() as u64).to_le_bytes().to_vec();
        let length = self.broadcast(length, root)?;
        let mut bytes = bytes;
        let length: [u8; 8] = length.try_into().unwrap_or_default();
        bytes.resize(u64::from_le_bytes(length) as usize, 0);
        self.broadcast(bytes, root)
    }

    /// What each process has, in the order of their ranks. All call it, with equally many bytes.
    ///
    /// # Errors
    /// What MPI says, or that there are 2 GiB of them or more.
    pub fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>> {
        let all = vec![0; own.len() * self.0.size];
        if all.len() > PIECE {
            return Err(Error::invalid("too many bytes to gather from all ranks"));
        }
        let (bridge, comm) = (self.0.bridge, self.0.comm);
        let what = format!("{} bytes of each rank", own.len());
        let gathered = Transfer::begin(self, all, false, what, |all, _| {
            // SAFETY: the transfer keeps what is written until it is done, and this waits for it.
            self.request("a gather", |made| unsafe {
                let bytes = own.len() as c_int;
                (bridge.gather)(comm, own.as_ptr().cast(), bytes, all, made)
            })
        });
        let gathered = gathered?.wait()?;
        let parts = gathered.chunks(own.len().max(1));
        let parts: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
        Ok(match own.is_empty() {
            true => vec![Vec::new(); self.0.size],
            false => parts,
        })
    }

    /// Gives each process what is for it, and takes what each has for this one, by rank. All call it.
    ///
    /// # Errors
    /// What MPI says.
    pub fn exchange(&self, bytes: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
        if bytes.len() != self.0.size {
            return Err(Error::invalid("an exchange has something for each rank"));
        }
        let mut lengths = Vec::with_capacity(8 * bytes.len());
        for part in &bytes {
            lengths.extend((part.len() as u64).to_le_bytes());
        }
        let lengths = self.gather(&lengths)?;
        let tag = self.step();
        let mut comes = Vec::new();
        for (rank, lengths) in lengths.iter().enumerate() {
            let own = lengths.get(8 * self.0.rank..).and_then(|l| l.first_chunk());
            let length = u64::from_le_bytes(*own.unwrap_or(&[0; 8])) as usize;
            comes.push(match rank == self.0.rank {
                true => None,
                false => Some(self.receive(length, rank, tag)?),
            });
        }
        let (mut goes, mut stays) = (Vec::new(), Vec::new());
        for (rank, part) in bytes.into_iter().enumerate() {
            match rank == self.0.rank {
                true => stays = part,
                false => goes.push(self.send(part, rank, tag)?),
            }
        }
        let taken = comes.into_iter().map(|comes| match comes {
            Some(comes) => comes.wait(),
            None => Ok(std::mem::take(&mut stays)),
        });
        let taken = taken.collect::<Result<Vec<_>>>()?;
        for sent in goes {
            sent.wait()?;
        }
        Ok(taken)
    }

    /// Puts in the place of each number what is made of those of all processes. All call it, with equally many numbers. Sums of
    /// floating numbers are whatever order MPI takes.
    ///
    /// # Errors
    /// What MPI says.
    pub fn reduce<T: Number>(&self, numbers: &mut [T], reduction: Reduction) -> Result<()> {
        if self.0.size == 1 || numbers.is_empty() {
            return Ok(());
        }
        let size = size_of::<T>();
        let (bridge, comm) = (self.0.bridge, self.0.comm);
        for part in numbers.chunks_mut(PIECE / size) {
            let bytes = size_of_val(part);
            let from = part.as_mut_ptr().cast::<u8>();
            // SAFETY: numbers are plain bytes.
            let memory = unsafe { std::slice::from_raw_parts(from, bytes) }.to_vec();
            let what = format!("{} numbers of each rank", part.len());
            let reduced = Transfer::begin(self, memory, false, what, |memory, bytes| {
                // SAFETY: the transfer keeps the memory until it is done.
                self.request("a reduction", |made| unsafe {
                    let count = bytes / size as c_int;
                    (bridge.reduce)(comm, memory, count, T::TYPE, reduction as c_int, made)
                })
            });
            let reduced = reduced?.wait()?;
            // SAFETY: there are as many bytes of the same numbers.
            unsafe { std::ptr::copy_nonoverlapping(reduced.as_ptr(), from, bytes) };
        }
        Ok(())
    }

    /// Ends the job, since this process cannot go on.
    pub fn abort(&self, status: i32) -> ! {
        ABORTING.store(true, Ordering::Relaxed);
        // Without the lock: MPI may end the process from within, and what runs then may ask whether messages go on.
        // SAFETY: the communicator is a live one.
        unsafe { (self.0.bridge.abort)(self.0.comm, status) };
        std::process::exit(status)
    }

    /// How many bytes came with what is done; `None` of what is not. What is done or failed is not asked for again.
    pub(crate) fn test(&self, request: Object) -> Result<Option<usize>> {
        let (mut done, mut bytes) = (0, 0);
        // SAFETY: the request is one that is not done.
        self.call("a message", || unsafe {
            (self.0.bridge.test)(request, &raw mut done, &raw mut bytes)
        })?;
        Ok((done != 0).then_some(bytes as usize))
    }

    fn request(&self, what: &str, begin: impl Fn(*mut Object) -> Failure) -> Result<*mut c_void> {
        if !self.goes_on() {
            return Err(Error::invalid(format!(
                "{what}: MPI has ended with the program, and nothing goes to other processes any more"
            )));
        }
        let mut made = std::ptr::null_mut();
        self.call(what, || begin(&raw mut made))?;
        Ok(made)
    }

    fn call(&self, what: &str, call: impl FnOnce() -> Failure) -> Result<()> {
        if self
            .0
            .only
            .is_some_and(|only| only != std::thread::current().id())
        {
            return Err(Error::invalid(
                "this MPI was started for one thread, and another one uses it",
            ));
        }
        self.0.bridge.check(locked(call), what)
    }
}

/// What is waited for, in words.
fn comes(bytes: usize, from: usize, tag: i32) -> String {
    format!("{bytes} bytes of rank {from} (tag {tag})")
}

/// Calls of MPI, one at a time.
fn locked<R>(call: impl FnOnce() -> R) -> R {
    let _turn = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    call()
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Communicator(rank {} of {})", self.0.rank, self.0.size)
    }
}
