//! The list of calls that wait for a device, and what makes them.

use super::super::call_argument::StreamArgument;
use super::super::fold::Partials;
use super::super::stream::DynStream;
use super::super::{Error, Kernel, Result, lock};
use super::call::Waiting;
use super::slice::Slice;
use super::{Fusion, needed, plan, run};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Calls that wait at most.
const MOST: usize = 32;

/// Of a device's memory, or of so many bytes where it does not say, what calls that wait may keep alive.
const SHARE: u64 = 32;
const BYTES: u64 = 1 << 28;

/// Calls in order.
#[derive(Default)]
struct List {
    calls: Vec<Waiting>,
    /// Bytes of all of their streams, each counted as often as there is a call with it.
    bytes: u64,
}

impl List {
    fn push(&mut self, call: Waiting) {
        self.bytes = self.bytes.saturating_add(bytes(&call));
        self.calls.push(call);
    }
}

/// The calls that wait for a device.
pub(in super::super) struct Pending {
    fusion: AtomicU8,
    /// How many wait or are being made; an error that nobody has been told of counts as one.
    waiting: AtomicUsize,
    failed: Mutex<Option<Error>>,
    /// The next call's.
    number: AtomicU64,
    calls: Mutex<List>,
    /// Whoever makes them.
    turn: Mutex<()>,
    pub(super) counted: Counted,
}

/// What has become of calls that waited.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) waited: AtomicU64,
    pub(super) left_out: AtomicU64,
    pub(super) fused: AtomicU64,
    pub(super) kernels: AtomicU64,
    /// How often which kernels became one.
    pub(super) chains: Mutex<BTreeMap<Arc<str>, u64>>,
    /// What no kernel could be built for, and why.
    pub(super) failures: Mutex<Vec<String>>,
}

thread_local! {
    /// Lists whose calls this thread is making.
    static RUN_HERE: RefCell<Vec<*const Pending>> = const { RefCell::new(Vec::new()) };
}

/// Takes the list from those that this thread works on when dropped.
struct Turn<'p> {
    pending: &'p Pending,
    calls: usize,
    _turn: MutexGuard<'p, ()>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.pending
            .waiting
            .fetch_sub(self.calls, Ordering::Release);
        RUN_HERE.with_borrow_mut(Vec::pop);
    }
}

impl Pending {
    /// The lists of all devices by their names.
    pub(super) fn all() -> MutexGuard<'static, BTreeMap<String, Arc<Pending>>> {
        static ALL: Mutex<BTreeMap<String, Arc<Pending>>> = Mutex::new(BTreeMap::new());
        lock(&ALL)
    }

    /// The list of the device of that name: a device may be opened several times.
    pub(in super::super) fn of(device: &str) -> Arc<Self> {
        let mut all = Self::all();
        let pending = all.entry(device.to_string()).or_insert_with(|| {
            Arc::new(Self {
                fusion: AtomicU8::new(Fusion::from_environment() as u8),
                waiting: AtomicUsize::new(0),
                failed: Mutex::default(),
                number: AtomicU64::new(0),
                calls: Mutex::default(),
                turn: Mutex::default(),
                counted: Counted::default(),
            })
        });
        Arc::clone(pending)
    }

    pub(super) fn fusion(&self) -> Fusion {
        Fusion::from_number(self.fusion.load(Ordering::Relaxed))
    }

    pub(super) fn set_fusion(&self, fusion: Fusion) {
        self.fusion.store(fusion as u8, Ordering::Relaxed);
    }

    /// Whether calls wait.
    pub(in super::super) fn is_any(&self) -> bool {
        self.waiting.load(Ordering::Acquire) > 0
    }

    /// The number of a new call.
    pub(super) fn next_number(&self) -> u64 {
        self.number.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether this thread is making its calls.
    pub(super) fn is_run_here(&self) -> bool {
        RUN_HERE.with_borrow(|lists| lists.contains(&std::ptr::from_ref(self)))
    }

    /// Adds a call that has been checked.
    pub(in super::super) fn push(&self, call: Waiting) -> Result<()> {
        let room = room(&call.kernel);
        // What it gathers has to be there as a whole: that is the end of a kernel, and what is before may begin.
        let made = |stream| {
            let list = lock(&self.calls);
            list.calls.iter().any(|before| before.writes(stream))
        };
        let begins = call.gathered().any(made);
        let before = match begins {
            true => self.run(false),
            false => Ok(()),
        };
        let full = {
            let mut list = lock(&self.calls);
            list.push(call);
            self.waiting.fetch_add(1, Ordering::Release);
            self.counted.waited.fetch_add(1, Ordering::Relaxed);
            list.calls.len() >= MOST || list.bytes > room && self.is_too_much(&mut list, room)
        };
        match full {
            true => before.and(self.run(true)),
            false => before,
        }
    }

    /// Whether calls keep more memory alive than there is room for, also without those that nobody needs.
    fn is_too_much(&self, list: &mut List, room: u64) -> bool {
        if needed::kept(&list.calls) <= room {
            return false;
        }
        self.prune(list);
        needed::kept(&list.calls) > room
    }

    /// Leaves out calls that nobody needs: they would be in others' way.
    fn prune(&self, list: &mut List) {
        let left_out = needed::prune(&mut list.calls);
        if left_out == 0 {
            return;
        }
        self.counted
            .left_out
            .fetch_add(left_out as u64, Ordering::Relaxed);
        self.gone(list, left_out);
    }

    /// So many calls are no longer in the list.
    fn gone(&self, list: &mut List, calls: usize) {
        self.waiting.fetch_sub(calls, Ordering::Release);
        list.bytes = list.calls.iter().map(bytes).sum();
    }

    /// Makes the calls that wait.
    pub(super) fn catch_up(&self) -> Result<()> {
        if !self.is_any() {
            return Ok(());
        }
        let done = self.run(false);
        let before = self.told();
        match (&before, done) {
            (Ok(()), done) => done,
            (Err(_), Ok(())) => before,
            (Err(_), Err(error)) => {
                self.keep(error);
                before
            }
        }
    }

    /// Keeps an error for whoever asks next; of several the first.
    fn keep(&self, error: Error) {
        let mut failed = lock(&self.failed);
        if failed.is_none() {
            *failed = Some(error);
            self.waiting.fetch_add(1, Ordering::Release);
        }
    }

    /// What has failed that nobody has been told of.
    fn told(&self) -> Result<()> {
        match lock(&self.failed).take() {
            Some(error) => {
                self.waiting.fetch_sub(1, Ordering::Release);
                Err(error)
            }
            None => Ok(()),
        }
    }

    /// Makes, of the calls that wait, what whoever reads and writes those streams has to find done.
    pub(in super::super) fn before(
        &self,
        read: &[&DynStream],
        written: &[&DynStream],
    ) -> Result<()> {
        if !self.is_any() || self.is_run_here() {
            return Ok(());
        }
        let (touched, made): (bool, Vec<&DynStream>) = {
            // Calls that are just being made are not in the list.
            let _turn = lock(&self.turn);
            let list = lock(&self.calls);
            let any = |test: &dyn Fn(&Waiting) -> bool| list.calls.iter().any(test);
            let touched = written.iter().any(|stream| any(&|c| c.touches(stream)));
            let made = read.iter().filter(|stream| any(&|c| c.writes(stream)));
            (touched, made.copied().collect())
        };
        if self.fusion() == Fusion::Off || touched {
            return self.catch_up();
        }
        for stream in made {
            if self.make(stream).is_none() {
                return self.catch_up();
            }
        }
        self.told()
    }

    /// Makes one stream alone; `None` if that needs more, or fails: where all calls are made, errors go where they belong.
    fn make(&self, stream: &DynStream) -> Option<()> {
        let turn = self.turn();
        let slice = {
            let mut list = lock(&self.calls);
            self.prune(&mut list);
            Slice::of(&list.calls, stream, true)?
        };
        run::store(&slice, self)?;
        self.settle(&slice);
        drop(turn);
        Some(())
    }

    /// Folds into a stream what a reduction reads as calls make it that wait, or leaves the last step of that to the host;
    /// `None` if there are no such calls, or if that needs more, or fails.
    pub(in super::super) fn fold(
        &self,
        kernel: &Kernel,
        arguments: &[StreamArgument<'_>],
        input: &DynStream,
        (output, left): (&DynStream, Option<&mut Option<Partials>>),
    ) -> Option<()> {
        let turn = self.turn();
        let slice = {
            let mut list = lock(&self.calls);
            if list.calls.iter().any(|call| call.touches(output)) {
                return None;
            }
            self.prune(&mut list);
            Slice::of(&list.calls, input, false)?
        };
        run::fold((&slice, self), kernel, arguments, input, (output, left))?;
        self.settle(&slice);
        drop(turn);
        Some(())
    }

    /// Notes which calls have been computed, and takes those from the list that are over.
    fn settle(&self, slice: &Slice) {
        let mut list = lock(&self.calls);
        for call in &mut list.calls {
            if let Some(computed) = slice.computed(call) {
                call.computed = Some(computed);
            }
        }
        let before = list.calls.len();
        list.calls.retain(|call| !slice.is_over(call));
        let over = before - list.calls.len();
        self.gone(&mut list, over);
    }

    /// The right to make calls.
    fn turn(&self) -> Turn<'_> {
        let turn = lock(&self.turn);
        RUN_HERE.with_borrow_mut(|lists| lists.push(std::ptr::from_ref(self)));
        Turn {
            pending: self,
            calls: 0,
            _turn: turn,
        }
    }

    /// The same for whoever cannot say what has failed: whoever asks next does.
    pub(super) fn catch_up_later_told(&self) {
        if !self.is_any() {
            return;
        }
        if let Err(error) = self.run(false) {
            self.keep(error);
        }
    }

    /// Makes the calls that wait; where there is `more` to come, the last of them go on waiting for it.
    fn run(&self, more: bool) -> Result<()> {
        if self.is_run_here() {
            return Ok(());
        }
        let mut turn = self.turn();
        let mut calls = std::mem::take(&mut *lock(&self.calls)).calls;
        turn.calls = calls.len();
        plan::thread_by_thread(&mut calls);
        let now = match more {
            true => plan::without_last(&calls),
            false => calls.len(),
        };
        let result = run::run(&calls, now, self);
        let rest = calls.split_off(now);
        turn.calls = now;
        if !rest.is_empty() {
            let mut list = lock(&self.calls);
            let later = std::mem::take(&mut *list);
            rest.into_iter()
                .chain(later.calls)
                .for_each(|call| list.push(call));
        }
        drop(turn);
        result
    }
}

fn bytes(call: &Waiting) -> u64 {
    call.streams().map(|(_, s)| s.memory.held() as u64).sum()
}

fn room(kernel: &Kernel) -> u64 {
    let memory = kernel.program().device().info().memory;
    memory.map_or(BYTES, |bytes| bytes / SHARE)
}
