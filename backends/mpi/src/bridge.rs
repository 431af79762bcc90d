//! The functions of `bridge.c`.

use crate::starters;
use brook_driver::{
    Error, ErrorKind, Result, find_program, find_words, kept_or_built, reason_of, run_compiler,
};
use libloading::Library;
use std::ffi::{c_char, c_int, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SOURCE: &str = include_str!("bridge.c");

/// What went wrong, in memory of the bridge's; null if nothing did.
pub(crate) type Failure = *mut c_char;
/// An object of the bridge's.
pub(crate) type Object = *mut c_void;

brook_driver::bridge_functions! {
    free: b"brook_mpi_free\0", fn(*mut c_char);
    world: b"brook_mpi_world\0", fn(*mut Object) -> Failure;
    of: b"brook_mpi_of\0", fn(c_int, *mut Object) -> Failure;
    place: b"brook_mpi_place\0", fn(Object, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> Failure;
    threads: b"brook_mpi_threads\0", fn(*mut c_int) -> Failure;
    devices: b"brook_mpi_devices\0", fn(*mut c_int, *mut c_int);
    goes_on: b"brook_mpi_goes_on\0", fn() -> c_int;
    send: b"brook_mpi_send\0", fn(Object, *const c_void, c_int, c_int, c_int, *mut Object) -> Failure;
    receive: b"brook_mpi_receive\0", fn(Object, *mut c_void, c_int, c_int, c_int, *mut Object) -> Failure;
    test: b"brook_mpi_test\0", fn(Object, *mut c_int, *mut c_int) -> Failure;
    broadcast: b"brook_mpi_broadcast\0", fn(Object, *mut c_void, c_int, c_int, *mut Object) -> Failure;
    gather: b"brook_mpi_gather\0", fn(Object, *const c_void, c_int, *mut c_void, *mut Object) -> Failure;
    reduce: b"brook_mpi_reduce\0", fn(Object, *mut c_void, c_int, c_int, c_int, *mut Object) -> Failure;
    abort: b"brook_mpi_abort\0", fn(Object, c_int);
}

impl Bridge {
    /// An error of a call: `what` failed, in MPI's own words.
    pub(crate) fn check(&self, failure: Failure, what: &str) -> Result<()> {
        match self.text(failure) {
            None => Ok(()),
            Some(reason) => Err(Error::new(
                ErrorKind::Device,
                format!("{what} failed: {}", reason.trim_end()),
            )),
        }
    }
}

/// The bridge, compiled if need be, loaded once; otherwise in one line why there is none.
pub(crate) fn bridge() -> Result<&'static Bridge> {
    static LOADED: OnceLock<Result<Bridge>> = OnceLock::new();
    LOADED.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Bridge> {
    let (program, words) = compiler()?;
    let name = format!("mpi-{:016x}.so", digest(&program, &words));
    let build = |scratch: &Path, to: &Path| compile(&program, &words, scratch, to);
    kept_or_built(&name, build, opened)
}

/// The compiler of the implementation that has started this process, and the words behind it.
fn compiler() -> Result<(PathBuf, Vec<String>)> {
    let said = std::env::var("BROOK_MPICC").ok();
    if let Some(said) = said.filter(|v| !v.trim().is_empty()) {
        return find_words(&said).ok_or_else(|| {
            Error::missing(format!("BROOK_MPICC is '{said}', which is no program"))
        });
    }
    let mut usual = starters::compilers().chain(["mpicc"]);
    let found = usual.find_map(find_program);
    let found = found.map(|program| (program, Vec::new()));
    found.ok_or_else(|| {
        Error::missing("MPI is used by way of its compiler, and there is no mpicc on PATH (BROOK_MPICC names one)")
    })
}

/// What differs where the bridge or MPI do.
fn digest(program: &Path, words: &[String]) -> u64 {
    let mut digest = DefaultHasher::new();
    // Wrappers are links to each other, and what they call is told by what they say.
    let shown = Command::new(program).args(words).arg("-show").output().ok();
    let shown = shown.map(|output| output.stdout);
    let about = std::fs::metadata(program).ok();
    let about = about.map(|m| (m.len(), m.modified().ok()));
    (SOURCE, program, words, shown, about).hash(&mut digest);
    digest.finish()
}

/// Opens a library for good.
fn opened(path: &Path) -> Result<Bridge> {
    let failed =
        |e: libloading::Error| Error::missing(format!("MPI cannot be loaded: {}", reason_of(&e)));
    // Open MPI loads parts of itself that look for the rest among what all may see.
    #[cfg(unix)]
    // SAFETY: what runs when it is loaded is MPI's own initialisation.
    let library: Library = unsafe {
        use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
        Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL)
    }
    .map_err(failed)?
    .into();
    #[cfg(not(unix))]
    // SAFETY: as above.
    let library = unsafe { Library::new(path) }.map_err(failed)?;
    // Its threads outlive whatever is closed.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: it is the bridge, and stays open.
    unsafe { Bridge::of(library) }.map_err(failed)
}

fn compile(program: &Path, words: &[String], scratch: &Path, to: &Path) -> Result<()> {
    let source = scratch.join("bridge.c");
    let failed =
        |e: std::io::Error| Error::missing(format!("cannot use {}: {e}", scratch.display()));
    std::fs::write(&source, SOURCE).map_err(failed)?;
    let mut command = Command::new(program);
    command
        .args(words)
        .args(["-O2", "-w", "-fPIC", "-shared", "-o"])
        .arg(to)
        .arg(&source);
    // Where the C library is older than 2.34, and nothing elsewhere.
    command.args(cfg!(target_os = "linux").then_some("-ldl"));
    run_compiler(&mut command).map(drop).map_err(|e| {
        let log = e.log.unwrap_or_default();
        let line = log.lines().find(|l| l.contains("error")).unwrap_or("");
        Error::missing(format!(
            "MPI's headers do not compile: {}; {line}",
            e.message
        ))
    })
}
