use super::common::{self, Compile, MessageFormat, Preprocess};
use super::{Failure, Outcome};
use brook::backend::Backend;
use brook::normalize::Dialect;
use brook::runtime;
use brook::source::FileLoader;
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Run {
    /// The program, a .br file with a main function
    file: String,
    /// Where to run: cuda:0, hip:0, opencl:1, openmp; found by itself otherwise
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    #[command(flatten)]
    preprocess: Preprocess,
    #[command(flatten)]
    compile: Compile,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

impl Run {
    pub(crate) fn run(self) -> Outcome {
        let source = common::read_source(&self.file)?;
        if source.dialect != Dialect::Brook {
            let message = format!(
                "'{}' is no Brook+ program (.br); only those can be run",
                self.file
            );
            return Err(Failure::Usage(message));
        }
        let options = self.preprocess.options()?;
        // The kernels are translated again for the device by the program itself; here it is about
        // the host half, which is the same for all.
        let backend = Backend::built_in("openmp").map_err(|e| Failure::Usage(e.to_string()))?;
        let translation =
            brook::transpile(&source, &backend, &options, &FileLoader).map_err(|report| {
                common::report(&report, MessageFormat::Human);
                Failure::Input
            })?;
        common::report(&translation.warnings, MessageFormat::Human);
        let Some(host) = translation.host.filter(|h| h.contains("main")) else {
            return Err(Failure::Usage(format!(
                "'{}' has no main function to run",
                self.file
            )));
        };
        // The program would go on without one.
        let named = self
            .device
            .clone()
            .or_else(|| std::env::var("BROOK_DEVICE").ok());
        let named = named.filter(|name| !name.trim().is_empty());
        if let Some(name) = named.filter(|name| !runtime::is_device_name(name.trim())) {
            return Err(Failure::System(format!("no device is called '{name}'")));
        }
        // The device itself is left to the program: OpenCL's loader, once used here, has been seen to damage
        // the environment that the program inherits.
        let program_options = runtime::ProgramOptions {
            device: self.device.as_deref(),
            flags: &self.compile.flags,
            standard: self.compile.standard.as_deref(),
        };
        let status = runtime::run_program(&host, &self.file, &self.arguments, &program_options)
            .map_err(|e| match e.exit_code() {
                1 => {
                    eprintln!("brook: {e}");
                    Failure::Input
                }
                _ => Failure::System(e.to_string()),
            })?;
        Ok(ExitCode::from(u8::try_from(status).unwrap_or(u8::MAX)))
    }
}
