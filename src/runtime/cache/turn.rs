//! Several that want to build the same kernel take turns: one builds, the others wait and read what it kept.
//!
//! A turn is a lock on a file that is there while somebody builds. Who has finished removes the file, whether or not
//! anything was kept: for those who wait that is the sign to look, and to build for themselves, all at once, if there
//! is nothing. A file that is not locked is of somebody who was killed; the next takes its place. Where files cannot be
//! made or locked nobody waits.

use super::listing::{self, is_key};
use brook_driver::{try_lock, unlock};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest time between two looks at the lock. A network's file system answers each.
const LONGEST_NAP: Duration = Duration::from_millis(250);

const MOST_TRIES: usize = 100;

/// The turn of who looks through the whole cache; all others are called as what is built.
pub(super) const SWEEP: &str = "sweep";

/// Whose turn it is.
pub(in crate::runtime) enum Turn {
    /// Ours, until this is dropped.
    Ours(#[expect(dead_code, reason = "held until it is dropped")] Lock),
    /// Somebody else's, who has finished.
    Over,
    /// Still somebody else's.
    Theirs,
    /// There are no turns here.
    Unknown,
}

/// A locked file, removed when dropped.
pub(in crate::runtime) struct Lock {
    path: PathBuf,
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is locked: who has opened it before will find it gone.
        if is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
        unlock(&self.file);
    }
}

/// Takes the turn that a file stands for; waits at most so long while it is somebody else's.
pub(super) fn take(path: &Path, patience: Duration) -> Turn {
    let Ok(mut file) = open(path) else {
        return Turn::Unknown;
    };
    let began = Instant::now();
    let mut has_waited = false;
    let mut tries = 0;
    loop {
        match try_lock(&file) {
            Ok(()) if is_at(&file, path) => {
                let path = path.to_path_buf();
                return Turn::Ours(Lock { path, file });
            }
            Ok(()) if has_waited => return Turn::Over,
            // It was removed between opening and locking: nobody is building now. Where it is never there, files have
            // no numbers.
            Ok(()) if tries < MOST_TRIES => {
                tries += 1;
                match open(path) {
                    Ok(another) => file = another,
                    Err(_) => return Turn::Unknown,
                }
            }
            Ok(()) => return Turn::Unknown,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => {
                    if !is_at(&file, path) {
                        return Turn::Over;
                    }
                    has_waited = true;
                }
                _ => {
                    let _ = fs::remove_file(path);
                    return Turn::Unknown;
                }
            },
        }
        let waited = began.elapsed();
        if waited >= patience {
            return Turn::Theirs;
        }
        if has_waited {
            // A long build may end a little later for those who wait; short ones are noticed at once.
            let nap = (waited / 16).clamp(Duration::from_millis(1), LONGEST_NAP);
            std::thread::sleep(nap.min(patience - waited));
        }
    }
}

/// Removes the files of those who were killed; of those that were made at least so long ago.
pub(super) fn sweep(folder: &Path, age: Duration) {
    for entry in listing::files(folder) {
        let is_old = entry.age().unwrap_or_default() >= age;
        let is_ours = is_key(&entry.name) || entry.name == SWEEP;
        if is_ours
            && is_old
            && let Ok(file) = open_there(&entry.path)
        {
            // Dropping it removes it, unless another has taken its place.
            let path = entry.path;
            match try_lock(&file) {
                Ok(()) => drop(Lock { path, file }),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                // Where there are no locks, nothing is waited for.
                Err(_) => drop(fs::remove_file(&path)),
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    // For writing, since NFS locks nothing else.
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn open_there(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).open(path)
}

/// Whether a path still leads to the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(file), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    (file.dev(), file.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
