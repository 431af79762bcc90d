//! Kernels for the devices of all processes. One process compiles what no cache has, and gives the others what came of it: as many
//! caches as there are machines may be cold, and nobody but that one calls a compiler.

use super::super::cache::Cache;
use super::super::program::{Built, Origin};
use super::super::{BuildOptions, Device, Error, Program, Result};
use super::Ranks;
use crate::render::Metadata;
use crate::source_text::Source;
use brook_driver::ErrorKind;
use brook_mpi::Reduction;
use serde::{Deserialize, Serialize};

/// What a process tells the others of a build.
#[derive(Serialize, Deserialize)]
enum Told {
    /// Metadata as JSON, behind which the binary comes.
    Built(String),
    /// Why there is none, and whether the toolchain is at fault.
    Failed { reason: String, toolchain: bool },
}

impl Ranks {
    /// The first process of which something is true, and whether it is true of all.
    pub(super) fn first_of(&self, is_so: bool) -> Result<(Option<usize>, bool)> {
        self.check_thread()?;
        let communicator = self.communicator();
        let (rank, size) = (communicator.rank() as i64, communicator.size() as i64);
        let mut least = [if is_so { rank } else { size }, i64::from(is_so)];
        communicator.reduce(&mut least, Reduction::Min)?;
        let first = (least[0] < size).then_some(least[0] as usize);
        Ok((first, least[1] == 1))
    }

    /// What was found, if all processes have found theirs.
    pub(in super::super) fn agree<T>(&self, found: Option<T>) -> Option<T> {
        let agreed = self.or_abort(self.first_of(found.is_some()));
        found.filter(|_| agreed.is_ok_and(|(_, everywhere)| everywhere))
    }

    /// Gives all processes what one has built.
    fn give_built(&self, built: Result<Built>, root: usize) -> Result<Built> {
        let is_root = self.rank() == root;
        let communicator = self.communicator();
        let (told, binary) = match (is_root, built) {
            (true, Ok(built)) => (Told::Built(built.metadata.to_json()), built.binary),
            (true, Err(error)) => (Told::failed(&error), Vec::new()),
            (false, _) => (Told::Built(String::new()), Vec::new()),
        };
        let told = serde_json::to_vec(&told).unwrap_or_default();
        let told = communicator.broadcast_any(told, root)?;
        let binary = communicator.broadcast_any(binary, root)?;
        let damaged = |_| Error::argument("what another process has built came damaged");
        match serde_json::from_slice(&told).map_err(damaged)? {
            Told::Built(metadata) => {
                let metadata = Metadata::from_json(metadata.as_bytes());
                let metadata = metadata.map_err(|e| Error::argument(e.to_string()))?;
                Ok(Built { metadata, binary })
            }
            Told::Failed { reason, toolchain } => Err(match toolchain {
                true => Error::Toolchain(brook_driver::Error::new(ErrorKind::Compile, reason)),
                false => Error::Argument(reason),
            }),
        }
    }
}

impl Told {
    fn failed(error: &Error) -> Self {
        Self::Failed {
            reason: error.to_string(),
            toolchain: error.exit_code() != 1,
        }
    }
}

impl Device {
    /// A program for the devices of all processes, each of which calls this at once.
    pub(in super::super) fn build_on_ranks(
        &self,
        ranks: &Ranks,
        source: &Source,
        options: &BuildOptions,
    ) -> Result<Program> {
        let cache = options.cache.then(Cache::open).flatten();
        let kept = || cache.as_ref()?.request(self, source, options).find();
        let found = kept();
        let (holder, everywhere) = ranks.first_of(found.is_some())?;
        let root = holder.unwrap_or(0);
        let built = match found {
            Some(built) if everywhere => built,
            found => {
                let make = || {
                    let made = cache
                        .as_ref()
                        .map(|c| self.build_through(c, source, options));
                    made.transpose()?;
                    kept().map_or_else(|| self.compile_anew(source, options), Ok)
                };
                let built = match (found, ranks.rank() == root) {
                    (Some(built), _) => Ok(built),
                    (None, true) => make(),
                    (None, false) => Err(Error::argument("another process builds it")),
                };
                ranks.give_built(built, root)?
            }
        };
        let origin = Origin::new(source, options);
        let loaded = self.load(built, None, holder.is_some(), origin);
        ranks.or_abort(loaded)
    }
}
