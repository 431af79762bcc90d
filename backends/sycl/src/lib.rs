//! The SYCL driver: the run-time compiler of DPC++'s runtime builds, that runtime launches.
//!
//! SYCL is C++, so a few functions of C stand in between (`bridge.cpp`). They are compiled by the host's C++ compiler with
//! the installation's headers when a device is first looked for, and kept in the user's cache. `BROOK_SYCL` names the
//! installation, a folder with `include` and `lib`; without it there is no such device. `BROOK_SYCL_COMPILER` names a compiler
//! of SYCL 2020 instead, such as AdaptiveCpp's: that compiles the bridge, and kernels to libraries.
//!
//! - `installation`: where SYCL is
//! - `bridge`: its functions, compiled and loaded
//! - `compiled`: kernels as libraries, where a compiler is named
//! - `device`: an opened device; `session`: what all else shares
//! - `memory`, `program`: its buffers, programs and kernels
//! - `queue`: its queues and events
//!
//! Memory is unified shared memory, queues are in order, and what goes through no other queue goes through the device's
//! own. What is compiled stays source until it is loaded: the runtime gives no binary away.

mod bridge;
mod compiled;
mod device;
mod installation;
mod memory;
mod program;
mod queue;
mod session;

use brook_driver::{Device, DeviceInfo, Devices, Driver, Result};
use device::SyclDevice;
use std::sync::Arc;

/// SYCL's devices as a backend.
///
/// Devices are looked up once in the life of this value. Opening a device twice gives the same device while the first is
/// still in use, so their buffers can be mixed.
#[derive(Default)]
pub struct Sycl(Devices<DeviceInfo, SyclDevice>);

impl Sycl {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn found(&self) -> Result<&[DeviceInfo]> {
        self.0.found(device::devices)
    }
}

impl Driver for Sycl {
    fn backend(&self) -> &'static str {
        "sycl"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        self.found().map(<[DeviceInfo]>::to_vec)
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let found = self.found()?;
        let device = self.0.open("sycl", found, ordinal, |info| {
            SyclDevice::open(ordinal, info.clone())
        })?;
        Ok(device)
    }
}
