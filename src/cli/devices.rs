use super::Outcome;
use super::common;
use clap::Args;
use std::fmt::Write;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Devices {}

impl Devices {
    pub(crate) fn run(self) -> Outcome {
        let mut text = String::new();
        for entry in brook::runtime::list() {
            // Writing to a String cannot fail.
            match &entry.info {
                Ok(info) => {
                    let memory = info.memory.map_or(String::new(), |bytes| {
                        format!(", {:.1} GiB", bytes as f64 / f64::from(1 << 30))
                    });
                    let compiler = match &info.compiler {
                        Ok(compiler) => compiler.clone(),
                        Err(reason) => format!("no compiler: {reason}"),
                    };
                    let _ = writeln!(text, "{:<12} {}{memory}; {compiler}", entry.name, info.name);
                }
                Err(reason) => {
                    let _ = writeln!(text, "{:<12} missing: {reason}", entry.name);
                }
            }
        }
        common::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
