//! Loading shared objects and launching what they export.

use crate::memory::HostBuffer;
use crate::queue;
use brook_driver::{
    Argument, Error, ErrorKind, Kernel, Program, Result, ScratchDirectory, with_pointers,
};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::error::Error as _;
use std::ffi::{c_int, c_void};
use std::fs;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, Once, PoisonError};

/// The type of `brook_launch_K`: one pointer per parameter, to its value.
type Launcher = unsafe extern "C" fn(*mut *mut c_void);

/// A shared object in this process.
///
/// It is never unloaded: libgomp's worker threads outlive every parallel region, and unmapping code
/// or thread-local storage under them crashes.
pub(crate) struct HostProgram {
    library: ManuallyDrop<Library>,
}

impl HostProgram {
    pub(crate) fn load(binary: &[u8]) -> Result<Self> {
        wait_passively();
        let device_error = |what: String| Error::new(ErrorKind::Device, what);
        let scratch = ScratchDirectory::new()?;
        let path = scratch.path().join("kernel.so");
        fs::write(&path, binary)
            .map_err(|e| device_error(format!("cannot write {}: {e}", path.display())))?;
        // The file may go once it is open: the mapping keeps it, and keeps its inode from being
        // given to the next one, by which the loader tells objects apart.
        //
        // SAFETY: initialisers of a generated object do nothing but construct its own constants.
        let library =
            unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) }.map_err(|e| {
                let reason = e
                    .source()
                    .map_or_else(|| e.to_string(), ToString::to_string);
                device_error(format!("cannot load the compiled kernel: {reason}"))
            })?;
        if std::env::var_os("BROOK_DEBUG").is_some_and(|v| !v.is_empty() && v != "0") {
            keep(scratch);
        }
        Ok(Self {
            library: ManuallyDrop::new(library),
        })
    }
}

/// Leaves a file where it is until the program ends: a debugger reads it again and again.
fn keep(directory: ScratchDirectory) {
    static KEPT: Mutex<Vec<ScratchDirectory>> = Mutex::new(Vec::new());
    extern "C" fn remove() {
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
    unsafe extern "C" {
        safe fn atexit(function: extern "C" fn()) -> c_int;
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.is_empty() {
        // If it is not called, files stay in the folder for temporary ones.
        let _ = atexit(remove);
    }
    kept.push(directory);
}

/// Lets idle worker threads sleep instead of spinning, unless the user decided otherwise: between
/// launches the host program wants its cores back. libgomp reads the variable once, when it is
/// first loaded.
fn wait_passively() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if std::env::var_os("OMP_WAIT_POLICY").is_none() {
            // SAFETY: another thread calling C's `getenv` at this very moment would race. There is
            // no other way to tell libgomp; it happens once, before the first kernel is loaded, and
            // a host program that cannot accept it sets the variable itself.
            unsafe { std::env::set_var("OMP_WAIT_POLICY", "passive") };
        }
    });
}

impl Program for HostProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let symbol = format!("brook_launch_{name}\0");
        // SAFETY: generated objects export names of this form with this type only.
        let launcher = unsafe { self.library.get::<Launcher>(symbol.as_bytes()) }
            .map_err(|_| Error::invalid(format!("no kernel named '{name}' in this program")))?;
        Ok(Arc::new(HostKernel {
            launcher: *launcher,
        }))
    }
}

/// A launcher; its library stays loaded for good, so the pointer never dangles.
struct HostKernel {
    launcher: Launcher,
}

impl Kernel for HostKernel {
    fn launch(&self, _grid: [u64; 3], _group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        let address = |index: usize, buffer: &dyn brook_driver::Buffer| {
            buffer
                .as_any()
                .downcast_ref::<HostBuffer>()
                .map(HostBuffer::address)
                .ok_or_else(|| {
                    Error::invalid(format!(
                        "argument {} is memory of another backend",
                        index + 1
                    ))
                })
        };
        with_pointers(arguments, address, |pointers| {
            let _turn = queue();
            // SAFETY: the caller passes the arguments of this kernel in its parameters' order; the
            // launcher reads them through the pointers and keeps none of them.
            unsafe { (self.launcher)(pointers.as_mut_ptr()) };
            Ok(())
        })
    }
}
