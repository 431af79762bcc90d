//! Copies between the devices of a set, beside what these compute.

use super::super::trace::{self, What};
use super::super::{Device, lock};
use brook_driver::{Buffer, Event, Queue, Result};
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
}

impl Lane {
    /// Says that something has been launched that writes memory of the set.
    pub(super) fn count_written(&self) {
        self.written.fetch_add(1, Ordering::AcqRel);
    }

    /// `None` where the driver has no queues that copy what another device has.
    fn queue(&self, device: &Device) -> Option<&Arc<dyn Queue>> {
        let queue = self.queue.get_or_init(|| {
            let queue = device.driver().create_queue().ok()?;
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

/// A device's memory as a side of a copy.
#[derive(Clone, Copy)]
pub(super) struct Side<'b> {
    pub(super) part: usize,
    pub(super) buffer: &'b dyn Buffer,
}

impl<'d> Copies<'d> {
    /// Of a set. Nobody else copies between its devices until the result is dropped. Memory that is copied to was allocated before.
    pub(super) fn begin(devices: &'d [Device]) -> Result<Self> {
        let turn = lock(&devices[0].lane().turn);
        let written = devices[0].lane().written.load(Ordering::Acquire);
        let apart = devices.iter().all(|d| d.lane().queue(d).is_some());
        let own = devices.iter().map(|d| d.driver().default_queue()?.record());
        Ok(Self {
            devices,
            written,
            began: apart.then(|| own.collect()).transpose()?,
            arrived: Mutex::default(),
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
        let (at, length) = (bytes.start, bytes.len());
        let device = &self.devices[to.part];
        let name = format!("copy from {}", self.devices[from.part].name());
        let (Some(began), Some(queue)) = (&self.began, device.lane().queue(device)) else {
            let copy = || to.buffer.copy_from(at, from.buffer, at, length);
            return trace::waiting(device, What::copy(&name, length), copy);
        };
        for part in [to.part, from.part] {
            queue.wait_for(&began[part])?;
            if self.is_old() {
                let own = self.devices[part].driver().default_queue()?;
                queue.wait_for(&own.record()?)?;
            }
        }
        let mut arrived = lock(&self.arrived);
        let overlap = |a: &Arrival| a.bytes.start < bytes.end && bytes.start < a.bytes.end;
        let there = |a: &&Arrival| a.part == from.part && a.memory == memory && overlap(a);
        for arrival in arrived.iter().filter(there) {
            queue.wait_for(&arrival.done)?;
        }
        let copy = || queue.copy(to.buffer, at, from.buffer, at, length);
        trace::enqueuing(device, Some(&**queue), What::copy(&name, length), copy)?;
        let done = queue.record().and_then(|done| {
            for part in [to.part, from.part] {
                let own = self.devices[part].driver().default_queue()?;
                own.wait_for(&done)?;
            }
            Ok(done)
        });
        // Where nobody knows of it, it is waited for now.
        let done = done.inspect_err(|_| {
            let _ = queue.synchronize();
        })?;
        arrived.push(Arrival {
            part: to.part,
            memory,
            bytes: bytes.clone(),
            done,
        });
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
