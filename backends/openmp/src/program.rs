//! Loading shared objects and launching what they export.

use crate::memory::HostBuffer;
use crate::queue::HostQueue;
use crate::turn;
use brook_driver::{
    Argument, AtOnce, Error, ErrorKind, Kernel, Process, Program, Queue, Result, ScratchDirectory,
    with_pointers,
};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::collections::BTreeMap;
use std::error::Error as _;
use std::ffi::{c_int, c_void};
use std::fs;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The type of `brook_launch_K`: one pointer per parameter, to its value.
pub(crate) type Launcher = unsafe extern "C" fn(*mut *mut c_void);

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

/// The process that loaded the first kernel, and with it libgomp.
///
/// Lets idle worker threads sleep instead of spinning, unless the user decided otherwise: between
/// launches the host program wants its cores back. libgomp reads the variable once, when it is
/// first loaded.
fn first_process() -> Process {
    static FIRST: OnceLock<Process> = OnceLock::new();
    *FIRST.get_or_init(|| {
        if std::env::var_os("OMP_WAIT_POLICY").is_none() {
            // SAFETY: another thread calling C's `getenv` at this very moment would race. There is
            // no other way to tell libgomp; it happens once, before the first kernel is loaded, and
            // a host program that cannot accept it sets the variable itself.
            unsafe { std::env::set_var("OMP_WAIT_POLICY", "passive") };
        }
        Process::current()
    })
}

/// Calls a launcher in its turn.
///
/// # Safety
/// `pointers` are to the arguments of the launcher's kernel, in their order.
pub(crate) unsafe fn call(launcher: Launcher, pointers: &mut [*mut c_void]) -> Result<()> {
    let _turn = turn();
    if first_process().is_current() {
        // SAFETY: by this function's contract.
        unsafe { launcher(pointers.as_mut_ptr()) };
        return Ok(());
    }
    // libgomp's threads stayed with the parent, and a thread that had some waits for them without an
    // end. A new thread gets new ones.
    let pointers = Pointers(pointers.as_mut_ptr());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
            let pointers = pointers;
            // SAFETY: by this function's contract; the caller waits.
            unsafe { launcher(pointers.0) };
        });
        match thread {
            Ok(_) => Ok(()),
            Err(e) => Err(Error::new(
                ErrorKind::Device,
                format!("cannot start a thread in this forked process: {e}"),
            )),
        }
    })
}

struct Pointers(*mut *mut c_void);

// SAFETY: the thread that they are sent to has them to itself.
unsafe impl Send for Pointers {}

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
