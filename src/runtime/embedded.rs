//! Files that a program brings along instead of leaving them on the disk.

use crate::source::{FileLoader, Loader};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// What the paths of files begin with that nobody looks for on the disk: `embedded:/kernels/scale.h`. A program that
/// has all of its sources in itself does not find others instead, wherever it is started.
pub const EMBEDDED: &str = "embedded:/";

/// Whether a path is of no disk.
pub(super) fn is_nowhere(path: &str) -> bool {
    path.starts_with(EMBEDDED)
}

/// Texts by the paths that lead to them.
#[derive(Clone, Debug, Default)]
pub(super) struct EmbeddedFiles(BTreeMap<String, Arc<[u8]>>);

impl EmbeddedFiles {
    pub(super) fn add(&mut self, path: &str, text: Vec<u8>) {
        self.0.insert(plain(path), text.into());
    }

    pub(super) fn get(&self, path: &str) -> Option<&[u8]> {
        // Most builds have none.
        let found = (!self.0.is_empty()).then(|| self.0.get(&plain(path)));
        found.flatten().map(|text| &**text)
    }

    /// Whether a path leads here, and what is on the disk does not matter.
    pub(super) fn decide(&self, path: &str) -> bool {
        is_nowhere(path) || self.get(path).is_some()
    }

    /// Paths and texts, in one order.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, text)| (path.as_str(), &**text))
    }
}

impl Loader for EmbeddedFiles {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.get(path) {
            Some(text) => Ok(text.to_vec()),
            None if is_nowhere(path) => Err(io::Error::from(io::ErrorKind::NotFound)),
            None => FileLoader.load(path),
        }
    }
}

/// A path without `.` and `..`, as far as that can be said from its text: nobody knows of links in it.
fn plain(path: &str) -> String {
    let (root, rest) = match path.strip_prefix(EMBEDDED) {
        Some(rest) => (EMBEDDED, rest),
        None => (&path[..usize::from(path.starts_with('/'))], path),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_without_detours() {
        let mut files = EmbeddedFiles::default();
        files.add("./a/../scale.h", b"1".to_vec());
        files.add("embedded:/kernels/x.h", b"2".to_vec());
        files.add("/b//c.h", b"3".to_vec());
        assert_eq!(files.get("scale.h"), Some(&b"1"[..]));
        assert_eq!(files.get("a/b/../../scale.h"), Some(&b"1"[..]));
        assert_eq!(files.get("../scale.h"), None);
        assert_eq!(files.get("embedded:/kernels/deep/../x.h"), Some(&b"2"[..]));
        assert_eq!(files.get("embedded:/../kernels/x.h"), None);
        assert_eq!(files.get("kernels/x.h"), None);
        assert_eq!(files.get("/b/c.h"), Some(&b"3"[..]));
        assert_eq!(files.get("b/c.h"), None);
        assert!(files.decide("embedded:/nothing.h") && !files.decide("nothing.h"));
        let missing = files.load("embedded:/nothing.h");
        assert!(missing.is_err_and(|e| e.kind() == io::ErrorKind::NotFound));
    }
}
