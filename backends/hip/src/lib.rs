//! The HIP driver: hiprtc compiles, the HIP runtime loads and launches.
//!
//! Both libraries are opened at run time; nothing here links against them. `BROOK_HIP` names the
//! runtime by its full path where the system's loader does not find it, `BROOK_RCCL` RCCL. hiprtc alone suffices for
//! [`compile_only`], which needs no GPU.
//!
//! - `sys`: the functions called, and finding the libraries
//! - `hiprtc`, `hipcc`: source to code object, in this process or by another
//! - `image`: what is compiled ahead of time, and for which devices
//! - `detect`: which devices there are
//! - `conflict`: when ROCm must not be touched, for the process's sake
//! - `device`: an opened device; `session`: its stream, which all else shares
//! - `memory`, `program`: its buffers, programs and kernels
//! - `peer`, `rccl`: copies from GPUs of this process, and of others
//! - `queue`: its queues, which are streams, and events
//! - `graph`: sequences, which are HIP's graphs
//! - `status`: HIP's status codes as errors
//!
//! What goes through no other queue goes through the device's own stream, in the order of the calls.

mod conflict;
mod detect;
mod device;
mod graph;
mod hipcc;
mod hiprtc;
mod image;
mod memory;
mod peer;
mod program;
mod queue;
mod rccl;
mod session;
mod status;
mod sys;

pub use hiprtc::{compile_only, compiler_version};
pub use image::fit;

use brook_driver::{CompileOptions, Device, DeviceInfo, Devices, Driver, Image, Result};
use device::HipDevice;
use std::sync::Arc;

/// AMD's GPUs as a backend.
///
/// Devices are looked up once in the life of this value. Opening a device twice gives the same
/// device while the first is still in use, so their buffers can be mixed.
#[derive(Default)]
pub struct Hip(Devices<DeviceInfo, HipDevice>);

impl Hip {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn found(&self) -> Result<&[DeviceInfo]> {
        self.0.found(detect::devices)
    }
}

impl Driver for Hip {
    fn backend(&self) -> &'static str {
        "hip"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        self.found().map(<[DeviceInfo]>::to_vec)
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let found = self.found()?;
        let device = self.0.open("hip", found, ordinal, |info| {
            HipDevice::open(ordinal, info.clone())
        })?;
        Ok(device)
    }

    fn check_architecture(&self, architecture: &str) -> Result<()> {
        image::check_architecture(architecture)
    }

    fn compile_ahead(
        &self,
        architecture: &str,
        source: &str,
        options: &CompileOptions,
    ) -> Result<Image> {
        image::compile_ahead(architecture, source, options)
    }
}
