//! Brook+ on the devices of several processes, which `mpirun` starts: every case and every program, as on one device.

use crate::program;
use crate::support::Trial;
use crate::support::cases;
use crate::support::columns::RANKS;
use crate::support::mpi::Mpi;
use crate::support::need::say;
use crate::support::process;
use std::process::Command;
use std::time::Duration;

/// Which implementation starts how many processes, with a device of which kind each.
const JOBS: [(&str, usize, &str); 4] = [
    ("openmpi", 2, "openmp"),
    ("mpich", 3, "openmp"),
    ("openmpi", 4, "openmp"),
    ("mpich", 2, "opencl"),
];

/// Programs that are left out, and why.
const LEFT_OUT: [(&str, &str); 4] = [
    (
        "host_async_overlap",
        "it waits for a copy that goes on while the host does, which copies of several processes do not",
    ),
    (
        "host_async_read",
        "it waits for a copy that goes on while the host does, which copies of several processes do not",
    ),
    (
        "device_threads",
        "its threads share a device, and devices of several processes are one thread's",
    ),
    (
        "host_threads",
        "its threads share a device, and devices of several processes are one thread's",
    ),
];

/// Of a job that has all cases to run.
const LIMIT: Duration = Duration::from_secs(900);

/// `ranks::cases::MPI-PROCESSES-DEVICE` and `ranks::programs::…`; nothing where this process is one of those started.
pub fn trials() -> Vec<Trial> {
    if std::env::var_os(RANKS).is_some() {
        return Vec::new();
    }
    let mut trials = Vec::new();
    for mpi in Mpi::all() {
        mpi.need.announce();
        for (name, reason) in LEFT_OUT {
            say(&format!("left out of {}: {name}: {reason}", mpi.need.name));
        }
        for (_, processes, device) in JOBS.iter().filter(|(name, ..)| *name == mpi.need.name) {
            let job = format!("{}-{processes}-{device}", mpi.need.name);
            let own = mpi.clone();
            trials.push(mpi.need.trial(format!("ranks::cases::{job}"), move || {
                run_cases(&own, *processes, device).map_err(Into::into)
            }));
            // They take the same way; what differs is how long it takes to start them.
            if *device != "openmp" || *processes > 3 {
                continue;
            }
            let own = mpi.clone();
            trials.push(mpi.need.trial(format!("ranks::programs::{job}"), move || {
                run_programs(&own, *processes, device).map_err(Into::into)
            }));
        }
    }
    trials
}

/// This very program, several times, whose cases open one set together.
fn run_cases(mpi: &Mpi, processes: usize, device: &str) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(own);
    // In one thread, so that all of them are in one order.
    command.args(["brook::", "--test-threads", "1", "--color", "never"]);
    command.env(RANKS, format!("mpi/{device}"));
    let finished = process::run(&mut mpi.start(processes, &command), b"", LIMIT)?;
    let text = finished.text();
    let passed = text.matches("test result: ok").count();
    if finished.code == Some(0) && passed == processes {
        return Ok(());
    }
    let failed = text.lines().filter(|line| !line.ends_with("ok"));
    let failed: Vec<&str> = failed.take(40).collect();
    Err(format!(
        "exit code {:?}, {passed} of {processes} processes passed\n{}\n{}",
        finished.code,
        failed.join("\n"),
        finished.stderr
    ))
}

/// Programs that are built once.
fn run_programs(mpi: &Mpi, processes: usize, device: &str) -> Result<(), String> {
    let mut failed = Vec::new();
    for case in cases::brook() {
        let expected = case.sibling("expected.txt");
        let left_out = LEFT_OUT.iter().any(|(name, _)| *name == case.name);
        if !expected.is_file() || left_out {
            continue;
        }
        let expected = std::fs::read_to_string(&expected).map_err(|e| e.to_string())?;
        let ran = program::run_job(&case, &format!("mpi/{device}"), &expected, &|command| {
            mpi.start(processes, command)
        });
        failed.extend(ran.err().map(|e| format!("{}: {e}", case.name)));
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(failed.join("\n")),
    }
}
