//! An opened device: its primary context and its stream.

use crate::graph::CudaSequence;
use crate::image;
use crate::memory::{CudaBuffer, PinnedMemory, PinnedRange};
use crate::program::CudaProgram;
use crate::queue::CudaQueue;
use crate::staging::Staging;
use crate::status::check;
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, Error, HostMemory, Image, ImageKind, NativeDevice,
    NativeMemory, NativeQueue, Process, Program, Queue, Result, Sequence,
};
use cudarc::driver::DriverError;
use cudarc::driver::result::{ctx, device, primary_ctx, stream};
use cudarc::driver::sys::{CUcontext, CUdevice, CUresult, CUstream, cuStreamQuery};
use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

/// A device's primary context and the one stream everything goes through; buffers and programs keep
/// it alive.
pub(crate) struct Session {
    device: CUdevice,
    context: CUcontext,
    stream: CUstream,
    process: Process,
    /// For copies of host memory that is not page-locked.
    pub(crate) staging: Mutex<Staging>,
}

// SAFETY: contexts and streams may be used by any thread that makes the context current first,
// which `enter` does.
unsafe impl Send for Session {}
// SAFETY: as above; the driver API is thread-safe.
unsafe impl Sync for Session {}

impl Session {
    fn open(ordinal: usize) -> Result<Self> {
        let what = "opening the CUDA device";
        let device = check(
            device::get(i32::try_from(ordinal).unwrap_or(i32::MAX)),
            what,
        )?;
        // SAFETY: the device comes from `device::get`.
        let context = check(unsafe { primary_ctx::retain(device) }, what)?;
        // From here on, dropping gives the context back.
        let mut session = Self {
            device,
            context,
            stream: stream::null(),
            process: Process::current(),
            staging: Mutex::default(),
        };
        session.enter()?;
        // Not waiting for the default stream: a host program's own CUDA work does not hold up ours.
        session.stream = check(stream::create(stream::StreamKind::NonBlocking), what)?;
        Ok(session)
    }

    /// Makes the context current on this thread: tens of nanoseconds when it already is. It stays
    /// current, as it does after any call of the CUDA runtime.
    pub(crate) fn enter(&self) -> Result<()> {
        self.check()?;
        // SAFETY: the context is retained as long as `self` lives.
        check(
            unsafe { ctx::set_current(self.context) },
            "entering the CUDA context",
        )
    }

    /// Calls what names function or graph and stream, by which the driver knows the context: the call works on a thread
    /// that made it current before. Only where the driver refuses it is made current, which takes a tenth as long as a
    /// launch even if it is already.
    pub(crate) fn launch(
        &self,
        mut call: impl FnMut() -> std::result::Result<(), DriverError>,
    ) -> Result<std::result::Result<(), DriverError>> {
        self.check()?;
        match call() {
            Err(DriverError(
                CUresult::CUDA_ERROR_INVALID_CONTEXT
                | CUresult::CUDA_ERROR_INVALID_HANDLE
                | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
            )) => {
                self.enter()?;
                Ok(call())
            }
            called => Ok(called),
        }
    }

    /// Whether this is the process that opened the device.
    fn check(&self) -> Result<()> {
        self.process.check("the CUDA device")
    }

    /// The stream, live as long as `self`.
    pub(crate) fn stream(&self) -> CUstream {
        self.stream
    }

    /// The context, live as long as `self`.
    pub(crate) fn context(&self) -> CUcontext {
        self.context
    }

    /// The device's number.
    pub(crate) fn ordinal(&self) -> i32 {
        // Devices are their numbers.
        self.device
    }

    /// Waits for the stream. Errors of kernels that ran in it show up here.
    pub(crate) fn synchronize(&self, what: &str) -> Result<()> {
        // SAFETY: the stream is live, and the caller has entered its context.
        check(unsafe { stream::synchronize(self.stream) }, what)
    }

    /// Whether a stream of this context has nothing left to do.
    pub(crate) fn is_stream_idle(&self, stream: CUstream) -> Result<bool> {
        self.enter()?;
        // SAFETY: the stream is live, and its context current.
        match unsafe { cuStreamQuery(stream) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => {
                check(other.result(), "asking for the state of the CUDA device").map(|()| true)
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Failures leave nothing to do: at the process's end the driver may already be gone.
        if self.enter().is_ok() && !self.stream.is_null() {
            let staging = self.staging.get_mut();
            staging.unwrap_or_else(PoisonError::into_inner).free();
            // SAFETY: the stream is live, and nobody can use it any more.
            let _ = unsafe { stream::destroy(self.stream) };
        }
        if !self.process.is_current() {
            return;
        }
        // SAFETY: retained once in `open`, released once here.
        let _ = unsafe { primary_ctx::release(self.device) };
    }
}

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

    fn synchronize(&self) -> Result<()> {
        self.session.enter()?;
        self.session.synchronize("waiting for the CUDA device")
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
