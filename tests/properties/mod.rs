//! Properties that hold for all programs, shown on random ones: each runs on every device there is.
//!
//! - `loops::SEED::DEVICE`: the iterations that a kernel of random loops executes are those of the plain
//!   C loops, each once.
//! - `streams::SEED::DEVICE`: Brook+ kernels over streams of random shapes: resize, swizzles, clamped gathers,
//!   reductions to any shape.
//! - `chains::SEED::DEVICE`: sequences of calls over streams that are read, written, replaced and cut into parts in between
//!   compute the same, to the bit, whether or not calls wait and are fused.
//! - `recordings::SEED::DEVICE`: sequences of launches of OKL and calls of Brook+ compute the same, to the bit, whether or not
//!   those that touch only their elements become fewer.
//! - `expressions::SEED::DEVICE`: Brook+ expressions over all types, with values at their edges, are what the language
//!   says of each element; `relaxed::SEED::DEVICE`: the same with operands and variables of other types.
//! - `vectors::SEED::DEVICE`: OKL kernels over vectors of all types, in all spellings, compute what C says of each
//!   component.
//! - `collectives::SEED::DEVICE`: functions of whole groups of 1 to 1024 items give every item what plain loops
//!   over the group's values do.
//! - `grids::SEED::DEVICE`: OKL kernels that read neighbours on grids of any size compute what plain loops do, however many
//!   iterations items run at once.
//! - `atomics::SEED::DEVICE`: atomics in every form, on numbers, vectors and structures, make of memory what plain loops do.
//! - `programs::SEED::DEVICE`: OKL kernels of all kinds of statements compute what plain C++ does, which runs under
//!   sanitizers.
//!
//! `interpreted` is one of the devices: the interpreter of `brook sanitize` computes the same, in any order
//! of groups and items, and finds nothing.
//!
//! `BROOK_SEED=N` begins with another seed, `BROOK_ROUNDS=N` runs more programs than the few of a usual
//! run, and `BROOK_KERNELS=N` puts more kernels into programs and into modules of expressions than four, or twelve. `BROOK_KEEP=FOLDER` keeps
//! programs, loops and modules of expressions there, also those that pass.

mod atomics;
mod chains;
mod collectives;
mod executor;
mod expressions;
mod grids;
mod loops;
#[allow(dead_code, reason = "they are compiled only")]
pub mod modules;
mod programs;
mod random;
mod recordings;
mod stream_executor;
mod streams;
mod vectors;

use crate::support::Trial;
use crate::support::columns::{Column, columns_and_warps};
use crate::support::need::Need;
use brook::Choices;
use brook::runtime::BuildOptions;
use executor::{Argument, Executor, INTERPRETER};
use expressions::Expressions;
use libtest_mimic::Failed;
use loops::Program;
use random::Random;
use streams::Streams;
use vectors::Vectors;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let number = |name: &str, usual| {
        let value = std::env::var(name).ok();
        value.map_or(usual, |v| v.parse().unwrap())
    };
    let first: u64 = number("BROOK_SEED", 1);
    let rounds: u64 = number("BROOK_ROUNDS", 6);
    let kernels = number("BROOK_KERNELS", 4) as usize;
    let programs = number("BROOK_ROUNDS", 3);
    let mut trials = Vec::new();
    let mut columns = columns_and_warps();
    columns.push(interpreter());
    for column in columns {
        column.need.announce();
        let chains = number("BROOK_ROUNDS", 3);
        for seed in first..first + chains {
            // HIP's emulation runs what CUDA's does.
            let same = ["interpreted", "emulated-hip"].contains(&column.need.name);
            if column.flags.is_empty() && !same {
                trials.push(chains_trial(&column, seed));
                if !column.is_set() {
                    trials.push(recordings_trial(&column, seed));
                }
            }
        }
        for seed in first..first + rounds {
            // What sets share out is streams.
            if column.is_set() {
                trials.push(streams_trial(&column, seed));
                continue;
            }
            let doubles = computes_in_double(&column);
            if doubles {
                trials.push(collectives_trial(&column, seed));
            }
            if !column.flags.is_empty() {
                continue;
            }
            trials.push(loops_trial(&column, seed));
            trials.push(streams_trial(&column, seed));
            if seed < first + programs {
                trials.push(grids_trial(&column, seed, 2 * kernels));
            }
            if doubles {
                for relaxed in [false, true] {
                    trials.push(expressions_trial(&column, seed, 3 * kernels, relaxed));
                }
                trials.push(vectors_trial(&column, seed, 2 * kernels));
                trials.push(atomics_trial(&column, seed, 2 * kernels));
                // They take the longest to compile: a usual run has some of them.
                if seed < first + programs && !joins_reads(&column) {
                    trials.push(programs_trial(&column, seed, kernels));
                }
            }
        }
    }
    trials
}

/// The interpreter, which finds nothing in what is right.
fn interpreter() -> Column {
    Column {
        need: Need {
            name: "interpreted",
            missing: None,
            gpu: false,
        },
        devices: vec![INTERPRETER.to_string()],
        flags: &[],
    }
}

/// All but loops and streams are programs that compute in `double`, too, which Metal does not have.
fn computes_in_double(column: &Column) -> bool {
    column.need.name != "emulated-metal"
}

/// NVRTC joins two reads of which one may see what was written before; source for CUDA keeps them apart, HIP's need not,
/// and most of these programs have such reads.
fn joins_reads(column: &Column) -> bool {
    column.need.name == "hip-on-cuda"
}

fn streams_trial(column: &Column, seed: u64) -> Trial {
    let devices = column.devices.clone();
    let name = format!("streams::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let streams = Streams::random(&mut Random::new(seed));
        let device = one_of(&devices, seed)?;
        let told = |e| Failed::from(format!("{e}\n{}", streams.source()));
        streams.run(device).map_err(told)
    })
}

/// Of the devices of a set's column another one for each seed; they have 2, 3 and 4 parts.
fn one_of(devices: &[String], seed: u64) -> Result<&String, Failed> {
    let sets = devices.iter().all(|d| d.contains(','));
    let number = match sets {
        true => seed as usize % devices.len().max(1),
        false => 0,
    };
    let device = devices.get(number);
    device.ok_or_else(|| Failed::from("there is no device"))
}

fn chains_trial(column: &Column, seed: u64) -> Trial {
    let devices = column.devices.clone();
    let doubles = computes_in_double(column);
    let name = format!("chains::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let chain = chains::Chain::random(&mut Random::new(seed), doubles);
        let device = one_of(&devices, seed)?;
        chain.run(device).map_err(Failed::from)
    })
}

fn recordings_trial(column: &Column, seed: u64) -> Trial {
    let devices = column.devices.clone();
    let doubles = computes_in_double(column);
    let name = format!("recordings::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let recording = recordings::Recording::random(&mut Random::new(seed), doubles);
        let device = one_of(&devices, seed)?;
        recording.run(device, doubles).map_err(Failed::from)
    })
}

fn programs_trial(column: &Column, seed: u64, kernels: usize) -> Trial {
    let (devices, flags) = (column.devices.clone(), column.flags);
    let name = format!("programs::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let program = programs::Program::random(seed, kernels);
        keep(&format!("programs-{seed}.okl"), &program.text.okl)?;
        let expected = programs::oracle(&program).map_err(|e| program.kept(&e))?;
        for device in &devices {
            programs::run(&program, &expected, device, flags).map_err(|e| program.kept(&e))?;
        }
        Ok(())
    })
}

fn expressions_trial(column: &Column, seed: u64, kernels: usize, relaxed: bool) -> Trial {
    let devices = column.devices.clone();
    let kind = if relaxed { "relaxed" } else { "expressions" };
    let name = format!("{kind}::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let program = Expressions::random(&mut Random::new(seed), kernels, relaxed);
        keep(&format!("{kind}-{seed}.br"), &program.source())?;
        let device = devices.first().ok_or("there is no device")?;
        program.run(device).map_err(Failed::from)
    })
}

fn vectors_trial(column: &Column, seed: u64, kernels: usize) -> Trial {
    let (devices, flags) = (column.devices.clone(), column.flags);
    let name = format!("vectors::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let program = Vectors::random(&mut Random::new(seed), kernels);
        keep(&format!("vectors-{seed}.okl"), &program.source())?;
        let device = devices.first().ok_or("there is no device")?;
        program.run(device, flags).map_err(Failed::from)
    })
}

fn grids_trial(column: &Column, seed: u64, kernels: usize) -> Trial {
    let this = column.clone();
    let name = format!("grids::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let interpreted = this.need.name == "interpreted";
        let grids = grids::Grids::random(seed, kernels, !interpreted);
        keep(&format!("grids-{seed}.okl"), &grids.source())?;
        let device = this.devices.first().ok_or("there is no device")?;
        let run = |choices: Option<Choices>| {
            let options = BuildOptions::new().cache(false);
            let options = match choices {
                Some(choices) => options.choose("*", choices),
                None => options,
            };
            grids.run(device, options).map_err(Failed::from)
        };
        run(this.choices())?;
        // Where loops stay loops, items share out nothing.
        if interpreted || this.need.name == "openmp" {
            return Ok(());
        }
        // As tuning might have it.
        let mut random = Random::new(seed);
        run(Some(Choices {
            elements: Some(random.pick(&[2, 4, 16])),
            coarsen: Some(random.pick(&[1, 2, 3])),
            groups: None,
        }))
    })
}

fn atomics_trial(column: &Column, seed: u64, kernels: usize) -> Trial {
    let (devices, flags) = (column.devices.clone(), column.flags);
    let name = format!("atomics::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let program = atomics::Atomics::random(&mut Random::new(seed), kernels);
        keep(&format!("atomics-{seed}.okl"), &program.source())?;
        let device = devices.first().ok_or("there is no device")?;
        program.run(device, flags).map_err(Failed::from)
    })
}

fn collectives_trial(column: &Column, seed: u64) -> Trial {
    let (devices, flags) = (column.devices.clone(), column.flags);
    let name = format!("collectives::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let program = collectives::Program::random(&mut Random::new(seed));
        let device = devices.first().ok_or("there is no device")?;
        let told = |e| Failed::from(format!("{e}\n{}", program.source()));
        program.run(device, flags).map_err(told)
    })
}

fn loops_trial(column: &Column, seed: u64) -> Trial {
    let devices = column.devices.clone();
    let name = format!("loops::{seed}::{}", column.need.name);
    column.need.trial(name, move || {
        let program = Program::random(&mut Random::new(seed));
        keep(&format!("loops-{seed}.okl"), &program.source())?;
        let device = devices.first().ok_or("there is no device")?;
        run(&program, device).map_err(|e| Failed::from(format!("{e}\n{}", program.source())))
    })
}

fn run(program: &Program, name: &str) -> Result<(), String> {
    let options = BuildOptions::new().cache(false);
    let built = Executor::build(name, &program.source(), options)?;
    for (index, kernel) in program.kernels.iter().enumerate() {
        for arguments in &program.arguments {
            let expected = kernel.executed(arguments);
            let values = arguments.iter().map(|a| Argument::int(i64::from(*a)));
            let mut values: Vec<Argument> = values.collect();
            values.push(Argument::Buffer(vec![0; expected.len() * 4]));
            let numbers = loops::numbers().into_iter().flat_map(i32::to_ne_bytes);
            values.push(Argument::Buffer(numbers.collect()));
            built.launch(&format!("k{index}"), &mut values)?;
            let bytes = values[arguments.len()].bytes().chunks_exact(4);
            let counts: Vec<i32> = bytes
                .map(|word| i32::from_ne_bytes(word.try_into().unwrap()))
                .collect();
            if let Some(at) = (0..counts.len()).find(|&i| counts[i] != expected[i]) {
                return Err(format!(
                    "kernel k{index}, arguments {arguments:?}: iteration {} runs {} times, not {}",
                    kernel.name(at),
                    counts[at],
                    expected[at]
                ));
            }
        }
    }
    Ok(())
}

/// Writes a program into the folder that `BROOK_KEEP` names.
fn keep(name: &str, text: &str) -> Result<(), Failed> {
    let folder = std::env::var_os("BROOK_KEEP").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        return Ok(());
    };
    let path = std::path::Path::new(&folder).join(name);
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()).into())
}
