//! An emulated device: memory, programs, launches.

use crate::Dialect;
use crate::compiler::Compiler;
use brook_driver::{
    Argument, BINARY, Buffer, CompileOptions, Device, DeviceInfo, Error, ErrorKind, ImageKind,
    Kernel, NativeMemory, Program, Result, ScratchDirectory, check_range, copy_overlapping,
};
use libloading::Library;
use std::any::Any;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, PoisonError};

/// In which order the items of a group run between two barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Forward,
    Reversed,
    Random(u32),
}

impl Order {
    /// The order of each device.
    pub(crate) fn of_devices() -> Result<[Self; 3]> {
        let first = match std::env::var("BROOK_EMULATION_ORDER") {
            Ok(text) if !text.is_empty() => Self::parse(&text).ok_or_else(|| {
                Error::invalid(format!(
                    "BROOK_EMULATION_ORDER is '{text}'; it must be forward, reversed or random:SEED"
                ))
            })?,
            _ => Self::Forward,
        };
        Ok([first, Self::Reversed, Self::Random(1)])
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "forward" => Some(Self::Forward),
            "reversed" => Some(Self::Reversed),
            _ => Some(Self::Random(text.strip_prefix("random:")?.parse().ok()?)),
        }
    }

    /// As `simt.hpp` numbers them, with the seed.
    fn numbers(self) -> (c_int, c_uint) {
        match self {
            Self::Forward => (0, 0),
            Self::Reversed => (1, 0),
            Self::Random(seed) => (2, seed),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forward => f.write_str("forward"),
            Self::Reversed => f.write_str("reversed"),
            Self::Random(seed) => write!(f, "at random (seed {seed})"),
        }
    }
}

pub(crate) struct Emulated {
    dialect: Dialect,
    order: Order,
    compiler: Compiler,
    info: DeviceInfo,
}

impl Emulated {
    pub(crate) fn new(
        dialect: Dialect,
        order: Order,
        compiler: Compiler,
        info: DeviceInfo,
    ) -> Self {
        Self {
            dialect,
            order,
            compiler,
            info,
        }
    }
}

impl Device for Emulated {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.compiler.compile(source, self.dialect, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        let failed = |e: &dyn fmt::Display| {
            Error::new(
                ErrorKind::Device,
                format!("cannot load the compiled kernel: {e}"),
            )
        };
        let scratch = ScratchDirectory::new()?;
        let path = scratch.path().join("kernel.so");
        std::fs::write(&path, binary).map_err(|e| failed(&e))?;
        // SAFETY: loading runs the initialisers of the emulation's headers, which allocate nothing.
        let library = unsafe { Library::new(&path) }.map_err(|e| failed(&e))?;
        // Never unloaded: kernels keep pointers into it.
        Ok(Arc::new(EmulatedProgram {
            library: ManuallyDrop::new(library),
            order: self.order,
        }))
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        match self.dialect {
            _ if kind.format == BINARY => match kind.architecture == self.info.architecture {
                true => Ok(u32::MAX),
                false => Err(format!("the device is {}", self.info.architecture)),
            },
            Dialect::Cuda => brook_cuda::fit(&self.info.architecture, kind),
            Dialect::Hip => brook_hip::fit(&self.info.architecture, kind),
            Dialect::Metal | Dialect::Sycl => {
                Err("this source is compiled where it runs".to_string())
            }
        }
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let words = bytes.div_ceil(16);
        let mut memory: Vec<u128> = Vec::new();
        memory
            .try_reserve_exact(words)
            .map_err(|_| Error::new(ErrorKind::Memory, format!("cannot allocate {bytes} bytes")))?;
        // Memory of a device is not zero by itself: whoever relies on that shall see it.
        memory.resize(words, u128::from_ne_bytes([0xa5; 16]));
        Ok(Arc::new(EmulatedBuffer {
            memory: Arc::new(Mutex::new(memory)),
            start: 0,
            bytes,
        }))
    }

    /// As the devices whose source it runs.
    fn has_near_results(&self) -> bool {
        matches!(self.dialect, Dialect::Cuda | Dialect::Hip)
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
}

/// Memory, in units that suit every vector type. The lock is held while it is copied; a launch
/// accesses it by its address, as a device would.
struct EmulatedBuffer {
    memory: Arc<Mutex<Vec<u128>>>,
    /// Where a part begins.
    start: usize,
    bytes: usize,
}

impl EmulatedBuffer {
    fn address(&self) -> *mut c_void {
        self.memory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut_ptr()
            .cast::<c_void>()
            .wrapping_byte_add(self.start)
    }

    /// The whole memory, for a copy of `length` bytes at `offset`.
    fn copy(&self, offset: usize, length: usize, copy: impl FnOnce(*mut u8)) -> Result<()> {
        if offset
            .checked_add(length)
            .is_none_or(|end| end > self.bytes)
        {
            return Err(Error::invalid(format!(
                "cannot copy {length} bytes at offset {offset}: the buffer has {} bytes",
                self.bytes
            )));
        }
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: `offset` is within the memory.
        copy(unsafe {
            let memory = memory.as_mut_ptr().cast::<u8>();
            memory.add(self.start + offset)
        });
        Ok(())
    }
}

impl Buffer for EmulatedBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        // SAFETY: the range was checked; the caller's slice is not this memory.
        self.copy(offset, bytes.len(), |to| unsafe {
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        })
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: as in `write`.
        self.copy(offset, bytes.len(), |from| unsafe {
            from.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
        })
    }

    fn zero(&self) -> Result<()> {
        // SAFETY: the range is the whole buffer.
        self.copy(0, self.bytes, |to| unsafe { to.write_bytes(0, self.bytes) })
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        copy_overlapping(self, offset, source, source_offset, bytes)
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self {
            memory: self.memory.clone(),
            start: self.start + offset,
            bytes,
        }))
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::Host(self.address())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct EmulatedProgram {
    library: ManuallyDrop<Library>,
    order: Order,
}

/// What `BROOK_SIMT_EXPORT` defines.
type Launcher = unsafe extern "C" fn(
    *const c_ulonglong,
    *const c_uint,
    *mut *mut c_void,
    c_int,
    c_uint,
    *mut *const c_char,
) -> c_int;

impl Program for EmulatedProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let symbol = format!("brook_simt_launch_{name}\0");
        // SAFETY: symbols of this form have this type.
        let launcher = unsafe { self.library.get::<Launcher>(symbol.as_bytes()) }
            .map_err(|_| Error::invalid(format!("no kernel named '{name}' in this program")))?;
        Ok(Arc::new(EmulatedKernel {
            launcher: *launcher,
            order: self.order,
            name: name.to_string(),
        }))
    }
}

struct EmulatedKernel {
    launcher: Launcher,
    order: Order,
    name: String,
}

impl Kernel for EmulatedKernel {
    fn reserve(&self, _bytes: u64) -> Result<()> {
        // The compiler's flags have seen to it.
        Ok(())
    }

    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        // Sixteen bytes of room for a pointer, and for each sixteen of a value.
        let mut rooms: Vec<Vec<u128>> = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            rooms.push(match argument {
                Argument::Null => vec![0],
                Argument::Buffer(buffer) | Argument::Whole(buffer) => {
                    let own = buffer.as_any().downcast_ref::<EmulatedBuffer>();
                    let own = own.ok_or_else(|| {
                        Error::invalid(format!(
                            "argument {} is memory of another backend",
                            index + 1
                        ))
                    })?;
                    vec![own.address().expose_provenance() as u128]
                }
                Argument::Value(bytes) => bytes.chunks(16).map(padded).collect(),
            });
        }
        let mut pointers: Vec<*mut c_void> = rooms
            .iter_mut()
            .map(|room| room.as_mut_ptr().cast())
            .collect();
        let (order, seed) = self.order.numbers();
        let mut message = std::ptr::null();
        // SAFETY: the caller passes this kernel's arguments in their order, and all pointers live
        // until the launch returns, which is when it has finished.
        let status = unsafe {
            (self.launcher)(
                grid.as_ptr(),
                group.as_ptr(),
                pointers.as_mut_ptr(),
                order,
                seed,
                &raw mut message,
            )
        };
        if status == 0 {
            return Ok(());
        }
        let reason = match message.is_null() {
            true => format!("status {status}"),
            // SAFETY: the emulation's messages end with a zero byte and live as long as the library.
            false => unsafe { CStr::from_ptr(message) }
                .to_string_lossy()
                .into_owned(),
        };
        Err(Error::new(
            ErrorKind::Device,
            format!("kernel '{}', items {}: {reason}", self.name, self.order),
        ))
    }
}

/// Little-endian, like every machine this runs on.
fn padded(bytes: &[u8]) -> u128 {
    let mut word = [0; 16];
    word[..bytes.len()].copy_from_slice(bytes);
    u128::from_ne_bytes(word)
}
