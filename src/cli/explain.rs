use super::{Failure, Outcome, common};
use brook::diagnostics::{explain, find, reference};
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Explain {
    /// Codes of messages, such as BRK031 or OKL010
    #[arg(required_unless_present = "reference")]
    codes: Vec<String>,
    /// Print the page of all messages
    #[arg(long, hide = true)]
    reference: bool,
}

impl Explain {
    pub(crate) fn run(self) -> Outcome {
        if self.reference {
            common::print(&reference())?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut out = Vec::new();
        for id in &self.codes {
            let code = find(id).ok_or_else(|| {
                Failure::Usage(format!(
                    "there is no message '{id}'; codes look like OKL010, BRK031, SRC022, PRE001"
                ))
            })?;
            out.push(explain(code));
        }
        common::print(&out.join("\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
