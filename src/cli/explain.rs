use super::terminal;
use super::{Failure, Outcome};
use brook::diagnostics::{explain, find, list, reference, search};
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Explain {
    /// Codes of messages, such as BRK031 or okl45, or words of a message; without any, all codes are listed
    codes: Vec<String>,
    /// Print the page of all messages
    #[arg(long, hide = true)]
    reference: bool,
}

impl Explain {
    pub(crate) fn run(self) -> Outcome {
        if self.reference {
            terminal::print(&reference())?;
            return Ok(ExitCode::SUCCESS);
        }
        let found: Vec<_> = self.codes.iter().map(|id| find(id)).collect();
        match found.is_empty() || found.iter().any(Vec::is_empty) {
            false => {
                let texts = found.iter().map(|codes| match codes.as_slice() {
                    [one] => explain(one),
                    // A number that codes of several kinds have.
                    many => list(many),
                });
                let texts: Vec<String> = texts.collect();
                terminal::print(&texts.join("\n"))?;
            }
            // Not codes, so words.
            true => {
                let words = self.codes.join(" ");
                match search(&words).as_slice() {
                    [] => {
                        return Err(Failure::Usage(format!(
                            "there is no message '{words}', and none with these words; codes look like OKL010, BRK031, SRC022, PRE001"
                        )));
                    }
                    [one] => terminal::print(&explain(one))?,
                    many => terminal::print(&list(many))?,
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
