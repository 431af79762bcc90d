//! The host half of a Brook+ program: compiled by the system's C++ compiler, linked with this
//! library, and run.

use super::{Error, Result};
use brook_driver::{ScratchDirectory, find_program, run_compiler};
use std::path::{Path, PathBuf};
use std::process::Command;

mod headers {
    include!(concat!(env!("OUT_DIR"), "/headers.rs"));
}

#[cfg(target_os = "macos")]
const LIBRARY: &str = "libbrook.dylib";
#[cfg(not(target_os = "macos"))]
const LIBRARY: &str = "libbrook.so";

/// What a host program is told about the device it uses. What is not said here the program inherits
/// from this process's environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramOptions<'a> {
    /// Where its kernels run: `BROOK_DEVICE`.
    pub device: Option<&'a str>,
    /// Flags for the device's compiler: `BROOK_COMPILER_FLAGS`.
    pub flags: &'a [String],
    /// The language standard: `BROOK_STD`. The host half is compiled by it too if it is one of C++.
    pub standard: Option<&'a str>,
}

/// Compiles and runs a generated host program, with this process's standard streams. `name` is the
/// path of the source it came from: quoted includes are looked for beside it.
///
/// The result is the program's exit status; 128 and the signal's number if a signal ended it.
///
/// # Errors
/// No compiler, no `libbrook.so`, or the compiler's log.
pub fn run_program(
    host_cpp: &str,
    name: &str,
    arguments: &[String],
    options: &ProgramOptions<'_>,
) -> Result<i32> {
    let scratch = ScratchDirectory::new()?;
    let program = scratch.path().join(stem(name));
    build_program(host_cpp, name, options.standard, &program)?;
    let mut command = Command::new(&program);
    command.args(arguments);
    if let Some(device) = options.device {
        command.env("BROOK_DEVICE", device);
    }
    if !options.flags.is_empty() {
        command.env("BROOK_COMPILER_FLAGS", options.flags.join("\n"));
    }
    if let Some(standard) = options.standard {
        command.env("BROOK_STD", standard);
    }
    let status = command.status().map_err(|e| Error::io(&program, e))?;
    Ok(status.code().unwrap_or_else(|| 128 + signal(status)))
}

/// Compiles a generated host program to an executable at `output`, which finds this library where
/// it lies now. `standard` is the one of C++ to compile it by; any other is for device code only.
///
/// # Errors
/// As [`run_program`].
pub fn build_program(
    host_cpp: &str,
    name: &str,
    standard: Option<&str>,
    output: &Path,
) -> Result<()> {
    let library = library()?;
    let scratch = ScratchDirectory::new()?;
    let include = scratch.path().join("include");
    let write = |path: PathBuf, text: &str| -> Result<PathBuf> {
        let folder = path.parent().unwrap_or(&path);
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        std::fs::write(&path, text).map_err(|e| Error::io(&path, e))?;
        Ok(path)
    };
    for (header, text) in headers::HEADERS {
        write(include.join(header), text)?;
    }
    let source = write(
        scratch.path().join(stem(name)).with_extension("cpp"),
        host_cpp,
    )?;
    let mut command = compiler()?;
    let is_cpp = |s: &&str| s.starts_with("c++") || s.starts_with("gnu++");
    let standard = standard.filter(is_cpp).unwrap_or("c++17");
    command
        .arg(format!("-std={standard}"))
        .args(["-O2", "-w", "-x", "c++"])
        .arg(&source)
        .args(["-x", "none"]);
    command.arg("-I").arg(&include);
    if let Some(folder) = Path::new(name).parent() {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        command.arg("-iquote").arg(folder);
    }
    let folder = library.parent().unwrap_or(Path::new("."));
    command
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        // As DT_RPATH it comes before LD_LIBRARY_PATH, which may lead to another build of the library.
        .arg("-Wl,--disable-new-dtags");
    command.arg("-o").arg(output);
    run_compiler(&mut command)?;
    Ok(())
}

/// The file name without its ending; never empty.
fn stem(name: &str) -> &str {
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str());
    stem.filter(|s| !s.is_empty()).unwrap_or("program")
}

/// This library as a shared object: `BROOK_LIBRARY`, or near the running program, which is where
/// both cargo and an installation put it.
fn library() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("BROOK_LIBRARY").filter(|v| !v.is_empty()) {
        let path = PathBuf::from(path);
        if path.is_file() {
            return Ok(std::path::absolute(&path).unwrap_or(path));
        }
        return Err(brook_driver::Error::missing(format!(
            "BROOK_LIBRARY is '{}', which is not a file",
            path.display()
        ))
        .into());
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let folder = program
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new("."));
    let places = ["", "deps", "..", "../lib", "../lib64"].map(|p| folder.join(p).join(LIBRARY));
    // Cargo refreshes the copy beside the program at a build, the one in `deps` at a test: the
    // newest is the one that belongs to this program.
    let changed = |p: &PathBuf| std::fs::metadata(p).and_then(|m| m.modified()).ok();
    let found = places
        .into_iter()
        .filter(|p| p.is_file())
        .rev()
        .max_by_key(changed)
        .and_then(|p| std::fs::canonicalize(p).ok());
    found.ok_or_else(|| {
        brook_driver::Error::missing(format!(
            "{LIBRARY}, which host programs are linked with, is neither in {} nor beside it; \
             BROOK_LIBRARY can name it",
            folder.display()
        ))
        .into()
    })
}

/// The compiler that the OpenMP driver chooses, too: `BROOK_CXX`, `CXX`, or what is on `PATH`.
fn compiler() -> Result<Command> {
    for variable in ["BROOK_CXX", "CXX"] {
        let Ok(words) = std::env::var(variable) else {
            continue;
        };
        if words.trim().is_empty() {
            continue;
        }
        return from_words(&words).ok_or_else(|| {
            brook_driver::Error::missing(format!(
                "no C++ compiler: {variable} is '{words}', which is not there"
            ))
            .into()
        });
    }
    ["g++", "c++", "clang++"]
        .into_iter()
        .find_map(from_words)
        .ok_or_else(|| {
            brook_driver::Error::missing("no C++ compiler (g++, clang++) found on PATH").into()
        })
}

/// A path, which may hold spaces, or a program with arguments (`ccache g++`).
fn from_words(words: &str) -> Option<Command> {
    if let Some(program) = find_program(words.trim()) {
        return Some(Command::new(program));
    }
    let mut words = words.split_whitespace();
    let mut command = Command::new(find_program(words.next()?)?);
    command.args(words);
    Some(command)
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> i32 {
    std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> i32 {
    0
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
