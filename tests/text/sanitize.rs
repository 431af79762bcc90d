//! What `brook sanitize` finds: every `tests/cases/sanitize/NAME.okl`, or `.br`, with the arguments of `NAME.toml` against
//! `NAME.expected.txt`; without that file, nothing. `--json` says the same. A `NAME_clean` is `NAME` without its mistake.

use super::support::Trial;
use super::support::cases::root;
use super::support::process;
use super::support::quick;
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
    let finished = run(path, &case, &[])?;
    if std::env::var_os("BROOK_BLESS").is_some() && !finished.stderr.is_empty() {
        return std::fs::write(expected, finished.stderr).map_err(|e| e.to_string());
    }
    let expected = std::fs::read_to_string(expected).unwrap_or_default();
    let found = &finished.stderr;
    if *found != expected {
        return Err(format!("--- expected\n{expected}--- found\n{found}"));
    }
    if quick() {
        return Ok(());
    }
    // As JSON, the same is said at the same places.
    let finished = run(path, &case, &["--json"])?;
    let printed = String::from_utf8_lossy(&finished.stdout);
    let lines = printed.lines().chain(finished.stderr.lines());
    let objects: Result<Vec<Said>, String> = lines.map(object).collect();
    let (objects, texts) = (objects?, headings(&expected));
    match objects == texts {
        true => Ok(()),
        false => Err(format!("as text: {texts:#?}\nas JSON: {objects:#?}")),
    }
}

fn run(path: &Path, case: &Case, further: &[&str]) -> Result<process::Finished, String> {
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
    command.args(&case.flags).args(further);
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    match finished.code == Some(case.exit) {
        true => Ok(finished),
        false => Err(format!(
            "exit code {:?}, not {}\n{}",
            finished.code, case.exit, finished.stderr
        )),
    }
}

/// What is said, and where.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    code: String,
    message: String,
    /// `FILE:LINE:COLUMN`, if it has a place.
    place: Option<String>,
}

/// The messages of a text.
fn headings(text: &str) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    for line in text.lines() {
        let heading = ["error[", "warning["]
            .iter()
            .find_map(|s| line.strip_prefix(s));
        if let Some((code, message)) = heading.and_then(|h| h.split_once("]: ")) {
            all.push(Said {
                code: code.to_string(),
                message: message.to_string(),
                place: None,
            });
        } else if let (Some(place), Some(last)) =
            (line.trim_start().strip_prefix("--> "), all.last_mut())
        {
            last.place.get_or_insert_with(|| place.to_string());
        }
    }
    all
}

/// A message that is an object.
fn object(line: &str) -> Result<Said, String> {
    let object: serde_json::Value =
        serde_json::from_str(line).map_err(|e| format!("{e}: {line}"))?;
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let location = &object["location"];
    let place = |file: &str| format!("{file}:{}:{}", location["line"], location["column"]);
    Ok(Said {
        code: word(&object["code"]),
        message: word(&object["message"]),
        place: location["file"].as_str().map(place),
    })
}
