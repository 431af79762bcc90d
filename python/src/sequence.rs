//! Launches and copies that are recorded once and replayed.

use crate::arguments::Arguments;
use crate::array::{Array, Keep};
use crate::call::{Recorded, no_foreign_streams};
use crate::errors::Raise;
use crate::kernel::{Kernel, no_domain};
use crate::queue::Queue;
use crate::state::{State, lock};
use brook::runtime::{self, DynMemory, KernelArgument};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex};

enum Step {
    Launch(runtime::Kernel, Arguments),
    Call(Recorded),
    Copy { to: DynMemory, from: DynMemory },
}

/// What ``with device.record() as work:`` records.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Recorder {
    state: Arc<State>,
    steps: Mutex<Vec<Step>>,
    made: Mutex<Option<Py<Sequence>>>,
}

impl Recorder {
    pub(crate) fn new(state: Arc<State>) -> Self {
        Self {
            state,
            steps: Mutex::default(),
            made: Mutex::default(),
        }
    }

    fn push(&self, step: Step) -> PyResult<()> {
        if lock(&self.made).is_some() {
            return Err(PyRuntimeError::new_err("the recording has ended"));
        }
        lock(&self.steps).push(step);
        Ok(())
    }
}

#[pymethods]
impl Recorder {
    /// Records a launch: types are checked now; numbers are kept by value, arrays and streams by place. One of a Brook+ kernel names its
    /// outputs, too, and is checked whole at the end of the recording: neither a reduction into a variable, nor variable outputs, nor
    /// a stream that is read and written can be recorded.
    #[pyo3(signature = (kernel, /, *arguments, domain = None))]
    fn launch(
        &self,
        kernel: &Kernel,
        arguments: &Bound<'_, PyTuple>,
        domain: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if !kernel.state.is(&self.state) {
            return Err(PyValueError::new_err(format!(
                "kernel '{}' was built for {}, and cannot be recorded for {}",
                kernel.name(),
                kernel.state.device.name(),
                self.state.device.name()
            )));
        }
        if !kernel.is_okl {
            return self.push(Step::Call(Recorded::new(kernel, arguments, domain)?));
        }
        if domain.is_some() {
            return Err(no_domain());
        }
        let arguments = Arguments::new(kernel, arguments, self.state.stream())?;
        if !arguments.streams.is_empty() {
            return Err(no_foreign_streams());
        }
        self.push(Step::Launch(kernel.kernel.clone(), arguments))
    }

    /// Records a copy of all elements between arrays of the device, of one dtype and shape.
    #[pyo3(signature = (to, from_, /))]
    fn copy(&self, to: &Array, from_: &Array) -> PyResult<()> {
        to.check_writable()?;
        if to.shape != from_.shape || to.element.kind != from_.element.kind {
            return Err(PyValueError::new_err(format!(
                "a {} cannot be copied to a {}",
                from_.described(),
                to.described()
            )));
        }
        self.push(Step::Copy {
            to: to.memory.clone(),
            from: from_.memory.clone(),
        })
    }

    /// What was recorded, once the recording has ended.
    #[getter]
    fn sequence(&self, py: Python<'_>) -> PyResult<Py<Sequence>> {
        match &*lock(&self.made) {
            Some(made) => Ok(made.clone_ref(py)),
            None => Err(PyRuntimeError::new_err("the recording has not ended")),
        }
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (exception, *_more))]
    fn __exit__(
        &self,
        py: Python<'_>,
        exception: &Bound<'_, PyAny>,
        _more: &Bound<'_, PyTuple>,
    ) -> PyResult<bool> {
        if !exception.is_none() {
            return Ok(false);
        }
        let mut steps = std::mem::take(&mut *lock(&self.steps));
        let device = &self.state.device;
        let recorded = py.detach(|| {
            device.record(|recorder| {
                steps.iter_mut().try_for_each(|step| match step {
                    Step::Launch(kernel, arguments) => {
                        let list: Vec<KernelArgument<'_>> =
                            arguments.slots.iter().map(|s| s.lent()).collect();
                        // SAFETY: as of every launch, each time it is replayed.
                        unsafe { recorder.launch(kernel, &list) }
                    }
                    Step::Call(call) => call.record(recorder),
                    Step::Copy { to, from } => recorder.copy_part((to, 0), (from, 0), from.len()),
                })
            })
        });
        let mut objects = Vec::new();
        let mut kept = Vec::new();
        let sequence = recorded.raise(py)?;
        for step in steps {
            match step {
                Step::Launch(_, arguments) => {
                    objects.extend(arguments.objects);
                    objects.extend(arguments.ordered);
                    kept.extend(arguments.kept);
                }
                Step::Call(call) => {
                    objects.extend(call.objects);
                    kept.extend(call.kept);
                }
                Step::Copy { .. } => {}
            }
        }
        let made = Sequence {
            sequence,
            state: Arc::clone(&self.state),
            _objects: objects,
            _kept: kept,
        };
        *lock(&self.made) = Some(Py::new(py, made)?);
        Ok(false)
    }
}

/// Launches and copies, ready to be replayed: CUDA and HIP have made a graph of them.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Sequence {
    sequence: runtime::Sequence,
    state: Arc<State>,
    /// Other libraries' arrays.
    _objects: Vec<Py<PyAny>>,
    _kept: Vec<Arc<Keep>>,
}

#[pymethods]
impl Sequence {
    /// Replays it, over what its arrays hold by then.
    #[pyo3(signature = (*, queue = None))]
    fn __call__(&self, py: Python<'_>, queue: Option<&Queue>) -> PyResult<()> {
        if let Some(queue) = queue {
            queue.check(&self.state, "a sequence")?;
        }
        let sequence = &self.sequence;
        py.detach(|| match queue {
            Some(queue) => sequence.launch_on(&queue.queue),
            None => sequence.launch(),
        })
        .raise(py)
    }

    fn __len__(&self) -> usize {
        self.sequence.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<brook.Sequence of {} steps on {}>",
            self.sequence.len(),
            self.state.device.name()
        )
    }
}
