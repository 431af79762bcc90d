//! Files that commands read: said where much is to be said, and remembered for those who wait until one changes.

use super::Failure;
use super::common::{Preprocess, Target};
use super::configuration::Configuration;
use super::files::tree;
use super::terminal::{self, MessageFormat, detail};
use brook::Source;
use brook::diagnostics::{Diagnostic, Report, codes};
use brook::source::{FileLoader, Loader};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// What tells a file from what it was: when it was written and how long it is; nothing if it is not there.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

/// Reads files, and knows afterwards which; also those that were looked for in vain.
#[derive(Default)]
pub(crate) struct Reader {
    seen: Mutex<BTreeMap<PathBuf, Stamp>>,
}

impl Reader {
    fn seen(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Stamp>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file is about to be read. What it is at that moment counts, so that no change is missed.
    pub(crate) fn note(&self, path: &Path) {
        // Of several times, the first: what is read again may have changed since.
        self.seen()
            .entry(path.to_path_buf())
            .or_insert_with(|| stamp(path));
    }

    /// The source: a file, or standard input for `-`; or why it cannot be read.
    pub(crate) fn source(&self, path: &str) -> Result<Source, Box<Report>> {
        let mut bytes = Vec::new();
        let result = match path {
            "-" => {
                // One byte more than a source can have is too many.
                let input = io::stdin().lock().take(1 << 30);
                { input }.read_to_end(&mut bytes).map(|_| ())
            }
            path => self.bytes(path.as_ref()).map(|read| bytes = read),
        };
        match result {
            Ok(()) => Ok(Source::new(
                if path == "-" { "<stdin>" } else { path },
                bytes,
            )),
            Err(error) => {
                let mut report = Report::default();
                let at = report.files.add_argument("", path);
                let code = &codes::CANNOT_READ;
                let what = Diagnostic::new(code, Some(at), &[&path, &error]);
                report.diagnostics.push(what);
                Err(Box::new(report))
            }
        }
    }

    /// The source; says what is wrong if it cannot be read.
    pub(crate) fn read(&self, path: &str, format: MessageFormat) -> Result<Source, Failure> {
        self.source(path).map_err(|what| {
            terminal::report(&what, format);
            Failure::Input
        })
    }

    /// The bytes of a file that was named.
    pub(crate) fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(path);
        let read = brook::source::read(path);
        if read.is_ok() {
            detail(|| format!("read '{}'", path.display()));
        }
        read
    }

    /// A file that is another one now.
    pub(crate) fn changed(&self) -> Option<PathBuf> {
        let seen = self.seen();
        let mut changed = seen.iter().filter(|(path, was)| stamp(path) != **was);
        changed.next().map(|(path, _)| path.clone())
    }

    /// What options name is read, too: tables, and the folder of a backend.
    pub(crate) fn note_options(&self, preprocess: &Preprocess, target: &Target) {
        let tables = preprocess.tables().iter().cloned();
        let folder = target.folder().map(|f| f.display().to_string());
        let backend = tree(folder.as_slice(), &["toml", "tera"], &mut Vec::new());
        { tables.chain(backend) }.for_each(|path| self.note(&path));
    }

    /// What the project says of a source is read, too.
    pub(crate) fn note_project(&self, source: &str) {
        let file = Configuration::file(source);
        file.iter().for_each(|file| self.note(file));
    }

    /// Forgets what was read.
    pub(crate) fn forget(&self) {
        self.seen().clear();
    }
}

/// What a file is now.
pub(crate) fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

impl Loader for Reader {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        self.note(path.as_ref());
        let read = FileLoader.load(path);
        if read.is_ok() {
            detail(|| format!("read '{path}'"));
        }
        read
    }

    fn has_directory(&self, path: &str) -> Option<bool> {
        Some(Path::new(path).is_dir())
    }

    fn beside(&self, directory: &str) -> Vec<String> {
        FileLoader.beside(directory)
    }
}

/// Reads a source as [`Reader::read`] does.
pub(crate) fn read_source(path: &str) -> Result<Source, Failure> {
    Reader::default().read(path, MessageFormat::Human)
}
