//! Calls of kernels for each element of their outputs, on the devices of a set.

use super::super::call_argument::StreamArgument;
use super::super::call_binding::Call;
use super::super::layout::Range;
use super::super::stream::DynStream;
use super::super::{Device, Kernel, Result};
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
        for (part, device) in devices.iter().enumerate() {
            let Some(slab) = self.slab(&used, range, part)? else {
                continue;
            };
            let streams = self.prepare(&used, &slab, (part, device))?;
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
        used: &[Used],
        slab: &Slab,
        (part, device): (usize, &Device),
    ) -> Result<Vec<DynStream>> {
        let mut streams = Vec::new();
        for used in used {
            if let Some(bytes) = used.needed(self.metadata().elementwise, slab) {
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
}

impl Used {
    /// The bytes that a device may read of it, or has to have for what it writes between them.
    fn needed(&self, elementwise: bool, slab: &Slab) -> Option<ops::Range<usize>> {
        let Some((axis, places)) = &slab.places else {
            return Some(self.stream.all());
        };
        match self.role {
            // All elements are written, and nothing lies between them.
            Role::Output if elementwise && self.linear => None,
            Role::Output => Some(self.stream.bytes(*axis, places)),
            Role::Input => {
                let places = self.stretched(*axis, places, &slab.range);
                Some(self.stream.bytes(*axis, &places))
            }
            _ => Some(self.stream.all()),
        }
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
