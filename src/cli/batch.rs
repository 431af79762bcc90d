//! Many sources at once: each is translated by whichever thread is free, and what is said about them is said in
//! their order.

use super::Failure;
use super::choices::Kernels;
use super::files::tree;
use super::parallel::in_order;
use super::progress::{Line, bar};
use super::reader::Reader;
use super::terminal::{self, MessageFormat};
use super::timings::{Timings, Wanted};
use brook::backend::Backend;
use brook::diagnostics::Report;
use brook::{Options, Source, Translation};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Of sources in folders.
pub(crate) const ENDINGS: &[&str] = &["okl", "br", "bri"];

/// A source, and the folder below the output's that its results go to.
struct Job {
    source: PathBuf,
    folder: PathBuf,
}

/// What became of a source.
enum Done {
    /// And what was written of it; nothing yet if that waits.
    Translated(Box<Translation>, Vec<PathBuf>),
    Rejected(Box<Report>),
    Failed(String),
}

/// Writes the results of a source of that name, with the backend's extension, into a folder; which files these are.
type Writer = fn(&Path, &str, &str, &Translation) -> Result<Vec<PathBuf>, Failure>;

/// Looks at the kernels of all sources.
type Check<'b> = &'b (dyn Fn(&Kernels) -> Result<(), Failure> + Sync);

/// How sources are translated, and where to.
pub(crate) struct Batch<'b> {
    pub(crate) backend: &'b Backend,
    pub(crate) options: &'b (dyn Fn(&str) -> Result<Options, Failure> + Sync),
    pub(crate) output: &'b Path,
    pub(crate) jobs: usize,
    pub(crate) format: MessageFormat,
    pub(crate) timings: Wanted,
    pub(crate) write: Writer,
    /// If there is something to look for: nothing is written before it agrees.
    pub(crate) check: Option<Check<'b>>,
    pub(crate) reader: &'b Reader,
}

/// What was done.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) written: Vec<PathBuf>,
    /// Sources, and what they include.
    pub(crate) read: Vec<PathBuf>,
    pub(crate) sources: Vec<String>,
}

impl Batch<'_> {
    /// Translates all sources in files and below folders. What was written, and which sources and files were read for it.
    ///
    /// # Errors
    /// The first failure, when all others have been told, too.
    pub(crate) fn run(&self, paths: &[String]) -> Result<Written, Failure> {
        let mut failures = Vec::new();
        let timings = self.timings.start();
        let jobs = jobs(paths, &mut failures)?;
        let progress = Progress::new(jobs.len());
        let times = Mutex::default();
        let waits = self.check.is_some();
        let results = in_order(
            jobs.len(),
            self.jobs,
            || self.timings.start(),
            |timings, index| {
                let done = self.translate(&jobs[index], waits, timings);
                progress.step();
                done
            },
            |timings| timings.add_to(&times),
        );
        progress.end();
        timings.take(times);
        let mut all = Written::default();
        let mut kernels = Kernels::default();
        let mut waiting = Vec::new();
        for (job, result) in jobs.iter().zip(results) {
            match result {
                Some(Done::Translated(translation, files)) => {
                    all.written.extend(files);
                    kernels.add(&translation.metadata);
                    all.read.push(job.source.clone());
                    let included = translation.dependencies.iter();
                    all.read.extend(included.map(PathBuf::from));
                    all.sources.push(job.source.display().to_string());
                    terminal::report(&translation.warnings, self.format);
                    if waits {
                        waiting.push((job, translation));
                    }
                }
                Some(Done::Rejected(report)) => {
                    terminal::report(&report, self.format);
                    failures.push(Failure::Input);
                }
                Some(Done::Failed(message)) => failures.push(Failure::System(message)),
                None => failures.push(Failure::System("a translation did not end".to_string())),
            }
        }
        // What could not be translated may have any kernel.
        if let Some(check) = self.check.filter(|_| failures.is_empty()) {
            check(&kernels)?;
        }
        if !waiting.is_empty() {
            timings.enter("write");
        }
        for (job, translation) in waiting {
            match self.write(job, &translation) {
                Ok(files) => all.written.extend(files),
                Err(what) => failures.push(Failure::System(what)),
            }
        }
        timings.print();
        let mut failures = failures.into_iter();
        let first = failures.next();
        for failure in failures {
            if let Failure::System(message) | Failure::Usage(message) = failure {
                eprintln!("brook: {message}");
            }
        }
        first.map_or(Ok(all), Err)
    }

    fn translate(&self, job: &Job, waits: bool, timings: &Timings) -> Done {
        timings.enter("read");
        let name = job.source.display().to_string();
        let source = match self.reader.bytes(&job.source) {
            Ok(bytes) => Source::new(name, bytes),
            Err(error) => return Done::Failed(format!("cannot read '{name}': {error}")),
        };
        let options = match (self.options)(&source.name) {
            Ok(options) => options,
            Err(Failure::System(what) | Failure::Usage(what)) => return Done::Failed(what),
            Err(Failure::Input) => {
                return Done::Failed(format!("no options for '{}'", source.name));
            }
        };
        let translated = timings.transpile(&source, self.backend, &options, self.reader);
        timings.enter("write");
        match translated {
            Err(report) => Done::Rejected(report),
            Ok(translation) if waits => Done::Translated(Box::new(translation), Vec::new()),
            Ok(translation) => match self.write(job, &translation) {
                Ok(written) => Done::Translated(Box::new(translation), written),
                Err(what) => Done::Failed(what),
            },
        }
    }

    /// Writes what became of a source; or what went wrong.
    fn write(&self, job: &Job, translation: &Translation) -> Result<Vec<PathBuf>, String> {
        let folder = self.output.join(&job.folder);
        let name = job.source.display().to_string();
        (self.write)(&folder, &name, &self.backend.extension, translation).map_err(|failure| {
            match failure {
                Failure::System(what) | Failure::Usage(what) => what,
                Failure::Input => format!("cannot write for '{name}'"),
            }
        })
    }
}

/// All sources, and where their results go: below the output as they lie below the folder that was named.
fn jobs(paths: &[String], failures: &mut Vec<Failure>) -> Result<Vec<Job>, Failure> {
    let mut jobs: Vec<Job> = Vec::new();
    for path in paths {
        let root = Path::new(path);
        for source in tree(std::slice::from_ref(path), ENDINGS, failures) {
            let folder = source.strip_prefix(root).ok().and_then(Path::parent);
            let folder = folder.unwrap_or(Path::new("")).to_path_buf();
            jobs.push(Job { source, folder });
        }
    }
    let mut taken: HashMap<PathBuf, &Path> = HashMap::new();
    for job in &jobs {
        let place = job.folder.join(job.source.file_stem().unwrap_or_default());
        if let Some(other) = taken.insert(place, &job.source) {
            let (a, b) = (other.display(), job.source.display());
            let message = format!("'{a}' and '{b}' would write the same files");
            return Err(Failure::Usage(message));
        }
    }
    Ok(jobs)
}

/// A line on a terminal that says how far it is.
struct Progress {
    done: AtomicUsize,
    total: usize,
    line: Line,
}

impl Progress {
    /// Columns of the bar.
    const WIDTH: usize = 32;

    fn new(total: usize) -> Self {
        Self {
            done: AtomicUsize::new(0),
            total,
            line: Line::new(),
        }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let bar = bar(Self::WIDTH * done / self.total.max(1), Self::WIDTH);
        self.line.say(&format!("[{bar}] {done} of {}", self.total));
    }

    fn end(&self) {
        self.line.say("");
    }
}
