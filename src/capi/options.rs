//! How programs are built.

use super::embedded::{self, File};
use super::{invalid, text};
use crate::Checking;
use crate::runtime::{BuildOptions, Math, Result};
use std::ffi::{c_char, c_int};
use std::mem::{MaybeUninit, offset_of, size_of};

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
    /// A folder with what `brook tune` found.
    pub tuned: *const c_char,
    /// Of what was found there, that with these values and sizes.
    pub tuned_for: *const c_char,
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
    let texts = [
        given.intrinsics,
        given.standard,
        given.tuned,
        given.tuned_for,
    ];
    let no_texts = texts.iter().all(|t| t.is_null());
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
        if !given.tuned.is_null() {
            options = options.tuned(text(given.tuned, "the folder of what was tuned")?);
        }
        if !given.tuned_for.is_null() {
            options = options.tuned_for(text(given.tuned_for, "the shape to be tuned for")?);
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
