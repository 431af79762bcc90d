//! Programs and kernels.

use crate::graph::GraphRecorder;
use crate::memory::CudaBuffer;
use crate::queue::CudaQueue;
use crate::session::Session;
use crate::status::check;
use brook_driver::{
    Argument, Buffer, Error, ErrorKind, Kernel, Limits, Program, Queue, Residency, Result,
    check_launch, with_pointers,
};
use cudarc::driver::DriverError;
use cudarc::driver::result::{ctx, function, launch_kernel, module, occupancy};
use cudarc::driver::sys::{
    self, CUfunction, CUfunction_attribute_enum as Attribute, CUmodule, CUresult, CUstream,
};
use std::ffi::{CString, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Of a multiprocessor, since Maxwell; and the items that each of them issues an instruction for.
const SCHEDULERS: u32 = 4;
const WARP: u32 = 32;

/// A module, unloaded when dropped.
struct Module {
    session: Arc<Session>,
    raw: CUmodule,
}

// SAFETY: modules and functions may be used by any thread in their context.
unsafe impl Send for Module {}
// SAFETY: as above; the driver API is thread-safe.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        // Failures leave nothing to do: the context is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // A kernel of this module may still run, in whichever queue.
            let _ = ctx::synchronize();
            // SAFETY: loaded in `load`, unloaded only here, and its kernels keep it alive.
            let _ = unsafe { module::unload(self.raw) };
        }
    }
}

/// A loaded cubin.
pub(crate) struct CudaProgram {
    module: Arc<Module>,
    limits: Limits,
}

impl CudaProgram {
    pub(crate) fn load(session: Arc<Session>, limits: Limits, binary: &[u8]) -> Result<Self> {
        // The driver is given no length: anything but a whole ELF file would be read past its end.
        if !is_whole_elf(binary) {
            return Err(Error::new(
                ErrorKind::Device,
                "the compiled kernel is not a cubin",
            ));
        }
        // An ELF file's tables are read in place, so the copy is aligned as they want it.
        let mut image = vec![0u64; binary.len().div_ceil(8)];
        for (word, bytes) in image.iter_mut().zip(binary.chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(padded);
        }
        // SAFETY: the image is a whole ELF file.
        unsafe { Self::load_data(session, limits, image.as_ptr().cast()) }
    }

    /// Loads PTX, which the driver makes code of.
    pub(crate) fn load_text(session: Arc<Session>, limits: Limits, text: &[u8]) -> Result<Self> {
        let text = CString::new(text)
            .map_err(|_| Error::new(ErrorKind::Device, "the compiled kernel is not PTX"))?;
        // SAFETY: the text ends with a zero byte.
        unsafe { Self::load_data(session, limits, text.as_ptr().cast()) }
    }

    /// # Safety
    /// The image is a whole ELF file or a text that ends with a zero byte; the driver makes its own copy.
    unsafe fn load_data(
        session: Arc<Session>,
        limits: Limits,
        image: *const c_void,
    ) -> Result<Self> {
        session.enter()?;
        // SAFETY: by this function's contract.
        let raw = check(
            unsafe { module::load_data(image) },
            "loading the compiled kernel",
        )?;
        Ok(Self {
            module: Arc::new(Module { session, raw }),
            limits,
        })
    }
}

/// Whether the bytes hold a 64-bit little-endian ELF file up to the end of its section headers.
fn is_whole_elf(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<64>() else {
        return false;
    };
    let short = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let mut offset = [0; 8];
    offset.copy_from_slice(&header[40..48]);
    let end = u64::from_le_bytes(offset).checked_add(short(58) * short(60));
    header.starts_with(b"\x7fELF\x02\x01") && end.is_some_and(|end| end <= bytes.len() as u64)
}

impl Program for CudaProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let unknown = || Error::invalid(format!("no kernel named '{name}' in this program"));
        let what = "looking up a kernel";
        let symbol = CString::new(name).map_err(|_| unknown())?;
        self.module.session.enter()?;
        // SAFETY: the module is loaded.
        let function =
            unsafe { module::get_function(self.module.raw, symbol) }.map_err(|e| match e.0 {
                CUresult::CUDA_ERROR_NOT_FOUND => unknown(),
                _ => Error::new(
                    ErrorKind::Device,
                    format!("{what} failed: {}", crate::status::describe(e)),
                ),
            })?;
        let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        // SAFETY: the function is of a loaded module.
        let most = check(
            unsafe { function::get_function_attribute(function, most) },
            what,
        )?;
        Ok(Arc::new(CudaKernel {
            module: self.module.clone(),
            function,
            parameters: parameter_sizes(function),
            limits: Limits {
                threads_per_group: u32::try_from(most).unwrap_or(0),
                ..self.limits
            },
            name: name.to_string(),
            reserved: AtomicU32::new(0),
        }))
    }
}

/// The size of each parameter in bytes, where the driver can tell (since CUDA 12.4).
fn parameter_sizes(function: CUfunction) -> Option<Vec<usize>> {
    // `cudarc` panics on a function that an older driver does not have.
    //
    // SAFETY: the driver's library is loaded; the symbol is looked up, and not called.
    unsafe { sys::culib().get::<*const ()>(b"cuFuncGetParamInfo") }.ok()?;
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function is of a loaded module, and both pointers are to live integers.
        let status = unsafe {
            sys::cuFuncGetParamInfo(function, sizes.len(), &raw mut offset, &raw mut size)
        };
        match status {
            CUresult::CUDA_SUCCESS => sizes.push(size),
            // An index past the last parameter.
            CUresult::CUDA_ERROR_INVALID_VALUE => return Some(sizes),
            _ => return None,
        }
    }
}

struct CudaKernel {
    module: Arc<Module>,
    function: CUfunction,
    parameters: Option<Vec<usize>>,
    /// The device's, with the most threads this kernel's registers allow.
    limits: Limits,
    name: String,
    /// Bytes of group memory that launches reserve.
    reserved: AtomicU32,
}

// SAFETY: see `Module`, which the kernel keeps loaded.
unsafe impl Send for CudaKernel {}
// SAFETY: as above.
unsafe impl Sync for CudaKernel {}

impl CudaKernel {
    /// Whether the arguments fit the parameters: the driver would read past their end otherwise.
    fn check_arguments(&self, arguments: &[Argument<'_>]) -> Result<()> {
        let Some(parameters) = &self.parameters else {
            return Ok(());
        };
        if arguments.len() != parameters.len() {
            return Err(Error::invalid(format!(
                "the kernel '{}' takes {} arguments, {} were given",
                self.name,
                parameters.len(),
                arguments.len()
            )));
        }
        for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let size = match argument {
                Argument::Buffer(_) | Argument::Whole(_) | Argument::Null => size_of::<u64>(),
                Argument::Value(bytes) => bytes.len(),
            };
            if size != *parameter {
                return Err(Error::invalid(format!(
                    "argument {} of the kernel '{}' has {size} bytes, its parameter {parameter}",
                    index + 1,
                    self.name
                )));
            }
        }
        Ok(())
    }
}

impl Kernel for CudaKernel {
    fn reserve(&self, bytes: u64) -> Result<()> {
        let what = format!(
            "reserving {bytes} bytes of group memory for the kernel '{}'",
            self.name
        );
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        self.module.session.enter()?;
        // SAFETY: the function is of a loaded module.
        let set = unsafe {
            function::set_function_attribute(
                self.function,
                most,
                i32::try_from(bytes).unwrap_or(i32::MAX),
            )
        };
        check(set, &what)?;
        self.reserved.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn residency(&self, items: u32) -> Result<Option<Residency>> {
        let what = "asking what fits of a kernel";
        self.module.session.enter()?;
        let get = |attribute| {
            // SAFETY: the function is of a loaded module.
            let got = unsafe { function::get_function_attribute(self.function, attribute) };
            check(got, what).map(|n| u32::try_from(n).unwrap_or(0))
        };
        let most = get(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?;
        let reserved = self.reserved.load(Ordering::Relaxed) as usize;
        // SAFETY: as above.
        let groups = unsafe {
            occupancy::max_active_block_per_multiprocessor(
                self.function,
                i32::try_from(items).unwrap_or(i32::MAX),
                reserved,
            )
        };
        let groups = match items > most {
            true => 0,
            false => u32::try_from(check(groups, what)?).unwrap_or(0),
        };
        Ok(Some(Residency {
            groups,
            issued: SCHEDULERS * WARP,
            registers: get(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            spilled: get(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
        }))
    }

    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        self.launch_in(self.module.session.stream(), grid, group, arguments)
    }

    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        if let Some(graph) = GraphRecorder::of(queue, &self.module.session) {
            let shared = self.reserved.load(Ordering::Relaxed);
            return self.launch_by(grid, group, arguments, |grid, pointers| {
                // SAFETY: as `launch_by` says.
                unsafe { graph.launch(self.function, grid, group, shared, pointers) }
            });
        }
        let stream = CudaQueue::stream_of(queue, &self.module.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        self.launch_in(stream, grid, group, arguments)
    }
}

impl CudaKernel {
    fn launch_in(
        &self,
        stream: CUstream,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        self.launch_by(grid, group, arguments, |grid, pointers| {
            // SAFETY: as `launch_by` says.
            unsafe {
                launch_kernel(
                    self.function,
                    grid.into(),
                    group.into(),
                    self.reserved.load(Ordering::Relaxed),
                    stream,
                    pointers,
                )
            }
        })
    }

    /// Launches by a function that gets the groups, and one pointer for each parameter, to at least its size, which the
    /// driver copies before it returns. The function's module is loaded, and its context current.
    fn launch_by(
        &self,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
        mut launch: impl FnMut([u32; 3], &mut [*mut c_void]) -> std::result::Result<(), DriverError>,
    ) -> Result<()> {
        self.check_arguments(arguments)?;
        let narrow = check_launch(grid, group, &self.limits, u64::MAX)?;
        if narrow.contains(&0) || group.contains(&0) {
            return Ok(());
        }
        let session = &self.module.session;
        let address = |index: usize, buffer: &dyn Buffer| {
            let buffer = CudaBuffer::of(buffer, session).ok_or_else(|| {
                Error::invalid(format!(
                    "argument {} is memory of another device",
                    index + 1
                ))
            })?;
            Ok(buffer.address(0))
        };
        with_pointers(arguments, address, |pointers| {
            let launched = session.launch(|| launch(narrow, pointers))?;
            launched.or_else(|e| check(Err(e), &format!("launching the kernel '{}'", self.name)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        threads_per_group: 1024,
        group: [1024, 1024, 64],
        grid: [0x7fff_ffff, 65_535, 65_535],
        shared_memory: 49_152,
    };

    #[test]
    fn sizes_beyond_the_limits_are_named() {
        let refused = |grid, group| {
            check_launch(grid, group, &LIMITS, u64::MAX)
                .unwrap_err()
                .message
        };
        assert_eq!(
            check_launch([7, 65_535, 1], [32, 32, 1], &LIMITS, u64::MAX).unwrap(),
            [7, 65_535, 1]
        );
        assert_eq!(
            refused([1, 65_536, 1], [1; 3]),
            "grid of 65536 groups along y exceeds the device's limit 65535"
        );
        assert!(refused([1 << 40, 1, 1], [1; 3]).contains("along x"));
        assert!(refused([1; 3], [1, 1, 65]).starts_with("group of 65 items along z"));
        assert!(refused([1; 3], [64, 64, 1]).starts_with("group of 4096 items exceeds the 1024"));
    }

    #[test]
    fn what_nvrtc_makes_passes() {
        let source = "extern \"C\" __global__ void f(int *p) { *p = 1; }";
        match crate::compile_only(source, "sm_90", &brook_driver::CompileOptions::default()) {
            Ok(cubin) => assert!(is_whole_elf(&cubin) && !is_whole_elf(&cubin[..cubin.len() / 2])),
            Err(e) => {
                assert_ne!(std::env::var("BROOK_REQUIRE").as_deref(), Ok("all"), "{e}");
                eprintln!("ignored: {e}");
            }
        }
    }

    #[test]
    fn only_whole_elf_files_pass() {
        let mut elf = vec![0u8; 128];
        elf[..6].copy_from_slice(b"\x7fELF\x02\x01");
        elf[40] = 64;
        elf[58] = 64;
        elf[60] = 1;
        assert!(is_whole_elf(&elf));
        assert!(!is_whole_elf(&elf[..127]));
        assert!(!is_whole_elf(b"//\n// PTX"));
        assert!(!is_whole_elf(b""));
    }
}
