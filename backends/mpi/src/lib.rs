//! The other processes of a job that `mpirun` started, by way of MPI.
//!
//! Implementations of MPI differ in their binary interface, and a job runs with one of them: that of whoever started it. So
//! nothing is linked. A few functions of C (`bridge.c`) are compiled by that implementation's `mpicc` when they are first
//! needed, and kept in the user's cache. `BROOK_MPICC` names another `mpicc`.
//!
//! Nothing here knows of devices. Everything begins and is waited for later, so that a process which waits too long can say for
//! what.
//!
//! - `bridge`: the functions, compiled and loaded
//! - `communicator`: processes and their numbers, what all of them do together
//! - `transfer`: what is under way from one to another

mod bridge;
mod communicator;
mod transfer;

pub use communicator::{Communicator, LAST_TAG, Number, Reduction};
pub use transfer::Transfer;

use std::env;

/// What starters of processes call a process's number.
pub const RANKS: [&str; 5] = [
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
    "PMIX_RANK",
    "MPI_RANKID",
    "MV2_COMM_WORLD_RANK",
];

/// This process's number as the environment has it, before MPI is started; none where nobody has started several.
pub fn rank_from_environment() -> Option<usize> {
    RANKS
        .iter()
        .find_map(|name| env::var(name).ok()?.trim().parse().ok())
}
