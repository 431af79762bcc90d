//! Copies between GPUs of several processes: RCCL, which has NCCL's functions.

use crate::memory::HipBuffer;
use crate::queue::HipQueue;
use crate::session::Session;
use crate::status::text;
use crate::sys::{self, Rccl};
use brook_driver::{Buffer, Error, Nccl, NcclResult, NcclTicket, Queue, Result, nccl_failed};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// `ncclUint8`.
const BYTES: c_int = 1;
/// `ncclSuccess`, `ncclInProgress`.
const WELL: [c_int; 2] = [0, 7];

/// A device of HIP's, and RCCL.
pub(crate) struct HipRccl {
    session: Arc<Session>,
    rccl: &'static Rccl,
}

/// Whether the library is there.
pub(crate) fn can_join() -> Result<()> {
    sys::rccl().map(drop).map_err(Error::missing)
}

/// What processes find each other by.
pub(crate) fn ticket() -> Result<Vec<u8>> {
    let rccl = sys::rccl().map_err(Error::missing)?;
    let mut ticket = NcclTicket([0; 128]);
    // SAFETY: the answer is written there.
    let status = unsafe { (rccl.get_unique_id)(&raw mut ticket) };
    said(rccl, status).map_err(|reason| nccl_failed("beginning with RCCL", &reason))?;
    Ok(ticket.0.to_vec())
}

fn said(rccl: &Rccl, status: c_int) -> NcclResult {
    if WELL.contains(&status) {
        return Ok(());
    }
    // SAFETY: the function takes any number and returns a constant string.
    let reason = unsafe { text((rccl.get_error_string)(status)) };
    Err(reason.unwrap_or_else(|| format!("status {status}")))
}

impl HipRccl {
    pub(crate) fn new(session: Arc<Session>) -> Result<Self> {
        let rccl = sys::rccl().map_err(Error::missing)?;
        Ok(Self { session, rccl })
    }
}

impl Nccl for HipRccl {
    const NAME: &'static str = "RCCL";

    fn enter(&self) -> Result<()> {
        self.session.enter()
    }

    fn stream(&self, queue: &dyn Queue) -> Option<*mut c_void> {
        HipQueue::stream_of(queue, &self.session)
    }

    fn address(&self, buffer: &dyn Buffer, offset: usize) -> Result<*mut c_void> {
        let own = HipBuffer::of(buffer, &self.session);
        let own = own.ok_or_else(|| Error::invalid("the memory is another device's"))?;
        Ok(own.address(offset))
    }

    unsafe fn begin(
        &self,
        made: *mut *mut c_void,
        count: c_int,
        ticket: NcclTicket,
        number: c_int,
    ) -> NcclResult {
        // SAFETY: by this method's contract.
        let status = unsafe { (self.rccl.comm_init_rank)(made, count, ticket, number) };
        said(self.rccl, status)
    }

    unsafe fn group_start(&self) -> NcclResult {
        // SAFETY: by this method's contract.
        said(self.rccl, unsafe { (self.rccl.group_start)() })
    }

    unsafe fn group_end(&self) -> NcclResult {
        // SAFETY: by this method's contract.
        said(self.rccl, unsafe { (self.rccl.group_end)() })
    }

    unsafe fn message(
        &self,
        goes: bool,
        (memory, bytes): (*mut c_void, usize),
        with: c_int,
        communicator: *mut c_void,
        stream: *mut c_void,
    ) -> NcclResult {
        let rccl = self.rccl;
        // SAFETY: by this method's contract.
        let status = unsafe {
            match goes {
                true => (rccl.send)(memory, bytes, BYTES, with, communicator, stream),
                false => (rccl.receive)(memory, bytes, BYTES, with, communicator, stream),
            }
        };
        said(rccl, status)
    }
}
