//! What the process that tunes and the one that tries say to each other: a line of JSON each.

use brook::runtime::Settings;
use serde::{Deserialize, Serialize};

/// What to try.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) settings: Vec<Settings>,
    pub(super) wanted: Wanted,
}

/// How to try it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Wanted {
    /// How often to take the time of each.
    pub(super) samples: usize,
    /// What the best so far takes; what is far from it is measured once.
    pub(super) best: Option<f64>,
    /// It is the source as it is, whose results are right and which is never left out.
    pub(super) as_it_is: bool,
    /// All of them have been tried before and are to be measured once more.
    pub(super) again: bool,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Verdict {
    /// Seconds of a launch, a number for each sample, and what fits of it on a multiprocessor, in words.
    Took { seconds: Vec<f64>, fits: String },
    /// It is the same code as with other settings, which were tried before.
    Same(Settings),
    /// It cannot be good, or cannot run at all: nothing was launched.
    Pruned(String),
    /// Its results are not those of the source as it is.
    Wrong(String),
    /// It cannot be built or launched.
    Failed(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    Ready {
        backend: String,
        device: String,
    },
    /// One more of a request's settings is built.
    Built,
    /// What came of the next of them.
    Tried(Verdict),
}
