//! Kernels for the devices of all processes. One process compiles what no cache has, and gives the others what came of it: as many
//! caches as there are machines may be cold, and nobody but that one calls a compiler.

use super::super::cache::Cache;
use super::super::program::{Built, Origin};
use super::super::{BuildOptions, Device, Error, IntoSource, Program, Result};
use super::Ranks;
use super::exchange::{agree_on, first_of};
use crate::render::Metadata;
use crate::source_text::Source;
use brook_driver::ErrorKind;
use brook_mpi::Communicator;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;

/// What a process tells the others of a build.
#[derive(Serialize, Deserialize)]
enum Told {
    /// Metadata as JSON, behind which the binary comes.
    Built(String),
    /// Why there is none, and whether the toolchain is at fault.
    Failed { reason: String, toolchain: bool },
}

/// Gives all processes what one has built.
fn give_built(communicator: &Communicator, built: Result<Built>, root: usize) -> Result<Built> {
    let is_root = communicator.rank() == root;
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

impl Ranks {
    /// What was found, if all processes have found theirs.
    pub(in super::super) fn agree<T>(&self, found: Option<T>) -> Option<T> {
        let is_so = found.is_some();
        let agreed = self
            .check_thread()
            .map_err(Error::from)
            .and_then(|()| first_of(self.communicator(), is_so));
        let agreed = self.or_abort(agreed);
        found.filter(|_| agreed.is_ok_and(|(_, everywhere)| everywhere))
    }
}

/// Whether something has not failed in any process; its error is that of the first for which it has.
fn agree<T>(communicator: &Communicator, done: &Result<T>) -> Result<()> {
    let said = done.as_ref().map(drop);
    let said = said.map_err(|e| brook_driver::Error::invalid(e.to_string()));
    agree_on(communicator, said).map_err(|e| Error::Argument(e.message))
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
        ranks.check_thread()?;
        let (built, found) = self.obtain(ranks.communicator(), source, options)?;
        let origin = Origin::new(source, options);
        ranks.or_abort(self.load(built, None, found, origin))
    }

    /// As [`Device::build`], on a device of each of several processes, all of which call this at once, for devices of one architecture: what
    /// the kernel cache of one of them has it gives the others, and what none has one of them compiles for all. However many they are,
    /// on however many machines, a kernel is compiled once. Warnings are those of the process that compiles.
    ///
    /// # Errors
    /// As of [`Device::build`], in all of them; or MPI's.
    pub fn build_together(
        &self,
        communicator: &Communicator,
        source: impl IntoSource,
        options: &BuildOptions,
    ) -> Result<Program> {
        let source = source.into_source();
        agree(communicator, &source)?;
        self.check_alike(communicator)?;
        let source = source?;
        let source: &Source = source.borrow();
        let (built, found) = self.obtain(communicator, source, options)?;
        self.load(built, None, found, Origin::new(source, options))
    }

    /// Refuses devices that do not take the same binaries.
    fn check_alike(&self, communicator: &Communicator) -> Result<()> {
        let own = format!("{} {}", self.driver_name(), self.info().architecture);
        let first = communicator.broadcast_any(own.clone().into_bytes(), 0)?;
        let first = String::from_utf8_lossy(&first);
        let unlike = || {
            let name = self.name();
            Error::argument(format!("{name} is '{own}', and rank 0 has '{first}'"))
        };
        agree(
            communicator,
            &(first == own).then_some(()).ok_or_else(unlike),
        )
    }

    /// What this process has of something that all of a set's have, unless it failed in one of them.
    pub(in super::super) fn agreed<T>(&self, done: Result<T>) -> Result<T> {
        if let Some(ranks) = self.ranks_of_set() {
            ranks.check_thread()?;
            agree(ranks.communicator(), &done)?;
        }
        done
    }

    /// What one process has, or builds, for all, and whether some cache had it.
    fn obtain(
        &self,
        communicator: &Communicator,
        source: &Source,
        options: &BuildOptions,
    ) -> Result<(Built, bool)> {
        let cache = options.cache.then(Cache::open).flatten();
        let kept = || cache.as_ref()?.request(self, source, options).find();
        let found = kept();
        let (holder, everywhere) = first_of(communicator, found.is_some())?;
        let root = holder.unwrap_or(0);
        let make = || {
            let made = cache
                .as_ref()
                .map(|c| self.build_through(c, source, options));
            made.transpose()?;
            kept().map_or_else(|| self.compile_anew(source, options), Ok)
        };
        let built = match (found, communicator.rank() == root) {
            (Some(built), _) if everywhere => return Ok((built, true)),
            (Some(built), _) => Ok(built),
            (None, true) => make(),
            (None, false) => Err(Error::argument("another process builds it")),
        };
        Ok((give_built(communicator, built, root)?, holder.is_some()))
    }
}
