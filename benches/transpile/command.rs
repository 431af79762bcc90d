//! The command as a shell starts it, in turn with a process that does nothing.

use super::report::Start;
use super::sources;
use super::statistics::Median;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What it asks: `brook transpile` on a kernel of 50 lines.
pub fn start(backend: &str, budget: Duration) -> Result<Start, String> {
    let folder = std::env::temp_dir().join(format!("brook-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let kernel = folder.join("kernel.okl");
    std::fs::write(&kernel, sources::okl(50)).map_err(|e| e.to_string())?;
    let mut brook = Command::new(env!("CARGO_BIN_EXE_brook"));
    brook.args(["transpile", "--backend", backend]).arg(&kernel);
    let measured = in_turn(&mut brook, &mut Command::new("true"), budget);
    let _ = std::fs::remove_dir_all(&folder);
    let (command, empty) = measured?;
    let above: Vec<f64> = command.iter().zip(&empty).map(|(a, b)| a - b).collect();
    Ok(Start {
        backend: backend.to_string(),
        command: Median::of(&command),
        empty: Median::of(&empty),
        above: Median::of(&above),
        rounds: above.len(),
    })
}

fn in_turn(
    command: &mut Command,
    empty: &mut Command,
    budget: Duration,
) -> Result<(Vec<f64>, Vec<f64>), String> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    seconds(command)?;
    let begin = Instant::now();
    while a.len() < 101 || (begin.elapsed() < budget && a.len() < 2001) {
        a.push(seconds(command)?);
        b.push(seconds(empty)?);
    }
    Ok((a, b))
}

fn seconds(command: &mut Command) -> Result<f64, String> {
    command.stdout(Stdio::null()).stdin(Stdio::null());
    let begin = Instant::now();
    let status = command.status();
    let time = begin.elapsed().as_secs_f64();
    match status {
        Ok(status) if status.success() => Ok(time),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
