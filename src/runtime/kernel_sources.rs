//! Where the kernels' source that a host program carries was written: `brook run --sanitize` leaves that in a file, and the
//! program's messages are about the user's files by it.

use super::{Error, Result};
use crate::source::{FileId, Provenance};
use crate::source_text::Source;
use crate::transpile::KernelSource;
use std::path::Path;
use std::sync::OnceLock;

/// Names the file.
pub(super) const FILE: &str = "BROOK_SANITIZE_SOURCES";

/// Writes the file.
pub(super) fn write(path: &Path, sources: &[&KernelSource]) -> Result<()> {
    let text = serde_json::to_vec(sources).map_err(std::io::Error::from);
    let written = text.and_then(|text| std::fs::write(path, text));
    written.map_err(|e| Error::io(path, e))
}

/// Where a source was written that another one was made of, if that is known.
pub(super) fn provenance(source: &Source) -> Option<Provenance> {
    static KNOWN: OnceLock<Vec<KernelSource>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| read().unwrap_or_default());
    let same = |k: &&KernelSource| {
        let main = k.provenance.files.get(FileId::MAIN);
        k.text.as_bytes() == source.text && main.is_some_and(|f| f.name == source.name)
    };
    let found = known.iter().find(same);
    found.map(|k| k.provenance.clone())
}

/// What the file holds, if it is one of this version's.
fn read() -> Option<Vec<KernelSource>> {
    let text = std::fs::read(std::env::var_os(FILE)?).ok()?;
    serde_json::from_slice(&text).ok()
}
