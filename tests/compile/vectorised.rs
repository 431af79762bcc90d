//! GCC's report on the loops of measured kernels (`benches/work`): those that a line marks `// vectorised` are,
//! as are the loops over streams, and no access is gathered that lies side by side.
//!
//! What does not vectorise yet is listed with the reason, and fails once it does.

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::need::Need;
use brook::Define;
use brook::backend::Backend;
use brook::source::FileLoader;
use brook::{Options, Source, Translation};
use brook_driver::{CompileOptions, ScratchDirectory};
use libtest_mimic::Failed;
use std::collections::BTreeSet;

const SOURCES: [&str; 11] = [
    "black-scholes/kernel.br",
    "black-scholes/kernel.okl",
    "gather/kernel.br",
    "mandelbrot/kernel.br",
    "mandelbrot/kernel.okl",
    "matmul/kernel.okl",
    "nbody/kernel.okl",
    "spectral/kernel.okl",
    "stencil/kernel.okl",
    "stream/kernel.br",
    "stream/kernel.okl",
];

/// What is known not to vectorise, and why.
const NOT_YET: [(&str, &str); 0] = [];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let compiler = gcc();
    let need = Need::new("gcc", &compiler);
    need.announce();
    let mut trials: Vec<Trial> = Vec::new();
    for source in SOURCES {
        for real in ["float", "double"] {
            trials.push(need.trial(format!("{source}::{real}"), move || test(source, real)));
        }
    }
    trials
}

/// The processor's device, if its compiler is GCC: others report in other words.
fn gcc() -> Result<brook::Device, String> {
    let device = brook::Device::open("openmp").map_err(|e| e.to_string())?;
    match device.info().compiler.as_deref().unwrap_or_default() {
        name if name.starts_with("g++") => Ok(device),
        name => Err(format!("the compiler is {name}")),
    }
}

fn test(source: &str, real: &str) -> Result<(), Failed> {
    let reason = NOT_YET.iter().find(|(name, _)| *name == source);
    match (check(source, real), reason) {
        (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some((_, reason))) => {
            Err(format!("it vectorises now: take it off the list ({reason})").into())
        }
        (result, None) => result.map_err(Failed::from),
    }
}

fn check(source: &str, real: &str) -> Result<(), String> {
    let path = root().join("benches/work").join(source);
    let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let define = Define {
        name: "REAL".to_string(),
        value: real.to_string(),
    };
    let options = Options {
        defines: vec![define],
        ..Options::default()
    };
    let openmp = Backend::built_in("openmp").map_err(|e| e.to_string())?;
    let translation = brook::transpile(
        &Source::new(source, text.as_str()),
        &openmp,
        &options,
        &FileLoader,
    );
    let translation = translation.map_err(|e| e.to_string())?;
    let (vectorised, assembly) = report(&translation)?;
    let mut missing = match source.ends_with(".br") {
        true => streams(&translation, &vectorised),
        false => marked(&text, &translation, &vectorised),
    };
    missing.extend(masked_loops(&translation, &vectorised));
    if source.starts_with("mandelbrot") && !translation.device.contains(LANES_END) {
        missing.push("the loop that items leave at different times".to_string());
    }
    if !missing.is_empty() {
        return Err(format!("not vectorised: {}", missing.join(", ")));
    }
    // None of these kernels reads from places that it has read.
    let gathers = assembly.matches("gather").count();
    match gathers {
        0 => Ok(()),
        _ => Err(format!("{gathers} instructions gather")),
    }
}

/// Lines of which GCC says that their loop is vectorised, and the assembly; from the driver's own flags.
fn report(translation: &Translation) -> Result<(BTreeSet<usize>, String), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let (notes, listing) = (scratch.path().join("notes"), scratch.path().join("listing"));
    let options = CompileOptions {
        wrapping: translation.metadata.dialect == "brook",
        flags: vec![
            format!("-fopt-info-vec-optimized={}", notes.display()),
            format!("-Wa,-aln={}", listing.display()),
        ],
        ..CompileOptions::default()
    };
    let compiled = gcc()?.driver().compile(&translation.device, &options);
    compiled.map_err(|e| format!("{e}\n{}", e.log.clone().unwrap_or_default()))?;
    let notes = std::fs::read_to_string(&notes).unwrap_or_default();
    let lines = notes.lines().filter(|l| l.contains("loop vectorized"));
    let lines = lines.filter_map(|l| {
        l.split_once("kernel.cpp:")?
            .1
            .split(':')
            .next()?
            .parse()
            .ok()
    });
    let listing = std::fs::read(&listing).map_err(|e| e.to_string())?;
    let listing = String::from_utf8_lossy(&listing).into_owned();
    Ok((lines.collect(), listing))
}

/// Marked lines of the source whose loop is not vectorised. Of loops under `omp simd`, GCC may name a line of the
/// body instead of the header.
fn marked(text: &str, translation: &Translation, vectorised: &BTreeSet<usize>) -> Vec<String> {
    let sources = vectorised.iter().filter_map(|line| {
        let (_, source) = (*translation.source_map.get(line - 1)?)?;
        Some(source)
    });
    let sources: BTreeSet<usize> = sources.collect();
    let lines: Vec<&str> = text.lines().collect();
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut missing = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if line.ends_with("// vectorised") {
            let own = indentation(line);
            let body = lines[number + 1..].iter();
            let body = body.take_while(|l| !(l.trim_start() == "}" && indentation(l) <= own));
            let all = number + 1..=number + 1 + body.count();
            if sources.range(all).next().is_none() {
                missing.push(format!("line {}", number + 1));
            }
        }
    }
    missing
}

/// The last line of a loop over the lanes of a loop that items leave at different times, and its first.
const LANES_END: &str = "brook_any |= brook_going;";
const LANES_BEGIN: &str = "brook_any = 0;";

/// Such loops that are not vectorised.
fn masked_loops(translation: &Translation, vectorised: &BTreeSet<usize>) -> Vec<String> {
    let lines: Vec<&str> = translation.device.lines().map(str::trim).collect();
    let mut begin = 0;
    let mut missing = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if *line == LANES_BEGIN {
            // GCC names a line of the body; the pragma and the header stand for loops that begin and end the sum.
            begin = index + 4;
        } else if *line == LANES_END && vectorised.range(begin..=index + 1).next().is_none() {
            missing.push(format!("the loop over lanes in line {begin}"));
        }
    }
    missing
}

/// Kernels whose loop over streams is not vectorised: the one for streams that lie side by side, where there is one.
/// Loops that are meant to stay as they are say so.
fn streams(translation: &Translation, vectorised: &BTreeSet<usize>) -> Vec<String> {
    let lines: Vec<&str> = translation.device.lines().collect();
    let function = |prefix: &str, name: &str| {
        let head = format!("void {prefix}{name}(");
        let begin = lines.iter().position(|l| l.contains(&head))?;
        let body = lines[begin..].iter().take_while(|l| **l != "}").count();
        Some(begin + 1..=begin + body)
    };
    let kernels = translation.metadata.kernels.iter();
    let names = kernels.map(|kernel| kernel.name.clone());
    let missing = names.filter(|name| {
        let place = function("brook_linear_", name).or_else(|| function("brook_kernel_", name));
        place.is_some_and(|place| {
            let meant = &lines[*place.start() - 1..*place.end()];
            let scalar = meant.iter().any(|l| l.trim() == "BROOK_ONE_LANE");
            !scalar && vectorised.range(place).next().is_none()
        })
    });
    missing.collect()
}
