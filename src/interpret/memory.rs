//! Objects, pointers to them, and bytes.
//!
//! A pointer is the number of an object and a signed offset of 36 bits, so that arithmetic on it never leads into
//! another object. The top bit says that the object is an item's own; then the number is the item's and that of the
//! object among those of its frames.

use super::code::Width;
use super::copies::Copies;
use super::shadow::{Access, Cell, Clock, Conflict};

const OFFSET_BITS: u32 = 36;
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;
const OWN: u64 = 1 << 63;
const LOCAL_BITS: u32 = 12;

/// How many items a group can have, with what the group and the host do themselves.
pub(super) const MOST_THREADS: u32 = 1 << (63 - OFFSET_BITS - LOCAL_BITS);

/// How many objects an item's frames can have.
pub(super) const MOST_LOCALS: usize = 1 << LOCAL_BITS;

/// A pointer that an access through has been reported of: it reads zeros, and writes nothing.
pub(super) const POISON: u64 = 1 << OFFSET_BITS;

/// The first object's number that is one.
const FIRST: usize = 2;

/// A pointer to the beginning of an object that all see.
pub(super) fn pointer_to(object: u32) -> u64 {
    (object as u64 + FIRST as u64) << OFFSET_BITS
}

/// A pointer to the beginning of an object of a thread's own.
#[inline(always)]
pub(super) fn pointer_to_own(thread: u32, object: usize) -> u64 {
    OWN | (u64::from(thread) << (OFFSET_BITS + LOCAL_BITS)) | ((object as u64) << OFFSET_BITS)
}

/// A pointer so many bytes further.
#[inline(always)]
pub(super) fn further(pointer: u64, bytes: i64) -> u64 {
    // What is out of reach stays so; a pointer to nothing stays one.
    let bytes = bytes.clamp(-(1 << 34), 1 << 34);
    let moved = (pointer & !OFFSET) | (pointer.wrapping_add(bytes as u64) & OFFSET);
    if pointer & !OFFSET == POISON {
        POISON
    } else {
        moved
    }
}

/// The offset of a pointer.
pub(super) fn offset(pointer: u64) -> i64 {
    ((pointer << (64 - OFFSET_BITS)) as i64) >> (64 - OFFSET_BITS)
}

/// Whether two pointers lead into one object.
pub(super) fn same_object(a: u64, b: u64) -> bool {
    a & !OFFSET == b & !OFFSET
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Nothing,
    Reported,
    /// An object that all see, by number.
    Shared(usize),
    /// An object of the running thread.
    Own(usize),
    /// One of another thread.
    Foreign,
}

#[inline(always)]
pub(super) fn target(pointer: u64, thread: u32) -> Target {
    if pointer & OWN == 0 {
        return match (pointer >> OFFSET_BITS) as usize {
            0 => Target::Nothing,
            1 => Target::Reported,
            object => Target::Shared(object - FIRST),
        };
    }
    let who = (pointer & !OWN) >> (OFFSET_BITS + LOCAL_BITS);
    match who == u64::from(thread) {
        true => Target::Own((pointer >> OFFSET_BITS) as usize & (MOST_LOCALS - 1)),
        false => Target::Foreign,
    }
}

/// Why an access cannot be, or should not.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trouble {
    Null,
    Invalid,
    Bounds,
    /// It is another item's, or the group's, which items only read.
    Group,
    Conflict(Conflict),
    /// Two writes of the same value.
    Equal(Conflict),
    /// That thread copies it, from that instruction on, and has not waited for it.
    Copying(u32, u32),
}

/// An object that all see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    base: usize,
    pub(super) size: u64,
    cells: usize,
    /// Cells have two to the power of that many bytes.
    shift: u32,
    /// It had a content when the kernel began.
    pub(super) filled: bool,
    /// A new group has a new one.
    pub(super) of_group: bool,
    /// Items only read it.
    pub(super) only_read: bool,
}

/// All that several items see.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) objects: Vec<Object>,
    pub(super) bytes: Vec<u8>,
    cells: Vec<Cell>,
    pub(super) clock: Clock,
    /// What items copy and have not waited for.
    pub(super) copies: Copies,
    /// What else was found at other cells of the last access that was noted.
    pub(super) more: Vec<Trouble>,
}

/// Who accesses memory, and from where.
#[derive(Clone, Copy, Debug)]
pub(super) struct By {
    pub(super) thread: u32,
    pub(super) site: u32,
    pub(super) atomic: bool,
    /// An item, not what a group or the host does itself.
    pub(super) item: bool,
}

impl Memory {
    /// Adds an object of so many bytes, whose smallest number has `granule` bytes.
    pub(super) fn add(&mut self, size: u64, granule: u64, filled: bool) -> u32 {
        let shift = granule.clamp(1, 8).ilog2();
        // Accesses of different widths never share a cell of two objects.
        let base = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(base + size as usize, 0);
        let cells = self.cells.len();
        let more = (size as usize).div_ceil(1 << shift);
        self.cells.resize(cells + more, Cell::default());
        self.objects.push(Object {
            base,
            size,
            cells,
            shift,
            filled,
            of_group: false,
            only_read: false,
        });
        self.objects.len() as u32 - 1
    }

    /// How many bytes objects of these sizes would take, with their shadows.
    pub(super) fn cost(size: u64, granule: u64) -> u64 {
        let cells = size / granule.clamp(1, 8) + 1;
        size.saturating_add(cells.saturating_mul(size_of::<Cell>() as u64))
    }

    /// The bytes of an object.
    pub(super) fn content(&mut self, object: u32) -> &mut [u8] {
        let Object { base, size, .. } = self.objects[object as usize];
        &mut self.bytes[base..base + size as usize]
    }

    /// Where in [`Self::bytes`] an access of an object is.
    #[inline(always)]
    pub(super) fn locate(&self, object: usize, at: i64, bytes: usize) -> Result<usize, Trouble> {
        let Some(found) = self.objects.get(object) else {
            return Err(Trouble::Invalid);
        };
        // Negative offsets are large ones.
        if (at as u64).saturating_add(bytes as u64) > found.size {
            return Err(Trouble::Bounds);
        }
        Ok(found.base + at as usize)
    }

    /// Notes a read of what [`Self::locate`] found.
    #[inline(always)]
    pub(super) fn note_read(
        &mut self,
        object: usize,
        at: i64,
        bytes: usize,
        by: By,
    ) -> Option<Trouble> {
        let found = self.objects[object];
        let this = Access::new(self.clock.now, by.site, by.thread, by.atomic);
        let (from, written) = match (found.of_group, found.filled) {
            (true, _) => (self.clock.group, self.clock.group),
            (false, true) => (self.clock.launch, 0),
            (false, false) => (self.clock.launch, 1),
        };
        let from = if found.only_read { u32::MAX } else { from };
        let first = found.cells + (at as usize >> found.shift);
        let last = found.cells + ((at as usize + bytes - 1) >> found.shift);
        let mut trouble = None;
        for cell in &mut self.cells[first..=last] {
            if let Some(conflict) = cell.read(&self.clock, this, from, written) {
                keep(&mut self.more, trouble, conflict);
                trouble = Some(conflict);
            }
        }
        let trouble = trouble.map(Trouble::Conflict);
        self.copied(object, at, bytes, trouble)
    }

    /// What was found at an access, or that it is one of what is copied meanwhile.
    #[inline(always)]
    fn copied(
        &mut self,
        object: usize,
        at: i64,
        bytes: usize,
        found: Option<Trouble>,
    ) -> Option<Trouble> {
        if self.copies.is_empty() {
            return found;
        }
        let copying = self.copies.find(object, at, bytes);
        if found.is_some() {
            self.more.extend(copying);
        }
        found.or(copying)
    }

    /// What an item has copied is there now.
    pub(super) fn arrived(&mut self, object: usize, at: i64, bytes: usize, site: u32, thread: u32) {
        let found = self.objects[object];
        let this = Access::new(self.clock.now, site, thread, false);
        let first = found.cells + (at as usize >> found.shift);
        let last = found.cells + ((at as usize + bytes - 1) >> found.shift);
        for cell in &mut self.cells[first..=last] {
            cell.written_again(this);
        }
    }

    /// Notes a write of what [`Self::locate`] found; whether it changes nothing.
    #[inline(always)]
    pub(super) fn note_write(
        &mut self,
        object: usize,
        at: i64,
        bytes: usize,
        by: By,
        same: impl Fn(&[u8]) -> bool,
    ) -> Option<Trouble> {
        let found = self.objects[object];
        let this = Access::new(self.clock.now, by.site, by.thread, by.atomic);
        let from = match found.of_group {
            true => self.clock.group,
            false => self.clock.launch,
        };
        if found.only_read && by.item {
            return Some(Trouble::Group);
        }
        let from = if found.only_read { u32::MAX } else { from };
        let first = found.cells + (at as usize >> found.shift);
        let last = found.cells + ((at as usize + bytes - 1) >> found.shift);
        let mut trouble = None;
        for cell in &mut self.cells[first..=last] {
            if let Some(conflict) = cell.write(&self.clock, this, from) {
                keep(&mut self.more, trouble, conflict);
                trouble = Some(conflict);
            }
        }
        let Some(conflict) = trouble else {
            return self.copied(object, at, bytes, None);
        };
        let old = &self.bytes[found.base + at as usize..][..bytes];
        let equal = same(old);
        let judged = |conflict| match conflict {
            Conflict::Unordered { write: true, .. } if equal => Trouble::Equal(conflict),
            _ => Trouble::Conflict(conflict),
        };
        for trouble in &mut self.more {
            if let Trouble::Conflict(conflict) = *trouble {
                *trouble = judged(conflict);
            }
        }
        self.copied(object, at, bytes, Some(judged(conflict)))
    }

    /// Which of so many bytes have been written.
    pub(super) fn written(&self, object: usize, at: i64, bytes: usize) -> Vec<bool> {
        let found = self.objects[object];
        let since = match (found.of_group, found.filled) {
            (true, _) => self.clock.group,
            (false, filled) => u32::from(!filled),
        };
        let places = at as usize..at as usize + bytes;
        let cell = |at: usize| &self.cells[found.cells + (at >> found.shift)];
        places.map(|at| cell(at).is_written(since)).collect()
    }
}

/// A thread's own objects.
#[derive(Debug, Default)]
pub(super) struct Local {
    pub(super) bytes: Vec<u8>,
    /// Which of them have been written.
    pub(super) written: Vec<bool>,
    /// First byte and number of bytes of each, of all frames.
    pub(super) objects: Vec<(usize, u64)>,
}

impl Local {
    /// Where an access of an object is.
    #[inline(always)]
    pub(super) fn locate(&self, object: usize, at: i64, bytes: usize) -> Result<usize, Trouble> {
        let Some(&(base, size)) = self.objects.get(object) else {
            return Err(Trouble::Invalid);
        };
        if (at as u64).saturating_add(bytes as u64) > size {
            return Err(Trouble::Bounds);
        }
        Ok(base + at as usize)
    }

    /// Notes a write of so many bytes.
    #[inline(always)]
    pub(super) fn note_write(&mut self, at: usize, bytes: usize) {
        match bytes {
            4 => self.written[at..at + 4].fill(true),
            8 => self.written[at..at + 8].fill(true),
            _ => self.written[at..at + bytes].fill(true),
        }
    }

    /// Whether so many bytes have been written, all of them.
    #[inline(always)]
    pub(super) fn is_written(&self, at: usize, bytes: usize) -> bool {
        match bytes {
            4 => self.written[at..at + 4] == [true; 4],
            8 => self.written[at..at + 8] == [true; 8],
            _ => self.written[at..at + bytes].iter().all(|w| *w),
        }
    }
}

/// A number out of memory, extended as its width says.
#[inline(always)]
pub(super) fn fetch(bytes: &[u8], at: usize, width: Width) -> u64 {
    macro_rules! number {
        ($from:ty, $through:ty) => {{
            let mut raw = [0; size_of::<$from>()];
            raw.copy_from_slice(&bytes[at..at + size_of::<$from>()]);
            <$from>::from_ne_bytes(raw) as $through as u64
        }};
    }
    match width {
        Width::I8 => number!(i8, i64),
        Width::U8 => number!(u8, u64),
        Width::I16 => number!(i16, i64),
        Width::U16 => number!(u16, u64),
        Width::I32 => number!(i32, i64),
        Width::U32 => number!(u32, u64),
        Width::Whole => number!(u64, u64),
    }
}

/// A number into memory.
#[inline(always)]
pub(super) fn store(bytes: &mut [u8], at: usize, width: Width, value: u64) {
    // Pieces whose size is known are single instructions.
    macro_rules! number {
        ($to:ty) => {
            bytes[at..at + size_of::<$to>()].copy_from_slice(&(value as $to).to_ne_bytes())
        };
    }
    match width {
        Width::I8 | Width::U8 => bytes[at] = value as u8,
        Width::I16 | Width::U16 => number!(u16),
        Width::I32 | Width::U32 => number!(u32),
        Width::Whole => number!(u64),
    }
}

/// Keeps what was found at a cell before, unless the same is found at the next one.
#[cold]
#[inline(never)]
fn keep(more: &mut Vec<Trouble>, earlier: Option<Conflict>, next: Conflict) {
    let Some(earlier) = earlier.filter(|e| !e.is_like(next)) else {
        return;
    };
    more.push(Trouble::Conflict(earlier));
    more.retain(|known| !matches!(*known, Trouble::Conflict(known) if known.is_like(next)));
}
