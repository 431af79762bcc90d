//! `brook check`: what is wrong with sources, and mending it.

use super::common::{self, MessageFormat, Preprocess, Target};
use super::timings::Wanted;
use super::{Failure, Outcome, files};
use brook::diagnostics::{Diagnostic, FixedFile, Report, Severity, fixed};
use brook::source::{FileLoader, read_text};
use clap::Args;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Rounds of mending: what is mended lets other mistakes be seen.
const MOST_ROUNDS: usize = 20;

/// What is to be said of a source, and whether it has no errors.
type Checked = Result<(Report, bool), Failure>;

#[derive(Args)]
pub(crate) struct Check {
    /// The sources: .br is Brook+, anything else OKL; - is standard input, and of a folder all .okl, .br and .bri in it
    #[arg(required = true)]
    files: Vec<String>,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    preprocess: Preprocess,
    /// Make the changes of messages that leave no choice, in the files
    #[arg(long)]
    fix: bool,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    message_format: MessageFormat,
    #[command(flatten)]
    timings: Wanted,
}

impl Check {
    pub(crate) fn run(self) -> Outcome {
        // What is wrong with the options is so for all files.
        self.target.backend(Some("cuda"))?;
        self.preprocess.options()?;
        let mut files = Vec::new();
        for file in &self.files {
            match Path::new(file).is_dir() {
                true => files.extend(files::sources_in(Path::new(file))?),
                false => files.push(file.clone()),
            }
        }
        if files.is_empty() {
            return Err(Failure::Usage(
                "there is no .okl, .br or .bri in it".to_string(),
            ));
        }
        let mut mended = 0;
        if self.fix {
            for file in files.iter().filter(|f| *f != "-") {
                mended += self.mend(file)?;
            }
        }
        let sound = match files.as_slice() {
            [file] => self.check(file)?,
            many => self.check_all(many)?,
        };
        if self.fix {
            common::say(&format!("{mended} fixed\n"));
        }
        match sound {
            true => Ok(ExitCode::SUCCESS),
            false => Err(Failure::Input),
        }
    }

    /// Whether a source has no errors; they are printed.
    fn check(&self, file: &str) -> Result<bool, Failure> {
        let (report, sound) = self.report(file)?;
        common::report(&report, self.message_format);
        Ok(sound)
    }

    /// What is to be said of a source, and whether it has no errors.
    fn report(&self, file: &str) -> Checked {
        let timings = self.timings.start();
        timings.enter("read");
        let source = match common::source(file) {
            Ok(source) => source,
            Err(report) => return Ok((*report, false)),
        };
        timings.enter("backend");
        // Without a backend, what every one of them needs: the most permissive one says.
        let backend = self.target.backend(Some("cuda"))?;
        let options = self.preprocess.options()?;
        let checked = timings.transpile(&source, &backend, &options, &FileLoader);
        timings.print();
        Ok(match checked {
            Ok(translation) => (translation.warnings, true),
            Err(report) => (*report, false),
        })
    }

    /// Checks several sources at a time, and prints what is said of them in their order.
    fn check_all(&self, sources: &[String]) -> Result<bool, Failure> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<Checked>>> =
            sources.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..workers.min(sources.len()) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let (Some(source), Some(slot)) = (sources.get(at), results.get(at)) else {
                            break;
                        };
                        let result = self.report(source);
                        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                    }
                });
            }
        });
        let mut wrong = 0;
        for result in results {
            let result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
            let Some(result) = result else { continue };
            let (report, sound) = result?;
            common::report(&report, self.message_format);
            wrong += usize::from(!sound);
        }
        if self.message_format == MessageFormat::Human {
            let count = sources.len();
            common::say(&format!("{count} sources, {wrong} with errors\n"));
        }
        Ok(wrong == 0)
    }

    /// Mends a source and what it includes; how many changes were made.
    fn mend(&self, file: &str) -> Result<usize, Failure> {
        let mut made = 0;
        let errors = |report: &Report| {
            let all = report.diagnostics.iter();
            all.filter(|d| d.severity == Severity::Error && !d.follows)
                .count()
        };
        let (mut report, _) = self.report(file)?;
        for _ in 0..MOST_ROUNDS {
            let fixed = fixed(&report);
            let mut now = 0;
            let mut written = Vec::new();
            for FixedFile {
                name,
                before,
                after,
                fixes,
            } in &fixed
            {
                let path = Path::new(name);
                // Text that was not read as it stands there, or has changed, is left alone.
                if read_text(path).is_ok_and(|text| text == *before) {
                    files::write_files(&[(path.to_path_buf(), after.as_str())])?;
                    now += fixes;
                    written.push((path.to_path_buf(), before.as_str()));
                }
            }
            if now == 0 {
                break;
            }
            let (next, _) = self.report(file)?;
            // Changes that do not help are taken back; what they let be seen counts as help.
            let same = |d: &Diagnostic| {
                let place = d
                    .location
                    .and_then(|l| Some(next.files.get(l.file)?.line_column(l.span.start)));
                report.diagnostics.iter().any(|o| {
                    let old = o
                        .location
                        .and_then(|l| Some(report.files.get(l.file)?.line_column(l.span.start)));
                    std::ptr::eq(o.code, d.code)
                        && old.map(|p| p.0) == place.map(|p| p.0)
                        && o.message == d.message
                })
            };
            let stuck = next
                .diagnostics
                .iter()
                .filter(|d| !d.fixes.is_empty())
                .any(same);
            if errors(&next) >= errors(&report) && stuck {
                files::write_files(&written)?;
                break;
            }
            made += now;
            report = next;
        }
        Ok(made)
    }
}
