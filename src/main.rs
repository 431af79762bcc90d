//! The `brook` command. Everything it does is in the library; here are arguments, files and exit
//! codes.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
