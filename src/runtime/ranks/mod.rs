//! The devices of all processes of a job as one set: each process runs the same host program, has the rows that are its
//! devices' own, and sends the others what these need.
//!
//! All processes do the same in the same order, so each knows what every other one is about to do, and nothing is negotiated: a
//! directory of who has which bytes is the same everywhere. A device of another process is one that does nothing
//! ([`ElsewhereDevice`](elsewhere::ElsewhereDevice)); what is copied between processes, and what the host reads, are messages.
//!
//! - `devices.rs`: which devices each process has, by its number on its machine; `elsewhere.rs`: those of other processes.
//! - `links.rs`: how devices reach those of other processes without the host; `exchange.rs`: messages; `build.rs`: kernels that one process builds for all.

mod build;
mod devices;
mod elsewhere;
mod exchange;
mod links;

pub use devices::is_over_processes;
pub(super) use devices::{open, own_name};
pub(super) use exchange::{Incoming, Ranks};
pub(super) use links::{Reach, join};

use super::{Device, Error, Result};
use std::sync::Arc;

/// Where a device of a set over processes is.
#[derive(Clone)]
pub(super) struct Seat {
    pub(super) ranks: Arc<Ranks>,
    /// The process that has it.
    pub(super) rank: usize,
}

impl Seat {
    /// Whether it is another process's.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.rank != self.ranks.rank()
    }
}

impl Device {
    /// The processes whose devices are in its set; `None` where all are this one's.
    pub(super) fn ranks(&self) -> Option<&Arc<Ranks>> {
        Some(&self.seat()?.ranks)
    }

    /// This process's number, and how many there are, where it is a set of the devices of several, or one of those. All of them do
    /// the same with it, in the same order, in one thread each.
    pub fn process(&self) -> Option<(usize, usize)> {
        let ranks = self.ranks()?;
        Some((ranks.rank(), ranks.size()))
    }

    /// The same of a set, whose programs and memory all of them have.
    pub(super) fn ranks_of_set(&self) -> Option<&Arc<Ranks>> {
        self.ranks().filter(|_| self.set_of().is_some())
    }

    /// What one process's device did. Where it failed, and only that process knows, the job is ended.
    pub(super) fn known_to_all<T, E: Into<Error>>(
        &self,
        done: std::result::Result<T, E>,
    ) -> Result<T> {
        match self.ranks() {
            Some(ranks) => ranks.or_abort(done),
            None => done.map_err(Into::into),
        }
    }

    /// Whether it is another process's: nothing happens there that this process says.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.seat().is_some_and(Seat::is_elsewhere)
    }
}
