//! Where SYCL is installed, and what compiles for it.

use brook_driver::{Error, Result, find_words};
use std::ffi::OsString;
use std::path::PathBuf;

/// What SYCL is to be had from.
#[derive(Debug)]
pub(crate) enum Installation {
    /// A folder with the headers and libraries of DPC++'s runtime, which compiles from source.
    Runtime(PathBuf),
    /// A compiler of SYCL 2020, and the words behind it.
    Compiler(PathBuf, Vec<String>),
}

impl Installation {
    /// What `BROOK_SYCL_COMPILER` or `BROOK_SYCL` names. It is looked for nowhere else as long as SYCL is not tested as the
    /// other backends are.
    pub(crate) fn find() -> Result<Self> {
        let compiler = std::env::var("BROOK_SYCL_COMPILER").ok();
        if let Some(named) = compiler.filter(|v| !v.trim().is_empty()) {
            let (program, words) = find_words(&named).ok_or_else(|| {
                Error::missing(format!(
                    "no SYCL: BROOK_SYCL_COMPILER is '{named}', which is no program"
                ))
            })?;
            return Ok(Self::Compiler(program, words));
        }
        let named = variable("BROOK_SYCL").ok_or_else(|| {
            Error::missing(
                "no SYCL: neither does BROOK_SYCL name the folder of DPC++'s runtime, nor BROOK_SYCL_COMPILER a compiler",
            )
        })?;
        match named.join("include/sycl/sycl.hpp").is_file() && named.join("lib/libsycl.so").exists()
        {
            true => Ok(Self::Runtime(named)),
            false => Err(Error::missing(format!(
                "no SYCL: BROOK_SYCL is '{}', which has no include/sycl/sycl.hpp and lib/libsycl.so",
                named.display()
            ))),
        }
    }

    /// The compiler for the bridge, and the words behind it.
    pub(crate) fn compiler(&self) -> Result<(PathBuf, Vec<String>)> {
        match self {
            Self::Runtime(_) => compiler(),
            Self::Compiler(program, words) => Ok((program.clone(), words.clone())),
        }
    }

    /// What it is told besides.
    pub(crate) fn flags(&self) -> Vec<OsString> {
        match self {
            Self::Runtime(root) => {
                let libraries = root.join("lib");
                let mut path = OsString::from("-Wl,-rpath,");
                path.push(&libraries);
                vec![
                    "-isystem".into(),
                    root.join("include").into(),
                    "-L".into(),
                    libraries.into(),
                    "-lsycl".into(),
                    path,
                ]
            }
            Self::Compiler(..) => vec!["-DBROOK_LAMBDAS".into()],
        }
    }

    /// A file that is another one where the installation is.
    pub(crate) fn witness(&self) -> PathBuf {
        match self {
            Self::Runtime(root) => root.join("lib/libsycl.so"),
            Self::Compiler(program, _) => program.clone(),
        }
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|v| !v.is_empty());
    value.map(PathBuf::from)
}

/// The C++ compiler and the words behind it: `BROOK_CXX`, else `CXX`, else what is on `PATH`.
fn compiler() -> Result<(PathBuf, Vec<String>)> {
    for name in ["BROOK_CXX", "CXX"] {
        let Some(value) = std::env::var(name).ok().filter(|v| !v.trim().is_empty()) else {
            continue;
        };
        return find_words(&value)
            .ok_or_else(|| Error::missing(format!("{name} is '{value}', which is no program")));
    }
    let mut usual = ["g++", "c++", "clang++"].into_iter().filter_map(find_words);
    usual.next().ok_or_else(|| {
        Error::missing("SYCL needs a C++ compiler (g++, clang++), and none is on PATH")
    })
}
