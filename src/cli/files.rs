//! Finding sources, and writing results so that nobody ever sees half of one.

use super::Failure;
use super::terminal::detail;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::System(format!("cannot write '{}': {error}", path.display()))
}

/// Writes files that belong together: each under a temporary name beside it, then all are renamed.
/// What cannot be written leaves nothing behind.
pub(crate) fn write_files(files: &[(PathBuf, &str)]) -> Result<(), Failure> {
    let mut temporaries = Vec::new();
    let result = files.iter().try_for_each(|(path, text)| {
        let fail = |error: io::Error| cannot_write(path, &error);
        if path.is_dir() {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        temporaries.push(temporary.clone());
        fs::write(&temporary, text).map_err(fail)
    });
    let result = result.and_then(|()| {
        files
            .iter()
            .zip(&temporaries)
            .try_for_each(|((path, _), temporary)| {
                fs::rename(temporary, path).map_err(|error| cannot_write(path, &error))?;
                detail(|| format!("wrote '{}'", path.display()));
                Ok(())
            })
    });
    if result.is_err() {
        for temporary in temporaries {
            // That removing it may fail too changes nothing.
            let _ = fs::remove_file(temporary);
        }
    }
    result
}

/// Files as they are named, and those below folders that have one of these endings, in order and each
/// once. Links to folders are followed only where they are named; hidden folders are not entered.
pub(crate) fn tree(
    paths: &[String],
    endings: &[&str],
    failures: &mut Vec<Failure>,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut known = HashSet::new();
    // Later ones are taken first.
    let mut open: Vec<(PathBuf, bool)> = paths
        .iter()
        .rev()
        .map(|p| (PathBuf::from(p), true))
        .collect();
    while let Some((path, named)) = open.pop() {
        if path.is_dir() && (named || !path.is_symlink()) {
            match entries(&path) {
                Ok(entries) => open.extend(entries.into_iter().rev().map(|p| (p, false))),
                Err(error) => failures.push(Failure::System(format!(
                    "cannot read '{}': {error}",
                    path.display()
                ))),
            }
            continue;
        }
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if named || (path.is_file() && endings.contains(&ending)) {
            let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            if known.insert(real) {
                found.push(path);
            }
        }
    }
    found
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            entries.push(entry.path());
        }
    }
    entries.sort();
    Ok(entries)
}

/// Replaces the content of a file, all at once: a new file takes its place and its permissions. A link
/// stays one; what may not be written is left alone.
pub(crate) fn replace_file(path: &Path, text: &str) -> Result<(), Failure> {
    let fail = |error: io::Error| cannot_write(path, &error);
    let real = fs::canonicalize(path).map_err(fail)?;
    let permissions = fs::metadata(&real).map_err(fail)?.permissions();
    if permissions.readonly() {
        return Err(fail(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        )));
    }
    let mut name = real.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = real.with_file_name(name);
    let written = (|| {
        let mut file = fs::File::create_new(&temporary)?;
        file.set_permissions(permissions)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, &real)?;
        detail(|| format!("wrote '{}'", real.display()));
        Ok(())
    })();
    written.map_err(|error: io::Error| {
        if error.kind() != io::ErrorKind::AlreadyExists {
            // That removing it may fail too changes nothing.
            let _ = fs::remove_file(&temporary);
        }
        fail(error)
    })
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// An empty folder of its own.
    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("brook-files-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn trees_are_walked_once() {
        let root = folder("tree");
        fs::create_dir_all(root.join("a/.git")).unwrap();
        for file in ["a/x.okl", "a/y.h", "a/z.br", "a/.git/x.okl", "b.okl"] {
            fs::write(root.join(file), "").unwrap();
        }
        symlink(root.join("a"), root.join("a/loop")).unwrap();
        symlink(root.join("a/x.okl"), root.join("link.okl")).unwrap();
        let named = |names: &[&str]| -> Vec<String> {
            names
                .iter()
                .map(|n| root.join(n).display().to_string())
                .collect()
        };
        let mut failures = Vec::new();
        let mut walk = |paths: &[&str], endings: &[&str]| -> Vec<String> {
            let found = tree(&named(paths), endings, &mut failures);
            found.iter().map(|p| p.display().to_string()).collect()
        };
        assert_eq!(
            walk(&["."], &["okl", "br"]),
            named(&["./a/x.okl", "./a/z.br", "./b.okl"])
        );
        assert_eq!(walk(&["a/y.h", "a"], &["h"]), named(&["a/y.h"]));
        assert_eq!(walk(&["a/loop"], &["br"]), named(&["a/loop/z.br"]));
        assert_eq!(walk(&["missing.okl"], &["br"]), named(&["missing.okl"]));
        assert!(failures.is_empty());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn links_and_permissions_survive() {
        let root = folder("replace");
        let (file, link) = (root.join("x.okl"), root.join("link.okl"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        assert!(replace_file(&link, "new").is_ok());
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o640
        );
        fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(
            matches!(replace_file(&file, "newer"), Err(Failure::System(m)) if m.contains("read-only"))
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 2);
        fs::remove_dir_all(root).unwrap();
    }
}
