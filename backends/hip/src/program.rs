//! Programs and kernels.

use crate::memory::HipBuffer;
use crate::queue::HipQueue;
use crate::session::Session;
use crate::status::check;
use crate::sys::{FUNCTION_MAX_THREADS, NOT_FOUND};
use brook_driver::{
    Argument, Buffer, Error, ErrorKind, Kernel, Limits, Program, Queue, Result, check_launch,
    with_pointers,
};
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// A module, unloaded when dropped.
struct Module {
    session: Arc<Session>,
    raw: *mut c_void,
    /// Kept: some releases read the image again when a kernel is first looked up.
    _image: Vec<u64>,
}

// SAFETY: modules and functions may be used by any thread, and HIP's functions are thread-safe.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        // Failures leave nothing to do: the device is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // A kernel of this module may still run, in whichever queue.
            let _ = self.session.synchronize_all();
            // SAFETY: loaded in `load`, unloaded only here, and its kernels keep it alive.
            let _ = unsafe { (self.session.hip.module_unload)(self.raw) };
        }
    }
}

/// A loaded code object.
pub(crate) struct HipProgram {
    module: Arc<Module>,
    limits: Limits,
}

impl HipProgram {
    pub(crate) fn load(session: Arc<Session>, limits: Limits, binary: &[u8]) -> Result<Self> {
        // The runtime is given no length: what is not whole would be read past its end.
        if !is_code_object(binary) {
            return Err(Error::new(
                ErrorKind::Device,
                "the compiled kernel is not a code object",
            ));
        }
        session.enter()?;
        // An ELF file's tables are read in place, so the copy is aligned as they want it.
        let mut image = vec![0u64; binary.len().div_ceil(8)];
        for (word, bytes) in image.iter_mut().zip(binary.chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(padded);
        }
        let mut raw = std::ptr::null_mut();
        // SAFETY: the image is a whole code object and lives as long as the module.
        let status = unsafe { (session.hip.module_load_data)(&raw mut raw, image.as_ptr().cast()) };
        check(session.hip, status, "loading the compiled kernel")?;
        Ok(Self {
            module: Arc::new(Module {
                session,
                raw,
                _image: image,
            }),
            limits,
        })
    }
}

/// Whether the bytes are a bundle of code objects, or a 64-bit little-endian ELF file up to the end of
/// its section headers.
fn is_code_object(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"__CLANG_OFFLOAD_BUNDLE__") || bytes.starts_with(b"CCOB") {
        return true;
    }
    let Some(header) = bytes.first_chunk::<64>() else {
        return false;
    };
    let short = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let mut offset = [0; 8];
    offset.copy_from_slice(&header[40..48]);
    let end = u64::from_le_bytes(offset).checked_add(short(58) * short(60));
    header.starts_with(b"\x7fELF\x02\x01") && end.is_some_and(|end| end <= bytes.len() as u64)
}

impl Program for HipProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let unknown = || Error::invalid(format!("no kernel named '{name}' in this program"));
        let symbol = CString::new(name).map_err(|_| unknown())?;
        let session = &self.module.session;
        let hip = session.hip;
        session.enter()?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded, and the pointer is to a live handle.
        let status = unsafe {
            (hip.module_get_function)(&raw mut function, self.module.raw, symbol.as_ptr())
        };
        if status == NOT_FOUND {
            return Err(unknown());
        }
        check(hip, status, "looking up a kernel")?;
        let mut most = 0;
        // SAFETY: the function is of a loaded module, and the pointer is to a live integer.
        let status =
            unsafe { (hip.func_get_attribute)(&raw mut most, FUNCTION_MAX_THREADS, function) };
        let mut limits = self.limits;
        if let (0, Ok(most @ 1..)) = (status, u32::try_from(most)) {
            limits.threads_per_group = limits.threads_per_group.min(most);
        }
        Ok(Arc::new(HipKernel {
            module: self.module.clone(),
            function,
            limits,
            name: name.to_string(),
        }))
    }
}

struct HipKernel {
    module: Arc<Module>,
    function: *mut c_void,
    /// The device's, with the most threads this kernel's registers allow.
    limits: Limits,
    name: String,
}

// SAFETY: see `Module`, which the kernel keeps loaded.
unsafe impl Send for HipKernel {}
// SAFETY: as above.
unsafe impl Sync for HipKernel {}

impl Kernel for HipKernel {
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
        let stream = HipQueue::stream_of(queue, &self.module.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        self.launch_in(stream, grid, group, arguments)
    }
}

impl HipKernel {
    fn launch_in(
        &self,
        stream: *mut c_void,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        // The hardware counts items, not groups, in 32 bits.
        let narrow = check_launch(grid, group, &self.limits, u64::from(u32::MAX))?;
        if narrow.contains(&0) || group.contains(&0) {
            return Ok(());
        }
        let session = &self.module.session;
        session.enter()?;
        let address = |index: usize, buffer: &dyn Buffer| {
            let buffer = HipBuffer::of(buffer, session).ok_or_else(|| {
                Error::invalid(format!(
                    "argument {} is memory of another device",
                    index + 1
                ))
            })?;
            Ok(buffer.address(0).expose_provenance() as u64)
        };
        with_pointers(arguments, address, |pointers| {
            // SAFETY: the function's module is loaded; the caller passes the arguments of this
            // kernel in its parameters' order, and the runtime copies them before it returns.
            let status = unsafe {
                (session.hip.module_launch_kernel)(
                    self.function,
                    narrow[0],
                    narrow[1],
                    narrow[2],
                    group[0],
                    group[1],
                    group[2],
                    0,
                    stream,
                    pointers.as_mut_ptr(),
                    std::ptr::null_mut(),
                )
            };
            if status == 0 {
                return Ok(());
            }
            check(
                session.hip,
                status,
                &format!("launching the kernel '{}'", self.name),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        threads_per_group: 1024,
        group: [1024; 3],
        grid: [0x7fff_ffff; 3],
        shared_memory: 65_536,
    };

    #[test]
    fn what_hiprtc_makes_passes() {
        let source = "extern \"C\" __global__ void f(int *p) { *p = 1; }";
        match crate::compile_only(source, "gfx90a", &brook_driver::CompileOptions::default()) {
            Ok(code) => assert!(is_code_object(&code)),
            Err(e) => {
                assert_ne!(std::env::var("BROOK_REQUIRE").as_deref(), Ok("all"), "{e}");
                eprintln!("ignored: {e}");
            }
        }
        assert!(!is_code_object(b"\x7fELF"));
    }

    #[test]
    fn sizes_beyond_the_limits_are_named() {
        let refused = |grid, group| {
            check_launch(grid, group, &LIMITS, u64::from(u32::MAX))
                .unwrap_err()
                .message
        };
        assert_eq!(
            check_launch([7, 65_536, 1], [32, 32, 1], &LIMITS, u64::from(u32::MAX)).unwrap(),
            [7, 65_536, 1]
        );
        assert_eq!(
            refused([1, 1 << 31, 1], [1; 3]),
            "grid of 2147483648 groups along y exceeds the device's limit 2147483647"
        );
        assert!(refused([1 << 24, 1, 1], [256, 1, 1]).contains("limit 16777215"));
        assert!(refused([1; 3], [1, 1, 2048]).starts_with("group of 2048 items along z"));
        assert!(refused([1; 3], [64, 64, 1]).starts_with("group of 4096 items exceeds the 1024"));
    }
}
