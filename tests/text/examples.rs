//! `examples/README.md` names every example, and its commands are what the tests run.

use crate::support::Trial;
use crate::support::cases::{self, root};
use crate::support::markdown::blocks;
use crate::support::process;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("all_are_named", || Ok(all_are_named()?)),
        Trial::test("programs_are_run", || Ok(programs_are_run()?)),
        Trial::test("kernels_are_launched", || Ok(kernels_are_launched()?)),
    ]
}

fn readme() -> Result<String, String> {
    std::fs::read_to_string(root().join("examples/README.md")).map_err(|e| e.to_string())
}

/// Sources below a folder, without what belongs to others.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        let is_reference = path.to_string_lossy().ends_with(".reference.cpp");
        if path.is_dir() && !path.ends_with("tests") {
            sources(&path, found)?;
        } else if ["okl", "br", "c", "cpp", "rs"].contains(&ending) && !is_reference {
            found.push(path);
        }
    }
    Ok(())
}

fn all_are_named() -> Result<(), String> {
    let readme = readme()?;
    let folder = root().join("examples");
    let mut found = Vec::new();
    sources(&folder, &mut found)?;
    let mut wrong = Vec::new();
    for path in &found {
        let name = path.strip_prefix(&folder).map_err(|e| e.to_string())?;
        let name = name.display().to_string();
        if !readme.contains(&format!("`{name}`")) && !readme.contains(&format!("### {name}\n")) {
            wrong.push(format!("{name} is not named"));
        }
    }
    match wrong.is_empty() && found.len() > 80 {
        true => Ok(()),
        false => Err(format!("{} examples\n{}", found.len(), wrong.join("\n"))),
    }
}

/// What runs an example, by the words that the page says.
fn programs_are_run() -> Result<(), String> {
    let readme = readme()?;
    let programs = cases::brook();
    let tests = |file: &str| std::fs::read_to_string(root().join("tests").join(file));
    let installed = tests("programs/install.rs").map_err(|e| e.to_string())?;
    let rust = tests("programs/examples.rs").map_err(|e| e.to_string())?;
    let mut count = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let command = row.rsplit('|').nth(1).unwrap_or_default().trim();
        let command = command.trim_matches('`');
        let words: Vec<&str> = command.split_whitespace().collect();
        let is_run = match words[..] {
            // `execution` runs these.
            ["brook", "run", file] => programs.iter().any(|case| {
                case.path == root().join(file) && row.contains(&format!("| `{}` |", &file[9..]))
            }),
            ["cmake", "-S", folder, ..] => {
                let name = folder.trim_start_matches("examples/");
                installed.contains(&format!("(\"{name}\", ")) && root().join(folder).is_dir()
            }
            ["cargo", "run", .., "--example", name] => {
                rust.contains(&format!("/examples/{name}.rs"))
            }
            // A job of it is run by `execution`.
            ["cargo", "build", "--example", name, "&&", "mpirun", ..] => {
                let jobs = tests("execution/gather_scatter.rs").map_err(|e| e.to_string())?;
                jobs.contains(&format!("/examples/{name}.rs"))
            }
            ["cargo", "test", "-p", name] => {
                let manifest =
                    std::fs::read_to_string(root().join("examples/extension/Cargo.toml"));
                manifest.is_ok_and(|text| text.contains(&format!("\"{name}\"")))
            }
            _ => false,
        };
        if !is_run {
            return Err(format!("nobody runs '{command}'"));
        }
        count += 1;
    }
    match count > 50 {
        true => Ok(()),
        false => Err(format!("{count} programs only")),
    }
}

/// The commands that launch a kernel are right: `programs` runs them on devices, here they are interpreted, which takes a
/// hundredth of the time.
fn kernels_are_launched() -> Result<(), String> {
    let readme = readme()?;
    let brook = process::brook();
    let mut count = 0;
    for block in blocks(&readme)? {
        let command = &readme[block.place.clone()];
        if !command.starts_with("brook verify ") && !command.starts_with("brook check ") {
            return Err(format!("what is '{command}'?"));
        }
        let script = command.replacen("brook verify ", "\"$BROOK\" sanitize ", 1);
        // Nothing is left to a compiler there.
        let script = script
            .replace(" --math strict", "")
            .replace(" --devices openmp", "");
        let script = script.replacen("brook check ", "\"$BROOK\" check ", 1);
        let mut shell = process::clean(Path::new("/bin/sh"));
        shell.env("BROOK", Command::get_program(&brook));
        shell.args(["-e", "-c", &script]).current_dir(root());
        let finished = process::run(&mut shell, b"", process::TIME_LIMIT)?;
        if finished.code != Some(0) {
            return Err(format!("{command}{}{}", finished.text(), finished.stderr));
        }
        count += 1;
    }
    match count > 30 {
        true => Ok(()),
        false => Err(format!("{count} kernels only")),
    }
}
