//! Kernels and memory that a thread's launches look at again and again, found without the tables that all threads share
//! and without counting references.
//!
//! A launch takes what it is given out of its thread's list, and puts it back when it has been made. Whoever gives a
//! handle up takes the object out of all lists, so that it ends there and then; a launch that has it meanwhile does not put
//! it back, and ends it.

use super::handle::{self, KIND_BITS};
use super::kernel::Kernel;
use super::memory::Memory;
use crate::runtime::{Result, lock};
use std::sync::{Arc, Mutex};

/// Objects by their handles; another one with the same place takes the first one's.
struct Line<T, const N: usize>([(usize, Option<Arc<T>>); N]);

impl<T, const N: usize> Line<T, N> {
    const fn new() -> Self {
        Self([const { (0, None) }; N])
    }

    fn place(&mut self, handle: usize) -> &mut (usize, Option<Arc<T>>) {
        &mut self.0[(handle >> KIND_BITS) % N]
    }

    fn take(&mut self, handle: usize) -> Option<Arc<T>> {
        let place = self.place(handle);
        place.1.take_if(|_| place.0 == handle)
    }

    fn put(&mut self, handle: usize, object: Arc<T>) {
        *self.place(handle) = (handle, Some(object));
    }
}

/// A thread's list.
struct Near {
    /// How many handles have been given up.
    version: u64,
    kernels: Line<Kernel, 16>,
    memories: Line<Memory, 64>,
}

type Shared = Arc<Mutex<Near>>;

/// Those of all threads.
static ALL: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// The thread's own, which ends with it.
struct Own(Shared);

impl Own {
    fn new() -> Self {
        let near = Arc::new(Mutex::new(Near {
            version: 0,
            kernels: Line::new(),
            memories: Line::new(),
        }));
        lock(&ALL).push(near.clone());
        Self(near)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        lock(&ALL).retain(|near| !Arc::ptr_eq(near, &self.0));
    }
}

thread_local! {
    static OWN: Own = Own::new();
}

/// Does something with the thread's list; `None` where the thread is ending.
fn with_own<R>(body: impl FnOnce(&mut Near) -> R) -> Option<R> {
    OWN.try_with(|own| body(&mut lock(&own.0))).ok()
}

/// What a launch has taken.
pub(super) struct Taken {
    kernel: Option<(usize, Arc<Kernel>)>,
    version: Option<u64>,
}

impl Taken {
    /// The kernel, if there was a handle of one.
    pub(super) fn kernel(&self) -> Option<&Kernel> {
        self.kernel.as_ref().map(|(_, kernel)| &**kernel)
    }
}

/// The objects behind handles: a kernel, if there is one, and memory, `None` for what is asked for nothing.
pub(super) fn take(
    kernel: Option<*const Kernel>,
    memories: impl Iterator<Item = Option<*const Memory>> + Clone,
    to: &mut [Option<Arc<Memory>>],
) -> Result<Taken> {
    let mut found = None;
    let version = with_own(|near| {
        found = kernel.and_then(|k| near.kernels.take(k.addr()));
        for (handle, to) in memories.clone().zip(to.iter_mut()) {
            *to = handle.and_then(|m| near.memories.take(m.addr()));
        }
        near.version
    });
    let kernel = match (kernel, found) {
        (None, _) => None,
        (Some(handle), Some(kernel)) => Some((handle.addr(), kernel)),
        (Some(handle), None) => Some((handle.addr(), handle::get(handle)?)),
    };
    handle::get_all(memories, to)?;
    Ok(Taken { kernel, version })
}

/// Puts what was taken where the thread's next launch finds it.
pub(super) fn put_back(
    taken: Taken,
    memories: impl Iterator<Item = Option<*const Memory>>,
    from: &mut [Option<Arc<Memory>>],
) {
    with_own(|near| {
        // One of them may be what has been given up.
        if taken.version != Some(near.version) {
            return;
        }
        if let Some((handle, kernel)) = taken.kernel {
            near.kernels.put(handle, kernel);
        }
        for (handle, from) in memories.zip(from) {
            if let (Some(handle), Some(memory)) = (handle, from.take()) {
                near.memories.put(handle.addr(), memory);
            }
        }
    });
}

/// Takes an object out of all lists; its handle has ended.
fn forget<T>(take: impl Fn(&mut Near) -> Option<Arc<T>>) {
    // They end when nothing is locked.
    let mut ended = Vec::new();
    for near in &*lock(&ALL) {
        let mut near = lock(near);
        near.version += 1;
        ended.extend(take(&mut near));
    }
    drop(ended);
}

/// The handle of a kernel has ended.
pub(super) fn forget_kernel(handle: usize) {
    forget(|near| near.kernels.take(handle));
}

/// The handle of memory has ended.
pub(super) fn forget_memory(handle: usize) {
    forget(|near| near.memories.take(handle));
}

#[cfg(test)]
#[cfg(feature = "openmp")]
mod tests {
    use super::*;
    use crate::expr::Scalar;
    use crate::runtime::{Device, ElementKind};
    use std::ptr::without_provenance;
    use std::sync::Weak;

    fn made() -> (*const Memory, Weak<Memory>) {
        let device = Device::open("openmp").unwrap();
        let memory = device.zeros_of(ElementKind::Numbers(Scalar::Float, 1), 4);
        let handle = handle::give(Memory(memory.unwrap())).unwrap();
        (handle, Arc::downgrade(&handle::get(handle).unwrap()))
    }

    fn taken(handle: *const Memory) -> Result<(Taken, [Option<Arc<Memory>>; 1])> {
        let mut held = [None];
        let taken = take(None, [Some(handle)].into_iter(), &mut held)?;
        Ok((taken, held))
    }

    fn used(handle: *const Memory) -> Result<()> {
        let (taken, mut held) = taken(handle)?;
        put_back(taken, [Some(handle)].into_iter(), &mut held);
        assert!(held[0].is_none());
        Ok(())
    }

    /// In a thread that has used it, too.
    fn release_elsewhere(handle: *const Memory) {
        let number = handle.addr();
        let other = std::thread::spawn(move || {
            let handle = without_provenance(number);
            used(handle).unwrap();
            handle::release::<Memory>(handle).unwrap();
        });
        other.join().unwrap();
    }

    #[test]
    fn what_is_given_up_ends_at_once() {
        let (handle, memory) = made();
        for _ in 0..3 {
            used(handle).unwrap();
            assert_eq!(memory.strong_count(), 2);
        }
        release_elsewhere(handle);
        assert_eq!(memory.strong_count(), 0);
        let error = used(handle).err().unwrap().to_string();
        assert!(error.ends_with("or it was released"), "{error}");
    }

    #[test]
    fn what_is_given_up_during_a_launch_ends_with_it() {
        let (handle, memory) = made();
        used(handle).unwrap();
        let (taken, mut held) = taken(handle).unwrap();
        release_elsewhere(handle);
        assert_eq!(memory.strong_count(), 1);
        put_back(taken, [Some(handle)].into_iter(), &mut held);
        drop(held);
        assert_eq!(memory.strong_count(), 0);
        assert!(used(handle).is_err());
    }

    #[test]
    fn one_is_given_twice_and_others_have_its_place() {
        let all: Vec<_> = (0..130).map(|_| made()).collect();
        for (handle, memory) in &all {
            let handles = [Some(*handle), Some(*handle), None];
            let mut held = [None, None, None];
            let taken = take(None, handles.into_iter(), &mut held).unwrap();
            assert!(held[0].is_some() && held[1].is_some() && held[2].is_none());
            put_back(taken, handles.into_iter(), &mut held);
            assert_eq!(memory.strong_count(), 2);
        }
        for (handle, memory) in all {
            handle::release(handle).unwrap();
            assert_eq!(memory.strong_count(), 0);
        }
    }
}
