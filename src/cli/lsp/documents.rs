//! Texts that are open, and the files that they include.

use super::super::Failure;
use super::super::configuration::Configuration;
use super::super::positions::{Encoding, Lines};
use super::uris;
use brook::backend::Backend;
use brook::ide::Analysis;
use brook::source::{FileId, FileLoader, Loader};
use brook::{Dialect, Options, Source};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A text that is open.
pub(super) struct Document {
    pub(super) uri: Uri,
    /// Its path, or the URI of what is no file.
    pub(super) name: String,
    pub(super) version: i32,
    pub(super) text: String,
    /// `None` for headers and the like, which are looked at from where they are included.
    pub(super) dialect: Option<Dialect>,
    /// As it was last gone through; `None` once something has changed.
    pub(super) looked: Option<Looked>,
}

/// What was found out about a text.
pub(super) struct Looked {
    pub(super) analysis: Analysis,
    loader: Rc<Recording>,
    /// What is wrong with it was said.
    told: bool,
    /// What is wrong with the project's configuration.
    pub(super) misconfigured: Option<(PathBuf, String)>,
}

impl Looked {
    /// Hands out what it includes.
    pub(super) fn loader(&self) -> &dyn Loader {
        &*self.loader
    }

    /// The files that it depends on, those that were not there too.
    pub(super) fn read(&self) -> Vec<PathBuf> {
        self.loader.read.borrow().iter().cloned().collect()
    }

    /// Whether it depends on a file.
    pub(super) fn reads(&self, path: &str) -> bool {
        self.loader.read.borrow().contains(&key(path))
    }
}

impl Document {
    /// Applies changes in their order.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let span = Lines::new(&self.text, encoding).span(range);
                    let range = span.start as usize..span.end as usize;
                    self.text.replace_range(range, &change.text);
                }
            }
        }
    }
}

/// All that are open.
pub(super) struct Documents {
    all: BTreeMap<String, Document>,
    texts: Rc<RefCell<HashMap<PathBuf, String>>>,
    backend: Backend,
}

impl Documents {
    pub(super) fn new() -> Result<Self, Failure> {
        // As `brook check`: the most permissive one.
        let backend = Backend::built_in("cuda").map_err(|e| Failure::System(e.to_string()))?;
        Ok(Self {
            all: BTreeMap::new(),
            texts: Rc::default(),
            backend,
        })
    }

    pub(super) fn open(&mut self, uri: Uri, language: &str, version: i32, text: String) {
        let name = uris::path(&uri).unwrap_or_else(|| uri.as_str().to_string());
        let ending = Path::new(&name).extension().and_then(|e| e.to_str());
        let dialect = match (language, ending.unwrap_or("")) {
            ("brook", _) | (_, "br" | "bri") => Some(Dialect::Brook),
            ("okl", ending) if !["h", "hpp"].contains(&ending) => Some(Dialect::Okl),
            (_, "okl") => Some(Dialect::Okl),
            _ => None,
        };
        self.share(&name, Some(&text));
        self.all.insert(
            uri.as_str().to_string(),
            Document {
                uri,
                name,
                version,
                text,
                dialect,
                looked: None,
            },
        );
    }

    pub(super) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.all.get(uri.as_str())
    }

    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let Some(document) = self.all.get_mut(uri.as_str()) else {
            return;
        };
        document.change(version, changes, encoding);
        let (name, text) = (document.name.clone(), document.text.clone());
        self.share(&name, Some(&text));
        self.forget(&name);
    }

    pub(super) fn close(&mut self, uri: &Uri) {
        if let Some(document) = self.all.remove(uri.as_str()) {
            self.share(&document.name, None);
            self.forget(&document.name);
        }
    }

    /// A file has changed: what was found out with it counts no more.
    pub(super) fn forget(&mut self, name: &str) {
        for document in self.all.values_mut() {
            let depends = |looked: &Looked| looked.reads(name);
            if document.name == name || document.looked.as_ref().is_some_and(depends) {
                document.looked = None;
            }
        }
    }

    /// What includes see of a text that is open.
    fn share(&self, name: &str, text: Option<&str>) {
        let mut texts = self.texts.borrow_mut();
        match text {
            Some(text) => texts.insert(key(name), text.to_string()),
            None => texts.remove(&key(name)),
        };
    }

    /// The sources that were not gone through since something changed.
    fn unseen(&self) -> Vec<Uri> {
        let open = self.all.values();
        let unseen = open.filter(|d| d.dialect.is_some() && d.looked.is_none());
        unseen.map(|d| d.uri.clone()).collect()
    }

    /// Looks for what is left to be said of one source; which it was, and whether there is anything.
    pub(super) fn complete_next(&mut self) -> Option<(Uri, bool)> {
        let mut open = self.all.values_mut();
        open.find_map(|document| {
            let looked = document.looked.as_mut()?;
            let left = !looked.analysis.is_complete();
            left.then(|| (document.uri.clone(), looked.analysis.complete()))
        })
    }

    /// The next source of which it was not said what is wrong with it as it is now. It counts as said.
    pub(super) fn next_untold(&mut self) -> Option<Uri> {
        let is_told = |d: &Document| d.looked.as_ref().is_some_and(|l| l.told);
        let mut open = self.all.values();
        let next = open.find(|d| d.dialect.is_some() && !is_told(d))?;
        let uri = next.uri.clone();
        // Answers may have needed it already.
        self.look(&uri);
        if let Some(looked) = self
            .all
            .get_mut(uri.as_str())
            .and_then(|d| d.looked.as_mut())
        {
            looked.told = true;
        }
        Some(uri)
    }

    /// Goes through a source, unless that was done.
    pub(super) fn look(&mut self, uri: &Uri) {
        let Some(document) = self.all.get(uri.as_str()) else {
            return;
        };
        let Some(dialect) = document.dialect.filter(|_| document.looked.is_none()) else {
            return;
        };
        let mut source = Source::new(document.name.clone(), document.text.as_bytes());
        source.dialect = dialect;
        let looked = self.gone_through(source);
        if let Some(document) = self.all.get_mut(uri.as_str()) {
            document.looked = Some(looked);
        }
    }

    /// Goes through a source, open or not, with what its project says of it.
    pub(super) fn gone_through(&self, source: Source) -> Looked {
        let loader = Rc::new(Recording {
            texts: Rc::clone(&self.texts),
            read: RefCell::default(),
        });
        let mut options = Options::default();
        let mut misconfigured = None;
        let file = Configuration::file(&source.name);
        if let Some(file) = &file {
            loader.note(&file.to_string_lossy());
        }
        match Configuration::of(&source.name) {
            Ok(Some(project)) => project.add_to(&source.name, &mut options),
            Ok(None) => {}
            Err(Failure::Usage(what) | Failure::System(what)) => {
                misconfigured = file.map(|f| (f, what));
            }
            Err(Failure::Input) => {}
        }
        let analysis = Analysis::new(source, self.backend.clone(), options, loader.clone());
        Looked {
            analysis,
            loader,
            told: false,
            misconfigured,
        }
    }

    /// All sources that are open, gone through.
    pub(super) fn all_looked(&mut self) -> impl Iterator<Item = &Looked> {
        self.unseen().iter().for_each(|uri| self.look(uri));
        self.all.values().filter_map(|d| d.looked.as_ref())
    }

    /// Whether a file is open.
    pub(super) fn is_open(&self, name: &str) -> bool {
        self.texts.borrow().contains_key(&key(name))
    }

    /// The source that a text is looked at in: itself, or of a header one that includes it. It is gone through.
    pub(super) fn main_of(&mut self, uri: &Uri) -> Option<Uri> {
        let document = self.all.get(uri.as_str())?;
        let main = match document.dialect {
            Some(_) => uri.clone(),
            None => {
                let name = document.name.clone();
                self.unseen().iter().for_each(|uri| self.look(uri));
                let includes = |d: &&Document| d.looked.as_ref().is_some_and(|l| l.reads(&name));
                self.all.values().find(includes)?.uri.clone()
            }
        };
        self.look(&main);
        Some(main)
    }

    /// What is known of a source that was gone through, and the file in it that a text is.
    pub(super) fn known(&self, main: &Uri, uri: &Uri) -> Option<(&Analysis, FileId)> {
        let name = &self.all.get(uri.as_str())?.name;
        let analysis = &self.all.get(main.as_str())?.looked.as_ref()?.analysis;
        let mut files = analysis.files().iter();
        let (id, _) = files.find(|(_, f)| f.name == *name || key(&f.name) == key(name))?;
        Some((analysis, id))
    }

    /// The URI of a file: as its client wrote it, if it is open.
    pub(super) fn uri(&self, name: &str) -> Option<Uri> {
        let mut open = self.all.values();
        let open = open.find(|d| key(&d.name) == key(name));
        let open = open.map(|d| d.uri.clone());
        // What is predefined, or was said on the command line, is in no file.
        open.or_else(|| uris::of(name).filter(|_| !name.starts_with('<')))
    }
}

/// A path without detours, so that one file has one name.
pub(super) fn key(path: &str) -> PathBuf {
    let path = Path::new(path);
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Hands out texts that are open, other files from the disk, and knows afterwards which.
struct Recording {
    texts: Rc<RefCell<HashMap<PathBuf, String>>>,
    /// Those that were looked for in vain, too.
    read: RefCell<BTreeSet<PathBuf>>,
}

impl Recording {
    fn note(&self, path: &str) {
        self.read.borrow_mut().insert(key(path));
    }
}

impl Loader for Recording {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        self.note(path);
        match self.texts.borrow().get(&key(path)) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => FileLoader.load(path),
        }
    }

    fn beside(&self, directory: &str) -> Vec<String> {
        FileLoader.beside(directory)
    }
}
