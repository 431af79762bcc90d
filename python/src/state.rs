//! What is known of an open device: queues of other libraries, and objects that wait for work to end.

use crate::array::Keep;
use crate::errors::Raise;
use brook::runtime::{self, NativeDevice, NativeQueue};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// A device and what belongs to it in this process; one for each name.
pub(crate) struct State {
    pub(crate) device: runtime::Device,
    /// Streams of other libraries, by address.
    imported: Mutex<HashMap<usize, runtime::Queue>>,
    /// Objects whose memory something enqueued still uses, with the event that ends that.
    held: Mutex<Vec<Held>>,
    /// The stream of what names no queue, as other libraries know it; nothing where there is none.
    stream: Option<usize>,
    /// Whether something was launched in a stream of another library since the device was last waited for.
    is_lent: AtomicBool,
    /// Whether the host's memory is the device's: the processor.
    pub(crate) is_host: bool,
}

/// Objects that work uses which was enqueued before an event.
struct Held {
    event: runtime::Event,
    _objects: Vec<Py<PyAny>>,
    _kept: Vec<Arc<Keep>>,
}

/// Never freed: devices are few, and what Python has freed at its end must not be freed behind it.
static STATES: LazyLock<Mutex<HashMap<String, Arc<State>>>> = LazyLock::new(Mutex::default);

/// Locks, also behind a panic: nothing locked here is left half-way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Of a device.
    pub(crate) fn of(device: runtime::Device) -> runtime::Result<Arc<Self>> {
        let mut states = lock(&STATES);
        if let Some(state) = states.get(device.name()) {
            return Ok(Arc::clone(state));
        }
        let stream = match device.default_queue()?.native() {
            NativeQueue::Cuda(stream) | NativeQueue::Hip(stream) => Some(stream as usize),
            _ => None,
        };
        let is_host =
            matches!(device.native(), NativeDevice::Host) && device.name().starts_with("openmp");
        let state = Arc::new(Self {
            device,
            imported: Mutex::default(),
            held: Mutex::default(),
            stream,
            is_lent: AtomicBool::new(false),
            is_host,
        });
        states.insert(state.device.name().to_string(), Arc::clone(&state));
        Ok(state)
    }

    /// The stream of what names no queue, where the device has CUDA's or HIP's.
    pub(crate) fn stream(&self) -> Option<usize> {
        self.stream
    }

    /// The queue that is another library's stream.
    pub(crate) fn foreign_queue(&self, stream: usize) -> runtime::Result<runtime::Queue> {
        if let Some(queue) = lock(&self.imported).get(&stream) {
            return Ok(queue.clone());
        }
        let pointer = stream as *mut c_void;
        let native = match self.device.native() {
            NativeDevice::Hip { .. } => NativeQueue::Hip(pointer),
            _ => NativeQueue::Cuda(pointer),
        };
        // SAFETY: it is used where the library says that it uses the stream now. Behind that it may be gone, so it is none of
        // those that the device waits for.
        let queue = unsafe { self.device.borrow_queue(native) }?;
        lock(&self.imported).insert(stream, queue.clone());
        Ok(queue)
    }

    /// Says that something is launched in a stream of another library.
    pub(crate) fn lend(&self) {
        self.is_lent.store(true, Ordering::Release);
    }

    /// Keeps objects until what was enqueued so far has been done.
    pub(crate) fn hold(
        &self,
        event: runtime::Event,
        objects: Vec<Py<PyAny>>,
        kept: Vec<Arc<Keep>>,
    ) {
        let ended = {
            let mut held = lock(&self.held);
            held.push(Held {
                event,
                _objects: objects,
                _kept: kept,
            });
            Self::ended(&mut held)
        };
        // Freeing them may run Python, which may come back here.
        drop(ended);
    }

    /// Lets go of what is not used any more.
    pub(crate) fn release(&self) {
        let ended = Self::ended(&mut lock(&self.held));
        drop(ended);
    }

    fn ended(held: &mut Vec<Held>) -> Vec<Held> {
        // Where work has failed it has ended, too.
        let (ended, running) = std::mem::take(held)
            .into_iter()
            .partition(|one| one.event.is_done().unwrap_or(true));
        *held = running;
        ended
    }

    /// Waits for everything that was enqueued, without Python's lock.
    pub(crate) fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        let done = py.detach(|| match self.is_lent.swap(false, Ordering::AcqRel) {
            true => self.device.synchronize_context(),
            false => self.device.synchronize(),
        });
        self.release();
        done.raise(py)
    }

    /// Whether another device is this one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
