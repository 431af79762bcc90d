//! Copies between the devices of a set, beside what these compute.

use super::super::ranks::{Incoming, Ranks};
use super::super::trace::{self, What};
use super::super::{Device, lock};
use super::storage::known_to_all;
use brook_driver::{Buffer, Error, Event, Exchange, Message, Queue, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// What a device of a set has for copies.
#[derive(Default)]
pub(in super::super) struct Lane {
    /// Whose turn it is on the set of which this device is the first: copies know only of those before them.
    turn: Mutex<()>,
    /// How often something was written on that set: what was launched since copies began is behind no mark of theirs.
    written: AtomicU64,
    /// What comes to the device goes through this queue.
    queue: OnceLock<Option<Arc<dyn Queue>>>,
    /// How the devices of the set of which this is the first, in several processes, reach each other without the host.
    exchange: OnceLock<Option<Arc<dyn Exchange>>>,
}

impl Lane {
    /// Says that something has been launched that writes memory of the set.
    pub(super) fn count_written(&self) {
        self.written.fetch_add(1, Ordering::AcqRel);
    }

    /// `None` where the driver has no queues that copy what another device has.
    fn queue(&self, device: &Device) -> Option<&Arc<dyn Queue>> {
        let queue = self.queue.get_or_init(|| {
            let queue = device.driver().create_urgent_queue().ok()?;
            queue.reaches_peers().then_some(queue)
        });
        queue.as_ref()
    }
}

/// Copies of one call: each begins behind what its two devices had to do when these copies began, not behind what they have been given
/// since, and whatever they are given later begins behind it.
pub(super) struct Copies<'d> {
    devices: &'d [Device],
    /// What was written when they began.
    written: u64,
    /// Where each device was; none where copies go through the devices' own queues.
    began: Option<Vec<Arc<dyn Event>>>,
    arrived: Mutex<Vec<Arrival>>,
    /// What other processes send to this one's devices.
    incoming: Mutex<Vec<Incoming>>,
    /// What is to go from this process's device to others, and to come from them, without the host.
    waiting: Mutex<Vec<Waiting>>,
    /// Devices whose own queues have more to do before what was brought is all there.
    behind: Mutex<Vec<usize>>,
    _turn: MutexGuard<'d, ()>,
}

/// What has come to a device, which another may be given from there.
struct Arrival {
    part: usize,
    memory: usize,
    bytes: Range<usize>,
    done: Arc<dyn Event>,
}

/// Bytes that a device of this process gives another one, or gets from it.
struct Waiting {
    part: usize,
    memory: usize,
    buffer: Arc<dyn Buffer>,
    bytes: Range<usize>,
    with: usize,
    goes: bool,
}

/// Whether two ranges have bytes in common.
fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// A device's memory as a side of a copy.
#[derive(Clone, Copy)]
pub(super) struct Side<'b> {
    pub(super) part: usize,
    pub(super) buffer: &'b Arc<dyn Buffer>,
}

impl<'d> Copies<'d> {
    /// Of a set. Nobody else copies between its devices until the result is dropped. Memory that is copied to was allocated before.
    pub(super) fn begin(devices: &'d [Device]) -> Result<Self> {
        let turn = lock(&devices[0].lane().turn);
        let written = devices[0].lane().written.load(Ordering::Acquire);
        let mut here = devices.iter().filter(|d| !d.is_elsewhere());
        let apart = here.all(|d| d.lane().queue(d).is_some());
        let own = devices.iter().map(|device| {
            let mark = device.driver().default_queue().and_then(|q| q.record());
            known_to_all(device, mark)
        });
        Ok(Self {
            devices,
            written,
            began: apart.then(|| own.collect()).transpose()?,
            arrived: Mutex::default(),
            incoming: Mutex::default(),
            waiting: Mutex::default(),
            behind: Mutex::default(),
            _turn: turn,
        })
    }

    /// Copies bytes of a memory, which have one place on all devices; `memory` tells it from others.
    pub(super) fn copy(
        &self,
        memory: usize,
        bytes: &Range<usize>,
        to: Side<'_>,
        from: Side<'_>,
    ) -> Result<()> {
        let device = &self.devices[to.part];
        if let Some(ranks) = device.ranks() {
            let is_elsewhere = |side: &Side<'_>| self.devices[side.part].is_elsewhere();
            let tag = ranks.step()?;
            // All processes come here with their first copy.
            let exchange = &self.devices[0].lane().exchange;
            let reach = exchange.get_or_init(|| ranks.join(self.devices)).is_some();
            match (is_elsewhere(&to), is_elsewhere(&from)) {
                (false, false) => {
                    let taken = self.take_before(from.part, (memory, bytes));
                    known_to_all(device, taken)?;
                }
                (true, true) => return Ok(()),
                (true, false) if reach => {
                    let own = (from.part, memory, bytes);
                    return known_to_all(device, self.wait_to(own, from.buffer, to.part, true));
                }
                (false, true) if reach => {
                    let own = (to.part, memory, bytes);
                    return known_to_all(device, self.wait_to(own, to.buffer, from.part, false));
                }
                (true, false) => {
                    let sent = self.send(ranks, (memory, bytes), (to.part, from), tag);
                    return known_to_all(device, sent);
                }
                (false, true) => {
                    let rank = self.rank_of(from.part);
                    let expected = ranks.receive((to.part, to.buffer), (memory, bytes), rank, tag);
                    lock(&self.incoming).push(known_to_all(device, expected)?);
                    return Ok(());
                }
            }
        }
        let (at, length) = (bytes.start, bytes.len());
        let name = format!("copy from {}", self.devices[from.part].name());
        let (Some(began), Some(queue)) = (&self.began, device.lane().queue(device)) else {
            let copy = || to.buffer.copy_from(at, &**from.buffer, at, length);
            return trace::waiting(device, What::copy(&name, length), copy);
        };
        for part in [to.part, from.part] {
            self.follow(&**queue, began, part)?;
        }
        self.follow_arrivals(&**queue, from.part, (memory, bytes))?;
        let copy = || queue.copy(&**to.buffer, at, &**from.buffer, at, length);
        trace::enqueuing(device, Some(&**queue), What::copy(&name, length), copy)?;
        self.arrive(&**queue, (to.part, Some(from.part)), (memory, bytes))
    }

    /// The process that has a part.
    fn rank_of(&self, part: usize) -> usize {
        self.devices[part].seat().map_or(0, |seat| seat.rank)
    }

    /// Lets a queue for copies go on behind what a device had to do when these copies began.
    fn follow(&self, queue: &dyn Queue, began: &[Arc<dyn Event>], part: usize) -> Result<()> {
        queue.wait_for(&began[part])?;
        if self.is_old() {
            let own = self.devices[part].driver().default_queue()?;
            queue.wait_for(&own.record()?)?;
        }
        Ok(())
    }

    /// Lets it go on behind what has come to a device of some bytes.
    fn follow_arrivals(
        &self,
        queue: &dyn Queue,
        part: usize,
        (memory, bytes): (usize, &Range<usize>),
    ) -> Result<()> {
        let arrived = lock(&self.arrived);
        let there = |a: &&Arrival| a.part == part && a.memory == memory;
        let of_them = arrived.iter().filter(there);
        for arrival in of_them.filter(|a| overlap(&a.bytes, bytes)) {
            queue.wait_for(&arrival.done)?;
        }
        Ok(())
    }

    /// Says that what a queue for copies was given brings a device some bytes; its own queue and that of the device that they are from
    /// go on behind it.
    fn arrive(
        &self,
        queue: &dyn Queue,
        (part, from): (usize, Option<usize>),
        (memory, bytes): (usize, &Range<usize>),
    ) -> Result<()> {
        let done = self.mark(queue, [Some(part), from])?;
        lock(&self.arrived).push(Arrival {
            part,
            memory,
            bytes: bytes.clone(),
            done,
        });
        Ok(())
    }

    /// A mark behind what a queue for copies was given, behind which some devices' own queues go on.
    fn mark(&self, queue: &dyn Queue, parts: [Option<usize>; 2]) -> Result<Arc<dyn Event>> {
        let done = queue.record().and_then(|done| {
            for part in parts.into_iter().flatten() {
                let own = self.devices[part].driver().default_queue()?;
                own.wait_for(&done)?;
            }
            Ok(done)
        });
        // Where nobody knows of it, it is waited for now.
        done.inspect_err(|_| {
            let _ = queue.synchronize();
        })
    }

    /// Remembers a message between a device of this process and another one's, to go with others.
    fn wait_to(
        &self,
        (part, memory, bytes): (usize, usize, &Range<usize>),
        buffer: &Arc<dyn Buffer>,
        with: usize,
        goes: bool,
    ) -> Result<()> {
        let comes = |w: &Waiting| !w.goes && w.memory == memory && overlap(&w.bytes, bytes);
        if goes && lock(&self.waiting).iter().any(comes) {
            // It is given on, and so has to be there.
            self.exchange()?;
        }
        lock(&self.waiting).push(Waiting {
            part,
            memory,
            buffer: Arc::clone(buffer),
            bytes: bytes.clone(),
            with: self.rank_of(with),
            goes,
        });
        Ok(())
    }

    /// Has the messages that wait go and come, beside what the device computes.
    fn exchange(&self) -> Result<()> {
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        let Some(first) = waiting.first() else {
            return Ok(());
        };
        let (part, device) = (first.part, &self.devices[first.part]);
        let exchange = self.devices[0]
            .lane()
            .exchange
            .get()
            .and_then(Option::as_ref);
        let (Some(began), Some(queue), Some(exchange)) =
            (&self.began, device.lane().queue(device), exchange)
        else {
            return Err(Error::invalid("the device has no queue for messages"));
        };
        self.follow(&**queue, began, part)?;
        let messages = waiting.iter().map(|waiting| Message {
            buffer: &*waiting.buffer,
            offset: waiting.bytes.start,
            bytes: waiting.bytes.len(),
            with: waiting.with,
            goes: waiting.goes,
        });
        let messages: Vec<Message<'_>> = messages.collect();
        let bytes = messages.iter().map(|m| m.bytes).sum();
        let what = What::copy("exchange with other ranks", bytes);
        trace::enqueuing(device, Some(&**queue), what, || {
            exchange.enqueue(&**queue, &messages)
        })?;
        let done = self.mark(&**queue, [Some(part), None])?;
        let came = waiting.into_iter().filter(|waiting| !waiting.goes);
        lock(&self.arrived).extend(came.map(|came| Arrival {
            part,
            memory: came.memory,
            bytes: came.bytes,
            done: Arc::clone(&done),
        }));
        Ok(())
    }

    /// Takes what is coming to a device of some bytes, which another one is to have from there: the directory says already that
    /// it is there.
    fn take_before(&self, part: usize, (memory, bytes): (usize, &Range<usize>)) -> Result<()> {
        let comes =
            |i: &mut Incoming| i.part == part && i.memory == memory && overlap(&i.bytes, bytes);
        let before: Vec<Incoming> = lock(&self.incoming).extract_if(.., comes).collect();
        before.into_iter().try_for_each(|i| self.take(i))
    }

    /// Sends what this process has to the one that has a part.
    fn send(
        &self,
        ranks: &Ranks,
        (memory, bytes): (usize, &Range<usize>),
        (part, from): (usize, Side<'_>),
        tag: i32,
    ) -> Result<()> {
        self.take_before(from.part, (memory, bytes))?;
        let device = &self.devices[from.part];
        let (at, mut staged) = (bytes.start, vec![0; bytes.len()]);
        let rank = self.rank_of(part);
        let name = format!("copy to rank {rank}");
        trace::waiting(device, What::copy(&name, bytes.len()), || {
            let (Some(began), Some(queue)) = (&self.began, device.lane().queue(device)) else {
                return from.buffer.read(at, &mut staged);
            };
            self.follow(&**queue, began, from.part)?;
            self.follow_arrivals(&**queue, from.part, (memory, bytes))?;
            // SAFETY: it is waited for before anybody looks at the bytes.
            let read = unsafe {
                let length = staged.len();
                queue.read(&**from.buffer, at, staged.as_mut_ptr(), length)
            };
            read.and(queue.synchronize())
        })?;
        ranks.send(staged, rank, tag)
    }

    /// Waits for bytes of another process, and puts them where they belong.
    fn take(&self, incoming: Incoming) -> Result<()> {
        let device = &self.devices[incoming.part];
        let (part, memory, bytes) = (incoming.part, incoming.memory, incoming.bytes.clone());
        let buffer = Arc::clone(&incoming.buffer);
        let name = format!("copy from rank {}", incoming.from);
        trace::waiting(device, What::copy(&name, bytes.len()), || {
            let came = incoming.wait()?;
            let (Some(began), Some(queue)) = (&self.began, device.lane().queue(device)) else {
                return buffer.write(bytes.start, &came);
            };
            self.follow(&**queue, began, part)?;
            // SAFETY: it is waited for before the bytes go.
            let written = unsafe { queue.write(&*buffer, bytes.start, came.as_ptr(), came.len()) };
            written.and(queue.synchronize())?;
            self.arrive(&**queue, (part, None), (memory, &bytes))
        })
    }

    /// Waits for what other processes send. Nothing that was brought is there before.
    pub(super) fn complete(&self) -> Result<()> {
        known_to_all(&self.devices[0], self.exchange())?;
        let incoming: Vec<Incoming> = lock(&self.incoming).drain(..).collect();
        for incoming in incoming {
            let device = &self.devices[incoming.part];
            known_to_all(device, self.take(incoming))?;
        }
        Ok(())
    }

    /// Says that a device's own queue makes something of what is brought.
    pub(super) fn made_by(&self, part: usize) {
        lock(&self.behind).push(part);
    }

    /// The queue in which a device has all that was brought to it, beside its own; none where that is its own.
    pub(super) fn queue(&self, part: usize) -> Option<&Arc<dyn Queue>> {
        let came = lock(&self.arrived).iter().any(|a| a.part == part);
        let device = &self.devices[part];
        let queue = device.lane().queue(device)?;
        let beside = came && !lock(&self.behind).contains(&part) && !self.is_old();
        beside.then_some(queue)
    }

    /// Whether another thread has had something written since these copies began.
    fn is_old(&self) -> bool {
        self.devices[0].lane().written.load(Ordering::Acquire) != self.written
    }

    /// Lets a device's own queue go on behind what a [queue](Self::queue) of it was given.
    pub(super) fn join(&self, part: usize, queue: &dyn Queue) -> Result<()> {
        let own = self.devices[part].driver().default_queue()?;
        own.wait_for(&queue.record()?)
    }
}
