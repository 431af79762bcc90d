use super::fault::{Code, Fault, Record};
use crate::runtime::{Device, DynStream, Result};
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Copies from and to the host that have not ended yet; one for all parts of a stream. Whoever changes the
/// stream's memory waits for all of them, whoever looks at it for those that fill it, and so does its end.
#[derive(Default)]
pub(super) struct Transfers {
    reads: Threads,
    writes: Threads,
}

/// How a copy is done.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    /// It may go on after the call.
    pub(super) asynchronous: bool,
    /// Without a detour, where that is possible.
    pub(super) direct: bool,
}

type Threads = Mutex<Vec<JoinHandle<()>>>;

/// Host memory of the caller's, who leaves it alone until the copy has ended.
struct Host(*mut c_void);

// SAFETY: the thread that gets it is the only one to use it meanwhile.
unsafe impl Send for Host {}

impl Transfers {
    /// Begins to copy `stream` to `to`. What goes wrong is added to `record`. False if there is no
    /// thread to be had.
    ///
    /// # Safety
    /// There is room for all elements at `to` until [`Transfers::finish`] returns.
    pub(super) unsafe fn begin_write(
        &self,
        stream: &DynStream,
        to: *mut c_void,
        flags: Flags,
        record: &Arc<Record>,
    ) -> bool {
        let (own, to) = (stream.clone(), Host(to));
        start(
            (stream.device(), &self.writes),
            Code::Write,
            "Stream Write",
            record,
            move || {
                let to = to;
                // SAFETY: the caller promises the room, and that nobody else uses it.
                unsafe { write(&own, to.0, flags) }
            },
        )
    }

    /// Begins to fill `stream` from `from`, when all other copies have ended. What goes wrong is added to
    /// `record`. False if there is no thread to be had, or the devices are those of several processes, which one thread uses.
    ///
    /// # Safety
    /// All elements are at `from` until [`Transfers::finish`] returns.
    pub(super) unsafe fn begin_read(
        &self,
        stream: &DynStream,
        from: *const c_void,
        flags: Flags,
        record: &Arc<Record>,
    ) -> bool {
        self.finish();
        let (own, from) = (stream.clone(), Host(from.cast_mut()));
        let reads = (stream.device(), &self.reads);
        start(reads, Code::Read, "Stream Read", record, move || {
            let from = from;
            // SAFETY: the caller promises the elements, and that nobody changes them.
            unsafe { read(&own, from.0, flags) }
        })
    }

    /// Whether all have ended.
    pub(super) fn are_done(&self) -> bool {
        let done = [&self.reads, &self.writes]
            .iter()
            .all(|t| with(t, |threads| threads.iter().all(JoinHandle::is_finished)));
        if done {
            self.finish();
        }
        done
    }

    /// Waits for those that fill the stream.
    pub(super) fn settle(&self) {
        join(&self.reads);
    }

    /// Waits for all of them.
    pub(super) fn finish(&self) {
        join(&self.reads);
        join(&self.writes);
    }
}

/// Fills a stream.
///
/// # Safety
/// All its elements are at `from`.
pub(super) unsafe fn read(stream: &DynStream, from: *const c_void, flags: Flags) -> Result<()> {
    let size = stream.bytes();
    // SAFETY: the caller promises the elements.
    let copy = || stream.read(unsafe { std::slice::from_raw_parts(from.cast(), size) });
    match flags.direct {
        // SAFETY: the caller promises the memory.
        true => unsafe { stream.pinning(from.cast_mut(), copy) },
        false => copy(),
    }
}

/// Copies a stream's elements.
///
/// # Safety
/// There is room for all of them at `to`, which nobody else uses.
pub(super) unsafe fn write(stream: &DynStream, to: *mut c_void, flags: Flags) -> Result<()> {
    let size = stream.bytes();
    // SAFETY: the caller promises the room.
    let copy = || stream.write(unsafe { std::slice::from_raw_parts_mut(to.cast(), size) });
    match flags.direct {
        // SAFETY: the caller promises the memory.
        true => unsafe { stream.pinning(to, copy) },
        false => copy(),
    }
}

impl Drop for Transfers {
    fn drop(&mut self) {
        self.finish();
    }
}

fn start(
    (device, threads): (&Device, &Threads),
    code: Code,
    what: &'static str,
    record: &Arc<Record>,
    copy: impl FnOnce() -> Result<()> + Send + 'static,
) -> bool {
    if device.process().is_some() {
        return false;
    }
    let record = Arc::clone(record);
    let thread = std::thread::Builder::new().name("brook-copy".to_string());
    let started = thread.spawn(move || {
        if let Err(error) = copy() {
            record.add(&Fault::of(code, what, &error));
        }
    });
    let Ok(thread) = started else { return false };
    with(threads, |threads| threads.push(thread));
    true
}

fn with<R>(threads: &Threads, body: impl FnOnce(&mut Vec<JoinHandle<()>>) -> R) -> R {
    body(&mut threads.lock().unwrap_or_else(PoisonError::into_inner))
}

fn join(threads: &Threads) {
    for thread in with(threads, std::mem::take) {
        // A panic was printed where it happened.
        let _ = thread.join();
    }
}
