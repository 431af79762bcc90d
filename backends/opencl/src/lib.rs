//! The OpenCL driver: any device with OpenCL 1.2, from any vendor.
//!
//! The loader (`libOpenCL.so.1`) is opened at run time through the `cl3` crate; a machine without it
//! has no OpenCL devices, and nothing here links against it.
//!
//! - `detect`: which devices there are
//! - `conflict`: when PoCL must not be loaded, for the process's sake
//! - `device`: an opened device, which compiles and loads; `session`: its context and queue, which all else shares
//! - `image`: what is compiled ahead of time, and for which devices
//! - `memory`, `program`: its buffers, programs and kernels
//! - `commands`, `queue`: a queue as OpenCL has it, and as the runtime sees it, with its events
//! - `objects`, `mapped`, `host_memory`: buffer objects, those in the host's memory, and these for the caller
//! - `pieces`, `staging`: page-locked pieces of memory, and copies through them
//! - `handle`, `status`: ownership and errors of OpenCL's objects
//!
//! What goes through no other queue goes through the device's own, which is in order, as all are.

mod commands;
mod conflict;
mod detect;
mod device;
mod handle;
mod host_memory;
mod image;
mod mapped;
mod memory;
mod objects;
mod pieces;
mod program;
mod queue;
mod session;
mod staging;
mod status;

use brook_driver::{CompileOptions, Device, DeviceInfo, Devices, Driver, Image, Result};
use detect::Found;
use device::OpenClDevice;
use std::sync::Arc;

/// All OpenCL platforms of this machine as one backend, GPUs first.
///
/// Devices are looked up once in the life of this value. Opening a device twice gives the same
/// device while the first is still in use, so their buffers can be mixed.
#[derive(Default)]
pub struct OpenCL(Devices<Found, OpenClDevice>);

impl OpenCL {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn found(&self) -> Result<&[Found]> {
        self.0.found(detect::devices)
    }
}

impl Driver for OpenCL {
    fn backend(&self) -> &'static str {
        "opencl"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        Ok(self.found()?.iter().map(|f| f.info.clone()).collect())
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let found = self.found()?;
        let device = self.0.open("opencl", found, ordinal, OpenClDevice::open)?;
        Ok(device)
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
