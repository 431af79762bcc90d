use super::common;
use super::{Failure, Outcome};
use brook::Source;
use brook::diagnostics::{Diagnostic, Report, codes};
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Normalize {
    /// The source: .br is Brook+, anything else OKL; - is standard input
    file: String,
}

impl Normalize {
    pub(crate) fn run(self) -> Outcome {
        let source = common::read_source(&self.file)?;
        let text = text_of(&source)?;
        common::print(&brook::normalize::normalize(text, source.dialect).0)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The source as text without lexical errors; what is wrong with it is printed.
pub(crate) fn text_of(source: &Source) -> Result<&str, Failure> {
    let report = brook::lexical_errors(source);
    if report.has_errors() {
        common::report(&report, common::MessageFormat::Human);
        return Err(Failure::Input);
    }
    std::str::from_utf8(&source.text).map_err(|e| {
        let at = e.valid_up_to();
        let what = Diagnostic::new(&codes::NOT_UTF8, None, &[&source.name, &at]);
        let report = Report {
            diagnostics: vec![what],
            ..Report::default()
        };
        common::report(&report, common::MessageFormat::Human);
        Failure::Input
    })
}
