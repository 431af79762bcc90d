use super::Outcome;
use super::common;
use clap::Args;
use std::fmt::Write;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Devices {
    /// Print the names of one driver's devices that have a compiler
    #[arg(long, hide = true, value_name = "DRIVER")]
    usable: Option<String>,
}

impl Devices {
    pub(crate) fn run(self) -> Outcome {
        let mut text = String::new();
        if let Some(driver) = &self.usable {
            for entry in brook::runtime::list_of(driver) {
                if entry.info.is_ok_and(|info| info.compiler.is_ok()) {
                    let _ = writeln!(text, "{}", entry.name);
                }
            }
            common::print(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
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
