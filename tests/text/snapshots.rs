//! The generated text of every example, for every backend: `tests/snapshots/BACKEND/NAME.ENDING`.
//!
//! A difference is a question, not an error by itself: `BROOK_BLESS=1 cargo test --test text -- snapshots::`
//! writes what is generated now, and the difference is then read in the version control system.

use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::translate::{BACKENDS, texts, translate_for};
use brook::backend::Backend;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut backends: Vec<(String, Backend)> = BACKENDS
        .iter()
        .map(|name| (name.to_string(), Backend::built_in(name).unwrap()))
        .collect();
    // A backend that is nothing but a folder.
    let folder = cases::root().join("tests/backends/metal-like");
    backends.push((
        "metal-like".to_string(),
        Backend::from_directory(&folder).unwrap(),
    ));
    for (folder, backend) in backends {
        let of_backend: Vec<Case> = cases::examples()
            .into_iter()
            // The functions that Brook+ needs are templates, which that folder does not have.
            .filter(|case| folder != "metal-like" || case.relative.ends_with(".okl"))
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

fn compare(case: &Case, folder: &str, backend: &Backend) -> Result<(), String> {
    let translation = translate_for(case, backend)?;
    let mut wrong = Vec::new();
    for (ending, text) in texts(&translation, backend) {
        let path = directory(folder).join(format!("{}.{ending}", case.name));
        if bless() {
            std::fs::create_dir_all(directory(folder)).map_err(|e| e.to_string())?;
            std::fs::write(&path, &text).map_err(|e| format!("{}: {e}", path.display()))?;
            continue;
        }
        match std::fs::read_to_string(&path) {
            Ok(old) if old == text => {}
            Ok(old) => wrong.push(format!("{}\n{}", path.display(), difference(&old, &text))),
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
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

/// Snapshots of examples that are no more.
fn left_over(folder: &str, cases: &[Case]) -> Result<(), String> {
    let known: BTreeSet<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    let entries = std::fs::read_dir(directory(folder))
        .into_iter()
        .flatten()
        .flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_string();
    let old: Vec<String> = names
        .filter(|name| !known.contains(stem(name).as_str()))
        .collect();
    if bless() {
        old.iter()
            .for_each(|name| std::fs::remove_file(directory(folder).join(name)).unwrap());
    } else if !old.is_empty() {
        return Err(format!("there are no such examples: {}", old.join(", ")));
    }
    Ok(())
}

/// The lines that differ, from the first to the last of them.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let show = |lines: &[&str], sign: char| -> String {
        let lines = &lines[same..lines.len() - tail];
        let more = lines.len().saturating_sub(12);
        let mut text: String = lines
            .iter()
            .take(12)
            .map(|l| format!("  {sign} {l}\n"))
            .collect();
        if more > 0 {
            text.push_str(&format!("  {sign} … {more} more lines\n"));
        }
        text
    };
    format!(
        "  from line {}:\n{}{}",
        same + 1,
        show(&old, '-'),
        show(&new, '+')
    )
}
