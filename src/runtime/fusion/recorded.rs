//! Calls that a [`Sequence`](super::super::Sequence) keeps: which of them become one kernel when it is recorded.
//!
//! What such a call reads and writes is compared by where memory lies, so that streams, and memory that kernels of OKL are given,
//! need not know of each other. Whatever a sequence writes somebody may read between two of its replays, but for streams that
//! nobody has any more.

use super::super::argument::Passed;
use super::super::call_argument::{Number, StreamArgument};
use super::super::element::ElementType;
use super::super::kernel::FunctionSink;
use super::super::launch::to_bytes;
use super::super::layout::{Layout, Shape};
use super::super::stream::DynStream;
use super::super::stream_memory::StreamMemory;
use super::super::{Device, Kernel, KernelArgument, sanitized};
use super::call::{Given, Waiting, may_be_fused};
use super::group::Group;
use super::run::{self, Fused};
use super::{Fusion, plan};
use crate::maps::{self, Map, Rounding};
use crate::render::{Form, KernelMetadata, ParameterMetadata, Role};
use crate::transpile;
use brook_driver::{Buffer, Math};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A kernel of OKL that is one of Brook+, too.
pub(in super::super) struct Mapped {
    pub(super) map: Map,
    /// Those of the kernel of Brook+.
    pub(super) parameters: Vec<ParameterMetadata>,
    /// Another one for each kernel.
    pub(super) number: u32,
}

/// The calls of a recording that may be fused, in order.
#[derive(Default)]
pub(in super::super) struct Recorded {
    calls: Vec<Waiting>,
    /// Of each the steps that it is if it is not fused.
    steps: Vec<Range<usize>>,
    owners: Vec<Owner>,
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
}

impl Part<'_> {
    /// Hands the launches of the kernel that the calls have become to a sink; whether there is one.
    pub(in super::super) fn record(&self, device: &Device, sink: &mut FunctionSink<'_>) -> bool {
        let Some((group, fused)) = &self.fused else {
            return false;
        };
        let done = fused.record(group, sink).is_ok();
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
            let call = Waiting::recorded(self.calls.len(), kernel, mapped, arguments);
            if call.is_of_one_shape() {
                self.calls.push(call);
                self.steps.push(steps);
            }
        }
    }

    /// Whether there is nothing to fuse.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.calls.len() < 2
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
        let others = |stream: &DynStream| {
            let mut owners = self.owners.iter().filter(|o| o.place.meets(&stream.memory));
            let known = owners.clone().next().is_some();
            !known || owners.any(|owner| owner.may_be_read(calls, &all, given))
        };
        let groups = plan::groups(calls, calls.len(), &others);
        let (mut begin, ends) = (all.start, groups.len());
        for (n, group) in groups.into_iter().enumerate() {
            let kept: Vec<Range<usize>> = { group.calls.iter() }
                .map(|call| self.steps[call.number() as usize].clone())
                .collect();
            let end = match kept.last() {
                Some(last) if n + 1 < ends => last.end,
                _ => all.end,
            };
            let fused = match group.calls.len() {
                1 => None,
                _ => run::find(&group, device.pending(), true).map(|fused| (group, fused)),
            };
            let steps = std::mem::replace(&mut begin, end)..end;
            parts.push(Part { steps, kept, fused });
        }
    }
}

impl Owner {
    /// Whether somebody may read what calls that are these steps write there, but for themselves.
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
            let place = StreamMemory::by_place(&stream.device, stream.memory.buffer().ok()?)?;
            let layout = flat.map_or(stream.layout, Layout::packed);
            Some(Given::Stream(stream.in_memory(place, layout)))
        }
        None => Given::new(argument),
    };
    arguments.iter().map(given).collect()
}

/// What a kernel of OKL is in Brook+.
fn mapped(kernel: &Kernel) -> Option<Arc<Mapped>> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let program = kernel.program();
    let (recipe, backend) = (program.recipe()?, program.device().backend());
    let options = &recipe.options;
    let rounding = match options.compile.math == Math::Default {
        false => Rounding::Each,
        true if contracts(program.device()) => Rounding::Contracted,
        true => Rounding::Unknown,
    };
    if kernel.metadata().form != Form::Okl
        || options.compile.math == Math::Fast
        || !options.compile.flags.is_empty()
        || !options.translate.extensions.is_empty()
    {
        return None;
    }
    program.fused().mapped(kernel.number()?, || {
        let translate = options.translation();
        let made = transpile::bodies(&recipe.source, backend, &translate, &options.files);
        let Ok((_, bodies, _)) = made else {
            return Vec::new();
        };
        let bodies = Arc::new(bodies);
        let mapped = |kernel: &KernelMetadata| {
            let map = Map::of(&bodies, &kernel.name, rounding)?;
            Some(Arc::new(Mapped {
                parameters: map.parameters.iter().map(parameter).collect(),
                map,
                number: NUMBER.fetch_add(1, Ordering::Relaxed),
            }))
        };
        program.metadata().kernels.iter().map(mapped).collect()
    })
}

/// Whether a device's compiler is known to contract a product and a sum wherever there is one way to do that.
fn contracts(device: &Device) -> bool {
    let info = device.info();
    let known = |words: &[&str]| {
        let compiler = info.compiler.as_deref().unwrap_or_default();
        let mut words = words.iter();
        words.any(|w| info.name.contains(w) || compiler.contains(w))
    };
    match device.name().split(':').next() {
        Some("cuda" | "openmp" | "hip-on-cuda") => true,
        Some("opencl") => known(&["NVIDIA", "PoCL"]),
        _ => false,
    }
}

fn parameter(of: &maps::MapParameter) -> ParameterMetadata {
    ParameterMetadata {
        name: of.name(),
        role: match of.what {
            maps::Passed::Value => Role::Value,
            maps::Passed::Input => Role::Input,
            maps::Passed::Output => Role::Output,
        },
        type_name: of.scalar.c_name().to_string(),
        scalar: (of.what == maps::Passed::Value).then_some(of.scalar),
        bytes: Some(of.scalar.size()),
        dtype: None,
        constant: false,
        dimensions: Vec::new(),
        extents: Vec::new(),
        numbers: Vec::new(),
        indices: Vec::new(),
    }
}

/// What the kernel of Brook+ is given where that of OKL is given this: of its memory the elements that iterations have.
fn of_okl(
    device: &Device,
    mapped: &Mapped,
    arguments: &[KernelArgument<'_>],
) -> Option<Vec<Given>> {
    let scalar = |argument: usize| match arguments.get(argument)?.0 {
        Passed::Scalar(value) => Some(value),
        _ => None,
    };
    let elements = mapped
        .map
        .elements(&|argument| scalar(argument)?.as_i64())?;
    let count = u32::try_from(elements.end - elements.start).ok()?;
    let layout = Layout::packed(Shape::new(&[count])?);
    let given = mapped.map.parameters.iter().map(|parameter| {
        if parameter.what == maps::Passed::Value {
            let value = scalar(parameter.argument)?.convert(parameter.scalar);
            let mut room = [0; 8];
            let size = to_bytes(value, &mut room);
            return Number::of(parameter.scalar, &room[..size]).map(Given::Value);
        }
        let (Passed::Memory { buffer, .. } | Passed::Raw(buffer)) =
            arguments.get(parameter.argument)?.0
        else {
            return None;
        };
        let size = parameter.scalar.size();
        let first = usize::try_from(elements.start).ok()?.checked_mul(size)?;
        let bytes = usize::try_from(count).ok()?.checked_mul(size)?;
        let part = buffer.slice(first, bytes).ok()?;
        if part.needs_offset() {
            return None;
        }
        let element = ElementType::from_name(parameter.scalar.c_name())?;
        let place = StreamMemory::by_place(device, &part)?;
        Some(Given::Stream(DynStream::of_memory(
            device, element, layout, place,
        )))
    });
    let given: Vec<Given> = given.collect::<Option<_>>()?;
    // What one of its items writes by one name, it may read by another, but only before that.
    let arrays = || {
        let pairs = mapped.map.parameters.iter().zip(&given);
        pairs.filter_map(|(parameter, given)| match given {
            Given::Stream(stream) => Some((parameter, stream)),
            Given::Value(_) => None,
        })
    };
    let written =
        |(parameter, _): &(&maps::MapParameter, &DynStream)| parameter.what == maps::Passed::Output;
    let apart = arrays().filter(written).all(|(one, stream)| {
        let before = |other: &maps::MapParameter, s: &DynStream| {
            !mapped.map.late && other.what == maps::Passed::Input && s.is_same_part(stream)
        };
        arrays().all(|(other, s)| {
            one.argument == other.argument || !s.overlaps(stream) || before(other, s)
        })
    });
    apart.then_some(given)
}

/// Whether calls that are recorded for a device may be fused.
pub(in super::super) fn fuses(device: &Device) -> bool {
    device.fusion() != Fusion::Off && device.set_of().is_none() && !sanitized::is_wanted()
}
