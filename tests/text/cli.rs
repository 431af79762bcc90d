//! The command, from outside: every `tests/cases/cli/NAME.toml` is one call, and what it must do.
//!
//! Whatever the case, it fails if the command panics, hangs, or leaves a file that it did not promise.

use crate::support::Trial;
use crate::support::cases::{self, root};
use crate::support::process::{self, Finished};
use crate::support::quick;
use brook::diagnostics::codes;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One call. In strings, `{root}` is the repository.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    args: Vec<String>,
    /// What the command must exit with.
    exit: i32,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// What is there before the call.
    #[serde(default)]
    files: Vec<File>,
    #[serde(default)]
    stdout_contains: Vec<String>,
    #[serde(default)]
    stdout_lacks: Vec<String>,
    #[serde(default)]
    stderr_contains: Vec<String>,
    #[serde(default)]
    stderr_lacks: Vec<String>,
    /// Files that the call adds. Every other change fails the test.
    #[serde(default)]
    creates: Vec<String>,
    /// Files that the call changes, and what they hold then.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// Files that are no more after the call.
    #[serde(default)]
    removes: Vec<String>,
    /// Words that added files contain, by file.
    #[serde(default)]
    created_contain: BTreeMap<String, Vec<String>>,
}

/// Made of parts: before, text, bytes, `repeat` n times, after.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    path: String,
    #[serde(default)]
    before: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    bytes: Vec<u8>,
    #[serde(default)]
    repeat: String,
    #[serde(default)]
    n: usize,
    #[serde(default)]
    after: String,
}

impl File {
    fn content(&self) -> Vec<u8> {
        let mut content = self.before.clone().into_bytes();
        content.extend(self.text.bytes());
        content.extend(&self.bytes);
        content.extend(self.repeat.repeat(self.n).bytes());
        content.extend(self.after.bytes());
        content
    }
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    unsafe extern "C" {
        safe fn umask(mask: u32) -> u32;
    }
    // A cache that others may write to is none.
    umask(0o022);
    let mut trials = vec![
        Trial::test("normalize_is_idempotent", || Ok(normalize_is_idempotent()?)),
        Trial::test("brcc_under_its_own_name", || Ok(brcc_under_its_own_name()?)),
        Trial::test("sources_are_regular_files", || {
            Ok(sources_are_regular_files()?)
        }),
        Trial::test("json_messages_are_json", || Ok(json_messages_are_json()?)),
        Trial::test("devices_lists_every_backend", || {
            Ok(devices_lists_every_backend()?)
        }),
    ];
    let folder = root().join("tests/cases/cli");
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if quick() && compiles(&path) {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        trials.push(Trial::test(format!("cli::{name}"), move || {
            Ok(run_case(&path, &name)?)
        }));
    }
    trials
}

/// Whether the call of a file may start a compiler.
fn compiles(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap();
    let call: Call = toml::from_str(&text).unwrap();
    let what = call.args.first().map_or("", String::as_str);
    ["build", "compile", "run", "devices"].contains(&what)
}

/// `brcc` is what `brook brcc` is: as a binary of its own, and as another name of the command.
fn brcc_under_its_own_name() -> Result<(), String> {
    let directory = scratch("brcc_under_its_own_name")?;
    let source = "kernel void k(float a<>, out float o<>){ o = a + 1; }\n";
    std::fs::write(directory.join("t.br"), source).map_err(|e| e.to_string())?;
    let renamed = directory.join("brcc");
    let command = brook(&directory);
    std::os::unix::fs::symlink(command.get_program(), &renamed).map_err(|e| e.to_string())?;
    let own = PathBuf::from(env!("CARGO_BIN_EXE_brcc"));
    for program in [renamed, own] {
        let mut command = Command::new(&program);
        command.current_dir(&directory).arg("t.br");
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        let message = "t.br(1) : ERROR--1: In Binary expression: Mismatched operands";
        if finished.code != Some(1) || !finished.stderr.contains(message) {
            return Err(format!("{}: {finished:?}", program.display()));
        }
    }
    // The binary is nothing without the command.
    let alone = directory.join("alone");
    std::fs::copy(env!("CARGO_BIN_EXE_brcc"), &alone).map_err(|e| e.to_string())?;
    let finished = process::run(&mut Command::new(&alone), b"", process::TIME_LIMIT)?;
    match finished.code == Some(3) && finished.stderr.contains("brcc: cannot start '") {
        true => Ok(()),
        false => Err(format!("{finished:?}")),
    }
}

/// Devices and pipes have no end: they are refused at once, as sources and as what sources include. Files of the
/// system's that do not say how long they are have one.
fn sources_are_regular_files() -> Result<(), String> {
    let directory = scratch("sources_are_regular_files")?;
    let pipe = directory.join("pipe.okl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return Err("mkfifo failed".into());
    }
    let pipe = pipe.display().to_string();
    let run = |arguments: &[&str], exit: i32, text: &str| {
        let mut command = brook(&directory);
        command.args(arguments);
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        match finished.code == Some(exit) && finished.stderr.contains(text) {
            true => Ok(()),
            false => Err(format!("{arguments:?}: {finished:?}")),
        }
    };
    std::fs::write(directory.join("b.okl"), "// nothing\n").map_err(|e| e.to_string())?;
    for file in ["/dev/zero", "/dev/full", &pipe] {
        let what = format!("cannot read '{file}': it is no regular file");
        run(&["check", file], 1, &what)?;
        run(
            &["transpile", "-b", "cuda", file],
            1,
            "it is no regular file",
        )?;
        let table = ["transpile", "-b", "cuda", "--intrinsics", file, "b.okl"];
        run(&table, 2, &what)?;
        let including = directory.join("a.okl");
        std::fs::write(&including, format!("#include \"{file}\"\n")).map_err(|e| e.to_string())?;
        run(&["check", "a.okl"], 1, &what)?;
        run(
            &["check", "--include", file, "b.okl"],
            1,
            "it is no regular file",
        )?;
    }
    // It is read, and is no program.
    run(&["check", "/proc/self/cmdline"], 1, "/proc/self/cmdline")?;
    run(&["check", "/proc/version"], 1, "SRC022")
}

/// An empty directory for one test.
fn scratch(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("cli")
        .join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

/// The command in an empty directory, without any cache.
fn brook(directory: &Path) -> Command {
    let mut command = process::brook();
    command
        .current_dir(directory)
        .env("BROOK_CACHE", "off")
        .env("NO_COLOR", "1");
    command
}

fn run_case(path: &Path, name: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let call: Call = toml::from_str(&text).map_err(|e| e.to_string())?;
    let fill = |text: &str| text.replace("{root}", &root().display().to_string());
    let directory = scratch(name)?;
    for file in &call.files {
        let path = directory.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).map_err(|e| e.to_string())?;
        std::fs::write(&path, file.content()).map_err(|e| e.to_string())?;
    }
    let before = listing(&directory)?;
    let mut command = brook(&directory);
    command.args(call.args.iter().map(|a| fill(a)));
    command.envs(call.env.iter().map(|(name, value)| (name, fill(value))));
    let finished = process::run(&mut command, call.stdin.as_bytes(), process::TIME_LIMIT)?;
    let mut wrong = check(&call, &finished, &fill);
    let after = listing(&directory)?;
    let added: BTreeSet<&String> = after
        .keys()
        .filter(|path| !before.contains_key(*path))
        .collect();
    if added != call.creates.iter().collect() {
        wrong.push(format!(
            "the call adds {added:?}, expected {:?}",
            call.creates
        ));
    }
    for (path, content) in &before {
        let expected = call.changes.get(path).map(|text| text.as_bytes());
        let found = after.get(path).map(Vec::as_slice);
        let stays = !call.removes.contains(path);
        if found != stays.then_some(expected.unwrap_or(content)) {
            let found = found.map(String::from_utf8_lossy);
            wrong.push(format!("{path} was there, and is {found:?} now"));
        }
    }
    for (path, words) in &call.created_contain {
        let content = after
            .get(path)
            .map(|c| String::from_utf8_lossy(c))
            .unwrap_or_default();
        let lost = words.iter().filter(|word| !content.contains(word.as_str()));
        wrong.extend(lost.map(|word| format!("{path} lacks {word:?}")));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let show = |text: &str| text.chars().take(2000).collect::<String>();
    let (stdout, stderr) = (show(&finished.text()), show(&finished.stderr));
    Err(format!(
        "{}\n--- stdout\n{stdout}\n--- stderr\n{stderr}",
        wrong.join("\n")
    ))
}

fn check(call: &Call, finished: &Finished, fill: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut wrong = Vec::new();
    let (stdout, stderr) = (finished.text(), &finished.stderr);
    match finished.code {
        Some(code) if code == call.exit => {}
        Some(code) => wrong.push(format!("exit code {code}, expected {}", call.exit)),
        None => wrong.push("ended by a signal".to_string()),
    }
    for (name, text) in [("stdout", &stdout), ("stderr", stderr)] {
        if text.contains("panicked") || text.contains("RUST_BACKTRACE") {
            wrong.push(format!("a panic on {name}"));
        }
    }
    let mut words = |name: &str, text: &str, words: &[String], present: bool| {
        for word in words.iter().map(|w| fill(w)) {
            if text.contains(&word) != present {
                let verb = if present { "lacks" } else { "contains" };
                wrong.push(format!("{name} {verb} {word:?}"));
            }
        }
    };
    words("stdout", &stdout, &call.stdout_contains, true);
    words("stdout", &stdout, &call.stdout_lacks, false);
    words("stderr", stderr, &call.stderr_contains, true);
    words("stderr", stderr, &call.stderr_lacks, false);
    // A program that is run says what it likes.
    if (1..=3).contains(&call.exit) && stderr.trim().is_empty() {
        wrong.push("a failure without a message".to_string());
    }
    wrong
}

/// Every file below a directory, with its content.
fn listing(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .map_err(|e| e.to_string())?
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().display().to_string();
                found.insert(name, std::fs::read(&path).map_err(|e| e.to_string())?);
            }
        }
    }
    Ok(found)
}

/// What `brook normalize` prints is accepted as input and comes back unchanged; what it prints means
/// the same as the source.
fn normalize_is_idempotent() -> Result<(), String> {
    let directory = scratch("normalize_is_idempotent")?;
    for (number, case) in cases::all().into_iter().enumerate() {
        if quick() && !number.is_multiple_of(8) {
            continue;
        }
        let file = case
            .path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let run = |path: &Path| -> Result<Vec<u8>, String> {
            let finished = process::run(
                brook(&directory).arg("normalize").arg(path),
                b"",
                process::TIME_LIMIT,
            )?;
            match finished.code {
                Some(0) => Ok(finished.stdout),
                code => Err(format!("{file}: exit code {code:?}\n{}", finished.stderr)),
            }
        };
        let once = run(&case.path)?;
        // Some cases are written in normal form, which other tools read as well, or out of macros.
        let text = String::from_utf8_lossy(&case.source().text).into_owned();
        let brook = case.relative.ends_with(".br") && text.contains("kernel void");
        let legacy = text.contains("\n@kernel") || brook;
        if once == case.source().text && legacy {
            return Err(format!("{file} has nothing to normalise"));
        }
        let normalized = directory.join(&file);
        std::fs::write(&normalized, &once).map_err(|e| e.to_string())?;
        let twice = run(&normalized)?;
        if once != twice {
            let (once, twice) = (
                String::from_utf8_lossy(&once),
                String::from_utf8_lossy(&twice),
            );
            let lines = once.lines().zip(twice.lines()).find(|(a, b)| a != b);
            return Err(format!("{file}: normalised twice it differs: {lines:?}"));
        }
    }
    Ok(())
}

/// Each line of `check --message-format json` is an object with the fields that tools rely on.
fn json_messages_are_json() -> Result<(), String> {
    let directory = scratch("json_messages_are_json")?;
    let source = "@kernel int f(int *a) { for (int i = 0; i < 4; ++i; @outter) {} }\n#warning \"quotes\\\"\n";
    std::fs::write(directory.join("a.okl"), source).map_err(|e| e.to_string())?;
    let mut command = brook(&directory);
    command.args(["check", "--message-format", "json", "a.okl"]);
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    if finished.code != Some(1) || finished.stderr.trim().is_empty() {
        return Err(format!(
            "exit code {:?}, {:?}",
            finished.code, finished.stderr
        ));
    }
    for line in finished.stderr.lines() {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|e| format!("{e} in {line}"))?;
        let code = value["code"].as_str().unwrap_or_default();
        if codes::ALL.iter().all(|c| c.id != code) {
            return Err(format!("no known code in {line}"));
        }
        let severity = value["severity"].as_str();
        if !matches!(severity, Some("error" | "warning")) || !value["message"].is_string() {
            return Err(format!("severity or message are missing in {line}"));
        }
        let location = &value["location"];
        let numbers = ["line", "column", "start", "end"];
        if !location.is_null() && numbers.iter().any(|n| !location[n].is_u64()) {
            return Err(format!("the location is incomplete in {line}"));
        }
    }
    Ok(())
}

/// `brook devices` has a line for every backend: a device, or in words why there is none.
fn devices_lists_every_backend() -> Result<(), String> {
    let directory = scratch("devices_lists_every_backend")?;
    let finished = process::run(brook(&directory).arg("devices"), b"", process::TIME_LIMIT)?;
    let text = finished.text();
    if finished.code != Some(0) {
        return Err(format!(
            "exit code {:?}\n{text}{}",
            finished.code, finished.stderr
        ));
    }
    for backend in ["cuda", "hip", "opencl", "openmp"] {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(backend));
        let Some(line) = line else {
            return Err(format!("no line about {backend} in\n{text}"));
        };
        if line.split_whitespace().count() < 3 {
            return Err(format!("neither a device nor a reason: {line}"));
        }
    }
    Ok(())
}
