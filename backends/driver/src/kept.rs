//! What drivers compile once, for the processes that come later.

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

/// Keeps what was built for the next process. What goes wrong costs that one some seconds.
pub fn keep(built: &Path, place: &Path) {
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
