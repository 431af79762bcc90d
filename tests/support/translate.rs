//! Translations of examples and cases.

use super::cases::Case;
use brook::backend::Backend;
use brook::runtime::Math;
use brook::source::FileLoader;
use brook::{Options, Source, Translation};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

/// The backends that there are drivers for.
pub const BACKENDS: [&str; 4] = ["cuda", "hip", "opencl", "openmp"];

/// Translates a case as its `NAME.toml` says, for a compiler, and gives the arithmetic to compile it with.
pub fn translate(case: &Case, backend: &str) -> Result<(Translation, Math), String> {
    let about = case.about()?;
    let backend = Backend::built_in(backend).map_err(|e| e.to_string())?;
    let math = about.math()?;
    let options = Options {
        // As programs are built.
        contract: math == Math::Default,
        ..about.options()
    };
    Ok((translated(case, &backend, &options)?, math))
}

/// Translates a case for any backend. The text names the source by its path in the repository, so
/// that it is the same wherever that lies.
pub fn translate_for(case: &Case, backend: &Backend) -> Result<Translation, String> {
    translated(case, backend, &case.about()?.options())
}

fn translated(case: &Case, backend: &Backend, options: &Options) -> Result<Translation, String> {
    let source = Source::new(case.path.display().to_string(), case.source().text);
    let translation = brook::transpile(&source, backend, options, &FileLoader);
    translation.map_err(|report| report.to_string())
}

/// Whether a program was refused for a type or function that its target says it lacks, or for an atomic that is too wide there.
pub fn is_missing(backend: &Backend, error: &str) -> bool {
    let missing = &backend.names.missing;
    let quoted = |name: &String| error.contains(&format!("'{name}'"));
    let narrow = backend.lowering.most_atomic > 0 && error.contains("atomic 'operation on ");
    error.contains("OKL094") && missing.iter().any(quoted) || error.contains("OKL062") && narrow
}

/// A translation, or why there is none.
type Translated = Arc<Result<Translation, String>>;

/// The translation of a case for a backend of ours that all tests of this process share: the first that asks makes it.
pub fn first_translation(case: &Case, backend: &'static str) -> Translated {
    type Slots = HashMap<(PathBuf, &'static str), Arc<OnceLock<Translated>>>;
    static ALL: OnceLock<Mutex<Slots>> = OnceLock::new();
    let all = ALL.get_or_init(Mutex::default).lock();
    let key = (case.path.clone(), backend);
    let slot = all.unwrap().entry(key).or_default().clone();
    let make = || {
        let backend = Backend::built_in(backend).map_err(|e| e.to_string())?;
        translate_for(case, &backend)
    };
    slot.get_or_init(|| Arc::new(make())).clone()
}

/// All texts of a translation: ending and text. Neither this project's place on the machine nor its
/// version is in them.
pub fn texts(translation: &Translation, backend: &Backend) -> Vec<(String, String)> {
    let metadata = translation.metadata.to_json();
    let all = [
        (backend.extension.as_str(), Some(&translation.device)),
        ("launcher.cpp", translation.launcher.as_ref()),
        ("host.cpp", translation.host.as_ref()),
        ("json", Some(&metadata)),
    ];
    let here = format!("{}/", super::cases::root().display());
    let version = concat!("brook ", env!("CARGO_PKG_VERSION"));
    all.into_iter()
        .filter_map(|(ending, text)| Some((ending.to_string(), text?)))
        .map(|(ending, text)| {
            (
                ending,
                text.replace(&here, "").replace(version, "brook VERSION"),
            )
        })
        .collect()
}
