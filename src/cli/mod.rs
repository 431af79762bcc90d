//! One file a subcommand.
//!
//! Exit codes: 0 done, 1 the input has errors, 2 wrong usage, 3 the toolchain or a device failed.

mod arguments;
mod batch;
mod brcc;
#[cfg(feature = "runtime")]
mod build;
#[cfg(feature = "runtime")]
mod cache;
mod check;
mod choices;
mod common;
#[cfg(feature = "runtime")]
mod compile;
mod configuration;
mod depfile;
#[cfg(feature = "runtime")]
mod devices;
#[cfg(feature = "runtime")]
mod embed;
mod explain;
mod explore;
mod files;
mod lsp;
mod normalize;
mod pages;
mod parallel;
mod positions;
mod progress;
#[cfg(feature = "runtime")]
mod project;
mod reader;
#[cfg(feature = "runtime")]
mod run;
mod sanitize;
mod terminal;
mod timings;
mod transpile;
#[cfg(feature = "runtime")]
mod trial;
#[cfg(feature = "runtime")]
mod tune;
#[cfg(feature = "runtime")]
mod verify;
mod watch;
mod words;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 the input has errors, 2 wrong usage, 3 the toolchain or a device failed; \
of 'brook run', the program's own unless that is 0 and something went wrong.";

/// Kernels written once, in OKL or Brook+, for CUDA, HIP, OpenCL and OpenMP.
#[derive(Parser)]
#[command(name = "brook", version, about, max_term_width = 100, after_long_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    voice: terminal::Voice,
}

#[derive(Subcommand)]
enum Command {
    /// Translate kernels to a backend's source
    Transpile(transpile::Transpile),
    /// Print a source in plain C or C++: attributes and streams as [[…]], macros as written
    Normalize(normalize::Normalize),
    /// Report what is wrong with a source
    Check(check::Check),
    /// Run a kernel in an interpreter that finds races, accesses out of bounds and the like
    Sanitize(sanitize::Sanitize),
    /// Compile a Brook+ file as AMD's compiler did: its flags, its messages, FILE.cpp and FILE.h
    Brcc(brcc::Brcc),
    /// Say what a message means
    Explain(explain::Explain),
    /// Build an executable of Brook+, C and C++ files
    #[cfg(feature = "runtime")]
    Build(build::Build),
    /// Build and run a whole Brook+ program
    #[cfg(feature = "runtime")]
    Run(run::Run),
    /// Compile kernels for devices that are elsewhere into a file that programs load without any compiler
    #[cfg(feature = "runtime")]
    Compile(compile::CompileFile),
    /// Put sources, and all that they include, into a C or C++ file, so that a program has them in itself
    #[cfg(feature = "runtime")]
    Embed(embed::Embed),
    /// Launch a kernel on every device and compare what they make of it
    #[cfg(feature = "runtime")]
    Verify(verify::Verify),
    /// Find out how a kernel is fastest on a device, over what may vary without changing what it means
    #[cfg(feature = "runtime")]
    Tune(tune::Tune),
    /// Tell an editor what it asks about sources: the language server, on standard input and output
    Lsp(lsp::Lsp),
    /// Show a source beside what it becomes while it is written, on a page for a browser on this machine
    Explore(explore::Explore),
    /// Print what makes a shell complete this command's words
    Completions(pages::Completions),
    /// Write the pages of the manual, for man
    Man(pages::Manual),
    /// List the devices there are, and why others are missing
    #[cfg(feature = "runtime")]
    Devices(devices::Devices),
    /// Look at the cache of compiled kernels, or clear it
    #[cfg(feature = "runtime")]
    Cache(cache::Cache),
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
    let words: Vec<String> = std::env::args_os()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    let called = words.first().map_or("", String::as_str);
    let brcc = std::path::Path::new(called)
        .file_stem()
        .is_some_and(|n| n == "brcc");
    // All flags behind its name are brcc's, whatever else is called so.
    match words.as_slice() {
        [_, rest @ ..] if brcc => return finish(brcc::compile(rest)),
        [_, name, rest @ ..] if name == "brcc" => return finish(brcc::compile(rest)),
        _ => {}
    }
    let arguments = Arguments::parse();
    arguments.voice.begin();
    finish(match arguments.command {
        Command::Transpile(c) => c.run(),
        Command::Normalize(c) => c.run(),
        Command::Check(c) => c.run(),
        Command::Sanitize(c) => c.run(),
        Command::Brcc(c) => c.run(),
        Command::Explain(c) => c.run(),
        Command::Lsp(c) => c.run(),
        Command::Explore(c) => c.run(),
        Command::Completions(c) => c.run(),
        Command::Man(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Embed(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Build(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Run(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Compile(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Verify(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Tune(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Devices(c) => c.run(),
        #[cfg(feature = "runtime")]
        Command::Cache(c) => c.run(),
    })
}

/// The exit code of what a command came to.
fn finish(outcome: Outcome) -> ExitCode {
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
