use super::common::{self, MessageFormat, Preprocess, Target};
use super::timings::Wanted;
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
    #[command(flatten)]
    timings: Wanted,
}

impl Check {
    pub(crate) fn run(self) -> Outcome {
        let timings = self.timings.start();
        timings.enter("read");
        let source = common::read_source(&self.file)?;
        timings.enter("backend");
        // Without a backend, what every one of them needs: the most permissive one says.
        let backend = self.target.backend(Some("cuda"))?;
        let options = self.preprocess.options()?;
        let checked = timings.transpile(&source, &backend, &options, &FileLoader);
        timings.print();
        match checked {
            Ok(translation) => {
                common::report(&translation.warnings, self.message_format);
                Ok(ExitCode::SUCCESS)
            }
            Err(report) => {
                common::report(&report, self.message_format);
                Err(Failure::Input)
            }
        }
    }
}
