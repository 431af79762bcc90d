//! Finding and opening GPUs.

use crate::memory::MetalBuffer;
use crate::objects::Raw;
use crate::program::{Library, MetalProgram};
use crate::queue::MetalQueue;
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, DeviceKind, Error, ErrorKind, Limits, Program,
    Queue, Result,
};
use objc2_metal::{MTLCopyAllDevices, MTLDevice, MTLGPUFamily};
use std::sync::{Arc, Mutex, PoisonError};

/// A GPU that was found.
pub(crate) struct Found {
    pub(crate) info: DeviceInfo,
    raw: Raw,
}

/// All GPUs. Those before Metal 3 are said to have no compiler.
pub(crate) fn find() -> Result<Vec<Found>> {
    let all: Vec<Found> = MTLCopyAllDevices().iter().map(describe).collect();
    match all.is_empty() {
        true => Err(Error::missing("Metal finds no GPU")),
        false => Ok(all),
    }
}

fn describe(raw: Raw) -> Found {
    let group = raw.maxThreadsPerThreadgroup();
    let extent = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let third = raw.supportsFamily(MTLGPUFamily::Metal3);
    let info = DeviceInfo {
        name: raw.name().to_string(),
        kind: DeviceKind::Gpu,
        // Metal does not say how many cores a GPU has.
        units: 1,
        memory: Some(raw.recommendedMaxWorkingSetSize()),
        architecture: "metal3".to_string(),
        compiler: match third {
            true => Ok("Metal 3".to_string()),
            false => Err("the GPU does not support Metal 3".to_string()),
        },
        limits: Limits {
            threads_per_group: extent(group.width),
            group: [group.width, group.height, group.depth].map(extent),
            grid: [(1 << 31) - 1, 65535, 65535],
            shared_memory: raw.maxThreadgroupMemoryLength() as u64,
        },
    };
    Found { info, raw }
}

/// A GPU, opened.
pub(crate) struct MetalDevice {
    info: DeviceInfo,
    raw: Raw,
    own: Arc<MetalQueue>,
    /// What was compiled and not loaded yet: the last few, by what it was compiled of.
    compiled: Mutex<Vec<(Vec<u8>, Library)>>,
}

impl MetalDevice {
    pub(crate) fn open(found: &Found) -> Result<Self> {
        Ok(Self {
            info: found.info.clone(),
            raw: found.raw.clone(),
            own: Arc::new(MetalQueue::new(&found.raw)?),
            compiled: Mutex::default(),
        })
    }
}

impl Device for MetalDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        let packed = crate::program::packed(source, options)?;
        let library = crate::program::built(&self.raw, &packed)?;
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        compiled.truncate(7);
        compiled.insert(0, (packed.clone(), library));
        Ok(packed)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        let known = {
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            let found = compiled.iter().position(|(of, _)| of == binary);
            found.map(|at| compiled.remove(at).1)
        };
        let library = match known {
            Some(library) => library,
            None => crate::program::built(&self.raw, binary)?,
        };
        let (raw, own) = (self.raw.clone(), self.own.clone());
        Ok(Arc::new(MetalProgram::new(raw, library, own)))
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let buffer = MetalBuffer::new(&self.raw, self.own.clone(), bytes);
        let failed = || Error::new(ErrorKind::Memory, format!("cannot allocate {bytes} bytes"));
        Ok(Arc::new(buffer.ok_or_else(failed)?))
    }

    fn synchronize(&self) -> Result<()> {
        self.own.synchronize()
    }

    fn is_idle(&self) -> Result<bool> {
        self.own.is_idle()
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(self.own.clone())
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(MetalQueue::new(&self.raw)?))
    }
}
