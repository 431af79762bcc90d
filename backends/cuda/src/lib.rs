//! The CUDA driver: NVRTC compiles, the CUDA driver API loads and launches.
//!
//! Both libraries are opened at run time (through the `cudarc` crate); nothing here links against
//! them. NVRTC alone suffices for [`compile_only`], which needs neither a GPU nor its driver.
//!
//! - `nvrtc`: source to cubin
//! - `image`: what is compiled ahead of time, and for which devices
//! - `device`: an opened device; `session`: its context and stream, which all else shares
//! - `memory`, `program`: its buffers, programs and kernels; `reserved`: memory that comes as it is needed
//! - `pieces`, `staging`: page-locked pieces of memory, and copies through them
//! - `peer`, `nccl`: copies from GPUs of this process, and of others
//! - `queue`: its queues, which are streams, and events
//! - `status`: CUDA's status codes as errors
//!
//! What goes through no other queue goes through the device's own stream, in the order of the calls.

mod device;
mod graph;
mod image;
mod memory;
mod nccl;
mod nvrtc;
mod peer;
mod pieces;
mod program;
mod queue;
mod reserved;
mod session;
mod staging;
mod status;

pub use image::fit;
pub use nvrtc::{compile_only, compile_to_ptx, compiler_version};

use brook_driver::{
    CompileOptions, Device, DeviceInfo, DeviceKind, Devices, Driver, Error, Image, Limits, Result,
};
use cudarc::driver::result;
use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute};
use device::CudaDevice;
use status::{check, describe};
use std::sync::Arc;

/// NVIDIA's GPUs as a backend.
///
/// Devices are looked up once in the life of this value. Opening a device twice gives the same
/// device while the first is still in use, so their buffers can be mixed.
#[derive(Default)]
pub struct Cuda(Devices<DeviceInfo, CudaDevice>);

impl Cuda {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn found(&self) -> Result<&[DeviceInfo]> {
        self.0.found(find_devices)
    }
}

impl Driver for Cuda {
    fn backend(&self) -> &'static str {
        "cuda"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        self.found().map(<[DeviceInfo]>::to_vec)
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let found = self.found()?;
        let device = self.0.open("cuda", found, ordinal, |info| {
            CudaDevice::open(ordinal, info.clone())
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

fn find_devices() -> Result<Vec<DeviceInfo>> {
    // SAFETY: opening the driver's library runs its initialisers, which any CUDA program runs too.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::missing(
            "no CUDA driver (libcuda.so.1) on this machine",
        ));
    }
    let no_device = || Error::missing("the CUDA driver reports no device");
    result::init().map_err(|error| match error.0 {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => no_device(),
        _ => Error::missing(format!(
            "the CUDA driver does not start: {}",
            describe(error)
        )),
    })?;
    let count = check(result::device::get_count(), "counting the CUDA devices")?;
    if count <= 0 {
        return Err(no_device());
    }
    (0..count).map(describe_device).collect()
}

fn describe_device(ordinal: i32) -> Result<DeviceInfo> {
    let what = "describing a CUDA device";
    let device = check(result::device::get(ordinal), what)?;
    let attribute = |attribute: Attribute| -> Result<u32> {
        // SAFETY: the device comes from `device::get`.
        let value = check(
            unsafe { result::device::get_attribute(device, attribute) },
            what,
        )?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    // SAFETY: the device comes from `device::get`.
    let memory = check(unsafe { result::device::total_mem(device) }, what)?;
    let (major, minor) = (
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    Ok(DeviceInfo {
        name: check(result::device::get_name(device), what)?,
        kind: DeviceKind::Gpu,
        units: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        memory: Some(memory as u64),
        architecture: format!("sm_{major}{minor}"),
        compiler: compiler_version().map_err(|e| e.message),
        limits: Limits {
            threads_per_group: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            group: [
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            grid: [
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?.into(),
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?.into(),
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?.into(),
            ],
            shared_memory: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?
                .into(),
        },
    })
}
