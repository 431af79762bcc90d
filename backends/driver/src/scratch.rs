//! Temporary directories, and what is left of those whose process was killed.

use crate::error::{Error, ErrorKind, Result};
use crate::lock::try_lock;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A file in each directory that is locked as long as its process lives. Numbers of processes are given out again, and
/// mean nothing in another container that shares the folder.
const LOCK: &str = ".brook-lock";

/// A directory of its own for one compilation, removed when dropped; if the process is killed, by the next one that
/// needs such a directory.
#[derive(Debug)]
pub struct ScratchDirectory {
    path: PathBuf,
    _lock: File,
}

impl ScratchDirectory {
    /// Creates a directory that nobody else uses, readable by this user only.
    pub fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        static SWEPT: Once = Once::new();
        for _ in 0..1000 {
            let serial = NEXT.fetch_add(1, Ordering::Relaxed);
            let nanos = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |d| d.subsec_nanos());
            let name = format!("brook-{}-{serial}-{nanos:08x}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match create_private(&path).and_then(|()| lock(&path)) {
                Ok(Some(lock)) => {
                    SWEPT.call_once(|| sweep(&path));
                    return Ok(Self { path, _lock: lock });
                }
                // Somebody takes it for an old one.
                Ok(None) => {}
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
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
        &self.path
    }
}

impl Drop for ScratchDirectory {
    fn drop(&mut self) {
        // Nothing useful can be done about a failure here; the system cleans its temporary files.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Marks a new directory as used; `None` if another process was faster.
fn lock(directory: &Path) -> io::Result<Option<File>> {
    let path = directory.join(LOCK);
    let file = match File::create(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        made => made?,
    };
    lock_made(&path, file)
}

/// Locks a file that was made at `path`.
fn lock_made(path: &Path, file: File) -> io::Result<Option<File>> {
    match try_lock(&file) {
        Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(None),
        // Between making and locking it, another process may have locked and removed it, and be gone.
        _ if !path.exists() => Ok(None),
        // Where there are no locks, others cannot lock it either.
        _ => Ok(Some(file)),
    }
}

/// Removes this user's directories beside `own` whose processes are gone. What cannot be removed stays.
fn sweep(own: &Path) {
    let (Some(folder), Ok(about)) = (own.parent(), fs::symlink_metadata(own)) else {
        return;
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(process_of) else {
            continue;
        };
        let path = entry.path();
        let found = fs::symlink_metadata(&path);
        let is_ours = found.is_ok_and(|found| found.is_dir() && same_owner(&found, &about));
        if !is_ours || path == own {
            continue;
        }
        // Held until it is gone: who is about to lock it finds it locked.
        if let Some(_held) = abandoned(&path, process) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// The process in a directory's name, `brook-PID-SERIAL-NANOSECONDS`.
fn process_of(name: &str) -> Option<u32> {
    let mut parts = name.strip_prefix("brook-")?.split('-');
    let process = parts.next()?.parse().ok()?;
    parts.next()?.parse::<u64>().ok()?;
    u32::from_str_radix(parts.next()?, 16).ok()?;
    parts.next().is_none().then_some(process)
}

#[cfg(unix)]
fn same_owner(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    a.uid() == b.uid()
}

#[cfg(not(unix))]
fn same_owner(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// The directory's lock, or the directory, if nobody has it. One that has no lock may be about to get one, or was made
/// before there were any: it counts after a day, if its process is gone.
fn abandoned(directory: &Path, process: u32) -> Option<File> {
    let is_old = match File::open(directory.join(LOCK)) {
        Ok(file) => return try_lock(&file).is_ok().then_some(file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let modified = fs::metadata(directory).and_then(|m| m.modified());
            let age = modified.ok().and_then(|m| m.elapsed().ok());
            let processes = Path::new("/proc");
            age.is_some_and(|age| age > Duration::from_secs(24 * 60 * 60))
                && processes.join("self").exists()
                && !processes.join(process.to_string()).exists()
        }
        Err(_) => false,
    };
    is_old.then(|| File::open(directory).ok()).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn names() {
        assert_eq!(process_of("brook-12-0-00000abc"), Some(12));
        for other in [
            "brook-12",
            "brook-12-0",
            "brook-x-0-00000abc",
            "brook-12-0-0000zabc",
            "brook-12-0-00000abc-1",
            "brook-cache",
            "other-12-0-00000abc",
        ] {
            assert_eq!(process_of(other), None, "{other}");
        }
    }

    #[test]
    fn directories_of_the_dead_are_removed_and_of_the_living_are_not() {
        let base = ScratchDirectory::new().unwrap();
        let make = |name: &str| {
            let path = base.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("kernel.cpp"), "").unwrap();
            path
        };
        let own = make("brook-1-0-00000001");
        let _own = lock(&own).unwrap().unwrap();
        let alive = make("brook-1-1-00000002");
        let held = lock(&alive).unwrap().unwrap();
        let dead = make("brook-1-2-00000003");
        drop(lock(&dead).unwrap().unwrap());
        // May be about to be locked.
        let fresh = make("brook-4000000000-3-00000004");
        let other = make("brook-cache");
        let file = base.path().join("brook-1-4-00000005");
        fs::write(&file, "").unwrap();
        sweep(&own);
        let left = [&own, &alive, &fresh, &other, &file].map(|path| path.exists());
        assert_eq!(left, [true; 5]);
        assert!(!dead.exists());
        drop(held);
        sweep(&own);
        assert!(!alive.exists() && own.exists());
    }

    #[test]
    fn what_is_removed_before_it_is_locked_is_not_used() {
        let base = ScratchDirectory::new().unwrap();
        let own = base.path().join("brook-1-0-00000001");
        let made = base.path().join("brook-1-1-00000002");
        for path in [&own, &made] {
            fs::create_dir(path).unwrap();
        }
        let file = File::create(made.join(LOCK)).unwrap();
        sweep(&own);
        assert!(!made.exists());
        assert!(lock_made(&made.join(LOCK), file).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let base = ScratchDirectory::new().unwrap();
        let own = base.path().join("brook-1-0-00000001");
        let target = base.path().join("target");
        for path in [&own, &target] {
            fs::create_dir(path).unwrap();
            drop(lock(path).unwrap());
        }
        let link = base.path().join("brook-1-1-00000002");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        sweep(&own);
        assert!(target.join(LOCK).exists() && link.exists());
    }
}
