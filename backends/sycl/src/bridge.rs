//! The functions of `bridge.cpp`.

use crate::installation::Installation;
use brook_driver::{Error, ErrorKind, Result, kept_folder, kept_or_built, reason_of, run_compiler};
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SOURCE: &str = include_str!("bridge.cpp");

/// What is known of a device: `brook_sycl_info`.
#[repr(C)]
pub(crate) struct Info {
    pub(crate) name: [u8; 256],
    pub(crate) version: [u8; 128],
    pub(crate) kind: c_int,
    pub(crate) units: c_uint,
    pub(crate) memory: u64,
    pub(crate) shared: u64,
    pub(crate) threads: u64,
    pub(crate) group: [u64; 3],
}

/// What went wrong, in memory of the bridge's; null if nothing did.
type Failure = *mut c_char;
/// A C++ object of the bridge's.
pub(crate) type Object = *mut c_void;

brook_driver::bridge_functions! {
    free: b"brook_sycl_free\0", fn(*mut c_char);
    count: b"brook_sycl_count\0", fn(*mut c_uint) -> Failure;
    describe: b"brook_sycl_describe\0", fn(c_uint, *mut Info) -> Failure;
    open: b"brook_sycl_open\0", fn(c_uint, *mut Object) -> Failure;
    close: b"brook_sycl_close\0", fn(Object);
    queue: b"brook_sycl_queue\0", fn(Object, *mut Object) -> Failure;
    end_queue: b"brook_sycl_end_queue\0", fn(Object);
    wait: b"brook_sycl_wait\0", fn(Object) -> Failure;
    idle: b"brook_sycl_idle\0", fn(Object, *mut c_int) -> Failure;
    mark: b"brook_sycl_mark\0", fn(Object, *mut Object) -> Failure;
    end_event: b"brook_sycl_end_event\0", fn(Object);
    await_event: b"brook_sycl_await\0", fn(Object) -> Failure;
    done: b"brook_sycl_done\0", fn(Object, *mut c_int) -> Failure;
    time: b"brook_sycl_time\0", fn(Object, *mut u64) -> Failure;
    wait_for: b"brook_sycl_wait_for\0", fn(Object, Object) -> Failure;
    allocate: b"brook_sycl_allocate\0", fn(Object, usize, c_int, *mut *mut c_void) -> Failure;
    release: b"brook_sycl_release\0", fn(Object, *mut c_void);
    copy: b"brook_sycl_copy\0", fn(Object, *mut c_void, *const c_void, usize, c_int) -> Failure;
    zero: b"brook_sycl_zero\0", fn(Object, *mut c_void, usize) -> Failure;
    build: b"brook_sycl_build\0", fn(Object, *const c_char, usize, *const *const c_char, usize, *mut Object, *mut *mut c_char) -> Failure;
    end_bundle: b"brook_sycl_end_bundle\0", fn(Object);
    kernel: b"brook_sycl_kernel\0", fn(Object, Object, *const c_char, *mut Object, *mut u64) -> Failure;
    end_kernel: b"brook_sycl_end_kernel\0", fn(Object);
    launch: b"brook_sycl_launch\0", fn(Object, Object, *const u64, *const c_uint, usize, *const *mut c_void, *const usize) -> Failure;
}

impl Bridge {
    /// An error of a call: `what` failed, in SYCL's own words.
    pub(crate) fn check(&self, failure: Failure, what: &str) -> Result<()> {
        let Some(reason) = self.text(failure) else {
            return Ok(());
        };
        let lower = reason.to_lowercase();
        let memory = ["out of memory", "out_of_", "allocation"]
            .iter()
            .any(|w| lower.contains(w));
        let kind = if memory {
            ErrorKind::Memory
        } else {
            ErrorKind::Device
        };
        Err(Error::new(
            kind,
            format!("{what} failed: {}", reason.trim_end()),
        ))
    }
}

/// The bridge, compiled if need be, loaded once; otherwise in one line why there is none.
pub(crate) fn bridge() -> Result<&'static Bridge> {
    static LOADED: OnceLock<Result<Bridge>> = OnceLock::new();
    LOADED.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Bridge> {
    let installation = Installation::find()?;
    let (program, words) = installation.compiler()?;
    let name = format!("sycl-{:016x}.so", digest(&installation, &program, &words));
    let build = |scratch: &Path, to: &Path| compile(&installation, &program, &words, scratch, to);
    kept_or_built(&name, build, opened)
}

/// What differs where the bridge, or the headers it is made of, do.
fn digest(installation: &Installation, program: &Path, words: &[String]) -> u64 {
    let mut digest = DefaultHasher::new();
    (SOURCE, program, words, installation.flags()).hash(&mut digest);
    let about = std::fs::metadata(installation.witness()).ok();
    about
        .map(|m| (m.len(), m.modified().ok()))
        .hash(&mut digest);
    digest.finish()
}

/// The folder for headers that the run-time compiler has read, of this installation.
pub(crate) fn precompiled() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let installation = Installation::find().ok()?;
        let (program, words) = installation.compiler().ok()?;
        let digest = digest(&installation, &program, &words);
        kept_folder().map(|folder| folder.join(format!("sycl-{digest:016x}.headers")))
    };
    FOLDER.get_or_init(find).as_deref()
}

/// Opens a library for good.
fn opened(path: &Path) -> Result<Bridge> {
    let failed =
        |e: libloading::Error| Error::missing(format!("SYCL cannot be loaded: {}", reason_of(&e)));
    // SAFETY: what runs when it is loaded is SYCL's own initialisation.
    let library = unsafe { Library::new(path) }.map_err(failed)?;
    // Its threads outlive whatever is closed.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: it is the bridge, and stays open.
    unsafe { Bridge::of(library) }.map_err(failed)
}

fn compile(
    installation: &Installation,
    program: &Path,
    words: &[String],
    scratch: &Path,
    to: &Path,
) -> Result<()> {
    let source = scratch.join("bridge.cpp");
    let failed =
        |e: std::io::Error| Error::missing(format!("cannot use {}: {e}", scratch.display()));
    std::fs::write(&source, SOURCE).map_err(failed)?;
    let mut command = Command::new(program);
    command
        .args(words)
        .args(["-std=c++17", "-O2", "-w", "-fPIC", "-shared", "-o"])
        .arg(to)
        .arg(&source)
        .args(installation.flags());
    match run_compiler(&mut command) {
        Ok(_) => Ok(()),
        Err(e) => {
            let log = e.log.unwrap_or_default();
            let line = log
                .lines()
                .find(|l| l.contains("error"))
                .unwrap_or("")
                .to_string();
            Err(Error::missing(format!(
                "SYCL's headers do not compile: {}; {line}",
                e.message
            )))
        }
    }
}
