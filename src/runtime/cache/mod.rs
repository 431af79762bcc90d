//! The kernel cache: what was translated and compiled once is read back.
//!
//! Two levels. An *entry*, named by the digest of everything the device's compiler sees, holds the
//! binary and the metadata. A *manifest*, named by the digest of everything the user wrote (source,
//! options) and of who reads it (this build of the transpiler, the backend's data, the device, its
//! compiler), lists the files that were looked for on the way and leads to the entry: while those
//! are unchanged, a build neither preprocesses nor parses. A file that was looked for in vain is in
//! the list as well, since its appearance would change which header is found.
//!
//! - `location.rs`: where it is, and what else the environment says.
//! - `store.rs`: files on the disk: private directory, sealed files, renaming into place.
//! - `turn.rs`: one builds what several want at once.
//! - `limit.rs`, `listing.rs`: what was used longest ago makes room; what lies there.
//! - `manage.rs`: the cache as its user sees it.
//! - `dependencies.rs`: which files were looked for, and whether they still are what they were.
//! - `identity.rs`: digests of the participants.
//!
//! - `hosts.rs`: host parts of programs, compiled.
//!
//! In the directory: `entries`, `manifests`, `hosts`; `temporary`, what is being written; `turns`, what is being built;
//! `written`, how much was kept. Backends keep nothing there; vendors' compilers have caches of their own elsewhere.
//!
//! Nothing here fails a build: a cache that cannot be read or written is a cache that is not there.

mod dependencies;
mod hosts;
mod identity;
mod limit;
#[cfg(test)]
mod limit_tests;
mod listing;
mod location;
mod manage;
#[cfg(test)]
#[cfg(unix)]
mod sharing_tests;
mod store;
#[cfg(test)]
mod tests;
mod turn;

pub(super) use dependencies::left_headers;
pub(super) use hosts::{HostRequest, HostText};
pub use manage::{CacheContents, KernelCache};

use super::BuildOptions;
use super::embedded::EmbeddedFiles;
use super::program::Built;
use crate::render::Metadata;
use crate::runtime::Device;
use crate::source_text::Source;
use crate::transpile::Translation;
use dependencies::{Dependencies, Recorder, kept_headers};
use identity::Identity;
use location::Location;
use store::{Kind, Store};
use turn::Turn;

/// The cache of this user.
pub(super) struct Cache {
    store: Store,
}

impl Cache {
    /// The cache that the environment names; `None` when it is switched off or cannot be used.
    pub(super) fn open() -> Option<Self> {
        let store = Store::create(Location::from_environment().ok()?)?;
        Some(Self { store })
    }

    /// The cache in a directory, for tests.
    #[cfg(test)]
    pub(super) fn at(directory: std::path::PathBuf) -> Option<Self> {
        Store::create(Location::at(directory)).map(|store| Self { store })
    }

    /// Asks for a source built with these options for this device.
    pub(super) fn request(
        &self,
        device: &Device,
        source: &Source,
        options: &BuildOptions,
    ) -> Request<'_> {
        let mut compiler = Identity::default();
        compiler.device(device).compile_options(&options.compile);
        let mut manifest = compiler.clone();
        manifest
            .generator(device.backend())
            .source(source)
            .translate_options(&options.translate)
            .embedded_files(&options.files);
        let manifest = manifest.finish();
        Request {
            store: &self.store,
            manifest,
            compiler,
            options: options.compile.clone(),
        }
    }
}

/// A question to the cache.
pub(super) struct Request<'c> {
    store: &'c Store,
    manifest: String,
    /// What an entry depends on besides the generated source.
    compiler: Identity,
    options: brook_driver::CompileOptions,
}

impl<'c> Request<'c> {
    /// What an earlier build left, if every file it depends on is as it was.
    pub(super) fn find(&self) -> Option<Built> {
        let sections = self.store.read(Kind::Manifest, &self.manifest)?;
        let [entry, json] = sections.as_slice() else {
            return None;
        };
        let dependencies: Dependencies = serde_json::from_slice(json).ok()?;
        if !dependencies.are_unchanged() {
            return None;
        }
        read_entry(self.store, std::str::from_utf8(entry).ok()?)
    }

    /// A loader that remembers what was looked for.
    pub(super) fn recorder<'l>(&self, loader: &'l EmbeddedFiles) -> Recorder<'l> {
        Recorder::new(loader)
    }

    /// Where the result of a finished translation belongs.
    pub(super) fn slot(self, translation: &Translation, recorder: Recorder<'_>) -> Slot<'c> {
        let mut dependencies = recorder.finish();
        let headers = kept_headers(&translation.device, &self.options);
        let mut key = self.compiler;
        key.field("device source", translation.device.as_bytes())
            .field("metadata", translation.metadata.to_json().as_bytes());
        headers.add_to(&mut key);
        dependencies.extend(headers);
        Slot {
            store: self.store,
            manifest: self.manifest,
            entry: key.finish(),
            dependencies,
        }
    }
}

/// Where one build's result is kept.
pub(super) struct Slot<'c> {
    store: &'c Store,
    manifest: String,
    entry: String,
    dependencies: Dependencies,
}

impl Slot<'_> {
    /// The same generated source may have been compiled before, for another manifest or by another process.
    pub(super) fn find(&self) -> Option<Built> {
        read_entry(self.store, &self.entry)
    }

    /// Waits while another thread or process, perhaps on another machine, builds the same. Whether it did, or failed,
    /// or took too long: what is not there afterwards is the caller's to build, while others wait for the result, which
    /// must not be dropped before.
    pub(super) fn wait_for_turn(&self) -> Turn {
        let turn = self.store.take_turn(&self.entry, self.store.patience);
        // NFS remembers for a while that a file was not there, until its folder is opened again.
        drop(std::fs::read_dir(self.store.folder(Kind::Entry)));
        turn
    }

    /// Keeps a result; that it could not be kept is no error. Those who wait for it are told before room is made for it.
    pub(super) fn keep(self, built: &Built, turn: Option<Turn>) {
        let Ok(metadata) = serde_json::to_vec(&built.metadata) else {
            return;
        };
        let bytes = metadata.len() + built.binary.len();
        if !self.store.has_room_for(bytes as u64) {
            return;
        }
        // The entry first: a manifest never leads to one that was not there.
        let sections: [&[u8]; 2] = [&metadata, &built.binary];
        if let Ok(bytes) = self.store.write(Kind::Entry, &self.entry, &sections) {
            let more = self.write_manifest().unwrap_or(0);
            drop(turn);
            self.store
                .wrote(bytes + more, &[&self.entry, &self.manifest]);
        }
    }

    /// Makes the next build of this source find the entry without translating.
    pub(super) fn keep_manifest(self) {
        if let Some(bytes) = self.write_manifest() {
            self.store.wrote(bytes, &[&self.entry, &self.manifest]);
        }
    }

    /// Without a manifest the next build translates again and finds the entry.
    fn write_manifest(&self) -> Option<u64> {
        if !self.dependencies.are_known() {
            return None;
        }
        let json = serde_json::to_vec(&self.dependencies).ok()?;
        let sections: [&[u8]; 2] = [self.entry.as_bytes(), &json];
        // Of all who waited for one build only the first writes.
        let there = self.store.read(Kind::Manifest, &self.manifest);
        let is_there = there.is_some_and(|there| there.iter().eq(sections.iter()));
        let write = || self.store.write(Kind::Manifest, &self.manifest, &sections);
        (!is_there).then(write)?.ok()
    }
}

fn read_entry(store: &Store, key: &str) -> Option<Built> {
    let sections = store.read(Kind::Entry, key)?;
    let [json, binary]: [Vec<u8>; 2] = sections.try_into().ok()?;
    let metadata: Metadata = Metadata::from_json(&json).ok()?;
    Some(Built { metadata, binary })
}
