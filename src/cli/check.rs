use super::common::{self, MessageFormat, Preprocess, Target};
use super::{Failure, Outcome};
use brook::source::FileLoader;
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Check {
    /// The source: .br is Brook+, anything else OKL; - is standard input
    file: String,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    preprocess: Preprocess,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    message_format: MessageFormat,
}

impl Check {
    pub(crate) fn run(self) -> Outcome {
        let source = common::read_source(&self.file)?;
        // Without a backend, what every one of them needs: the most permissive one says.
        let backend = self.target.backend(Some("cuda"))?;
        let options = self.preprocess.options()?;
        match brook::check(&source, &backend, &options, &FileLoader) {
            Ok(warnings) => {
                common::report(&warnings, self.message_format);
                Ok(ExitCode::SUCCESS)
            }
            Err(report) => {
                common::report(&report, self.message_format);
                Err(Failure::Input)
            }
        }
    }
}
