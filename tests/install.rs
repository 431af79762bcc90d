//! `scripts/install`, and what a stranger's project makes of the installation: by CMake and by make with
//! pkg-config, away from this repository, without anything of its environment.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use brook_driver::{ScratchDirectory, find_program};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::cases::root;
use support::need::Need;
use support::process::{self, Finished};
use support::toolchains::host_compiler;

fn main() {
    let all = |programs: &[&'static str]| {
        host_compiler()?;
        let missing = programs.iter().find(|p| find_program(p).is_none());
        missing.map_or(Ok(()), |p| Err(format!("no {p} found")))
    };
    let cxx = Need::new("openmp", &host_compiler());
    let cmake = Need::new("cmake", &all(&["cmake", "make"]));
    let pkg_config = Need::new("pkg-config", &all(&["pkg-config", "make"]));
    for need in [&cxx, &cmake, &pkg_config] {
        need.announce();
    }
    let trials: Vec<Trial> = vec![
        cxx.trial("the_layout".into(), || Ok(the_layout()?)),
        cxx.trial(
            "the_command_finds_its_library".into(),
            || Ok(the_command()?),
        ),
        cmake.trial("a_cmake_project".into(), || Ok(a_cmake_project()?)),
        pkg_config.trial("a_makefile".into(), || Ok(a_makefile()?)),
        cmake.trial("a_project_of_occa".into(), || Ok(a_project_of_occa()?)),
    ];
    support::run(trials)
}

/// A fresh folder with the installation in `prefix`.
fn installed() -> Result<ScratchDirectory, String> {
    installed_as("--prefix")
}

/// The same by another of the installer's options.
fn installed_as(option: &str) -> Result<ScratchDirectory, String> {
    let folder = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let built = Path::new(env!("CARGO_BIN_EXE_brook")).parent().unwrap();
    // `cargo test` builds the shared library in `deps` only.
    let from = folder.path().join("from");
    std::fs::create_dir(&from).map_err(|e| e.to_string())?;
    for (name, file) in [
        ("brook", built.join("brook")),
        ("brcc", built.join("brcc")),
        ("libbrook.so", built.join("deps/libbrook.so")),
    ] {
        std::os::unix::fs::symlink(file, from.join(name)).map_err(|e| e.to_string())?;
    }
    let mut command = Command::new(root().join("scripts/install"));
    command.current_dir(folder.path());
    command.args([option, "prefix", "--from", "from"]);
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(folder),
        code => Err(format!("{code:?} {}{}", finished.text(), finished.stderr)),
    }
}

/// A command that knows of the installation what `PATH`-like variables say, and nothing of this build.
fn clean(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let ours = text.starts_with("BROOK_") || text.starts_with("BRT_");
        if ours || text.starts_with("CARGO") || text == "LD_LIBRARY_PATH" {
            command.env_remove(&name);
        }
    }
    command
        .env("BROOK_DEVICE", "openmp")
        .env("BROOK_CACHE", "off");
    command.current_dir(folder);
    command
}

fn run(command: &mut Command, text: &str) -> Result<(), String> {
    let finished: Finished = process::run(command, b"", process::TIME_LIMIT)?;
    match finished.code == Some(0) && finished.text().contains(text) {
        true => Ok(()),
        false => Err(format!(
            "{command:?}: exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}

/// The files of a stranger's project, in the folder of the installation.
fn project(name: &str, folder: &Path) -> Result<(), String> {
    let mut copy = Command::new("cp");
    copy.arg("-r")
        .arg(root().join("tests/data/installed").join(name))
        .arg(folder.join("project"));
    run(&mut copy, "")
}

/// The folder in which CMake builds such a project.
fn configured(name: &str, folder: &Path) -> Result<PathBuf, String> {
    project(name, folder)?;
    let mut configure = clean("cmake", folder);
    configure.args(["-S", "project", "-B", "build"]);
    configure.arg(format!(
        "-DCMAKE_PREFIX_PATH={}",
        folder.join("prefix").display()
    ));
    run(&mut configure, "Generating done")?;
    Ok(folder.join("build"))
}

fn the_layout() -> Result<(), String> {
    let folder = installed()?;
    let prefix = folder.path().join("prefix");
    for file in [
        "bin/brook",
        "bin/brcc",
        "lib/libbrook.so",
        "lib/pkgconfig/brook.pc",
        "lib/cmake/brook/brookConfig.cmake",
        "lib/cmake/brook/brookConfigVersion.cmake",
        "include/brook/brook.hpp",
        "include/brook/abi.h",
        "share/doc/brook/LICENSE-MIT",
        "share/brook/examples/brook/sum.br",
    ] {
        if !prefix.join(file).is_file() {
            return Err(format!("{file} is missing"));
        }
    }
    let text = std::fs::read(prefix.join("lib/libbrook.so")).map_err(|e| e.to_string())?;
    // The library's own name, in its table of strings.
    let soname = b"\0libbrook.so\0";
    match text.windows(soname.len()).any(|w| w == soname) {
        true => Ok(()),
        false => Err("libbrook.so has no soname".to_string()),
    }
}

/// The installed command builds a program with the installed headers and library.
fn the_command() -> Result<(), String> {
    let folder = installed()?;
    let prefix = folder.path().join("prefix");
    let mut command = clean(prefix.join("bin/brook"), folder.path());
    command
        .args(["build", "-o", "sum"])
        .arg(prefix.join("share/brook/examples/brook/sum.br"));
    run(&mut command, "")?;
    run(
        &mut clean(folder.path().join("sum"), folder.path()),
        "  9.00  10.00",
    )
}

fn a_cmake_project() -> Result<(), String> {
    let folder = installed()?;
    let build = configured("cmake", folder.path())?;
    run(
        clean("cmake", &build).args(["--build", "."]),
        "Translating kernels of program",
    )?;
    run(&mut clean(build.join("program"), &build), "3.5 6.5 9.5\n")?;
    run(&mut clean(build.join("plain"), &build), "10 0\n")?;
    // What is up to date stays; what has changed is translated again.
    let source = folder.path().join("project/sub/saxpy.br");
    let text = std::fs::read_to_string(&source).map_err(|e| e.to_string())?;
    std::fs::write(&source, text.replace("SHIFT", "SHIFT * 2.0f")).map_err(|e| e.to_string())?;
    run(
        clean("cmake", &build).args(["--build", "."]),
        "Translating kernels of program",
    )?;
    run(&mut clean(build.join("program"), &build), "4 7 10\n")
}

fn a_makefile() -> Result<(), String> {
    let folder = installed()?;
    project("make", folder.path())?;
    let project = folder.path().join("project");
    let mut make = clean("make", &project);
    make.env(
        "PKG_CONFIG_PATH",
        folder.path().join("prefix/lib/pkgconfig"),
    );
    run(&mut make, "brcc -o sum sum.br")?;
    run(&mut clean(project.join("program"), &project), "2 4\n")?;
    run(&mut clean(project.join("plain"), &project), "openmp:0\n")
}

/// What was written for OCCA finds it in the installation, and needs nothing else.
fn a_project_of_occa() -> Result<(), String> {
    let folder = installed_as("--occa")?;
    let build = configured("occa", folder.path())?;
    run(clean("cmake", &build).args(["--build", "."]), "")?;
    run(&mut clean(build.join("program"), &build), "3 6 9\n")
}
