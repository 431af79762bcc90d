//! How the command speaks: in colour or not, much or little. What every subcommand takes, decided once.

use super::Failure;
use brook::diagnostics::{Report, Severity, Style, to_human, to_json, to_short};
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// What is said, and how.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Voice {
    /// Colour messages
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    color: Color,
    /// Say nothing but errors: no warnings, no summaries, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say which files are read and written, and which compilers are started
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// With the source line and a caret.
    #[default]
    Human,
    /// One line a message: file:line:column, kind, code, text.
    Short,
    /// One JSON object a line.
    Json,
}

static VOICE: OnceLock<Voice> = OnceLock::new();

impl Voice {
    /// From now on the process speaks so.
    pub(crate) fn begin(self) {
        #[cfg(feature = "runtime")]
        brook::runtime::be_verbose(self.verbose);
        // It is decided once.
        let _ = VOICE.set(self);
    }
}

fn voice() -> Voice {
    VOICE.get().copied().unwrap_or_default()
}

/// Whether nothing but errors is said.
pub(crate) fn is_quiet() -> bool {
    voice().quiet
}

/// Whether much is said.
#[cfg(feature = "runtime")]
pub(crate) fn is_verbose() -> bool {
    voice().verbose
}

/// Prints diagnostics on standard error.
pub(crate) fn report(report: &Report, format: MessageFormat) {
    let quiet: Report;
    let report = match is_quiet() {
        false => report,
        true => {
            quiet = only_errors(report);
            &quiet
        }
    };
    let text = match format {
        MessageFormat::Json => to_json(report),
        MessageFormat::Short => to_short(report),
        MessageFormat::Human if is_colored() => to_human(report, Style::Colored),
        MessageFormat::Human => to_human(report, Style::Plain),
    };
    err(&text);
}

fn is_colored() -> bool {
    let asked_not_to = || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    match voice().color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && !asked_not_to(),
    }
}

fn only_errors(report: &Report) -> Report {
    let mut report = report.clone();
    report.diagnostics.retain(|d| d.severity == Severity::Error);
    report
}

/// Says on standard error what was done, unless only errors are to be said.
pub(crate) fn say(text: &str) {
    if !is_quiet() {
        err(text);
    }
}

/// Says on standard error what is being done, where much is to be said.
pub(crate) fn detail(what: impl FnOnce() -> String) {
    if voice().verbose {
        err(&format!("brook: {}\n", what()));
    }
}

/// Prints on standard error. Nobody is left to tell if that is gone.
fn err(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints on standard output; a reader that has gone away is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::System(
            format!("cannot write to standard output: {error}"),
        )),
        _ => Ok(()),
    }
}
