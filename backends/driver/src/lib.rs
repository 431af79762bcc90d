//! The promise every backend's driver makes to the runtime.
//!
//! A driver finds its devices, compiles the source the transpiler generated, loads the result,
//! moves memory and launches kernels. It loads the vendor's library at run time, so a machine
//! without that library simply has fewer devices: [`Driver::devices`] then returns an error of kind
//! [`ErrorKind::Missing`] whose message says in one line what is not there.
//!
//! Everything that names no queue goes through the device's own, in order; [`Device::create_queue`]
//! makes others. A driver whose calls do all work before they return need not implement queues.
//!
//! Nothing here knows of OKL, Brook+, or the transpiler. The dependency points the other way.

mod arguments;
mod bridge;
mod buffer;
mod committed;
mod copy;
mod device;
mod devices;
mod error;
mod exchange;
mod host_memory;
mod image;
mod kept;
mod kernel;
mod lock;
mod native;
mod nccl;
mod process;
mod queue;
mod recording;
mod scratch;
mod sequence;
mod staging;
mod toolchain;
mod verbose;

pub use arguments::{check_launch, check_range, with_pointers};
pub use bridge::reason_of;
pub use buffer::Buffer;
pub use committed::Committed;
pub use copy::{allocated, copy_overlapping, copy_through_host, ranges_overlap};
pub use device::{CompileOptions, Device, DeviceInfo, DeviceKind, Driver, Limits, Math};
pub use devices::Devices;
pub use error::{Error, ErrorKind, Result};
pub use exchange::{Exchange, Message};
pub use host_memory::{AlignedMemory, HostMemory};
pub use image::{BINARY, Image, ImageKind, SOURCE};
pub use kept::{kept_folder, kept_or_built};
pub use kernel::{Argument, Kernel, Program, Residency};
pub use lock::{try_lock, unlock};
pub use native::{NativeDevice, NativeEvent, NativeMemory, NativeQueue};
pub use nccl::{Joined, Nccl, NcclResult, NcclTicket, nccl_failed};
pub use process::Process;
pub use queue::{AtOnce, Done, Event, Queue, other_device};
pub use recording::{Recorder, Recording};
pub use scratch::ScratchDirectory;
pub use sequence::Sequence;
pub use staging::{Direction, LEAST_STAGED, Lane, PIECE, Staged, copy_staged, lanes};
pub use toolchain::{find_program, find_words, run_compiler};
pub use verbose::{VERBOSE, be_verbose, is_switched_on, is_verbose, tell};
