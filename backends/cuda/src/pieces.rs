//! Page-locked pieces of memory through which copies of other host memory go.

use crate::status::check;
use brook_driver::{PIECE, Result};
use cudarc::driver::result::{self, event, stream};
use cudarc::driver::sys::{self, CUevent, CUevent_flags_enum as EventFlags, CUstream};
use std::ffi::c_void;

/// A stream with two page-locked pieces, and an event for each that says it is free again.
pub(crate) struct Lane {
    pub(crate) stream: CUstream,
    pub(crate) pieces: [*mut c_void; 2],
    pub(crate) events: [CUevent; 2],
}

// SAFETY: streams, events and page-locked memory may be used by any thread, one at a time.
unsafe impl Send for Lane {}

/// What a session keeps for such copies.
#[derive(Default)]
pub(crate) struct Pieces(pub(crate) Vec<Lane>);

impl Pieces {
    /// Makes lanes until there are enough.
    pub(crate) fn grow(&mut self, lanes: usize) -> Result<()> {
        let what = "making page-locked memory for copies";
        while self.0.len() < lanes {
            let mut lane = Lane {
                stream: check(stream::create(stream::StreamKind::NonBlocking), what)?,
                pieces: [std::ptr::null_mut(); 2],
                events: [std::ptr::null_mut(); 2],
            };
            for half in 0..2 {
                // SAFETY: the context is current; the memory is written before it is read.
                let piece = unsafe { result::malloc_host(PIECE, sys::CU_MEMHOSTALLOC_PORTABLE) };
                lane.pieces[half] = check(piece, what)?;
                let event = event::create(EventFlags::CU_EVENT_DISABLE_TIMING);
                lane.events[half] = check(event, what)?;
            }
            self.0.push(lane);
        }
        Ok(())
    }

    /// Frees everything; the context is current.
    pub(crate) fn free(&mut self) {
        for lane in self.0.drain(..) {
            // SAFETY: all of it was made in `grow`; nothing is in use, since copies are complete on return.
            // What goes wrong at the end leaves nothing to do.
            unsafe {
                let _ = stream::destroy(lane.stream);
                for half in 0..2 {
                    let _ = event::destroy(lane.events[half]);
                    let _ = result::free_host(lane.pieces[half]);
                }
            }
        }
    }
}
