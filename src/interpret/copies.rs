//! Copies from global to shared memory that go on while their item does, until it has waited for them.
//!
//! Their bytes are written at once; what is kept here is who may not look at them yet. An item's copies form sets, which
//! it closes one after the other; it waits for all of them but for the last so many.

use super::machine::{Machine, Position};
use super::memory::{Target, Trouble, offset, target};
use std::collections::{HashMap, VecDeque};

/// Where a copy writes, and which instruction it is.
#[derive(Clone, Copy, Debug)]
struct Copied {
    object: usize,
    at: i64,
    bytes: usize,
    site: u32,
}

impl Copied {
    fn places(self) -> impl Iterator<Item = (usize, i64)> {
        (self.at..self.at + self.bytes as i64).map(move |at| (self.object, at))
    }
}

/// An item's copies: those of the set that is open, and the closed sets, the oldest first.
#[derive(Debug, Default)]
struct Sets {
    open: Vec<Copied>,
    closed: VecDeque<Vec<Copied>>,
}

/// All copies of a group that their items have not waited for.
#[derive(Debug, Default)]
pub(super) struct Copies {
    sets: HashMap<u32, Sets>,
    /// Of each byte of an object, who copies it, and by which instruction.
    bytes: HashMap<(usize, i64), (u32, u32)>,
}

impl Copies {
    /// Whether nobody copies anything.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What is wrong with an access, if somebody copies one of its bytes.
    #[cold]
    #[inline(never)]
    pub(super) fn find(&self, object: usize, at: i64, bytes: usize) -> Option<Trouble> {
        let mut places = (at..at + bytes as i64).map(|at| (object, at));
        let (thread, site) = places.find_map(|place| self.bytes.get(&place))?;
        Some(Trouble::Copying(*thread, *site))
    }

    /// A new group has nothing of the last one's.
    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.bytes.clear();
    }

    /// An item's copies since the last time are a set, also if there are none.
    pub(super) fn close(&mut self, thread: u32) {
        let sets = self.sets.entry(thread).or_default();
        let set = std::mem::take(&mut sets.open);
        sets.closed.push_back(set);
    }
}

impl Machine<'_> {
    /// An item begins a copy: nobody may look at what it writes, if that is shared and what it reads is global.
    #[cold]
    #[inline(never)]
    pub(super) fn copying(
        &mut self,
        (to, from): (u64, u64),
        bytes: usize,
        position: &Position<'_>,
    ) {
        let [to_what, from_what] = [to, from].map(|p| target(p, position.thread));
        let (Target::Shared(object), Target::Shared(source)) = (to_what, from_what) else {
            return;
        };
        let objects = &self.memory.objects;
        let is_shared = |number: usize| objects.get(number).map(|o| o.of_group && !o.only_read);
        let is_global = |number: usize| number >= self.code.objects.len();
        let at = offset(to);
        if is_shared(object) != Some(true)
            || !is_global(source)
            || self.memory.locate(object, at, bytes).is_err()
        {
            return;
        }
        let copied = Copied {
            object,
            at,
            bytes,
            site: position.site,
        };
        let copies = &mut self.memory.copies;
        let who = (position.thread, position.site);
        copies.bytes.extend(copied.places().map(|p| (p, who)));
        let sets = copies.sets.entry(position.thread).or_default();
        sets.open.push(copied);
    }

    /// An item waits for its sets but for the last so many.
    #[cold]
    #[inline(never)]
    pub(super) fn copies_awaited(&mut self, left: u64, position: &Position<'_>) {
        let thread = position.thread;
        let Some(sets) = self.memory.copies.sets.get_mut(&thread) else {
            return;
        };
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let done = sets.closed.len().saturating_sub(left);
        let arrived: Vec<Copied> = sets.closed.drain(..done).flatten().collect();
        for copied in arrived {
            for place in copied.places() {
                self.memory.copies.bytes.remove(&place);
            }
            let Copied {
                object,
                at,
                bytes,
                site,
            } = copied;
            self.memory.arrived(object, at, bytes, site, thread);
        }
    }
}
