//! What drivers compile once, for the processes that come later.

use crate::error::{Error, Result};
use crate::scratch::ScratchDirectory;
use std::path::{Path, PathBuf};

fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|v| !v.is_empty());
    value.map(PathBuf::from)
}

/// The folder for it: that of compiled kernels, `BROOK_CACHE_DIR` or `brook` among the user's caches.
pub fn kept_folder() -> Option<PathBuf> {
    let home = || variable("HOME").map(|h| h.join(".cache"));
    variable("BROOK_CACHE_DIR").or_else(|| {
        let caches = variable("XDG_CACHE_HOME").or_else(home);
        caches.map(|c| c.join("brook"))
    })
}

/// What `open` makes of a file of that name that an earlier process has left, else of one that `build` makes now, which is given a folder for
/// what it needs besides, and left for the next process.
///
/// # Errors
/// Those of the two, and of kind [`ErrorKind::Missing`](crate::ErrorKind::Missing) where there is no room.
pub fn kept_or_built<T>(
    name: &str,
    build: impl FnOnce(&Path, &Path) -> Result<()>,
    open: impl Fn(&Path) -> Result<T>,
) -> Result<T> {
    let place = kept_folder().map(|folder| folder.join(name));
    if let Some(there) = place.as_deref().filter(|p| p.is_file())
        && let Ok(opened) = open(there)
    {
        return Ok(opened);
    }
    let scratch = ScratchDirectory::new().map_err(|e| Error::missing(e.message))?;
    let built = scratch.path().join(name);
    build(scratch.path(), &built)?;
    if let Some(place) = place {
        keep(&built, &place);
    }
    open(&built)
}

/// Keeps what was built for the next process. What goes wrong costs that one some seconds.
fn keep(built: &Path, place: &Path) {
    let Some(folder) = place.parent() else { return };
    // Processes of two machines that share the folder may have one number.
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = since.unwrap_or_default().as_nanos();
    let own: PathBuf = place.with_extension(format!("{}-{nanos}.new", std::process::id()));
    let moved = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(built, &own))
        // A machine that stops must not leave a part of it under its name.
        .and_then(|_| std::fs::File::open(&own)?.sync_all())
        .and_then(|()| std::fs::rename(&own, place));
    if moved.is_err() {
        let _ = std::fs::remove_file(&own);
    }
}
