//! The command of AMD's Brook+ compiler under its own name: `brook brcc`, by the `brook` beside it. All of that command once
//! more would be compiled, linked and installed twice.
#![allow(clippy::print_stderr)]

use std::io::Result;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let name = format!("brook{}", std::env::consts::EXE_SUFFIX);
    let brook = std::env::current_exe().map(|own| own.with_file_name(&name));
    let brook = brook.unwrap_or_else(|_| name.into());
    let mut command = Command::new(&brook);
    command.arg("brcc").args(std::env::args_os().skip(1));
    started(&mut command).unwrap_or_else(|error| {
        eprintln!("brcc: cannot start '{}': {error}", brook.display());
        ExitCode::from(3)
    })
}

/// Another program in the place of this one.
#[cfg(unix)]
fn started(command: &mut Command) -> Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn started(command: &mut Command) -> Result<ExitCode> {
    let code = command.status()?.code().unwrap_or(3);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(3)))
}
