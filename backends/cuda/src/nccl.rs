//! Copies between GPUs of several processes: NCCL, which is opened when it is first needed.

use crate::queue::{CudaQueue, own_buffer};
use crate::session::Session;
use brook_driver::{
    Buffer, Error, ErrorKind, Nccl, NcclResult, NcclTicket, Queue, Result, nccl_failed,
};
use cudarc::driver::sys::CUstream;
use cudarc::nccl::sys::{self, ncclDataType_t, ncclResult_t, ncclUniqueId};
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::Arc;

const _: () = assert!(size_of::<NcclTicket>() == size_of::<ncclUniqueId>());

/// A device of CUDA's, and NCCL.
pub(crate) struct CudaNccl(pub(crate) Arc<Session>);

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
    said(status).map_err(|reason| nccl_failed("beginning with NCCL", &reason))?;
    // SAFETY: zeros or NCCL's bytes, all of which are characters.
    let ticket = unsafe { ticket.assume_init() };
    Ok(ticket.internal.iter().map(|c| *c as u8).collect())
}

fn said(status: ncclResult_t) -> NcclResult {
    match status {
        ncclResult_t::ncclSuccess | ncclResult_t::ncclInProgress => Ok(()),
        failed => {
            // SAFETY: the answer is a string that stays.
            let reason = unsafe { CStr::from_ptr(sys::ncclGetErrorString(failed)) };
            Err(reason.to_string_lossy().into_owned())
        }
    }
}

impl Nccl for CudaNccl {
    const NAME: &'static str = "NCCL";

    fn enter(&self) -> Result<()> {
        self.0.enter()
    }

    fn stream(&self, queue: &dyn Queue) -> Option<*mut c_void> {
        CudaQueue::stream_of(queue, &self.0).map(CUstream::cast)
    }

    fn address(&self, buffer: &dyn Buffer, offset: usize) -> Result<*mut c_void> {
        let address = own_buffer(buffer, &self.0)?.address(offset);
        Ok(std::ptr::with_exposed_provenance_mut(address as usize))
    }

    unsafe fn begin(
        &self,
        made: *mut *mut c_void,
        count: c_int,
        ticket: NcclTicket,
        number: c_int,
    ) -> NcclResult {
        let ticket = ncclUniqueId {
            internal: ticket.0.map(|byte| byte as _),
        };
        // SAFETY: by this method's contract.
        said(unsafe { sys::ncclCommInitRank(made.cast(), count, ticket, number) })
    }

    unsafe fn group_start(&self) -> NcclResult {
        // SAFETY: by this method's contract.
        said(unsafe { sys::ncclGroupStart() })
    }

    unsafe fn group_end(&self) -> NcclResult {
        // SAFETY: by this method's contract.
        said(unsafe { sys::ncclGroupEnd() })
    }

    unsafe fn message(
        &self,
        goes: bool,
        (memory, bytes): (*mut c_void, usize),
        with: c_int,
        communicator: *mut c_void,
        stream: *mut c_void,
    ) -> NcclResult {
        let kind = ncclDataType_t::ncclUint8;
        let (communicator, stream) = (communicator.cast(), stream.cast());
        // SAFETY: by this method's contract.
        said(unsafe {
            match goes {
                true => sys::ncclSend(memory, bytes, kind, with, communicator, stream),
                false => sys::ncclRecv(memory, bytes, kind, with, communicator, stream),
            }
        })
    }
}
