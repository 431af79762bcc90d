//! CUDA and HIP source to a shared object, by the system's C++ compiler.

use crate::{Dialect, headers, kernels, metal};
use brook_driver::{
    CompileOptions, Error, ErrorKind, Math, Result, ScratchDirectory, find_program, run_compiler,
};
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// `-O1`, since most of the time goes into compiling. `-fwrapv`: integers wrap as on a GPU.
/// `-Bsymbolic` and no unique symbols: every library has a scheduler and shared arrays of its own.
const FLAGS: [&str; 9] = [
    "-x",
    "c++",
    "-O1",
    "-w",
    "-fPIC",
    "-fwrapv",
    "-shared",
    "-Wl,-Bsymbolic",
    "-pthread",
];

/// What GCC is told besides, as for the host's kernels: GPUs fill `s[2][3][8]` through `s[0][0][i]`, from which it would conclude
/// that a loop ends after 8 rounds.
const GCC_FLAGS: [&str; 2] = ["-fno-gnu-unique", "-fno-aggressive-loop-optimizations"];

/// A C++ compiler; clones share what it has compiled.
#[derive(Clone)]
pub(crate) struct Compiler {
    program: PathBuf,
    version: String,
    compiled: Arc<Compiled>,
}

type Shared = Arc<OnceLock<Result<Vec<u8>>>>;
type Compiled = Mutex<HashMap<(Vec<String>, String), Shared>>;

impl Compiler {
    pub(crate) fn find(dialect: Dialect) -> Result<Self> {
        let named = ["BROOK_CXX", "CXX"]
            .into_iter()
            .filter_map(|v| std::env::var(v).ok());
        let usual = ["g++", "clang++"].map(str::to_string);
        let names = named.filter(|name| !name.trim().is_empty()).chain(usual);
        // No other compiler has the language that stands in for Metal's.
        let mut names: Vec<String> = match dialect {
            Dialect::Metal => vec!["clang".to_string()],
            Dialect::Cuda | Dialect::Hip | Dialect::Sycl => names.collect(),
        };
        let mut names = names.drain(..);
        let missing = || match dialect {
            Dialect::Metal => Error::missing("no clang to emulate devices with"),
            _ => Error::missing("no C++ compiler (g++, clang++) to emulate devices with"),
        };
        let program = names
            .find_map(|name| find_program(name.trim()))
            .ok_or_else(missing)?;
        let output = Command::new(&program)
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        let output = output
            .ok()
            .filter(|o| o.status.success())
            .ok_or_else(missing)?;
        let banner = String::from_utf8_lossy(&output.stdout);
        let version = banner.lines().next().unwrap_or_default().trim().to_string();
        Ok(Self {
            program,
            version,
            compiled: Arc::default(),
        })
    }

    pub(crate) fn description(&self) -> String {
        self.version.clone()
    }

    /// The bytes of a shared object that exports `brook_simt_launch_NAME` for every kernel. What was
    /// compiled once is not compiled again: the devices of a driver differ only when they launch.
    pub(crate) fn compile(
        &self,
        source: &str,
        dialect: Dialect,
        options: &CompileOptions,
    ) -> Result<Vec<u8>> {
        let key = (flags(dialect, options), source.to_string());
        let slot = self
            .compiled
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(key)
            .or_default()
            .clone();
        slot.get_or_init(|| match dialect {
            Dialect::Metal => self.run_metal(source, options),
            Dialect::Sycl => self.run_sycl(source, &flags(dialect, options)),
            Dialect::Cuda | Dialect::Hip => self.run(source, &flags(dialect, options)),
        })
        .clone()
    }

    fn run(&self, source: &str, flags: &[String]) -> Result<Vec<u8>> {
        let clang = self.version.contains("clang");
        let written;
        let headers = match (!clang).then(|| self.kept_headers(flags)).flatten() {
            Some(kept) => kept,
            None => {
                written = headers::write()?;
                written.path().to_path_buf()
            }
        };
        let scratch = ScratchDirectory::new()?;
        let (input, output) = (
            scratch.path().join("kernel.cpp"),
            scratch.path().join("kernel.so"),
        );
        let failed = |e| unusable(scratch.path(), &e);
        let mut text = format!("#line 1 \"kernel\"\n{source}\n");
        for name in kernels::names(source) {
            text.push_str(&format!("BROOK_SIMT_EXPORT({name})\n"));
        }
        fs::write(&input, text).map_err(failed)?;
        let mut command = Command::new(&self.program);
        command.args(FLAGS).args(flags);
        if source.contains("brook_shared") {
            // Memory that launches reserve.
            command.arg("-DBROOK_SIMT_DYNAMIC_SHARED=brook_shared");
        }
        if !clang {
            command.args(GCC_FLAGS);
        }
        let include = |folder: &str| -> PathBuf { headers.join(folder) };
        command.arg("-include").arg(include("simt.hpp"));
        for folder in ["hip_shim", "cuda_shim"] {
            command.arg("-I").arg(include(folder));
        }
        command.arg("-o").arg(&output).arg(&input);
        run_compiler(&mut command).map_err(|e| shorten(e, scratch.path(), &headers))?;
        fs::read(&output).map_err(failed)
    }

    /// The headers in the folder that `BROOK_TEST_KEPT` names, read by GCC once for these flags: that is half of what
    /// compiling a small kernel takes. `None` if there is no such folder, or something is in the way.
    fn kept_headers(&self, flags: &[String]) -> Option<PathBuf> {
        static TURN: Mutex<()> = Mutex::new(());
        let kept = std::env::var_os("BROOK_TEST_KEPT").filter(|v| !v.is_empty())?;
        let folder = PathBuf::from(kept).join("emulation");
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever comes first brings it; a folder moves as a whole.
        if !folder.is_dir() {
            let own = folder.with_extension(std::process::id().to_string());
            headers::write_to(&own).ok()?;
            if fs::rename(&own, &folder).is_err() {
                let _ = fs::remove_dir_all(&own);
            }
        }
        let mut digest = DefaultHasher::new();
        (flags, &self.version).hash(&mut digest);
        let read = folder.join("simt.hpp.gch");
        let file = read.join(format!("{:016x}", digest.finish()));
        if !file.is_file() {
            fs::create_dir_all(&read).ok()?;
            // Not beside it: GCC tries all that is there.
            let own = folder.join(format!("read-{}", std::process::id()));
            let mut command = Command::new(&self.program);
            let read = FLAGS
                .iter()
                .filter(|f| !f.starts_with("-Wl") && **f != "-shared");
            command.args(read.map(|f| if *f == "c++" { "c++-header" } else { f }));
            command.args(flags).args(GCC_FLAGS);
            command.arg("-o").arg(&own).arg(folder.join("simt.hpp"));
            run_compiler(&mut command).ok()?;
            fs::rename(&own, &file).ok()?;
        }
        Some(folder)
    }

    fn run_metal(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        let headers = headers::write()?;
        let scratch = ScratchDirectory::new()?;
        let path = |name: &str| scratch.path().join(name);
        let failed = |e| unusable(scratch.path(), &e);
        let text = metal::prepared(source).map_err(|e| Error::new(ErrorKind::Compile, e))?;
        fs::write(path("kernel.cl"), text).map_err(failed)?;
        let mut command = Command::new(&self.program);
        command.args(METAL_FLAGS).args(&options.flags);
        command.arg(match options.math {
            Math::Default | Math::Strict => options.contraction(),
            Math::Fast => "-ffast-math",
        });
        command.arg("-I").arg(headers.path().join("metal_shim"));
        command.arg("-c").arg(path("kernel.cl"));
        command.arg("-o").arg(path("kernel.o"));
        run_compiler(&mut command).map_err(|e| shorten(e, scratch.path(), headers.path()))?;
        self.linked_with_fibers(&scratch, &headers)
    }

    fn run_sycl(&self, source: &str, flags: &[String]) -> Result<Vec<u8>> {
        let headers = headers::write()?;
        let scratch = ScratchDirectory::new()?;
        let path = |name: &str| scratch.path().join(name);
        let mut text = format!("#line 1 \"kernel\"\n{source}\n");
        for name in kernels::launched(source) {
            text.push_str(&format!("BROOK_SYCL_EXPORT({name})\n"));
        }
        fs::write(path("kernel.cpp"), text).map_err(|e| unusable(scratch.path(), &e))?;
        let mut command = Command::new(&self.program);
        let compiling = FLAGS
            .iter()
            .filter(|f| !f.starts_with("-Wl") && **f != "-shared");
        command.args(compiling).args(flags);
        if !self.version.contains("clang") {
            command.args(GCC_FLAGS);
        }
        command.arg("-I").arg(headers.path().join("sycl_shim"));
        command.arg("-c").arg(path("kernel.cpp"));
        command.arg("-o").arg(path("kernel.o"));
        run_compiler(&mut command).map_err(|e| shorten(e, scratch.path(), headers.path()))?;
        self.linked_with_fibers(&scratch, &headers)
    }

    /// A library of `kernel.o`, and of what runs items as fibers.
    fn linked_with_fibers(
        &self,
        scratch: &ScratchDirectory,
        headers: &ScratchDirectory,
    ) -> Result<Vec<u8>> {
        let path = |name: &str| scratch.path().join(name);
        let failed = |e| unusable(scratch.path(), &e);
        fs::write(path("host.o"), fibers_host(&self.program)?).map_err(failed)?;
        let mut link = Command::new(&self.program);
        link.args(["-shared", "-Wl,-Bsymbolic", "-pthread"]);
        link.arg(path("kernel.o")).arg(path("host.o"));
        link.arg("-o")
            .arg(path("kernel.so"))
            .args(["-lstdc++", "-lm"]);
        run_compiler(&mut link).map_err(|e| shorten(e, scratch.path(), headers.path()))?;
        fs::read(path("kernel.so")).map_err(failed)
    }
}

/// As [`FLAGS`]. Without OpenCL's own functions, and without `double`, neither of which Metal has.
const METAL_FLAGS: [&str; 11] = [
    "-x",
    "cl",
    "-cl-std=clc++",
    "-cl-no-stdinc",
    "-cl-single-precision-constant",
    "-Xclang",
    "-cl-ext=-cl_khr_fp64",
    "-O1",
    "-w",
    "-fPIC",
    "-fwrapv",
];

/// The half of the emulations of Metal and SYCL that is the same for all kernels, compiled once.
fn fibers_host(compiler: &Path) -> Result<&'static Vec<u8>> {
    static OBJECT: OnceLock<Result<Vec<u8>>> = OnceLock::new();
    let build = || {
        let headers = headers::write()?;
        let object = headers.path().join("host.o");
        let mut command = Command::new(compiler);
        command.args(["-x", "c++", "-std=c++17", "-O1", "-w", "-fPIC", "-c"]);
        command.arg(headers.path().join("fibers_host.cpp"));
        command.arg("-o").arg(&object);
        run_compiler(&mut command)?;
        fs::read(&object).map_err(|e| Error::new(ErrorKind::Compile, e.to_string()))
    };
    OBJECT.get_or_init(build).as_ref().map_err(Clone::clone)
}

fn unusable(folder: &Path, error: &std::io::Error) -> Error {
    let why = format!("cannot use {}: {error}", folder.display());
    Error::new(ErrorKind::Compile, why)
}

/// The log speaks of directories that are gone by the time anybody reads it.
fn shorten(mut error: Error, scratch: &Path, headers: &Path) -> Error {
    for directory in [scratch, headers] {
        let directory = format!("{}/", directory.display());
        error.log = error.log.map(|log| log.replace(&directory, ""));
    }
    error
}

fn flags(dialect: Dialect, options: &CompileOptions) -> Vec<String> {
    let define = match dialect {
        Dialect::Metal => "-DBROOK_METAL=1",
        Dialect::Cuda => "-DBROOK_SIMT_CUDA=1",
        Dialect::Hip => "-DBROOK_SIMT_HIP=1",
        Dialect::Sycl => "-DBROOK_LAMBDAS=1",
    };
    let math = match options.math {
        Math::Default | Math::Strict => options.contraction(),
        Math::Fast => "-ffast-math",
    };
    let standard = options.standard.as_deref().unwrap_or("c++17");
    let mut flags = vec![
        format!("-std={standard}"),
        define.to_string(),
        math.to_string(),
    ];
    flags.extend(options.include_directories.iter().map(|d| format!("-I{d}")));
    flags.extend(options.flags.iter().cloned());
    flags
}
