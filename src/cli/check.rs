//! `brook check`: what is wrong with sources, and mending it.

use super::batch::ENDINGS;
use super::choices::Kernels;
use super::common::{Preprocess, Target};
use super::parallel::in_order;
use super::reader::Reader;
use super::terminal::{self, MessageFormat};
use super::timings::Wanted;
use super::watch::Watch;
use super::{Failure, Outcome, files};
use brook::diagnostics::{Diagnostic, Report, Severity, fixed};
use brook::metadata::Metadata;
use brook::source::read_text;
use clap::Args;
use std::path::Path;
use std::process::ExitCode;

/// Rounds of mending: what is mended lets other mistakes be seen.
const MOST_ROUNDS: usize = 20;

/// What is to be said of a source, and of what it became if it has no errors, what that is.
type Checked = Result<(Report, Option<Metadata>), Failure>;

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
    #[arg(long, conflicts_with = "watch")]
    fix: bool,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    message_format: MessageFormat,
    #[command(flatten)]
    watch: Watch,
    #[command(flatten)]
    timings: Wanted,
}

impl Check {
    pub(crate) fn run(self) -> Outcome {
        // What is wrong with the options is so for all files.
        self.target.backend(Some("cuda"))?;
        self.preprocess.options()?;
        self.watch.check(&self.files)?;
        let reader = Reader::default();
        let there = || files::tree(&self.files, ENDINGS, &mut Vec::new());
        self.watch.run(&reader, there, || self.once(&reader))
    }

    fn once(&self, reader: &Reader) -> Outcome {
        reader.note_options(&self.preprocess, &self.target);
        let mut failures = Vec::new();
        let files = files::tree(&self.files, ENDINGS, &mut failures);
        if let Some(failure) = failures.into_iter().next() {
            return Err(failure);
        }
        let files: Vec<String> = { files.into_iter() }
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        if files.is_empty() {
            let folders = self.files.join("', '");
            return Err(Failure::Usage(format!(
                "there is no .okl, .br or .bri in '{folders}'"
            )));
        }
        let mut mended = 0;
        if self.fix {
            for file in files.iter().filter(|f| *f != "-") {
                mended += self.mend(file, reader)?;
            }
        }
        let sound = match files.as_slice() {
            [file] => self.check(file, reader)?,
            many => self.check_all(many, reader)?,
        };
        if self.fix {
            terminal::say(&format!("{mended} fixed\n"));
        }
        match sound {
            true => Ok(ExitCode::SUCCESS),
            false => Err(Failure::Input),
        }
    }

    /// Whether a source has no errors; they are printed.
    fn check(&self, file: &str, reader: &Reader) -> Result<bool, Failure> {
        let (report, made) = self.report(file, reader)?;
        terminal::report(&report, self.message_format);
        let mut kernels = Kernels::default();
        kernels.add_if(made.as_ref());
        self.preprocess
            .check_choices(&[file.to_string()], &kernels)?;
        Ok(made.is_some())
    }

    /// What is to be said of a source.
    fn report(&self, file: &str, reader: &Reader) -> Checked {
        let timings = self.timings.start();
        timings.enter("read");
        reader.note_project(file);
        let source = match reader.source(file) {
            Ok(source) => source,
            Err(report) => return Ok((*report, None)),
        };
        timings.enter("backend");
        // Without a backend, what every one of them needs: the most permissive one says.
        let backend = self.target.backend(Some("cuda"))?;
        let options = self.preprocess.options_for(file)?;
        let checked = timings.transpile(&source, &backend, &options, reader);
        timings.print();
        Ok(match checked {
            Ok(translation) => (translation.warnings, Some(translation.metadata)),
            Err(report) => (*report, None),
        })
    }

    /// Checks several sources at a time, and prints what is said of them in their order.
    fn check_all(&self, sources: &[String], reader: &Reader) -> Result<bool, Failure> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let check = |(): &(), index: usize| self.report(&sources[index], reader);
        let mut wrong = 0;
        let mut kernels = Kernels::default();
        for result in in_order(sources.len(), threads, || (), check, |()| ()) {
            let ended = "a check did not end".to_string();
            let (report, made) = result.unwrap_or(Err(Failure::System(ended)))?;
            terminal::report(&report, self.message_format);
            wrong += usize::from(made.is_none());
            kernels.add_if(made.as_ref());
        }
        self.preprocess.check_choices(sources, &kernels)?;
        if self.message_format == MessageFormat::Human {
            let count = sources.len();
            terminal::say(&format!("{count} sources, {wrong} with errors\n"));
        }
        Ok(wrong == 0)
    }

    /// Mends a source and what it includes; how many changes were made.
    fn mend(&self, file: &str, reader: &Reader) -> Result<usize, Failure> {
        let mut made = 0;
        let (mut report, _) = self.report(file, reader)?;
        for _ in 0..MOST_ROUNDS {
            let mut written = fixed(&report);
            // Text that was not read as it stands there, or has changed, is left alone.
            written.retain(|f| read_text(Path::new(&f.name)).is_ok_and(|text| text == f.before));
            for file in &written {
                files::replace_file(Path::new(&file.name), &file.after)?;
            }
            let now: usize = written.iter().map(|f| f.fixes).sum();
            if now == 0 {
                break;
            }
            let (next, _) = self.report(file, reader)?;
            if !helped(&report, &next) {
                for file in &written {
                    files::replace_file(Path::new(&file.name), &file.before)?;
                }
                break;
            }
            made += now;
            report = next;
        }
        Ok(made)
    }
}

/// Whether changes were any good: there are fewer errors, or others, which the first ones had hidden.
fn helped(before: &Report, after: &Report) -> bool {
    let errors = |report: &Report| {
        let all = report.diagnostics.iter();
        all.filter(|d| d.severity == Severity::Error && !d.follows)
            .count()
    };
    let stays = |d: &Diagnostic| {
        before.diagnostics.iter().any(|old| {
            let line = |report: &Report, d: &Diagnostic| {
                let at = d.location?;
                Some(report.files.get(at.file)?.line_column(at.span.start).0)
            };
            (old.code.id, &old.message, line(before, old))
                == (d.code.id, &d.message, line(after, d))
        })
    };
    errors(after) < errors(before)
        || !after
            .diagnostics
            .iter()
            .any(|d| !d.fixes.is_empty() && stays(d))
}
