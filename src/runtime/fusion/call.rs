//! Calls that wait.

use super::super::call_argument::{Number, StreamArgument};
use super::super::element::ElementType;
use super::super::stream::DynStream;
use super::super::{Error, ExecutionDomain, Kernel, Result, lock};
use super::{Fusion, plan, run};
use crate::render::{ParameterMetadata, Role};
use brook_driver::Math;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::ThreadId;

/// Calls that wait at most.
const MOST: usize = 32;

/// Of a device's memory, or of so many bytes where it does not say, what calls that wait may keep alive.
const SHARE: u64 = 32;
const BYTES: u64 = 1 << 28;

/// A call that waits.
pub(in super::super) struct Waiting {
    pub(super) kernel: Kernel,
    /// In the order of the parameters.
    pub(super) arguments: Vec<Given>,
    /// Whose call it is.
    pub(super) thread: ThreadId,
}

/// An argument of such a call.
pub(in super::super) enum Given {
    Stream(DynStream),
    Value(Number),
}

impl Waiting {
    /// The streams with what the kernel does with them.
    pub(super) fn streams(&self) -> impl Iterator<Item = (&ParameterMetadata, &DynStream)> {
        let pairs = self
            .kernel
            .metadata()
            .parameters
            .iter()
            .zip(&self.arguments);
        pairs.filter_map(|(parameter, argument)| match argument {
            Given::Stream(stream) => Some((parameter, stream)),
            Given::Value(_) => None,
        })
    }

    pub(super) fn read(&self) -> impl Iterator<Item = &DynStream> {
        let streams = self.streams();
        streams.filter_map(|(p, stream)| (p.role == Role::Input).then_some(stream))
    }

    pub(super) fn written(&self) -> impl Iterator<Item = &DynStream> {
        let streams = self.streams();
        streams.filter_map(|(p, stream)| (p.role == Role::Output).then_some(stream))
    }

    /// Whether all streams have one shape, and every item of the kernel knows its own element of them only.
    fn is_of_one_shape(&self) -> bool {
        let Some(first) = self.written().next() else {
            return false;
        };
        let shape = first.layout.shape;
        let fits = |s: &DynStream| {
            s.layout.shape == shape
                && s.threads.is_none()
                && !s.is_exposed()
                && matches!(s.element, ElementType::Number(_))
                && s.device.is_same(&first.device)
        };
        let apart = |(n, stream): (usize, &DynStream)| {
            let mut before = self.written().take(n);
            !before.any(|other| other.overlaps(stream))
        };
        let in_place = |stream: &DynStream| {
            let mut written = self.written();
            written.all(|w| w.is_same_part(stream) || !w.overlaps(stream))
        };
        shape.count() > 0
            && self.streams().all(|(_, stream)| fits(stream))
            && self.written().enumerate().all(apart)
            && self.read().all(in_place)
    }

    /// Makes the call.
    pub(super) fn call(&self) -> Result<()> {
        let mut arguments: Vec<StreamArgument<'_>> =
            self.arguments.iter().map(Given::as_argument).collect();
        self.kernel.call_into(None, &mut arguments, None)
    }
}

impl Given {
    fn new(argument: &StreamArgument<'_>) -> Option<Self> {
        match argument {
            StreamArgument::Stream(stream) => Some(Self::Stream((*stream).clone())),
            argument => {
                let (scalar, bytes) = argument.value()?;
                Number::of(scalar, bytes).map(Self::Value)
            }
        }
    }

    pub(super) fn as_argument(&self) -> StreamArgument<'_> {
        match self {
            Self::Stream(stream) => StreamArgument::Stream(stream),
            Self::Value(number) => StreamArgument::Number(*number),
        }
    }
}

/// The call if it waits: nobody has to know its results at once, and others may be fused with it.
pub(in super::super) fn waiting(
    kernel: &Kernel,
    domain: Option<&ExecutionDomain>,
    arguments: &[StreamArgument<'_>],
) -> Option<Waiting> {
    let metadata = kernel.metadata();
    let pending = kernel.program().device().pending();
    if pending.fusion() == Fusion::Off
        || domain.is_some()
        || !metadata.elementwise
        || metadata.pads_ranks
        || pending.is_run_here()
    {
        return None;
    }
    // Whoever has flags of his own for the compiler may change how it computes; extensions may change anything.
    let options = &kernel.program().recipe()?.options;
    let math = options.compile.math;
    let plain = (math == Math::Strict || math == Math::Default && !metadata.contracts)
        && options.compile.flags.is_empty()
        && options.translate.extensions.is_empty();
    if !plain {
        return None;
    }
    let given = arguments.iter().map(Given::new);
    let call = Waiting {
        kernel: kernel.clone(),
        arguments: given.collect::<Option<_>>()?,
        thread: std::thread::current().id(),
    };
    call.is_of_one_shape().then_some(call)
}

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

    /// Whether this thread is making its calls.
    fn is_run_here(&self) -> bool {
        RUN_HERE.with_borrow(|lists| lists.contains(&std::ptr::from_ref(self)))
    }

    /// Adds a call that has been checked.
    pub(in super::super) fn push(&self, call: Waiting) -> Result<()> {
        let room = room(&call.kernel);
        let full = {
            let mut list = lock(&self.calls);
            list.push(call);
            self.waiting.fetch_add(1, Ordering::Release);
            self.counted.waited.fetch_add(1, Ordering::Relaxed);
            list.calls.len() >= MOST || list.bytes > room && self.is_too_much(&mut list, room)
        };
        match full {
            true => self.run(true),
            false => Ok(()),
        }
    }

    /// Whether calls keep more memory alive than there is room for, also without those that nobody needs.
    fn is_too_much(&self, list: &mut List, room: u64) -> bool {
        if plan::kept(&list.calls) <= room {
            return false;
        }
        let left_out = plan::prune(&mut list.calls);
        self.waiting.fetch_sub(left_out, Ordering::Release);
        self.counted
            .left_out
            .fetch_add(left_out as u64, Ordering::Relaxed);
        list.bytes = list.calls.iter().map(bytes).sum();
        plan::kept(&list.calls) > room
    }

    /// Makes the calls that wait.
    pub(super) fn catch_up(&self) -> Result<()> {
        if !self.is_any() {
            return Ok(());
        }
        let done = self.run(false);
        match lock(&self.failed).take() {
            Some(error) => {
                self.waiting.fetch_sub(1, Ordering::Release);
                Err(error)
            }
            None => done,
        }
    }

    /// The same for whoever cannot say what has failed: whoever asks next does.
    pub(super) fn catch_up_later_told(&self) {
        if !self.is_any() {
            return;
        }
        if let Err(error) = self.run(false) {
            let mut failed = lock(&self.failed);
            if failed.is_none() {
                *failed = Some(error);
                self.waiting.fetch_add(1, Ordering::Release);
            }
        }
    }

    /// Makes the calls that wait; where there is `more` to come, the last of them go on waiting for it.
    fn run(&self, more: bool) -> Result<()> {
        if self.is_run_here() {
            return Ok(());
        }
        let turn = lock(&self.turn);
        RUN_HERE.with_borrow_mut(|lists| lists.push(std::ptr::from_ref(self)));
        let mut turn = Turn {
            pending: self,
            calls: 0,
            _turn: turn,
        };
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
    call.streams().map(|(_, s)| s.memory.len() as u64).sum()
}

fn room(kernel: &Kernel) -> u64 {
    let memory = kernel.program().device().info().memory;
    memory.map_or(BYTES, |bytes| bytes / SHARE)
}
