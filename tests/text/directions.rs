//! Imports point one way: each part of the library knows those before it in one list, and none behind.

use crate::support::Trial;
use crate::support::cases::root;
use std::path::{Path, PathBuf};

/// The parts, each of which knows none that stands behind it.
const ORDER: [&str; 32] = [
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
    "analyze",
    "rewrite",
    "render",
    "source_text",
    "transpile",
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
    vec![Trial::test("imports_point_one_way", || Ok(directions()?))]
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

fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return vec![path.to_path_buf()];
    };
    let inside = entries.flatten().flat_map(|e| files(&e.path()));
    inside
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect()
}
