use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A temporary file older than this was left by a process that is no more.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

const CHECKSUM: usize = blake3::OUT_LEN;

/// The kinds of file, each in a folder of its own.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Manifest,
    Entry,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Manifest => "manifests",
            Self::Entry => "entries",
        }
    }

    fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Manifest => b"BROOKm1\n",
            Self::Entry => b"BROOKe1\n",
        }
    }
}

/// A directory of sealed files, private to the user.
pub(super) struct Store {
    root: PathBuf,
}

impl Store {
    pub(super) fn from_environment() -> Option<Self> {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        if variable("BROOK_CACHE").is_some_and(|v| v == "off" || v == "0") {
            return None;
        }
        let absolute = |path: PathBuf| path.is_absolute().then_some(path);
        let root = variable("BROOK_CACHE_DIR")
            .map(PathBuf::from)
            .or_else(|| absolute(variable("XDG_CACHE_HOME")?.into()).map(|p| p.join("brook")))
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache/brook")))?;
        Self::at(root)
    }

    /// `None` if the directory cannot be made, or is not the user's alone to write: whoever writes
    /// there decides what this process executes.
    pub(super) fn at(root: PathBuf) -> Option<Self> {
        if !root.is_dir() {
            create_private(&root).ok()?;
        }
        is_private(&root).then_some(Self { root })
    }

    fn path(&self, kind: Kind, key: &str) -> PathBuf {
        self.root.join(kind.folder()).join(key)
    }

    /// The sections of a file. A damaged file is removed.
    pub(super) fn read(&self, kind: Kind, key: &str) -> Option<Vec<Vec<u8>>> {
        // Keys come from manifests, too; none may lead out of the folder.
        if !key.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let path = self.path(kind, key);
        let bytes = fs::read(&path).ok()?;
        let sections = unseal(kind, key, &bytes);
        if sections.is_none() {
            // Should another process have put a good one in its place by now, that is built again.
            let _ = fs::remove_file(&path);
        }
        sections
    }

    /// Writes a file under a temporary name and renames it: readers see all of it or nothing.
    pub(super) fn write(&self, kind: Kind, key: &str, sections: &[&[u8]]) -> io::Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let temporary = self.root.join("temporary");
        for folder in [&temporary, &self.root.join(kind.folder())] {
            if !folder.is_dir() {
                create_private(folder)?;
            }
        }
        sweep(&temporary);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        // The time tells apart processes of one number on two machines that share the directory.
        let nanos = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let name = format!("{}-{serial}-{}", std::process::id(), nanos.as_nanos());
        let path = temporary.join(name);
        let result = create_file(&path)
            .and_then(|mut file| file.write_all(&seal(kind, key, sections)))
            .and_then(|()| fs::rename(&path, self.path(kind, key)));
        if result.is_err() {
            let _ = fs::remove_file(&path);
        }
        result
    }
}

/// Removes what killed processes left behind.
fn sweep(temporary: &Path) {
    let Ok(files) = fs::read_dir(temporary) else {
        return;
    };
    for file in files.flatten() {
        let written = file.metadata().and_then(|m| m.modified());
        let age = written
            .ok()
            .and_then(|t| SystemTime::now().duration_since(t).ok());
        if age.is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Magic, key, number of sections, their lengths, the sections, and a checksum over all of it.
fn seal(kind: Kind, key: &str, sections: &[&[u8]]) -> Vec<u8> {
    let mut bytes = kind.magic().to_vec();
    let all = || std::iter::once(key.as_bytes()).chain(sections.iter().copied());
    bytes.extend((all().count() as u64).to_le_bytes());
    for section in all() {
        bytes.extend((section.len() as u64).to_le_bytes());
    }
    for section in all() {
        bytes.extend(section);
    }
    let checksum = blake3::hash(&bytes);
    bytes.extend(checksum.as_bytes());
    bytes
}

fn unseal(kind: Kind, key: &str, bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    if blake3::hash(content).as_bytes() != checksum {
        return None;
    }
    let mut rest = content.strip_prefix(kind.magic())?;
    let count = take_length(&mut rest)?;
    if count > 16 {
        return None;
    }
    let lengths: Option<Vec<usize>> = (0..count).map(|_| take_length(&mut rest)).collect();
    let mut sections = Vec::new();
    for length in lengths? {
        let (section, after) = rest.split_at_checked(length)?;
        sections.push(section.to_vec());
        rest = after;
    }
    let own_key = (!sections.is_empty()).then(|| sections.remove(0))?;
    (rest.is_empty() && own_key == key.as_bytes()).then_some(sections)
}

fn take_length(rest: &mut &[u8]) -> Option<usize> {
    let (bytes, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

#[cfg(unix)]
fn create_file(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

#[cfg(not(unix))]
fn create_file(path: &Path) -> io::Result<fs::File> {
    fs::File::create_new(path)
}

#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    unsafe extern "C" {
        safe fn geteuid() -> u32;
    }
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    fs::metadata(path)
        .is_ok_and(|m| m.is_dir() && m.uid() == geteuid() && m.mode() & WRITABLE_BY_OTHERS == 0)
}

#[cfg(not(unix))]
fn is_private(path: &Path) -> bool {
    path.is_dir()
}
