//! What drivers that start a compiler process share.

use crate::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

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

/// A directory of its own for one compilation, removed when dropped.
#[derive(Debug)]
pub struct ScratchDirectory(PathBuf);

impl ScratchDirectory {
    /// Creates a directory that nobody else uses, readable by this user only.
    pub fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..1000 {
            let serial = NEXT.fetch_add(1, Ordering::Relaxed);
            let nanos = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |d| d.subsec_nanos());
            let name = format!("brook-{}-{serial}-{nanos:08x}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match create_private(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => {
                    return Err(Error::new(
                        ErrorKind::Compile,
                        format!("cannot create {}: {e}", path.display()),
                    ));
                }
            }
        }
        Err(Error::new(
            ErrorKind::Compile,
            "cannot create a temporary directory",
        ))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(unix)]
fn create_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir(path)
}

impl Drop for ScratchDirectory {
    fn drop(&mut self) {
        // Nothing useful can be done about a failure here; the system cleans its temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a compiler to its end. A program that cannot be started is [`ErrorKind::Missing`]; one that
/// fails is [`ErrorKind::Compile`] with everything it printed.
pub fn run_compiler(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
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
