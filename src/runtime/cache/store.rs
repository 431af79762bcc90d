use super::listing::{self, is_key};
use super::location::{Location, create_private};
use super::turn::{self, Turn};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// What is only there for a while, and older than this, was left by a process that is no more.
pub(super) const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// A file's time says when it was used; how exactly. What is used all the time is written this often.
const EXACTNESS: Duration = Duration::from_secs(60 * 60);

const CHECKSUM: usize = blake3::OUT_LEN;

/// What all files of the cache begin with, of any version.
const MARK: &[u8] = b"BROOK";

/// The kinds of file, each in a folder of its own.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Manifest,
    Entry,
    Host,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Manifest => "manifests",
            Self::Entry => "entries",
            Self::Host => "hosts",
        }
    }

    fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Manifest => b"BROOKm2\n",
            Self::Entry => b"BROOKe1\n",
            Self::Host => b"BROOKh1\n",
        }
    }
}

/// A directory of sealed files, private to the user.
#[derive(Debug)]
pub(super) struct Store {
    root: PathBuf,
    /// Bytes that are kept at most.
    pub(super) limit: Option<u64>,
    /// How long a build waits for another.
    pub(super) patience: Duration,
}

impl Store {
    /// `None` if the directory cannot be made, or is not the user's alone to write.
    pub(super) fn create(location: Location) -> Option<Self> {
        if !location.root.is_dir() {
            create_private(&location.root).ok()?;
        }
        match location.objection() {
            Some(_) => None,
            None => Some(Self::of(location)),
        }
    }

    /// Whatever is there.
    pub(super) fn of(location: Location) -> Self {
        Self {
            root: location.root,
            limit: location.limit,
            patience: location.patience,
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn folder(&self, kind: Kind) -> PathBuf {
        self.root.join(kind.folder())
    }

    /// Where turns are taken.
    pub(super) fn turns(&self) -> PathBuf {
        self.root.join("turns")
    }

    fn path(&self, kind: Kind, key: &str) -> PathBuf {
        self.folder(kind).join(key)
    }

    /// The sections of a file, which is used now. A damaged file is removed.
    pub(super) fn read(&self, kind: Kind, key: &str) -> Option<Vec<Vec<u8>>> {
        // Keys come from manifests, too; none may lead out of the folder.
        if !is_key(key) {
            return None;
        }
        let path = self.path(kind, key);
        let mut file = fs::File::open(&path).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let sections = unseal(kind, key, &bytes);
        match sections {
            Some(_) => touch(&file),
            // Should another process have put a good one in its place by now, that is built again.
            None => drop(fs::remove_file(&path)),
        }
        sections
    }

    /// The entry that a manifest leads to, as far as it can be told without reading all of it.
    pub(super) fn leads_to(&self, manifest: &str) -> Option<String> {
        let mut head = Vec::new();
        let file = fs::File::open(self.path(Kind::Manifest, manifest)).ok()?;
        file.take(1024).read_to_end(&mut head).ok()?;
        let (sections, _) = sections(Kind::Manifest, &head, 2)?;
        let key = std::str::from_utf8(sections.get(1)?).ok()?;
        is_key(key).then(|| key.to_string())
    }

    /// Writes a file under a temporary name and renames it: readers see all of it or nothing. Returns its length.
    pub(super) fn write(&self, kind: Kind, key: &str, sections: &[&[u8]]) -> io::Result<u64> {
        let folder = self.folder(kind);
        if !folder.is_dir() {
            create_private(&folder)?;
        }
        let bytes = seal(kind, key, sections);
        self.replace(&self.path(kind, key), &bytes)?;
        Ok(bytes.len() as u64)
    }

    /// Puts a file in the place of whatever is there.
    pub(super) fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let folder = self.root.join("temporary");
        if !folder.is_dir() {
            create_private(&folder)?;
        }
        self.sweep();
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        // The time tells apart processes of one number on two machines that share the directory.
        let nanos = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let name = format!("{}-{serial}-{}", std::process::id(), nanos.as_nanos());
        let temporary = folder.join(name);
        let result = create_file(&temporary)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&temporary, path));
        if result.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        result
    }

    /// Removes an entry or a manifest, unless it is a file of somebody else's: then the result is `false`. One that is
    /// gone already counts as removed.
    pub(super) fn remove(&self, kind: Kind, key: &str) -> io::Result<bool> {
        let path = self.path(kind, key);
        let mut head = Vec::new();
        match fs::File::open(&path) {
            Ok(file) => file.take(MARK.len() as u64).read_to_end(&mut head)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        };
        // What a disk that was full has left may be shorter.
        if !MARK.starts_with(&head) {
            return Ok(false);
        }
        listing::remove(&path).map(|()| true)
    }

    /// Removes what killed processes were writing.
    pub(super) fn sweep(&self) {
        for file in listing::files(&self.root.join("temporary")) {
            let numbers = file.name.split('-');
            let is_number = |n: &str| n.parse::<u128>().is_ok();
            let is_ours = numbers.clone().count() == 3 && { numbers }.all(is_number);
            if is_ours && file.age().is_some_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(file.path);
            }
        }
    }

    /// Takes a turn; `Unknown` where there are none.
    pub(super) fn take_turn(&self, name: &str, patience: Duration) -> Turn {
        let folder = self.turns();
        if !folder.is_dir() && create_private(&folder).is_err() {
            return Turn::Unknown;
        }
        turn::take(&folder.join(name), patience)
    }
}

/// Says that a file is used now, unless it says so already.
fn touch(file: &fs::File) {
    let now = SystemTime::now();
    let said = file.metadata().and_then(|about| about.modified());
    let is_right = said.is_ok_and(|said| {
        let past = now.duration_since(said);
        past.unwrap_or_else(|future| future.duration()) < EXACTNESS
    });
    if !is_right {
        // Where it cannot be said, it counts as older than it is.
        let _ = file.set_modified(now);
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
    let (sections, rest) = sections(kind, content, usize::MAX)?;
    let (own_key, sections) = sections.split_first()?;
    let is_sound = rest.is_empty() && *own_key == key.as_bytes();
    is_sound.then(|| sections.iter().map(|s| s.to_vec()).collect())
}

/// The first sections, the key among them, and what follows.
fn sections(kind: Kind, bytes: &[u8], most: usize) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut rest = bytes.strip_prefix(kind.magic())?;
    let count = take_length(&mut rest)?;
    if count > 16 {
        return None;
    }
    let lengths: Option<Vec<usize>> = (0..count).map(|_| take_length(&mut rest)).collect();
    let mut sections = Vec::new();
    for length in lengths?.into_iter().take(most) {
        let (section, after) = rest.split_at_checked(length)?;
        sections.push(section);
        rest = after;
    }
    Some((sections, rest))
}

fn take_length(rest: &mut &[u8]) -> Option<usize> {
    let (bytes, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
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
