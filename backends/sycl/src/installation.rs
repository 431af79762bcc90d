//! Where SYCL is installed, and what compiles for it.

use brook_driver::{Error, Result, find_words};
use std::path::{Path, PathBuf};

/// A folder with the headers and libraries of DPC++'s runtime.
#[derive(Debug)]
pub(crate) struct Installation {
    root: PathBuf,
}

impl Installation {
    /// What `BROOK_SYCL` names. It is looked for nowhere else as long as SYCL is not tested as the other backends are.
    pub(crate) fn find() -> Result<Self> {
        let named = variable("BROOK_SYCL").ok_or_else(|| {
            Error::missing("no SYCL: BROOK_SYCL does not name the folder of DPC++'s runtime")
        })?;
        let found = Self::at(&named);
        found.ok_or_else(|| {
            Error::missing(format!(
                "no SYCL: BROOK_SYCL is '{}', which has no include/sycl/sycl.hpp and lib/libsycl.so",
                named.display()
            ))
        })
    }

    fn at(root: &Path) -> Option<Self> {
        let there =
            root.join("include/sycl/sycl.hpp").is_file() && root.join("lib/libsycl.so").exists();
        there.then(|| Self {
            root: root.to_path_buf(),
        })
    }

    pub(crate) fn headers(&self) -> PathBuf {
        self.root.join("include")
    }

    pub(crate) fn libraries(&self) -> PathBuf {
        self.root.join("lib")
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|v| !v.is_empty());
    value.map(PathBuf::from)
}

/// The C++ compiler and the words behind it: `BROOK_CXX`, else `CXX`, else what is on `PATH`.
pub(crate) fn compiler() -> Result<(PathBuf, Vec<String>)> {
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

/// The folder for what is compiled once: that of compiled kernels, `BROOK_CACHE_DIR` or `brook` among the user's caches.
pub(crate) fn kept() -> Option<PathBuf> {
    let home = || variable("HOME").map(|h| h.join(".cache"));
    variable("BROOK_CACHE_DIR").or_else(|| {
        let caches = variable("XDG_CACHE_HOME").or_else(home);
        caches.map(|c| c.join("brook"))
    })
}
