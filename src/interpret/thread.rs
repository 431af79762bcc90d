//! What runs: the host's part, groups, items, each with what it needs to go on where it stopped.

use super::code::{Code, Implied};
use super::memory::Local;
use crate::module::BarrierScope;

/// Why a thread does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It can go on.
    Ready,
    /// It has come to its end.
    Ended,
    Barrier(BarrierScope, Implied),
    /// A function of all items, by number: where its result goes, and where its arguments are.
    Collective {
        number: u16,
        result: u16,
        arguments: u16,
    },
    /// It waits for the iterations of a nest.
    Spawn(u16),
}

/// A function that is running.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) function: usize,
    /// The first of its registers.
    pub(super) base: usize,
    /// The first of its objects, and of its bytes.
    pub(super) object: usize,
    pub(super) byte: usize,
    /// Where its caller goes on, and where that has its result.
    pub(super) back: u32,
    pub(super) result: u16,
}

/// What runs: the host's part, a group, an item.
#[derive(Debug)]
pub(super) struct Thread {
    /// 0 is the host, 1 the group, all others are items.
    pub(super) number: u32,
    pub(super) registers: Vec<u64>,
    pub(super) local: Local,
    pub(super) frames: Vec<Frame>,
    pub(super) at: u32,
    pub(super) stop: Stop,
    /// It was past the end of a loop.
    pub(super) absent: bool,
    /// The iteration that it has ended early, from an address to another.
    pub(super) left: (u32, u32),
    /// The function that it comes back from has ended without a value.
    pub(super) valueless: bool,
    /// How much of [`Machine::shared`] it has.
    pub(super) has: usize,
    /// The group that it was last an item of, by the time of its beginning.
    pub(super) group: u32,
}

/// The first thread that is an item.
pub(super) const FIRST_ITEM: u32 = 2;

impl Thread {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            registers: Vec::new(),
            local: Local::default(),
            frames: Vec::new(),
            at: 0,
            stop: Stop::Ready,
            absent: false,
            left: (0, 0),
            valueless: false,
            has: 0,
            group: 0,
        }
    }

    /// Lets it begin with a function, with nothing in its memory but what it had.
    pub(super) fn begin(&mut self, code: &Code, function: usize, at: u32) {
        let entered = &code.functions[function];
        self.frames.clear();
        self.frames.push(Frame {
            function,
            base: 0,
            object: 0,
            byte: 0,
            back: 0,
            result: 0,
        });
        if self.registers.len() < entered.registers as usize {
            self.registers.resize(entered.registers as usize, 0);
        }
        self.local.objects.clear();
        let objects = entered.objects.iter();
        let objects = objects.map(|o| (o.offset as usize, o.size));
        self.local.objects.extend(objects);
        self.local.bytes.resize(entered.bytes as usize, 0);
        self.local.written.resize(entered.bytes as usize, false);
        self.at = at;
        self.absent = false;
        self.left = (0, 0);
        self.valueless = false;
        self.stop = Stop::Ready;
    }

    /// Whether it keeps nobody waiting at a barrier: who ends an iteration early comes to the barriers in it, as the
    /// language says.
    pub(super) fn comes_to(&self, barrier: u32) -> bool {
        let (start, end) = self.left;
        self.stop == Stop::Ended && (start..end).contains(&barrier)
    }

    /// The registers of the function that runs.
    pub(super) fn frame_registers(&mut self) -> &mut [u64] {
        let base = self.frames.last().map_or(0, |f| f.base);
        &mut self.registers[base..]
    }
}
