//! Finding devices, opening them, and what an opened one does.

use crate::buffer::Buffer;
use crate::error::{Error, ErrorKind, Result};
use crate::exchange::Exchange;
use crate::host_memory::{AlignedMemory, HostMemory};
use crate::image::{BINARY, Image, ImageKind};
use crate::kernel::Program;
use crate::native::{NativeDevice, NativeMemory, NativeQueue};
use crate::queue::{AtOnce, Queue};
use crate::sequence::Sequence;
use std::any::Any;
use std::ffi::c_void;
use std::str::FromStr;
use std::sync::Arc;

/// What a device does for a living; decides the order of automatic detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// A graphics processor.
    Gpu,
    /// The host's own processor, or an implementation that runs on it.
    Cpu,
    /// Anything else a vendor's interface reports.
    Accelerator,
}

/// How the launch grid maps to hardware, and how large it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most items in one group, all axes together.
    pub threads_per_group: u32,
    /// Most items in one group along x, y and z.
    pub group: [u32; 3],
    /// Most groups along x, y and z.
    pub grid: [u64; 3],
    /// Bytes of group-shared memory a kernel may use.
    pub shared_memory: u64,
}

/// What is known about a device before anything runs on it.
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// The vendor's name for it.
    pub name: String,
    /// GPU, CPU or other.
    pub kind: DeviceKind,
    /// Multiprocessors, compute units or threads: how many groups run at least side by side.
    pub units: u32,
    /// Device memory in bytes, where the vendor reports it.
    pub memory: Option<u64>,
    /// The architecture code is generated for: `sm_90`, `gfx90a`, the CPU's name. Part of the
    /// kernel cache's key.
    pub architecture: String,
    /// The compiler that will be used, with its version; the reason in words when there is none.
    pub compiler: std::result::Result<String, String>,
    /// Launch limits.
    pub limits: Limits,
}

/// Arithmetic contract of the generated code (`--math`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Math {
    /// `/` and `sqrt` correctly rounded; sums of products round once where the vendor's compiler says so, or, in Brook+, where
    /// the source has both in one expression.
    #[default]
    Default,
    /// No contraction: results of `+ - * / sqrt` are the same bits on every backend.
    Strict,
    /// The vendor's fast mode.
    Fast,
}

impl FromStr for Math {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Self, String> {
        match name {
            "default" => Ok(Self::Default),
            "strict" => Ok(Self::Strict),
            "fast" => Ok(Self::Fast),
            _ => Err(format!(
                "'{name}' is no arithmetic; default, strict and fast are"
            )),
        }
    }
}

/// What the vendor's compiler is told besides the source.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Arithmetic contract.
    pub math: Math,
    /// The language standard in the vendor's words: `c++20`, `CL2.0`; the driver's own without it.
    pub standard: Option<String>,
    /// Sums of products that round once are written as such already: the compiler contracts none, unless it is to be fast.
    pub contracted: bool,
    /// Signed integers wrap, as Brook+ says; otherwise overflow is what it is in C, and an index need not be
    /// followed round the end of its type.
    pub wrapping: bool,
    /// Directories for headers that the generated source still includes.
    pub include_directories: Vec<String>,
    /// Flags handed through unchanged, after the driver's own.
    pub flags: Vec<String>,
}

impl CompileOptions {
    /// Whether compilers contract sums of products as they like.
    pub fn contracts(&self) -> bool {
        match self.math {
            Math::Default => !self.contracted,
            Math::Strict => false,
            Math::Fast => true,
        }
    }

    /// The same in the words of GCC and Clang.
    pub fn contraction(&self) -> &'static str {
        match self.contracts() {
            true => "-ffp-contract=fast",
            false => "-ffp-contract=off",
        }
    }

    /// Refuses flags that begin with one of these names, by which the compiler is told an architecture: what is compiled
    /// ahead of time has one already, such as `cuda:sm_90`.
    ///
    /// # Errors
    /// There is one.
    pub fn check_architecture(&self, names: &[&str], target: &str) -> Result<()> {
        let other = |flag: &&String| names.iter().any(|n| flag.starts_with(n));
        match self.flags.iter().find(other) {
            None => Ok(()),
            Some(flag) => Err(Error::invalid(format!(
                "the compiler's flag '{flag}' names another architecture than '{target}'"
            ))),
        }
    }
}

/// One backend: a way to find devices and open them.
pub trait Driver: Send + Sync {
    /// The backend's name as the command line spells it: `cuda`, `hip`, `opencl`, `openmp`.
    fn backend(&self) -> &'static str;

    /// The devices there are. An error of kind [`ErrorKind::Missing`](crate::ErrorKind::Missing) gives the reason, in one
    /// line, why there can be none.
    fn devices(&self) -> Result<Vec<DeviceInfo>>;

    /// Opens the `ordinal`-th device of [`Driver::devices`].
    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>>;

    /// Whether [`Driver::compile_ahead`] knows an architecture; an error says what there is.
    fn check_architecture(&self, architecture: &str) -> Result<()> {
        let _ = architecture;
        Ok(())
    }

    /// Compiles for devices that need not be here; looks for none. The architecture is in the driver's words, and empty
    /// where the user named none. One that the driver does not know is an error of kind [`ErrorKind::Invalid`](crate::ErrorKind::Invalid), whose
    /// message says what there is.
    fn compile_ahead(
        &self,
        architecture: &str,
        source: &str,
        options: &CompileOptions,
    ) -> Result<Image> {
        let _ = (architecture, source, options);
        Err(Error::invalid(format!(
            "'{0}' compiles for devices that are here only, such as {0}:0",
            self.backend()
        )))
    }
}

/// An opened device.
pub trait Device: Send + Sync {
    /// What is known about it.
    fn info(&self) -> &DeviceInfo;

    /// Compiles device source to a binary that [`Device::load`] accepts, now or in another process
    /// on the same architecture. The bytes are what the kernel cache stores. A failed compilation
    /// is an error of kind [`ErrorKind::Compile`](crate::ErrorKind::Compile) carrying the compiler's log.
    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>>;

    /// Loads a compiled binary.
    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>>;

    /// As [`Device::compile`], and says for which devices.
    fn image(&self, source: &str, options: &CompileOptions) -> Result<Image> {
        let info = self.info();
        Ok(Image {
            kind: ImageKind::new(BINARY, &info.architecture),
            bytes: self.compile(source, options)?,
            compiler: info.compiler.clone().unwrap_or_default(),
        })
    }

    /// How well the device takes images of a kind, more being better; otherwise why it takes none, as a clause that can
    /// stand behind a colon. Calls no compiler.
    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        let architecture = &self.info().architecture;
        match kind.format.as_str() {
            BINARY if kind.architecture == *architecture => Ok(u32::MAX),
            BINARY => Err(format!("the device is '{architecture}'")),
            _ => Err(kind.unknown_format()),
        }
    }

    /// Loads an image of a kind that fits.
    fn load_image(&self, kind: &ImageKind, bytes: &[u8]) -> Result<Arc<dyn Program>> {
        let _ = kind;
        self.load(bytes)
    }

    /// Allocates uninitialised device memory. Zero bytes are allowed.
    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>>;

    /// The same, of which only those ranges are used, by anybody, that were [committed](Buffer::commit) before: a device that has
    /// addresses without memory gives these, and memory as it is asked for.
    fn reserve(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.allocate(bytes)
    }

    /// Whether it can [join](Self::join) others; an error of kind [`ErrorKind::Missing`] where not.
    fn can_join(&self) -> Result<()> {
        Err(Error::new(
            ErrorKind::Missing,
            "devices of this driver do not reach those of other processes",
        ))
    }

    /// By what devices of several processes find each other: one process asks its device for it, and gives it the others. Errors as of
    /// [`Self::can_join`].
    fn ticket(&self) -> Result<Vec<u8>> {
        self.can_join().map(|()| Vec::new())
    }

    /// This device as the one of that number, of so many in as many processes, all of which call this at once with the
    /// same [ticket](Self::ticket).
    fn join(&self, ticket: &[u8], number: usize, count: usize) -> Result<Arc<dyn Exchange>> {
        self.can_join()?;
        Err(Error::invalid(format!(
            "device {number} of {count} has a ticket of {} bytes that is another driver's",
            ticket.len()
        )))
    }

    /// Waits until everything enqueued so far has finished, and reports errors that happened in it.
    fn synchronize(&self) -> Result<()>;

    /// Whether everything enqueued so far has finished, well or not; errors are for
    /// [`Device::synchronize`] to report. A driver that cannot ask waits instead.
    fn is_idle(&self) -> Result<bool> {
        self.synchronize().map(|()| true)
    }

    /// The queue that everything goes through that names none. This default and the next one are for
    /// devices that do everything before their calls return.
    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(AtOnce))
    }

    /// A queue beside that one.
    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(AtOnce))
    }

    /// One whose work goes before that of other queues where the device knows such a difference: for what other devices wait for.
    fn create_urgent_queue(&self) -> Result<Arc<dyn Queue>> {
        self.create_queue()
    }

    /// Waits for everything that this process has the device do, also in streams that others made and this never saw, where the
    /// vendor's interface can do that; elsewhere it is [`Self::synchronize`].
    fn synchronize_context(&self) -> Result<()> {
        self.synchronize()
    }

    /// Somebody else's queue, in order with whatever else they put into it; it is not destroyed here.
    ///
    /// # Safety
    /// It is a live queue as [`Queue::native`] gives one, and stays so until the result is dropped.
    unsafe fn import_queue(&self, queue: NativeQueue) -> Result<Arc<dyn Queue>> {
        Err(Error::invalid(format!(
            "this device takes no queues of others ({queue:?})"
        )))
    }

    /// Records what `enqueue` puts into the queue that it is given, to be done later and many times. `None` where
    /// that is no better than to enqueue it again each time.
    fn sequence(
        &self,
        enqueue: &mut dyn FnMut(&dyn Queue) -> Result<()>,
    ) -> Result<Option<Box<dyn Sequence>>> {
        let _ = enqueue;
        Ok(None)
    }

    /// Memory that the host and the device's kernels both use, uninitialised: [`Buffer::host`] says where the host finds
    /// it. Zero bytes are allowed.
    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let _ = bytes;
        Err(Error::invalid(
            "this device has no memory that kernels and the host both use",
        ))
    }

    /// Memory for a few bytes that one kernel writes and the host reads next, uninitialised: where the host has them
    /// soonest.
    fn allocate_result(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.allocate(bytes)
    }

    /// Whether the host has some thousand bytes of [such memory](Device::allocate_result) sooner than another kernel has been
    /// launched that makes one number of them.
    fn has_near_results(&self) -> bool {
        false
    }

    /// Host memory that copies from and to this device need no detour for.
    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        Ok(Box::new(AlignedMemory::new(bytes)?))
    }

    /// Page-locks somebody's host memory for as long as the result lives, so that copies need no detour. `None`
    /// where that cannot be done, or is of no use.
    ///
    /// # Safety
    /// The memory stays where it is as long as the result.
    unsafe fn pin(&self, memory: *mut c_void, bytes: usize) -> Option<Box<dyn Any>> {
        let _ = (memory, bytes);
        None
    }

    /// Somebody else's memory as a buffer, which does not free it. The address of device memory where
    /// devices have addresses, a buffer object for OpenCL, the address of host memory for the
    /// processor: whatever [`Buffer::native`] gives. Some devices take host memory, too, which their kernels then use
    /// where it is.
    ///
    /// # Safety
    /// It is memory of this device of at least that size, and stays so as long as the buffer or a part
    /// of it is in use.
    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let _ = bytes;
        Err(Error::invalid(format!(
            "this device takes no memory of others ({memory:?})"
        )))
    }

    /// The vendor's objects behind it.
    fn native(&self) -> NativeDevice {
        NativeDevice::Host
    }
}
