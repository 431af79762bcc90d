//! OKL from C and C++: every function of `abi.h` and `okl.hpp` by programs in `tests/faces`, whose results are worked
//! out by hand. They are built by both compilers, without exceptions, and under the address and undefined-behaviour
//! sanitizers, and run on the processor and on OpenCL; `scripts/gpu-test` runs them on GPUs. OCCA's interface in `occa` is
//! shown in the same way.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use brook_driver::{ScratchDirectory, find_program, run_compiler};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::cases::root;
use support::need::Need;
use support::process;
use support::toolchains::{clang, host_compiler};

/// How one of the programs is built.
struct Form {
    name: &'static str,
    source: &'static str,
    flags: &'static [&'static str],
    /// How OCCA's interface is built for it: `libocca.so`, or into the program.
    occa: Option<Occa>,
}

#[derive(Clone, Copy, PartialEq)]
enum Occa {
    Library,
    Sources,
}

const FORMS: [Form; 8] = [
    Form {
        name: "c",
        source: "okl.c",
        flags: &["-x", "c", "-std=c11", "-pedantic"],
        occa: None,
    },
    Form {
        name: "cpp",
        source: "okl.cpp",
        flags: &["-std=c++17", "-pedantic", "-O2"],
        occa: None,
    },
    Form {
        name: "sanitized",
        source: "okl.cpp",
        flags: &["-std=c++20", "-fsanitize=address,undefined", "-g"],
        occa: None,
    },
    Form {
        name: "no_exceptions",
        source: "no_exceptions.cpp",
        flags: &["-std=c++17", "-fno-exceptions", "-fno-rtti"],
        occa: None,
    },
    Form {
        name: "occa",
        source: "occa.cpp",
        flags: &["-std=c++11", "-pedantic"],
        occa: Some(Occa::Library),
    },
    Form {
        name: "occa_sanitized",
        source: "occa.cpp",
        flags: &["-std=c++17", "-fsanitize=address,undefined", "-g"],
        occa: Some(Occa::Sources),
    },
    Form {
        name: "occa_functions",
        source: "occa_functions.cpp",
        flags: &["-std=c++11", "-pedantic"],
        occa: Some(Occa::Library),
    },
    Form {
        name: "occa_functions_sanitized",
        source: "occa_functions.cpp",
        flags: &["-std=c++17", "-fsanitize=address,undefined", "-g"],
        occa: Some(Occa::Sources),
    },
];

fn main() {
    process::opencl_libraries();
    let mut trials = Vec::new();
    let clangxx = clang().and_then(|c| {
        let name = c.to_string_lossy().replace("clang", "clang++");
        find_program(&name).ok_or(format!("no {name} found"))
    });
    let compilers = [("cxx", host_compiler()), ("clang", clangxx)];
    for device in ["openmp", "opencl"] {
        let found = brook::Device::open(device)
            .map(|_| ())
            .map_err(|e| e.to_string());
        let needs_device = Need::new(device, &found);
        needs_device.announce();
        for (which, compiler) in &compilers {
            let needs_compiler = Need::new(which, compiler);
            // Clang's sanitizers are a package of their own.
            let forms = FORMS.iter();
            for form in forms.filter(|f| which == &"cxx" || !f.name.ends_with("sanitized")) {
                let name = format!("{}::{which}::{device}", form.name);
                let need = match compiler {
                    Ok(_) => &needs_device,
                    Err(_) => &needs_compiler,
                };
                let compiler = compiler.clone();
                trials.push(need.trial(name, move || Ok(run(form, &compiler?, device)?)));
            }
        }
    }
    support::run(trials)
}

/// Where the library is that the programs are linked with.
fn library() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_brook")).parent().unwrap();
    // `cargo test` builds the shared library there.
    built.join("deps")
}

/// The sources of OCCA's interface.
fn occa_sources() -> Result<Vec<PathBuf>, String> {
    let files = std::fs::read_dir(root().join("occa/src")).map_err(|e| e.to_string())?;
    let mut paths: Vec<PathBuf> = files.filter_map(|f| Some(f.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cpp"));
    paths.sort();
    Ok(paths)
}

fn run(form: &Form, compiler: &Path, device: &str) -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    if form.occa == Some(Occa::Library) {
        let mut command = Command::new(compiler);
        command
            .args(["-std=c++17", "-pedantic", "-shared", "-fPIC"])
            .args(["-Wall", "-Wextra", "-Werror", "-I"])
            .arg(root().join("occa/include"))
            .arg("-I")
            .arg(root().join("include"))
            .args(occa_sources()?)
            .arg("-o")
            .arg(scratch.path().join("libocca.so"))
            .arg("-L")
            .arg(library())
            .args(["-lbrook", "-ldl"]);
        run_compiler(&mut command).map_err(|e| format!("{e}\n{:?}", e.log))?;
    }
    let program = scratch.path().join("program");
    let faces = root().join("tests/faces");
    let mut command = Command::new(compiler);
    command
        .args(form.flags)
        .args(["-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root().join("include"))
        .arg(faces.join(form.source));
    if form.occa.is_some() {
        command.arg("-I").arg(root().join("occa/include"));
    }
    match form.occa {
        Some(Occa::Library) => {
            command
                .arg("-L")
                .arg(scratch.path())
                .arg(format!("-Wl,-rpath,{}", scratch.path().display()))
                .arg("-locca");
        }
        Some(Occa::Sources) => {
            command.args(occa_sources()?);
        }
        None => {}
    }
    command
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(library())
        .arg(format!("-Wl,-rpath,{}", library().display()))
        .args(["-lbrook", "-ldl", "-pthread"]);
    run_compiler(&mut command).map_err(|e| format!("{e}\n{:?}", e.log))?;
    let mut command = Command::new(&program);
    command
        .arg(device)
        .arg(&faces)
        .args(form.occa.map(|_| scratch.path()))
        .env("BROOK_CACHE_DIR", scratch.path().join("cache"))
        // Cargo's own path leads to what was built before.
        .env("LD_LIBRARY_PATH", library())
        // What is asked for and too large is an error here, too; what drivers keep is theirs.
        .env(
            "ASAN_OPTIONS",
            "allocator_may_return_null=1:detect_leaks=0",
        )
        .env("UBSAN_OPTIONS", "halt_on_error=1");
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    let good = finished.text() == "all is as it should be\n";
    match finished.code == Some(0) && good && !finished.stderr.contains("Sanitizer") {
        true => Ok(()),
        false => Err(format!(
            "exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}
