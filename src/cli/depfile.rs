//! `--depfile`: which files were read, in the words of make, for build systems that ask.

use super::Failure;
use super::files::{tree, write_files};
use clap::Args;
use std::path::{Path, PathBuf};

/// Whether anybody wants to know.
#[derive(Args, Clone, Default)]
pub(crate) struct Depfile {
    /// Write a rule for make into FILE: what was written depends on all files that were read
    #[arg(long = "depfile", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Depfile {
    pub(crate) fn is_wanted(&self) -> bool {
        self.file.is_some()
    }

    /// Writes the rule. What is no file, such as standard input, depends on nothing; below folders it is all files.
    pub(crate) fn write<T: AsRef<Path>>(
        &self,
        written: &[PathBuf],
        read: impl IntoIterator<Item = T>,
    ) -> Result<(), Failure> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut all: Vec<String> = Vec::new();
        let mut failures = Vec::new();
        for path in read {
            let path = path.as_ref().to_string_lossy().into_owned();
            let inside = match Path::new(&path).is_dir() {
                true => tree(&[path], &["toml", "tera"], &mut failures),
                false => vec![PathBuf::from(path)],
            };
            for path in inside.iter().filter(|p| p.is_file()) {
                let path = path.display().to_string();
                if !all.contains(&path) {
                    all.push(path);
                }
            }
        }
        let written = written.iter().map(|p| p.display().to_string());
        let written: Vec<String> = written.collect();
        if let Some(name) = written.iter().chain(&all).find(|n| n.contains('\n')) {
            let name = name.escape_debug();
            return Err(Failure::System(format!("make has no word for '{name}'")));
        }
        write_files(&[(file.clone(), &rule(&written, &all))])
    }
}

fn rule(written: &[String], read: &[String]) -> String {
    let words = |names: &[String]| -> Vec<String> { names.iter().map(|n| escaped(n)).collect() };
    let mut text = words(written).join(" ");
    text.push(':');
    for name in words(read) {
        text.push_str(" \\\n  ");
        text.push_str(&name);
    }
    text.push('\n');
    text
}

/// A name as make reads it: a blank or a `#` stands behind a backslash, backslashes in front of those are doubled, and
/// `$` is.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut backslashes = 0;
    for c in name.chars() {
        match c {
            ' ' | '\t' | '#' => {
                text.extend(std::iter::repeat_n('\\', backslashes + 1));
            }
            '$' => text.push('$'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_make() {
        assert_eq!(escaped("a b#c$d"), "a\\ b\\#c$$d");
        assert_eq!(escaped("a\\b\\ c"), "a\\b\\\\\\ c");
        let names = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(
            rule(&names(&["x.cpp", "x.h"]), &names(&["a.br", "in c.h"])),
            "x.cpp x.h: \\\n  a.br \\\n  in\\ c.h\n"
        );
    }
}
