//! Queues and events.

use super::device::{self, Device};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::invalid;
use super::memory::Memory;
use crate::runtime::{self, NativeDevice, NativeEvent, NativeQueue};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

/// `brook_queue`.
pub struct Queue(pub(super) runtime::Queue);

/// `brook_event`.
pub struct Event(pub(super) runtime::Event);

static QUEUES: Table<Queue> = Table::new();
static EVENTS: Table<Event> = Table::new();

impl Handled for Queue {
    const KIND: usize = 7;

    fn table() -> &'static Table<Self> {
        &QUEUES
    }
}

impl Handled for Event {
    const KIND: usize = 8;

    fn table() -> &'static Table<Self> {
        &EVENTS
    }
}

/// A new queue.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_create(device: *const Device) -> *mut Queue {
    guard(null_mut(), || {
        handle::give(Queue(device::opened(device)?.queue()?))
    })
}

/// Somebody else's queue.
///
/// # Safety
/// `device` is null or what another function gave; `native` is a `CUstream`, `hipStream_t` or `cl_command_queue` of it for
/// as long as the queue is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_import(
    device: *const Device,
    native: *mut c_void,
) -> *mut Queue {
    guard(null_mut(), || {
        let device = device::opened(device)?;
        let native = match device.native() {
            NativeDevice::Cuda { .. } => NativeQueue::Cuda(native),
            NativeDevice::Hip { .. } => NativeQueue::Hip(native),
            NativeDevice::OpenCl { .. } if native.is_null() => {
                return Err(invalid("the queue to import is NULL"));
            }
            NativeDevice::OpenCl { .. } => NativeQueue::OpenCl(native),
            _ => NativeQueue::Host,
        };
        // SAFETY: as the caller promises.
        handle::give(Queue(unsafe { device.import_queue(native) }?))
    })
}

/// The queue of everything that names none.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_default(device: *const Device) -> *mut Queue {
    guard(null_mut(), || {
        handle::give(Queue(device::opened(device)?.default_queue()?))
    })
}

/// Another reference.
///
/// # Safety
/// `queue` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_retain(queue: *mut Queue) -> *mut Queue {
    handle::retained(queue)
}

/// Gives a reference up; with the last one its work is waited for.
///
/// # Safety
/// `queue` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_release(queue: *mut Queue) {
    handle::released(queue);
}

/// Waits for everything in it.
///
/// # Safety
/// `queue` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_wait(queue: *const Queue) -> c_int {
    status(|| handle::get(queue)?.0.wait())
}

/// Whether everything in it has finished; -1 if nobody can say.
///
/// # Safety
/// `queue` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_is_done(queue: *const Queue) -> c_int {
    guard(-1, || Ok(handle::get(queue)?.0.is_done()?.into()))
}

/// A mark behind everything in it.
///
/// # Safety
/// `queue` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_record(queue: *const Queue) -> *mut Event {
    guard(null_mut(), || {
        handle::give(Event(handle::get(queue)?.0.record()?))
    })
}

/// What comes later begins after the event.
///
/// # Safety
/// `queue` and `event` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_wait_for(queue: *const Queue, event: *const Event) -> c_int {
    status(|| handle::get(queue)?.0.wait_for(&handle::get(event)?.0))
}

/// Enqueues a copy from the host.
///
/// # Safety
/// `queue` and `memory` are null or live handles; `from` is null or points to `count` elements, which nobody changes
/// before the copy has been made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_write(
    queue: *const Queue,
    memory: *const Memory,
    first: usize,
    count: usize,
    from: *const c_void,
) -> c_int {
    status(|| {
        let (queue, memory) = (handle::get(queue)?, handle::get(memory)?);
        if from.is_null() && count > 0 {
            return Err(invalid("the host's memory is NULL"));
        }
        // SAFETY: as the caller promises.
        unsafe { queue.0.write(&memory.0, first, from.cast(), count) }
    })
}

/// Enqueues a copy to the host.
///
/// # Safety
/// `queue` and `memory` are null or live handles; `to` is null or points to room for `count` elements, which nobody uses
/// before the copy has been made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_read(
    queue: *const Queue,
    memory: *const Memory,
    first: usize,
    count: usize,
    to: *mut c_void,
) -> c_int {
    status(|| {
        let (queue, memory) = (handle::get(queue)?, handle::get(memory)?);
        if to.is_null() && count > 0 {
            return Err(invalid("the host's memory is NULL"));
        }
        // SAFETY: as the caller promises.
        unsafe { queue.0.read(&memory.0, first, to.cast(), count) }
    })
}

/// Enqueues a copy on the device.
///
/// # Safety
/// `queue`, `to` and `from` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_copy(
    queue: *const Queue,
    to: *const Memory,
    to_first: usize,
    from: *const Memory,
    from_first: usize,
    count: usize,
) -> c_int {
    status(|| {
        let (queue, to, from) = (handle::get(queue)?, handle::get(to)?, handle::get(from)?);
        queue
            .0
            .copy_part((&to.0, to_first), (&from.0, from_first), count)
    })
}

/// The vendor's object: `CUstream`, `hipStream_t`, `cl_command_queue`; null where there is none.
///
/// # Safety
/// `queue` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_native(queue: *const Queue) -> *mut c_void {
    guard(null_mut(), || {
        Ok(match handle::get(queue)?.0.native() {
            NativeQueue::Cuda(queue) | NativeQueue::Hip(queue) | NativeQueue::OpenCl(queue) => {
                queue
            }
            _ => null_mut(),
        })
    })
}

/// The device it belongs to.
///
/// # Safety
/// `queue` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_queue_device(queue: *const Queue) -> *const Device {
    guard(std::ptr::null(), || {
        let queue = handle::get(queue)?;
        Ok(std::ptr::from_ref(device::handle(queue.0.device())))
    })
}

/// Another reference.
///
/// # Safety
/// `event` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_event_retain(event: *mut Event) -> *mut Event {
    handle::retained(event)
}

/// Gives a reference up.
///
/// # Safety
/// `event` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_event_release(event: *mut Event) {
    handle::released(event);
}

/// Waits until it has happened.
///
/// # Safety
/// `event` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_event_wait(event: *const Event) -> c_int {
    status(|| handle::get(event)?.0.wait())
}

/// Whether it has happened; -1 if nobody can say.
///
/// # Safety
/// `event` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_event_is_done(event: *const Event) -> c_int {
    guard(-1, || Ok(handle::get(event)?.0.is_done()?.into()))
}

/// The vendor's object: `CUevent`, `hipEvent_t`, `cl_event`; null where there is none.
///
/// # Safety
/// `event` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_event_native(event: *const Event) -> *mut c_void {
    guard(null_mut(), || {
        Ok(match handle::get(event)?.0.native() {
            NativeEvent::Cuda(event) | NativeEvent::Hip(event) | NativeEvent::OpenCl(event) => {
                event
            }
            _ => null_mut(),
        })
    })
}

/// Seconds between two events.
///
/// # Safety
/// Both are null or live handles; `seconds` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_event_elapsed(
    earlier: *const Event,
    later: *const Event,
    seconds: *mut f64,
) -> c_int {
    status(|| {
        let (earlier, later) = (handle::get(earlier)?, handle::get(later)?);
        let elapsed = later.0.elapsed_since(&earlier.0)?;
        if seconds.is_null() {
            return Err(invalid("the place for the time is NULL"));
        }
        // SAFETY: not null, so it points to a number.
        unsafe { *seconds = elapsed.as_secs_f64() };
        Ok(())
    })
}
