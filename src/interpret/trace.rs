//! What was launched, and what the first group of each launch did: for a picture of it.

use super::machine::Machine;
use crate::source::Span;

/// Launches that are told of one by one.
const MOST_LAUNCHES: usize = 100;
/// What a group does, step by step.
const MOST_STEPS: usize = 200;

/// One launch, as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launched {
    /// The nest, in the text that was analysed.
    pub at: Span,
    /// How many groups there were, x first; of Brook+, elements.
    pub groups: [u64; 3],
    /// The most items that a loop over items had in any group, x first; 0 without such a loop.
    pub items: [u64; 3],
    /// What the first group did, one after the other.
    pub steps: Vec<Step>,
    /// It did more than is told.
    pub more: bool,
}

/// What a group does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many items run a loop, up to its end or the next barrier.
    Items {
        /// The loop.
        at: Span,
        /// How many there are, x first.
        extents: [u64; 3],
    },
    /// All items wait for each other.
    Barrier {
        /// What makes them wait.
        at: Span,
    },
}

/// What is known of the launches of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) launches: Vec<Launched>,
    /// The last one of them runs.
    told: bool,
    /// Its first group does.
    first: bool,
}

impl Trace {
    /// Another launch begins; it is the last one of the list if it is told of.
    pub(super) fn launch(&mut self, at: Span, groups: [u64; 3]) {
        self.told = self.launches.len() < MOST_LAUNCHES;
        self.first = self.told;
        if self.told {
            self.launches.push(Launched {
                at,
                groups,
                items: [0; 3],
                steps: Vec::new(),
                more: false,
            });
        }
    }

    /// A group has come to its end.
    pub(super) fn group_ended(&mut self) {
        self.first = false;
    }

    fn step(&mut self, step: Step) {
        let Some(launch) = self.launches.last_mut().filter(|_| self.first) else {
            return;
        };
        match launch.steps.len() < MOST_STEPS {
            true => launch.steps.push(step),
            false => launch.more = true,
        }
    }

    /// Items begin a loop.
    pub(super) fn items(&mut self, at: Span, extents: [u64; 3]) {
        if let Some(launch) = self.launches.last_mut().filter(|_| self.told) {
            for (most, here) in launch.items.iter_mut().zip(extents) {
                *most = (*most).max(here);
            }
        }
        self.step(Step::Items { at, extents });
    }

    /// All items of the group have come to a barrier.
    fn barrier(&mut self, at: Span) {
        // Two in a row are one to everybody.
        let last = self.launches.last().and_then(|l| l.steps.last());
        if !matches!(last, None | Some(Step::Barrier { .. })) {
            self.step(Step::Barrier { at });
        }
    }
}

impl Machine<'_> {
    /// All items of the group, which an instruction at that place has told to wait, have done so.
    pub(super) fn waited(&mut self, site: u32) {
        self.memory.clock.barrier();
        self.trace.barrier(self.span(site));
    }
}
