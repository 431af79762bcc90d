//! Brook+ on the devices of several processes, which `mpirun` starts: every case and every program, as on one device; and how jobs
//! end.

use crate::program;
use crate::support::Trial;
use crate::support::cases;
use crate::support::columns::RANKS;
use crate::support::mpi::Mpi;
use crate::support::need::say;
use crate::support::process;
use brook_driver::ScratchDirectory;
use std::process::Command;
use std::time::Duration;

/// Which implementation starts how many processes, with which devices each.
const JOBS: [(&str, usize, &str); 5] = [
    ("openmpi", 2, "openmp"),
    ("mpich", 3, "openmp"),
    ("openmpi", 4, "openmp"),
    ("mpich", 2, "opencl"),
    ("mpich", 2, "openmp,openmp"),
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
        let own = mpi.clone();
        let name = format!("ranks::ends::{}", mpi.need.name);
        trials.push(mpi.need.trial(name, move || ends(&own).map_err(Into::into)));
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
    command.args(["::ranks-set", "--test-threads", "1", "--color", "never"]);
    command.env(RANKS, format!("mpi/{device}"));
    let finished = process::run(&mut mpi.start(processes, &command), b"", LIMIT)?;
    let text = finished.text();
    // What the processes print comes in pieces; the status is that of those that failed.
    if finished.code == Some(0) && text.contains("::ranks-set") {
        return Ok(());
    }
    let failed = text.lines().filter(|line| !line.ends_with("ok"));
    let failed: Vec<&str> = failed.take(40).collect();
    Err(format!(
        "exit code {:?}\n{}\n{}",
        finished.code,
        failed.join("\n"),
        finished.stderr
    ))
}

/// A program that its arguments have come to one end or another.
const ENDS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kernel void twice(float a<>, out float b<>) { b = a + a; }

int main(int argc, char **argv)
{
    const char *open = getenv("OMPI_COMM_WORLD_RANK"), *other = getenv("PMI_RANK");
    int second = !strcmp(open ? open : other ? other : "", "1");
    const char *how = argc > 1 ? argv[1] : "";
    unsigned int n = 100;
    float in[100], out[100];
    for (unsigned int i = 0; i < n; ++i) in[i] = (float) i;
    ::brook::Stream<float> a(1, n), b(1, n);
    a.read(in);
    twice(a, b);
    b.write(out);
    printf("%g\n", out[99]);
    if (!strcmp(how, "all")) return 7;
    if (!strcmp(how, "one") && second) return 5;
    if (!strcmp(how, "crash") && second) abort();
    if (!strcmp(how, "large"))
    {
        unsigned int many[] = {8192, 8192, 8192, 8000};
        ::brook::Stream<double> large(4, many);
        printf("error %d\n", large.error() != 0);
    }
    twice(b, a);
    a.write(out);
    printf("%g\n", out[99]);
    return 0;
}
"#;

/// However one of the processes ends, none is waited for in vain.
fn ends(mpi: &Mpi) -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let [source, program, trace] =
        ["ends.br", "ends", "trace.json"].map(|name| scratch.path().join(name));
    std::fs::write(&source, ENDS).map_err(|e| e.to_string())?;
    let mut build = process::brook();
    build.arg("build").arg(&source).arg("-o").arg(&program);
    let built = process::run(&mut build, b"", process::TIME_LIMIT)?;
    if built.code != Some(0) {
        return Err(built.stderr);
    }
    let run = |how: &str, device: &str| {
        let mut command = process::clean(&program);
        command.arg(how).env("BROOK_DEVICE", device);
        command.env("BROOK_SPREAD_BYTES", "1");
        command.env("BROOK_TRACE", &trace);
        process::run(&mut mpi.start(3, &command), b"", Duration::from_secs(60))
    };
    let check = |what: &str, holds: bool, finished: &process::Finished| match holds {
        true => Ok(()),
        false => Err(format!(
            "{what}: exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    };
    let well = run("", "mpi/openmp")?;
    let printed = well.text().matches("396").count() == 3;
    check("well", well.code == Some(0) && printed, &well)?;
    let drawn = std::fs::read_to_string(&trace).map_err(|e| e.to_string())?;
    for rank in 0..3 {
        if !drawn.contains(&format!("openmp:0@{rank}")) {
            return Err(format!("rank {rank} is not in the timeline"));
        }
    }
    // A status that all of them have is the job's.
    let all = run("all", "mpi/openmp")?;
    let alone = all.stderr.contains("before the others");
    check("all", all.code == Some(7) && !alone, &all)?;
    let one = run("one", "mpi/openmp")?;
    let named = one
        .stderr
        .contains("rank 1 ended with status 5 before the others");
    check("one", one.code != Some(0) && named, &one)?;
    let crash = run("crash", "mpi/openmp")?;
    check("crash", crash.code != Some(0), &crash)?;
    // What is too much for one is an error of the stream in all of them.
    let large = run("large", "mpi/openmp")?;
    let said = large.text().matches("error 1\n").count() == 3;
    check("large", large.code == Some(0) && said, &large)?;
    let nothing = run("", "mpi/openmp:7")?;
    let said = nothing.stderr.contains("rank 0: openmp has one device");
    check("no device", nothing.code != Some(0) && said, &nothing)?;
    // The headers of another one, beside the library of this one.
    for other in Mpi::all().iter().filter(|o| o.need.name != mpi.need.name) {
        let (Some(compiler), Some(headers)) = (mpi.compiler_name(), other.headers()) else {
            continue;
        };
        let mut command = process::clean(&program);
        command.env("BROOK_DEVICE", "mpi/openmp");
        let mut job = mpi.start(2, &command);
        job.env("BROOK_MPICC", format!("{compiler} {headers}"));
        let mixed = process::run(&mut job, b"", Duration::from_secs(60))?;
        // Some have names in their headers that no other library has.
        let errors = ["links the library of another one", "undefined symbol"];
        let said = errors.iter().any(|e| mixed.stderr.contains(e));
        check("mixed", said, &mixed)?;
    }
    Ok(())
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
