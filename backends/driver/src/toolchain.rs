//! What drivers that start a compiler process share.

use crate::error::{Error, ErrorKind, Result};
use crate::verbose::tell;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Finds an executable: a name with a slash as it is, anything else along `PATH`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        let path = PathBuf::from(name);
        return path.is_file().then_some(path);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|d| d.join(name))
        .find(|p| p.is_file())
}

/// A program, and the words behind it in such as `ccache g++`. A path may hold spaces; only what is not a program as a whole
/// is split into words.
pub fn find_words(text: &str) -> Option<(PathBuf, Vec<String>)> {
    if let Some(program) = find_program(text.trim()) {
        return Some((program, Vec::new()));
    }
    let mut words = text.split_whitespace();
    let program = find_program(words.next()?)?;
    Some((program, words.map(str::to_string).collect()))
}

/// A command as a shell takes it.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
        match !word.is_empty() && word.chars().all(plain) {
            true => word.into_owned(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Runs a compiler to its end. A program that cannot be started is [`ErrorKind::Missing`]; one that
/// fails is [`ErrorKind::Compile`] with everything it printed.
pub fn run_compiler(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    tell(|| format!("running {}", line(command)));
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                Error::missing(format!("the compiler '{name}' is not installed"))
            }
            _ => Error::new(
                ErrorKind::Compile,
                format!("cannot start the compiler '{name}': {e}"),
            ),
        })?;
    let mut log = String::from_utf8_lossy(&output.stderr).into_owned();
    log.push_str(&String::from_utf8_lossy(&output.stdout));
    if output.status.success() {
        return Ok(log);
    }
    let how = match output.status.code() {
        Some(code) => format!("exit code {code}"),
        None => "killed by a signal".to_string(),
    };
    Err(Error::new(
        ErrorKind::Compile,
        format!("the compiler '{name}' failed ({how})"),
    )
    .with_log(log))
}
