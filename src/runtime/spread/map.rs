//! Calls of kernels for each element of their outputs, on the devices of a set.

use super::super::call_argument::StreamArgument;
use super::super::call_binding::Call;
use super::super::layout::Range;
use super::super::stream::DynStream;
use super::super::{Device, Kernel, Result};
use super::rows::Elements;
use super::rule;
use super::view::Shared;
use crate::render::Role;
use std::ops;

/// A stream of a call.
struct Used {
    index: usize,
    role: Role,
    stream: Shared,
    /// Item i has its element i.
    linear: bool,
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
        let devices = call.device().parts();
        // All of them have what they read before one begins: what that writes, nobody reads, and copies wait for it.
        let mut ready = Vec::new();
        for (part, device) in devices.iter().enumerate() {
            if let Some(slab) = self.slab(&used, range, part)? {
                let streams = self.prepare(&used, &slab, arguments, (part, device))?;
                ready.push((part, slab, streams));
            }
        }
        for (part, slab, streams) in ready {
            let kernel = self.on_part(part)?;
            let mut passed: Vec<StreamArgument<'_>> = Vec::with_capacity(arguments.len());
            for (index, argument) in arguments.iter().enumerate() {
                passed.push(match used.iter().position(|u| u.index == index) {
                    Some(number) => StreamArgument::Stream(&streams[number]),
                    None => call.lent(index, argument)?,
                });
            }
            let launched = kernel.map_part(&passed, rank, &slab.range);
            // Also where it failed: who knows how far it came.
            for used in used.iter().filter(|u| !u.role.is_read()) {
                used.stream.written(part, &used.written(&slab))?;
            }
            launched?;
        }
        Ok(())
    }

    /// What the device of that number does of a call; `None` where that is nothing.
    fn slab(&self, used: &[Used], range: &Range, part: usize) -> Result<Option<Slab>> {
        let first = used.iter().find(|u| matches!(u.role, Role::Output));
        let scatters = used.iter().any(|u| matches!(u.role, Role::Scatter(_)));
        let Some(first) = first.filter(|_| self.metadata().elementwise && !scatters) else {
            let all = Slab {
                range: *range,
                places: None,
            };
            return Ok((part == 0).then_some(all));
        };
        let axis = rule::axis(&first.stream.layout.whole);
        let share = first.stream.share(part, axis)?;
        Ok(range.slab(axis, &share).map(|(range, places)| Slab {
            range,
            places: Some((axis, places)),
        }))
    }

    /// Brings what a device reads, and gives the streams as it sees them, in the order of those that are used. Streams whose
    /// elements belong to the items become streams of these elements only, so that item i still has element i.
    fn prepare(
        &self,
        all: &[Used],
        slab: &Slab,
        arguments: &[StreamArgument<'_>],
        (part, device): (usize, &Device),
    ) -> Result<Vec<DynStream>> {
        let placed = |parameter| {
            let mut all = all.iter();
            all.any(|u| u.index == parameter && u.is_placed(&slab.range))
        };
        let elements = Elements {
            range: &slab.range,
            arguments,
            placed: &placed,
        };
        let mut streams = Vec::new();
        for used in all {
            for bytes in self.needed(used, slab, &elements) {
                used.stream.bring(part, &bytes)?;
            }
            let own = match &slab.places {
                Some((axis, places)) if used.linear => {
                    let places = (places, slab.range.told);
                    used.stream.slab_on(part, device, *axis, places)?
                }
                _ => None,
            };
            streams.push(match own {
                Some(own) => own,
                None => used.stream.on(part, device)?,
            });
        }
        Ok(streams)
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
                let indices = &self.metadata().parameters[used.index].rows;
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
