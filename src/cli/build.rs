use super::Outcome;
use super::depfile::Depfile;
use super::project::{self, Project};
use super::reader::Reader;
use super::words;
use brook::runtime::HostBuild;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Build {
    #[command(flatten)]
    project: Project,
    /// The executable to write
    #[arg(
        short,
        long,
        value_name = "PROGRAM",
        required_unless_present = "sources"
    )]
    output: Option<PathBuf>,
    /// Write DIR/STEM.cpp and DIR/STEM.h for each .br file, for another build system to compile
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    sources: Option<PathBuf>,
    /// Where the program runs unless BROOK_DEVICE, BRT_RUNTIME or BRT_ADAPTER say otherwise
    #[arg(long, value_name = "DEVICE", value_parser = words::devices(), hide_possible_values = true)]
    device: Option<String>,
    /// For a debugger: no optimisation; on OpenMP kernels run in one thread, and line by line
    #[arg(short = 'g', long)]
    debug: bool,
    #[command(flatten)]
    depfile: Depfile,
}

impl Build {
    pub(crate) fn run(self) -> Outcome {
        project::check_device(self.device.as_deref(), false)?;
        // A debugger looks for the source from wherever the program is started.
        let exported = self.sources.is_some() || self.project.files.len() > 1;
        let timings = self.project.timings.start();
        let translated =
            self.project
                .translate(exported, self.debug, &timings, &Reader::default())?;
        if let Some(folder) = &self.sources {
            timings.enter("write");
            let written = translated.write(folder)?;
            self.depfile
                .write(&written, self.project.read(&translated))?;
            timings.print();
            return Ok(ExitCode::SUCCESS);
        }
        let mut defaults = self.project.told(self.device.as_deref());
        defaults.debug = self.debug;
        let host = HostBuild {
            debug: self.debug,
            defaults,
            ..self.project.host(&translated)
        };
        let output = self.output.clone().unwrap_or_default();
        timings.enter("compile");
        let built = host.build(&output);
        timings.print();
        built.map_err(|e| project::failure(&e))?;
        let mut read = self.project.read(&translated);
        if self.depfile.is_wanted() {
            read.extend(host.included().map_err(|e| project::failure(&e))?);
        }
        self.depfile.write(&[output], read)?;
        Ok(ExitCode::SUCCESS)
    }
}
