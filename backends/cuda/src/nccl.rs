//! Copies between GPUs of several processes: NCCL, which finds the way, over NVLink or between machines.
//!
//! The library is opened when it is first needed. Communicators are not destroyed: that waits for the others, who may have ended.

use crate::queue::{CudaQueue, own_buffer};
use crate::session::Session;
use brook_driver::{Error, ErrorKind, Exchange, Message, Queue, Result, check_range};
use cudarc::nccl::sys::{
    self, ncclComm_t, ncclDataType_t, ncclGroupEnd, ncclGroupStart, ncclRecv, ncclResult_t,
    ncclSend, ncclUniqueId,
};
use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a ticket.
const TICKET: usize = size_of::<ncclUniqueId>();

pub(crate) struct Nccl {
    session: Arc<Session>,
    /// Used by one thread at a time.
    communicator: Mutex<Communicator>,
}

struct Communicator(ncclComm_t);

// SAFETY: NCCL's communicators may be used by any thread, by one at a time.
unsafe impl Send for Communicator {}

fn check(status: ncclResult_t, what: &str) -> Result<()> {
    match status {
        ncclResult_t::ncclSuccess | ncclResult_t::ncclInProgress => Ok(()),
        failed => {
            // SAFETY: the answer is a string that stays.
            let reason = unsafe { CStr::from_ptr(sys::ncclGetErrorString(failed)) };
            let reason = reason.to_string_lossy();
            Err(Error::new(
                ErrorKind::Device,
                format!("{what} failed: {reason}"),
            ))
        }
    }
}

/// Whether the library is there.
pub(crate) fn can_join() -> Result<()> {
    // SAFETY: it looks whether a library can be opened.
    match unsafe { sys::is_culib_present() } {
        true => Ok(()),
        false => Err(Error::new(
            ErrorKind::Missing,
            "there is no NCCL (libnccl.so)",
        )),
    }
}

/// What processes find each other by.
pub(crate) fn ticket() -> Result<Vec<u8>> {
    can_join()?;
    let mut ticket = MaybeUninit::<ncclUniqueId>::zeroed();
    // SAFETY: the answer is written there.
    let status = unsafe { sys::ncclGetUniqueId(ticket.as_mut_ptr()) };
    check(status, "beginning with NCCL")?;
    // SAFETY: zeros or NCCL's bytes, all of which are characters.
    let ticket = unsafe { ticket.assume_init() };
    Ok(ticket.internal.iter().map(|c| *c as u8).collect())
}

impl Nccl {
    /// The device of that number, of so many, each in a process that calls this at once.
    pub(crate) fn join(
        session: Arc<Session>,
        ticket: &[u8],
        number: usize,
        count: usize,
    ) -> Result<Self> {
        can_join()?;
        let Ok(ticket) = <[u8; TICKET]>::try_from(ticket) else {
            return Err(Error::invalid("that is no ticket of NCCL's"));
        };
        let ticket = ncclUniqueId {
            internal: ticket.map(|byte| byte as _),
        };
        session.enter()?;
        let mut communicator: ncclComm_t = ptr::null_mut();
        // SAFETY: the answer is a pointer; the device's context is current.
        let status = unsafe {
            let (count, number) = (count as c_int, number as c_int);
            sys::ncclCommInitRank(&raw mut communicator, count, ticket, number)
        };
        check(status, "joining the others by NCCL")?;
        Ok(Self {
            session,
            communicator: Mutex::new(Communicator(communicator)),
        })
    }
}

impl Exchange for Nccl {
    fn enqueue(&self, queue: &dyn Queue, messages: &[Message<'_>]) -> Result<()> {
        let stream = CudaQueue::stream_of(queue, &self.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        let mut sides = Vec::with_capacity(messages.len());
        for message in messages {
            let what = if message.goes { "read" } else { "write" };
            check_range(message.buffer.len(), message.offset, message.bytes, what)?;
            let own = own_buffer(message.buffer, &self.session)?;
            sides.push((own.address(message.offset), message));
        }
        let communicator = self.communicator.lock();
        let communicator = communicator.unwrap_or_else(PoisonError::into_inner).0;
        self.session.enter()?;
        // SAFETY: calls up to the end of the group are one.
        check(unsafe { ncclGroupStart() }, "beginning messages of NCCL")?;
        let mut done = Ok(());
        for (address, message) in sides {
            let (bytes, with) = (message.bytes, message.with as c_int);
            let kind = ncclDataType_t::ncclUint8;
            // SAFETY: the range is the buffer's, which lives as long as what is in the queue; the stream is of the same context.
            let status = unsafe {
                let stream = stream.cast();
                match message.goes {
                    true => ncclSend(address as _, bytes, kind, with, communicator, stream),
                    false => ncclRecv(address as _, bytes, kind, with, communicator, stream),
                }
            };
            done = done.and(check(status, "a message of NCCL"));
        }
        // SAFETY: begun above.
        done.and(check(unsafe { ncclGroupEnd() }, "messages of NCCL"))
    }
}
