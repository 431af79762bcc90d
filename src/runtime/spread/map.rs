//! Calls of kernels for each element of their outputs, on the devices of a set.

use super::super::call_argument::StreamArgument;
use super::super::call_binding::Call;
use super::super::footprint::Elements;
use super::super::layout::Range;
use super::super::stream::DynStream;
use super::super::{Device, Kernel, Result};
use super::copies::Copies;
use super::rule;
use super::view::Shared;
use crate::render::Role;
use brook_driver::Queue;
use std::cell::Cell;
use std::ops;

/// A stream of a call.
struct Used {
    index: usize,
    role: Role,
    stream: Shared,
    /// Item i has its element i.
    linear: bool,
}

/// What a device is to be launched for.
struct Work {
    part: usize,
    slab: Slab,
    /// It lies on a side of what the device has been given already.
    beside: bool,
    /// As the device sees them, in the order of those that are used.
    streams: Vec<DynStream>,
}

/// What one of the devices does of a call.
struct Slab {
    range: Range,
    /// Places along the axis, and that axis; all of the range where it is not shared out.
    places: Option<(usize, ops::Range<usize>)>,
}

impl Kernel {
    /// Runs a call that was checked on the devices of its set, each for the elements of the first output that are its own;
    /// where items do more than write their own elements, all of it on the first one.
    pub(in super::super) fn map_on_set(
        &self,
        arguments: &[StreamArgument<'_>],
        rank: usize,
        range: &Range,
        written: &[&DynStream],
    ) -> Result<()> {
        let call = Call::new(self, false);
        let mut used = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let Some(stream) = argument.stream() else {
                continue;
            };
            let role = self.metadata().parameters[index].role;
            // What is written, and read besides, is read from a copy, before any of the devices writes.
            let (memory, layout) = call.memory(index, role, stream, range, written)?;
            used.push(Used {
                index,
                role,
                linear: matches!(role, Role::Input | Role::Output) && layout.is_linear(range),
                stream: Shared::new(memory, layout, stream.element)?,
            });
        }
        let (at_once, later) = self.share_out(&call, &used, range, arguments)?;
        // They are launched in this order.
        let launched = Cell::new(0);
        let launch_in = |work: &Work, queue: Option<&dyn Queue>| {
            let kernel = self.on_part(work.part)?;
            launched.set(launched.get() + 1);
            let done = launch_work(&kernel, &call, &used, work, (arguments, rank, queue));
            kernel.program().device().known_to_all(done)
        };
        let launch = |work: &Work| launch_in(work, None);
        let copy_beside = || {
            let copies = Copies::begin(call.device().parts())?;
            at_once.iter().try_for_each(launch)?;
            for work in &later {
                for (used, bytes) in self.needs(&used, &work.slab, arguments) {
                    used.stream.bring_among(&copies, work.part, &bytes)?;
                }
            }
            copies.complete()?;
            // What lies on the sides of what was launched is done beside it, where the copies are; all that a device does there is in
            // one queue.
            let mut beside = Vec::new();
            let done = later.iter().try_for_each(|work| {
                let Some(queue) = copies.queue(work.part).filter(|_| work.beside) else {
                    return launch(work);
                };
                if beside.last().is_none_or(|(part, _)| *part != work.part) {
                    beside.push((work.part, queue));
                }
                launch_in(work, Some(&**queue))
            });
            // Also behind what failed.
            for (part, queue) in beside {
                copies.join(part, &**queue)?;
            }
            done
        };
        let done = match later.is_empty() {
            true => at_once.iter().try_for_each(launch),
            false => copy_beside(),
        };
        // Also where something failed: who knows how far it came. What others may look at is copied now.
        let mut marked = Ok(());
        for work in at_once.iter().chain(&later).take(launched.get()) {
            for used in used.iter().filter(|u| !u.role.is_read()) {
                let written = used.written(&work.slab);
                marked = marked.and(used.stream.written(work.part, &written));
            }
        }
        done.and(marked)
    }

    /// What the devices do of a call: at once, since they have all that they read, and behind the copies of the rest. Of a part that lacks
    /// something the rows that do not read that are done at once.
    fn share_out(
        &self,
        call: &Call<'_>,
        used: &[Used],
        range: &Range,
        arguments: &[StreamArgument<'_>],
    ) -> Result<(Vec<Work>, Vec<Work>)> {
        let (mut at_once, mut later) = (Vec::new(), Vec::new());
        for (part, device) in call.device().parts().iter().enumerate() {
            let Some(slab) = self.slab(used, range, part)? else {
                continue;
            };
            let work = |slab| Work::new(used, slab, (part, device));
            if self.has(used, &slab, arguments, part)? {
                at_once.push(work(slab)?);
                continue;
            }
            let Some((inner, edges)) = self.interior(used, &slab, range, (arguments, part))? else {
                later.push(work(slab)?);
                continue;
            };
            at_once.push(work(inner)?);
            for edge in edges {
                let beside = true;
                later.push(Work {
                    beside,
                    ..work(edge)?
                });
            }
        }
        Ok((at_once, later))
    }

    /// What the device of that number does of a call; `None` where that is nothing.
    fn slab(&self, used: &[Used], range: &Range, part: usize) -> Result<Option<Slab>> {
        let first = used.iter().find(|u| matches!(u.role, Role::Output));
        let scatters = used.iter().any(|u| matches!(u.role, Role::Scatter(_)));
        let first = first.filter(|_| self.metadata().elementwise && !scatters);
        let axis = first.map_or(0, |first| rule::axis(&first.stream.layout.whole));
        let Some(first) = first.filter(|_| !crosses(used, axis)) else {
            let all = Slab {
                range: *range,
                places: None,
            };
            return Ok((part == 0).then_some(all));
        };
        let share = first.stream.share(part, axis)?;
        Ok(range.slab(axis, &share).map(|(range, places)| Slab {
            range,
            places: Some((axis, places)),
        }))
    }

    /// The rows within a part that read nothing but what the device has, and those on both sides of them; `None` where that is less than
    /// half of the rows, or where to launch three times takes longer than to wait.
    fn interior(
        &self,
        used: &[Used],
        slab: &Slab,
        range: &Range,
        (arguments, part): (&[StreamArgument<'_>], usize),
    ) -> Result<Option<(Slab, Vec<Slab>)>> {
        let Some((axis, places)) = &slab.places else {
            return Ok(None);
        };
        let first = used.iter().find(|u| matches!(u.role, Role::Output));
        if first.is_none_or(|first| first.written(slab).len() < rule::least_bytes()) {
            return Ok(None);
        }
        let of = |places: ops::Range<usize>| {
            let (range, places) = range.slab(*axis, &places)?;
            let places = Some((*axis, places));
            Some(Slab { range, places })
        };
        let mut beside = rule::alignment(places.len());
        while 4 * beside <= places.len() {
            let (from, to) = (places.start + beside, places.end - beside);
            if let Some(inner) = of(from..to)
                && self.has(used, &inner, arguments, part)?
            {
                let edges = [places.start..from, to..places.end];
                return Ok(Some((inner, edges.into_iter().filter_map(of).collect())));
            }
            beside *= 2;
        }
        Ok(None)
    }

    /// Whether a device has what it reads.
    fn has(
        &self,
        used: &[Used],
        slab: &Slab,
        arguments: &[StreamArgument<'_>],
        part: usize,
    ) -> Result<bool> {
        for (used, bytes) in self.needs(used, slab, arguments) {
            if !used.stream.has(part, &bytes)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All that a device may read, or has to have.
    fn needs<'u>(
        &self,
        all: &'u [Used],
        slab: &Slab,
        arguments: &[StreamArgument<'_>],
    ) -> Vec<(&'u Used, ops::Range<usize>)> {
        let placed = |parameter| {
            let mut all = all.iter();
            all.any(|u| u.index == parameter && u.is_placed(&slab.range))
        };
        let elements = Elements {
            range: &slab.range,
            arguments,
            placed: &placed,
        };
        let needed = |used: &'u Used| {
            let needed = self.needed(used, slab, &elements);
            needed.into_iter().map(move |bytes| (used, bytes))
        };
        all.iter().flat_map(needed).collect()
    }

    /// The bytes that a device may read of a stream, or has to have for what it writes between them.
    fn needed(&self, used: &Used, slab: &Slab, elements: &Elements<'_>) -> Vec<ops::Range<usize>> {
        let stream = &used.stream;
        let Some((axis, places)) = &slab.places else {
            return vec![stream.all()];
        };
        match used.role {
            // All elements are written, and nothing lies between them.
            Role::Output if self.metadata().elementwise && used.linear => Vec::new(),
            Role::Output => vec![stream.bytes(*axis, places)],
            Role::Input => {
                let places = used.stretched(*axis, places, &slab.range);
                vec![stream.bytes(*axis, &places)]
            }
            Role::Gather(rank) if stream.layout.shape.rank == rank && rank > 0 => {
                let indices = &self.metadata().parameters[used.index].indices;
                let count = stream.layout.shape.extents[rank - 1] as usize;
                match elements.rows(indices, count) {
                    Some(rows) => {
                        let bytes = rows.iter().map(|rows| stream.bytes(rank - 1, rows));
                        bytes.collect()
                    }
                    None => vec![stream.all()],
                }
            }
            _ => vec![stream.all()],
        }
    }
}

impl Work {
    /// Streams whose elements belong to the items become streams of these elements only, so that item i still has element i.
    fn new(used: &[Used], slab: Slab, (part, device): (usize, &Device)) -> Result<Self> {
        let view = |used: &Used| {
            if !used.role.is_read() {
                used.stream.commit(part, &used.written(&slab))?;
            }
            let own = match &slab.places {
                Some((axis, places)) if used.linear => {
                    let places = (places, slab.range.told);
                    used.stream.slab_on(part, device, *axis, places)?
                }
                _ => None,
            };
            match own {
                Some(own) => Ok(own),
                None => used.stream.on(part, device),
            }
        };
        let streams = used.iter().map(view).collect::<Result<_>>()?;
        Ok(Self {
            part,
            slab,
            beside: false,
            streams,
        })
    }
}

/// Whether rows of one memory are written for other rows of another part of it, so that they have no device that they could belong to.
fn crosses(used: &[Used], axis: usize) -> bool {
    let outputs = || used.iter().filter(|u| !u.role.is_read());
    let start = |u: &Used| u.stream.layout.start[axis];
    let crossed = |a: &Used, b: &Used| a.stream.shares(&b.stream) && start(a) != start(b);
    outputs().any(|a| outputs().any(|b| crossed(a, b)))
}

/// Launches what a device does, which has what it reads by then.
fn launch_work(
    kernel: &Kernel,
    call: &Call<'_>,
    used: &[Used],
    work: &Work,
    (arguments, rank, queue): (&[StreamArgument<'_>], usize, Option<&dyn Queue>),
) -> Result<()> {
    let mut passed: Vec<StreamArgument<'_>> = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        passed.push(match used.iter().position(|u| u.index == index) {
            Some(number) => StreamArgument::Stream(&work.streams[number]),
            None => call.lent(index, argument)?,
        });
    }
    kernel.map_part(&passed, rank, &work.slab.range, queue)
}

impl Used {
    /// Whether the place of an input's own element is the element's.
    fn is_placed(&self, range: &Range) -> bool {
        let (_, whole) = range.told.unwrap_or((range.start, range.whole));
        let whole = whole == self.stream.layout.shape.extents;
        whole && range.origin.iter().all(|o| *o == 0)
    }

    fn written(&self, slab: &Slab) -> ops::Range<usize> {
        match &slab.places {
            Some((axis, places)) => self.stream.bytes(*axis, places),
            None => self.stream.all(),
        }
    }

    /// The places of an input that items with these places read; one more on both sides where it is stretched or shrunk to
    /// their domain.
    fn stretched(
        &self,
        axis: usize,
        places: &ops::Range<usize>,
        range: &Range,
    ) -> ops::Range<usize> {
        let extent = self.stream.layout.shape.extents[axis] as usize;
        let (_, whole) = range.told.unwrap_or((range.start, range.whole));
        let (origin, whole) = (range.origin[axis] as usize, whole[axis] as usize);
        if extent == whole {
            let from = places.start.saturating_sub(origin);
            return from..places.end.saturating_sub(origin).min(extent);
        }
        let at = |place: usize| place.saturating_sub(origin) * extent / whole.max(1);
        let from = at(places.start).saturating_sub(1);
        from.min(extent)..(at(places.end - 1) + 2).min(extent)
    }
}
