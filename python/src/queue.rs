//! Queues and events.

use crate::device::Device;
use crate::errors::Raise;
use crate::state::State;
use brook::runtime::{self, NativeQueue};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Launches and copies that are done one after the other, beside those of other queues. ``with device.queue() as q:`` waits for it
/// at the end.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Queue {
    pub(crate) queue: runtime::Queue,
    pub(crate) state: Arc<State>,
}

impl Queue {
    pub(crate) fn new(queue: runtime::Queue, state: Arc<State>) -> Self {
        Self { queue, state }
    }

    /// Refuses to be used for work of another device.
    pub(crate) fn check(&self, state: &State, name: &str) -> PyResult<()> {
        match self.state.is(state) {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!(
                "the queue is of {}; '{name}' runs on {}",
                self.state.device.name(),
                state.device.name()
            ))),
        }
    }

    /// CUDA's or HIP's stream behind it.
    pub(crate) fn stream(&self) -> Option<usize> {
        match self.queue.native() {
            NativeQueue::Cuda(stream) | NativeQueue::Hip(stream) => Some(stream as usize),
            _ => None,
        }
    }
}

#[pymethods]
impl Queue {
    /// The device that it is of.
    #[getter]
    fn device(&self) -> Device {
        Device::of(Arc::clone(&self.state))
    }

    /// The address of CUDA's or HIP's stream behind it; None on other devices.
    #[getter]
    fn native(&self) -> Option<usize> {
        self.stream()
    }

    /// Whether everything given to it so far has been done.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| self.queue.is_done()).raise(py)
    }

    /// Waits for everything given to it so far.
    ///
    /// Raises DeviceError for what has failed in it.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let done = py.detach(|| self.queue.wait());
        self.state.release();
        done.raise(py)
    }

    /// A mark behind everything given to it so far.
    fn record(&self, py: Python<'_>) -> PyResult<Event> {
        let event = py.detach(|| self.queue.record()).raise(py)?;
        Ok(Event { event })
    }

    /// Lets what is given to it from now on begin after an event of any queue of any device.
    fn wait_for(&self, py: Python<'_>, event: &Event) -> PyResult<()> {
        py.detach(|| self.queue.wait_for(&event.event)).raise(py)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.wait(py)?;
        Ok(false)
    }

    fn __repr__(&self) -> String {
        format!("<brook.Queue of {}>", self.state.device.name())
    }
}

/// A place in a queue.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Event {
    event: runtime::Event,
}

#[pymethods]
impl Event {
    /// Whether everything before it has been done.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| self.event.is_done()).raise(py)
    }

    /// Waits until everything before it has been done.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.event.wait()).raise(py)
    }

    /// Seconds between an earlier event of the same device and this one, once both have happened; by the device's own clock
    /// where it has one.
    ///
    /// Raises ValueError for events of different devices.
    fn seconds_since(&self, py: Python<'_>, earlier: &Self) -> PyResult<f64> {
        let passed = py
            .detach(|| self.event.elapsed_since(&earlier.event))
            .raise(py)?;
        Ok(passed.as_secs_f64())
    }

    fn __repr__(&self) -> &'static str {
        "<brook.Event>"
    }
}
