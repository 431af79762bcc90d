//! Imports point one way: each part of the library knows those before it in one list, and none behind.

use crate::support::Trial;
use crate::support::cases::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The parts, each of which knows none that stands behind it.
const ORDER: [&str; 38] = [
    "source",
    "digest",
    "stage",
    "library",
    "lex",
    "diagnostics",
    "expr",
    "grammar",
    "backend",
    "module",
    "normalize",
    "extension",
    "intrinsics",
    "preprocess",
    "options",
    "compat",
    "syntax",
    "sema",
    "body",
    "facts",
    "passes",
    "maps",
    "analyze",
    "repair",
    "schedule",
    "rewrite",
    "render",
    "source_text",
    "transpile",
    "ide",
    "interpret",
    "sanitize",
    "runtime",
    "capi",
    // What crates see by other names.
    "Checking",
    "Extension",
    "Options",
    "Source",
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("imports_point_one_way", || Ok(directions()?)),
        Trial::test("files_know_each_other_one_way", || Ok(circles()?)),
    ]
}

fn place(name: &str) -> Option<usize> {
    ORDER.iter().position(|part| *part == name)
}

/// What a name that the crate shows at its top belongs to.
fn home(name: &str) -> &str {
    match name {
        "Checking" => "module",
        "Extension" => "extension",
        "Options" => "options",
        "Source" => "source_text",
        _ => name,
    }
}

fn directions() -> Result<(), String> {
    let source = root().join("src");
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(&source).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let part = path
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
        if matches!(part, "lib" | "main" | "bin" | "cli") || part.ends_with("_tests") {
            continue;
        }
        let Some(here) = place(part) else {
            wrong.push(format!("{part} has no place in the list"));
            continue;
        };
        for file in files(&path) {
            let test = file
                .file_stem()
                .is_some_and(|s| s.to_string_lossy().ends_with("tests"));
            if test {
                continue;
            }
            let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
            let lines = text
                .lines()
                .map(|l| l.split("//").next().unwrap_or_default());
            // Tests inside of a file may ask whom they like.
            let lines = lines.take_while(|l| !l.contains("mod tests {"));
            for known in lines.flat_map(|l| l.split("crate::").skip(1)) {
                let end = known.find(|c: char| !c.is_alphanumeric() && c != '_');
                let known = home(&known[..end.unwrap_or(known.len())]);
                if known == part || known.is_empty() {
                    continue;
                }
                if place(known).is_none_or(|there| there >= here) {
                    wrong.push(format!("{} knows {known}", file.display()));
                }
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Folders in which no files know each other in a circle, nor in the folders in them.
const ONE_WAY: [&str; 13] = [
    "backends/cuda/src",
    "backends/driver/src",
    "backends/hip/src",
    "backends/metal/src",
    "backends/opencl/src",
    "backends/openmp/src",
    "backends/sycl/src",
    "src/analyze/brook",
    "src/body",
    "src/facts",
    "src/interpret/compile",
    "src/passes",
    "src/schedule",
];

fn circles() -> Result<(), String> {
    let mut wrong = Vec::new();
    for folder in ONE_WAY.iter().flat_map(|f| folders(&root().join(f))) {
        let known = acquaintances(&folder)?;
        let folder = folder.display();
        let mut left = known.clone();
        // Whoever knows nobody that is left is in no circle.
        loop {
            let all: BTreeSet<String> = left.keys().cloned().collect();
            let before = left.len();
            left.retain(|_, known| known.iter().any(|k| all.contains(k)));
            if left.len() == before {
                break;
            }
        }
        for (file, known) in &left {
            let known: Vec<&String> = known.iter().filter(|k| left.contains_key(*k)).collect();
            wrong.push(format!("{folder}: {file} knows {known:?}"));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "in circles, or towards them:\n{}",
            wrong.join("\n")
        )),
    }
}

/// Which files of a folder each of them names behind `super::` or, in a crate of its own, `crate::`. What a folder's first file
/// shows of the others counts as theirs.
fn acquaintances(folder: &Path) -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder)
        .map_err(|e| e.to_string())?
        .flatten()
    {
        let path = entry.path();
        let name = path
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
        if path.is_file() && !name.ends_with("tests") {
            let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            let lines = text.lines().take_while(|l| !l.contains("mod tests {"));
            let lines = lines.map(|l| l.split("//").next().unwrap_or_default());
            texts.insert(name.to_string(), lines.collect::<Vec<_>>().join("\n"));
        }
    }
    let own = match texts.contains_key("lib") {
        true => "crate::",
        false => "super::",
    };
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|w| !w.is_empty()).map(String::from).collect()
    };
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    for first in ["lib", "mod"].iter().filter_map(|n| texts.get(*n)) {
        for used in first.split("use ").skip(1) {
            let used = used.split(';').next().unwrap_or_default();
            let (file, names) = used.split_once("::").unwrap_or((used, ""));
            if texts.contains_key(file) {
                shown.extend(words(names).into_iter().map(|w| (w, file.to_string())));
            }
        }
    }
    let mut known = BTreeMap::new();
    for (file, text) in &texts {
        let mut others = BTreeSet::new();
        for behind in text.split(own).skip(1) {
            let named = match behind.strip_prefix('{') {
                Some(list) => words(list.split('}').next().unwrap_or_default()),
                None => words(behind).into_iter().take(1).collect(),
            };
            for name in named {
                let other = shown.get(&name).unwrap_or(&name);
                if texts.contains_key(other) && other != file {
                    others.insert(other.clone());
                }
            }
        }
        if !matches!(file.as_str(), "lib" | "mod") {
            known.insert(file.clone(), others);
        }
    }
    Ok(known)
}

/// A folder, and all in it.
fn folders(path: &Path) -> Vec<PathBuf> {
    let inside = std::fs::read_dir(path).into_iter().flatten().flatten();
    let inside = inside.map(|e| e.path()).filter(|p| p.is_dir());
    let mut all = vec![path.to_path_buf()];
    all.extend(inside.flat_map(|p| folders(&p)));
    all
}

fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return vec![path.to_path_buf()];
    };
    let inside = entries.flatten().flat_map(|e| files(&e.path()));
    inside
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect()
}
