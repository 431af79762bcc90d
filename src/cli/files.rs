//! Writing results so that nobody ever sees half of one.

use super::Failure;
use std::io;
use std::path::PathBuf;

/// Writes files that belong together: each under a temporary name beside it, then all are renamed.
/// What cannot be written leaves nothing behind.
pub(crate) fn write_files(files: &[(PathBuf, &str)]) -> Result<(), Failure> {
    let mut temporaries = Vec::new();
    let result = files.iter().try_for_each(|(path, text)| {
        let fail = |error: io::Error| {
            Failure::System(format!("cannot write '{}': {error}", path.display()))
        };
        if path.is_dir() {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        temporaries.push(temporary.clone());
        std::fs::write(&temporary, text).map_err(fail)
    });
    let result = result.and_then(|()| {
        files
            .iter()
            .zip(&temporaries)
            .try_for_each(|((path, _), temporary)| {
                std::fs::rename(temporary, path).map_err(|error| {
                    Failure::System(format!("cannot write '{}': {error}", path.display()))
                })
            })
    });
    if result.is_err() {
        for temporary in temporaries {
            // That removing it may fail too changes nothing.
            let _ = std::fs::remove_file(temporary);
        }
    }
    result
}
