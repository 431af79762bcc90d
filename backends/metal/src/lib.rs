//! The Metal driver: Metal's own run-time compiler builds, its command queues launch.
//!
//! - `device`: finding and opening GPUs
//! - `memory`: buffers, which host and GPU share
//! - `objects`: Metal's own, as all of these hold them
//! - `program`: libraries and compute pipelines
//! - `queue`: command queues, and events
//!
//! There is Metal on macOS only; elsewhere this driver says so. **No Apple machine has run it**: it is compiled for
//! `aarch64-apple-darwin`, and what it launches, the generated source, runs in the tests on a stand-in for Metal.
//!
//! Work of a queue is done in order. Copies wait for what is in the queue, since memory is the host's, too; launches
//! do not. What is compiled stays source until it is loaded: libraries made of source cannot be written to a file.

#[cfg(target_os = "macos")]
mod device;
#[cfg(target_os = "macos")]
mod memory;
#[cfg(target_os = "macos")]
mod objects;
#[cfg(target_os = "macos")]
mod program;
#[cfg(target_os = "macos")]
mod queue;

use brook_driver::{Device, DeviceInfo, Driver, Result};
use std::sync::Arc;

/// Apple's GPUs as a backend.
#[derive(Default)]
pub struct Metal {
    #[cfg(target_os = "macos")]
    found: brook_driver::Devices<device::Found, device::MetalDevice>,
}

impl Metal {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }
}

#[cfg(not(target_os = "macos"))]
impl Driver for Metal {
    fn backend(&self) -> &'static str {
        "metal"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        Err(missing())
    }

    fn open(&self, _ordinal: usize) -> Result<Arc<dyn Device>> {
        Err(missing())
    }
}

#[cfg(not(target_os = "macos"))]
fn missing() -> brook_driver::Error {
    brook_driver::Error::missing("Metal is on macOS only")
}

#[cfg(target_os = "macos")]
impl Driver for Metal {
    fn backend(&self) -> &'static str {
        "metal"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        let found = self.found.found(device::find)?;
        Ok(found.iter().map(|f| f.info.clone()).collect())
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let found = self.found.found(device::find)?;
        let device = self
            .found
            .open("metal", found, ordinal, device::MetalDevice::open)?;
        Ok(device)
    }
}
