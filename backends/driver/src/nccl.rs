//! Copies between GPUs of several processes by NCCL, which finds the way, over their links or between machines, or by RCCL, whose
//! functions are the same. Communicators are not destroyed: that waits for the others, who may have ended.

use crate::arguments::check_range;
use crate::buffer::Buffer;
use crate::error::{Error, ErrorKind, Result};
use crate::exchange::{Exchange, Message};
use crate::queue::Queue;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

/// What processes find each other by: NCCL's `ncclUniqueId`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NcclTicket(pub [u8; 128]);

/// What came of a call of the library: why it failed, in the library's words.
pub type NcclResult = std::result::Result<(), String>;

/// A GPU, and the library.
pub trait Nccl: Send + Sync {
    /// The library's name.
    const NAME: &'static str;

    /// Makes the GPU the thread's current one.
    fn enter(&self) -> Result<()>;

    /// The stream behind a queue, if it is one of this GPU's.
    fn stream(&self, queue: &dyn Queue) -> Option<*mut c_void>;

    /// The address of a buffer's byte, if its memory is this GPU's.
    fn address(&self, buffer: &dyn Buffer, offset: usize) -> Result<*mut c_void>;

    /// `ncclCommInitRank`: writes a communicator of `count` processes, of which this one has that number.
    ///
    /// # Safety
    /// The GPU is the thread's current one; the answer is written to where `made` points.
    unsafe fn begin(
        &self,
        made: *mut *mut c_void,
        count: c_int,
        ticket: NcclTicket,
        number: c_int,
    ) -> NcclResult;

    /// `ncclGroupStart`.
    ///
    /// # Safety
    /// `ncclGroupEnd` follows, in the same thread.
    unsafe fn group_start(&self) -> NcclResult;

    /// `ncclGroupEnd`.
    ///
    /// # Safety
    /// It has been started, in the same thread.
    unsafe fn group_end(&self) -> NcclResult;

    /// `ncclSend` or `ncclRecv` of bytes, by whether they go.
    ///
    /// # Safety
    /// So many bytes are there until the stream has come so far; communicator and stream are live ones of this GPU.
    unsafe fn message(
        &self,
        goes: bool,
        memory: (*mut c_void, usize),
        with: c_int,
        communicator: *mut c_void,
        stream: *mut c_void,
    ) -> NcclResult;
}

/// A GPU that has joined those of other processes.
pub struct Joined<N> {
    library: N,
    /// Used by one thread at a time.
    communicator: Mutex<Communicator>,
}

struct Communicator(*mut c_void);

// SAFETY: NCCL's communicators may be used by any thread, by one at a time.
unsafe impl Send for Communicator {}

/// An error of a call that failed.
pub fn nccl_failed(what: &str, reason: &str) -> Error {
    Error::new(ErrorKind::Device, format!("{what} failed: {reason}"))
}

impl<N: Nccl> Joined<N> {
    /// The GPU of that number, of so many, each in a process that calls this at once.
    ///
    /// # Errors
    /// The ticket is none, or what the library says.
    pub fn new(library: N, ticket: &[u8], number: usize, count: usize) -> Result<Self> {
        let Ok(ticket) = <[u8; 128]>::try_from(ticket) else {
            return Err(Error::invalid(format!(
                "that is no ticket of {}'s",
                N::NAME
            )));
        };
        library.enter()?;
        let mut made = std::ptr::null_mut();
        // SAFETY: the answer is written to where `made` lies, and the GPU is current.
        let joined = unsafe {
            let (count, number) = (count as c_int, number as c_int);
            library.begin(&raw mut made, count, NcclTicket(ticket), number)
        };
        let what = || format!("joining the others by {}", N::NAME);
        joined.map_err(|reason| nccl_failed(&what(), &reason))?;
        Ok(Self {
            library,
            communicator: Mutex::new(Communicator(made)),
        })
    }
}

impl<N: Nccl> Exchange for Joined<N> {
    fn enqueue(&self, queue: &dyn Queue, messages: &[Message<'_>]) -> Result<()> {
        let library = &self.library;
        let stream = library
            .stream(queue)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        let mut sides = Vec::with_capacity(messages.len());
        for message in messages {
            let what = if message.goes { "read" } else { "write" };
            check_range(message.buffer.len(), message.offset, message.bytes, what)?;
            let address = library.address(message.buffer, message.offset)?;
            sides.push((address, message));
        }
        let communicator = self.communicator.lock();
        let communicator = communicator.unwrap_or_else(PoisonError::into_inner).0;
        library.enter()?;
        let failed = |reason: String| nccl_failed(&format!("messages of {}", N::NAME), &reason);
        // SAFETY: calls up to the end of the group are one.
        unsafe { library.group_start() }.map_err(failed)?;
        let mut done = Ok(());
        for (address, message) in sides {
            let (memory, with) = ((address, message.bytes), message.with as c_int);
            // SAFETY: the range is the buffer's, which lives as long as what is in the queue; the stream is the same GPU's.
            let said = unsafe { library.message(message.goes, memory, with, communicator, stream) };
            done = done.and(said);
        }
        // SAFETY: begun above.
        done.and(unsafe { library.group_end() }).map_err(failed)
    }
}
