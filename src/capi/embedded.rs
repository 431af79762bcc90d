//! Sources and packages inside of a program, as `brook embed` makes them.

use super::device::{self, Device};
use super::error::guard;
use super::options::{Options, asks_for_nothing, read_options};
use super::program::{Program, give};
use super::{invalid, text};
use crate::Source;
use crate::runtime::{BuildOptions, EMBEDDED, Package, Result};
use std::ffi::{c_char, c_void};
use std::mem::size_of;
use std::ptr::null_mut;

/// `brook_file`.
#[repr(C)]
pub struct File {
    /// The path that leads to it; null behind the last.
    pub name: *const c_char,
    /// What it holds; null for one that is on the disk.
    pub text: *const c_char,
    /// Bytes.
    pub length: usize,
}

/// `brook_embedded`.
#[repr(C)]
pub struct Embedded {
    /// Its size, which says which fields there are.
    pub size: usize,
    /// Sources, and then what they include.
    pub files: *const File,
    /// How many are sources.
    pub sources: usize,
    /// How they are built.
    pub options: *const Options,
    /// What `brook compile` made of them, or null.
    pub package: *const c_void,
    /// Its bytes.
    pub package_length: usize,
}

/// A file's name, and what it holds unless it is on the disk.
type Held<'a> = (&'a str, Option<&'a [u8]>);

/// The files of a list. Those without text are on the disk.
///
/// # Safety
/// Null, or files whose last one has no name, and whose texts have the lengths that they say.
pub(super) unsafe fn files<'a>(mut list: *const File) -> Result<Vec<Held<'a>>> {
    let mut all = Vec::new();
    // SAFETY: the list ends with a name that is null.
    while !list.is_null() && !unsafe { (*list).name }.is_null() {
        // SAFETY: it is not behind the last.
        let file = unsafe { &*list };
        // SAFETY: the name is a string.
        let name = unsafe { text(file.name, "a file's name") }?;
        let held = (!file.text.is_null()).then(|| {
            // SAFETY: not null, and the caller promises the length.
            unsafe { std::slice::from_raw_parts(file.text.cast::<u8>(), file.length) }
        });
        all.push((name, held));
        // SAFETY: this was not the last, so there is another.
        list = unsafe { list.add(1) };
    }
    Ok(all)
}

/// The source of that name: the end of its path, from a folder's name on.
fn find<'a>(sources: &[Held<'a>], name: &str) -> Result<&'a str> {
    let names: Vec<&str> = sources.iter().map(|(path, _)| *path).collect();
    let is_whole = |path: &&&str| **path == name || path.strip_prefix(EMBEDDED) == Some(name);
    if let Some(path) = names.iter().find(is_whole) {
        return Ok(path);
    }
    let ends = |path: &&&str| {
        let before = path.strip_suffix(name);
        before.is_some_and(|before| before.ends_with('/'))
    };
    let mut found = names.iter().filter(ends);
    match (found.next(), found.next()) {
        (Some(path), None) => Ok(path),
        (first, _) => {
            let how = first.map_or("no", |_| "more than one");
            let names = names.join(", ");
            Err(invalid(format!(
                "the program has {how} source '{name}'; it has: {names}"
            )))
        }
    }
}

/// # Safety
/// As of [`brook_program_build_embedded`].
unsafe fn build(
    device: *const Device,
    embedded: *const Embedded,
    name: *const c_char,
    given: *const Options,
) -> Result<*mut Program> {
    if embedded.is_null() {
        return Err(invalid("the embedded sources are NULL"));
    }
    // SAFETY: not null, and the first field is there in every version.
    let size = unsafe { *embedded.cast::<usize>() };
    if size < size_of::<Embedded>() {
        return Err(invalid(format!(
            "the embedded sources say that they have {size} bytes: set size to sizeof(brook_embedded)"
        )));
    }
    // SAFETY: all fields that are known here are there.
    let embedded = unsafe { &*embedded };
    // SAFETY: the caller passes a string or null.
    let name = unsafe { text(name, "the source's name") }?;
    // SAFETY: the caller passes a list of files.
    let files = unsafe { files(embedded.files) }?;
    let sources = files.get(..embedded.sources).unwrap_or(&files);
    let path = find(sources, name)?;
    let device = device::opened(device)?;
    // SAFETY: as the caller promises.
    let plain = unsafe { asks_for_nothing(given) };
    if !embedded.package.is_null() && plain {
        let (first, length) = (embedded.package.cast::<u8>(), embedded.package_length);
        // SAFETY: not null, and the caller promises the length.
        let bytes = unsafe { std::slice::from_raw_parts(first, length) };
        // What was compiled for other devices, or by another version, is of no use here; the source is.
        let load = |package: Package| {
            let name = path.rsplit('/').next().unwrap_or(path);
            package.program(name)?.load(&device)
        };
        if let Ok(program) = Package::from_bytes(bytes).and_then(load) {
            return give(program);
        }
    }
    let mut options = BuildOptions::new().from_environment();
    // SAFETY: as the caller promises.
    options = unsafe { read_options(options, embedded.options) }?;
    for (name, held) in &files {
        if let Some(held) = held {
            options = options.file(name, *held);
        }
    }
    // What the caller asks for comes last: a macro that is defined twice is the caller's.
    // SAFETY: as the caller promises.
    options = unsafe { read_options(options, given) }?;
    let source: Source = options.source(path)?;
    give(device.build(source, &options)?)
}

/// Builds a source that is part of the program, or loads what was compiled of it ahead of time.
///
/// # Safety
/// `device` is null or what another function gave, `embedded` null or what it says, `name` null or a string; `options`
/// is null or points to some.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_build_embedded(
    device: *const Device,
    embedded: *const Embedded,
    name: *const c_char,
    options: *const Options,
) -> *mut Program {
    guard(null_mut(), || {
        // SAFETY: as the caller promises.
        unsafe { build(device, embedded, name, options) }
    })
}
