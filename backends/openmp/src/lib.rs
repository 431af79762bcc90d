//! The OpenMP driver: the system's C++ compiler turns generated source into a shared object, which
//! is loaded into this process and runs on the host's processor.
//!
//! It is the backend that needs nothing but a C++ compiler, hence the one a bare machine uses.
//!
//! - `caches`: how large they are
//! - `compiler`: finds the compiler and calls it; the flags and why they are there
//! - `host`: what is known about the processor; `features`: what code may ask of it
//! - `image`: what is compiled ahead of time, and which processors take it
//! - `memory`: buffers, which are aligned host memory; `reserved`: such that can be used as far as somebody asked for it
//! - `turn`: launches and copies one after the other
//! - `program`, `launcher`: loading and launching; every kernel `K` exports `brook_launch_K(void **)`
//! - `queue`: queues of their own, a thread each
//!
//! What goes through no queue is done before the call returns, as on a queue of depth zero.

mod caches;
mod compiler;
mod features;
mod host;
mod image;
mod launcher;
mod memory;
mod program;
mod queue;
#[cfg(unix)]
mod reserved;
mod turn;

use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, DeviceKind, Driver, Error, Image, ImageKind,
    Limits, NativeMemory, Program, Queue, Result,
};
use compiler::Compiler;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

/// The host's processor as a backend.
///
/// The compiler is `BROOK_CXX`, else `CXX`, else the first of `g++`, `c++` and `clang++` on `PATH`;
/// it is looked up once in the life of this value. Without one the device is there for what was compiled elsewhere.
#[derive(Debug, Default)]
pub struct OpenMp {
    found: OnceLock<Found>,
}

/// The compiler, or why there is none, and the device.
type Found = (Result<Compiler>, DeviceInfo);

impl OpenMp {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| describe(Compiler::find()))
    }
}

fn describe(compiler: Result<Compiler>) -> Found {
    let processor = host::processor();
    let info = DeviceInfo {
        architecture: processor.architecture(),
        name: processor.name,
        kind: DeviceKind::Cpu,
        units: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        memory: host::memory(),
        compiler: match &compiler {
            Ok(compiler) => Ok(compiler.description()),
            Err(error) => Err(error.message.clone()),
        },
        limits: Limits {
            threads_per_group: u32::MAX,
            group: [u32::MAX; 3],
            grid: [u64::MAX; 3],
            // A group's shared arrays live on a worker's stack, which is 8 MiB by default.
            shared_memory: 4 << 20,
        },
    };
    (compiler, info)
}

impl Driver for OpenMp {
    fn backend(&self) -> &'static str {
        "openmp"
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        Ok(vec![self.found().1.clone()])
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let (compiler, info) = self.found();
        if ordinal != 0 {
            return Err(Error::invalid(format!(
                "openmp has one device, openmp:0; there is no openmp:{ordinal}"
            )));
        }
        Ok(Arc::new(Host {
            compiler: compiler.clone(),
            info: info.clone(),
        }))
    }

    fn compile_ahead(
        &self,
        architecture: &str,
        source: &str,
        options: &CompileOptions,
    ) -> Result<Image> {
        let compiler = self.found().0.as_ref().map_err(Clone::clone)?;
        image::compile_ahead(compiler, architecture, source, options)
    }
}

/// The opened host.
struct Host {
    compiler: Result<Compiler>,
    info: DeviceInfo,
}

impl Host {
    fn compiler(&self) -> Result<&Compiler> {
        self.compiler.as_ref().map_err(Clone::clone)
    }
}

impl Device for Host {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.compiler()?.compile(source, options)
    }

    fn image(&self, source: &str, options: &CompileOptions) -> Result<Image> {
        image::compile_ahead(self.compiler()?, "", source, options)
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        image::fit(&host::processor(), kind)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(program::HostProgram::load(binary)?))
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(memory::HostBuffer::new(bytes)?))
    }

    #[cfg(unix)]
    fn reserve(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(memory::HostBuffer::reserve(bytes)?))
    }

    fn synchronize(&self) -> Result<()> {
        // Nothing is pending in this thread; another thread's launch may be under way.
        drop(turn::turn());
        Ok(())
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(queue::HostQueue::new()?))
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.allocate(bytes)
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let address = match memory {
            NativeMemory::Host(address) => NonNull::new(address.cast()),
            _ => {
                return Err(Error::invalid(format!(
                    "the processor takes host memory, not {memory:?}"
                )));
            }
        };
        let address = address.ok_or_else(|| Error::invalid("the host memory is a null pointer"))?;
        Ok(Arc::new(memory::HostBuffer::of_host(address, bytes)))
    }
}
