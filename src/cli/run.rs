use super::Outcome;
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Run {
    /// The program
    file: String,
}

impl Run {
    pub(crate) fn run(self) -> Outcome {
        let _ = self.file;
        Ok(ExitCode::SUCCESS)
    }
}
