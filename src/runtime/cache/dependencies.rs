use super::super::embedded::EmbeddedFiles;
use super::identity::{Identity, absolute};
use crate::source::Loader;
use brook_driver::CompileOptions;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// Files that were looked for: absolute path, and the digest of the content that was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Dependencies {
    files: BTreeMap<String, Option<String>>,
    /// A file was there and could not be read, or changed while it was used.
    #[serde(skip)]
    unknown: bool,
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The digest of a file; `Ok(None)` where there is none.
fn look(path: &Path) -> io::Result<Option<String>> {
    match crate::source::read(path) {
        Ok(bytes) => Ok(Some(digest(&bytes))),
        Err(_) if !path.is_file() => Ok(None),
        Err(error) => Err(error),
    }
}

impl Dependencies {
    fn note(&mut self, path: String, found: Option<String>) {
        let before = self.files.insert(path, found.clone());
        self.unknown |= before.is_some_and(|before| before != found);
    }

    /// Notes a file that was read. Its text; `None` where it cannot be read.
    pub(super) fn add(&mut self, path: &Path) -> Option<String> {
        let bytes = crate::source::read(path).ok()?;
        let path = absolute(&path.to_string_lossy());
        self.note(path, Some(digest(&bytes)));
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.unknown |= other.unknown;
        for (path, found) in other.files {
            self.note(path, found);
        }
    }

    /// Whether the list tells all there is to know.
    pub(super) fn are_known(&self) -> bool {
        !self.unknown
    }

    /// Whether every file is as it was, those that were not there included.
    pub(super) fn are_unchanged(&self) -> bool {
        self.files
            .iter()
            .all(|(path, before)| look(Path::new(path)).is_ok_and(|now| now == *before))
    }

    /// Adds what was found, wherever it lies.
    pub(super) fn add_to(&self, identity: &mut Identity) {
        for found in self.files.values().flatten() {
            identity.field("header", found.as_bytes());
        }
    }
}

/// Remembers every file that the transpiler asks the disk for.
pub(in crate::runtime) struct Recorder<'l> {
    loader: &'l EmbeddedFiles,
    seen: RefCell<Dependencies>,
}

impl<'l> Recorder<'l> {
    pub(super) fn new(loader: &'l EmbeddedFiles) -> Self {
        Self {
            loader,
            seen: RefCell::default(),
        }
    }

    pub(super) fn finish(self) -> Dependencies {
        self.seen.into_inner()
    }
}

impl Loader for Recorder<'_> {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        let result = self.loader.load(path);
        if self.loader.decide(path) {
            return result;
        }
        let mut seen = self.seen.borrow_mut();
        match &result {
            Ok(bytes) => seen.note(absolute(path), Some(digest(bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                seen.note(absolute(path), None);
            }
            Err(_) => seen.unknown = true,
        }
        result
    }
}

/// Headers that the generated source leaves to the device's compiler, as far as they are the user's:
/// looked for in the directories the compiler is told of, and in theirs in turn. Conditions around
/// an `#include` are ignored, which at worst rebuilds too often.
pub(super) fn kept_headers(device_source: &str, options: &CompileOptions) -> Dependencies {
    let mut found = Dependencies::default();
    let directories = directories(options);
    if directories.is_empty() {
        return found;
    }
    let mut done = BTreeSet::new();
    let mut queue = vec![(None, device_source.to_string())];
    while let Some((own, text)) = queue.pop() {
        for (quoted, name) in includes(&text) {
            let own = own.as_ref().filter(|_| quoted);
            for directory in own.into_iter().chain(&directories) {
                let path = absolute(&Path::new(directory).join(name).to_string_lossy());
                if done.contains(&path) {
                    break;
                }
                match crate::source::read(path.as_ref()) {
                    Ok(bytes) => {
                        found.note(path.clone(), Some(digest(&bytes)));
                        let own = Path::new(&path).parent().map(|p| p.display().to_string());
                        queue.push((own, String::from_utf8_lossy(&bytes).into_owned()));
                        done.insert(path);
                        break;
                    }
                    Err(_) if Path::new(&path).is_file() => found.unknown = true,
                    Err(_) => found.note(path, None),
                }
            }
        }
    }
    found
}

/// The paths of those that are there.
pub(in crate::runtime) fn left_headers(
    device_source: &str,
    options: &CompileOptions,
) -> Vec<String> {
    let found = kept_headers(device_source, options).files.into_iter();
    found
        .filter_map(|(path, digest)| digest.map(|_| path))
        .collect()
}

/// Where the compiler is told to look, by options and by flags.
fn directories(options: &CompileOptions) -> Vec<String> {
    let mut directories = options.include_directories.clone();
    let mut flags = options.flags.iter();
    while let Some(flag) = flags.next() {
        for prefix in ["-I", "-isystem", "-iquote"] {
            match flag.strip_prefix(prefix) {
                Some("") => directories.extend(flags.next().cloned()),
                Some(directory) => directories.push(directory.to_string()),
                None => continue,
            }
            break;
        }
    }
    directories
}

/// The names in a text's `#include` lines, and whether they are quoted.
fn includes(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.lines().filter_map(|line| {
        let rest = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("include")?;
        let rest = rest.strip_prefix("_next").unwrap_or(rest).trim_start();
        let (quoted, close) = match rest.bytes().next()? {
            b'"' => (true, '"'),
            b'<' => (false, '>'),
            _ => return None,
        };
        Some((quoted, rest[1..].split_once(close)?.0))
    })
}
