//! How much is kept.
//!
//! Nobody looks through the whole cache at each build: a small file (`written`) holds a number for each time something
//! was written, the bytes of it, after the bytes that were there when the cache was last looked through. Once their sum
//! is beyond the limit, or there are many, one process looks through the cache and removes what was used longest ago,
//! until a tenth of the limit is free again. What several processes note at once may be lost or counted twice; the next
//! look puts it right.

use super::listing::{self, Found};
use super::store::{ABANDONED, Kind, Store};
use super::turn::{self, Turn};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Numbers in the file before the cache is looked through: little enough to be read at each build.
const MOST_NOTES: usize = 4096;

const NOTE: usize = size_of::<u64>();

/// All that is kept.
pub(super) struct Contents {
    pub(super) manifests: Vec<Found>,
    pub(super) entries: Vec<Found>,
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
        Self { manifests, entries }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Found> {
        self.manifests.iter().chain(&self.entries)
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
        let is_within = |total: Option<u64>| total.is_some_and(|total| total <= limit);
        if is_within(self.note(bytes).and_then(|()| self.noted())) {
            return;
        }
        let turn = self.take_turn(turn::SWEEP, Duration::ZERO);
        let is_ours = matches!(turn, Turn::Ours(_) | Turn::Unknown);
        if !is_ours || is_within(self.noted()) {
            return;
        }
        let contents = Contents::of(self);
        let mut left = contents.bytes();
        if left > limit {
            left = self.evict(&contents, limit - limit / 10, fresh);
        }
        // Should it not be written, the next who keeps something looks again.
        let _ = self.replace(&self.notes(), &left.to_le_bytes());
        turn::sweep(&self.turns(), ABANDONED);
    }

    /// `None` if nobody knows how much there is.
    fn note(&self, bytes: u64) -> Option<()> {
        let path = self.notes();
        let about = fs::symlink_metadata(&path).ok()?;
        (about.is_file() && about.len() > 0).then_some(())?;
        let mut file = fs::File::options().append(true).open(path).ok()?;
        file.write_all(&bytes.to_le_bytes()).ok()
    }

    /// The sum of what is noted.
    fn noted(&self) -> Option<u64> {
        let mut bytes = Vec::new();
        let file = fs::File::open(self.notes()).ok()?;
        file.take((MOST_NOTES * NOTE) as u64)
            .read_to_end(&mut bytes)
            .ok()?;
        let (notes, rest) = bytes.as_chunks::<NOTE>();
        let is_good = rest.is_empty() && (1..MOST_NOTES).contains(&notes.len());
        let numbers = notes.iter().map(|note| u64::from_le_bytes(*note));
        is_good.then(|| numbers.fold(0, u64::saturating_add))
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
        let mut all: Vec<(Kind, &Found)> = manifests.chain(entries).collect();
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
