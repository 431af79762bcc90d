//! What the checker says: every `tests/cases/diagnostics/NAME.okl` or `.br` against
//! `NAME.expected.txt`, the messages as people read them.
//!
//! `NAME.toml` may say for which backend (`backend = "openmp"`) and with which macros
//! (`defines = { N = "4" }`) it is checked, and how (`checking = "a1"`: `-a -w1`); it is for CUDA, without
//! any, and under strong type checking otherwise.

use crate::support::Trial;
use crate::support::cases::root;
use brook::Define;
use brook::backend::Backend;
use brook::diagnostics::{Report, Style, to_human};
use brook::source::Loader;
use brook::{Checking, Options, Source};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct About {
    backend: Option<String>,
    defines: BTreeMap<String, String>,
    /// Flags of Brook+'s checker: any of `a`, `c`, `x` and a digit for the warning level.
    checking: String,
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    let folder = root().join("tests/cases/diagnostics");
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "okl" || e == "br") {
            let name = format!(
                "diagnostics::{}",
                path.file_stem().unwrap().to_string_lossy()
            );
            trials.push(Trial::test(name, move || Ok(compare(&path)?)));
        }
    }
    trials
}

fn compare(path: &Path) -> Result<(), String> {
    let about: About = match std::fs::read_to_string(path.with_extension("toml")) {
        Ok(text) => toml::from_str(&text).map_err(|e| e.to_string())?,
        Err(_) => About::default(),
    };
    let backend =
        Backend::built_in(about.backend.as_deref().unwrap_or("cuda")).map_err(|e| e.to_string())?;
    let define = |(name, value): (String, String)| Define { name, value };
    let options = Options {
        defines: about.defines.into_iter().map(define).collect(),
        checking: Checking {
            warning_level: about
                .checking
                .chars()
                .find_map(|c| c.to_digit(10))
                .unwrap_or(0) as u8,
            warnings_as_errors: about.checking.contains('x'),
            ..Checking::from_flags(&about.checking)
        },
        ..Options::default()
    };
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    // Named by its file name alone, so that messages are the same wherever the project lies.
    let source = Source::new(path.file_name().unwrap().to_string_lossy(), text);
    let beside = Beside(path.parent().unwrap().to_path_buf());
    let report: Report = match brook::check(&source, &backend, &options, &beside) {
        Ok(warnings) => warnings,
        Err(errors) => *errors,
    };
    let found = to_human(&report, Style::Plain);
    if std::env::var_os("BROOK_BLESS").is_some() {
        return std::fs::write(path.with_extension("expected.txt"), found)
            .map_err(|e| e.to_string());
    }
    let expected = std::fs::read_to_string(path.with_extension("expected.txt"))
        .map_err(|e| format!("{}: {e}", path.with_extension("expected.txt").display()))?;
    if found == expected {
        return Ok(());
    }
    Err(format!("--- expected\n{expected}--- found\n{found}"))
}

/// Includes come from the folder of the case.
struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }
}
