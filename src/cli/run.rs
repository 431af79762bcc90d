use super::project::{self, Project};
use super::reader::Reader;
use super::watch::Watch;
use super::words;
use super::{Failure, Outcome};
use brook::Dialect;
use brook::runtime::{self, Fusion, RunningProgram};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    project: Project,
    /// Where to run: cuda:0, hip:0, opencl:1, openmp; found by itself otherwise
    #[arg(long, value_name = "DEVICE", value_parser = words::devices(), hide_possible_values = true)]
    device: Option<String>,
    /// Run over the devices of all processes that mpirun has started: each adds DEVICE, by its number on its machine
    #[arg(long)]
    mpi: bool,
    /// Interpret each call of a kernel, too, and say what is wrong with it, as brook sanitize does; the exit code is 1 if
    /// that is all that is wrong
    #[arg(long)]
    sanitize: bool,
    /// With --sanitize, find indices that are clamped, and writes that are dropped, too
    #[arg(long, requires = "sanitize")]
    clamped: bool,
    /// With --sanitize, print findings as JSON, one object a line, to standard error
    #[arg(long, requires = "sanitize")]
    json: bool,
    /// Whether calls of kernels wait for others, and run as fewer kernels: on waits until building these pays, now does not
    #[arg(long, value_name = "WHEN")]
    fusion: Option<When>,
    /// Write a timeline of what the devices do into that file, in Chrome's trace format, which https://ui.perfetto.dev shows
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    watch: Watch,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

/// As [`Fusion`].
#[derive(Clone, Copy, clap::ValueEnum)]
enum When {
    Off,
    On,
    Now,
}

impl When {
    fn fusion(self) -> Fusion {
        match self {
            Self::Off => Fusion::Off,
            Self::On => Fusion::On,
            Self::Now => Fusion::Now,
        }
    }
}

impl Run {
    pub(crate) fn run(self) -> Outcome {
        let files = &self.project.files;
        let brook = |file: &String| Dialect::of_path(file) == Dialect::Brook;
        if !files.iter().any(brook) {
            let message = format!(
                "'{}' is no Brook+ program (.br); only those can be run",
                files.join("', '")
            );
            return Err(Failure::Usage(message));
        }
        self.watch.check(files)?;
        let over_processes = self
            .device()
            .is_some_and(|name| runtime::is_over_processes(&name));
        let waits = self.watch.is_wanted() || self.project.timings.is_wanted() || self.sanitize;
        if over_processes && waits {
            let message = "--watch, --timings and --sanitize are for programs of one process";
            return Err(Failure::Usage(message.to_string()));
        }
        project::check_device(self.device.as_deref(), true)?;
        let reader = Reader::default();
        let there = || files.iter().map(PathBuf::from).collect();
        self.watch.run(&reader, there, || self.once(&reader))
    }

    /// The name of the device, if any was named.
    fn device(&self) -> Option<String> {
        match (self.mpi, &self.device) {
            (false, named) => named.clone(),
            (true, None) => Some("mpi".to_string()),
            (true, Some(own)) if runtime::is_over_processes(own) => Some(own.clone()),
            (true, Some(own)) => Some(format!("mpi/{own}")),
        }
    }

    fn once(&self, reader: &Reader) -> Outcome {
        let files = &self.project.files;
        let timings = self.project.timings.start();
        let several = files.len() > 1;
        let translated = self.project.translate(several, false, &timings, reader)?;
        if !several && !translated.mentions_main() {
            let message = format!("'{}' has no main function to run", files[0]);
            return Err(Failure::Usage(message));
        }
        // The device itself is left to the program: OpenCL's loader, once used here, has been seen to damage
        // the environment that the program inherits.
        let device = self.device();
        let mut told = self.project.told(device.as_deref());
        told.sanitize = self.sanitize;
        told.sanitize_clamped = self.clamped;
        told.sanitize_json = self.json;
        told.fusion = self.fusion.map(When::fusion);
        told.trace = self.trace.as_deref();
        told.fusion_report = self.project.timings.is_wanted();
        let host = self.project.host(&translated);
        timings.enter("compile");
        if self.watch.is_wanted() {
            // Those that are missing may come.
            let included = host.included().map_err(|e| project::failure(&e))?;
            included.iter().for_each(|path| reader.note(path));
        }
        let ran = host.start(&self.arguments, &told, &|| timings.enter("program"));
        let ran = ran.and_then(|program| match self.watch.is_wanted() {
            true => until_changed(program, reader),
            false => program.wait(),
        });
        timings.print();
        let status = ran.map_err(|e| project::failure(&e))?;
        Ok(ExitCode::from(u8::try_from(status).unwrap_or(u8::MAX)))
    }
}

/// The program's status, or success if a file has changed, which ends it.
fn until_changed(mut program: RunningProgram, reader: &Reader) -> runtime::Result<i32> {
    let mut failed = None;
    let changed = Watch::wait(reader, || match program.has_ended() {
        Ok(ended) => ended,
        Err(error) => {
            failed = Some(error);
            true
        }
    });
    match (changed, failed) {
        (_, Some(error)) => Err(error),
        (Some(_), None) => program.kill().map(|()| 0),
        (None, None) => program.wait(),
    }
}
