//! Exchanges without the host: devices send each other what they have of shared groups, and join it.

use super::super::ranks::{Reach, join};
use super::super::{
    Communicator, Device, DynMemory, ElementKind, Event, KernelArgument, Memory, Queue, Result,
};
use super::GatherScatterExchange;
use super::groups::Groups;
use super::kept::Kept;
use brook_driver::{Exchange, Message};
use std::ops::Range;
use std::sync::Arc;

/// Where in messages the values of shared groups are: a slot for each group of each neighbour.
pub(super) struct Slots {
    exchange: Arc<dyn Exchange>,
    /// Messages go through it, beside what the device computes.
    queue: Queue,
    /// By rank, and which slots are theirs.
    neighbours: Vec<(usize, Range<usize>)>,
    /// Of each slot: the group, the first slot of the neighbour, how many it has, and which of them it is.
    groups: Memory<i32>,
    firsts: Memory<i32>,
    counts: Memory<i32>,
    places: Memory<i32>,
    /// Of each group the slots that have a part of it, in the order of the processes; -1 is what this process has.
    starts: Memory<i32>,
    parts: Memory<i32>,
    kept: Kept<Memories>,
}

/// Values of one type that go, and that come.
struct Memories {
    goes: DynMemory,
    comes: DynMemory,
}

/// An exchange that has begun.
pub(super) struct Begun {
    memories: Memories,
    /// What comes has come; none where the messages have not been sent.
    came: Option<Event>,
}

impl Slots {
    /// Of a device that reaches those of its neighbours; `None` where not all do. All processes call this at once.
    pub(super) fn find(
        device: &Device,
        communicator: &Communicator,
        groups: &Groups,
    ) -> Result<Option<Self>> {
        let Some(exchange) = join(communicator, device, Reach::DevicesAndHosts) else {
            return Ok(None);
        };
        let (mut neighbours, mut first) = (Vec::new(), 0);
        let mut slots: [Vec<i32>; 4] = Default::default();
        let mut parts: Vec<Vec<i32>> = vec![Vec::new(); groups.shared];
        let own = |parts: &mut Vec<Vec<i32>>| parts.iter_mut().for_each(|part| part.push(-1));
        let mut owned = false;
        for (rank, shared) in &groups.neighbours {
            if *rank > communicator.rank() && !owned {
                owned = true;
                own(&mut parts);
            }
            for (place, group) in shared.iter().enumerate() {
                parts[*group as usize].push((first + place) as i32);
                let of_it = [*group as usize, first, shared.len(), place];
                for (list, number) in slots.iter_mut().zip(of_it) {
                    list.push(number as i32);
                }
            }
            neighbours.push((*rank, first..first + shared.len()));
            first += shared.len();
        }
        if !owned {
            own(&mut parts);
        }
        let mut starts = vec![0];
        for part in &parts {
            starts.extend(starts.last().map(|last| last + part.len() as i32));
        }
        let [of_groups, firsts, counts, places] = &slots;
        Ok(Some(Self {
            exchange,
            queue: device.queue()?,
            neighbours,
            groups: device.upload(of_groups)?,
            firsts: device.upload(firsts)?,
            counts: device.upload(counts)?,
            places: device.upload(places)?,
            starts: device.upload(&starts)?,
            parts: device.upload(&parts.concat())?,
            kept: Kept::default(),
        }))
    }

    fn count(&self) -> usize {
        self.groups.len()
    }

    /// For so many values of that type.
    fn memories(&self, device: &Device, kind: ElementKind, count: usize) -> Result<Memories> {
        let fits = |m: &Memories| m.goes.kind() == kind && m.goes.len() == count;
        self.kept.take(fits, || {
            Ok(Memories {
                goes: device.room_for(kind, count)?,
                comes: device.room_for(kind, count)?,
            })
        })
    }

    /// Has all messages of an exchange go and come, behind what a queue has.
    fn enqueue(&self, queue: &Queue, memories: &Memories, fields: usize) -> Result<()> {
        let size = fields * memories.goes.kind().size();
        let mut messages = Vec::with_capacity(2 * self.neighbours.len());
        for (with, slots) in &self.neighbours {
            let (offset, bytes) = (slots.start * size, slots.len() * size);
            for (memory, goes) in [(&memories.comes, false), (&memories.goes, true)] {
                messages.push(Message {
                    buffer: memory.buffer(),
                    offset,
                    bytes,
                    with: *with,
                    goes,
                });
            }
        }
        Ok(self.exchange.enqueue(queue.driver(), &messages)?)
    }
}

impl GatherScatterExchange {
    /// Gathers and sends what the device has of shared groups.
    pub(super) fn begin_by_device(&self, slots: &Slots) -> Result<Begun> {
        let device = &self.all.device;
        let memories = slots.memories(device, self.values.kind(), self.fields * slots.count())?;
        let more = [
            slots.groups.read_only().into(),
            slots.firsts.read_only().into(),
            slots.counts.read_only().into(),
            slots.places.read_only().into(),
            KernelArgument::memory(&self.values, false),
            KernelArgument::memory(&memories.goes, true),
        ];
        self.launch(&self.kernels.send, slots.count(), more)?;
        let mut came = None;
        if !slots.exchange.waits() {
            let packed = device.default_queue()?.record()?;
            slots.queue.wait_for(&packed)?;
            slots.enqueue(&slots.queue, &memories, self.fields)?;
            came = Some(slots.queue.record()?);
        }
        Ok(Begun { memories, came })
    }

    /// Joins what has come, and gives it all entries.
    pub(super) fn finish_by_device(&self, slots: &Slots, begun: Begun) -> Result<()> {
        let queue = self.all.device.default_queue()?;
        let Begun { memories, came } = begun;
        match came {
            Some(came) => queue.wait_for(&came)?,
            None => slots.enqueue(&queue, &memories, self.fields)?,
        }
        let more = [
            slots.starts.read_only().into(),
            slots.parts.read_only().into(),
            slots.firsts.read_only().into(),
            slots.counts.read_only().into(),
            slots.places.read_only().into(),
            KernelArgument::memory(&memories.comes, false),
            KernelArgument::memory(&self.values, true),
        ];
        self.launch(&self.kernels.receive, self.all.groups.shared, more)?;
        slots.kept.give_back(memories);
        Ok(())
    }
}
