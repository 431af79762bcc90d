//! Copies of host memory that is not page-locked.

use crate::pieces::Lane;
use crate::session::Session;
use crate::status::check;
use brook_driver::{Direction, LEAST_STAGED, Result, Staged, copy_staged, lanes};
use cudarc::driver::result::{event, stream};
use cudarc::driver::sys::{
    self, CUdeviceptr, CUevent, CUevent_flags_enum as EventFlags,
    CUevent_wait_flags_enum as WaitFlags, CUpointer_attribute_enum as PointerAttribute,
};
use std::ffi::c_void;
use std::sync::PoisonError;

const COPYING: &str = "copying through page-locked memory";

/// Whether a copy gains by going through pieces.
pub(crate) fn pays(host: *const u8, bytes: usize) -> bool {
    if bytes < LEAST_STAGED {
        return false;
    }
    let mut kind = 0u32;
    // SAFETY: the answer is an integer; the address is only looked up.
    let status = unsafe {
        sys::cuPointerGetAttribute(
            (&raw mut kind).cast::<c_void>(),
            PointerAttribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            host.expose_provenance() as u64,
        )
    };
    // The driver knows page-locked memory.
    status.result().is_err()
}

/// Copies between host memory and a device address, after what the session's stream has been told to do;
/// complete on return.
///
/// # Safety
/// Both sides have that many bytes, and nobody else uses the host's meanwhile.
pub(crate) unsafe fn copy(
    session: &Session,
    address: CUdeviceptr,
    host: Staged,
    bytes: usize,
) -> Result<()> {
    let lanes = lanes(bytes);
    let pieces = session.pieces.lock();
    let mut pieces = pieces.unwrap_or_else(PoisonError::into_inner);
    pieces.grow(lanes)?;
    let before = check(event::create(EventFlags::CU_EVENT_DISABLE_TIMING), COPYING)?;
    // SAFETY: event and stream are live.
    let marked = check(unsafe { event::record(before, session.stream()) }, COPYING);
    let copied = marked.and_then(|()| {
        let lane = |lane| Moving {
            lane,
            session,
            before,
            address,
        };
        let mut moving: Vec<_> = pieces.0.iter_mut().take(lanes).map(lane).collect();
        // SAFETY: by this function's contract.
        unsafe { copy_staged(&mut moving, host, bytes) }
    });
    // SAFETY: the event was made above; streams that wait for it have done so.
    let _ = unsafe { event::destroy(before) };
    copied
}

/// A lane during a copy from or to an address.
struct Moving<'l> {
    lane: &'l mut Lane,
    session: &'l Session,
    /// What the copy comes after.
    before: CUevent,
    address: CUdeviceptr,
}

// SAFETY: events may be used by any thread.
unsafe impl Send for Moving<'_> {}

impl brook_driver::Lane for Moving<'_> {
    fn begin(&mut self) -> Result<()> {
        self.session.enter()?;
        let wait = WaitFlags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: stream and event are live.
        let waits = unsafe { stream::wait_event(self.lane.stream, self.before, wait) };
        check(waits, COPYING)
    }

    fn piece(&self, half: usize) -> *mut u8 {
        self.lane.pieces[half].cast()
    }

    unsafe fn start(
        &mut self,
        half: usize,
        at: usize,
        bytes: usize,
        direction: Direction,
    ) -> Result<()> {
        let (memory, stream) = (self.lane.pieces[half], self.lane.stream);
        let on_device = self.address + at as u64;
        // SAFETY: by this method's contract; stream and event are live.
        unsafe {
            let status = match direction {
                Direction::ToDevice => sys::cuMemcpyHtoDAsync_v2(on_device, memory, bytes, stream),
                Direction::ToHost => sys::cuMemcpyDtoHAsync_v2(memory, on_device, bytes, stream),
            };
            check(status.result(), COPYING)?;
            check(event::record(self.lane.events[half], stream), COPYING)
        }
    }

    fn wait(&mut self, half: usize) -> Result<()> {
        // SAFETY: the event is live.
        check(
            unsafe { event::synchronize(self.lane.events[half]) },
            COPYING,
        )
    }
}
