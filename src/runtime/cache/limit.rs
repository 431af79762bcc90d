//! How much is kept.
//!
//! Nobody looks through the whole cache at each build: a small file (`written`) holds a number for each time something
//! was written, the bytes of it, after the bytes that were there when the cache was last looked through. Once their sum
//! is beyond the limit, or there are many, one process looks through the cache and removes what was used longest ago,
//! until a tenth of the limit is free again. What others note meanwhile is taken over into the new file; should a note be
//! lost, or something be counted twice, the next look puts it right.

use super::listing::{self, Found};
use super::store::{ABANDONED, Kind, Store};
use super::turn::{self, Turn};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Numbers in the file before the cache is looked through: little enough to be read at each build.
const MOST_NOTES: usize = 4096;

/// Stands for what was there before the first note.
const UNKNOWN: u64 = u64::MAX;

/// How often one process looks again, since others have written meanwhile.
const MOST_LOOKS: usize = 3;

const NOTE: usize = size_of::<u64>();

/// All that is kept.
pub(super) struct Contents {
    pub(super) manifests: Vec<Found>,
    pub(super) entries: Vec<Found>,
    pub(super) hosts: Vec<Found>,
}

impl Contents {
    pub(super) fn of(store: &Store) -> Self {
        let list = |kind| {
            let files = listing::files(&store.folder(kind));
            files.filter(Found::has_key).collect()
        };
        // Manifests first: whatever they lead to has been written by then.
        let manifests = list(Kind::Manifest);
        let entries = list(Kind::Entry);
        Self {
            manifests,
            entries,
            hosts: list(Kind::Host),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Found> {
        let programs = self.manifests.iter().chain(&self.entries);
        programs.chain(&self.hosts)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.all().map(|f| f.bytes).fold(0, u64::saturating_add)
    }
}

impl Store {
    fn notes(&self) -> PathBuf {
        self.root().join("written")
    }

    /// Whether so many bytes may be kept at all.
    pub(super) fn has_room_for(&self, bytes: u64) -> bool {
        self.limit.is_none_or(|limit| bytes <= limit)
    }

    /// Notes that so many bytes were written, and makes room if that was too much; not by removing what has a key of
    /// these.
    pub(super) fn wrote(&self, bytes: u64, fresh: &[&str]) {
        let Some(limit) = self.limit else {
            // Nobody knows any more how much there is.
            self.forget_notes();
            return;
        };
        let is_within = || self.noted().is_some_and(|total| total <= limit);
        if self.note(&[bytes]).is_ok() && is_within() {
            return;
        }
        let turn = self.take_turn(turn::SWEEP, Duration::ZERO);
        if !matches!(turn, Turn::Ours(_) | Turn::Unknown) {
            return;
        }
        for _ in 0..MOST_LOOKS {
            if is_within() {
                break;
            }
            self.look_through(limit, fresh);
        }
        turn::sweep(&self.turns(), ABANDONED);
    }

    fn look_through(&self, limit: u64, fresh: &[&str]) {
        let mut before = self.open_notes(File::options().read(true)).ok();
        if let Some(file) = &mut before {
            let _ = file.seek(SeekFrom::End(0));
        }
        let contents = Contents::of(self);
        let mut left = contents.bytes();
        if left > limit {
            left = self.evict(&contents, limit - limit / 10, fresh);
        }
        // Should it not be written, the next who keeps something looks again.
        if self.replace(&self.notes(), &left.to_le_bytes()).is_ok() {
            let mut meanwhile = Vec::new();
            let _ = before.map(|mut file| file.read_to_end(&mut meanwhile));
            let (meanwhile, _) = meanwhile.as_chunks::<NOTE>();
            let meanwhile: Vec<u64> = meanwhile.iter().map(|n| u64::from_le_bytes(*n)).collect();
            let _ = self.note(&meanwhile);
        }
    }

    fn open_notes(&self, options: &mut fs::OpenOptions) -> io::Result<File> {
        let path = self.notes();
        // What else lies there makes room for a file at the next look.
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
        options.open(path)
    }

    /// Adds to what is noted. Where nothing is, nobody knows how much there was before.
    fn note(&self, numbers: &[u64]) -> io::Result<()> {
        let mut file = self.open_notes(File::options().append(true).create(true))?;
        let before = (file.metadata()?.len() == 0).then_some(UNKNOWN);
        let numbers = before.iter().chain(numbers);
        // In one piece, since others write as well.
        let bytes: Vec<u8> = numbers.flat_map(|n| n.to_le_bytes()).collect();
        file.write_all(&bytes)
    }

    /// The sum of what is noted; `None` if it is too much, or makes no sense.
    fn noted(&self) -> Option<u64> {
        let mut bytes = Vec::new();
        let file = self.open_notes(File::options().read(true)).ok()?;
        file.take((MOST_NOTES * NOTE) as u64)
            .read_to_end(&mut bytes)
            .ok()?;
        let (notes, rest) = bytes.as_chunks::<NOTE>();
        let is_good = rest.is_empty() && (1..MOST_NOTES).contains(&notes.len());
        let numbers = notes.iter().map(|note| u64::from_le_bytes(*note));
        let is_known = numbers.clone().all(|n| n != UNKNOWN);
        (is_good && is_known).then(|| numbers.fold(0, u64::saturating_add))
    }

    /// Lets the next who writes something look through the cache.
    pub(super) fn forget_notes(&self) {
        let _ = listing::remove(&self.notes());
    }

    /// Removes manifests that lead nowhere, then what was used longest ago, until no more than `target` bytes are left.
    /// Returns how many are. What others remove meanwhile, or read, does no harm: who misses something builds it.
    fn evict(&self, contents: &Contents, target: u64, fresh: &[&str]) -> u64 {
        let mut eviction = Eviction {
            store: self,
            fresh,
            left: contents.bytes(),
            gone: HashSet::new(),
        };
        let keys: HashSet<&str> = contents.entries.iter().map(|e| e.name.as_str()).collect();
        let mut leading_to: HashMap<String, Vec<&Found>> = HashMap::new();
        for manifest in &contents.manifests {
            match self.leads_to(&manifest.name) {
                Some(entry) if keys.contains(entry.as_str()) => {
                    leading_to.entry(entry).or_default().push(manifest);
                }
                Some(_) => eviction.remove(Kind::Manifest, manifest),
                // Another version's; it grows old like everything else.
                None => {}
            }
        }
        let manifests = contents.manifests.iter().map(|m| (Kind::Manifest, m));
        let entries = contents.entries.iter().map(|e| (Kind::Entry, e));
        let hosts = contents.hosts.iter().map(|h| (Kind::Host, h));
        let mut all: Vec<(Kind, &Found)> = manifests.chain(entries).chain(hosts).collect();
        all.sort_by_key(|(_, found)| (found.used, &found.name));
        for (kind, found) in all {
            if eviction.left <= target {
                break;
            }
            eviction.remove(kind, found);
            if eviction.gone.contains(found.name.as_str()) {
                for manifest in leading_to.remove(&found.name).into_iter().flatten() {
                    eviction.remove(Kind::Manifest, manifest);
                }
            }
        }
        eviction.left
    }
}

/// What has been removed so far, by name, and what is left.
struct Eviction<'c> {
    store: &'c Store,
    fresh: &'c [&'c str],
    left: u64,
    gone: HashSet<&'c str>,
}

impl<'c> Eviction<'c> {
    fn remove(&mut self, kind: Kind, found: &'c Found) {
        let name = found.name.as_str();
        let stays = self.fresh.contains(&name) || self.gone.contains(name);
        if !stays && self.store.remove(kind, name).unwrap_or(false) {
            self.gone.insert(name);
            self.left = self.left.saturating_sub(found.bytes);
        }
    }
}
