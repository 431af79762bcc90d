use super::Outcome;
use super::common;
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Devices {}

impl Devices {
    pub(crate) fn run(self) -> Outcome {
        common::print("TODO\n")?;
        Ok(ExitCode::SUCCESS)
    }
}
