//! Programs: sources that were built for a device, and their kernels.

use super::device::{self, Device};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::kernel::{Kernel, give_kernel};
use super::memory::bytes_given;
use super::options::{Options, options};
use super::{invalid, text};
use crate::Source;
use crate::runtime::{self, BuildOptions, Package, Result};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// `brook_program`.
pub struct Program {
    program: runtime::Program,
    warnings: Option<CString>,
    kernels: Vec<CString>,
}

static PROGRAMS: Table<Program> = Table::new();

impl Handled for Program {
    const KIND: usize = 5;

    fn table() -> &'static Table<Self> {
        &PROGRAMS
    }
}

pub(super) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

/// A program that `build` makes of a source, for a device and with options.
///
/// # Safety
/// As of [`brook_program_build`].
pub(super) unsafe fn built(
    device: *const Device,
    source: impl FnOnce(&BuildOptions) -> Result<Source>,
    given: *const Options,
    build: impl FnOnce(&runtime::Device, Source, &BuildOptions) -> Result<runtime::Program>,
) -> Result<*mut Program> {
    // SAFETY: as the caller promises.
    let options = unsafe { options(given) }?;
    let device = device::opened(device)?;
    give(build(&device, source(&options)?, &options)?)
}

/// # Safety
/// As of [`brook_program_build`].
unsafe fn build(
    device: *const Device,
    source: impl FnOnce(&BuildOptions) -> Result<Source>,
    given: *const Options,
) -> Result<*mut Program> {
    // SAFETY: as the caller promises.
    unsafe {
        built(device, source, given, |device, source, o| {
            device.build(source, o)
        })
    }
}

/// A source that is the caller's text.
///
/// # Safety
/// As of [`brook_program_build`].
pub(super) unsafe fn source_given(
    name: *const c_char,
    source: *const c_char,
    length: usize,
) -> Result<Source> {
    // SAFETY: the caller passes a string or null.
    let name = unsafe { text(name, "the program's name") }?;
    // SAFETY: the caller promises the length.
    let bytes = unsafe { bytes_given(source.cast(), length, "the program's source") }?;
    Ok(Source::new(name, bytes))
}

/// A new handle of a program.
pub(super) fn give(program: runtime::Program) -> Result<*mut Program> {
    let all = program.metadata();
    let kernels = all.kernels.iter().map(|k| c_string(&k.name));
    let templates = all.templates.iter().map(|t| c_string(&t.name));
    let kernels = kernels.chain(templates).collect();
    let warnings = program.warnings().map(c_string);
    handle::give(Program {
        program,
        warnings,
        kernels,
    })
}

/// Builds a source for a device.
///
/// # Safety
/// `device` is null or what another function gave, `name` null or a string; `source` is null or points to `length`
/// bytes, `options` is null or points to some.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_build(
    device: *const Device,
    name: *const c_char,
    source: *const c_char,
    length: usize,
    options: *const Options,
) -> *mut Program {
    guard(null_mut(), || {
        // SAFETY: as the caller promises.
        unsafe {
            let source = source_given(name, source, length)?;
            build(device, |_| Ok(source), options)
        }
    })
}

/// Builds a file for a device.
///
/// # Safety
/// As of [`brook_program_build`]; `path` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_build_file(
    device: *const Device,
    path: *const c_char,
    options: *const Options,
) -> *mut Program {
    guard(null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let path = unsafe { text(path, "the program's file") }?;
        // SAFETY: as the caller promises.
        unsafe { build(device, |o| o.source(path), options) }
    })
}

/// Loads a package's program for a device; the only one, where there is no name.
///
/// # Safety
/// `name` is null or a string.
unsafe fn load(
    device: *const Device,
    package: &Package,
    name: *const c_char,
) -> Result<*mut Program> {
    let device = device::opened(device)?;
    if name.is_null() {
        return give(runtime::Program::load(&device, package)?);
    }
    // SAFETY: not null, so the caller passes a string.
    let name = unsafe { text(name, "the program's name") }?;
    give(package.program(name)?.load(&device)?)
}

/// Loads what was compiled ahead of time.
///
/// # Safety
/// `device` is null or what another function gave; `path` and `name` are null or strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_load(
    device: *const Device,
    path: *const c_char,
    name: *const c_char,
) -> *mut Program {
    guard(null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let path = unsafe { text(path, "the package's file") }?;
        let package = Package::read(path)?;
        // SAFETY: as the caller promises.
        unsafe { load(device, &package, name) }.map_err(|e| e.context(path))
    })
}

/// The same, of a file's bytes.
///
/// # Safety
/// `device` is null or what another function gave; `bytes` is null or points to `length` of them; `name` is null or a
/// string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_load_bytes(
    device: *const Device,
    bytes: *const c_void,
    length: usize,
    name: *const c_char,
) -> *mut Program {
    guard(null_mut(), || {
        if bytes.is_null() {
            return Err(invalid("the package's bytes are NULL"));
        }
        // SAFETY: not null, and the caller promises the length.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), length) };
        let package = Package::from_bytes(bytes)?;
        // SAFETY: as the caller promises.
        unsafe { load(device, &package, name) }
    })
}

/// Compiles a source for a device, and writes the package.
///
/// # Safety
/// As of [`brook_program_build`]; `path` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_package_write(
    device: *const Device,
    name: *const c_char,
    source: *const c_char,
    length: usize,
    options: *const Options,
    path: *const c_char,
) -> c_int {
    status(|| {
        // SAFETY: the caller passes strings or null.
        let (name, path) = unsafe {
            (
                text(name, "the program's name")?,
                text(path, "the package's file")?,
            )
        };
        // SAFETY: the caller promises the length.
        let bytes = unsafe { bytes_given(source.cast(), length, "the program's source") }?;
        // SAFETY: as the caller promises.
        let options = unsafe { self::options(options) }?;
        let device = device::opened(device)?;
        let source = Source::new(name, bytes);
        Package::compile(source, &[device.name()], &options)?.write(path)
    })
}

/// Another reference.
///
/// # Safety
/// `program` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_retain(program: *mut Program) -> *mut Program {
    handle::retained(program)
}

/// Gives a reference up.
///
/// # Safety
/// `program` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_release(program: *mut Program) {
    handle::released(program);
}

/// The transpiler's warnings; null if there are none, or the program came from the cache.
///
/// # Safety
/// `program` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_warnings(program: *const Program) -> *const c_char {
    guard(null(), || {
        let program = handle::get(program)?;
        // The program has it as long as the caller has the program.
        Ok(program.warnings.as_ref().map_or(null(), |w| w.as_ptr()))
    })
}

/// Whether it came from the kernel cache; -1 for what is no program.
///
/// # Safety
/// `program` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_is_cached(program: *const Program) -> c_int {
    guard(-1, || Ok(handle::get(program)?.program.from_cache().into()))
}

/// The name of one of its kernels; null behind the last.
///
/// # Safety
/// `program` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_kernel_name(
    program: *const Program,
    index: usize,
) -> *const c_char {
    guard(null(), || {
        let program = handle::get(program)?;
        Ok(program.kernels.get(index).map_or(null(), |k| k.as_ptr()))
    })
}

/// One of its kernels.
///
/// # Safety
/// `program` is null or a live handle; `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_kernel(
    program: *const Program,
    name: *const c_char,
) -> *mut Kernel {
    guard(null_mut(), || {
        let program = handle::get(program)?;
        // SAFETY: the caller passes a string or null.
        let kernel = program
            .program
            .kernel(unsafe { text(name, "the kernel's name") }?)?;
        give_kernel(kernel)
    })
}
