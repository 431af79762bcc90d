//! Queues: a thread each, which does one piece of work after the other.

use crate::launcher::{Launcher, call};
use crate::memory::{HostBuffer, Storage};
use crate::turn::turn;
use brook_driver::{
    Argument, Buffer, Done, Error, ErrorKind, Event, NativeQueue, Process, Queue, Result,
    check_range, other_device, ranges_overlap,
};
use std::any::Any;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Bytes of a chunk: those of the longest vector, whose alignment that is.
const CHUNK: usize = 32;

/// A part of a value, aligned as the strictest vector type of a kernel's parameter wants it.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Chunk(#[expect(dead_code, reason = "kernels read it")] [u8; CHUNK]);

/// A launch with all that it needs; used again for another one, so that launching allocates nothing.
#[derive(Default)]
struct Prepared {
    chunks: Vec<Chunk>,
    /// Where the value of each parameter begins.
    starts: Vec<usize>,
    /// Memory that must not go before the launch has ended.
    holds: Vec<Arc<Storage>>,
}

/// A place in host memory that the enqueuer keeps until the copy has been done.
struct HostPlace(*mut u8);

// SAFETY: by the contracts of `Queue::write` and `Queue::read`.
unsafe impl Send for HostPlace {}

/// A place in a buffer, kept alive.
struct Place {
    storage: Arc<Storage>,
    offset: usize,
}

enum Task {
    Launch(Launcher, Prepared),
    Write(Place, HostPlace, usize),
    Read(Place, HostPlace, usize),
    Copy(Place, Place, usize),
    Record(Arc<HostEvent>),
    Wait(Arc<dyn Event>),
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    /// How many tasks there ever were, and how many of them are done.
    enqueued: u64,
    finished: u64,
    /// The first failure since somebody asked.
    failure: Option<Error>,
    /// Launches to be used again.
    spare: Vec<Prepared>,
    closing: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// There is work, or none will come any more.
    work: Condvar,
    /// Some work has been done.
    progress: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, mut state: MutexGuard<'_, State>, task: Task) {
        state.tasks.push_back(task);
        state.enqueued += 1;
        drop(state);
        self.work.notify_one();
    }

    /// The thread's life.
    fn serve(&self) {
        let mut pointers = Vec::new();
        let mut state = self.lock();
        loop {
            let Some(task) = state.tasks.pop_front() else {
                if state.closing {
                    return;
                }
                state = self
                    .work
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let done = perform(task, &mut pointers);
            state = self.lock();
            state.finished += 1;
            match done {
                Performed::Launch(launch) => state.spare.push(launch),
                // Under the lock: who sees that it has happened sees the queue at that point, too.
                Performed::Record(event) => event.happen(),
                Performed::Other => {}
                Performed::Failed(error) => {
                    state.failure.get_or_insert(error);
                }
            }
            self.progress.notify_all();
        }
    }
}

/// What remains of a task.
enum Performed {
    Launch(Prepared),
    Record(Arc<HostEvent>),
    Other,
    Failed(Error),
}

fn perform(task: Task, pointers: &mut Vec<*mut c_void>) -> Performed {
    match task {
        Task::Launch(launcher, mut launch) => {
            pointers.clear();
            let chunks = launch.chunks.as_mut_ptr();
            // A start is within the chunks, or at their end for a value of no bytes.
            let starts = launch.starts.iter();
            pointers.extend(starts.map(|start| chunks.wrapping_add(*start).cast::<c_void>()));
            // SAFETY: the arguments of this launcher's kernel in their order, whose memory `launch`
            // keeps alive.
            let result = unsafe { call(launcher, pointers) };
            launch.chunks.clear();
            launch.starts.clear();
            launch.holds.clear();
            return match result {
                Ok(()) => Performed::Launch(launch),
                Err(error) => Performed::Failed(error),
            };
        }
        Task::Write(to, from, bytes) => {
            let _turn = turn();
            // SAFETY: the range was checked, the host's side is there by `Queue::write`'s contract.
            unsafe { to.storage.at(to.offset).copy_from(from.0, bytes) };
        }
        Task::Read(from, to, bytes) => {
            let _turn = turn();
            // SAFETY: as above, by `Queue::read`'s contract.
            unsafe { from.storage.at(from.offset).copy_to(to.0, bytes) };
        }
        Task::Copy(to, from, bytes) => {
            let _turn = turn();
            let from = from.storage.at(from.offset);
            // SAFETY: both ranges were checked.
            unsafe { to.storage.at(to.offset).copy_from(from, bytes) };
        }
        Task::Record(event) => return Performed::Record(event),
        Task::Wait(event) => {
            if let Err(error) = event.wait() {
                return Performed::Failed(error);
            }
        }
    }
    Performed::Other
}

/// A queue with its thread.
pub(crate) struct HostQueue {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    process: Process,
}

impl HostQueue {
    pub(crate) fn new() -> Result<Self> {
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let thread = std::thread::Builder::new()
            .name("brook-queue".to_string())
            .spawn(move || own.serve())
            .map_err(|e| {
                Error::new(
                    ErrorKind::Device,
                    format!("cannot start a thread for a queue: {e}"),
                )
            })?;
        Ok(Self {
            shared,
            thread: Some(thread),
            process: Process::current(),
        })
    }

    fn lock(&self) -> Result<MutexGuard<'_, State>> {
        self.process.check("this queue")?;
        Ok(self.shared.lock())
    }

    /// Enqueues a launch.
    pub(crate) fn launch(&self, launcher: Launcher, arguments: &[Argument<'_>]) -> Result<()> {
        let mut state = self.lock()?;
        let mut launch = state.spare.pop().unwrap_or_default();
        for (index, argument) in arguments.iter().enumerate() {
            launch.starts.push(launch.chunks.len());
            match argument {
                Argument::Null => launch.chunks.push(Chunk([0; CHUNK])),
                Argument::Buffer(buffer) | Argument::Whole(buffer) => {
                    let Some(buffer) = HostBuffer::of(*buffer) else {
                        return Err(Error::invalid(format!(
                            "argument {} is memory of another backend",
                            index + 1
                        )));
                    };
                    let mut chunk = [0; CHUNK];
                    chunk[..8].copy_from_slice(&buffer.address().to_ne_bytes());
                    launch.chunks.push(Chunk(chunk));
                    launch.holds.push(buffer.storage().0.clone());
                }
                Argument::Value(bytes) => {
                    // Never none, so that every pointer is to something.
                    for part in bytes
                        .chunks(CHUNK)
                        .chain(bytes.is_empty().then_some(&[][..]))
                    {
                        let mut chunk = [0; CHUNK];
                        chunk[..part.len()].copy_from_slice(part);
                        launch.chunks.push(Chunk(chunk));
                    }
                }
            }
        }
        self.shared.push(state, Task::Launch(launcher, launch));
        Ok(())
    }
}

/// A place in one of this driver's buffers, for so many bytes.
fn place(buffer: &dyn Buffer, offset: usize, bytes: usize, verb: &str) -> Result<Place> {
    let own = HostBuffer::of(buffer)
        .ok_or_else(|| Error::invalid("the memory is another device's than the queue's"))?;
    check_range(own.len(), offset, bytes, verb)?;
    let (storage, start) = own.storage();
    Ok(Place {
        storage: storage.clone(),
        offset: start + offset,
    })
}

impl Queue for HostQueue {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        let to = place(target, offset, bytes, "write")?;
        let task = Task::Write(to, HostPlace(from.cast_mut()), bytes);
        self.shared.push(self.lock()?, task);
        Ok(())
    }

    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        bytes: usize,
    ) -> Result<()> {
        let from = place(source, offset, bytes, "read")?;
        self.shared
            .push(self.lock()?, Task::Read(from, HostPlace(to), bytes));
        Ok(())
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let to = place(target, offset, bytes, "write")?;
        let from = place(source, source_offset, bytes, "read")?;
        if Arc::ptr_eq(&to.storage, &from.storage) && ranges_overlap(to.offset, from.offset, bytes)
        {
            return Err(Error::invalid("the two sides of the copy overlap"));
        }
        self.shared.push(self.lock()?, Task::Copy(to, from, bytes));
        Ok(())
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        let event = Arc::new(HostEvent {
            time: OnceLock::new(),
            shared: self.shared.clone(),
            process: self.process,
        });
        self.shared.push(self.lock()?, Task::Record(event.clone()));
        Ok(event)
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        if !event.is_done()? {
            self.shared.push(self.lock()?, Task::Wait(event.clone()));
        }
        Ok(())
    }

    fn synchronize(&self) -> Result<()> {
        let mut state = self.lock()?;
        let wanted = state.enqueued;
        while state.finished < wanted {
            let progress = self.shared.progress.wait(state);
            state = progress.unwrap_or_else(PoisonError::into_inner);
        }
        state.failure.take().map_or(Ok(()), Err)
    }

    fn is_idle(&self) -> Result<bool> {
        let state = self.lock()?;
        Ok(state.finished == state.enqueued)
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Host
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HostQueue {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        // In a forked child there is no such thread, and what it held stays held.
        if !self.process.is_current() {
            std::mem::forget(thread);
            return;
        }
        self.shared.lock().closing = true;
        self.shared.work.notify_all();
        // A queue's own thread cannot drop it: tasks keep memory only. A panic was reported by the
        // thread itself.
        let _ = thread.join();
    }
}

/// A mark in such a queue.
struct HostEvent {
    time: OnceLock<Instant>,
    shared: Arc<Shared>,
    process: Process,
}

impl HostEvent {
    /// Called once, by the queue's thread, under the lock: nobody who has just looked misses the notice
    /// that follows.
    fn happen(&self) {
        let _ = self.time.set(Instant::now());
    }
}

/// When an event of the host happened.
fn time_of(event: &dyn Event) -> Result<Instant> {
    event.wait()?;
    let any = event.as_any();
    let own = any.downcast_ref::<HostEvent>();
    own.and_then(|e| e.time.get().copied())
        .or_else(|| any.downcast_ref::<Done>().map(|done| done.0))
        .ok_or_else(other_device)
}

impl Event for HostEvent {
    fn is_done(&self) -> Result<bool> {
        Ok(self.time.get().is_some())
    }

    fn wait(&self) -> Result<()> {
        if self.time.get().is_some() {
            return Ok(());
        }
        self.process.check("this queue")?;
        let mut state = self.shared.lock();
        while self.time.get().is_none() {
            let progress = self.shared.progress.wait(state);
            state = progress.unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let now = time_of(self)?;
        Ok(now.saturating_duration_since(time_of(earlier)?))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
