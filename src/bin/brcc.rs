//! The command of AMD's Brook+ compiler under its own name: what `brook brcc` is.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../cli/mod.rs"]
mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
