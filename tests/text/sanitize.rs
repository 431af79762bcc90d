//! What `brook sanitize` finds: every `tests/cases/sanitize/NAME.okl`, or `.br`, with the arguments of `NAME.toml` against
//! `NAME.expected.txt`; without that file, nothing. A `NAME_clean` is `NAME` without its mistake.

use super::support::Trial;
use super::support::cases::root;
use super::support::process;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// As `--arg` takes them.
    arguments: Vec<String>,
    /// What the command exits with.
    #[serde(default)]
    exit: i32,
    /// `--order`
    order: Option<String>,
    /// `--steps`
    steps: Option<u64>,
    /// `--clamped`
    #[serde(default)]
    clamped: bool,
    /// Flags of Brook+'s compiler.
    #[serde(default)]
    flags: Vec<String>,
}

pub fn trials() -> Vec<Trial> {
    let folder = root().join("tests/cases/sanitize");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "okl" || e == "br"));
    files.sort();
    let trial = |path: PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Trial::test(format!("sanitize::{stem}"), move || Ok(compare(&path)?))
    };
    files.into_iter().map(trial).collect()
}

fn compare(path: &Path) -> Result<(), String> {
    let about = std::fs::read_to_string(path.with_extension("toml")).map_err(|e| e.to_string())?;
    let case: Case = toml::from_str(&about).map_err(|e| e.to_string())?;
    let expected = path.with_extension("expected.txt");
    let mut command = Command::new(env!("CARGO_BIN_EXE_brook"));
    command
        .arg("sanitize")
        .arg(path.file_name().unwrap_or_default());
    // Messages name the file as it is given, so that they are the same wherever the project lies.
    command.current_dir(path.parent().unwrap_or(path));
    for argument in &case.arguments {
        command.args(["--arg", argument]);
    }
    if let Some(order) = &case.order {
        command.args(["--order", order]);
    }
    if let Some(steps) = case.steps {
        command.args(["--steps", &steps.to_string()]);
    }
    if case.clamped {
        command.arg("--clamped");
    }
    command.args(&case.flags);
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    if finished.code != Some(case.exit) {
        let (code, text) = (finished.code, finished.stderr);
        return Err(format!("exit code {code:?}, not {}\n{text}", case.exit));
    }
    if std::env::var_os("BROOK_BLESS").is_some() && !finished.stderr.is_empty() {
        return std::fs::write(expected, finished.stderr).map_err(|e| e.to_string());
    }
    let expected = std::fs::read_to_string(expected).unwrap_or_default();
    if finished.stderr == expected {
        return Ok(());
    }
    let found = finished.stderr;
    Err(format!("--- expected\n{expected}--- found\n{found}"))
}
