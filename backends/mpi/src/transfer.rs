//! Messages under way.

use crate::communicator::Communicator;
use brook_driver::{Error, Result};
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::time::{Duration, Instant};

/// Bytes of one message at most: MPI counts in `int`.
pub(crate) const PIECE: usize = 1 << 30;

/// A wait that is longer is told of, and again after as long.
const LONG: Duration = Duration::from_secs(60);
/// How long others are asked for without a pause.
const BUSY: Duration = Duration::from_millis(2);

/// Bytes on their way to or from another process, and their memory until they have arrived.
#[derive(Debug)]
#[must_use = "whoever drops it before it is done gives its memory up"]
pub struct Transfer {
    communicator: Communicator,
    memory: Vec<u8>,
    /// What keeps the memory where it is others'.
    kept: Option<Box<dyn Any + Send>>,
    pieces: Vec<Piece>,
    /// In words, for whoever waits for it.
    what: String,
    /// Whether fewer bytes than were asked for are an error.
    incoming: bool,
}

/// One request, and how many bytes it is for.
#[derive(Debug)]
struct Piece {
    request: *mut c_void,
    bytes: usize,
}

// SAFETY: a request may be asked for by any thread, by one at a time; calls are made under the communicator's lock.
unsafe impl Send for Piece {}

impl Transfer {
    /// Begins what `begin` does with each piece of the memory.
    pub(crate) fn begin(
        communicator: &Communicator,
        memory: Vec<u8>,
        incoming: bool,
        what: String,
        begin: impl Fn(*mut c_void, c_int) -> Result<*mut c_void>,
    ) -> Result<Self> {
        let mut memory = memory;
        let side = (memory.as_mut_ptr().cast(), memory.len());
        Self::begin_at(communicator, side, (memory, None), (incoming, what), begin)
    }

    /// The same of memory that this or something else keeps, which lasts as long as that.
    pub(crate) fn begin_at(
        communicator: &Communicator,
        (start, length): (*mut c_void, usize),
        (memory, kept): (Vec<u8>, Option<Box<dyn Any + Send>>),
        (incoming, what): (bool, String),
        begin: impl Fn(*mut c_void, c_int) -> Result<*mut c_void>,
    ) -> Result<Self> {
        let mut this = Self {
            communicator: communicator.clone(),
            memory,
            kept,
            pieces: Vec::new(),
            what,
            incoming,
        };
        for at in (0..length).step_by(PIECE) {
            let bytes = PIECE.min(length - at);
            let request = begin(start.wrapping_byte_add(at), bytes as c_int)?;
            this.pieces.push(Piece { request, bytes });
        }
        Ok(this)
    }

    /// Whether it has arrived.
    ///
    /// # Errors
    /// What MPI says, or that the other process has sent less.
    pub fn is_done(&mut self) -> Result<bool> {
        while let Some(piece) = self.pieces.last() {
            let (request, bytes) = (piece.request, piece.bytes);
            match self.communicator.test(request) {
                Ok(None) => return Ok(false),
                Ok(Some(came)) => {
                    self.pieces.pop();
                    if self.incoming && came != bytes {
                        return Err(Error::invalid(format!(
                            "{}: {came} bytes came instead of {bytes}; the processes have not done the same",
                            self.what
                        )));
                    }
                }
                Err(error) => {
                    self.pieces.pop();
                    return Err(error);
                }
            }
        }
        Ok(true)
    }

    /// Waits for it, but no longer than that; `None` where it has not arrived.
    ///
    /// # Errors
    /// As [`Self::is_done`].
    pub fn wait_for(mut self, patience: Duration) -> Result<Option<Vec<u8>>> {
        let began = Instant::now();
        while !self.is_done()? {
            if began.elapsed() > patience {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        Ok(Some(std::mem::take(&mut self.memory)))
    }

    /// Waits for it. The result is the memory; none of what something else keeps.
    ///
    /// # Errors
    /// As [`Self::is_done`].
    pub fn wait(mut self) -> Result<Vec<u8>> {
        let began = Instant::now();
        let mut told = LONG;
        while !self.is_done()? {
            let waited = began.elapsed();
            match waited < BUSY {
                true => std::thread::yield_now(),
                false => std::thread::sleep(Duration::from_micros(20)),
            }
            if waited > told {
                told += LONG;
                self.complain(waited);
            }
        }
        Ok(std::mem::take(&mut self.memory))
    }

    /// Nobody else knows of it where the others wait for something else.
    #[expect(
        clippy::print_stderr,
        reason = "a job that hangs has no other way to say where"
    )]
    fn complain(&self, waited: Duration) {
        let (rank, size) = (self.communicator.rank(), self.communicator.size());
        let (seconds, what) = (waited.as_secs(), &self.what);
        eprintln!("brook: rank {rank} of {size} has waited {seconds} s for: {what}");
    }
}

impl Drop for Transfer {
    /// MPI may still use the memory.
    fn drop(&mut self) {
        if !self.pieces.is_empty() {
            std::mem::forget(std::mem::take(&mut self.memory));
            std::mem::forget(self.kept.take());
        }
    }
}
