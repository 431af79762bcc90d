//! Calls that a [`Sequence`](super::super::Sequence) keeps: which of them become one kernel when it is recorded.
//!
//! What such a call reads and writes is compared by where memory lies, so that streams, and memory that kernels of OKL are given,
//! need not know of each other. Whatever a sequence writes somebody may read between two of its replays, but for streams that
//! nobody has any more.

use super::super::call_argument::{Number, StreamArgument};
use super::super::kernel::FunctionSink;
use super::super::layout::{Layout, Shape};
use super::super::reduce_plan::has_short_rows;
use super::super::stream::DynStream;
use super::super::stream_memory::StreamMemory;
use super::super::{Device, Kernel, KernelArgument, sanitized};
use super::call::{Given, Waiting, may_be_fused, values};
use super::group::Group;
use super::mapped::{Mapped, mapped, of_okl};
use super::needed::Others;
use super::run::{self, Fused};
use super::{Fusion, plan};
use crate::render::{Form, Role};
use brook_driver::Buffer;
use std::ops::Range;
use std::sync::Arc;

/// The calls of a recording that may be fused, in order.
#[derive(Default)]
pub(in super::super) struct Recorded {
    calls: Vec<Waiting>,
    /// Of each the steps that it is if it is not fused.
    steps: Vec<Range<usize>>,
    folds: Vec<Fold>,
    owners: Vec<Owner>,
}

/// A reduction, which may fold what calls before it make.
struct Fold {
    kernel: Kernel,
    steps: Range<usize>,
    /// Of each of its parameters the value, if it is one.
    values: Vec<Option<Number>>,
    /// Its streams by their places.
    input: DynStream,
    output: DynStream,
}

/// Memory of streams that were recorded.
struct Owner {
    memory: Arc<StreamMemory>,
    /// The same by its place.
    place: Arc<StreamMemory>,
    /// Others knew it before.
    exposed: bool,
}

/// What becomes of neighbouring calls.
pub(in super::super) struct Part<'r> {
    /// The steps that it replaces.
    pub(in super::super) steps: Range<usize>,
    /// Those of them that stay where there is no kernel.
    pub(in super::super) kept: Vec<Range<usize>>,
    fused: Option<(Group<'r>, Arc<Fused>)>,
    /// What a reduction writes that ends it.
    output: Option<&'r DynStream>,
}

impl Part<'_> {
    /// Hands the launches of the kernel that the calls have become to a sink; whether there is one.
    pub(in super::super) fn record(&self, device: &Device, sink: &mut FunctionSink<'_>) -> bool {
        let Some((group, fused)) = &self.fused else {
            return false;
        };
        let done = fused.call(group, self.output, Some(sink)).is_ok();
        if done {
            fused.count(group, device.pending());
        }
        done
    }
}

impl Recorded {
    /// Notes the streams of a call that is going to be recorded.
    pub(in super::super) fn note_streams(&mut self, arguments: &[StreamArgument<'_>]) {
        for stream in arguments.iter().filter_map(StreamArgument::stream) {
            let known = |owner: &Owner| Arc::ptr_eq(&owner.memory, &stream.memory);
            if self.owners.iter().any(known) {
                continue;
            }
            let buffer = stream.memory.buffer().ok();
            self.owners.extend(buffer.and_then(|buffer| {
                Some(Owner {
                    place: StreamMemory::by_place(&stream.device, buffer)?,
                    memory: Arc::clone(&stream.memory),
                    exposed: stream.is_exposed(),
                })
            }));
        }
    }

    /// Notes a call of a kernel of Brook+ that is these steps.
    pub(in super::super) fn note_call(
        &mut self,
        steps: Range<usize>,
        kernel: &Kernel,
        arguments: &[StreamArgument<'_>],
    ) {
        if kernel.metadata().form == Form::Reduce {
            self.folds.extend(Fold::of(steps, kernel, arguments));
            return;
        }
        self.note(steps, || {
            let given = of_brook(kernel, arguments)?;
            Some((kernel.clone(), None, given))
        });
    }

    /// Notes a launch of a kernel of OKL that is these steps.
    pub(in super::super) fn note_launch(
        &mut self,
        steps: Range<usize>,
        kernel: &Kernel,
        arguments: &[KernelArgument<'_>],
    ) {
        self.note(steps, || {
            let mapped = mapped(kernel)?;
            let given = of_okl(kernel.program().device(), &mapped, arguments)?;
            Some((kernel.clone(), Some(mapped), given))
        });
    }

    fn note(
        &mut self,
        steps: Range<usize>,
        call: impl FnOnce() -> Option<(Kernel, Option<Arc<Mapped>>, Vec<Given>)>,
    ) {
        if let Some((kernel, mapped, arguments)) = call() {
            let call = Waiting::new(self.calls.len() as u64, kernel, mapped, arguments);
            if call.is_of_one_shape() {
                self.calls.push(call);
                self.steps.push(steps);
            }
        }
    }

    /// Whether there is nothing to fuse.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.calls.len() + self.folds.len() < 2 || self.calls.is_empty()
    }

    /// What the calls become, in order; `given` has the memory that each of all steps is given.
    pub(in super::super) fn parts(
        &self,
        device: &Device,
        given: &[Vec<&Arc<dyn Buffer>>],
    ) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        let mut first = 0;
        while first < self.calls.len() {
            // Between these nothing else is done.
            let follows = |n: &usize| self.steps[*n].start == self.steps[*n - 1].end;
            let more = (first + 1..self.calls.len()).take_while(follows).count();
            self.run(first..first + 1 + more, device, given, &mut parts);
            first += 1 + more;
        }
        parts
    }

    /// What calls become that follow each other without anything in between.
    fn run<'r>(
        &'r self,
        run: Range<usize>,
        device: &Device,
        given: &[Vec<&Arc<dyn Buffer>>],
        parts: &mut Vec<Part<'r>>,
    ) {
        let calls = &self.calls[run.clone()];
        let all = self.steps[run.start].start..self.steps[run.end - 1].end;
        let others = |stream: &DynStream| self.may_be_read(stream, calls, &all, given);
        let groups = plan::groups(calls, calls.len(), &others);
        let (mut begin, ends) = (all.start, groups.len());
        let follows = |fold: &&Fold| fold.steps.start == all.end;
        let fold = self.folds.iter().find(follows);
        for (n, group) in groups.into_iter().enumerate() {
            let mut kept: Vec<Range<usize>> = { group.calls.iter() }
                .map(|call| self.steps[call.number() as usize].clone())
                .collect();
            let is_last = n + 1 == ends;
            let mut end = match kept.last() {
                Some(last) if !is_last => last.end,
                _ => all.end,
            };
            let find = |group: &Group<'_>| run::find(group, device.pending(), true);
            let folded = fold.filter(|_| is_last).and_then(|fold| {
                let all = all.start..fold.steps.end;
                let others = |stream: &DynStream| self.may_be_read(stream, calls, &all, given);
                let group = fold.after(&group, &others)?;
                find(&group).map(|fused| (group, fused, fold))
            });
            let mut output = None;
            let fused = match folded {
                Some((group, fused, fold)) => {
                    end = fold.steps.end;
                    kept.push(fold.steps.clone());
                    output = Some(&fold.output);
                    Some((group, fused))
                }
                None if group.calls.len() == 1 => None,
                None => find(&group).map(|fused| (group, fused)),
            };
            parts.push(Part {
                steps: std::mem::replace(&mut begin, end)..end,
                kept,
                fused,
                output,
            });
        }
    }

    /// Whether somebody may read what calls that are these steps write to a stream, but for themselves.
    fn may_be_read(
        &self,
        stream: &DynStream,
        calls: &[Waiting],
        steps: &Range<usize>,
        given: &[Vec<&Arc<dyn Buffer>>],
    ) -> bool {
        let mut owners = self.owners.iter().filter(|o| o.place.meets(&stream.memory));
        let known = owners.clone().next().is_some();
        !known || owners.any(|owner| owner.may_be_read(calls, steps, given))
    }
}

impl Fold {
    /// A reduction that is these steps, if it may fold what others make.
    fn of(steps: Range<usize>, kernel: &Kernel, arguments: &[StreamArgument<'_>]) -> Option<Self> {
        let parameters = &kernel.metadata().parameters;
        let stream = |role: Role| {
            let mut all = parameters.iter().zip(arguments);
            all.find(|(p, _)| p.role == role)?.1.stream()
        };
        let (input, output) = (stream(Role::Input)?, stream(Role::Reduce)?);
        // To one element all are folded alike, whatever their shape.
        let flat = |s: &DynStream| s.layout.shape.rank == 1 || output.layout.shape.count() == 1;
        let usual = |s: &DynStream| flat(s) && s.layout.is_packed();
        let plain = usual(input)
            && usual(output)
            && !has_short_rows(&input.layout, &output.layout.shape)
            && may_be_fused(kernel);
        let flat = |stream: &DynStream| {
            let count = u32::try_from(stream.layout.shape.count()).ok()?;
            by_place(stream, Layout::packed(Shape::new(&[count])?))
        };
        plain.then_some(())?;
        Some(Self {
            kernel: kernel.clone(),
            values: values(arguments),
            input: flat(input)?,
            output: flat(output)?,
            steps,
        })
    }

    /// Calls with this at the end, if it folds what they make; `others` says what somebody else may read.
    fn after<'r>(&'r self, group: &Group<'r>, others: &Others<'_>) -> Option<Group<'r>> {
        let mut group = group.clone();
        for used in &mut group.streams {
            used.kept &= others(used.stream);
        }
        let mut calls = group.calls.iter();
        let apart = !calls.any(|call| call.touches(&self.output));
        let folded = group.folded_by(&self.kernel, self.values.clone(), &self.input);
        folded.filter(|_| apart)
    }
}

impl Owner {
    /// The same of this memory.
    fn may_be_read(
        &self,
        calls: &[Waiting],
        steps: &Range<usize>,
        given: &[Vec<&Arc<dyn Buffer>>],
    ) -> bool {
        if self.exposed || Arc::strong_count(&self.memory) > 1 {
            return true;
        }
        let elsewhere = given.iter().enumerate();
        let mut elsewhere = elsewhere
            .filter(|(n, _)| !steps.contains(n))
            .flat_map(|s| s.1);
        if elsewhere.any(|buffer| self.place.meets_buffer(buffer)) {
            return true;
        }
        // What is read before it is written was written when all of it was done the last time.
        let streams = || {
            calls
                .iter()
                .flat_map(Waiting::streams)
                .map(|(_, stream)| stream)
        };
        let mut here = streams().filter(|s| s.memory.meets(&self.place));
        let Some(one) = here.next() else {
            return true;
        };
        let touching = |call: &&Waiting| call.touches(one);
        let reads = |call: &Waiting| call.read().any(|s| s.overlaps(one));
        !here.all(|s| s.is_same_part(one)) || calls.iter().find(touching).is_none_or(reads)
    }
}

/// A stream by the place of its memory.
fn by_place(stream: &DynStream, layout: Layout) -> Option<DynStream> {
    let place = StreamMemory::by_place(&stream.device, stream.memory.buffer().ok()?)?;
    Some(stream.in_memory(place, layout))
}

/// What a call over streams is given, if it may be fused: streams by their places.
fn of_brook(kernel: &Kernel, arguments: &[StreamArgument<'_>]) -> Option<Vec<Given>> {
    let metadata = kernel.metadata();
    if metadata.form != Form::Map || !may_be_fused(kernel) {
        return None;
    }
    let streams = || arguments.iter().filter_map(StreamArgument::stream);
    let shape = streams().next()?.layout.shape;
    // Of kernels that do not ask for places, only the order of the elements means anything.
    let flat = !metadata.placed
        && metadata.parameters.iter().all(|p| !p.role.is_gathered())
        && streams().all(|s| s.layout.is_packed() && s.layout.shape == shape);
    let flat = u32::try_from(shape.count()).ok().filter(|_| flat);
    let flat = flat.and_then(|count| Shape::new(&[count]));
    let given = |argument: &StreamArgument<'_>| match argument.stream() {
        Some(stream) => {
            let layout = flat.map_or(stream.layout, Layout::packed);
            by_place(stream, layout).map(Given::Stream)
        }
        None => Given::new(argument),
    };
    arguments.iter().map(given).collect()
}

/// Whether calls that are recorded for a device may be fused.
pub(in super::super) fn fuses(device: &Device) -> bool {
    device.fusion() != Fusion::Off && device.set_of().is_none() && !sanitized::is_wanted()
}
