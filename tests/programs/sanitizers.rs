//! The C++ interface under AddressSanitizer and ThreadSanitizer, on OpenMP: host programs and kernels are
//! instrumented, and must print what they print otherwise, without a report.
//!
//! The library itself is not instrumented. What matters of it is seen all the same: it copies by `memcpy` and
//! starts threads by `pthread_create`, both of which the sanitizers watch. Kernels run in one thread
//! (`OMP_NUM_THREADS`): libgomp synchronises by system calls that ThreadSanitizer does not know, and would be
//! reported for every parallel loop.

use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::need::Need;
use crate::support::process::{self, Finished};
use crate::support::toolchains::host_compiler;
use brook_driver::{ScratchDirectory, run_compiler};
use std::path::Path;
use std::process::Command;

/// What is about the interface rather than about kernels.
const EXAMPLES: [&str; 12] = [
    "asynchronous",
    "constant_arrays",
    "device_by_device",
    "device_threads",
    "memory_pinning",
    "monte_carlo_multi_gpu",
    "overlapping",
    "pinning",
    "stream_data_types",
    "struct_streams",
    "tiling",
    "vector_add",
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for tool in ["address", "thread"] {
        let need = Need::new(
            match tool {
                "address" => "address-sanitizer",
                _ => "thread-sanitizer",
            },
            &available(tool),
        );
        need.announce();
        let wanted =
            |case: &Case| case.name.starts_with("host_") || EXAMPLES.contains(&case.name.as_str());
        for case in cases::brook().into_iter().filter(wanted) {
            let name = format!("{tool}::{}", case.name);
            trials.push(need.trial(name, move || Ok(clean(&case, tool)?)));
        }
        trials.push(need.trial(format!("{tool}_is_seen"), move || Ok(seen(tool)?)));
    }
    trials
}

/// Whether the compiler has the sanitizer, and its programs run here.
fn available(tool: &str) -> Result<(), String> {
    let compiler = host_compiler()?;
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let (source, program) = (scratch.path().join("a.cpp"), scratch.path().join("a"));
    std::fs::write(&source, "int main() { return 0; }\n").map_err(|e| e.to_string())?;
    let mut command = Command::new(compiler);
    command
        .arg(format!("-fsanitize={tool}"))
        .arg(&source)
        .arg("-o")
        .arg(&program);
    run_compiler(&mut command).map_err(|_| format!("the compiler has no {tool} sanitizer"))?;
    let finished = process::run(&mut Command::new(program), b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(()),
        _ => Err(format!(
            "programs with the {tool} sanitizer do not start here"
        )),
    }
}

fn run(file: &Path, tool: &str) -> Result<Finished, String> {
    let mut command = process::brook();
    let compiler = host_compiler()?;
    command.args(["run", "--device", "openmp"]).arg(file);
    // The driver of OpenMP takes the same compiler for kernels.
    command.env(
        "BROOK_CXX",
        format!("{} -g -fsanitize={tool}", compiler.display()),
    );
    command
        .env("OMP_NUM_THREADS", "1")
        .env("BROOK_CACHE", "off");
    // What is asked for and too large is an error of a stream here, too.
    for variable in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
        command.env(variable, "allocator_may_return_null=1");
    }
    process::run(&mut command, b"", process::TIME_LIMIT)
}

fn clean(case: &Case, tool: &str) -> Result<(), String> {
    let expected =
        std::fs::read_to_string(case.sibling("expected.txt")).map_err(|e| e.to_string())?;
    let finished = run(&case.path, tool)?;
    let reported = finished.stderr.contains("Sanitizer:");
    match finished.code == Some(0) && finished.text() == expected && !reported {
        true => Ok(()),
        false => Err(format!(
            "exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}

/// The test of the test: memory beyond an array that a stream is written to, and memory that the host changes
/// while it is copied.
fn seen(tool: &str) -> Result<(), String> {
    let body = match tool {
        "address" => "std::vector<float> v(1023);\n s.write(&v[0]);\n printf(\"%g\\n\", v[5]);",
        _ => {
            "std::vector<float> v(1024);\n s.write(&v[0], \"async\");\n v[5] = 1.0f;\n s.finish();"
        }
    };
    let text = format!(
        "#include <stdio.h>\n#include <vector>\n\
         kernel void fill(out float a<>) {{ a = 1.0f; }}\n\
         int main() {{ float s<1024>;\n fill(s);\n {body}\n return 0; }}\n"
    );
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let file = scratch.path().join("wrong.br");
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let finished = run(&file, tool)?;
    let report = match tool {
        "address" => "heap-buffer-overflow",
        _ => "data race",
    };
    match finished.code != Some(0) && finished.stderr.contains(report) {
        true => Ok(()),
        false => Err(format!("not seen: {:?} {}", finished.code, finished.stderr)),
    }
}
