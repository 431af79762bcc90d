//! Reads and writes of numbers, which are looked at by the shadow memory.

use super::code::{Cell, Width};
use super::machine::{Machine, Position};
use super::memory::{self, By, Local, Target, Trouble, fetch, offset, store};
use super::thread::FIRST_ITEM;

impl Machine<'_> {
    fn by(position: &Position<'_>, atomic: bool) -> By {
        By {
            thread: position.thread,
            site: position.site,
            atomic,
            item: position.thread >= FIRST_ITEM,
        }
    }

    /// Numbers out of memory; zeros where they cannot be read.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        local: &Local,
        from: u64,
        cell: Cell,
        to: &mut [u64],
        position: &Position<'_>,
    ) {
        let width = cell.width;
        let bytes = width.bytes() * to.len();
        let at = offset(from);
        let trouble = match memory::target(from, position.thread) {
            Target::Shared(object) => match self.memory.locate(object, at, bytes) {
                Ok(found) => {
                    for (index, to) in to.iter_mut().enumerate() {
                        *to = fetch(&self.memory.bytes, found + index * width.bytes(), width);
                    }
                    let by = Self::by(position, cell.atomic);
                    match self.memory.note_read(object, at, bytes, by) {
                        None => return,
                        Some(trouble) => {
                            self.trouble(trouble, from, bytes, false, by, position);
                            return;
                        }
                    }
                }
                Err(trouble) => trouble,
            },
            Target::Own(object) => match local.locate(object, at, bytes) {
                Ok(found) => {
                    for (index, to) in to.iter_mut().enumerate() {
                        *to = fetch(&local.bytes, found + index * width.bytes(), width);
                    }
                    if local.is_written(found, bytes) {
                        return;
                    }
                    let by = Self::by(position, cell.atomic);
                    let unwritten = Trouble::Conflict(super::shadow::Conflict::Unwritten);
                    self.trouble(unwritten, from, bytes, false, by, position);
                    return;
                }
                Err(trouble) => trouble,
            },
            Target::Nothing => Trouble::Null,
            Target::Foreign => Trouble::Invalid,
            Target::Reported => {
                to.fill(0);
                return;
            }
        };
        to.fill(0);
        let by = Self::by(position, cell.atomic);
        self.trouble(trouble, from, bytes, false, by, position);
    }

    /// Numbers into memory; nothing where they cannot be written.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        local: &mut Local,
        to: u64,
        cell: Cell,
        values: &[u64],
        position: &Position<'_>,
    ) {
        let width = cell.width;
        let bytes = width.bytes() * values.len();
        let at = offset(to);
        let by = Self::by(position, cell.atomic);
        let trouble = match memory::target(to, position.thread) {
            Target::Shared(object) => match self.memory.locate(object, at, bytes) {
                Ok(found) => {
                    let same = |old: &[u8]| {
                        let mut new = [0; 32];
                        for (index, value) in values.iter().enumerate() {
                            store(&mut new, index * width.bytes(), width, *value);
                        }
                        old == &new[..bytes]
                    };
                    let trouble = self.memory.note_write(object, at, bytes, by, same);
                    if let Some(trouble) = trouble {
                        self.trouble(trouble, to, bytes, true, by, position);
                    }
                    for (index, value) in values.iter().enumerate() {
                        let at = found + index * width.bytes();
                        store(&mut self.memory.bytes, at, width, *value);
                    }
                    return;
                }
                Err(trouble) => trouble,
            },
            Target::Own(object) => match local.locate(object, at, bytes) {
                Ok(found) => {
                    for (index, value) in values.iter().enumerate() {
                        let at = found + index * width.bytes();
                        store(&mut local.bytes, at, width, *value);
                    }
                    local.note_write(found, bytes);
                    return;
                }
                Err(trouble) => trouble,
            },
            Target::Nothing => Trouble::Null,
            Target::Foreign => Trouble::Invalid,
            Target::Reported => return,
        };
        self.trouble(trouble, to, bytes, true, by, position);
    }
}

/// A plain access of numbers.
#[inline(always)]
pub(super) fn plain(width: Width) -> Cell {
    Cell {
        pointer: 0,
        offset: 0,
        width,
        atomic: false,
    }
}
