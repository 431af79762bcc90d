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
    let own: PathBuf = place.with_extension(format!("{}.new", std::process::id()));
    let moved = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(built, &own))
        .and_then(|_| std::fs::rename(&own, place));
    if moved.is_err() {
        let _ = std::fs::remove_file(&own);
    }
}
