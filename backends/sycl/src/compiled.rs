//! Kernels as libraries, by a compiler of SYCL 2020: `BROOK_SYCL_COMPILER`.

use crate::bridge::Object;
use brook_driver::{
    CompileOptions, Error, ErrorKind, Math, Result, ScratchDirectory, reason_of, run_compiler,
};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// How such a library begins.
const MAGIC: &[u8] = b"\x7fELF";

/// Whether this is one, and no source.
pub(crate) fn is_library(binary: &[u8]) -> bool {
    binary.starts_with(MAGIC)
}

/// The library that a source's kernels are compiled to.
pub(crate) fn compile(
    (program, words): &(PathBuf, Vec<String>),
    source: &str,
    options: &CompileOptions,
) -> Result<Vec<u8>> {
    let scratch = ScratchDirectory::new()?;
    let (input, output) = (
        scratch.path().join("kernel.cpp"),
        scratch.path().join("kernel.so"),
    );
    let failed = |e: std::io::Error| {
        let folder = scratch.path().display();
        Error::new(ErrorKind::Compile, format!("cannot use {folder}: {e}"))
    };
    fs::write(&input, source).map_err(failed)?;
    let mut command = Command::new(program);
    command.args(words).args([
        "-O2",
        "-w",
        "-fPIC",
        "-shared",
        "-Wl,-Bsymbolic",
        "-DBROOK_LAMBDAS",
    ]);
    command.arg(format!(
        "-std={}",
        options.standard.as_deref().unwrap_or("c++17")
    ));
    if options.wrapping {
        command.arg("-fwrapv");
    }
    // Kernels fill `s[2][3][8]` through `s[0][0][i]`, from which GCC would conclude that a loop ends after 8 rounds.
    command.arg("-fno-aggressive-loop-optimizations");
    if options.math == Math::Strict {
        command.arg("-DBROOK_STRICT");
    }
    match options.math {
        Math::Default | Math::Strict => command.args(["-fno-fast-math", options.contraction()]),
        Math::Fast => command.arg("-ffast-math"),
    };
    command.args(options.include_directories.iter().map(|d| format!("-I{d}")));
    command.args(&options.flags);
    command.arg("-o").arg(&output).arg(&input);
    run_compiler(&mut command).map_err(|mut error| {
        // The log speaks of a folder that is gone by then.
        let folder = format!("{}/", scratch.path().display());
        error.log = error.log.map(|log| log.replace(&folder, ""));
        error
    })?;
    fs::read(&output).map_err(failed)
}

/// The function of a library that finds kernels by name: see `templates/sycl/epilogue.tera`.
///
/// Libraries stay open, since kernels may run until the process ends, and SYCL's threads outlive them; who loads the same again
/// gets the same.
pub(crate) fn finder(binary: &[u8]) -> Result<Object> {
    static LOADED: Mutex<BTreeMap<Box<[u8]>, usize>> = Mutex::new(BTreeMap::new());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(address) = loaded.get(binary) {
        return Ok(std::ptr::with_exposed_provenance_mut(*address));
    }
    let failed = |what: String| {
        Error::new(
            ErrorKind::Device,
            format!("cannot load the compiled kernel: {what}"),
        )
    };
    let scratch = ScratchDirectory::new()?;
    let path = scratch.path().join("kernel.so");
    fs::write(&path, binary).map_err(|e| failed(e.to_string()))?;
    // SAFETY: what runs when it is loaded registers kernels with SYCL's runtime.
    let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|e| failed(reason_of(&e)))?;
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: the address of a function, whatever its type is; only the bridge calls it.
    let find = unsafe { library.get::<unsafe extern "C" fn()>(b"brook_find\0") }
        .map_err(|e| failed(reason_of(&e)))?;
    let find = (*find as *mut ()).cast();
    loaded.insert(binary.into(), Object::expose_provenance(find));
    Ok(find)
}
