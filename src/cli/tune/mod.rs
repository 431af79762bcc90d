//! `brook tune`: over what may vary without changing what a kernel means, what is fastest.
//!
//! - `space.rs`: what may vary, and which combinations are allowed.
//! - `search.rs`: which of them to try.
//! - `trials.rs`: in a process of its own, builds, compares and measures.
//! - `worker.rs`, `protocol.rs`: that process as this one sees it, and what they say to each other.
//! - `progress.rs`: a line that says how far it is.
//! - `report.rs`: what was tried.

mod progress;
mod protocol;
mod report;
mod search;
mod space;
mod trials;
mod worker;

use super::arguments::spec::{self, Given};
use super::arguments::{self, Argument};
use super::common::{self, Arithmetic, Compile, Preprocess};
use super::files::cannot_write;
use super::terminal;
use super::trial::compare::Tolerance;
use super::trial::launch::{Placed, is_written};
use super::words;
use super::{Failure, Outcome};
use crate::cli::verify::subject::Subject;
use brook::Source;
use brook::metadata::{KernelMetadata, ParameterMetadata};
use brook::runtime::{self, Device, Settings, TunedFile, TunedKernel, tuned_folder};
use clap::Args;
use progress::Progress;
use protocol::{Verdict, Wanted};
use report::{Tried, time};
use space::{Point, Space};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use trials::Trials;
use worker::Worker;

#[derive(Args)]
pub(crate) struct Tune {
    /// The source: .br is Brook+, anything else OKL
    file: String,
    /// The kernel to tune
    #[arg(long, value_name = "NAME")]
    kernel: String,
    /// An argument, as `brook verify` takes it
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// The device, as `brook devices` names it; the fastest there is without this
    #[arg(long, value_name = "DEVICE", value_parser = words::devices(), hide_possible_values = true)]
    device: Option<String>,
    /// What may vary: a macro that the source has a value for (#ifndef), elements (an item takes at once), coarsen (iterations that
    /// an item runs), groups (that registers are to suffice for), math (default, strict, fast) or flag (of the device's compiler);
    /// -DNAME is a macro of any name (repeatable)
    #[arg(
        long = "space",
        value_name = "NAME=VALUE,…",
        allow_hyphen_values = true
    )]
    space: Vec<String>,
    /// Combinations that are allowed: an expression over these names (repeatable)
    #[arg(long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    conditions: Vec<String>,
    /// Try no more after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    budget: u64,
    /// Try all combinations, however many there are
    #[arg(long)]
    exhaustive: bool,
    /// How far results may be from those of the source as it is: 4ulp, or 1e-6 (absolute below 1, relative above)
    #[arg(long, default_value = "0ulp", value_parser = Tolerance::parse)]
    tolerance: Tolerance,
    /// An array that nobody looks at afterwards, so that it need not be the same (repeatable)
    #[arg(long = "scratch", value_name = "NAME")]
    scratch: Vec<String>,
    /// Take the time of each so often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    samples: u32,
    /// Launch once a sample, with arrays as they were: for kernels that append to what is there, or count up
    #[arg(long)]
    once: bool,
    /// Build so many at once; as many as there are processors without this
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Give up one that nothing has come of after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
    /// Remember what is best in DIR, for builds (without this BROOK_TUNED names it); remember nothing where neither is given
    #[arg(long, value_name = "DIR")]
    tuned: Option<PathBuf>,
    /// Draw the times in the order of trying (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write everything that was tried (JSON)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print so many rows of the table
    #[arg(long, value_name = "N", default_value_t = 12)]
    rows: usize,
    /// The arithmetic of the device's compiler
    #[arg(long, value_enum, default_value_t)]
    math: Arithmetic,
    #[command(flatten)]
    preprocess: Preprocess,
    #[command(flatten)]
    compile: Compile,
    /// Try what the other process says, with a folder for results
    #[arg(long, hide = true, value_name = "DIR")]
    worker: Option<PathBuf>,
}

/// The fastest so many are measured again, by turns.
const FINALISTS: usize = 4;

/// How often; and in how many rounds one has to be faster than the source as it is: by chance one in fifty is.
const ROUNDS: usize = 9;
const MOST_ROUNDS: usize = 8;

/// Samples of each in a round, of which the shortest counts.
const SAMPLES: usize = 3;

/// What is less faster than this than the source as it is, is not worth anything.
const WORTH: f64 = 1.01;

/// What varies where nothing is said: how work is shared out, which is the translator's own to say.
const USUAL: [&str; 3] = ["elements=1,2,4", "coarsen=1,2,4,8", "groups=1,2,3,4"];

impl Tune {
    pub(crate) fn run(self) -> Outcome {
        if let Some(device) = &self.device {
            common::check_device_name(device)?;
        }
        let given = self.arguments.iter().map(|text| spec::parse(text));
        let given: Vec<(String, Given)> =
            given.collect::<Result<_, _>>().map_err(Failure::Usage)?;
        let usual = || USUAL.map(str::to_string).to_vec();
        let axes = match self.space.is_empty() {
            true => usual(),
            false => self.space.clone(),
        };
        let space = Space::new(&axes, &self.conditions).map_err(Failure::Usage)?;
        let points = space.points().map_err(Failure::Usage)?;
        if self.file == "-" {
            let message = "a source on standard input cannot be tuned: the program that tries things reads it, too";
            return Err(Failure::Usage(message.to_string()));
        }
        let subject = Subject::read(&self.file)?;
        let Subject::Source(source) = &subject else {
            let message = "what is compiled already cannot be tuned: give its source";
            return Err(Failure::Usage(message.to_string()));
        };
        if let Some(scratch) = &self.worker {
            return self.work(scratch, source.clone(), &given);
        }
        let options = self.preprocess.options_for(&self.file)?;
        let has_math = !matches!(self.math, Arithmetic::Default);
        let said = space.check_against(&options, has_math);
        said.map_err(Failure::Usage)?;
        let kernels = subject.kernels(&options, &self.preprocess)?;
        let kernel = common::kernel(&self.file, kernels, Some(&self.kernel))?;
        let shape = shape(
            &kernel,
            &arguments::arguments(&kernel, &given)?,
            &self.arguments,
        );
        let compared = |p: &ParameterMetadata| is_written(p) && !self.scratch.contains(&p.name);
        let known = |name: &&String| kernel.parameters.iter().any(|p| p.name == **name);
        if let Some(name) = self.scratch.iter().find(|name| !known(name)) {
            let message = format!("--scratch: kernel '{}' has no '{name}'", kernel.name);
            return Err(Failure::Usage(message));
        }
        if !kernel.parameters.iter().any(compared) {
            let message = format!("kernel '{}' writes nothing to compare", kernel.name);
            return Err(Failure::Usage(message));
        }
        self.tune(&space, &points, shape)
    }

    fn tune(&self, space: &Space, points: &[Point], shape: String) -> Outcome {
        // That it cannot be read is better known now.
        let fail = |e: runtime::Error| Failure::System(e.to_string());
        let folder = self.tuned.clone().or_else(tuned_folder);
        if let Some(folder) = &folder {
            TunedFile::read(folder, &self.file).map_err(fail)?;
        }
        let mut judge = Tuning {
            space,
            worker: Worker::new(Duration::from_secs(self.timeout.max(1)))?,
            samples: self.samples as usize,
            end: Instant::now().checked_add(Duration::from_secs(self.budget)),
            tried: Vec::new(),
            progress: Progress::new(points.len(), self.budget),
            failure: None,
        };
        judge.as_it_is()?;
        search::search(space, points, self.exhaustive, &mut judge);
        if let Some(failure) = judge.failure.take() {
            return Err(failure);
        }
        let winner = judge.decide()?;
        judge.progress.clear();
        if let Some(folder) = folder {
            let remembered = self.remember(&folder, &judge, winner.as_ref(), shape);
            remembered.map_err(fail)?;
        }
        self.report(&judge, points.len(), winner.as_ref())?;
        Ok(ExitCode::SUCCESS)
    }

    fn report(
        &self,
        judge: &Tuning<'_>,
        allowed: usize,
        winner: Option<&Tried>,
    ) -> Result<(), Failure> {
        let (space, tried) = (judge.space, &judge.tried);
        let (_, device) = judge.worker.device.clone().unwrap_or_default();
        let title = format!(
            "'{}' of {} on {device}: {} of {allowed} combinations tried",
            self.kernel,
            self.file,
            tried.len() - 1
        );
        let mut text = format!("{title}\n{}", report::ranking(space, tried, self.rows));
        text.push_str(&report::left_out(space, tried));
        let same = |t: &Tried| matches!(t.verdict, Verdict::Same(_));
        if tried.len() > 1 && tried[1..].iter().all(same) {
            text.push_str(
                "nothing that varies makes a difference: a macro has to be one that the source uses, and defines only #ifndef\n",
            );
        }
        let best = match (winner.and_then(Tried::seconds), judge.before()) {
            (Some(seconds), Some(before)) => format!(
                "best: {}, {}, {:.3} times as fast as the source as it is\n",
                winner
                    .and_then(|w| w.point.as_ref())
                    .map(|p| space.describe(p))
                    .unwrap_or_default(),
                time(seconds),
                before / seconds
            ),
            _ if tried.len() == 1 && allowed > 0 => format!(
                "nothing was tried: the source as it is took the {} s that are allowed (--budget)\n",
                self.budget
            ),
            _ => "best: the source as it is\n".to_string(),
        };
        terminal::print(&format!("{text}{best}"))?;
        let write = |path: &Path, text: String| {
            std::fs::write(path, text).map_err(|e| cannot_write(path, &e))
        };
        if let Some(path) = &self.plot {
            write(path, report::drawing(&title, space, tried))?;
        }
        if let Some(path) = &self.json {
            write(path, report::json(space, tried))?;
        }
        Ok(())
    }

    fn remember(
        &self,
        folder: &Path,
        judge: &Tuning<'_>,
        winner: Option<&Tried>,
        shape: String,
    ) -> runtime::Result<()> {
        let (backend, device) = judge.worker.device.clone().unwrap_or_default();
        let before = judge.before().unwrap_or(0.0);
        let point = winner.and_then(|w| w.point.as_ref());
        let mut file = TunedFile::read(folder, &self.file)?;
        file.remember(TunedKernel {
            kernel: self.kernel.clone(),
            backend,
            device,
            shape,
            seconds: winner.and_then(Tried::seconds).unwrap_or(before),
            seconds_before: before,
            settings: point.map_or_else(Settings::default, |p| judge.space.settings(p)),
        });
        file.write(folder, &self.file)
    }

    /// In the other process.
    fn work(&self, scratch: &Path, source: Source, given: &[(String, Given)]) -> Outcome {
        let fail = |error: runtime::Error| Failure::System(error.to_string());
        let options = self.preprocess.options_for(&self.file)?;
        let device = match &self.device {
            Some(name) => Device::open(name),
            None => Device::detect(),
        };
        let device = device.map_err(fail)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let trials = Trials {
            source,
            kernel: self.kernel.clone(),
            options: self.compile.build_options(options, self.math),
            tolerance: self.tolerance,
            scratch: self.scratch.clone(),
            jobs: self.jobs.unwrap_or(processors),
            once: self.once,
            results: scratch.join("results"),
            device,
        };
        // What the arguments are for; the source as it is has the types.
        let program = trials.device.build(&trials.source, &trials.options);
        let kernel = program.and_then(|p| p.kernel(&self.kernel)).map_err(fail)?;
        let metadata: KernelMetadata = kernel.metadata().clone();
        let arguments: Vec<Argument> = arguments::arguments(&metadata, given)?;
        let known = (metadata.form, metadata.parameters.as_slice());
        let placed = Placed::new(&trials.device, known, arguments).map_err(fail)?;
        let requests = trials::requests();
        let served = trials.serve((placed, metadata), &requests, std::io::stdout());
        served.map_err(|e| Failure::System(e.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Values and sizes of the arguments, in the kernel's order: `n=100 x=10x10`.
fn shape(kernel: &KernelMetadata, arguments: &[Argument], given: &[String]) -> String {
    let words = kernel.parameters.iter().zip(arguments);
    let words = words.map(|(parameter, argument)| {
        let name = &parameter.name;
        let what: String = match argument {
            Argument::Array(array) => {
                let shape: Vec<String> = array.shape.iter().map(u32::to_string).collect();
                shape.join("x")
            }
            Argument::Value(_) | Argument::Variable(_) => {
                let pairs = given.iter().filter_map(|text| text.split_once('='));
                let value = pairs.filter(|(n, _)| n.trim() == name).map(|(_, v)| v);
                value.flat_map(str::split_whitespace).collect()
            }
        };
        format!("{name}={what}")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What has been tried, and what tries more.
struct Tuning<'s> {
    space: &'s Space,
    worker: Worker,
    samples: usize,
    /// `None` is never.
    end: Option<Instant>,
    tried: Vec<Tried>,
    progress: Progress,
    /// Why nothing can be tried any more.
    failure: Option<Failure>,
}

impl Tuning<'_> {
    fn before(&self) -> Option<f64> {
        self.tried.first().and_then(Tried::seconds)
    }

    fn best(&self) -> Option<f64> {
        let times = self.tried.iter().filter_map(Tried::seconds);
        times.min_by(f64::total_cmp)
    }

    /// How long one takes: as long as another that is the same code.
    fn time_of(&self, tried: &Tried) -> Option<f64> {
        let Verdict::Same(settings) = &tried.verdict else {
            return tried.seconds();
        };
        let of = |t: &&Tried| {
            let point = t.point.as_ref();
            point.map_or_else(Settings::default, |p| self.space.settings(p)) == *settings
        };
        self.tried.iter().find(of)?.seconds()
    }

    /// The source as it is, which has to be right: all others are held against it.
    fn as_it_is(&mut self) -> Result<(), Failure> {
        let wanted = Wanted {
            samples: self.samples,
            as_it_is: true,
            ..Wanted::default()
        };
        let alone = [Settings::default()];
        let first = self.worker.try_all(&alone, &wanted, &mut || {})?;
        // Whose results differ each time cannot be held against anything.
        let again = Wanted {
            again: true,
            samples: 1,
            ..wanted
        };
        let second = self.worker.try_all(&alone, &again, &mut || {})?;
        let all = first.iter().map(|v| (v, ""));
        let all = all.chain(second.iter().map(|v| (v, ", launched once more")));
        for (verdict, launch) in all {
            if let Verdict::Pruned(what) | Verdict::Wrong(what) | Verdict::Failed(what) = verdict {
                let more = match verdict {
                    Verdict::Wrong(_) => {
                        " (--tolerance says how far it may be, --scratch what does not matter)"
                    }
                    _ => "",
                };
                return Err(Failure::System(format!(
                    "the source as it is{launch}: {what}{more}"
                )));
            }
        }
        let first = first.into_iter().map(|verdict| Tried::new(None, verdict));
        self.tried.extend(first);
        Ok(())
    }

    /// Measures the fastest again, by turns with the source as it is: whichever is fastest then; nothing if that is the source.
    fn decide(&mut self) -> Result<Option<Tried>, Failure> {
        let mut ranked: Vec<(f64, usize)> = self
            .tried
            .iter()
            .enumerate()
            .skip(1)
            .filter_map(|(index, t)| Some((t.seconds()?, index)))
            .collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        ranked.truncate(FINALISTS);
        if ranked.is_empty() {
            return Ok(None);
        }
        let finalists: Vec<usize> = std::iter::once(0)
            .chain(ranked.iter().map(|r| r.1))
            .collect();
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); finalists.len()];
        for round in 0..ROUNDS {
            self.progress
                .say(&format!("the fastest once more, {} of {ROUNDS}", round + 1));
            for turn in 0..finalists.len() {
                // None is always the first.
                let place = (round + turn) % finalists.len();
                let index = finalists[place];
                let point = self.tried[index].point.as_ref();
                let settings = point.map_or_else(Settings::default, |p| self.space.settings(p));
                let wanted = Wanted {
                    samples: SAMPLES,
                    as_it_is: index == 0,
                    again: true,
                    best: None,
                };
                let verdicts = self.worker.try_all(&[settings], &wanted, &mut || {})?;
                for verdict in verdicts {
                    // Whatever else the machine does makes a sample longer, and never shorter.
                    if let Verdict::Took { seconds, .. } = verdict {
                        times[place].extend(seconds.into_iter().min_by(f64::total_cmp));
                    }
                }
            }
        }
        for (samples, &index) in times.into_iter().zip(&finalists) {
            // What failed now and then is not to be relied on.
            let tried = &mut self.tried[index];
            match &tried.verdict {
                Verdict::Took { .. } if samples.len() == ROUNDS => tried.again = samples,
                _ if index > 0 => {
                    let what = "it failed when it was measured again";
                    tried.verdict = Verdict::Failed(what.to_string());
                }
                _ => {}
            }
        }
        let before = &self.tried[0];
        let faster = finalists[1..].iter().filter_map(|&index| {
            let tried = &self.tried[index];
            let rounds = tried.again.iter().zip(&before.again);
            let won = rounds.filter(|(new, old)| new < old).count();
            let gain = before.seconds()? / tried.seconds()?;
            (won >= MOST_ROUNDS && gain >= WORTH).then_some((gain, tried))
        });
        let fastest = faster.max_by(|a, b| a.0.total_cmp(&b.0));
        Ok(fastest.map(|(_, tried)| tried.clone()))
    }
}

impl search::Judge for Tuning<'_> {
    fn judge(&mut self, points: &[Point]) -> Vec<Option<f64>> {
        let settings: Vec<Settings> = points.iter().map(|p| self.space.settings(p)).collect();
        let best = self.best();
        let (tried, before) = (self.tried.len() - 1, self.before());
        let progress = &mut self.progress;
        let mut news = 0;
        let wanted = Wanted {
            samples: self.samples,
            best,
            ..Wanted::default()
        };
        let verdicts = self.worker.try_all(&settings, &wanted, &mut || {
            news += 1;
            progress.tried(tried, news, best, before);
        });
        match verdicts {
            Ok(verdicts) => {
                let fresh = points
                    .iter()
                    .zip(verdicts)
                    .map(|(point, verdict)| Tried::new(Some(point.clone()), verdict));
                let first = self.tried.len();
                self.tried.extend(fresh);
                let times = self.tried[first..].iter();
                times.map(|t| self.time_of(t)).collect()
            }
            Err(failure) => {
                self.failure = Some(failure);
                Vec::new()
            }
        }
    }

    fn is_over(&self) -> bool {
        self.failure.is_some() || self.end.is_some_and(|end| Instant::now() >= end)
    }
}
