//! The examples in Rust, which check their results themselves, and the commands of `examples/README.md` that launch kernels.

#![allow(
    dead_code,
    reason = "what examples start with is called here instead of main"
)]

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::need::Need;
use crate::support::process;
use crate::support::toolchains::{host_compiler, opencl_device};
use std::path::Path;
use std::process::Command;

#[path = "../../examples/axpy.rs"]
mod axpy;
#[path = "../../examples/block_sums.rs"]
mod block_sums;
#[path = "../../examples/queues.rs"]
mod queues;
#[path = "../../examples/streams.rs"]
mod streams;

type Example = fn() -> Result<(), brook::runtime::Error>;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    cxx.announce();
    let all: [(&str, Example); 4] = [
        ("axpy", axpy::main),
        // It is for CUDA and HIP, and measures: few numbers, once, are enough to see that both ways agree.
        ("block_sums", || {
            block_sums::measured(&brook::Device::open("emulated-cuda:0")?, 1, 1)
        }),
        ("queues", queues::main),
        ("streams", streams::main),
    ];
    let mut trials: Vec<Trial> = { all.into_iter() }
        .map(|(name, run)| {
            cxx.trial(name.to_string(), move || {
                Ok(run().map_err(|e| e.to_string())?)
            })
        })
        .collect();
    let page = std::fs::read_to_string(root().join("examples/README.md")).unwrap();
    for block in page.split("```sh\n").skip(1) {
        let command = block.split("```").next().unwrap_or_default().trim();
        let Some(words) = command.strip_prefix("brook verify ") else {
            continue;
        };
        let source = words.split_whitespace().next().unwrap_or_default();
        let source = source.trim_start_matches("examples/");
        let name = source.split('.').next().unwrap_or_default();
        let command = command.to_string();
        let run = move || Ok(agrees(&command)?);
        trials.push(cxx.trial(format!("verify::{}", name.replace('/', "::")), run));
    }
    trials
}

/// What the page shows: the devices of a machine agree, the processor's compiler and OpenCL where it is there.
fn agrees(command: &str) -> Result<(), String> {
    let brook = process::brook();
    let mut script = command.replacen("brook verify ", "\"$BROOK\" verify ", 1);
    if !command.contains("--devices") {
        script += match opencl_device() {
            Ok(()) => " --devices openmp,opencl",
            Err(_) => " --devices openmp",
        };
    }
    let mut shell = process::clean(Path::new("/bin/sh"));
    shell.env("BROOK", Command::get_program(&brook));
    shell.args(["-e", "-c", &script]).current_dir(root());
    let finished = process::run(&mut shell, b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(()),
        _ => Err(format!("{command}\n{}{}", finished.text(), finished.stderr)),
    }
}
