//! An opened device.

use crate::graph::CudaSequence;
use crate::image;
use crate::memory::{CudaBuffer, PinnedMemory, PinnedRange};
use crate::nccl::{self, CudaNccl};
use crate::program::CudaProgram;
use crate::queue::CudaQueue;
use crate::session::Session;
use crate::status::check;
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, Error, Exchange, HostMemory, Image, ImageKind,
    Joined, NativeDevice, NativeMemory, NativeQueue, Program, Queue, Result, Sequence,
};
use cudarc::driver::result::ctx;
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// What [`crate::Cuda`] opens.
pub(crate) struct CudaDevice {
    session: Arc<Session>,
    info: DeviceInfo,
}

impl CudaDevice {
    pub(crate) fn open(ordinal: usize, info: DeviceInfo) -> Result<Self> {
        Ok(Self {
            session: Arc::new(Session::open(ordinal)?),
            info,
        })
    }
}

impl Device for CudaDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        crate::compile_only(source, &self.info.architecture, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(CudaProgram::load(
            self.session.clone(),
            self.info.limits,
            binary,
        )?))
    }

    fn image(&self, source: &str, options: &CompileOptions) -> Result<Image> {
        image::compile_ahead(&self.info.architecture, source, options)
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        image::fit(&self.info.architecture, kind)
    }

    fn load_image(&self, kind: &ImageKind, bytes: &[u8]) -> Result<Arc<dyn Program>> {
        if kind.format != image::PTX {
            return self.load(bytes);
        }
        Ok(Arc::new(CudaProgram::load_text(
            self.session.clone(),
            self.info.limits,
            bytes,
        )?))
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(CudaBuffer::new(self.session.clone(), bytes)?))
    }

    fn reserve(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(CudaBuffer::reserve(self.session.clone(), bytes)?))
    }

    fn can_join(&self) -> Result<()> {
        nccl::can_join()
    }

    fn ticket(&self) -> Result<Vec<u8>> {
        nccl::ticket()
    }

    fn join(&self, ticket: &[u8], number: usize, count: usize) -> Result<Arc<dyn Exchange>> {
        nccl::can_join()?;
        let nccl = CudaNccl(self.session.clone());
        Ok(Arc::new(Joined::new(nccl, ticket, number, count)?))
    }

    fn synchronize(&self) -> Result<()> {
        self.session.enter()?;
        self.session.synchronize("waiting for the CUDA device")
    }

    fn synchronize_context(&self) -> Result<()> {
        self.session.enter()?;
        check(ctx::synchronize(), "waiting for the CUDA device")
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.is_stream_idle(self.session.stream())
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(CudaQueue::default(self.session.clone())))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(CudaQueue::create(self.session.clone())?))
    }

    fn create_urgent_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(CudaQueue::create_urgent(self.session.clone())?))
    }

    unsafe fn import_queue(&self, queue: NativeQueue) -> Result<Arc<dyn Queue>> {
        let NativeQueue::Cuda(stream) = queue else {
            return Err(Error::invalid(format!(
                "a CUDA device takes CUDA streams, not {queue:?}"
            )));
        };
        // SAFETY: by this method's contract.
        let queue = unsafe { CudaQueue::import(self.session.clone(), stream.cast()) };
        Ok(Arc::new(queue?))
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(CudaBuffer::shared(self.session.clone(), bytes)?))
    }

    /// The host need not have it copied.
    fn allocate_result(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        // Where no more of it can be locked, the device's own does.
        self.allocate_shared(bytes)
            .or_else(|_| self.allocate(bytes))
    }

    fn has_near_results(&self) -> bool {
        true
    }

    fn sequence(
        &self,
        enqueue: &mut dyn FnMut(&dyn Queue) -> Result<()>,
    ) -> Result<Option<Box<dyn Sequence>>> {
        let sequence = CudaSequence::new(self.session.clone(), enqueue)?;
        Ok(Some(Box::new(sequence)))
    }

    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        Ok(Box::new(PinnedMemory::new(self.session.clone(), bytes)?))
    }

    unsafe fn pin(&self, memory: *mut c_void, bytes: usize) -> Option<Box<dyn Any>> {
        // SAFETY: by this method's contract.
        let pinned = unsafe { PinnedRange::new(self.session.clone(), memory, bytes) };
        Some(Box::new(pinned?))
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let session = self.session.clone();
        let buffer = match memory {
            NativeMemory::Address(address) => CudaBuffer::import(session, address, bytes),
            // SAFETY: by this method's contract.
            NativeMemory::Host(host) if !host.is_null() => unsafe {
                CudaBuffer::import_host(session, host, bytes)
            },
            other => Err(Error::invalid(format!(
                "a CUDA device takes addresses of memory, not {other:?}"
            ))),
        };
        Ok(Arc::new(buffer?))
    }

    fn native(&self) -> NativeDevice {
        NativeDevice::Cuda {
            ordinal: self.session.ordinal(),
            context: self.session.context().cast(),
        }
    }
}
