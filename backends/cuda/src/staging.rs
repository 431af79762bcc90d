//! Copies of host memory that is not page-locked: through page-locked pieces, by several threads.
//!
//! The driver takes such memory at a fraction of the bus's speed, since one thread copies it into a piece of its
//! own. Here each lane has two pieces and a stream: while one piece is on its way, the other is filled.

use crate::device::Session;
use crate::status::check;
use brook_driver::{Error, ErrorKind, Result};
use cudarc::driver::result::{self, event, stream};
use cudarc::driver::sys::{
    self, CUdeviceptr, CUevent, CUevent_flags_enum as EventFlags,
    CUevent_wait_flags_enum as WaitFlags, CUpointer_attribute_enum as PointerAttribute, CUstream,
};
use std::ffi::c_void;
use std::num::NonZero;
use std::sync::PoisonError;
use std::thread;

/// Bytes of a piece: enough for the bus, and little enough for caches.
const PIECE: usize = 1 << 20;

/// Copies of fewer bytes are the driver's.
const LEAST: usize = 8 * PIECE;

/// Most threads: what it takes to fill memory as fast as the fastest bus empties it.
const MOST_LANES: usize = 16;

/// Where host memory is, and in which direction the copy goes.
#[derive(Clone, Copy)]
pub(crate) enum Host {
    From(*const u8),
    To(*mut u8),
}

// SAFETY: the memory is borrowed by whoever starts the copy until all threads have ended, and each thread
// has pieces of its own.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// A stream with two page-locked pieces, and an event for each that says it is free again.
struct Lane {
    stream: CUstream,
    pieces: [*mut c_void; 2],
    events: [CUevent; 2],
}

// SAFETY: streams, events and page-locked memory may be used by any thread, one at a time.
unsafe impl Send for Lane {}

/// What a session keeps for such copies.
#[derive(Default)]
pub(crate) struct Staging(Vec<Lane>);

impl Staging {
    /// Makes lanes until there are enough.
    fn grow(&mut self, lanes: usize) -> Result<()> {
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

/// Whether a copy gains by going through pieces.
pub(crate) fn pays(host: *const u8, bytes: usize) -> bool {
    if bytes < LEAST {
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
    host: Host,
    bytes: usize,
) -> Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let lanes = cores.min(MOST_LANES);
    let mut staging = session
        .staging
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    staging.grow(lanes)?;
    let what = "copying through page-locked memory";
    let before = check(event::create(EventFlags::CU_EVENT_DISABLE_TIMING), what)?;
    // SAFETY: event and stream are live.
    let marked = check(unsafe { event::record(before, session.stream()) }, what);
    let copied = marked.and_then(|()| {
        thread::scope(|scope| {
            let each = staging.0.iter_mut().take(lanes).enumerate();
            let threads: Vec<_> = each
                .map(|(number, lane)| {
                    let before = Ready(before);
                    let work = move || {
                        session.enter()?;
                        // SAFETY: by this function's contract; lanes have different pieces of both sides.
                        unsafe { lane.copy(&before, address, host, bytes, (number, lanes)) }
                    };
                    thread::Builder::new().spawn_scoped(scope, work)
                })
                .collect();
            let failed = || Error::new(ErrorKind::Device, "no thread to copy host memory with");
            let ended = threads
                .into_iter()
                .map(|thread| match thread.map(|t| t.join()) {
                    Ok(Ok(copied)) => copied,
                    _ => Err(failed()),
                });
            // All of them, whatever happens.
            let all: Vec<Result<()>> = ended.collect();
            all.into_iter().collect::<Result<()>>()
        })
    });
    // SAFETY: the event was made above; streams that wait for it have done so.
    let _ = unsafe { event::destroy(before) };
    copied
}

/// An event that other threads wait for.
struct Ready(CUevent);

// SAFETY: events may be used by any thread.
unsafe impl Send for Ready {}

impl Lane {
    /// # Safety
    /// As [`copy`]; `(number, of)` is this lane among those that share the copy.
    unsafe fn copy(
        &mut self,
        before: &Ready,
        address: CUdeviceptr,
        host: Host,
        bytes: usize,
        (number, of): (usize, usize),
    ) -> Result<()> {
        let what = "copying through page-locked memory";
        // SAFETY: stream and event are live.
        let waits =
            unsafe { stream::wait_event(self.stream, before.0, WaitFlags::CU_EVENT_WAIT_DEFAULT) };
        check(waits, what)?;
        let pieces = bytes.div_ceil(PIECE);
        // What each half holds that is still to be copied to the host.
        let mut held: [Option<(usize, usize)>; 2] = [None; 2];
        let mut used = [false; 2];
        for (turn, piece) in (number..pieces).step_by(of).enumerate() {
            let half = turn % 2;
            let at = piece * PIECE;
            let length = PIECE.min(bytes - at);
            if used[half] {
                // SAFETY: the event is live.
                check(unsafe { event::synchronize(self.events[half]) }, what)?;
            }
            let memory = self.pieces[half].cast::<u8>();
            let on_device = address + at as u64;
            // SAFETY: the range is within both sides; the piece is not in use any more.
            unsafe {
                let status = match host {
                    Host::From(from) => {
                        memory.copy_from_nonoverlapping(from.add(at), length);
                        sys::cuMemcpyHtoDAsync_v2(on_device, memory.cast(), length, self.stream)
                    }
                    Host::To(to) => {
                        if let Some((at, length)) = held[half].take() {
                            to.add(at).copy_from_nonoverlapping(memory, length);
                        }
                        held[half] = Some((at, length));
                        sys::cuMemcpyDtoHAsync_v2(memory.cast(), on_device, length, self.stream)
                    }
                };
                check(status.result(), what)?;
                check(event::record(self.events[half], self.stream), what)?;
            }
            used[half] = true;
        }
        // SAFETY: the stream is live.
        check(unsafe { stream::synchronize(self.stream) }, what)?;
        if let Host::To(to) = host {
            for (half, held) in held.into_iter().enumerate() {
                if let Some((at, length)) = held {
                    // SAFETY: as above; the stream has come to its end.
                    unsafe {
                        to.add(at)
                            .copy_from_nonoverlapping(self.pieces[half].cast::<u8>(), length);
                    }
                }
            }
        }
        Ok(())
    }
}
