//! Which devices there are, and an opened one.

use crate::bridge::{Info, bridge};
use crate::compiled;
use crate::installation::Installation;
use crate::memory::{HostBlock, SyclBuffer};
use crate::program::{SyclProgram, packed};
use crate::queue::SyclQueue;
use crate::session::Session;
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, DeviceKind, Error, HostMemory, Image, ImageKind,
    Limits, NativeDevice, NativeMemory, Program, Queue, Result, SOURCE,
};
use std::sync::Arc;

/// The devices that compile SYCL from source.
pub(crate) fn devices() -> Result<Vec<DeviceInfo>> {
    let bridge = bridge()?;
    let mut count = 0;
    // SAFETY: the pointer is to a live integer.
    let failure = unsafe { (bridge.count)(&raw mut count) };
    let checked = bridge.check(failure, "looking for SYCL devices");
    checked.map_err(|e| Error::missing(e.message))?;
    if count == 0 {
        return Err(Error::missing(
            "SYCL has no device that compiles from source; OCL_ICD_VENDORS has to name a processor's runtime, such as libintelocl.so",
        ));
    }
    (0..count).map(describe).collect()
}

fn describe(number: u32) -> Result<DeviceInfo> {
    let bridge = bridge()?;
    let mut info = Info {
        name: [0; 256],
        version: [0; 128],
        kind: 2,
        units: 0,
        memory: 0,
        shared: 0,
        threads: 0,
        group: [0; 3],
    };
    // SAFETY: the pointer is to a live structure of that layout.
    let failure = unsafe { (bridge.describe)(number, &raw mut info) };
    bridge.check(failure, "describing a SYCL device")?;
    let text = |bytes: &[u8]| {
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).trim().to_string()
    };
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let (name, version) = (text(&info.name), text(&info.version));
    let kind = match info.kind {
        0 => DeviceKind::Gpu,
        1 => DeviceKind::Cpu,
        _ => DeviceKind::Accelerator,
    };
    Ok(DeviceInfo {
        architecture: format!("{name}; {version}"),
        name,
        kind,
        units: info.units,
        // Some say that there is no limit.
        memory: Some(info.memory).filter(|bytes| *bytes < 1 << 56),
        compiler: Ok(match Installation::find()? {
            Installation::Runtime(_) => format!("DPC++'s run-time compiler, {version}"),
            Installation::Compiler(program, words) => {
                format!("{} {}", program.display(), words.join(" "))
            }
        }),
        limits: Limits {
            // As many as group functions of the generated source have room for.
            threads_per_group: narrow(info.threads).min(1024),
            group: info.group.map(narrow),
            grid: [u64::from(u32::MAX / 2); 3],
            shared_memory: info.shared,
        },
    })
}

/// What [`crate::Sycl`] opens.
pub(crate) struct SyclDevice {
    session: Arc<Session>,
    info: DeviceInfo,
}

impl SyclDevice {
    pub(crate) fn open(ordinal: usize, info: DeviceInfo) -> Result<Self> {
        Ok(Self {
            session: Arc::new(Session::open(ordinal)?),
            info,
        })
    }
}

impl Device for SyclDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Builds it, so that mistakes are known, and gives the source back: whoever loads it in this process soon gets what
    /// was built. A compiler makes a library of it.
    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        if let Installation::Compiler(program, words) = Installation::find()? {
            return compiled::compile(&(program, words), source, options);
        }
        let bytes = packed(source, options);
        SyclProgram::build(&self.session, &bytes)?;
        Ok(bytes)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(SyclProgram::load(
            self.session.clone(),
            self.info.limits,
            binary,
        )?))
    }

    fn image(&self, source: &str, options: &CompileOptions) -> Result<Image> {
        if let Installation::Compiler(..) = Installation::find()? {
            return Err(Error::invalid(
                "what a compiler of SYCL makes is for this device alone: it is built where it runs",
            ));
        }
        Ok(Image {
            kind: ImageKind::new(SOURCE, ""),
            bytes: packed(source, options),
            compiler: String::new(),
        })
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        match kind.format.as_str() {
            SOURCE => Ok(1),
            _ => Err(kind.unknown_format()),
        }
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(SyclBuffer::new(
            self.session.clone(),
            bytes,
            false,
        )?))
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(SyclBuffer::new(
            self.session.clone(),
            bytes,
            true,
        )?))
    }

    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        Ok(Box::new(HostBlock::new(self.session.clone(), bytes)?))
    }

    fn synchronize(&self) -> Result<()> {
        self.default_queue()?.synchronize()
    }

    fn is_idle(&self) -> Result<bool> {
        self.default_queue()?.is_idle()
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(SyclQueue::default(self.session.clone())))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(SyclQueue::create(self.session.clone())?))
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let NativeMemory::Address(address) = memory else {
            return Err(Error::invalid(format!(
                "a SYCL device takes addresses of unified shared memory, not {memory:?}"
            )));
        };
        Ok(Arc::new(SyclBuffer::import(
            self.session.clone(),
            address,
            bytes,
        )))
    }

    fn native(&self) -> NativeDevice {
        NativeDevice::Sycl
    }
}
