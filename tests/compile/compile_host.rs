//! The system's C++ compiler accepts, without a warning, what is generated for the host: OpenMP source,
//! the launchers of the GPU backends with the vendors' headers, and the host half of Brook+ programs.
//! So does clang, for OpenMP source and for OpenCL C. Of random modules of `tests/properties` there are warnings.

use crate::properties::modules::{self, Module};
use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::need::Need;
use crate::support::process;
use crate::support::toolchains::{clang, host_compiler, launcher_headers};
use crate::support::translate::{is_missing, translate, translate_for};
use brook::backend::Backend;
use brook_driver::{ScratchDirectory, run_compiler};
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let compiler = Need::new("c++", &host_compiler());
    compiler.announce();
    let other = Need::new("clang", &clang());
    other.announce();
    let mut trials: Vec<Trial> = Vec::new();
    for case in cases::accepted_by("opencl") {
        // Devices that have functions of a whole group get them by a newer standard.
        if String::from_utf8_lossy(&case.source().text).contains("work_group_") {
            trials.push(opencl(
                &other,
                "opencl-clang-2",
                "-cl-std=CL2.0",
                case.clone(),
            ));
        }
        trials.push(opencl(&other, "opencl-clang", "-cl-std=CL1.2", case));
    }
    trials.push(compiler.trial("brcc::makefile".to_string(), || Ok(makefile()?)));
    let all = cases::accepted_by("openmp");
    let clang_takes = |case: &Case| openmp(&other, "openmp-clang", clang, case.clone());
    trials.extend(all.iter().map(clang_takes));
    // Without warnings it compiles all of them that `execution` runs.
    for case in cases::one_in(3, 0, all.clone()) {
        trials.push(openmp(&compiler, "openmp", host_compiler, case));
    }
    let programs = all.into_iter().filter(|c| c.relative.ends_with(".br"));
    for case in cases::one_in(2, 0, programs.collect()) {
        trials.push(host_half(&compiler, case));
    }
    for module in modules::modules() {
        let flags = &["-std=c++17", "-fopenmp", "-w"];
        trials.push(random_module(
            &compiler,
            "openmp",
            host_compiler,
            module.clone(),
            flags,
        ));
        trials.push(random_module(
            &other,
            "openmp-clang",
            clang,
            module.clone(),
            flags,
        ));
        let flags = &[
            "-x",
            "cl",
            "-cl-std=CL1.2",
            "-w",
            "-Xclang",
            "-finclude-default-header",
        ];
        trials.push(random_module(&other, "opencl-clang", clang, module, flags));
    }
    // Launchers differ by backend in what they begin with: each case's is compiled for one or two of them.
    for (turn, backend) in ["opencl", "cuda", "hip", "metal"].into_iter().enumerate() {
        let headers = launcher_headers(backend);
        let name = match backend {
            "cuda" => "cuda-headers",
            "hip" => "hip-headers",
            "metal" => "metal-headers",
            _ => "opencl-headers",
        };
        let found = host_compiler().and_then(|_| headers.clone());
        let need = Need::new(name, &found);
        need.announce();
        let folder = headers.ok().flatten();
        let launchers = cases::one_in(3, turn % 3, cases::accepted_by(backend));
        let launchers = launchers
            .into_iter()
            .map(|case| launcher(&need, case, backend, folder.clone()));
        trials.extend(launchers);
    }
    trials
}

/// A program of two files, made by a makefile with `brcc -o`, an include path and `-lbrook`, runs.
fn makefile() -> Result<(), String> {
    let folder = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let from = cases::root().join("tests/data/brcc");
    for file in ["sum.br", "main.cpp", "Makefile"] {
        std::fs::copy(from.join(file), folder.path().join(file)).map_err(|e| e.to_string())?;
    }
    let brook = process::brook();
    let place = Path::new(brook.get_program())
        .parent()
        .unwrap()
        .to_path_buf();
    // `cargo test` builds the shared library in `deps`.
    let library = [place.join("deps"), place.clone()]
        .into_iter()
        .find(|p| p.join("libbrook.so").is_file())
        .ok_or("there is no libbrook.so")?;
    let mut make = Command::new("make");
    make.current_dir(folder.path())
        .arg(format!("BROOK={}", cases::root().display()))
        .arg(format!("LIBRARY={}", library.display()))
        .arg(format!(
            "BRCC={} brcc",
            brook.get_program().to_string_lossy()
        ));
    let made = make.output().map_err(|e| format!("make: {e}"))?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).into_owned());
    }
    let mut program = Command::new(folder.path().join("program"));
    program
        .env("BROOK_DEVICE", "openmp")
        .env("BROOK_CACHE", "off");
    let ran = program.output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&ran.stdout);
    match text.as_ref() {
        "20 10 16 3\n" => Ok(()),
        _ => Err(format!("{text}{}", String::from_utf8_lossy(&ran.stderr))),
    }
}

/// Cases whose sources compare numbers with a sign and without one: that is what they are about.
const COMPARES_SIGNS: [&str; 2] = [
    "loop_variables_and_bounds_of_other_types",
    "constants_keep_types",
];

/// How a compiler is found.
type Compiler = fn() -> Result<PathBuf, String>;

fn openmp(need: &Need, column: &str, compiler: Compiler, case: Case) -> Trial {
    need.trial(format!("{column}::{}", case.name), move || {
        let (translation, _) = translate(&case, "openmp")?;
        let mut flags = vec!["-std=c++17", "-fopenmp", "-Wall"];
        if case.name == "lists_without_braces" {
            flags.push("-Wno-missing-braces");
        }
        // Memory of the group that nobody reads is what it is about.
        if case.name == "once_beside_namesakes" {
            flags.push("-Wno-unused-but-set-variable");
        }
        if COMPARES_SIGNS.contains(&case.name.as_str()) {
            flags.push("-Wno-sign-compare");
        }
        accepts(&compiler()?, "cpp", &translation.device, &case, &flags)
    })
}

fn random_module(
    need: &Need,
    column: &str,
    compiler: Compiler,
    module: Module,
    flags: &'static [&'static str],
) -> Trial {
    let backend = column.split('-').next().unwrap_or_default().to_string();
    need.trial(format!("{column}::{}", module.name), move || {
        let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
        let input = scratch.path().join("generated.cpp");
        std::fs::write(&input, module.translated(&backend)?)?;
        let mut command = Command::new(compiler()?);
        command.arg("-fsyntax-only").args(flags).arg(&input);
        run_compiler(&mut command).map_err(|e| module.refused(e))?;
        Ok(())
    })
}

fn opencl(need: &Need, column: &str, standard: &'static str, case: Case) -> Trial {
    need.trial(format!("{column}::{}", case.name), move || {
        let (translation, _) = translate(&case, "opencl")?;
        let mut flags = vec!["-x", "cl", standard, "-Wall"];
        // What the host's part of a kernel calls and reads is declared here too.
        flags.extend(["-Wno-unused-function", "-Wno-unused-const-variable"]);
        // Declarations say what their types stand for where that is about memory.
        flags.push("-Wno-unused-local-typedef");
        // It takes memory of the group for variables of the item.
        flags.push("-Wno-sometimes-uninitialized");
        // OpenCL's own functions, which every driver declares.
        flags.extend(["-Xclang", "-finclude-default-header"]);
        accepts(&clang()?, "cl", &translation.device, &case, &flags)
    })
}

fn host_half(need: &Need, case: Case) -> Trial {
    need.trial(format!("host::{}", case.name), move || {
        let (translation, _) = translate(&case, "openmp")?;
        let host = translation.host.ok_or("there is no host half")?;
        let include = cases::root().join("include");
        let include = include.display().to_string();
        // What the host leaves unused is not ours.
        let flags = ["-std=c++17", "-Wall", "-Wno-unused", "-I", &include];
        accepts(&host_compiler()?, "cpp", &host, &case, &flags)
    })
}

fn launcher(need: &Need, case: Case, backend: &'static str, folder: Option<PathBuf>) -> Trial {
    need.trial(format!("launcher-{backend}::{}", case.name), move || {
        let target = Backend::built_in(backend).map_err(|e| e.to_string())?;
        let translation = match translate_for(&case, &target) {
            // What a target does not have is an error, of which there are cases.
            Err(why) if is_missing(&target, &why) => return Ok(()),
            translation => translation?,
        };
        let launcher = translation.launcher.ok_or("there is no launcher")?;
        let mut flags = vec!["-std=c++17", "-Wall", "-Wextra"];
        // HIP's headers want to know for whose hardware.
        flags.push("-D__HIP_PLATFORM_AMD__");
        let folder = folder.map(|d| d.display().to_string());
        if let Some(folder) = &folder {
            // Their warnings are not ours.
            flags.extend(["-isystem", folder]);
        }
        accepts(&host_compiler()?, "cpp", &launcher, &case, &flags)
    })
}

/// Checks a text without generating code.
fn accepts(
    compiler: &Path,
    ending: &str,
    text: &str,
    case: &Case,
    flags: &[&str],
) -> Result<(), Failed> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let input = scratch.path().join(format!("generated.{ending}"));
    std::fs::write(&input, text)?;
    let mut command = Command::new(compiler);
    command.arg("-fsyntax-only").args(flags);
    command
        .arg("-iquote")
        .arg(case.path.parent().unwrap())
        .arg(&input);
    let log = match run_compiler(&mut command) {
        Err(error) if case.about()?.is_lacking(&error.to_string()) => return Ok(()),
        log => log.map_err(|e| e.to_string())?,
    };
    if log.trim().is_empty() {
        Ok(())
    } else {
        Err(format!("the compiler warns:\n{log}").into())
    }
}
