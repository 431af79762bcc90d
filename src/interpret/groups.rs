//! Runs what runs at the same time: groups one after the other, the items of each from one barrier to the next.

use super::code::{Implied, Nest};
use super::findings::Kind;
use super::machine::{Machine, Shared};
use super::memory::MOST_THREADS;
use super::shadow::Clock;
use super::thread::{FIRST_ITEM, Stop, Thread};
use super::{Failure, Order};
use crate::module::BarrierScope;

/// How many items a warp has.
const WARP: usize = 32;

impl Clock {
    /// All items of the group have waited for each other.
    pub(super) fn barrier(&mut self) {
        self.now = self.now.saturating_add(1);
        self.phase = self.now;
        self.warp_of.clear();
    }

    fn begin_launch(&mut self) {
        self.barrier();
        self.launch = self.now;
        self.group = self.now;
    }

    fn begin_group(&mut self) {
        self.barrier();
        self.group = self.now;
    }
}

/// Numbers in some order.
fn ordered(count: usize, order: Order, salt: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    match order {
        Order::Forward => {}
        Order::Reversed => numbers.reverse(),
        Order::Random(seed) => {
            // SplitMix64 and Fisher and Yates: the same everywhere.
            let mut state = seed ^ salt.wrapping_mul(0x2545_f491_4f6c_dd1d);
            for at in (1..count).rev() {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = state;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^= z >> 31;
                numbers.swap(at, (z % (at as u64 + 1)) as usize);
            }
        }
    }
    numbers
}

/// Coordinates of an iteration, x fastest.
fn coordinates(number: usize, extents: [u64; 3]) -> [u64; 3] {
    let number = number as u64;
    [
        number % extents[0],
        number / extents[0] % extents[1],
        number / extents[0] / extents[1],
    ]
}

impl Machine<'_> {
    /// Runs the host's part of a kernel, and all that it launches.
    pub(super) fn run_host(&mut self, host: &mut Thread) -> Result<(), Failure> {
        loop {
            match self.run(host)? {
                Stop::Spawn(nest) => self.run_groups(host, nest)?,
                Stop::Barrier(..) => self.memory.clock.barrier(),
                Stop::Collective { .. } => return Err(Failure::Nobody(self.span(host.at - 1))),
                Stop::Ended | Stop::Ready => return Ok(()),
            }
        }
    }

    fn extents(&self, thread: &Thread, nest: Nest, most: u64) -> Result<Option<[u64; 3]>, Failure> {
        let first = nest.extents as usize;
        let mut extents = [0; 3];
        for (to, from) in extents.iter_mut().zip(&thread.registers[first..first + 3]) {
            if *from as i64 <= 0 {
                return Ok(None);
            }
            *to = *from;
        }
        let count = extents.iter().try_fold(1u64, |n, e| n.checked_mul(*e));
        match count.filter(|n| *n <= most) {
            Some(_) => Ok(Some(extents)),
            None => Err(Failure::TooMany(self.span(thread.at - 1))),
        }
    }

    fn run_groups(&mut self, host: &Thread, number: u16) -> Result<(), Failure> {
        let nest = self.code.nests[number as usize];
        let Some(extents) = self.extents(host, nest, u64::from(u32::MAX) / 4)? else {
            return Ok(());
        };
        self.memory.clock.begin_launch();
        self.launches += 1;
        self.trace.launch(self.span(host.at - 1), extents);
        let count = extents.iter().product::<u64>() as usize;
        let mut group = Thread::new(1);
        for at in ordered(count, self.settings.order, self.launches) {
            self.memory.clock.begin_group();
            if self.memory.clock.now == u32::MAX {
                return Err(Failure::Steps(self.span(host.at - 1)));
            }
            let coordinates = coordinates(at, extents);
            self.groups.push((self.memory.clock.now, coordinates));
            group.registers.clear();
            group.registers.extend_from_slice(&host.registers);
            group.begin(self.code, self.code.kernel, nest.entry);
            group.local.written.fill(false);
            self.shared.clear();
            self.memory.copies.clear();
            let to = nest.coordinates as usize;
            group.registers[to..to + 3].copy_from_slice(&coordinates);
            self.run_group(&mut group)?;
            self.trace.group_ended();
        }
        // What comes behind a launch comes behind all of its groups.
        self.memory.clock.begin_launch();
        Ok(())
    }

    fn run_group(&mut self, group: &mut Thread) -> Result<(), Failure> {
        loop {
            match self.run(group)? {
                Stop::Spawn(nest) => {
                    let mut threads = std::mem::take(&mut self.threads);
                    let result = self.run_items(group, nest, &mut threads);
                    self.threads = threads;
                    result?;
                }
                Stop::Barrier(..) => self.waited(group.at - 1),
                Stop::Collective { .. } => return Err(Failure::Nobody(self.span(group.at - 1))),
                Stop::Ended | Stop::Ready => return Ok(()),
            }
        }
    }

    /// The numbers of a nest's items, x fastest.
    fn slots(&mut self, number: u16, extents: [u64; 3]) {
        let known = &mut self.nests[number as usize];
        if known.0 == extents {
            return;
        }
        known.0 = extents;
        known.1.clear();
        for at in 0..extents.iter().product::<u64>() as usize {
            let coordinates = coordinates(at, extents);
            let next = self.items.len() as u32;
            let slot = *self.slots.entry(coordinates).or_insert(next);
            if slot == next {
                self.items.push(coordinates);
            }
            known.1.push(slot);
        }
    }

    fn run_items(
        &mut self,
        group: &Thread,
        number: u16,
        threads: &mut Vec<Thread>,
    ) -> Result<(), Failure> {
        let nest = self.code.nests[number as usize];
        let most = u64::from(MOST_THREADS - FIRST_ITEM);
        let Some(extents) = self.extents(group, nest, most)? else {
            return Ok(());
        };
        self.trace.items(self.span(group.at - 1), extents);
        self.slots(number, extents);
        if self.items.len() as u64 > most {
            return Err(Failure::TooMany(self.span(group.at - 1)));
        }
        // Each has its own variables, and what is known of them.
        let each = 2 * self.code.functions[self.code.kernel].bytes;
        if (self.items.len() as u64).saturating_mul(each) > self.settings.memory {
            return Err(Failure::Memory(Some(self.span(group.at - 1))));
        }
        while threads.len() < self.items.len() {
            threads.push(Thread::new(FIRST_ITEM + threads.len() as u32));
        }
        // Taken, not copied: nobody else wants them meanwhile.
        let items = std::mem::take(&mut self.nests[number as usize].1);
        let order = ordered(
            items.len(),
            self.settings.order,
            u64::from(self.memory.clock.group),
        );
        let result = self.run_all(group, nest, &items, &order, threads);
        self.nests[number as usize].1 = items;
        result
    }

    /// Gives an item what its group has, but for what is its own as long as the group runs.
    fn begin_item(&self, group: &Thread, nest: Nest, item: &mut Thread, coordinates: [u64; 3]) {
        let own = usize::from(self.code.exclusive_registers);
        item.begin(self.code, self.code.kernel, nest.entry);
        if item.group != self.memory.clock.group {
            item.group = self.memory.clock.group;
            item.registers[..own].fill(0);
            item.local.written[..self.code.exclusive_bytes as usize].fill(false);
            item.has = 0;
        }
        for shared in &self.shared[item.has..] {
            match *shared {
                Shared::Registers(first, count) => {
                    let range = first as usize..(first + count) as usize;
                    item.registers[range.clone()].copy_from_slice(&group.registers[range]);
                }
                Shared::Object(object) => {
                    let (base, size) = group.local.objects[object as usize];
                    let range = base..base + size as usize;
                    let (to, from) = (&mut item.local, &group.local);
                    to.bytes[range.clone()].copy_from_slice(&from.bytes[range.clone()]);
                    to.written[range.clone()].copy_from_slice(&from.written[range]);
                }
            }
        }
        item.has = self.shared.len();
        let count = self.code.functions[self.code.kernel].registers as usize;
        item.registers[own..count].copy_from_slice(&group.registers[own..count]);
        let to = nest.coordinates as usize;
        item.registers[to..to + 3].copy_from_slice(&coordinates);
    }

    fn run_all(
        &mut self,
        group: &Thread,
        nest: Nest,
        items: &[u32],
        order: &[usize],
        threads: &mut [Thread],
    ) -> Result<(), Failure> {
        self.steps = self
            .steps
            .checked_sub(items.len() as u64)
            .ok_or_else(|| Failure::Steps(self.span(group.at - 1)))?;
        let mut waiting = 0;
        for &at in order {
            let slot = items[at] as usize;
            let coordinates = self.items[slot];
            let item = &mut threads[slot];
            self.begin_item(group, nest, item, coordinates);
            item.stop = self.run(item)?;
            waiting += usize::from(item.stop != Stop::Ended);
        }
        while waiting > 0 {
            self.resolve(items, threads)?;
            waiting = 0;
            for &at in order {
                let item = &mut threads[items[at] as usize];
                if item.stop == Stop::Ready {
                    item.stop = self.run(item)?;
                }
                waiting += usize::from(item.stop != Stop::Ended);
            }
        }
        Ok(())
    }

    /// Lets those go on whom nobody keeps waiting; all of them, if there is nobody else.
    fn resolve(&mut self, items: &[u32], threads: &mut [Thread]) -> Result<(), Failure> {
        let mut moved = false;
        for (number, warp) in items.chunks(WARP).enumerate() {
            moved |= self.resolve_warp(number, warp, items, threads)?;
        }
        if moved {
            return Ok(());
        }
        // Everyone waits for the whole group, or has ended.
        let first = items
            .iter()
            .find(|i| threads[**i as usize].stop != Stop::Ended);
        let Some(&first) = first else {
            return Ok(());
        };
        let first = &threads[first as usize];
        let (stop, at) = (first.stop, first.at);
        let lenient = matches!(stop, Stop::Barrier(_, Implied::Yes));
        let here = (first.number, at - 1);
        let all_come = matches!(stop, Stop::Barrier(_, Implied::No | Implied::Yes));
        let missing = items.iter().map(|i| &threads[*i as usize]).find(|t| {
            let ended = t.stop == Stop::Ended;
            let comes = lenient || t.absent || (all_come && t.comes_to(at - 1));
            (ended && !comes) || (!ended && t.at != at)
        });
        if let Some(missing) = missing {
            let site = (missing.stop != Stop::Ended).then(|| missing.at - 1);
            let kind = match stop {
                Stop::Collective { .. } => Kind::CollectiveDivergence,
                _ => Kind::BarrierDivergence,
            };
            self.divergence(kind, here, (missing.number, site));
        }
        let mut calls = Vec::new();
        for &item in items {
            let thread = &mut threads[item as usize];
            match thread.stop {
                Stop::Ended => {}
                Stop::Collective { .. } if thread.at == at => calls.push(item as usize),
                _ => thread.stop = Stop::Ready,
            }
        }
        if let Stop::Collective { number, .. } = stop {
            self.collective(number, &calls, threads);
        } else {
            self.waited(at - 1);
        }
        Ok(())
    }

    /// Barriers of a warp, and shuffles.
    fn resolve_warp(
        &mut self,
        number: usize,
        warp: &[u32],
        items: &[u32],
        threads: &mut [Thread],
    ) -> Result<bool, Failure> {
        let of_warp = |stop: Stop| match stop {
            Stop::Barrier(BarrierScope::Warp, _) => true,
            Stop::Collective { number, .. } => {
                let collective = self.code.collectives[number as usize];
                collective.function.is_shuffle()
            }
            _ => false,
        };
        let first = warp.iter().find(|i| of_warp(threads[**i as usize].stop));
        let Some(&first) = first else {
            return Ok(false);
        };
        let first = &threads[first as usize];
        let (stop, at, here) = (first.stop, first.at, (first.number, first.at - 1));
        let is_barrier = matches!(stop, Stop::Barrier(..));
        let mut lanes = Vec::new();
        let mut missing = None;
        for &item in warp {
            let thread = &threads[item as usize];
            match thread.stop != Stop::Ended && thread.at == at {
                true => lanes.push(item as usize),
                false if is_barrier && thread.comes_to(here.1) => {}
                false => missing = missing.or(Some(thread)),
            }
        }
        match stop {
            Stop::Collective { number, .. } => {
                self.shuffle(number, warp, &lanes, here, threads);
            }
            _ => {
                if let Some(missing) = missing {
                    let site = (missing.stop != Stop::Ended).then(|| missing.at - 1);
                    self.divergence(Kind::BarrierDivergence, here, (missing.number, site));
                }
                for lane in lanes {
                    threads[lane].stop = Stop::Ready;
                }
                self.warp_barrier(number, items);
            }
        }
        Ok(true)
    }

    fn warp_barrier(&mut self, number: usize, items: &[u32]) {
        let clock = &mut self.memory.clock;
        clock.now = clock.now.saturating_add(1);
        if clock.warp_of.is_empty() {
            let most = self.items.len() + FIRST_ITEM as usize;
            clock.warp_of = vec![u32::MAX; most];
            for (index, &item) in items.iter().enumerate() {
                clock.warp_of[(item + FIRST_ITEM) as usize] = (index / WARP) as u32;
            }
            clock.warps = vec![0; items.len().div_ceil(WARP)];
        }
        clock.warps[number] = clock.now;
    }
}
