//! Which of the calls that wait make one stream, and which of those are stored.

use super::super::lock;
use super::super::stream::DynStream;
use super::call::Waiting;
use super::group::Group;
use std::sync::{Arc, Mutex};

/// The calls that a stream's content depends on, with what becomes of them.
pub(super) struct Slice {
    pub(super) calls: Vec<Waiting>,
    /// What is stored.
    stored: Vec<DynStream>,
    /// The numbers of the calls that need not be made any more then.
    over: Vec<u64>,
    regrets: Arc<Regrets>,
}

/// Of each call of a slice, whether it had better be stored.
pub(in super::super) struct Regrets(Mutex<Vec<Regret>>);

/// What a call made was asked for after it had been computed without being stored: it is stored for some time, the longer the more
/// often that comes.
#[derive(Clone, Copy)]
struct Regret {
    /// How often it is still to be stored.
    stored: u32,
    /// How often after the next time.
    next: u32,
}

/// A call has been computed without being stored: which one of which slice.
#[derive(Clone)]
pub(super) struct Computed {
    regrets: Arc<Regrets>,
    call: usize,
}

const LEAST: u32 = 2;
const MOST: u32 = 64;

impl Regrets {
    pub(super) fn new(calls: usize) -> Self {
        let none = Regret {
            stored: 0,
            next: LEAST,
        };
        Self(Mutex::new(vec![none; calls]))
    }

    /// Whether a call is to be stored this time.
    fn stores(&self, call: usize) -> bool {
        let mut all = lock(&self.0);
        let Some(regret) = all.get_mut(call) else {
            return false;
        };
        let stored = regret.stored > 0;
        regret.stored = regret.stored.saturating_sub(1);
        stored
    }
}

impl Computed {
    /// What it makes was asked for later, or is known not to be needed any more.
    pub(super) fn ends(&self, asked_for: bool) {
        let mut all = lock(&self.regrets.0);
        let Some(regret) = all.get_mut(self.call) else {
            return;
        };
        match asked_for {
            true => {
                regret.stored = regret.next;
                regret.next = (2 * regret.next).min(MOST);
            }
            false => regret.next = LEAST,
        }
    }
}

impl Slice {
    /// What makes a stream, which is stored or not; `None` if no calls do, or no single kernel, or if more would have to be made.
    pub(super) fn of(list: &[Waiting], wanted: &DynStream, stored: bool) -> Option<Self> {
        let places = slice(list, wanted)?;
        let last = list.get(*places.last()?)?;
        let made = last.written().find(|stream| stream.covers(wanted))?;
        let calls: Vec<Waiting> = places.iter().map(|&n| list[n].clone()).collect();
        let group = Group::slice(&calls)?;
        let program = last.kernel.program();
        let regrets = program.fused().regrets(group.chain(), calls.len());
        let mut streams: Vec<&DynStream> = Vec::new();
        for (n, call) in calls.iter().enumerate() {
            let again = call.computed.as_ref();
            again.inspect(|computed| computed.ends(true));
            // To make it twice may take long.
            let long = call.kernel.metadata().loops;
            if again.is_some() || long || regrets.stores(n) {
                streams.extend(call.written());
            }
        }
        if stored {
            streams.push(made);
        }
        let over = over(list, &places, &streams)?;
        let stored = streams.into_iter().cloned().collect();
        Some(Self {
            stored,
            over,
            regrets,
            calls,
        })
    }

    pub(super) fn is_stored(&self, stream: &DynStream) -> bool {
        self.stored.iter().any(|s| s.is_same_part(stream))
    }

    pub(super) fn is_over(&self, call: &Waiting) -> bool {
        self.over.contains(&call.number())
    }

    /// What a call has become, if it is one of those.
    pub(super) fn computed(&self, call: &Waiting) -> Option<Computed> {
        let place = self
            .calls
            .iter()
            .position(|c| c.number() == call.number())?;
        Some(Computed {
            regrets: Arc::clone(&self.regrets),
            call: place,
        })
    }
}

/// The places of the calls that a stream's content depends on, in order; `None` where that is not plain, since parts of it are
/// written one by one.
///
/// None of the calls of the list has been made. So what the slice reads first is in memory, as it was when they were called.
fn slice(calls: &[Waiting], wanted: &DynStream) -> Option<Vec<usize>> {
    let mut open = vec![wanted];
    let mut found = Vec::new();
    for (index, call) in calls.iter().enumerate().rev() {
        let mut makes = false;
        for written in call.written() {
            if !open.iter().any(|stream| stream.overlaps(written)) {
                continue;
            }
            let mut all = open.iter().filter(|stream| stream.overlaps(written));
            if !all.all(|stream| written.covers(stream)) {
                return None;
            }
            open.retain(|stream| !stream.overlaps(written));
            makes = true;
        }
        if makes {
            open.extend(call.read());
            found.push(index);
        }
    }
    found.reverse();
    Some(found)
}

/// Which of the calls are over if these streams, as the slice makes them, are stored now, before other calls of the list are
/// made; `None` if one of those would not find what it reads, or would not be over though it writes there.
fn over(calls: &[Waiting], slice: &[usize], streams: &[&DynStream]) -> Option<Vec<u64>> {
    let is_stored = |stream: &DynStream| streams.iter().any(|s| s.is_same_part(stream));
    let mut over = Vec::new();
    for &stream in streams {
        let mut writers = slice.iter().rev();
        let last = *writers.find(|&&n| calls[n].writes(stream))?;
        for (index, call) in calls.iter().enumerate() {
            if !call.touches(stream) {
                continue;
            }
            let within = slice.contains(&index);
            match call.writes(stream) {
                true if within && call.written().all(is_stored) => over.push(call.number()),
                // Whoever comes after the last of the slice that writes it finds what it should.
                _ if index > last && !(within && call.writes(stream)) => {}
                // It is over, too, wherever it reads.
                false if within && call.written().all(is_stored) => {}
                _ => return None,
            }
        }
    }
    Some(over)
}
