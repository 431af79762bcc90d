//! The files that sources include, found by their names alone: which of them a build reads is not known before it is
//! known what for, and with which macros.

use super::Failure;
use brook::Options;
use brook::lex::lex;
use brook::runtime::EMBEDDED;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// All files of a program, and where includes are searched in it.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) files: Vec<File>,
    /// How many of these are sources, from the first on.
    pub(super) sources: usize,
    pub(super) directories: Vec<String>,
    pub(super) forced_includes: Vec<String>,
}

pub(super) struct File {
    /// On the disk.
    pub(super) path: PathBuf,
    /// In the program.
    pub(super) name: String,
    /// None if it stays on the disk.
    pub(super) text: Option<Vec<u8>>,
}

/// Sources that stay where they are.
pub(super) fn in_place(files: &[String], options: &Options) -> Gathered {
    let whole = |path: &String| plain(Path::new(path));
    let files: Vec<File> = files
        .iter()
        .map(|file| File::on_disk(whole(file)))
        .collect();
    let directories = options.include_directories.iter();
    Gathered {
        sources: files.len(),
        files,
        directories: directories.map(|d| shown(&whole(d))).collect(),
        forced_includes: options
            .forced_includes
            .iter()
            .map(|file| match Path::new(file).is_file() {
                true => shown(&whole(file)),
                false => file.clone(),
            })
            .collect(),
    }
}

/// Sources with all that they include.
pub(super) fn gather(
    sources: &[String],
    also: &[String],
    base: &Path,
    options: &Options,
) -> Result<Gathered, Failure> {
    let directories = options.include_directories.iter();
    let directories: Vec<PathBuf> = directories.map(|d| plain(Path::new(d))).collect();
    let mut search = Search {
        base: plain(base),
        directories,
        files: Vec::new(),
        numbers: BTreeMap::new(),
    };
    for source in sources {
        search.add(&plain(Path::new(source)), None)?;
    }
    let count = search.files.len();
    let mut forced_includes = Vec::new();
    for file in &options.forced_includes {
        let places = search.directories.iter().map(|d| d.join(file));
        let mut places = std::iter::once(PathBuf::from(file)).chain(places);
        let Some(found) = places.find(|p| p.is_file()) else {
            return Err(Failure::Usage(format!("there is no '{file}' to include")));
        };
        let number = search.add(&plain(&found), None)?;
        forced_includes.push(search.files[number].name.clone());
    }
    for file in also {
        search.add(&plain(Path::new(file)), None)?;
    }
    search.follow()?;
    let used = |directory: &PathBuf| search.files.iter().any(|f| f.path.starts_with(directory));
    let directories = search.directories.iter().filter(|d| used(d));
    Ok(Gathered {
        directories: directories.filter_map(|d| search.name(d)).collect(),
        sources: count,
        forced_includes,
        files: search.files,
    })
}

impl File {
    fn on_disk(path: PathBuf) -> Self {
        let name = shown(&path);
        Self {
            path,
            name,
            text: None,
        }
    }
}

struct Search {
    base: PathBuf,
    directories: Vec<PathBuf>,
    files: Vec<File>,
    /// Places in `files`, by path.
    numbers: BTreeMap<PathBuf, usize>,
}

/// What a line includes.
struct Include {
    name: String,
    quoted: bool,
    next: bool,
}

impl Search {
    /// What a file, or a folder, is called in the program: by its path below the base, or else below the folder of
    /// `-I` that it is in.
    fn name(&self, path: &Path) -> Option<String> {
        let rest = |root: &Path, below: String| {
            let rest = path.strip_prefix(root).ok()?;
            Some(match rest.as_os_str().is_empty() {
                true => below,
                false => format!("{}/{}", below.trim_end_matches('/'), shown(rest)),
            })
        };
        let of_base = rest(&self.base, EMBEDDED.to_string());
        of_base.or_else(|| {
            let mut all = self.directories.iter().enumerate();
            all.find_map(|(i, d)| rest(d, format!("{EMBEDDED}+{}", i + 1)))
        })
    }

    /// The number of a file, which is read if it is new.
    fn add(&mut self, path: &Path, from: Option<&str>) -> Result<usize, Failure> {
        if let Some(number) = self.numbers.get(path) {
            return Ok(*number);
        }
        let Some(name) = self.name(path) else {
            let (path, base) = (path.display(), self.base.display());
            let from = from.map_or(String::new(), |f| format!(", which '{f}' includes,"));
            return Err(Failure::Usage(format!(
                "'{path}'{from} is neither below '{base}' nor in a folder of -I: --base names a folder above all files"
            )));
        };
        let text = Some(super::read(path)?);
        self.numbers.insert(path.to_path_buf(), self.files.len());
        self.files.push(File {
            path: path.to_path_buf(),
            name,
            text,
        });
        Ok(self.files.len() - 1)
    }

    /// Adds what the files include, and what that does.
    fn follow(&mut self) -> Result<(), Failure> {
        let mut queue: VecDeque<usize> = (0..self.files.len()).collect();
        let mut edges = Vec::new();
        let mut told = HashSet::new();
        while let Some(number) = queue.pop_front() {
            let text = self.files[number].text.clone().unwrap_or_default();
            let path = self.files[number].path.clone();
            for include in includes(&String::from_utf8_lossy(&text)) {
                let Some(include) = include else {
                    eprintln!(
                        "brook: warning: '{}' includes what a macro names: --also takes it along",
                        path.display()
                    );
                    continue;
                };
                let found = self.find(&path, &include);
                if found.is_empty() && include.quoted && told.insert(include.name.clone()) {
                    eprintln!(
                        "brook: warning: '{}' includes \"{}\", which is not there",
                        path.display(),
                        include.name
                    );
                }
                for found in found {
                    let known = self.files.len();
                    let target = self.add(&found, path.to_str())?;
                    if target == known {
                        queue.push_back(target);
                    }
                    if !include.next {
                        edges.push((number, include.quoted, include.name.clone(), target));
                    }
                }
            }
        }
        // What is found on the disk has to be found in the program.
        for (from, quoted, name, target) in edges {
            if self.found_inside(from, quoted, &name) != Some(target) {
                return Err(Failure::Usage(format!(
                    "'{}' includes \"{name}\", which leads elsewhere inside of the program: --base names a folder above all files",
                    self.files[from].path.display()
                )));
            }
        }
        Ok(())
    }

    /// The file that an include leads to; of `#include_next` all that there are.
    fn find(&self, from: &Path, include: &Include) -> Vec<PathBuf> {
        let own = from.parent().filter(|_| include.quoted && !include.next);
        let folders = own.into_iter().chain(self.directories.iter().map(|d| &**d));
        let found = folders.map(|d| plain(&d.join(&include.name)));
        let found = found.filter(|p| p.is_file());
        found
            .take(if include.next { usize::MAX } else { 1 })
            .collect()
    }

    /// The file that the same include leads to in the program.
    fn found_inside(&self, from: usize, quoted: bool, name: &str) -> Option<usize> {
        let own = self.files[from].name.rsplit_once('/').map(|(d, _)| d);
        let own = own.filter(|_| quoted).map(str::to_string);
        let folders = self.directories.iter().filter_map(|d| self.name(d));
        own.into_iter().chain(folders).find_map(|folder| {
            let inside = folder.strip_prefix(EMBEDDED.trim_end_matches('/'))?;
            let path = plain(
                &Path::new("/")
                    .join(inside.trim_start_matches('/'))
                    .join(name),
            );
            let name = format!("{EMBEDDED}{}", shown(path.strip_prefix("/").ok()?));
            self.files.iter().position(|f| f.name == name)
        })
    }
}

/// What a text's lines include; none for one that a macro names. Conditions do not matter.
fn includes(text: &str) -> Vec<Option<Include>> {
    let tokens = lex(text);
    let mut found = Vec::new();
    for (index, hash) in tokens.iter().enumerate() {
        if !hash.line_start || hash.text(text) != "#" {
            continue;
        }
        let (Some(word), Some(first)) = (tokens.get(index + 1), tokens.get(index + 2)) else {
            continue;
        };
        let word = word.text(text);
        if !matches!(word, "include" | "include_next" | "import") || first.line_start {
            continue;
        }
        let rest = &text[first.span.start as usize..];
        let rest = rest.lines().next().unwrap_or_default();
        let (quoted, close) = (
            rest.starts_with('"'),
            if rest.starts_with('"') { '"' } else { '>' },
        );
        let name = rest
            .strip_prefix(['"', '<'])
            .and_then(|r| r.split_once(close));
        found.push(name.map(|(name, _)| Include {
            name: name.to_string(),
            quoted,
            next: word == "include_next",
        }));
    }
    found
}

/// A whole path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
