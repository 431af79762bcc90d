//! Programs: sources that were built for a device, and their kernels.

use super::device::{self, Device};
use super::embedded::{self, File};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::memory::{STRUCTURE, bytes_given};
use super::{code, invalid, near, text};
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::render::{ParameterMetadata, Role};
use crate::runtime::{self, BuildOptions, Math, Package, Result, vector_of};
use crate::{Checking, Source};
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::mem::{MaybeUninit, offset_of, size_of};
use std::ptr::{null, null_mut};

/// `brook_program`.
pub struct Program {
    program: runtime::Program,
    warnings: Option<CString>,
    kernels: Vec<CString>,
}

/// `brook_kernel`.
pub struct Kernel {
    pub(super) kernel: runtime::Kernel,
    name: CString,
    parameters: Vec<Described>,
    /// The names of a template's parameters.
    pub(super) template: Vec<CString>,
}

/// What C is told of a parameter.
struct Described {
    name: CString,
    type_name: CString,
    type_: c_int,
    width: c_uint,
    bytes: usize,
    is_pointer: bool,
    is_const: bool,
}

impl Described {
    fn new(parameter: &ParameterMetadata) -> Self {
        let vector = vector_of(parameter);
        let (scalar, width) = match (parameter.scalar, vector) {
            (Some(scalar), _) => (Some(scalar), 1),
            (None, Some(vector)) => (Some(vector.scalar), vector.width.into()),
            (None, None) => (None, 1),
        };
        let code = scalar.and_then(code);
        let bytes = vector.map(VectorType::size).or(parameter.bytes);
        Self {
            name: c_string(&parameter.name),
            type_name: c_string(&parameter.type_name),
            type_: code.map_or(STRUCTURE, |code| code as c_int),
            width,
            bytes: bytes.or(scalar.map(Scalar::size)).unwrap_or(0),
            is_pointer: parameter.role != Role::Value,
            is_const: parameter.constant,
        }
    }
}

/// `brook_parameter`.
#[repr(C)]
pub struct Parameter {
    /// Its name.
    pub name: *const c_char,
    /// The type's words.
    pub type_name: *const c_char,
    /// `enum brook_type` of each component.
    pub type_: c_int,
    /// Components.
    pub width: c_uint,
    /// Of a value or an element.
    pub bytes: usize,
    /// Whether it is one.
    pub is_pointer: c_int,
    /// Whether the value, or what the pointer points at, is.
    pub is_const: c_int,
}

static PROGRAMS: Table<Program> = Table::new();
static KERNELS: Table<Kernel> = Table::new();

impl Handled for Program {
    const KIND: usize = 5;

    fn table() -> &'static Table<Self> {
        &PROGRAMS
    }
}

impl Handled for Kernel {
    const KIND: usize = 6;

    fn table() -> &'static Table<Self> {
        &KERNELS
    }

    fn forget(handle: usize) {
        near::forget_kernel(handle);
    }
}

/// Strings, ended by null.
type Strings = *const *const c_char;

/// `brook_build_options`.
#[repr(C)]
pub struct Options {
    /// Its size, which says which fields there are.
    pub size: usize,
    /// `NAME=VALUE`, `NAME`.
    pub defines: Strings,
    /// Where includes are searched.
    pub include_directories: Strings,
    /// Files before the source.
    pub forced_includes: Strings,
    /// For the device's compiler.
    pub flags: Strings,
    /// Kernels of templates.
    pub instances: Strings,
    /// A table of functions that backends spell in their own ways.
    pub intrinsics: *const c_char,
    /// In the words of the device's compiler.
    pub standard: *const c_char,
    /// Flags of Brook+'s checker.
    pub checking: *const c_char,
    /// `enum brook_math`.
    pub math: c_int,
    /// Neither read nor fill the kernel cache.
    pub no_cache: c_int,
    /// No barriers where OKL implies them.
    pub no_auto_barriers: c_int,
    /// No items that run several iterations.
    pub no_widen: c_int,
    /// The compiler's messages name the source's lines.
    pub line_directives: c_int,
    /// Files that are not on the disk.
    pub files: *const File,
}

/// The first size that options had; what came later is not there in those of older programs.
const FIRST_SIZE: usize = offset_of!(Options, files);

/// A list of strings.
///
/// # Safety
/// Null, or strings ended by null.
unsafe fn strings<'a>(mut list: Strings, what: &str) -> Result<Vec<&'a str>> {
    let mut all = Vec::new();
    // SAFETY: the list ends with null.
    while !list.is_null() && !unsafe { *list }.is_null() {
        // SAFETY: it is not null, so it is a string.
        all.push(unsafe { text(*list, what) }?);
        // SAFETY: this was not the last, so there is another.
        list = unsafe { list.add(1) };
    }
    Ok(all)
}

/// # Safety
/// `given` is null or points to options of the size they say.
pub(super) unsafe fn options(given: *const Options) -> Result<BuildOptions> {
    // SAFETY: as the caller promises.
    unsafe { read_options(BuildOptions::new().from_environment(), given) }
}

/// All fields that are known here; those that the caller's version has not got ask for nothing.
///
/// # Safety
/// `given` points to options of the size they say.
unsafe fn whole(given: *const Options) -> Result<Options> {
    // SAFETY: not null, and the first field is there in every version.
    let size = unsafe { *given.cast::<usize>() };
    if size < FIRST_SIZE {
        return Err(invalid(format!(
            "the build options say that they have {size} bytes: set size to sizeof(brook_build_options)"
        )));
    }
    let mut all = MaybeUninit::<Options>::zeroed();
    let bytes = size.min(size_of::<Options>());
    // SAFETY: there are as many bytes on both sides.
    unsafe { std::ptr::copy_nonoverlapping(given.cast::<u8>(), all.as_mut_ptr().cast(), bytes) };
    // SAFETY: pointers and numbers may be zero.
    Ok(unsafe { all.assume_init() })
}

/// Whether a build needs nothing but the source: what was compiled ahead of time may stand for it.
///
/// # Safety
/// `given` is null or points to options of the size they say.
pub(super) unsafe fn asks_for_nothing(given: *const Options) -> bool {
    if given.is_null() {
        return true;
    }
    // SAFETY: as the caller promises.
    let Ok(given) = (unsafe { whole(given) }) else {
        return false;
    };
    let lists = [
        given.defines,
        given.include_directories,
        given.forced_includes,
        given.flags,
        given.instances,
    ];
    // SAFETY: a list has a first pointer at least.
    let no_lists = lists
        .iter()
        .all(|l| l.is_null() || unsafe { **l }.is_null());
    // SAFETY: as above.
    let no_files = given.files.is_null() || unsafe { (*given.files).name }.is_null();
    let no_texts = given.intrinsics.is_null() && given.standard.is_null();
    let numbers = [
        given.math,
        given.no_auto_barriers,
        given.no_widen,
        given.line_directives,
    ];
    no_lists && no_files && no_texts && given.checking.is_null() && numbers == [0; 4]
}

/// Adds what is given to options. What is 0 leaves them as they are.
///
/// # Safety
/// `given` is null or points to options of the size they say.
pub(super) unsafe fn read_options(
    mut options: BuildOptions,
    given: *const Options,
) -> Result<BuildOptions> {
    if given.is_null() {
        return Ok(options);
    }
    // SAFETY: as the caller promises.
    let given = unsafe { whole(given) }?;
    // SAFETY: the caller passes lists of strings.
    unsafe {
        for define in strings(given.defines, "a macro")? {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            options = options.define(name, value);
        }
        for directory in strings(given.include_directories, "an include directory")? {
            options = options.include_directory(directory);
        }
        for file in strings(given.forced_includes, "a forced include")? {
            options = options.forced_include(file);
        }
        for flag in strings(given.flags, "a compiler flag")? {
            options = options.flag(flag);
        }
        for instance in strings(given.instances, "an instance of a kernel")? {
            options = options.instantiate(instance);
        }
        if !given.intrinsics.is_null() {
            let table = text(given.intrinsics, "the table of intrinsics")?;
            options = options.intrinsics(table).map_err(invalid)?;
        }
        if !given.standard.is_null() {
            options = options.standard(text(given.standard, "the language standard")?);
        }
        if !given.checking.is_null() {
            let flags = text(given.checking, "the checker's flags")?;
            options = options.checking(Checking::from_flags(flags));
        }
        for (name, held) in embedded::files(given.files)? {
            let text = held.ok_or_else(|| invalid(format!("the text of '{name}' is NULL")))?;
            options = options.file(name, text);
        }
    }
    options = match given.math {
        0 => options,
        1 => options.math(Math::Strict),
        2 => options.math(Math::Fast),
        other => return Err(invalid(format!("{other} is no enum brook_math"))),
    };
    if given.no_cache != 0 {
        options = options.cache(false);
    }
    if given.no_auto_barriers != 0 {
        options = options.auto_barriers(false);
    }
    if given.no_widen != 0 {
        options = options.widen(false);
    }
    if given.line_directives != 0 {
        options = options.line_directives(true);
    }
    Ok(options)
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

/// # Safety
/// As of [`brook_program_build`].
unsafe fn build(
    device: *const Device,
    source: impl FnOnce(&BuildOptions) -> Result<Source>,
    given: *const Options,
) -> Result<*mut Program> {
    // SAFETY: as the caller promises.
    let options = unsafe { options(given) }?;
    give(device::opened(device)?.build(source(&options)?, &options)?)
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
        // SAFETY: the caller passes a string or null.
        let name = unsafe { text(name, "the program's name") }?;
        // SAFETY: the caller promises the length.
        let bytes = unsafe { bytes_given(source.cast(), length, "the program's source") }?;
        // SAFETY: as the caller promises.
        unsafe { build(device, |_| Ok(Source::new(name, bytes)), options) }
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

/// A new handle of a kernel.
pub(super) fn give_kernel(kernel: runtime::Kernel) -> Result<*mut Kernel> {
    let metadata = kernel.metadata();
    let template = kernel.template().map_or(&[][..], |t| &t.parameters);
    handle::give(Kernel {
        name: c_string(&metadata.name),
        parameters: metadata.parameters.iter().map(Described::new).collect(),
        template: template.iter().map(|p| c_string(&p.name)).collect(),
        kernel,
    })
}

/// Another reference.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_retain(kernel: *mut Kernel) -> *mut Kernel {
    handle::retained(kernel)
}

/// Gives a reference up.
///
/// # Safety
/// `kernel` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_release(kernel: *mut Kernel) {
    handle::released(kernel);
}

/// Its name.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_name(kernel: *const Kernel) -> *const c_char {
    guard(null(), || Ok(handle::get(kernel)?.name.as_ptr()))
}

/// How many parameters it has.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_parameter_count(kernel: *const Kernel) -> usize {
    guard(0, || Ok(handle::get(kernel)?.parameters.len()))
}

/// One of its parameters.
///
/// # Safety
/// `kernel` is null or a live handle; `parameter` is null or points to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_parameter(
    kernel: *const Kernel,
    index: usize,
    parameter: *mut Parameter,
) -> c_int {
    status(|| {
        let kernel = handle::get(kernel)?;
        let Some(found) = kernel.parameters.get(index) else {
            return Err(invalid(format!(
                "kernel '{}' has {} parameters, no number {index}",
                kernel.kernel.metadata().name,
                kernel.parameters.len()
            )));
        };
        if parameter.is_null() {
            return Err(invalid("the place for the parameter is NULL"));
        }
        let told = Parameter {
            name: found.name.as_ptr(),
            type_name: found.type_name.as_ptr(),
            type_: found.type_,
            width: found.width,
            bytes: found.bytes,
            is_pointer: found.is_pointer.into(),
            is_const: found.is_const.into(),
        };
        // SAFETY: not null, so it points to one.
        unsafe { parameter.write(told) };
        Ok(())
    })
}
