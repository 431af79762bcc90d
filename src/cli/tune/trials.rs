//! In a process of its own: builds a kernel with each of some settings, holds its results against those of the source as it is, and
//! takes the time.

use super::protocol::{Reply, Request, Verdict, Wanted};
use crate::cli::arguments::array::Array;
use crate::cli::trial::compare::{self, Tolerance};
use crate::cli::trial::launch::{self, Placed};
use brook::Source;
use brook::metadata::KernelMetadata;
use brook::runtime::{BuildOptions, Device, Error, Kernel, Settings};
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Instant;

/// How long a sample takes at least, in seconds, if need be by several launches.
const SAMPLE: f64 = 5e-3;

/// Launches of a sample at most.
const MOST_LAUNCHES: usize = 1000;

/// What takes so many times as long as the best is not measured again.
const HOPELESS: f64 = 1.5;

pub(super) struct Trials {
    pub(super) device: Device,
    pub(super) source: Source,
    pub(super) kernel: String,
    pub(super) options: BuildOptions,
    pub(super) tolerance: Tolerance,
    /// Arrays that need not be the same.
    pub(super) scratch: Vec<String>,
    pub(super) jobs: usize,
    /// A sample is one launch.
    pub(super) once: bool,
    /// Where the results are kept that all others are held against.
    pub(super) results: PathBuf,
}

/// The arguments in memory, and what the source as it is makes of them.
struct Ground {
    placed: Placed,
    metadata: KernelMetadata,
    reference: Option<Vec<Option<Array>>>,
    /// By what they make of the source: the settings that have been tried.
    known: HashMap<String, Settings>,
}

impl Trials {
    /// Answers requests until there are no more.
    pub(super) fn serve(
        &self,
        ground: (Placed, KernelMetadata),
        input: &Receiver<String>,
        mut output: impl Write,
    ) -> std::io::Result<()> {
        let (placed, metadata) = ground;
        let mut ground = Ground {
            placed,
            metadata,
            reference: None,
            known: HashMap::new(),
        };
        let mut say = |reply: &Reply| -> std::io::Result<()> {
            // The kernel may have printed something.
            output.write_all(b"\n")?;
            serde_json::to_writer(&mut output, reply)?;
            output.write_all(b"\n")?;
            output.flush()
        };
        let info = self.device.info();
        say(&Reply::Ready {
            backend: self.device.backend().name.clone(),
            device: info.name.clone(),
        })?;
        while let Ok(line) = input.recv() {
            let request: Request = serde_json::from_str(&line)?;
            let all = request.settings.iter();
            let verdicts: Vec<Option<Verdict>> = match request.wanted.again {
                true => all.map(|_| None).collect(),
                false => all.map(|s| self.before(s, &mut ground.known)).collect(),
            };
            let fresh = request.settings.iter().zip(&verdicts);
            let fresh = fresh.filter(|(_, v)| v.is_none()).map(|(s, _)| s);
            let fresh: Vec<&Settings> = fresh.collect();
            let mut kernels = self.build(&fresh, &mut say)?.into_iter();
            for verdict in verdicts {
                let verdict = match verdict {
                    Some(verdict) => verdict,
                    None => match kernels.next() {
                        Some(Ok(kernel)) => self.verdict(&mut ground, &kernel, &request.wanted),
                        Some(Err(error)) => Verdict::Failed(error),
                        None => Verdict::Failed("it was not built".to_string()),
                    },
                };
                say(&Reply::Tried(verdict))?;
            }
        }
        Ok(())
    }

    /// What is known of settings before anything is built with them.
    fn before(
        &self,
        settings: &Settings,
        known: &mut HashMap<String, Settings>,
    ) -> Option<Verdict> {
        let options = settings.apply(self.options.clone(), &self.kernel);
        let translated = options.and_then(|o| self.device.translate(&self.source, &o));
        // As many groups as there were are of the launch, and not of the text.
        let text = match translated {
            Ok(t) => format!("{}\n{}", t.device, serde_json::json!(t.metadata)),
            Err(error) => return Some(Verdict::Failed(error.to_string())),
        };
        // A value that the source need not choose itself leaves blank lines.
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let text: Vec<&str> = lines.collect();
        let key = format!("{} {}", settings.for_compiler(), text.join("\n"));
        match known.get(&key) {
            Some(other) => Some(Verdict::Same(other.clone())),
            None => {
                known.insert(key, settings.clone());
                None
            }
        }
    }

    /// Builds with all settings, several at a time.
    fn build(
        &self,
        settings: &[&Settings],
        say: &mut dyn FnMut(&Reply) -> std::io::Result<()>,
    ) -> std::io::Result<Vec<Result<Kernel, String>>> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = std::sync::mpsc::channel();
        let mut built: Vec<Option<Result<Kernel, String>>> = Vec::new();
        built.resize_with(settings.len(), || None);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, settings.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(wanted) = settings.get(index) else {
                            return;
                        };
                        let kernel = self.kernel(wanted);
                        // Whoever listens stays until all have spoken.
                        let _ = sender.send((index, kernel));
                    }
                });
            }
            for _ in 0..settings.len() {
                let Ok((index, kernel)) = receiver.recv() else {
                    break;
                };
                built[index] = Some(kernel);
                say(&Reply::Built)?;
            }
            Ok::<(), std::io::Error>(())
        })?;
        let nothing = || Err("it was not built".to_string());
        Ok(built
            .into_iter()
            .map(|k| k.unwrap_or_else(nothing))
            .collect())
    }

    fn kernel(&self, settings: &Settings) -> Result<Kernel, String> {
        let options = settings.apply(self.options.clone(), &self.kernel);
        let program = options.and_then(|o| self.device.build(&self.source, &o));
        let kernel = program.and_then(|p| p.kernel(&self.kernel));
        kernel.map_err(|e| e.to_string())
    }

    fn verdict(&self, ground: &mut Ground, kernel: &Kernel, wanted: &Wanted) -> Verdict {
        let tried = self.try_kernel(ground, kernel, wanted);
        tried.unwrap_or_else(Verdict::Failed)
    }

    fn try_kernel(
        &self,
        ground: &mut Ground,
        kernel: &Kernel,
        wanted: &Wanted,
    ) -> Result<Verdict, String> {
        if !same_parameters(&ground.metadata, kernel.metadata()) {
            let what = "the kernel's parameters are of other types";
            return Ok(Verdict::Wrong(what.to_string()));
        }
        let mut fits = String::new();
        for (items, residency) in ground.placed.residency(kernel).map_err(said)? {
            let resident = residency.groups.saturating_mul(items);
            if residency.groups == 0 {
                let what = "not one group fits a multiprocessor";
                return Ok(Verdict::Pruned(what.to_string()));
            }
            if resident < residency.issued && !wanted.as_it_is {
                return Ok(Verdict::Pruned(format!(
                    "{resident} items fit a multiprocessor, which issues for {} at once",
                    residency.issued
                )));
            }
            fits = format!("{resident} items, {} registers", residency.registers);
            if residency.spilled > 0 {
                fits = format!("{fits}, {} bytes spilled", residency.spilled);
            }
        }
        ground.placed.reset().map_err(said)?;
        let began = Instant::now();
        ground.placed.launch(kernel, 1).map_err(said)?;
        let first = began.elapsed().as_secs_f64();
        if let Some(wrong) = self.compare(ground, wanted.as_it_is)? {
            return Ok(Verdict::Wrong(wrong));
        }
        let launches = |seconds: f64| match self.once {
            true => 1,
            false => launches(seconds),
        };
        let mut number = launches(first);
        let mut seconds = Vec::new();
        // The first sample finds out how many launches the others take.
        for sample in 0..=wanted.samples {
            ground.placed.reset().map_err(said)?;
            let began = Instant::now();
            ground.placed.launch(kernel, number).map_err(said)?;
            let each = began.elapsed().as_secs_f64() / number as f64;
            if sample > 0 {
                seconds.push(each);
            } else {
                number = launches(each);
            }
            if let Some(best) = wanted.best
                && each > best * HOPELESS
            {
                seconds = vec![each];
                break;
            }
        }
        Ok(Verdict::Took { seconds, fits })
    }

    /// Why the results are wrong, if they are. Those of the source as it is are kept for the others.
    fn compare(&self, ground: &mut Ground, as_it_is: bool) -> Result<Option<String>, String> {
        let found = ground.placed.results().map_err(said)?;
        let fail = |e: std::io::Error| e.to_string();
        let path = |index: usize| self.results.join(index.to_string());
        if ground.reference.is_none() {
            if as_it_is && !path(0).with_extension("all").exists() {
                fs::create_dir_all(&self.results).map_err(fail)?;
                for (index, array) in found.iter().enumerate() {
                    if let Some(array) = array {
                        fs::write(path(index), &array.bytes).map_err(fail)?;
                    }
                }
                fs::write(path(0).with_extension("all"), b"").map_err(fail)?;
            }
            let arrays = found.iter().enumerate().map(|(index, array)| {
                let Some(array) = array else { return Ok(None) };
                let bytes = fs::read(path(index)).map_err(fail)?;
                let array = array.clone();
                Ok(Some(Array { bytes, ..array }))
            });
            ground.reference = Some(arrays.collect::<Result<_, String>>()?);
        }
        let reference = ground.reference.iter().flatten();
        let pairs = reference.zip(&found).zip(&ground.metadata.parameters);
        for ((expected, found), parameter) in pairs {
            let (Some(expected), Some(found)) = (expected, found) else {
                continue;
            };
            if !launch::is_written(parameter) || self.scratch.contains(&parameter.name) {
                continue;
            }
            let difference = compare::compare(expected, found, self.tolerance);
            let elements = expected.bytes.len() / expected.element.bytes.max(1);
            if let Some(what) = difference.complaint(elements) {
                return Ok(Some(format!("{}: {what}", parameter.name)));
            }
        }
        Ok(None)
    }
}

/// Requests, as they are read. When whoever asks is gone, this process ends with whatever it is doing: a kernel may never end.
pub(super) fn requests() -> Receiver<String> {
    let (sender, requests) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    requests
}

/// How many launches make a sample, of which one takes so long.
fn launches(seconds: f64) -> usize {
    let wanted = (SAMPLE / seconds.max(1e-9)).ceil();
    (wanted as usize).clamp(1, MOST_LAUNCHES)
}

fn same_parameters(one: &KernelMetadata, other: &KernelMetadata) -> bool {
    let all = |k: &KernelMetadata| -> Vec<(String, String, bool)> {
        let parameters = k.parameters.iter();
        let parameters = parameters.map(|p| (p.name.clone(), p.type_name.clone(), p.constant));
        parameters.collect()
    };
    one.form == other.form && all(one) == all(other)
}

fn said(error: Error) -> String {
    error.to_string()
}
