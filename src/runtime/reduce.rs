//! Calls of reductions.
//!
//! Besides the names of `call.rs`, where the domain is the shape of the output:
//!
//! | name | what |
//! |---|---|
//! | `brook_tile` | [`Layout`] of the input elements that one output folds |
//! | `brook_parts` | parts each tile is cut into, as `ulong`: row-major ranges, or what a [`Plan`] says |
//! | `brook_partials` | scratch memory for `brook_count * brook_parts` elements |
//! | `brook_split`, `brook_lanes`, `brook_last_lanes`, `brook_mode` | of a [`Plan`], as `uint` |

use super::bindings::{Bindings, Owned};
use super::call_argument::StreamArgument;
use super::call_binding::Call;
use super::fold::Partials;
use super::kernel::FunctionSink;
use super::launch::Bound;
use super::layout::{Layout, Range, Shape};
use super::reduce_plan::{Plan, has_short_rows};
use super::stream::DynStream;
use super::{Error, Kernel, Result};
use crate::backend::Model;
use crate::expr::{Scalar, Value};
use crate::module::LaunchVariable;
use crate::render::Role;
use brook_driver::{Buffer, DeviceKind};
use std::num::NonZero;
use std::sync::Arc;

/// Tiles of fewer elements are folded in one go.
pub(super) const SMALL_TILE: u64 = 1024;

/// Work items that keep a GPU busy.
const GPU_ITEMS: u64 = 1 << 16;

/// Work items that each multiprocessor of a GPU has room for.
const ITEMS_PER_UNIT: u64 = 2048;

/// Work items for each thread of a processor: enough to even out what some of them lose to others.
const ITEMS_PER_THREAD: u64 = 4;

impl Kernel {
    /// One that `folds` sees to it that its input is made.
    pub(super) fn reduce(
        &self,
        arguments: &mut [StreamArgument<'_>],
        sink: Option<&mut FunctionSink<'_>>,
        folds: bool,
    ) -> Result<()> {
        let target = self.metadata().parameters.iter();
        let target = target
            .zip(&*arguments)
            .find(|(p, _)| p.role == Role::Reduce);
        let Some((_, StreamArgument::Variable { bytes, .. })) = target else {
            return self.reduce_to(arguments, sink, folds, None, None);
        };
        let device = self.program().device();
        let memory = device.take_variable(bytes.len())?;
        let mut partials = None;
        let reduced = self.reduce_to(arguments, sink, folds, Some(&memory), Some(&mut partials));
        device.keep_variable(memory);
        reduced?;
        if let Some(partials) = partials {
            give(arguments, &partials.finish(device)?);
        }
        Ok(())
    }

    /// The same into a stream of one element, of what is checked, or with the last step left to the host.
    pub(super) fn reduce_in_part(
        &self,
        arguments: &mut [StreamArgument<'_>],
        partials: Option<&mut Option<Partials>>,
    ) -> Result<()> {
        self.reduce_to(arguments, None, false, None, partials)
    }

    /// The same, with memory for what becomes a variable of the host's. Where the host does the last step, it has
    /// `partials` to do it with, and the output is not written.
    fn reduce_to(
        &self,
        arguments: &mut [StreamArgument<'_>],
        sink: Option<&mut FunctionSink<'_>>,
        folds: bool,
        variable: Option<&Arc<dyn Buffer>>,
        mut left: Option<&mut Option<Partials>>,
    ) -> Result<()> {
        let recorded = sink.is_some();
        let call = Call::new(self, recorded);
        let parameters = &self.metadata().parameters;
        // One that is made of others may write streams besides.
        let read = |role| matches!(role, Role::Input | Role::Output);
        let inputs = call.streams(arguments, read)?;
        let target = parameters.iter().position(|p| p.role == Role::Reduce);
        let (Some((_, input)), Some(target)) = (inputs.first(), target) else {
            return Err(Error::argument("Kernel Execution: Invalid Input stream"));
        };
        if inputs
            .iter()
            .any(|(_, other)| other.layout.shape != input.layout.shape)
        {
            return Err(Error::argument(
                "Kernel Execution: Input stream dimension doesn't match with output dimension. \
                 Results might be undefined",
            ));
        }
        let input_shape = input.layout.shape;
        let element = call.type_of(target)?;
        if recorded && arguments[target].stream().is_none() {
            return call.fail(
                target,
                "is a variable of the host's, which a recorded call cannot write: it takes a stream",
            );
        }
        // A variable is a stream of one element, read back afterwards.
        let output = match (&arguments[target], variable) {
            (StreamArgument::Stream(stream), _) => (*stream).clone(),
            (StreamArgument::Growing(stream), _) => (**stream).clone(),
            (StreamArgument::Variable { scalar, bytes }, Some(memory))
                if bytes.len() == element.size()
                    && element
                        .number()
                        .is_none_or(|n| n.base.scalar() == Some(*scalar)) =>
            {
                let layout = Layout::packed(Shape::single(input_shape.rank));
                DynStream::on(self.program().device(), element, layout, Arc::clone(memory))
            }
            _ => {
                return call.fail(
                    target,
                    &format!("must be a stream or a variable of type {element}"),
                );
            }
        };
        let output_layout = align(&output.layout, input_shape.rank)?;
        let output_shape = output_layout.shape;
        let range = Range::all(&output_shape);
        let tile = tile(&input_shape, &output_shape)?;
        let set = !recorded && self.program().device().set_of().is_some();
        if folds || set {
            // Errors are those of any call.
            let (checked, mut unused) = (Call::checked(self), Bindings::new(&range));
            for (index, argument) in arguments.iter().enumerate() {
                let rank = output_shape.rank;
                match index == target {
                    true => drop(call.memory(index, Role::Reduce, &output, &range, &[])?),
                    false => checked.bind(index, argument, rank, &range, &[], &mut unused)?,
                }
            }
        }
        if set {
            let streams = arguments.iter().filter_map(StreamArgument::stream);
            let streams: Vec<&DynStream> = streams.collect();
            self.program().device().catch_up_for(&streams, &[])?;
            let total = match &arguments[target] {
                StreamArgument::Variable { .. } => self.reduce_to_host(arguments, target)?,
                _ => None,
            };
            if let Some(total) = total {
                give(arguments, &total);
                return Ok(());
            }
            if self.reduce_on_set(arguments, target, (&output, &output_layout))? {
                return written_back(&output, &mut arguments[target]);
            }
        } else if folds {
            let device = self.program().device();
            let to = (&output, left.as_deref_mut());
            let made = match has_short_rows(&input.layout, &output_shape) {
                true => None,
                false => device.pending().fold(self, arguments, input, to),
            };
            let is_left = left.as_ref().is_some_and(|left| left.is_some());
            match made {
                Some(()) if is_left => return Ok(()),
                Some(()) => return written_back(&output, &mut arguments[target]),
                None => device.catch_up_for(&[input], &[])?,
            }
        }
        let any_order = self.metadata().any_order;
        let plan = any_order.map(|width| self.plan(&input.layout, &output_shape, width));
        let parts = match &plan {
            Some(plan) => plan.parts,
            None => self.parts(output_shape.count(), tile.count()),
        };
        let mut bindings = Bindings::new(&range);
        for (index, argument) in arguments.iter().enumerate() {
            if index == target {
                let (memory, _) = call.memory(index, Role::Reduce, &output, &range, &[])?;
                bindings.shaped((self, index), memory, &output_layout, &range);
            } else if read(parameters[index].role)
                && let Some(stream) = argument.stream()
            {
                let (memory, layout) =
                    call.memory(index, parameters[index].role, stream, &range, &[&output])?;
                // A copy of the stream lies in one piece.
                let layout = match any_order {
                    Some(width) => self.plan(&layout, &output_shape, width).input,
                    None => layout,
                };
                bindings.shaped((self, index), memory, &layout, &range);
            } else {
                let rank = output_shape.rank;
                call.bind(index, argument, rank, &range, &[&output], &mut bindings)?;
            }
        }
        let partials = match (&left, &plan) {
            (Some(_), Some(plan)) if output_shape.count() == 1 && !recorded => {
                let operator = self.metadata().operator.as_deref();
                let device = self.program().device();
                Partials::new(device, element, operator, (plan.parts, plan.last_lanes()))?
            }
            _ => None,
        };
        let tile = plan.map_or(Layout::packed(tile), |plan| plan.tile);
        bindings.layout(LaunchVariable::Tile.name(), &tile, &range);
        bindings.count(LaunchVariable::Parts.name(), parts);
        for (name, count) in plan.iter().flat_map(Plan::counts) {
            bindings.add(name, Owned::Scalar(Value::Int(Scalar::UInt, count.into())));
        }
        let bytes = output_shape.count() * parts * element.size() as u64;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        // Where memory is short, asking for it makes calls that wait, which is not to happen with scratch memory in hand.
        bindings.make()?;
        let failed =
            |error: Error| error.context("Kernel Execution: Failed to execute a reduction pass");
        if let (Some(left), Some(partials)) = (left, partials) {
            bindings.buffer(
                LaunchVariable::Partials.name(),
                Arc::clone(partials.memory()),
            );
            self.launch_first(&bindings.as_bound()?).map_err(failed)?;
            *left = Some(partials);
            return Ok(());
        }
        let run = |scratch: &Arc<dyn Buffer>| {
            bindings.buffer(LaunchVariable::Partials.name(), Arc::clone(scratch));
            self.run_host(&bindings.as_bound()?, sink).map_err(failed)
        };
        let device = self.program().device();
        match recorded {
            // What is replayed in a queue of its own has scratch memory of its own.
            true => run(&device.allocate(bytes)?)?,
            false => device.with_scratch(bytes, run)?,
        }
        written_back(&output, &mut arguments[target])
    }

    /// Launches the first device kernel of the host's part: the second one makes a result of what the first one makes of parts.
    fn launch_first(&self, bindings: &[(&str, Bound<'_>)]) -> Result<()> {
        let mut first = true;
        self.run_into(bindings, &mut |function, groups, items, arguments| {
            if !std::mem::take(&mut first) {
                return Ok(());
            }
            self.launch_function(None, &**function, (groups, items), arguments)
        })
    }

    fn plan(&self, input: &Layout, output: &Shape, width: usize) -> Plan {
        let device = self.program().device();
        match device.backend().model {
            Model::Loops => Plan::of_loops(input, output, device.info().units.into()),
            Model::Simt => {
                let items = match device.info().kind {
                    DeviceKind::Cpu => ITEMS_PER_THREAD,
                    DeviceKind::Gpu | DeviceKind::Accelerator => ITEMS_PER_UNIT,
                };
                let items = items * u64::from(device.info().units);
                Plan::of_items(input, output, items, width as u64)
            }
        }
    }

    /// How many ranges a tile is cut into, so that the device has enough to do. Not many more than
    /// the square root of the tile: the partial results of one output are folded one by one, and
    /// that must not take longer than what came before.
    fn parts(&self, outputs: u64, tile: u64) -> u64 {
        if tile < SMALL_TILE {
            return 1;
        }
        (self.workers() / outputs).clamp(1, 2 * tile.isqrt())
    }

    /// Work items that keep the device busy, each with a share of the work.
    pub(super) fn workers(&self) -> u64 {
        let device = self.program().device();
        match device.info().kind {
            // What all processes know of it, which may have unlike numbers of threads.
            DeviceKind::Cpu if device.ranks().is_some() => {
                ITEMS_PER_THREAD * u64::from(device.info().units.max(1))
            }
            DeviceKind::Cpu => {
                let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
                ITEMS_PER_THREAD * threads as u64
            }
            DeviceKind::Gpu | DeviceKind::Accelerator => GPU_ITEMS,
        }
    }
}

/// Gives the variable of the host's among some arguments its value.
fn give(arguments: &mut [StreamArgument<'_>], value: &[u8]) {
    let mut variables = arguments.iter_mut().filter_map(|argument| match argument {
        StreamArgument::Variable { bytes, .. } => Some(bytes),
        _ => None,
    });
    if let Some(bytes) = variables.next() {
        bytes.copy_from_slice(value);
    }
}

/// What a variable gets of a reduction's output.
fn written_back(output: &DynStream, target: &mut StreamArgument<'_>) -> Result<()> {
    match target {
        StreamArgument::Variable { bytes, .. } => output.write(bytes),
        _ => Ok(()),
    }
}

/// The output's layout with as many dimensions as the input: its own are the left-most, that is, the
/// slowest.
fn align(output: &Layout, rank: usize) -> Result<Layout> {
    if output.shape.rank > rank {
        return Err(Error::argument(
            "Kernel Execution: Reduction operation don't allow output rank > input rank",
        ));
    }
    Ok(output.raised(rank))
}

/// The shape of the elements that one output folds.
fn tile(input: &Shape, output: &Shape) -> Result<Shape> {
    let mut tile = *input;
    for (extent, by) in tile.extents.iter_mut().zip(output.extents) {
        if *extent % by != 0 {
            return Err(Error::argument(
                "Kernel Execution: Input dimensions should be integral multiple of output \
                 dimensions. The results might be undefined",
            ));
        }
        *extent /= by;
    }
    Ok(tile)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(extents: &[u32]) -> Shape {
        Shape::new(extents).unwrap()
    }

    #[test]
    fn left_most_dimensions_are_kept() {
        let aligned = |extents, rank| align(&Layout::packed(shape(extents)), rank);
        let kept = |extents, rank| aligned(extents, rank).unwrap().shape;
        assert_eq!(kept(&[100], 2), shape(&[100, 1]));
        assert_eq!(kept(&[3, 5], 3), shape(&[3, 5, 1]));
        assert_eq!(kept(&[3, 5], 2), shape(&[3, 5]));
        let error = aligned(&[3, 5], 1).unwrap_err().to_string();
        assert!(error.contains("rank > input rank"));
    }

    #[test]
    fn tiles_divide_the_input() {
        assert_eq!(
            tile(&shape(&[6, 8]), &shape(&[3, 2])).unwrap(),
            shape(&[2, 4])
        );
        assert_eq!(
            tile(&shape(&[6, 8]), &shape(&[6, 1])).unwrap(),
            shape(&[1, 8])
        );
        assert!(tile(&shape(&[6, 8]), &shape(&[4, 1])).is_err());
        assert!(tile(&shape(&[6]), &shape(&[12])).is_err());
    }
}
