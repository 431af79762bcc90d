//! From a source to results: devices, memory, programs, kernels, streams.
//!
//! A [`Device`] builds a [`Source`](crate::Source) into a [`Program`]; a [`Kernel`] of it
//! is launched over [`Memory`], or called over [`DynStream`]s. The transpiler below knows nothing of
//! this; the drivers beneath know nothing of kernels as the user wrote them.
//!
//! - `device.rs`: a device, found by name, by environment, or by itself; `drivers.rs`: drivers, and what they find.
//! - `build_options.rs`, `program.rs`: building, through the cache; looking kernels up.
//! - `embedded.rs`: files that a program has in itself.
//! - `kernel.rs`: launching them; `template.rs`, `instance.rs`: those that are templates, and what is made of them.
//! - `native.rs`: programs in a device's own language.
//! - `argument.rs`: arguments of OKL kernels, checked against the parameters.
//! - `launch.rs`, `evaluate.rs`: launches, and the statements of the host's part around them; `remembered.rs`: those of a kernel's last call; `single_launch.rs`:
//!   where there are none.
//! - `plain.rs`, `dyn_memory.rs`, `memory.rs`, `pinned.rs`, `pool.rs`: what device memory holds; device memory, and with
//!   types; host memory for copies; memory that is kept for the next who needs some.
//! - `queue.rs`: asynchronous launches and copies, events.
//! - `sequence.rs`: launches and copies that are recorded once and replayed.
//! - `origin.rs`, `list.rs`: where sources come from; lists that need no heap.
//! - `stream.rs`, `stream_memory.rs`, `typed_stream.rs`, `call_argument.rs`, `element.rs`, `layout.rs`, `domain.rs`, `call.rs`,
//!   `call_binding.rs`, `bindings.rs`, `reduce.rs`, `reduce_plan.rs`, `fold.rs`, `vout.rs`: Brook+'s streams and parts of them, and calls of kernels over them;
//!   `call_okl.rs`: of OKL kernels.
//! - `footprint/`: where in arrays the gathers of a call read.
//! - `fusion/`: calls of Brook+ kernels that wait, and run as fewer kernels.
//! - `spread/`: several devices as one, between which streams are shared out.
//! - `ranks/`: the devices of several processes as such a set.
//! - `gather_scatter/`: sums over entries of the same number, across devices and processes.
//! - `trace/`: a timeline of what devices do.
//! - `sanitized.rs`: calls of Brook+ kernels that are interpreted before they are made; `kernel_sources.rs`: where these
//!   kernels were written.
//! - `indirect.rs`: BrookGPU's gathers and scatters of whole streams.
//! - `cache/`: what was built once is not built again; `package/`: what was compiled ahead of time, for whichever device.
//! - `host.rs`, `host/`: compiling and running programs with the host halves of Brook+ files.
//! - `error.rs`: the one error of this layer.

mod argument;
mod bindings;
mod build_options;
mod cache;
mod call;
mod call_argument;
mod call_binding;
mod call_okl;
#[cfg(test)]
mod call_tests;
mod compiler_log;
mod device;
mod domain;
mod drivers;
mod dyn_memory;
mod element;
mod embedded;
mod error;
mod evaluate;
mod fold;
mod footprint;
mod fusion;
mod gather_scatter;
mod host;
mod indirect;
mod instance;
mod kernel;
mod kernel_sources;
mod launch;
mod layout;
mod list;
mod memory;
mod native;
mod origin;
mod package;
mod pinned;
mod plain;
mod pool;
mod program;
mod queue;
mod ranks;
mod reduce;
mod reduce_plan;
mod remembered;
mod sanitized;
mod sequence;
mod single_launch;
mod spread;
mod stream;
mod stream_memory;
mod template;
#[cfg(test)]
mod template_tests;
#[cfg(test)]
pub(crate) mod tests;
mod trace;
mod tuned;
mod typed_stream;
mod vout;

pub use argument::KernelArgument;
pub(crate) use argument::{vector_of, with_article};
pub use brook_driver::be_verbose;
pub(crate) use brook_driver::is_switched_on;
pub use brook_driver::{
    DeviceInfo, DeviceKind, Math, NativeDevice, NativeEvent, NativeMemory, NativeQueue, Residency,
};
pub use brook_mpi::{Communicator, Reduction};
pub use build_options::BuildOptions;
pub use cache::{CacheContents, KernelCache};
pub use call_argument::{Number, StreamArgument};
pub use device::Device;
pub use domain::ExecutionDomain;
pub use drivers::{
    DeviceEntry, check_device_name, driver_names, gpus, list, list_of, processor, register,
};
pub use dyn_memory::DynMemory;
pub use embedded::EMBEDDED;
pub use error::{Error, Result};
pub use fusion::{Fusion, FusionCounts, fusion_report};
pub use gather_scatter::{GatherScatter, GatherScatterExchange};
pub use host::{HostBuild, HostUnit, ProgramOptions, RunningProgram, build_program, run_program};
pub use indirect::{GatherOperation, ScatterOperation};
pub use kernel::Kernel;
pub(crate) use launch::from_bytes;
pub(crate) use list::List;
pub use memory::{Memory, ReadOnly};
pub use native::{NativeKernel, NativeProgram};
pub use origin::{IntoSource, SourceFile};
pub use package::{IntoPackage, Package, PackagedImage, PackagedProgram, check_target_name};
pub use pinned::Pinned;
pub use plain::{Element, ElementKind};
pub use pool::Pool;
pub use program::Program;
pub(crate) use program::lock;
pub use queue::{Event, HostSlice, Queue, Scope, Transfer};
#[doc(hidden)]
pub use ranks::is_over_processes;
pub(crate) use sanitized::{announce as announce_sanitizer, status as sanitizer_status};
pub use sequence::{Recorder, Sequence};
pub use stream::DynStream;
pub(crate) use trace::write_trace;
pub use tuned::{Settings, TUNED, TunedFile, TunedKernel, tuned_folder};
pub use typed_stream::{KernelDomain, Stream};
