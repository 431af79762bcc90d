//! What C holds: numbers that it takes for pointers. Each says which object of which kind it is and which of those that
//! have had the same place, so that a handle that was released, or never given out, is an error.

use super::error::guard;
use super::invalid;
use crate::runtime::{Result, with_article};
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The lowest bits say what it is: none of what C allocates has them set.
pub(super) const KIND_BITS: u32 = 4;
const INDEX_BITS: u32 = if usize::BITS == 64 { 28 } else { 16 };
const MOST_GENERATIONS: usize = usize::MAX >> (KIND_BITS + INDEX_BITS);

/// What first generations are made of.
const FAR: usize = 0xb504_f334_u32 as usize;

/// What C has handles of.
pub(super) trait Handled: Send + Sync + Sized + 'static {
    /// Which of `KINDS` it is.
    const KIND: usize;
    /// Where all of them are.
    fn table() -> &'static Table<Self>;
    /// What else is to be done when a handle has ended: threads may have kept the object for it.
    fn forget(_handle: usize) {}
}

/// By number; nothing is number 0.
const KINDS: [&str; 15] = [
    "",
    "stream",
    "module",
    "sequence",
    "memory",
    "program",
    "kernel",
    "queue",
    "event",
    "pool",
    "pinned memory",
    "native program",
    "native kernel",
    "communicator",
    "gather-scatter",
];

/// All objects of a kind.
pub(super) struct Table<T>(RwLock<Slots<T>>);

struct Slots<T> {
    all: Vec<Slot<T>>,
    free: Vec<usize>,
}

struct Slot<T> {
    /// How many objects have been here before, as far as a handle can count.
    generation: usize,
    /// References that C holds.
    references: usize,
    object: Option<Arc<T>>,
}

impl<T: Handled> Slots<T> {
    fn at(&self, handle: *const T) -> Option<&Arc<T>> {
        let (index, generation) = place(handle)?;
        let slot = self.all.get(index)?;
        slot.object
            .as_ref()
            .filter(|_| slot.generation == generation)
    }
}

impl<T> Table<T> {
    pub(super) const fn new() -> Self {
        Self(RwLock::new(Slots {
            all: Vec::new(),
            free: Vec::new(),
        }))
    }

    // Nothing in here stops half-way.
    fn read(&self) -> RwLockReadGuard<'_, Slots<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Slots<T>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives an object away, with one reference.
pub(super) fn give<T: Handled>(object: T) -> Result<*mut T> {
    let mut slots = T::table().write();
    let index = match slots.free.pop() {
        Some(index) => index,
        None if slots.all.len() >> INDEX_BITS == 0 => {
            // Not 0, so that small numbers are no handles.
            let generation = slots.all.len().wrapping_mul(FAR) ^ FAR;
            slots.all.push(Slot {
                generation: generation & MOST_GENERATIONS,
                references: 0,
                object: None,
            });
            slots.all.len() - 1
        }
        None => {
            let kind = KINDS[T::KIND];
            return Err(invalid(format!("there is no room for another {kind}")));
        }
    };
    let slot = &mut slots.all[index];
    slot.references = 1;
    slot.object = Some(Arc::new(object));
    let number = (slot.generation << INDEX_BITS | index) << KIND_BITS | T::KIND;
    Ok(without_provenance_mut(number))
}

/// The object behind a handle.
pub(super) fn get<T: Handled>(handle: *const T) -> Result<Arc<T>> {
    let slots = T::table().read();
    slots.at(handle).cloned().ok_or_else(|| wrong(handle))
}

/// Adds a reference.
pub(super) fn retain<T: Handled>(handle: *const T) -> Result<()> {
    let mut slots = T::table().write();
    let slot = live(&mut slots, handle).ok_or_else(|| wrong(handle))?;
    slot.references += 1;
    Ok(())
}

/// Takes a reference back; with the last one the handle ends.
pub(super) fn release<T: Handled>(handle: *const T) -> Result<()> {
    let mut slots = T::table().write();
    let slot = live(&mut slots, handle).ok_or_else(|| wrong(handle))?;
    slot.references -= 1;
    if slot.references > 0 {
        return Ok(());
    }
    let object = slot.object.take();
    slot.generation = (slot.generation + 1) & MOST_GENERATIONS;
    if let Some((index, _)) = place(handle) {
        slots.free.push(index);
    }
    drop(slots);
    T::forget(handle.addr());
    // Its end may take its time, and handles of its own kind.
    drop(object);
    Ok(())
}

/// As [`retain`], for functions that C calls; returns its argument, or null.
pub(super) fn retained<T: Handled>(handle: *mut T) -> *mut T {
    guard(null_mut(), || retain(handle).map(|()| handle))
}

/// As [`release`], for functions that C calls, which may give up nothing.
pub(super) fn released<T: Handled>(handle: *mut T) {
    if !handle.is_null() {
        guard((), || release(handle));
    }
}

fn live<T: Handled>(slots: &mut Slots<T>, handle: *const T) -> Option<&mut Slot<T>> {
    let (index, generation) = place(handle)?;
    let slot = slots.all.get_mut(index)?;
    (slot.generation == generation && slot.object.is_some()).then_some(slot)
}

/// Index and generation that a handle of this kind says.
fn place<T: Handled>(handle: *const T) -> Option<(usize, usize)> {
    let number = handle.addr();
    if number & ((1 << KIND_BITS) - 1) != T::KIND {
        return None;
    }
    let number = number >> KIND_BITS;
    Some((number & ((1 << INDEX_BITS) - 1), number >> INDEX_BITS))
}

fn wrong<T: Handled>(handle: *const T) -> crate::runtime::Error {
    let wanted = KINDS[T::KIND];
    if handle.is_null() {
        return invalid(format!("the {wanted} is NULL"));
    }
    let kind = handle.addr() & ((1 << KIND_BITS) - 1);
    match KINDS.get(kind) {
        Some(found) if kind == T::KIND => {
            invalid(format!("{handle:p} is no {found}, or it was released"))
        }
        Some(found) if kind != 0 => {
            let (found, wanted) = (with_article(found), with_article(wanted));
            invalid(format!("{handle:p} is {found} instead of {wanted}"))
        }
        _ => invalid(format!("{handle:p} is no {wanted} of this library's")),
    }
}

/// Those of several objects of a kind that are not there yet, as a launch wants them: `None` for what is asked for nothing.
pub(super) fn get_all<T: Handled>(
    handles: impl Iterator<Item = Option<*const T>>,
    to: &mut [Option<Arc<T>>],
) -> Result<()> {
    let mut slots = None;
    for (handle, to) in handles.zip(to) {
        let Some(handle) = handle.filter(|_| to.is_none()) else {
            continue;
        };
        let slots = slots.get_or_insert_with(|| T::table().read());
        let object = slots.at(handle).ok_or_else(|| wrong(handle))?;
        *to = Some(Arc::clone(object));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(u32);

    static THINGS: Table<Thing> = Table::new();

    impl Handled for Thing {
        const KIND: usize = 3;
        fn table() -> &'static Table<Self> {
            &THINGS
        }
    }

    #[test]
    fn handles_end_with_their_last_reference() {
        let first = give(Thing(1)).unwrap();
        let second = give(Thing(2)).unwrap();
        assert_eq!(get(first).unwrap().0 + get(second).unwrap().0, 3);
        retain(first).unwrap();
        release(first).unwrap();
        let held = get(first).unwrap();
        release(first).unwrap();
        // Who uses it goes on.
        assert_eq!(held.0, 1);
        for _ in 0..3 {
            assert!(get(first).is_err() && release(first).is_err() && retain(first).is_err());
        }
        let third = give(Thing(3)).unwrap();
        assert_ne!(first, third);
        assert!(get(first).is_err());
        assert_eq!(get(third).unwrap().0, 3);
        assert_eq!(get(second).unwrap().0, 2);
        release(second).unwrap();
        release(third).unwrap();
    }

    #[test]
    fn what_is_no_handle() {
        let text = |handle: *const Thing| get(handle).err().unwrap().to_string();
        assert_eq!(text(std::ptr::null()), "the sequence is NULL");
        assert!(text(without_provenance_mut(0x10)).ends_with("is no sequence of this library's"));
        assert!(text(without_provenance_mut(0x11)).ends_with("is a stream instead of a sequence"));
        assert!(
            text(without_provenance_mut(usize::MAX)).ends_with("is no sequence of this library's")
        );
        assert!(text(without_provenance_mut(usize::MAX - 12)).ends_with("or it was released"));
    }

    #[test]
    fn many_threads() {
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for i in 0..1000 {
                        let handle = give(Thing(thread * 1000 + i)).unwrap();
                        assert_eq!(get(handle).unwrap().0, thread * 1000 + i);
                        release(handle).unwrap();
                        assert!(release(handle).is_err());
                    }
                });
            }
        });
    }
}
