//! The interpreter of `brook sanitize` computes what references compute, and finds nothing in cases but what they say.

use crate::support::Trial;
use crate::support::cases::{self, Case, root};
use crate::support::reference::Reference;
use crate::support::streams::{self, Argument as Streamed};
use brook::Source;
use brook::interpret::{Argument, Order, Settings};
use brook::source::FileLoader;
use std::collections::BTreeMap;

/// Cases that the interpreter does not take, and the first thing in each that is not modelled.
fn not_modelled() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(root().join("tests/data/not-interpreted.txt"));
    let text = text.unwrap_or_default();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let pairs = lines.filter_map(|l| l.split_once(": "));
    pairs.map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    let known = not_modelled();
    let all = cases::okl().into_iter().map(|case| {
        let known = known.get(&case.name).cloned();
        Trial::test(case.name.clone(), move || Ok(judge(run(&case), known)?))
    });
    let known = not_modelled();
    let streams = cases::brook().into_iter().filter_map(|case| {
        let about = case.about().ok()?;
        let name = format!("streams::{}", case.name);
        let known = known.get(&name).cloned();
        let test = move || Ok(judge(run_streams(&case), known)?);
        (!about.launch.is_empty()).then(|| Trial::test(name, test))
    });
    all.chain(streams).collect()
}

/// Whether a case is as it should be, or what is known to be missing is.
fn judge(found: Result<(), String>, known: Option<String>) -> Result<(), String> {
    match (found, known) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(_)) => {
            Err("all is well now: take it out of tests/data/not-interpreted.txt".to_string())
        }
        (Err(error), Some(what)) => {
            let said = format!("does not model {what}");
            match error.lines().any(|line| line.ends_with(&said)) {
                true => Ok(()),
                false => Err(error),
            }
        }
        (Err(error), None) => Err(error),
    }
}

/// Whether what is found in a case is what it says, or nothing.
fn expect(finding: Option<&str>, found: String) -> Result<(), String> {
    match finding {
        Some(finding) if found.contains(finding) => Ok(()),
        Some(finding) => Err(format!("'{finding}' is not found; what is: {found}")),
        None if found.is_empty() => Ok(()),
        None => Err(found),
    }
}

const ORDERS: [Order; 3] = [Order::Forward, Order::Reversed, Order::Random(7)];

/// The kernels of a Brook+ file, called as the case says.
fn run_streams(case: &Case) -> Result<(), String> {
    let about = case.about()?;
    let reference = Reference::build(case, &about)?;
    let options = about.options();
    let source = Source::new(case.path.display().to_string(), case.source().text);
    let mut findings = String::new();
    for (index, launch) in about.launch.iter().enumerate() {
        let place = || format!("launch {} ({})", index + 1, launch.kernel);
        let mut ours = Streamed::all(launch)?;
        let mut theirs = Streamed::all(launch)?;
        let shapes: Vec<Vec<u32>> = ours.iter().map(|a| a.extents().to_vec()).collect();
        let mut arguments: Vec<Argument> = ours
            .iter()
            .map(|argument| {
                let bytes = argument.value.bytes().to_vec();
                match argument.is_value() {
                    true => Argument::Value(bytes),
                    false => Argument::Buffer {
                        bytes,
                        filled: true,
                    },
                }
            })
            .collect();
        let found = brook::sanitize_streams(
            &source,
            &options,
            &FileLoader,
            &launch.kernel,
            &mut arguments,
            &shapes,
            &ORDERS,
            &Settings::default(),
        );
        let found = found.map_err(|report| format!("{}: {report}", place()))?;
        reference.call_streams(&launch.kernel, &mut theirs)?;
        for (argument, made) in ours.iter_mut().zip(&arguments) {
            if let Argument::Buffer { bytes, .. } = made {
                argument.value.bytes_mut().copy_from_slice(bytes);
            }
        }
        streams::compare(
            &ours,
            &theirs,
            about.interpreted_tolerance.unwrap_or(about.tolerance),
        )
        .map_err(|e| format!("{}: {e}", place()))?;
        if !found.is_clean() {
            findings.push_str(&format!("{}: {}", place(), found.report));
        }
    }
    expect(about.finding.as_deref(), findings)
}

fn run(case: &Case) -> Result<(), String> {
    let about = case.about()?;
    let reference = Reference::build(case, &about)?;
    let options = about.options();
    let source = Source::new(case.path.display().to_string(), case.source().text);
    // What one backend alone cannot do is sound.
    let everywhere = about.rejected.contains_key("cuda");
    let rejected = about.rejected.get("openmp").filter(|_| everywhere);
    let mut findings = String::new();
    for (index, launch) in about.launch.iter().enumerate() {
        let place = || format!("launch {} ({})", index + 1, launch.kernel);
        let mut values = launch.arguments()?;
        let mut expected = launch.arguments()?;
        let mut arguments: Vec<Argument> = values
            .iter()
            .map(|value| match value.buffer {
                true => Argument::Buffer {
                    bytes: value.bytes().to_vec(),
                    filled: true,
                },
                false => Argument::Value(value.bytes().to_vec()),
            })
            .collect();
        let found = brook::sanitize(
            &source,
            &options,
            &FileLoader,
            &launch.kernel,
            &mut arguments,
            &ORDERS,
            &Settings::default(),
        );
        let found = match (found, rejected) {
            (Err(report), Some(code)) if report.to_string().contains(code.as_str()) => continue,
            (Err(report), _) => return Err(format!("{}: {report}", place())),
            (Ok(_), Some(code)) => return Err(format!("{code} is expected, but it is accepted")),
            (Ok(found), None) => found,
        };
        reference.call(&launch.kernel, &mut expected)?;
        for (index, argument) in arguments.iter().enumerate() {
            if let Argument::Buffer { bytes, .. } = argument {
                values[index].bytes_mut().copy_from_slice(bytes);
                values[index]
                    .compare(
                        &expected[index],
                        about.interpreted_tolerance.unwrap_or(about.tolerance),
                    )
                    .map_err(|e| format!("{}: argument {}: {e}", place(), index + 1))?;
            }
        }
        if !found.is_clean() {
            findings.push_str(&format!("{}: {}", place(), found.report));
        }
    }
    expect(about.finding.as_deref(), findings)
}
