//! Loading shared objects, and what they export as kernels.

use crate::caches;
use crate::launcher::{Launcher, call, first_process};
use crate::memory::HostBuffer;
use crate::queue::HostQueue;
use brook_driver::{
    Argument, AtOnce, Error, ErrorKind, Kernel, Program, Queue, Result, ScratchDirectory,
    with_pointers,
};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::collections::BTreeMap;
use std::error::Error as _;
use std::ffi::c_int;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};

/// A shared object in this process.
///
/// It is never unloaded: libgomp's worker threads outlive every parallel region, and unmapping code
/// or thread-local storage under them crashes. Who loads the same again gets the same, so that building
/// a program again and again does not fill the memory.
pub(crate) struct HostProgram {
    library: &'static Library,
}

impl HostProgram {
    pub(crate) fn load(binary: &[u8]) -> Result<Self> {
        static LOADED: Mutex<BTreeMap<Box<[u8]>, &Library>> = Mutex::new(BTreeMap::new());
        first_process();
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = loaded.get(binary) {
            return Ok(Self { library });
        }
        let library = Box::leak(Box::new(Self::open(binary)?));
        loaded.insert(binary.into(), library);
        Ok(Self { library })
    }

    fn open(binary: &[u8]) -> Result<Library> {
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
        // SAFETY: generated objects that have it have a `double` of this name.
        let large = unsafe { library.get::<*mut f64>(b"brook_last_cache\0") };
        if let (Ok(large), Some(bytes)) = (large, caches::last_level()) {
            // SAFETY: it is a variable, and nothing in the object has run.
            unsafe { **large = bytes };
        }
        if std::env::var_os("BROOK_DEBUG").is_some_and(|v| !v.is_empty() && v != "0") {
            keep(scratch);
        }
        Ok(library)
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
            // SAFETY: the caller passes the arguments of this kernel in its parameters' order; the
            // launcher reads them through the pointers and keeps none of them.
            unsafe { call(self.launcher, pointers) }
        })
    }

    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let any = queue.as_any();
        match any.downcast_ref::<HostQueue>() {
            Some(queue) => queue.launch(self.launcher, arguments),
            None if any.is::<AtOnce>() => self.launch(grid, group, arguments),
            None => Err(Error::invalid("the queue is another device's")),
        }
    }
}
