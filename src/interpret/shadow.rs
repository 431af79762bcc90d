//! Shadow memory: who accessed each cell of what several items see, and when.
//!
//! Time is a counter that every barrier and every new group moves on. Groups run one after the other, so whether an
//! access happened before another one is a comparison of times: before [`Clock::launch`], all that came before these
//! groups; before [`Clock::group`], another group of theirs, which is ordered in no way; before [`Clock::phase`], the
//! same group before its last barrier; from then on, the same phase.
//!
//! A cell knows two writers and two readers. Two are enough: if two items have read a cell in a phase, any
//! writer differs from one of them. A reader of another group is not given up for one of this group, unless that one alone is plain.
//! Writers are several only where their writes are atomic: one that an item's own atomic write comes behind is none that orders a plain
//! access of this item.

/// An access of a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Access {
    /// When; 0 for never.
    pub(super) time: u32,
    /// Which instruction.
    pub(super) site: u32,
    /// Twice the item's number; one more for an atomic access.
    item: u32,
}

impl Access {
    #[inline(always)]
    pub(super) fn new(time: u32, site: u32, item: u32, atomic: bool) -> Self {
        Self {
            time,
            site,
            item: item << 1 | u32::from(atomic),
        }
    }

    #[inline(always)]
    pub(super) fn item(self) -> u32 {
        self.item >> 1
    }

    #[inline(always)]
    pub(super) fn atomic(self) -> bool {
        self.item & 1 == 1
    }
}

/// What is known of some bytes side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// The last one first.
    writes: [Access; 2],
    reads: [Access; 2],
}

/// What time it is, and what began when.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    pub(super) now: u32,
    /// When the groups of this launch began.
    pub(super) launch: u32,
    /// When this group began.
    pub(super) group: u32,
    /// When this phase began.
    pub(super) phase: u32,
    /// Which warp an item is in; nothing if no warp has waited in this phase.
    pub(super) warp_of: Vec<u32>,
    /// When each warp waited last.
    pub(super) warps: Vec<u32>,
}

/// What a check came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// Nobody has written what is read.
    Unwritten,
    /// With an access that is not ordered: it, whether it was a write, and whether it was another group's.
    Unordered {
        other: Access,
        write: bool,
        between_groups: bool,
    },
}

impl Conflict {
    /// Whether it is between the same instructions.
    pub(super) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Unwritten, Self::Unwritten) => true,
            (Self::Unordered { other: a, .. }, Self::Unordered { other: b, .. }) => {
                a.site == b.site
            }
            _ => false,
        }
    }
}

impl Clock {
    /// Whether an earlier access is one that nothing orders before this one. Atomic ones have an order of their own.
    #[inline(always)]
    fn unordered(&self, earlier: Access, this: Access, from: u32) -> bool {
        earlier.time >= from
            && (earlier.time < self.group
                || (earlier.time >= self.phase && (earlier.item ^ this.item) > 1))
            && self.really_unordered(earlier, this)
    }

    #[cold]
    #[inline(never)]
    fn really_unordered(&self, earlier: Access, this: Access) -> bool {
        if earlier.atomic() && this.atomic() {
            return false;
        }
        if self.warp_of.is_empty() || earlier.time < self.group {
            return true;
        }
        let warp = |access: Access| self.warp_of.get(access.item() as usize);
        match (warp(earlier), warp(this)) {
            (Some(a), Some(b)) if a == b => {
                earlier.time >= self.warps.get(*a as usize).copied().unwrap_or(0)
            }
            _ => true,
        }
    }

    fn conflict(&self, other: Access, write: bool) -> Conflict {
        Conflict::Unordered {
            other,
            write,
            between_groups: other.time < self.group,
        }
    }
}

impl Cell {
    /// Notes a read. Races are looked for from the time `from` on; what was written before `written` is nothing.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        clock: &Clock,
        this: Access,
        from: u32,
        written: u32,
    ) -> Option<Conflict> {
        let [write, earlier] = self.writes;
        let mut found = None;
        if write.time < written {
            found = Some(Conflict::Unwritten);
        } else if clock.unordered(write, this, from) {
            found = Some(clock.conflict(write, true));
        } else if clock.unordered(earlier, this, from) {
            found = Some(clock.conflict(earlier, true));
        }
        let last = self.reads[0];
        if last.time != this.time || last.item != this.item {
            note(&mut self.reads, clock, this, from);
        }
        found
    }

    /// Notes a write.
    #[inline(always)]
    pub(super) fn write(&mut self, clock: &Clock, this: Access, from: u32) -> Option<Conflict> {
        let [write, earlier] = self.writes;
        let unordered = |other: Access| clock.unordered(other, this, from);
        let found = if unordered(write) {
            Some(clock.conflict(write, true))
        } else if unordered(self.reads[0]) {
            Some(clock.conflict(self.reads[0], false))
        } else if unordered(self.reads[1]) {
            Some(clock.conflict(self.reads[1], false))
        } else if unordered(earlier) {
            Some(clock.conflict(earlier, true))
        } else {
            None
        };
        // Whoever races with this one has been told, and what a plain write comes behind is either ordered or told.
        match found.is_none() && this.atomic() {
            true => note(&mut self.writes, clock, this, from),
            false => self.writes[0] = this,
        }
        found
    }

    /// Notes that what was written, and looked at for races then, is there from now on.
    pub(super) fn written_again(&mut self, this: Access) {
        self.writes[0] = this;
    }

    /// Whether it has been written since then.
    pub(super) fn is_written(&self, since: u32) -> bool {
        self.writes[0].time >= since
    }
}

/// Notes an access as the last one, and keeps of the others the one that more is unordered with.
#[inline(always)]
fn note(accesses: &mut [Access; 2], clock: &Clock, this: Access, from: u32) {
    let [last, before] = *accesses;
    // An atomic one is given up for a plain one: fewer accesses are unordered with it.
    let keeps = before.time >= from
        && before.time < clock.group
        && last.time >= clock.group
        && (last.atomic() || !before.atomic());
    if last.time >= from && !keeps && (last.time < clock.group || last.item != this.item) {
        accesses[1] = last;
    }
    accesses[0] = this;
}
