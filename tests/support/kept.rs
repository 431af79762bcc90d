//! What one process of tests leaves to the next ones of a run, in the folder that `BROOK_TEST_KEPT` names: references and programs
//! of cases, which the host's compiler takes long for.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// The folder, if there is to be one.
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("BROOK_TEST_KEPT").filter(|v| !v.is_empty());
    named.map(PathBuf::from)
}

/// The file of what was made of something.
pub fn file(made_of: impl Hash) -> Option<PathBuf> {
    let mut digest = DefaultHasher::new();
    made_of.hash(&mut digest);
    folder().map(|folder| folder.join(format!("{:016x}", digest.finish())))
}

/// Leaves it. What goes wrong costs the next process the time to make it.
pub fn leave(file: &std::path::Path, bytes: &[u8]) {
    let own = file.with_extension(std::process::id().to_string());
    let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    let _ = made
        .and_then(|()| std::fs::write(&own, bytes))
        .and_then(|()| std::fs::rename(&own, file));
}
