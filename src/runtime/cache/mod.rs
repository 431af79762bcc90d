//! The kernel cache: what was translated and compiled once is read back.
//!
//! Two levels. An *entry*, named by the digest of everything the device's compiler sees, holds the
//! binary and the metadata. A *manifest*, named by the digest of everything the user wrote (source,
//! options) and of who reads it (this build of the transpiler, the backend's data, the device, its
//! compiler), lists the files that were looked for on the way and leads to the entry: while those
//! are unchanged, a build neither preprocesses nor parses. A file that was looked for in vain is in
//! the list as well, since its appearance would change which header is found.
//!
//! - `store.rs`: files on the disk: private directory, sealed files, renaming into place.
//! - `dependencies.rs`: which files were looked for, and whether they still are what they were.
//! - `identity.rs`: digests of the participants.
//!
//! Nothing here fails a build: a cache that cannot be read or written is a cache that is not there.

mod dependencies;
mod identity;
mod store;
#[cfg(test)]
mod tests;

use super::BuildOptions;
use super::program::Built;
use crate::render::Metadata;
use crate::runtime::Device;
use crate::source::Loader;
use crate::source_text::Source;
use crate::transpile::Translation;
use dependencies::{Dependencies, Recorder, kept_headers};
use identity::Identity;
use serde::{Deserialize, Serialize};
use store::{Kind, Store};

/// The cache of this user.
pub(super) struct Cache {
    store: Store,
}

/// What a manifest says.
#[derive(Serialize, Deserialize)]
struct Manifest {
    entry: String,
    dependencies: Dependencies,
}

impl Cache {
    /// The cache that the environment names; `None` when it is switched off or cannot be used.
    pub(super) fn open() -> Option<Self> {
        Store::from_environment().map(|store| Self { store })
    }

    /// The cache in a directory, for tests.
    #[cfg(test)]
    pub(super) fn at(directory: std::path::PathBuf) -> Option<Self> {
        Store::at(directory).map(|store| Self { store })
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
            .translate_options(&options.translate);
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
        let [json] = sections.as_slice() else {
            return None;
        };
        let manifest: Manifest = serde_json::from_slice(json).ok()?;
        if !manifest.dependencies.are_unchanged() {
            return None;
        }
        read_entry(self.store, &manifest.entry)
    }

    /// A loader that remembers what was looked for.
    pub(super) fn recorder<'l>(&self, loader: &'l dyn Loader) -> Recorder<'l> {
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
    /// The same generated source may have been compiled before, for another manifest.
    pub(super) fn find(&self) -> Option<Built> {
        read_entry(self.store, &self.entry)
    }

    /// Keeps a result; that it could not be kept is no error.
    pub(super) fn keep(self, built: &Built) {
        let Ok(metadata) = serde_json::to_vec(&built.metadata) else {
            return;
        };
        // The entry first: a manifest never leads to one that was not there.
        if self
            .store
            .write(Kind::Entry, &self.entry, &[&metadata, &built.binary])
            .is_ok()
        {
            self.keep_manifest();
        }
    }

    /// Makes the next build of this source find the entry without translating.
    pub(super) fn keep_manifest(self) {
        if !self.dependencies.are_known() {
            return;
        }
        let manifest = Manifest {
            entry: self.entry,
            dependencies: self.dependencies,
        };
        if let Ok(json) = serde_json::to_vec(&manifest) {
            // Without a manifest the next build translates again and finds the entry.
            let _ = self.store.write(Kind::Manifest, &self.manifest, &[&json]);
        }
    }
}

fn read_entry(store: &Store, key: &str) -> Option<Built> {
    let mut sections = store.read(Kind::Entry, key)?;
    let (Some(binary), Some(json), None) = (sections.pop(), sections.pop(), sections.pop()) else {
        return None;
    };
    let metadata: Metadata = serde_json::from_slice(&json).ok()?;
    Some(Built { metadata, binary })
}
