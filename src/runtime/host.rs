//! The host half of a Brook+ program: compiled by the system's C++ compiler, linked with this
//! library, and run.

mod build;
mod dependencies;

pub use build::{HostBuild, HostUnit, RunningProgram};

use super::{Fusion, Result};
use brook_driver::find_program;
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
    /// Kernels for a debugger, on OpenMP: `BROOK_DEBUG`.
    pub debug: bool,
    /// Each call of a Brook+ kernel is interpreted, too, and what is wrong with it printed: `BROOK_SANITIZE`.
    pub sanitize: bool,
    /// Indices that are clamped, and writes that are dropped, are looked for, too: `BROOK_SANITIZE_CLAMPED`.
    pub sanitize_clamped: bool,
    /// What is found is printed as JSON, one object a line: `BROOK_SANITIZE_JSON`.
    pub sanitize_json: bool,
    /// Whether calls of kernels wait for others: `BROOK_FUSION`.
    pub fusion: Option<Fusion>,
    /// The program says which device it has, what it builds and with which compilers: `BROOK_VERBOSE`.
    pub verbose: bool,
    /// At its end the program says what became of calls that waited: `BROOK_FUSION_REPORT`.
    pub fusion_report: bool,
    /// The program writes a timeline of its devices into this file: `BROOK_TRACE`.
    pub trace: Option<&'a Path>,
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
    let build = HostBuild {
        units: vec![HostUnit::generated(name, host_cpp)],
        standard: options.standard,
        ..HostBuild::default()
    };
    build.run(arguments, options, &|| ())
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
    let build = HostBuild {
        units: vec![HostUnit::generated(name, host_cpp)],
        standard,
        ..HostBuild::default()
    };
    build.build(output)
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

/// The C++ compiler that the OpenMP driver chooses, too: `BROOK_CXX`, `CXX`, or what is on `PATH`.
fn compiler() -> Result<Command> {
    let variables = ["BROOK_CXX", "CXX"];
    find_compiler("C++", variables, &["g++", "c++", "clang++"])
}

/// The C compiler: `BROOK_CC`, `CC`, or what is on `PATH`.
fn c_compiler() -> Result<Command> {
    find_compiler("C", ["BROOK_CC", "CC"], &["gcc", "cc", "clang"])
}

fn find_compiler(language: &str, variables: [&str; 2], names: &[&str]) -> Result<Command> {
    for variable in variables {
        let Ok(words) = std::env::var(variable) else {
            continue;
        };
        if words.trim().is_empty() {
            continue;
        }
        return from_words(&words).ok_or_else(|| {
            brook_driver::Error::missing(format!(
                "no {language} compiler: {variable} is '{words}', which is not there"
            ))
            .into()
        });
    }
    let found = names.iter().find_map(|name| from_words(name));
    found.ok_or_else(|| {
        let named = match language {
            "C" => "gcc, clang",
            _ => "g++, clang++",
        };
        brook_driver::Error::missing(format!("no {language} compiler ({named}) found on PATH"))
            .into()
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
