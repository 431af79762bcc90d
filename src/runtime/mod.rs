//! From a source to results: devices, memory, programs, kernels, streams.
//!
//! A [`Device`] builds a [`Source`](crate::Source) into a [`Program`]; a [`Kernel`] of it
//! is launched over [`Memory`], or called over [`DynStream`]s. The transpiler below knows nothing of
//! this; the drivers beneath know nothing of kernels as the user wrote them.
//!
//! - `device.rs`: finding a device by name, by environment, or by itself; registering drivers.
//! - `program.rs`: building, through the cache; looking kernels up and launching them.
//! - `argument.rs`: arguments of OKL kernels, checked against the parameters.
//! - `launch.rs`, `evaluate.rs`: launches, and the statements of the host's part around them.
//! - `memory.rs`: typed device memory.
//! - `stream.rs`, `layout.rs`, `domain.rs`, `call.rs`, `bindings.rs`, `reduce.rs`, `vout.rs`: Brook+'s streams and parts of
//!   them, and calls of kernels over them.
//! - `indirect.rs`: BrookGPU's gathers and scatters of whole streams.
//! - `cache/`: what was built once is not built again.
//! - `host.rs`, `host/`: compiling and running programs with the host halves of Brook+ files.
//! - `error.rs`: the one error of this layer.

mod argument;
mod bindings;
mod cache;
mod call;
#[cfg(test)]
mod call_tests;
mod device;
mod domain;
mod element;
mod error;
mod evaluate;
mod host;
mod indirect;
mod launch;
mod layout;
mod memory;
mod program;
mod reduce;
mod stream;
#[cfg(test)]
pub(crate) mod tests;
mod vout;

pub use argument::KernelArgument;
pub use brook_driver::{DeviceInfo, DeviceKind, Math};
pub use call::StreamArgument;
pub use device::{
    Device, DeviceEntry, driver_names, gpus, is_device_name, list, list_of, processor, register,
};
pub use domain::ExecutionDomain;
pub use error::{Error, Result};
pub use host::{HostBuild, HostUnit, ProgramOptions, build_program, run_program};
pub use indirect::{GatherOperation, ScatterOperation};
pub use memory::{Element, Memory};
pub use program::{BuildOptions, Kernel, Program};
pub use stream::DynStream;
