//! One file a subcommand.
//!
//! Exit codes: 0 done, 1 the input has errors, 2 wrong usage, 3 the toolchain or a device failed.

mod check;
mod common;
#[cfg(feature = "runtime")]
mod devices;
mod files;
mod normalize;
#[cfg(feature = "runtime")]
mod run;
mod transpile;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Kernels written once, in OKL or Brook+, for CUDA, HIP, OpenCL and OpenMP.
#[derive(Parser)]
#[command(name = "brook", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Translate kernels to a backend's source
    Transpile(transpile::Transpile),
    /// Print a source in plain C or C++: attributes and streams as [[…]], macros as written
    Normalize(normalize::Normalize),
    /// Report what is wrong with a source
    Check(check::Check),
    /// Build and run a whole Brook+ program
    #[cfg(feature = "runtime")]
    Run(run::Run),
    /// List the devices there are, and why others are missing
    #[cfg(feature = "runtime")]
    Devices(devices::Devices),
}

/// What ends a command early.
pub(crate) enum Failure {
    /// The input has errors; they have been printed.
    Input,
    /// Wrong usage.
    Usage(String),
    /// A file, the toolchain or a device failed.
    System(String),
}

/// A file that cannot be read or written is the input's fault or the caller's, never a crash.
pub(crate) type Outcome = Result<ExitCode, Failure>;

pub(crate) fn main() -> ExitCode {
    // A closed pipe ends the program quietly, like any other filter.
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Transpile(c) => c.run(),
        Command::Normalize(c) => c.run(),
        Command::Check(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Run(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Devices(c) => c.run(),
    };
    match outcome {
        Ok(code) => code,
        Err(Failure::Input) => ExitCode::from(1),
        Err(Failure::Usage(message)) => {
            eprintln!("brook: {message}");
            ExitCode::from(2)
        }
        Err(Failure::System(message)) => {
            eprintln!("brook: {message}");
            ExitCode::from(3)
        }
    }
}
