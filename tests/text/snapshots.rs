//! The generated text of every example, for every backend: `tests/snapshots/BACKEND/NAME.ENDING`. A backend that has no
//! such file gives what CUDA's says; `NAME.ENDING.diff` is what it says otherwise than CUDA's.
//!
//! A difference is a question, not an error by itself: `BROOK_BLESS=1 cargo test --test text -- snapshots::`
//! writes what is generated now, and the difference is then read in the version control system.

use super::difference::difference;
use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::translate::{BACKENDS, first_translation, texts, translate_for};
use brook::backend::Backend;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut backends: Vec<(String, Backend)> = BACKENDS
        .iter()
        .map(|name| (name.to_string(), Backend::built_in(name).unwrap()))
        .collect();
    for name in ["sycl", "metal"] {
        backends.push((name.to_string(), Backend::built_in(name).unwrap()));
    }
    for (folder, backend) in backends {
        let of_backend: Vec<Case> = cases::examples()
            .into_iter()
            // What Brook+ needs is CUDA's for SYCL, and OpenCL's for Metal, which has no double.
            .filter(|case| {
                let one = case.relative.ends_with(".okl") || case.name == "sum";
                match folder.as_str() {
                    "sycl" => one,
                    "metal" => one && translate_for(case, &backend).is_ok(),
                    _ => true,
                }
            })
            .collect();
        for case in of_backend.clone() {
            let (name, backend) = (format!("{folder}::{}", case.name), backend.clone());
            let folder = folder.clone();
            trials.push(Trial::test(name, move || {
                Ok(compare(&case, &folder, &backend)?)
            }));
        }
        trials.push(Trial::test(
            format!("{folder}::nothing_left_over"),
            move || Ok(left_over(&folder, &of_backend)?),
        ));
    }
    trials
}

fn directory(backend: &str) -> PathBuf {
    cases::root().join("tests/snapshots").join(backend)
}

fn bless() -> bool {
    std::env::var("BROOK_BLESS").is_ok_and(|v| v == "1")
}

/// How a text is kept.
enum Kept {
    /// It is CUDA's.
    AsCuda,
    /// In a file of this name.
    File(String, String),
}

/// CUDA's texts are kept whole, as are those of other backends that are their own. What is CUDA's but for the backend's
/// name is not kept again; of HIP there is what it says otherwise.
fn kept(case: &Case, backend: &str, ending: &str, text: String, cuda: Option<&String>) -> Kept {
    let name = format!("{}.{ending}", case.name);
    let Some(cuda) = cuda else {
        return Kept::File(name, text);
    };
    let named = |name: &str| format!("\"backend\": \"{name}\"");
    if text.replace(&named(backend), &named("cuda")) == *cuda {
        return Kept::AsCuda;
    }
    match backend {
        "hip" => Kept::File(format!("{name}.diff"), difference(cuda, &text)),
        _ => Kept::File(name, text),
    }
}

/// The texts of the same purpose for CUDA, by their ending; that of the device's by `extension`.
fn of_cuda(case: &Case, extension: &str) -> Result<BTreeMap<String, String>, String> {
    let translation = first_translation(case, "cuda");
    let cuda = Backend::built_in("cuda").map_err(|e| e.to_string())?;
    let texts = texts(translation.as_ref().as_ref()?, &cuda).into_iter();
    let renamed = texts.map(|(ending, text)| match ending == cuda.extension {
        true => (extension.to_string(), text),
        false => (ending, text),
    });
    Ok(renamed.collect())
}

fn compare(case: &Case, folder: &str, backend: &Backend) -> Result<(), String> {
    let translation = translate_for(case, backend)?;
    let cuda = match folder {
        "cuda" => BTreeMap::new(),
        _ => of_cuda(case, &backend.extension)?,
    };
    let (mut wrong, mut files) = (Vec::new(), BTreeSet::new());
    for (ending, text) in texts(&translation, backend) {
        let base = cuda.get(&ending);
        let Kept::File(name, text) = kept(case, &backend.name, &ending, text, base) else {
            continue;
        };
        let path = directory(folder).join(&name);
        files.insert(name);
        if bless() {
            std::fs::create_dir_all(directory(folder)).map_err(|e| e.to_string())?;
            std::fs::write(&path, &text).map_err(|e| format!("{}: {e}", path.display()))?;
            continue;
        }
        match std::fs::read_to_string(&path) {
            Ok(old) if old == text => {}
            Ok(old) => wrong.push(format!("{}\n{}", path.display(), shortened(&old, &text))),
            // Until now it was CUDA's.
            Err(error) => {
                let base = base.filter(|_| !path.to_string_lossy().ends_with(".diff"));
                let told = shortened(base.map_or("", String::as_str), &text);
                wrong.push(format!("{}: {error}\n{told}", path.display()));
            }
        }
    }
    for name in snapshots(folder) {
        if stem(&name) == case.name && !files.contains(&name) {
            let path = directory(folder).join(&name);
            match bless() {
                true => std::fs::remove_file(path).map_err(|e| e.to_string())?,
                false => wrong.push(format!("{}: nothing is kept there", path.display())),
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\n(BROOK_BLESS=1 writes what is generated now)",
        wrong.join("\n")
    ))
}

/// The names of a backend's files.
fn snapshots(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(directory(folder)).into_iter();
    let names = entries.flatten().flatten().map(|e| e.file_name());
    names.map(|n| n.to_string_lossy().into_owned()).collect()
}

/// The example of a file.
fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// The first lines that differ.
fn shortened(old: &str, new: &str) -> String {
    let all = difference(old, new);
    let lines: Vec<&str> = all.lines().collect();
    let mut text: String = lines.iter().take(24).map(|l| format!("  {l}\n")).collect();
    if lines.len() > 24 {
        text.push_str(&format!("  … {} more lines\n", lines.len() - 24));
    }
    text
}

/// Snapshots of examples that are no more.
fn left_over(folder: &str, cases: &[Case]) -> Result<(), String> {
    let known: BTreeSet<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    let old = snapshots(folder).into_iter();
    let old: Vec<String> = old.filter(|name| !known.contains(stem(name))).collect();
    if bless() {
        old.iter()
            .for_each(|name| std::fs::remove_file(directory(folder).join(name)).unwrap());
    } else if !old.is_empty() {
        return Err(format!("there are no such examples: {}", old.join(", ")));
    }
    Ok(())
}
