//! What the C and C++ files of a program include: their compilers say it, as they do to make.

use super::super::Result;
use super::build::{HostBuild, HostUnit};
use std::path::{Path, PathBuf};
use std::process::Stdio;

impl HostBuild<'_> {
    /// The files that the program's C and C++ files include, but for those of the system; those that are not there, too.
    /// Nothing is said of a file that its compiler cannot read: building it says why.
    ///
    /// # Errors
    /// No compiler.
    pub fn included(&self) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for unit in &self.units {
            let HostUnit::File(path) = unit else {
                continue;
            };
            let Some(mut command) = self.compiler_of(path)? else {
                continue;
            };
            command
                .args(self.preprocessor)
                .args(["-MM", "-MG"])
                .arg(path);
            let said = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
            let said = said.map(|said| said.stdout).unwrap_or_default();
            for file in of_rule(&String::from_utf8_lossy(&said)) {
                if file != *path && !all.contains(&file) {
                    all.push(file);
                }
            }
        }
        Ok(all)
    }
}

/// What a rule for make depends on.
pub(super) fn of_rule(text: &str) -> Vec<PathBuf> {
    let mut words = Vec::new();
    let mut word = String::new();
    // What stands before the first colon with a blank behind it is made, not read.
    let text = text.split_once(": ").map_or("", |(_, rest)| rest);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.peek() {
                Some('\n') => {}
                Some(' ' | '#' | ':') => word.extend(letters.next()),
                _ => word.push('\\'),
            },
            '$' if letters.peek() == Some(&'$') => word.extend(letters.next()),
            letter if letter.is_whitespace() => words.push(std::mem::take(&mut word)),
            letter => word.push(letter),
        }
    }
    words.push(word);
    let files = words.iter().filter(|w| !w.is_empty());
    files.map(|w| Path::new(w).to_path_buf()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let files = |text: &str| -> Vec<String> {
            let files = of_rule(text).into_iter();
            files.map(|f| f.display().to_string()).collect()
        };
        assert_eq!(
            files("a.o: a.c in\\ c/b.h \\\n x$$y.h z\\#.h C:\\w.h\n"),
            ["a.c", "in c/b.h", "x$y.h", "z#.h", "C:\\w.h"]
        );
        assert_eq!(files("a.o: a.c\n"), ["a.c"]);
        assert_eq!(files(""), Vec::<String>::new());
    }
}
