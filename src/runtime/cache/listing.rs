//! What lies in a folder of the cache: regular files; no link is followed, neither to a folder nor to a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A regular file.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Its name; empty if that is no text.
    pub(super) name: String,
    pub(super) bytes: u64,
    /// When it was written or, if it is an entry or a manifest, last used.
    pub(super) used: SystemTime,
}

impl Found {
    /// How long ago it was used; `None` if that is in the future.
    pub(super) fn age(&self) -> Option<Duration> {
        SystemTime::now().duration_since(self.used).ok()
    }

    /// Whether it may be an entry or a manifest.
    pub(super) fn has_key(&self) -> bool {
        is_key(&self.name)
    }
}

/// Whether a name is a digest as the cache writes them.
pub(super) fn is_key(name: &str) -> bool {
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    name.len() == 2 * blake3::OUT_LEN && name.bytes().all(is_digit)
}

/// The files of a folder; none if it is not there, or is a link.
pub(super) fn files(folder: &Path) -> impl Iterator<Item = Found> + use<> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|m| m.is_dir());
    let entries = is_folder.then(|| fs::read_dir(folder).ok()).flatten();
    entries.into_iter().flatten().flatten().filter_map(|entry| {
        let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(Found {
            path: entry.path(),
            name: entry.file_name().into_string().unwrap_or_default(),
            bytes: about.len(),
            used: about.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        })
    })
}

/// Removes a file; one that somebody else has removed counts as well.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
