use super::limit::Contents;
use super::listing::Found;
use super::location::Location;
use super::store::{Kind, Store};
use super::turn;
use crate::runtime::{Error, Result};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The kernel cache of this user, as the environment says: `BROOK_CACHE_DIR`, else `brook` in `XDG_CACHE_HOME`, else
/// `~/.cache/brook`; `BROOK_CACHE_SIZE` for how much it holds. Programs that use it may run meanwhile: what one of them
/// misses it builds again.
#[derive(Debug)]
pub struct KernelCache {
    store: Store,
    ignored: Vec<String>,
}

/// What a kernel cache holds, or held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheContents {
    /// Compiled programs, each of a device's architecture.
    pub entries: usize,
    /// Sources with options that lead to them.
    pub manifests: usize,
    /// Host parts of programs, compiled.
    pub hosts: usize,
    /// Bytes of all.
    pub bytes: u64,
    /// When the one that has been used longest ago was used, to the hour.
    pub oldest_use: Option<SystemTime>,
    /// When one was used last, to the hour.
    pub newest_use: Option<SystemTime>,
}

impl CacheContents {
    fn add(&mut self, found: &Found) {
        self.bytes = self.bytes.saturating_add(found.bytes);
        let used = Some(found.used);
        self.oldest_use = self.oldest_use.map_or(used, |t| used.min(Some(t)));
        self.newest_use = self.newest_use.max(used);
    }
}

impl KernelCache {
    /// The cache, whether or not anything was kept yet.
    ///
    /// # Errors
    /// It is off, nobody says where it is, or the directory cannot be used, since it is none, or others may write there.
    pub fn from_environment() -> Result<Self> {
        let location = Location::from_environment().map_err(Error::argument)?;
        if let Some(objection) = location.objection() {
            let message = format!("there is no kernel cache: {objection}");
            return Err(Error::argument(message));
        }
        Ok(Self::of(location))
    }

    pub(super) fn of(mut location: Location) -> Self {
        Self {
            ignored: std::mem::take(&mut location.ignored),
            store: Store::of(location),
        }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        self.store.root()
    }

    /// Most bytes that it holds; `None` without a limit.
    pub fn limit(&self) -> Option<u64> {
        self.store.limit
    }

    /// Variables of the environment that make no sense and are ignored, in words.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Looks through it.
    pub fn contents(&self) -> CacheContents {
        let found = Contents::of(&self.store);
        let mut contents = CacheContents {
            entries: found.entries.len(),
            manifests: found.manifests.len(),
            hosts: found.hosts.len(),
            ..CacheContents::default()
        };
        found.all().for_each(|f| contents.add(f));
        contents
    }

    /// Removes what has not been used for so long, everything if that is zero, and what killed processes have left.
    /// Returns what it was. Files of others stay, as does what links lead to.
    ///
    /// # Errors
    /// The first file that could not be removed; the others are.
    pub fn clear(&self, unused_for: Duration) -> Result<CacheContents> {
        let found = Contents::of(&self.store);
        // What was used in the future was used just now.
        let is_old = |found: &&Found| found.age().unwrap_or_default() >= unused_for;
        let entries: Vec<&Found> = found.entries.iter().filter(is_old).collect();
        let stay: HashSet<&str> = {
            let stay = found.entries.iter().filter(|entry| !is_old(entry));
            stay.map(|entry| entry.name.as_str()).collect()
        };
        let leads_nowhere = |manifest: &Found| {
            let entry = self.store.leads_to(&manifest.name);
            entry.is_some_and(|entry| !stay.contains(entry.as_str()))
        };
        let manifests = found.manifests.iter();
        let manifests = manifests.filter(|m| is_old(m) || leads_nowhere(m));
        let mut cleared = CacheContents::default();
        let mut failed = None;
        let mut remove = |kind, file: &Found| match self.store.remove(kind, &file.name) {
            Ok(true) => {
                cleared.add(file);
                match kind {
                    Kind::Entry => cleared.entries += 1,
                    Kind::Manifest => cleared.manifests += 1,
                    Kind::Host => cleared.hosts += 1,
                }
            }
            Ok(false) => {}
            Err(error) => {
                let _ = failed.get_or_insert_with(|| Error::io(&file.path, error));
            }
        };
        manifests.for_each(|manifest| remove(Kind::Manifest, manifest));
        entries.into_iter().for_each(|e| remove(Kind::Entry, e));
        let hosts = found.hosts.iter().filter(is_old);
        hosts.for_each(|host| remove(Kind::Host, host));
        self.store.sweep();
        turn::sweep(&self.store.turns(), Duration::ZERO);
        self.store.forget_notes();
        failed.map_or(Ok(cleared), Err)
    }
}
