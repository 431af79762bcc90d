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
//! - `starters`: what those that start processes say to them
//! - `transfer`: what is under way from one to another

mod bridge;
mod communicator;
mod starters;
mod transfer;

pub use communicator::{Communicator, LAST_TAG, Number, ORDERED_TAG, Reduction};
pub use starters::{rank_from_environment, rank_variables};
pub use transfer::Transfer;
