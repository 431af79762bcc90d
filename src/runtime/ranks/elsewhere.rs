//! Devices of other processes: whatever this process says to one is done there, by that process, which says the same.

use brook_driver::{
    Argument, Buffer, CompileOptions, DeviceInfo, Error, ImageKind, Kernel, Program, Queue, Result,
    check_range,
};
use std::any::Any;
use std::sync::Arc;

/// A device of another process.
pub(super) struct ElsewhereDevice {
    info: DeviceInfo,
    /// One of this process, of the same driver and architecture.
    like: Arc<dyn brook_driver::Device>,
}

impl ElsewhereDevice {
    pub(super) fn new(info: DeviceInfo, like: Arc<dyn brook_driver::Device>) -> Self {
        Self { info, like }
    }
}

impl brook_driver::Device for ElsewhereDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// What it would be given, for whoever in this process asks.
    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.like.compile(source, options)
    }

    fn load(&self, _: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(Nothing { bytes: 0 }))
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        self.like.fit(kind)
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(Nothing { bytes }))
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
}

/// A program, a kernel or memory of another process's device, of so many bytes.
#[derive(Clone, Copy)]
struct Nothing {
    bytes: usize,
}

impl Program for Nothing {
    fn kernel(&self, _: &str) -> Result<Arc<dyn Kernel>> {
        Ok(Arc::new(*self))
    }
}

impl Kernel for Nothing {
    fn reserve(&self, _: u64) -> Result<()> {
        Ok(())
    }

    fn launch(&self, _: [u64; 3], _: [u32; 3], _: &[Argument<'_>]) -> Result<()> {
        Ok(())
    }

    fn launch_on(&self, _: &dyn Queue, _: [u64; 3], _: [u32; 3], _: &[Argument<'_>]) -> Result<()> {
        Ok(())
    }
}

impl Buffer for Nothing {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")
    }

    /// What another process has comes in a message, which whoever asks here has not waited for.
    fn read(&self, _: usize, _: &mut [u8]) -> Result<()> {
        Err(Error::invalid("the memory is another process's"))
    }

    fn zero(&self) -> Result<()> {
        Ok(())
    }

    fn copy_from(&self, offset: usize, _: &dyn Buffer, _: usize, bytes: usize) -> Result<()> {
        check_range(self.bytes, offset, bytes, "write")
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self { bytes }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
