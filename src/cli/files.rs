//! Reading includes from disk, and writing results so that nobody ever sees half of one.

use super::Failure;
use brook::source::Loader;
use std::io;
use std::path::Path;

/// Includes come from the file system.
pub(crate) struct Disk;

impl Loader for Disk {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// Writes a file under a temporary name beside it and renames it.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let fail =
        |error: io::Error| Failure::System(format!("cannot write '{}': {error}", path.display()));
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let result = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    result.map_err(|error| {
        // What was written of it is of no use; that removing it may fail too changes nothing.
        let _ = std::fs::remove_file(&temporary);
        fail(error)
    })
}
