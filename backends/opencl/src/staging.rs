//! Copies of host memory that is not page-locked, to and from devices with memory of their own.

use crate::commands::{Commands, forget_event};
use crate::device::Session;
use crate::handle::Handle;
use crate::host_memory::Mapped;
use crate::memory::ClBuffer;
use crate::status::failed;
use brook_driver::{Direction, LEAST_STAGED, PIECE, Result, Staged, copy_staged, lanes};
use cl3::types::{CL_FALSE, cl_event};
use cl3::{command_queue, event};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

const COPYING: &str = "copying through page-locked memory";

/// What a session keeps for such copies.
#[derive(Default)]
pub(crate) struct Staging {
    lanes: Mutex<Vec<Lane>>,
    /// Addresses of host memory that the vendor allocated for the session.
    mapped: Mutex<Vec<Range<usize>>>,
}

impl Staging {
    /// Remembers host memory that needs no pieces.
    pub(crate) fn mapped(&self, addresses: Range<usize>) {
        let mut mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        mapped.push(addresses);
    }

    /// Forgets it.
    pub(crate) fn unmapped(&self, start: usize) {
        let mut mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        mapped.retain(|m| m.start != start);
    }

    fn is_mapped(&self, address: usize) -> bool {
        let mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        mapped.iter().any(|m| m.contains(&address))
    }
}

/// Whether a copy gains by going through pieces.
pub(crate) fn pays(session: &Session, host: *const u8, bytes: usize) -> bool {
    session.apart && bytes >= LEAST_STAGED && !session.staging.is_mapped(host.addr())
}

/// Copies between host memory and a buffer, after what the session's queue has been told to do; complete on return.
///
/// # Safety
/// Both sides have that many bytes, and nobody else uses the host's meanwhile.
pub(crate) unsafe fn copy(
    session: &Session,
    buffer: &ClBuffer,
    offset: usize,
    host: Staged,
    bytes: usize,
) -> Result<()> {
    let count = lanes(bytes);
    let staging = session.staging.lanes.lock();
    let mut staging = staging.unwrap_or_else(PoisonError::into_inner);
    while staging.len() < count {
        staging.push(Lane::new(session)?);
    }
    let so_far = session.queue.so_far();
    let before = session.queue.mark(COPYING)?;
    let place = buffer.place(offset);
    let lane = |lane| Moving {
        lane,
        before: &before,
        object: Object(place.0),
        offset: place.1,
    };
    let mut moving: Vec<_> = staging.iter_mut().take(count).map(lane).collect();
    // SAFETY: by this function's contract.
    unsafe { copy_staged(&mut moving, host, bytes) }?;
    so_far.have_ended();
    Ok(())
}

/// A queue with two mapped buffers, and the events of what was last started with them.
struct Lane {
    queue: Commands,
    pieces: [Mapped; 2],
    events: [Option<Handle>; 2],
}

impl Lane {
    fn new(session: &Session) -> Result<Self> {
        let queue = session.create_queue(false)?;
        let piece = || Mapped::new(session, &queue, PIECE);
        Ok(Self {
            pieces: [piece()?, piece()?],
            queue,
            events: [None, None],
        })
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        for piece in &self.pieces {
            piece.unmap(&self.queue);
        }
    }
}

/// A lane during a copy from or to a buffer.
struct Moving<'l> {
    lane: &'l mut Lane,
    /// What the copy comes after.
    before: &'l Handle,
    object: Object,
    offset: usize,
}

/// A buffer object that somebody keeps alive.
struct Object(*mut std::ffi::c_void);

// SAFETY: buffer objects may be used by any thread.
unsafe impl Send for Object {}

impl brook_driver::Lane for Moving<'_> {
    fn begin(&mut self) -> Result<()> {
        let events: [cl_event; 1] = [self.before.raw()];
        let queue = self.lane.queue.raw();
        // SAFETY: the list has one live event of this context.
        let barrier =
            unsafe { command_queue::enqueue_barrier_with_wait_list(queue, 1, events.as_ptr()) };
        forget_event(barrier, COPYING)
    }

    fn piece(&self, half: usize) -> *mut u8 {
        self.lane.pieces[half].pointer
    }

    unsafe fn start(
        &mut self,
        half: usize,
        at: usize,
        bytes: usize,
        direction: Direction,
    ) -> Result<()> {
        let (queue, memory) = (self.lane.queue.raw(), self.lane.pieces[half].pointer.cast());
        let (object, at) = (self.object.0, self.offset + at);
        let none = std::ptr::null();
        // SAFETY: by this method's contract; the piece has that many bytes.
        let started = unsafe {
            match direction {
                Direction::ToDevice => command_queue::enqueue_write_buffer(
                    queue, object, CL_FALSE, at, bytes, memory, 0, none,
                ),
                Direction::ToHost => command_queue::enqueue_read_buffer(
                    queue, object, CL_FALSE, at, bytes, memory, 0, none,
                ),
            }
        };
        let started = started.map_err(|s| failed(COPYING, s))?;
        // SAFETY: the event is a new one, and this its only reference.
        self.lane.events[half] = Some(unsafe { Handle::new(started, event::release_event) });
        self.lane.queue.enqueued(COPYING)
    }

    fn wait(&mut self, half: usize) -> Result<()> {
        match self.lane.events[half].take() {
            Some(started) => event::wait_for_events(&[started.raw()]),
            None => Ok(()),
        }
        .map_err(|s| failed(COPYING, s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::OpenClDevice;
    use brook_driver::Buffer;

    /// Whatever device there is takes copies so, whether it gains or not.
    #[test]
    fn large_copies_arrive() {
        let found = match crate::detect::devices() {
            Ok(found) => found,
            Err(error) => {
                let required = std::env::var("BROOK_REQUIRE").as_deref() == Ok("all");
                assert!(!required, "{error}");
                return;
            }
        };
        let session = OpenClDevice::open(&found[0]).unwrap().session().clone();
        let (offset, bytes) = (64, 5 * PIECE + 3);
        let buffer = ClBuffer::new(session.clone(), bytes + offset).unwrap();
        let source: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
        buffer.zero().unwrap();
        let host = Staged::From(source.as_ptr());
        // SAFETY: both sides have that many bytes.
        unsafe { copy(&session, &buffer, offset, host, bytes) }.unwrap();
        let mut plain = vec![1; bytes + offset];
        buffer.read(0, &mut plain).unwrap();
        assert!(plain[..offset].iter().all(|b| *b == 0) && plain[offset..] == source);
        let mut back = vec![0; bytes];
        let host = Staged::To(back.as_mut_ptr());
        // SAFETY: as above.
        unsafe { copy(&session, &buffer, offset, host, bytes) }.unwrap();
        assert!(back == source);
    }
}
