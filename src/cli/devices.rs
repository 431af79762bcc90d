use super::Outcome;
use super::terminal;
use brook::runtime::{DeviceEntry, DeviceKind};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Devices {
    /// Print a JSON array with an object for each device, or driver without devices
    #[arg(long)]
    json: bool,
    /// Print the names of one driver's devices that have a compiler
    #[arg(long, hide = true, value_name = "DRIVER")]
    usable: Option<String>,
}

/// A device, or a driver that has none, for programs. What is not known is not there.
#[derive(Default, Serialize)]
struct Described<'a> {
    /// What `--device` takes.
    name: &'a str,
    /// What is called so: `NVIDIA H200`.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<&'a str>,
    /// Why there is no device, or no compiler for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a str>,
    /// Whether kernels can be built for it and launched.
    usable: bool,
}

impl Devices {
    pub(crate) fn run(self) -> Outcome {
        let text = match &self.usable {
            Some(driver) => usable(driver),
            None if self.json => json(&brook::runtime::list()),
            None => table(&brook::runtime::list()),
        };
        terminal::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn usable(driver: &str) -> String {
    let entries = brook::runtime::list_of(driver).into_iter();
    let usable = entries.filter(|e| e.info.as_ref().is_ok_and(|info| info.compiler.is_ok()));
    usable.map(|e| format!("{}\n", e.name)).collect()
}

fn table(entries: &[DeviceEntry]) -> String {
    let mut text = String::new();
    for entry in entries {
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
    text
}

fn json(entries: &[DeviceEntry]) -> String {
    let described: Vec<Described<'_>> = entries.iter().map(described).collect();
    // What is made of names and numbers can be written.
    let text = serde_json::to_string_pretty(&described).unwrap_or_default();
    text + "\n"
}

fn described(entry: &DeviceEntry) -> Described<'_> {
    let name = entry.name.as_str();
    match &entry.info {
        Err(reason) => Described {
            name,
            missing: Some(reason),
            ..Described::default()
        },
        Ok(info) => Described {
            name,
            description: Some(&info.name),
            kind: Some(match info.kind {
                DeviceKind::Gpu => "gpu",
                DeviceKind::Cpu => "cpu",
                DeviceKind::Accelerator => "accelerator",
            }),
            memory: info.memory,
            compiler: info.compiler.as_deref().ok(),
            missing: info.compiler.as_ref().err().map(String::as_str),
            usable: info.compiler.is_ok(),
        },
    }
}
