//! `scripts/package`: what is in the tar works wherever it is unpacked, with an environment that says nothing, and the Debian
//! package has the same files, and says what they need.

use crate::install::{built_files, clean, run};
use crate::shared::once;
use crate::support::Trial;
use crate::support::cases::root;
use crate::support::need::Need;
use crate::support::process::{self, Finished};
use crate::support::toolchains::host_compiler;
use brook_driver::{ScratchDirectory, find_program};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    let pkg_config = host_compiler().and_then(|_| program("pkg-config"));
    let pkg_config = Need::new("pkg-config", &pkg_config);
    let deb = program("dpkg-deb").and_then(|_| program("dpkg-shlibdeps"));
    let deb = Need::new("dpkg", &deb);
    for need in [&cxx, &pkg_config, &deb] {
        need.announce();
    }
    vec![
        cxx.trial("a_tar_wherever_it_is".into(), || Ok(a_tar()?)),
        pkg_config.trial("a_host_program_of_a_tar".into(), || Ok(a_host_program()?)),
        deb.trial("a_debian_package".into(), || Ok(a_debian_package()?)),
        cxx.trial("the_same_bytes_again".into(), || Ok(the_same_bytes()?)),
    ]
}

fn program(name: &str) -> Result<PathBuf, String> {
    find_program(name).ok_or_else(|| format!("no {name} found"))
}

/// Packages of what the tests are run with.
fn package(kind: &str, folder: &Path) -> Result<PathBuf, String> {
    let from = built_files(folder)?;
    let mut command = Command::new(root().join("scripts/package"));
    command.arg(kind).args(["--level", "1", "--to", "."]);
    command.arg("--from").arg(from).current_dir(folder);
    let finished: Finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    let text = finished.text();
    match (finished.code, text.lines().last()) {
        (Some(0), Some(file)) => Ok(PathBuf::from(file)),
        (code, _) => Err(format!("{code:?} {text}{}", finished.stderr)),
    }
}

/// The tar, which one test makes.
fn tar() -> Result<PathBuf, String> {
    let folder = once("package-tar", |folder| package("tar", folder).map(drop))?;
    let mut files = std::fs::read_dir(&folder).map_err(|e| e.to_string())?;
    let tar = files
        .find_map(|f| Some(f.ok()?.path()).filter(|f| f.extension().is_some_and(|e| e == "gz")));
    tar.ok_or_else(|| format!("there is no tar in {}", folder.display()))
}

/// The only folder of the tar, in another one.
fn unpacked(folder: &Path) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    run(
        Command::new("tar")
            .arg("-xzf")
            .arg(tar()?)
            .arg("-C")
            .arg(folder),
        "",
    )?;
    let mut all = std::fs::read_dir(folder).map_err(|e| e.to_string())?;
    match (all.next(), all.next()) {
        (Some(Ok(only)), None) => Ok(only.path()),
        _ => Err("the tar has not one folder".to_string()),
    }
}

/// A command whose environment is where a system's programs are.
fn bare(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", "/usr/bin:/bin");
    command.env("HOME", folder).current_dir(folder);
    command
}

fn a_tar() -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let expected = root().join("examples/brook/sum.expected.txt");
    let expected = std::fs::read_to_string(expected).map_err(|e| e.to_string())?;
    let first = unpacked(&scratch.path().join("one"))?;
    // Elsewhere, and never where it was first.
    let second = scratch.path().join("with blank");
    std::fs::create_dir(&second).map_err(|e| e.to_string())?;
    let second = second.join("brook");
    for prefix in [&first, &second] {
        if prefix == &second {
            std::fs::rename(&first, &second).map_err(|e| e.to_string())?;
        }
        let mut command = bare(prefix.join("bin/brook"), scratch.path());
        command.args(["run", "--device", "openmp"]);
        command.arg(prefix.join("share/brook/examples/brook/sum.br"));
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        if finished.code != Some(0) || finished.text() != expected {
            return Err(format!("in {}: {finished:?}", prefix.display()));
        }
    }
    Ok(())
}

fn a_host_program() -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let prefix = unpacked(&scratch.path().join("unpacked"))?;
    let project = scratch.path().join("project");
    let source = root().join("tests/data/installed/make/plain.c");
    std::fs::create_dir(&project).map_err(|e| e.to_string())?;
    let mut ask = bare("pkg-config", &project);
    ask.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    ask.args(["--cflags", "--libs", "brook"]);
    let flags = process::run(&mut ask, b"", process::TIME_LIMIT)?;
    let mut compile = bare("cc", &project);
    compile.args(["-std=c99", "-o", "plain"]).arg(source);
    compile.args(flags.text().split_whitespace());
    compile.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    run(&mut compile, "")?;
    let mut plain = bare(project.join("plain"), &project);
    run(plain.env("BROOK_DEVICE", "openmp"), "openmp:0\n")
}

/// The same files as in the tar, below `/usr`; manual pages are compressed, and licences where Debian has them.
fn a_debian_package() -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let file = package("deb", scratch.path())?;
    let said = |arguments: &[&str]| -> Result<String, String> {
        let mut command = clean("dpkg-deb", scratch.path());
        command.args(arguments).arg(&file);
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        match finished.code {
            Some(0) => Ok(finished.text()),
            code => Err(format!("{code:?} {}", finished.stderr)),
        }
    };
    let fields = said(&["--field"])?;
    for field in [
        "Package: brook\n",
        concat!("Version: ", env!("CARGO_PKG_VERSION"), "\n"),
        "Depends: libc6 (>= ",
        "Recommends: g++\n",
        "Maintainer: The brook developers\n",
    ] {
        if !fields.contains(field) {
            return Err(format!("{field:?} is not in\n{fields}"));
        }
    }
    let files = |text: &str, before: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.split_once(before));
        let names = lines.map(|(_, name)| name.to_string());
        names.filter(|name| !name.ends_with('/')).collect()
    };
    let packed = said(&["--contents"])?;
    if let Some(line) = packed.lines().find(|line| !line.contains(" root/root ")) {
        return Err(format!("somebody's file: {line}"));
    }
    let packed = files(&packed, " ./usr/");
    let mut list = clean("tar", scratch.path());
    let list = process::run(list.arg("-tzf").arg(tar()?), b"", process::TIME_LIMIT)?;
    let expected: BTreeSet<String> = files(&list.text(), "/")
        .into_iter()
        .filter(|name| !name.starts_with("share/doc/brook/LICENSE-"))
        .map(|name| match name.starts_with("share/man/") {
            true => name + ".gz",
            false => name,
        })
        .chain(["share/doc/brook/copyright".to_string()])
        .collect();
    let other: Vec<&String> = packed.symmetric_difference(&expected).collect();
    if packed.len() < 50 || !other.is_empty() {
        return Err(format!(
            "{} files, of which others have no {other:?}",
            packed.len()
        ));
    }
    Ok(())
}

/// Who makes a package again has the same.
fn the_same_bytes() -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let again = package("tar", scratch.path())?;
    let read = |file: &Path| std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()));
    match read(&tar()?)? == read(&again)? {
        true => Ok(()),
        false => Err("the same files make another tar".to_string()),
    }
}
