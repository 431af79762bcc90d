//! The OpenMP driver: the system's C++ compiler turns generated source into a shared object, which
//! is loaded into this process and runs on the host's processor.
//!
//! It is the backend that needs nothing but a C++ compiler, hence the one a bare machine uses.
//!
//! - `compiler`: finds the compiler and calls it; the flags and why they are there
//! - `host`: what is known about the processor
//! - `memory`: buffers, which are aligned host memory
//! - `program`: loading and launching; every kernel `K` exports `brook_launch_K(void **)`
//! - `queue`: queues of their own, a thread each
//!
//! What goes through no queue is done before the call returns, as on a queue of depth zero.

mod compiler;
mod host;
mod memory;
mod program;
mod queue;

use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, DeviceKind, Driver, Error, Limits, NativeMemory,
    Program, Queue, Result,
};
use compiler::Compiler;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The host's processor as a backend.
///
/// The compiler is `BROOK_CXX`, else `CXX`, else the first of `g++`, `c++` and `clang++` on `PATH`;
/// it is looked up once in the life of this value.
#[derive(Debug, Default)]
pub struct OpenMp {
    found: OnceLock<Result<(Compiler, DeviceInfo)>>,
}

impl OpenMp {
    /// A driver that has not looked for anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn found(&self) -> Result<&(Compiler, DeviceInfo)> {
        self.found
            .get_or_init(|| Compiler::find().map(describe))
            .as_ref()
            .map_err(Clone::clone)
    }
}

fn describe(compiler: Compiler) -> (Compiler, DeviceInfo) {
    let processor = host::processor();
    let info = DeviceInfo {
        architecture: processor.architecture(),
        name: processor.name,
        kind: DeviceKind::Cpu,
        units: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        memory: host::memory(),
        compiler: Ok(compiler.description()),
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
        Ok(vec![self.found()?.1.clone()])
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let (compiler, info) = self.found()?;
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
}

/// The opened host.
struct Host {
    compiler: Compiler,
    info: DeviceInfo,
}

impl Device for Host {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.compiler.compile(source, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(program::HostProgram::load(binary)?))
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(memory::HostBuffer::new(bytes)?))
    }

    fn synchronize(&self) -> Result<()> {
        // Nothing is pending in this thread; another thread's launch may be under way.
        drop(turn());
        Ok(())
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(queue::HostQueue::new()?))
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

/// Launches and copies of all threads and queues take turns, as they would on a device's stream: a
/// kernel uses every core anyway, and a copy never sees half a kernel's writes.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
