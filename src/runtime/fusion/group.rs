//! Calls that become one kernel.

use super::super::call_argument::Number;
use super::super::element::ElementType;
use super::super::stream::DynStream;
use super::super::{Kernel, Program};
use super::call::{Given, Waiting};
use super::slice::Slice;
use crate::module::Base;
use crate::render::Role;
use brook_driver::Math;

/// Kernels that become one.
const MOST_CALLS: usize = 8;
/// Streams of such a kernel, each with its shape, and numbers among its parameters: devices have room for a thousand bytes.
const MOST_STREAMS: usize = 12;
const MOST_NUMBERS: usize = 24;

/// Neighbouring calls that become one kernel, or a single one.
#[derive(Clone)]
pub(super) struct Group<'w> {
    pub(super) calls: Vec<&'w Waiting>,
    /// The streams of all of them.
    pub(super) streams: Vec<Used<'w>>,
    /// For each call and each of its parameters, the number of the stream; `None` for a value, and for what is gathered.
    pub(super) wires: Vec<Vec<Option<usize>>>,
    /// What calls gather, each as often as it is a parameter.
    gathered: Vec<&'w DynStream>,
    /// The reduction that ends it.
    pub(super) fold: Option<Folding<'w>>,
    numbers: usize,
}

/// A reduction of what calls make.
#[derive(Clone)]
pub(super) struct Folding<'w> {
    pub(super) kernel: &'w Kernel,
    /// The number of the stream that it would read.
    pub(super) input: usize,
    /// Of each of its parameters the value, if it is one.
    pub(super) values: Vec<Option<Number>>,
}

/// A stream, and what a group does with it.
#[derive(Clone)]
pub(super) struct Used<'w> {
    pub(super) stream: &'w DynStream,
    /// The words of its type.
    pub(super) type_name: &'w str,
    /// The first who uses it reads it.
    pub(super) outside: bool,
    pub(super) written: bool,
    /// Somebody may read what was written.
    pub(super) kept: bool,
}

impl<'w> Group<'w> {
    fn of(calls: &[&'w Waiting]) -> Self {
        let mut this = Self {
            calls: Vec::new(),
            streams: Vec::new(),
            wires: Vec::new(),
            gathered: Vec::new(),
            fold: None,
            numbers: 0,
        };
        calls.iter().for_each(|call| this.add(call));
        this
    }

    /// The first of the calls, as many as can be one kernel.
    fn taking(calls: impl IntoIterator<Item = &'w Waiting>) -> Self {
        let mut this = Self::of(&[]);
        for call in calls {
            if !this.takes(call) {
                break;
            }
            this.add(call);
        }
        this
    }

    /// All of the calls, with nothing stored; `None` if they are no single kernel.
    pub(super) fn slice(calls: &'w [Waiting]) -> Option<Self> {
        let this = Self::taking(calls);
        (this.calls.len() == calls.len()).then_some(this)
    }

    /// The same with what a slice stores.
    pub(super) fn storing(slice: &'w Slice) -> Option<Self> {
        let mut this = Self::slice(&slice.calls)?;
        for used in &mut this.streams {
            used.kept = used.written && slice.is_stored(used.stream);
        }
        Some(this)
    }

    /// The same with a reduction of a stream that it makes; `None` if that would not fold the same elements in the same order.
    pub(super) fn folded_by(
        mut self,
        kernel: &'w Kernel,
        values: Vec<Option<Number>>,
        input: &DynStream,
    ) -> Option<Self> {
        let number = self.number(input)?;
        let layout = self.streams[number].stream.layout;
        let plain = matches!(input.element, ElementType::Number(ty)
            if matches!(ty.base, Base::Float | Base::Double | Base::Int | Base::UInt));
        let same = self.calls.iter().all(|call| match call.mapped {
            None => call.kernel.program().is_same(kernel.program()),
            Some(_) => math(&call.kernel) == math(kernel),
        });
        // A reduction does not know places.
        let placed = self.calls.iter().any(|c| c.kernel.metadata().placed);
        // Elements are found by one index.
        let there = || self.streams.iter().filter(|used| used.outside || used.kept);
        let side_by_side = there().all(|used| used.stream.layout == layout);
        let any = there().next().is_some();
        self.fold = Some(Folding {
            kernel,
            input: number,
            values,
        });
        (plain && same && !placed && side_by_side && any && self.streams[number].written)
            .then_some(self)
    }

    /// The first of the calls, as many as become one kernel; of what is done again and again the same ones each time.
    pub(super) fn first(calls: &[&'w Waiting]) -> Self {
        let this = Self::taking(calls.iter().copied());
        match this.calls.len() == MOST_CALLS && calls.len() > MOST_CALLS {
            true => match whole_periods(calls) {
                MOST_CALLS => this,
                fewer => Self::of(&calls[..fewer]),
            },
            false => this,
        }
    }

    /// Whether the call can follow within the same kernel.
    fn takes(&self, call: &Waiting) -> bool {
        let Some(first) = self.calls.first() else {
            return true;
        };
        let shape = |c: &Waiting| c.written().next().map(|s| s.layout.shape);
        // How calls of several threads mix is another each time, and would make another kernel each time.
        let same = first.thread == call.thread
            && self.is_of_one_program_with(call)
            && shape(first) == shape(call);
        // Everything in a kernel is an item's own element, or is not touched by the other at all.
        let apart = call.streams().all(|(parameter, stream)| {
            if parameter.role.is_gathered() {
                let mut written = self.streams.iter().filter(|used| used.written);
                return !written.any(|used| used.stream.overlaps(stream));
            }
            if parameter.role == Role::Output && self.gathered.iter().any(|g| g.overlaps(stream)) {
                return false;
            }
            self.streams.iter().all(|used| {
                let reads = parameter.role == Role::Input;
                reads && !used.written
                    || used.stream.is_same_part(stream)
                    || !used.stream.overlaps(stream)
            })
        });
        let fresh = call.streams().filter(|(parameter, stream)| {
            parameter.role.is_gathered() || self.number(stream).is_none()
        });
        same && apart
            && self.calls.len() < MOST_CALLS
            && self.streams.len() + self.gathered.len() + fresh.count() <= MOST_STREAMS
            && self.numbers + numbers(call) <= MOST_NUMBERS
    }

    /// Whether the call's kernel can be built with those of the group: those of Brook+ are of one program, and all compute by the
    /// same rules.
    fn is_of_one_program_with(&self, call: &Waiting) -> bool {
        let alike = self.calls.first().is_none_or(|first| {
            let mapped = first.mapped.is_some() || call.mapped.is_some();
            !mapped || math(&first.kernel) == math(&call.kernel)
        });
        let mut of_brook = self.calls.iter().filter(|c| c.mapped.is_none());
        let other = of_brook.next().filter(|_| call.mapped.is_none());
        alike && other.is_none_or(|c| c.kernel.program().is_same(call.kernel.program()))
    }

    /// The program that its kernel is built with.
    pub(super) fn program(&self) -> Option<&'w Program> {
        let of_brook = self.calls.iter().find(|c| c.mapped.is_none());
        let call = of_brook.or(self.calls.first())?;
        let kernel = self.fold.as_ref().map_or(&call.kernel, |fold| fold.kernel);
        Some(kernel.program())
    }

    /// Whether nothing of a program of Brook+ is in it.
    pub(super) fn is_of_okl(&self) -> bool {
        self.fold.is_none() && self.calls.iter().all(|call| call.mapped.is_some())
    }

    fn number(&self, stream: &DynStream) -> Option<usize> {
        let mut streams = self.streams.iter();
        streams.position(|used| used.stream.is_same_part(stream))
    }

    fn add(&mut self, call: &'w Waiting) {
        let parameters = call.parameters();
        let mut wires = vec![None; call.arguments.len()];
        // All inputs are read before anything is written.
        for role in [Role::Input, Role::Output] {
            for (index, (parameter, argument)) in parameters.iter().zip(&call.arguments).enumerate()
            {
                let Given::Stream(stream) = argument else {
                    continue;
                };
                if parameter.role != role {
                    continue;
                }
                let number = self.number(stream).unwrap_or_else(|| {
                    self.streams.push(Used {
                        stream,
                        type_name: &parameter.type_name,
                        outside: role == Role::Input,
                        written: false,
                        kept: false,
                    });
                    self.streams.len() - 1
                });
                let used = &mut self.streams[number];
                used.written |= role == Role::Output;
                wires[index] = Some(number);
            }
        }
        self.gathered.extend(call.gathered());
        self.numbers += numbers(call);
        self.wires.push(wires);
        self.calls.push(call);
    }

    /// The kernels, and where their streams come from.
    pub(super) fn chain(&self) -> Vec<u32> {
        let mut identity = Vec::new();
        for (call, wires) in self.calls.iter().zip(&self.wires) {
            identity.extend(call.kernel_number());
            let wire = |w: &Option<usize>| w.map_or(u32::MAX, |n| n as u32);
            identity.extend(wires.iter().map(wire));
        }
        identity
    }

    /// What tells the group's kernel from those of other groups: the same with which streams are stored.
    pub(super) fn identity(&self) -> Vec<u32> {
        let mut identity = self.chain();
        for used in &self.streams {
            let flags = [used.outside, used.written, used.kept];
            identity.push(
                flags
                    .iter()
                    .fold(0, |all, flag| all << 1 | u32::from(*flag)),
            );
        }
        if let Some(fold) = &self.fold {
            let number = fold.kernel.number().map_or(u32::MAX, |n| n as u32);
            identity.extend([u32::MAX, number, fold.input as u32]);
        }
        identity
    }

    /// The names of its kernels.
    pub(super) fn names(&self) -> String {
        let kernels = self.calls.iter().map(|c| &c.kernel);
        let kernels = kernels.chain(self.fold.iter().map(|f| f.kernel));
        let names = kernels.map(|kernel| kernel.metadata().name.as_str());
        names.collect::<Vec<_>>().join(" + ")
    }

    /// Bytes that the group's kernel needs not move.
    pub(super) fn saved_bytes(&self) -> u64 {
        let bytes = |s: &DynStream| s.bytes() as u64;
        let each: u64 = self
            .calls
            .iter()
            .flat_map(|c| c.streams())
            .filter(|(parameter, _)| !parameter.role.is_gathered())
            .map(|(_, s)| bytes(s))
            .sum();
        let fused: u64 = self
            .streams
            .iter()
            .map(|used| bytes(used.stream) * (u64::from(used.outside) + u64::from(used.kept)))
            .sum();
        let folded = self
            .fold
            .as_ref()
            .map(|fold| bytes(self.streams[fold.input].stream));
        (each + folded.unwrap_or(0)).saturating_sub(fused)
    }
}

/// By which rules a kernel's program computes.
fn math(kernel: &Kernel) -> Option<Math> {
    let recipe = kernel.program().recipe()?;
    Some(recipe.options.compile.math)
}

/// The numbers among a call's arguments.
fn numbers(call: &Waiting) -> usize {
    let numbers = call.arguments.iter().map(|argument| match argument {
        Given::Stream(_) => 0,
        Given::Value(value) => value.bytes().len().div_ceil(8),
    });
    numbers.sum()
}

/// How many of the first calls make a kernel: of kernels that come again and again in the same order, whole rounds.
fn whole_periods(calls: &[&Waiting]) -> usize {
    let window = &calls[..calls.len().min(2 * MOST_CALLS)];
    let again = |period: usize| {
        let mut pairs = window.iter().zip(&window[period..]);
        pairs.all(|(a, b)| a.kernel_number() == b.kernel_number())
    };
    let period = (1..MOST_CALLS).find(|p| again(*p)).unwrap_or(MOST_CALLS);
    MOST_CALLS / period * period
}
