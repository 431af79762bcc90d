//! An opened device.

use crate::graph::HipSequence;
use crate::image;
use crate::memory::{HipBuffer, PinnedMemory};
use crate::program::HipProgram;
use crate::queue::HipQueue;
use crate::rccl::{self, HipRccl};
use crate::session::Session;
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, Error, Exchange, HostMemory, Image, ImageKind,
    Joined, NativeDevice, NativeMemory, NativeQueue, Program, Queue, Result, Sequence,
};
use std::sync::Arc;

/// What [`crate::Hip`] opens.
pub(crate) struct HipDevice {
    session: Arc<Session>,
    info: DeviceInfo,
}

impl HipDevice {
    pub(crate) fn open(ordinal: usize, info: DeviceInfo) -> Result<Self> {
        Ok(Self {
            session: Arc::new(Session::open(ordinal)?),
            info,
        })
    }
}

impl Device for HipDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        crate::compile_only(source, &self.info.architecture, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(HipProgram::load(
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

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(HipBuffer::new(self.session.clone(), bytes)?))
    }

    fn can_join(&self) -> Result<()> {
        rccl::can_join()
    }

    fn ticket(&self) -> Result<Vec<u8>> {
        rccl::ticket()
    }

    fn join(&self, ticket: &[u8], number: usize, count: usize) -> Result<Arc<dyn Exchange>> {
        let rccl = HipRccl::new(self.session.clone())?;
        Ok(Arc::new(Joined::new(rccl, ticket, number, count)?))
    }

    fn synchronize(&self) -> Result<()> {
        self.session.enter()?;
        self.session.synchronize("waiting for the HIP device")
    }

    fn synchronize_context(&self) -> Result<()> {
        self.session.enter()?;
        self.session.synchronize_all()
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.is_stream_idle(self.session.stream())
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(HipQueue::default(self.session.clone())))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(HipQueue::create(self.session.clone())?))
    }

    fn create_urgent_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(HipQueue::create_urgent(self.session.clone())?))
    }

    unsafe fn import_queue(&self, queue: NativeQueue) -> Result<Arc<dyn Queue>> {
        let NativeQueue::Hip(stream) = queue else {
            return Err(Error::invalid(format!(
                "a HIP device takes HIP streams, not {queue:?}"
            )));
        };
        Ok(Arc::new(HipQueue::import(self.session.clone(), stream)))
    }

    fn sequence(
        &self,
        enqueue: &mut dyn FnMut(&dyn Queue) -> Result<()>,
    ) -> Result<Option<Box<dyn Sequence>>> {
        let sequence = HipSequence::new(self.session.clone(), enqueue)?;
        Ok(Some(Box::new(sequence)))
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(HipBuffer::shared(self.session.clone(), bytes)?))
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

    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        Ok(Box::new(PinnedMemory::new(self.session.clone(), bytes)?))
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let session = self.session.clone();
        Ok(Arc::new(match memory {
            NativeMemory::Address(address) => HipBuffer::import(session, address, bytes),
            // SAFETY: by this method's contract.
            NativeMemory::Host(host) if !host.is_null() => unsafe {
                HipBuffer::import_host(session, host, bytes)?
            },
            other => {
                return Err(Error::invalid(format!(
                    "a HIP device takes addresses of memory, not {other:?}"
                )));
            }
        }))
    }

    fn native(&self) -> NativeDevice {
        NativeDevice::Hip {
            ordinal: self.session.ordinal(),
        }
    }
}
