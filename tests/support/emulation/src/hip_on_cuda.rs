//! HIP source on an NVIDIA GPU: the shim spells HIP's functions in CUDA's words, NVRTC compiles.

use crate::headers;
use brook_cuda::Cuda;
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, Driver, HostMemory, NativeDevice, NativeMemory,
    NativeQueue, Program, Queue, Result, ScratchDirectory,
};
use std::sync::Arc;

/// `hip-on-cuda`, around CUDA's driver.
#[derive(Default)]
pub struct HipOnCuda(Cuda);

impl HipOnCuda {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Driver for HipOnCuda {
    fn backend(&self) -> &'static str {
        "hip-on-cuda"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        let mut devices = self.0.devices()?;
        for device in &mut devices {
            // Not a GPU of its own: counting GPUs must not find this one twice.
            device.kind = brook_driver::DeviceKind::Accelerator;
        }
        Ok(devices)
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        Ok(Arc::new(Shimmed {
            device: self.0.open(ordinal)?,
            headers: headers::write()?,
        }))
    }
}

struct Shimmed {
    device: Arc<dyn Device>,
    headers: ScratchDirectory,
}

impl Device for Shimmed {
    fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        let shim = self.headers.path().join("hip_shim");
        let mut options = options.clone();
        // First, since a machine may have HIP's real headers as well.
        options
            .include_directories
            .insert(0, shim.display().to_string());
        self.device.compile(source, &options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        self.device.load(binary)
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.device.allocate(bytes)
    }

    fn synchronize(&self) -> Result<()> {
        self.device.synchronize()
    }

    fn is_idle(&self) -> Result<bool> {
        self.device.is_idle()
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        self.device.default_queue()
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        self.device.create_queue()
    }

    unsafe fn import_queue(&self, queue: NativeQueue) -> Result<Arc<dyn Queue>> {
        // SAFETY: by this function's contract.
        unsafe { self.device.import_queue(queue) }
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.device.allocate_shared(bytes)
    }

    fn allocate_result(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.device.allocate_result(bytes)
    }

    fn has_near_results(&self) -> bool {
        self.device.has_near_results()
    }

    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        self.device.pinned(bytes)
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        // SAFETY: by this function's contract.
        unsafe { self.device.import(memory, bytes) }
    }

    fn native(&self) -> NativeDevice {
        self.device.native()
    }
}
