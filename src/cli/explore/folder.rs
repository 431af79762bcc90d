//! The files that are shown: those below a folder, and nothing else, whatever a page asks for or a source includes.

use super::super::Failure;
use super::super::batch::ENDINGS;
use super::super::files::tree;
use brook::Options;
use brook::source::{FileLoader, Loader};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Endings of files that may be looked at, besides sources.
const HEADERS: [&str; 3] = ["h", "hpp", "brh"];
/// How many files a page is told of.
const MOST_FILES: usize = 5000;

/// A folder of sources, or one of them.
pub(super) struct Folder {
    /// Without links on the way.
    root: PathBuf,
    /// The only source, if one was named.
    only: Option<String>,
}

impl Folder {
    /// # Errors
    /// There is no such file, or folder.
    pub(super) fn new(path: &Path) -> Result<Self, Failure> {
        let cannot =
            |e: io::Error| Failure::System(format!("cannot read '{}': {e}", path.display()));
        let real = std::fs::canonicalize(path).map_err(cannot)?;
        if real.is_dir() {
            return Ok(Self {
                root: real,
                only: None,
            });
        }
        let (Some(root), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(Failure::Usage(format!("'{}' is no file", path.display())));
        };
        Ok(Self {
            root: root.to_path_buf(),
            only: Some(name.to_string_lossy().into_owned()),
        })
    }

    /// The names of its sources, in order, and whether these are not all.
    pub(super) fn sources(&self) -> (Vec<String>, bool) {
        if let Some(only) = &self.only {
            return (vec![only.clone()], false);
        }
        let root = [self.root.to_string_lossy().into_owned()];
        let endings: Vec<&str> = ENDINGS.iter().copied().chain(HEADERS).collect();
        let mut found = tree(&root, &endings, &mut Vec::new());
        // Links may lead out of it.
        found.retain(|path| inside(&self.root, path));
        let more = found.len() > MOST_FILES;
        found.truncate(MOST_FILES);
        let names = found.iter().map(|path| self.shown(&path.to_string_lossy()));
        // Names that are no text have no way back.
        (names.filter(|n| self.path(n).is_some()).collect(), more)
    }

    /// The path of a source, by its name; nothing if it is none of this folder's.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        let plain = |c: Component<'_>| matches!(c, Component::Normal(_));
        let relative = Path::new(name);
        if name.contains(['\0', '\\']) || !relative.components().all(plain) {
            return None;
        }
        let known = match &self.only {
            Some(only) => only == name,
            None => {
                let ending = relative.extension().and_then(|e| e.to_str()).unwrap_or("");
                let hidden = |c: Component<'_>| c.as_os_str().to_string_lossy().starts_with('.');
                let is_source = ENDINGS.contains(&ending) || HEADERS.contains(&ending);
                is_source && !relative.components().any(hidden)
            }
        };
        let path = self.root.join(relative);
        (known && inside(&self.root, &path)).then_some(path)
    }

    /// How a file is called in answers: from the folder on.
    pub(super) fn shown(&self, path: &str) -> String {
        let below = Path::new(path).strip_prefix(&self.root);
        below.map_or_else(|_| path.to_string(), |p| p.to_string_lossy().into_owned())
    }

    /// What hands out files that sources include: those of the folder, and of those that the command and `brook.toml` name.
    pub(super) fn fence(&self, options: &Options) -> Fence {
        let named = options.include_directories.iter();
        let named = named.chain(&options.forced_includes);
        let named = named.filter_map(|path| std::fs::canonicalize(path).ok());
        Fence(std::iter::once(self.root.clone()).chain(named).collect())
    }
}

/// Hands out files below some folders, and some files. Others are not there.
#[derive(Clone)]
pub(super) struct Fence(Vec<PathBuf>);

impl Fence {
    fn has(&self, path: &Path) -> bool {
        let shown = |root: &PathBuf| {
            let real = std::fs::canonicalize(path).ok()?;
            let below = real.strip_prefix(root).ok()?;
            // What is hidden is nobody's header.
            let hidden = |c: Component<'_>| c.as_os_str().to_string_lossy().starts_with('.');
            (!below.components().any(hidden)).then_some(())
        };
        self.0.iter().any(|root| shown(root).is_some())
    }
}

impl Loader for Fence {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.has(path.as_ref()) {
            true => FileLoader.load(path),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn beside(&self, directory: &str) -> Vec<String> {
        match self.has(directory.as_ref()) {
            true => FileLoader.beside(directory),
            false => Vec::new(),
        }
    }
}

/// Whether a file is there, and below a folder, or is it; wherever links on the way lead.
fn inside(root: &Path, path: &Path) -> bool {
    std::fs::canonicalize(path).is_ok_and(|real| real.starts_with(root))
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_outside_is_handed_out() {
        let top = std::env::temp_dir().join(format!("brook-explore-{}", std::process::id()));
        let _ = fs::remove_dir_all(&top);
        let root = top.join("in");
        fs::create_dir_all(root.join("a/.git")).unwrap();
        fs::create_dir_all(top.join("named")).unwrap();
        for file in [
            "secret.okl",
            "named/n.h",
            "in/x.okl",
            "in/a/y.br",
            "in/a/z.txt",
            "in/a/.git/w.okl",
        ] {
            fs::write(top.join(file), file).unwrap();
        }
        symlink(top.join("secret.okl"), root.join("link.okl")).unwrap();
        symlink(&top, root.join("up")).unwrap();
        let folder = Folder::new(&root).ok().unwrap();
        assert_eq!(folder.sources().0, ["a/y.br", "x.okl"]);
        assert_eq!(folder.path("a/y.br"), Some(folder.root.join("a/y.br")));
        let absolute = top.join("secret.okl").to_string_lossy().into_owned();
        for name in [
            "../secret.okl",
            "a/../../secret.okl",
            "a/../x.okl",
            "./x.okl",
            "link.okl",
            "up/secret.okl",
            "a/z.txt",
            "a/.git/w.okl",
            "a",
            "",
            "x.okl\0",
            &absolute,
        ] {
            assert_eq!(folder.path(name), None, "{name}");
        }
        let mut options = Options::default();
        let named = top.join("named").to_string_lossy().into_owned();
        let load = |options: &Options, name: &str| {
            let path = root.join(name).to_string_lossy().into_owned();
            folder.fence(options).load(&path)
        };
        assert!(load(&options, "a/../x.okl").is_ok());
        for name in [
            "../secret.okl",
            "link.okl",
            "up/secret.okl",
            "a/.git/w.okl",
            "/etc/passwd",
            "../named/n.h",
        ] {
            assert!(load(&options, name).is_err(), "{name}");
        }
        options.include_directories.push(named);
        assert!(load(&options, "../named/n.h").is_ok());
        let only = Folder::new(&root.join("x.okl")).ok().unwrap();
        assert_eq!(only.sources().0, ["x.okl"]);
        assert_eq!(only.path("a/y.br"), None);
        fs::remove_dir_all(top).unwrap();
    }
}
