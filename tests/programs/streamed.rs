//! Streams and arrays that are only written, and larger than the caches.

use super::{brook, data, expect, program};
use std::path::Path;

/// Programs compute the same whatever is taken for the size of the caches; with 0 everything is larger.
pub fn writes_past_the_caches(folder: &Path) -> Result<(), String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/brook");
    let okl = cases.join("host_okl.br").to_string_lossy().into_owned();
    let printed = std::fs::read_to_string(cases.join("host_okl.expected.txt"));
    let printed = printed.map_err(|e| e.to_string())?;
    for (name, source, printed) in [
        ("streams", data("streamed.br"), "0\n"),
        ("arrays", okl, &printed),
    ] {
        expect(&brook(folder, &["build", &source, "-o", name])?, 0, "")?;
        let path = folder.join(name);
        for bytes in ["0", "5000", "1e12"] {
            let variables = [("BROOK_DEVICE", "openmp"), ("BROOK_LAST_CACHE", bytes)];
            let made = program(&path, &variables)?;
            expect(&made, 0, printed).map_err(|e| format!("{name}, {bytes}: {e}"))?;
        }
    }
    Ok(())
}
