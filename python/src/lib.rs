//! The Python package of brook, as far as it is made in Rust: a face of the runtime, as `brook::capi` is one for C.
//!
//! What Python has besides (notebooks, tests on all devices, the text of pages) is Python, in `package/brook/*.py`.
//!
//! - `errors.rs`: exceptions, and what is wrong with sources as objects.
//! - `element.rs`: numpy's types of elements, and the runtime's.
//! - `state.rs`: what is known of an open device: queues of other libraries, objects that wait for work to end.
//! - `device.rs`, `device_info.rs`: devices; `options.rs`: how programs are built; `program.rs`: programs.
//! - `kernel.rs`: kernels and their launches; `parameter.rs`: what a kernel takes, worked out once; `arguments.rs`: what it is given;
//!   `values.rs`, `structures.rs`: numbers, vectors and structures.
//! - `array.rs`, `index.rs`: device memory with numpy's habits; `transfer.rs`: copies of it; `pinned.rs`: host memory for copies.
//! - `foreign.rs`: arrays of other libraries, used where they are; `host.rs`: numpy's; `dlpack.rs`: the protocol's structures;
//!   `export.rs`: arrays of ours for others.
//! - `queue.rs`: queues and events; `sequence.rs`: recorded launches.
//! - `stream.rs`, `call.rs`, `outputs.rs`, `domain.rs`: Brook+'s streams, and calls over them.
//! - `tools.rs`: translation without a device; `sanitize.rs`: kernels that are interpreted and watched.
//!
//! Python's lock is given back wherever a device, a compiler or a disk may be waited for. Nothing here panics on what a
//! caller passes.

mod arguments;
mod array;
mod call;
mod device;
mod device_info;
mod dlpack;
mod domain;
mod element;
mod errors;
mod export;
mod extents;
mod foreign;
mod given;
mod host;
mod index;
mod kernel;
mod libraries;
mod options;
mod outputs;
mod parameter;
mod pinned;
mod program;
mod queue;
mod sanitize;
mod sequence;
mod state;
mod stream;
mod structures;
mod tools;
mod transfer;
mod values;

use pyo3::prelude::*;

/// What `package/brook/__init__.py` shows of this.
#[pymodule(name = "_brook")]
fn fill(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(m)?;
    m.add_class::<device::Device>()?;
    m.add_class::<device_info::DeviceInfo>()?;
    m.add_class::<array::Array>()?;
    m.add_class::<program::Program>()?;
    m.add_class::<kernel::Kernel>()?;
    m.add_class::<parameter::Parameter>()?;
    m.add_class::<queue::Queue>()?;
    m.add_class::<queue::Event>()?;
    m.add_class::<sequence::Recorder>()?;
    m.add_class::<sequence::Sequence>()?;
    m.add_class::<stream::Stream>()?;
    m.add_class::<tools::Translation>()?;
    m.add_function(wrap_pyfunction!(device::devices, m)?)?;
    m.add_function(wrap_pyfunction!(foreign::from_dlpack, m)?)?;
    m.add_function(wrap_pyfunction!(tools::transpile, m)?)?;
    m.add_function(wrap_pyfunction!(tools::check, m)?)?;
    m.add_function(wrap_pyfunction!(tools::normalize, m)?)?;
    m.add_function(wrap_pyfunction!(tools::backends, m)?)?;
    m.add_function(wrap_pyfunction!(tools::explain, m)?)?;
    m.add_function(wrap_pyfunction!(sanitize::interpret, m)?)?;
    Ok(())
}
