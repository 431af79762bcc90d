//! Brook+ programs: built, started on a device, and their output compared.

use crate::support::cases::{Case, root};
use crate::support::columns::Column;
use crate::support::kept;
use crate::support::process::{self, Finished};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// Runs a case's program on a device; it must print what is expected.
pub fn run(case: &Case, device: &str, column: &Column, expected: &str) -> Result<(), String> {
    let finished = match column.need.name {
        "openmp" => by_command(case, device, column)?,
        _ => as_built(case, device, column)?,
    };
    compare(&finished, device, expected)
}

/// The same in the processes that `start` makes of what starts one. What they print is the first one's; so that the others print
/// nothing, the program is told at its build where it runs.
pub fn run_job(
    case: &Case,
    device: &str,
    expected: &str,
    start: &dyn Fn(&Command) -> Command,
) -> Result<(), String> {
    let mut command = process::clean(&built(case, Some(device))?);
    command.env("BROOK_SPREAD_BYTES", "1");
    command.env("BROOK_CACHE_DIR", folder("execution-cache"));
    let finished = process::run(&mut start(&command), b"", process::TIME_LIMIT)?;
    compare(&finished, device, expected)
}

fn compare(finished: &Finished, device: &str, expected: &str) -> Result<(), String> {
    let text = finished.text();
    if finished.code != Some(0) {
        return Err(format!(
            "{device}: exit code {:?}\n{}{text}",
            finished.code, finished.stderr
        ));
    }
    if text == expected {
        return Ok(());
    }
    let (line, ours, theirs) = first_difference(&text, expected);
    let stderr = &finished.stderr;
    Err(format!(
        "{device}: line {line} is\n  {ours:?}\nexpected\n  {theirs:?}\n{stderr}"
    ))
}

/// `brook run`.
fn by_command(case: &Case, device: &str, column: &Column) -> Result<Finished, String> {
    let mut command = process::brook();
    command.args(["run", "--device", device]).arg(&case.path);
    for flag in column.flags {
        command.arg(format!("--compiler-flag={flag}"));
    }
    check(&mut command, case)?;
    command.env("BROOK_CACHE_DIR", folder("execution-cache"));
    process::run(&mut command, b"", process::TIME_LIMIT)
}

/// What `brook build` makes, told of the device by its environment, as `brook run` does.
fn as_built(case: &Case, device: &str, column: &Column) -> Result<Finished, String> {
    let mut command = process::clean(&built(case, None)?);
    // The emulated devices call themselves different models, for which kernels are compiled anew; what matters of them
    // here, the order of items, the first can be told.
    let (driver, ordinal) = device.split_once(':').unwrap_or((device, "0"));
    if driver.starts_with("emulated") {
        let orders = [("0", "forward"), ("1", "reversed"), ("2", "random:1")];
        let order = orders.iter().find(|(number, _)| *number == ordinal);
        let (_, order) = order.ok_or(format!("{device} has an order of its own"))?;
        command.env("BROOK_DEVICE", format!("{driver}:0"));
        command.env("BROOK_EMULATION_ORDER", order);
    } else {
        command.env("BROOK_DEVICE", device);
        command.env("BROOK_SPREAD_BYTES", "1");
    }
    command.env("BROOK_CACHE_DIR", folder("execution-cache"));
    if !column.flags.is_empty() {
        command.env("BROOK_COMPILER_FLAGS", column.flags.join("\n"));
    }
    process::run(&mut command, b"", process::TIME_LIMIT)
}

/// The path of a program, or why there is none.
type Built = Arc<OnceLock<Result<PathBuf, String>>>;

/// The program of a case, for whichever device its environment names or for that one, built when it is first asked for.
fn built(case: &Case, device: Option<&str>) -> Result<PathBuf, String> {
    static ALL: OnceLock<Mutex<HashMap<PathBuf, Built>>> = OnceLock::new();
    let all = ALL.get_or_init(Mutex::default).lock();
    let place = place(case, device);
    let slot = all.unwrap().entry(place.clone()).or_default().clone();
    slot.get_or_init(|| build(case, device, place)).clone()
}

fn place(case: &Case, device: Option<&str>) -> PathBuf {
    // Two folders may have a program of one name.
    let mut folder = folder("execution-programs").join(case.relative.replace(['/', '.'], "-"));
    if let Some(device) = device {
        folder.push(device);
    }
    folder.join(&case.name)
}

fn build(case: &Case, device: Option<&str>, program: PathBuf) -> Result<PathBuf, String> {
    let folder = program.parent().ok_or("a program has a folder")?;
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    if kept::folder().is_some() && program.is_file() {
        return Ok(program);
    }
    let mut command = process::brook();
    command.arg("build").arg(&case.path).arg("-o").arg(&program);
    command.args(
        device
            .map(|device| ["--device", device])
            .into_iter()
            .flatten(),
    );
    check(&mut command, case)?;
    command.env("BROOK_CACHE_DIR", self::folder("execution-cache"));
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(program),
        code => Err(format!(
            "brook build: exit code {code:?}\n{}{}",
            finished.stderr,
            finished.text()
        )),
    }
}

/// How the case wants to be checked.
fn check(command: &mut Command, case: &Case) -> Result<(), String> {
    let mut checking = case.about()?.checking;
    if checking.contains('g') {
        checking = checking.replace('g', "");
        command.args(["--dialect", "brookgpu"]);
    }
    if !checking.is_empty() {
        command.arg(format!("-{checking}"));
    }
    Ok(())
}

fn first_difference(text: &str, expected: &str) -> (usize, String, String) {
    let mut ours = text.split_inclusive('\n');
    let mut theirs = expected.split_inclusive('\n');
    for line in 1.. {
        let (a, b) = (ours.next(), theirs.next());
        if a != b || a.is_none() {
            let show = |line: Option<&str>| line.unwrap_or("(the end)").to_string();
            return (line, show(a), show(b));
        }
    }
    unreachable!("both texts end")
}

/// Folders for this run. Of kernels a cache: one is compiled once for devices that share their compiler, and nothing that
/// an earlier build of this project left is found in it, unless a run of several processes has it kept.
fn folder(name: &'static str) -> PathBuf {
    static FRESH: OnceLock<Mutex<HashMap<&'static str, PathBuf>>> = OnceLock::new();
    let mut fresh = FRESH.get_or_init(Mutex::default).lock().unwrap();
    let make = || {
        if let Some(kept) = kept::folder() {
            return kept.join(name);
        }
        let usual = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = match usual.is_dir() {
            true => usual.join(name),
            // Built on another machine.
            false => root().join("target/tmp").join(name),
        };
        let _ = std::fs::remove_dir_all(&path);
        path
    };
    fresh.entry(name).or_insert_with(make).clone()
}
