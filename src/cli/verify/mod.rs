//! `brook verify`: one kernel, the same arguments, every device.
//!
//! - `subject.rs`: what is verified.
//!
//! Each device has a process of its own: drivers that cannot live in one process, such as two with different
//! copies of LLVM, are compared all the same, and a kernel that crashes one of them is reported.

pub(super) mod subject;

use super::arguments::array::Array;
use super::arguments::spec::{self, Given};
use super::arguments::{self, Argument, npy};
use super::common::{self, Arithmetic, Compile, Preprocess, cannot_start, this_command};
use super::files::cannot_write;
use super::terminal;
use super::trial::compare::{self, Tolerance};
use super::trial::launch::{self, Placed};
use super::trial::table;
use super::words;
use super::{Failure, Outcome};
use brook::Options;
use brook::metadata::KernelMetadata;
use brook::runtime::{self, Device};
use brook_driver::ScratchDirectory;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use subject::Subject;

#[derive(Args)]
pub(crate) struct Verify {
    /// The source: .br is Brook+, anything else OKL; or what brook compile wrote, .brk, as it is
    file: String,
    /// The kernel to launch
    #[arg(long, value_name = "NAME")]
    kernel: String,
    /// An argument: n=1000, v=(1,2), x=zeros(SHAPE), empty(SHAPE), iota(SHAPE), constant(SHAPE,VALUE),
    /// random(SHAPE,seed=N,min=A,max=B) or x=@FILE.npy; a SHAPE is 1000 or 20x50
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// Devices, separated by commas, as `brook devices` names them
    #[arg(long, default_value = "all", value_name = "DEVICES", value_parser = words::several_devices(), hide_possible_values = true)]
    devices: String,
    /// How far results may be from those of the first device: 4ulp, or 1e-6 (absolute below 1, relative above)
    #[arg(long, default_value = "0ulp", value_parser = Tolerance::parse)]
    tolerance: Tolerance,
    /// Write DIR/DEVICE/ARG.npy for every array after the launch
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// The arithmetic of the devices' compilers
    #[arg(long, value_enum, default_value_t)]
    math: Arithmetic,
    #[command(flatten)]
    preprocess: Preprocess,
    #[command(flatten)]
    compile: Compile,
    /// Launch on this device and leave arrays in the folder of results
    #[arg(long, hide = true, requires = "results")]
    worker: Option<String>,
    #[arg(long, hide = true)]
    results: Option<PathBuf>,
}

/// What a device made of the arguments, or why it made nothing.
type Outcomes = Vec<(String, Result<Vec<Option<Array>>, String>)>;

impl Verify {
    pub(crate) fn run(self) -> Outcome {
        let given = self.arguments.iter().map(|text| spec::parse(text));
        let given: Vec<(String, Given)> =
            given.collect::<Result<_, _>>().map_err(Failure::Usage)?;
        let named = self.named()?;
        let subject = Subject::read(&self.file)?;
        let options = self.preprocess.options_for(&self.file)?;
        if let (Some(device), Some(results)) = (&self.worker, &self.results) {
            return self.work(device, results, &subject, options, &given);
        }
        let kernel = self.kernel(&subject, &options)?;
        let arguments = arguments::arguments(&kernel, &given)?;
        let devices = named.map_or_else(there_are, Ok)?;
        let scratch = ScratchDirectory::new().map_err(|e| Failure::System(e.to_string()))?;
        let mut outcomes = Outcomes::new();
        for device in devices {
            let results = scratch.path().join(outcomes.len().to_string());
            let outcome = launched(&device, &results, &arguments);
            if let (Ok(arrays), Some(folder)) = (&outcome, &self.dump) {
                dump(&folder.join(&device), &kernel, arrays)?;
            }
            outcomes.push((device, outcome));
        }
        self.report(&kernel, &outcomes)
    }

    /// What is known about the kernel before any device is asked.
    fn kernel(&self, subject: &Subject, options: &Options) -> Result<KernelMetadata, Failure> {
        let kernels = subject.kernels(options, &self.preprocess)?;
        common::kernel(&self.file, kernels, Some(&self.kernel))
    }

    /// The devices asked for, by their full names; nothing if all are.
    fn named(&self) -> Result<Option<Vec<String>>, Failure> {
        if self.devices.trim() == "all" {
            return Ok(None);
        }
        let names = self.devices.split(',').map(str::trim);
        let names: Vec<String> = names
            .filter(|n| !n.is_empty())
            .map(|name| match name.contains(':') {
                true => name.to_string(),
                false => format!("{name}:0"),
            })
            .collect();
        names
            .iter()
            .try_for_each(|n| common::check_device_name(n))?;
        match names.is_empty() {
            true => Err(Failure::Usage("--devices names none".to_string())),
            false => Ok(Some(names)),
        }
    }

    /// In the process of one device: launches, and leaves every array as a file.
    fn work(
        &self,
        device: &str,
        results: &Path,
        subject: &Subject,
        options: Options,
        given: &[(String, Given)],
    ) -> Outcome {
        let fail = |error: runtime::Error| Failure::System(error.to_string());
        let build = self.compile.build_options(options, self.math);
        let device = Device::open(device).map_err(fail)?;
        let program = subject.program(&device, &build, &self.kernel);
        let program = program.map_err(fail)?;
        let kernel = program.kernel(&self.kernel).map_err(fail)?;
        let metadata = kernel.metadata();
        let arguments = arguments::arguments(metadata, given)?;
        let known = (metadata.form, metadata.parameters.as_slice());
        let mut placed = Placed::new(&device, known, arguments).map_err(fail)?;
        placed.launch(&kernel, 1).map_err(fail)?;
        fs::create_dir_all(results).map_err(|e| cannot_write(results, &e))?;
        for (index, array) in placed.results().map_err(fail)?.into_iter().enumerate() {
            if let Some(array) = array {
                let path = results.join(index.to_string());
                fs::write(&path, &array.bytes).map_err(|e| cannot_write(&path, &e))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the table: a line for each output, a column for each device.
    fn report(&self, kernel: &KernelMetadata, outcomes: &Outcomes) -> Outcome {
        let mut reference: Option<(&str, &Vec<Option<Array>>)> = None;
        let mut rows: Vec<Vec<String>> = vec![vec!["array".to_string(), "elements".to_string()]];
        let outputs: Vec<usize> = (0..kernel.parameters.len())
            .filter(|&i| launch::is_written(&kernel.parameters[i]))
            .collect();
        let mut failures: Vec<(String, &str)> = Vec::new();
        let mut complaints = Vec::new();
        for (device, outcome) in outcomes {
            match outcome {
                Ok(arrays) => {
                    reference.get_or_insert((device.as_str(), arrays));
                }
                // What is wrong with the source is so on several.
                Err(error) => match failures.iter_mut().find(|(_, other)| other == error) {
                    Some((devices, _)) => *devices += &format!(", {device}"),
                    None => failures.push((device.clone(), error)),
                },
            }
        }
        for &index in &outputs {
            let array = reference.and_then(|(_, arrays)| arrays[index].as_ref());
            let elements = array.map_or(0, |a| a.bytes.len() / a.element.bytes.max(1));
            rows.push(vec![
                kernel.parameters[index].name.clone(),
                elements.to_string(),
            ]);
        }
        for (device, outcome) in outcomes {
            rows[0].push(device.clone());
            for (row, &index) in rows[1..].iter_mut().zip(&outputs) {
                row.push(match (outcome, reference) {
                    (Err(_), _) | (_, None) => "failed".to_string(),
                    (Ok(_), Some((first, _))) if first == device => "reference".to_string(),
                    (Ok(arrays), Some((_, expected))) => match (&expected[index], &arrays[index]) {
                        (Some(expected), Some(found)) => {
                            let difference = compare::compare(expected, found, self.tolerance);
                            let elements = expected.bytes.len() / expected.element.bytes.max(1);
                            complaints.extend(difference.complaint(elements).map(|what| {
                                format!("{} on {device}: {what}\n", kernel.parameters[index].name)
                            }));
                            difference.to_string()
                        }
                        _ => String::new(),
                    },
                });
            }
        }
        terminal::print(&format!("{}{}", table(&rows), complaints.concat()))?;
        let agree = complaints.is_empty();
        if outputs.is_empty() {
            eprintln!("brook: kernel '{}' writes nothing to compare", kernel.name);
        }
        if !failures.is_empty() {
            let failures = failures.iter().map(|(who, why)| format!("{who}: {why}"));
            let failures: Vec<String> = failures.collect();
            return match agree {
                true => Err(Failure::System(failures.join("\nbrook: "))),
                false => {
                    eprintln!("brook: {}", failures.join("\nbrook: "));
                    Ok(ExitCode::from(1))
                }
            };
        }
        if outcomes.len() == 1 {
            eprintln!("brook: there is one device only, and nothing to compare it with");
        }
        Ok(ExitCode::from(u8::from(!agree)))
    }
}

/// All devices there are with a compiler.
fn there_are() -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for driver in runtime::driver_names() {
        // Each driver in a process of its own, like the launches.
        let mut command = this_command()?;
        command.args(["devices", "--usable", driver]);
        let output = command.output().map_err(|e| cannot_start(&e))?;
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        found.extend(names.lines().map(str::to_string));
    }
    // The processor's own compiler is what the others are compared with.
    found.sort_by_key(|name| !name.starts_with("openmp:"));
    match found.is_empty() {
        true => Err(Failure::System(
            "there is no device ('brook devices' says why)".to_string(),
        )),
        false => Ok(found),
    }
}

/// Launches on one device, in a process of its own.
fn launched(
    device: &str,
    results: &Path,
    arguments: &[Argument],
) -> Result<Vec<Option<Array>>, String> {
    let mut command = this_command().map_err(|_| "this program is not found".to_string())?;
    command.args(std::env::args_os().skip(1));
    command.args(["--worker", device, "--results"]).arg(results);
    let output = command.output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.trim().trim_start_matches("brook: ");
        return Err(match output.status.code() {
            Some(_) => text.to_string(),
            None => format!("its process ended: {} {text}", output.status),
        });
    }
    let arrays = arguments.iter().enumerate().map(|(index, argument)| {
        let Some(array) = argument.array() else {
            return Ok(None);
        };
        let bytes = fs::read(results.join(index.to_string())).map_err(|e| e.to_string())?;
        let array = array.clone();
        Ok(Some(Array { bytes, ..array }))
    });
    arrays.collect()
}

fn dump(folder: &Path, kernel: &KernelMetadata, arrays: &[Option<Array>]) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| cannot_write(folder, &e))?;
    for (parameter, array) in kernel.parameters.iter().zip(arrays) {
        if let Some(array) = array {
            let path = folder.join(format!("{}.npy", parameter.name));
            fs::write(&path, npy::encode(array)).map_err(|e| cannot_write(&path, &e))?;
        }
    }
    Ok(())
}
