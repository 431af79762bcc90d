//! Copies of host memory that is not page-locked, to and from devices with memory of their own.

use crate::commands::forget_event;
use crate::handle::Handle;
use crate::pieces::Lane;
use crate::session::Session;
use crate::status::failed;
use brook_driver::{Direction, LEAST_STAGED, Result, Staged, copy_staged, lanes};
use cl3::types::{CL_FALSE, cl_event, cl_mem};
use cl3::{command_queue, event};
use std::sync::PoisonError;

const COPYING: &str = "copying through page-locked memory";

/// Whether a copy gains by going through pieces.
pub(crate) fn pays(session: &Session, host: *const u8, bytes: usize) -> bool {
    session.apart && bytes >= LEAST_STAGED && !session.pieces.is_mapped(host.addr())
}

/// Copies between host memory and a place in a buffer object, after what the session's queue has been told to do; complete on return.
///
/// # Safety
/// Both sides have that many bytes, and nobody else uses the host's meanwhile.
pub(crate) unsafe fn copy(
    session: &Session,
    (object, offset): (cl_mem, usize),
    host: Staged,
    bytes: usize,
) -> Result<()> {
    let count = lanes(bytes);
    let pieces = session.pieces.lanes.lock();
    let mut pieces = pieces.unwrap_or_else(PoisonError::into_inner);
    while pieces.len() < count {
        pieces.push(Lane::new(&session.context, session.create_queue(false)?)?);
    }
    let so_far = session.queue.so_far();
    let before = session.queue.mark(COPYING)?;
    let lane = |lane| Moving {
        lane,
        before: &before,
        object: Object(object),
        offset,
    };
    let mut moving: Vec<_> = pieces.iter_mut().take(count).map(lane).collect();
    // SAFETY: by this function's contract.
    unsafe { copy_staged(&mut moving, host, bytes) }?;
    so_far.have_ended();
    Ok(())
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
    use crate::memory::ClBuffer;
    use brook_driver::{Buffer, PIECE};

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
        unsafe { copy(&session, buffer.place(offset), host, bytes) }.unwrap();
        let mut plain = vec![1; bytes + offset];
        buffer.read(0, &mut plain).unwrap();
        assert!(plain[..offset].iter().all(|b| *b == 0) && plain[offset..] == source);
        let mut back = vec![0; bytes];
        let host = Staged::To(back.as_mut_ptr());
        // SAFETY: as above.
        unsafe { copy(&session, buffer.place(offset), host, bytes) }.unwrap();
        assert!(back == source);
    }
}
