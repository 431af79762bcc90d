use super::files::{replace_file, tree};
use super::reader::read_source;
use super::terminal::{self, MessageFormat};
use super::{Failure, Outcome};
use brook::Source;
use brook::normalize;
use clap::Args;
use std::path::Path;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Normalize {
    /// The source: .br is Brook+, anything else OKL; - is standard input. With --write or --check any
    /// number of files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Replace the files by their normal form; in folders, those that end in .okl and .br
    #[arg(long)]
    write: bool,
    /// Change nothing, but fail if --write would
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// In folders, take files with this ending, too (repeatable)
    #[arg(long = "ext", value_name = "EXT")]
    endings: Vec<String>,
}

/// What became of one file.
enum Done {
    Same,
    Changed,
}

impl Normalize {
    pub(crate) fn run(self) -> Outcome {
        if self.write || self.check {
            return self.all();
        }
        let [path] = self.paths.as_slice() else {
            let message = "several files are normalised in place: give --write, or --check";
            return Err(Failure::Usage(message.to_string()));
        };
        if !self.endings.is_empty() {
            let message = "--ext goes with --write or --check";
            return Err(Failure::Usage(message.to_string()));
        }
        let source = read_source(path)?;
        let text = text_of(&source)?;
        terminal::print(&normalize(text, source.dialect).0)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Normalises every file; one that cannot be is left alone, and the others are not.
    fn all(&self) -> Outcome {
        if self.paths.iter().any(|p| p == "-") {
            let message = "standard input cannot be replaced: leave out --write and --check";
            return Err(Failure::Usage(message.to_string()));
        }
        let mut endings = vec!["okl", "br", "bri"];
        endings.extend(self.endings.iter().map(|e| e.trim_start_matches('.')));
        let mut failures = Vec::new();
        let mut changed = 0;
        for path in tree(&self.paths, &endings, &mut failures) {
            match self.one(&path) {
                Ok(Done::Same) => {}
                Ok(Done::Changed) => changed += 1,
                Err(failure) => failures.push(failure),
            }
        }
        let mut worst = u8::from(changed > 0 && self.check);
        if worst > 0 {
            let files = if changed == 1 { "file is" } else { "files are" };
            eprintln!("brook: {changed} {files} not in normal form");
        }
        for failure in failures {
            worst = worst.max(match failure {
                Failure::Input => 1,
                Failure::Usage(message) | Failure::System(message) => {
                    eprintln!("brook: {message}");
                    3
                }
            });
        }
        Ok(ExitCode::from(worst))
    }

    fn one(&self, path: &Path) -> Result<Done, Failure> {
        let source = read_source(&path.to_string_lossy())?;
        let old = text_of(&source)?;
        let new = normalize(old, source.dialect).0;
        if new == old {
            return Ok(Done::Same);
        }
        if self.write {
            replace_file(path, &new)?;
        }
        let verb = if self.write {
            "changed"
        } else {
            "to be changed"
        };
        terminal::print(&format!("{}: {}\n", path.display(), lines(old, &new, verb)))?;
        Ok(Done::Changed)
    }
}

/// How many lines differ, counted between those that are the same at both ends.
fn lines(old: &str, new: &str, verb: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let differing = match old.len() == new.len() {
        true => old.iter().zip(&new).filter(|(a, b)| a != b).count(),
        false => {
            let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
            let pairs = old.iter().rev().zip(new.iter().rev());
            let after = pairs.take_while(|(a, b)| a == b).count();
            old.len().saturating_sub(before + after).max(1)
        }
    };
    match differing {
        1 => format!("1 line {verb}"),
        n => format!("{n} lines {verb}"),
    }
}

/// The source as text without lexical errors; what is wrong with it is printed.
pub(crate) fn text_of(source: &Source) -> Result<&str, Failure> {
    let report = brook::lexical_errors(source);
    if report.has_errors() {
        terminal::report(&report, MessageFormat::Human);
        return Err(Failure::Input);
    }
    std::str::from_utf8(&source.text).map_err(|e| {
        let report = brook::not_utf8(&source.name, &source.text, e.valid_up_to());
        terminal::report(&report, MessageFormat::Human);
        Failure::Input
    })
}
