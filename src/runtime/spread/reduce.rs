//! Reductions on the devices of a set: each folds the rows that it has, and what they make of them is folded in the order of the
//! rows, by the host where it goes to one of the host's variables, else on the first device. So the result is the same each time,
//! and for integers whatever the number of devices.

use super::super::call_argument::StreamArgument;
use super::super::call_binding::Call;
use super::super::fold::{Fold, Partials};
use super::super::layout::{Layout, Shape};
use super::super::reduce::SMALL_TILE;
use super::super::stream::DynStream;
use super::super::{Device, Kernel, Result};
use super::rule::{self, Rows};
use super::view::Shared;
use crate::render::Role;
use std::ops::Range;
use std::sync::Arc;

/// A reduction whose input is shared out.
struct Split<'a> {
    target: usize,
    input: (usize, Shared),
    arguments: &'a [StreamArgument<'a>],
    axis: usize,
}

impl Split<'_> {
    /// The rows of the input that are each device's.
    fn shares(&self, devices: &[Device]) -> Result<Vec<Range<usize>>> {
        let (_, input) = &self.input;
        let rows = input.layout.shape.extents[self.axis] as usize;
        let shares = (0..devices.len()).map(|part| {
            let share = input.share(part, self.axis)?;
            Ok(share.start.min(rows)..share.end.min(rows))
        });
        shares.collect()
    }
}

/// The devices that have some rows.
fn busy(shares: &[Range<usize>]) -> Vec<usize> {
    let parts = 0..shares.len();
    parts.filter(|part| !shares[*part].is_empty()).collect()
}

impl Kernel {
    /// Runs a reduction into a variable of the host's that was checked on the devices of its set: each gives the host what it makes
    /// of its rows. `None` where that takes more than to fold elements, or the host does not know how to join what they make, and
    /// nothing was done.
    pub(in super::super) fn reduce_to_host(
        &self,
        arguments: &[StreamArgument<'_>],
        target: usize,
    ) -> Result<Option<Vec<u8>>> {
        let element = Call::new(self, false).type_of(target)?;
        let operator = self.metadata().operator.as_deref();
        let Some(fold) = operator.and_then(|operator| Fold::of(element, operator)) else {
            return Ok(None);
        };
        let Some(split) = self.split(arguments, target)? else {
            return Ok(None);
        };
        let devices = self.program().device().parts();
        let shares = split.shares(devices)?;
        let busy = busy(&shares);
        let layout = Layout::packed(Shape::single(split.input.1.layout.shape.rank));
        let mut folded = Vec::with_capacity(busy.len());
        // All of them have begun before anybody waits for one.
        for part in &busy {
            let device = &devices[*part];
            let memory = device.known_to_all(device.take_variable(element.size()))?;
            let to = DynStream::on(device, element, layout, Arc::clone(&memory));
            let mut left: Option<Partials> = None;
            self.fold_into(&split, *part, &shares[*part], &to, Some(&mut left))?;
            folded.push((memory, to, left));
        }
        let mut partials = Vec::with_capacity(busy.len());
        for (part, (memory, to, left)) in busy.iter().zip(folded) {
            let device = &devices[*part];
            if !device.is_elsewhere() {
                partials.push(match left {
                    Some(left) => device.known_to_all(left.finish(device))?,
                    None => {
                        let mut bytes = vec![0; element.size()];
                        device.known_to_all(to.write(&mut bytes))?;
                        bytes
                    }
                });
            }
            device.keep_variable(memory);
        }
        if let Some(ranks) = self.program().device().ranks() {
            let seats = busy.iter().filter_map(|part| devices[*part].seat());
            let owners: Vec<usize> = seats.map(|seat| seat.rank).collect();
            partials = ranks.or_abort(ranks.gather(&partials, element.size(), &owners))?;
        }
        let mut partials = partials.into_iter();
        let Some(mut total) = partials.next() else {
            return Ok(None);
        };
        partials.for_each(|partial| (fold.join)(&mut total, &partial));
        Ok(Some(total))
    }

    /// How the input of a reduction is shared out; `None` where that takes more than to fold the elements of one stream.
    fn split<'a>(
        &self,
        arguments: &'a [StreamArgument<'a>],
        target: usize,
    ) -> Result<Option<Split<'a>>> {
        let inputs = arguments.iter().enumerate();
        let mut inputs =
            inputs.filter(|(index, argument)| *index != target && argument.stream().is_some());
        let (Some((index, argument)), None) = (inputs.next(), inputs.next()) else {
            return Ok(None);
        };
        let role = self.metadata().parameters[index].role;
        let Some(input) = argument.stream().filter(|_| role == Role::Input) else {
            return Ok(None);
        };
        Ok(Some(Split {
            target,
            input: (index, Shared::of(input, input.layout)?),
            arguments,
            axis: rule::axis(&input.layout.whole),
        }))
    }

    /// Runs a reduction that was checked on the devices of its set; `false` where that takes more than to fold elements, and
    /// nothing was done.
    pub(in super::super) fn reduce_on_set(
        &self,
        arguments: &[StreamArgument<'_>],
        target: usize,
        output: (&DynStream, &Layout),
    ) -> Result<bool> {
        let call = Call::new(self, false);
        let (output, output_layout) = output;
        let Some(split) = self.split(arguments, target)? else {
            return Ok(false);
        };
        let (index, input) = &split.input;
        let alike = call.type_of(*index)? == call.type_of(target)?;
        let overlaps = arguments[*index]
            .stream()
            .is_some_and(|input| output.overlaps(input));
        if !alike || overlaps {
            return Ok(false);
        }
        let axis = split.axis;
        let (rows, outputs) = (
            input.layout.shape.extents[axis] as usize,
            output_layout.shape.extents[axis] as usize,
        );
        let parts = call.device().parts().len();
        let shares = split.shares(call.device().parts())?;
        let busy = shares.iter().filter(|share| !share.is_empty()).count();
        if outputs == 1 && busy > 1 {
            // In one go, as on one device: of what is no operator nobody knows whether it may be folded in parts.
            let tile = input.layout.shape.count() / output_layout.shape.count().max(1);
            if self.metadata().operator.is_none() && tile < SMALL_TILE {
                return Ok(false);
            }
            return self.join_parts(&split, &shares, (output, output_layout));
        }
        if outputs == 1 || busy <= 1 {
            // All of it is where most of it is.
            let part = shares.iter().position(|share| !share.is_empty());
            let output = Shared::of(output, *output_layout)?;
            return self
                .fold_part(
                    &split,
                    part.unwrap_or(0),
                    &(0..rows),
                    &output,
                    &(0..outputs),
                )
                .map(|()| true);
        }
        // Rows of the output, with all that they are made of.
        let each = rows / outputs;
        let rows = Rows {
            count: outputs,
            bytes: each * split.input.1.bytes(axis, &(0..1)).len(),
        };
        let output = Shared::of(output, *output_layout)?;
        for part in 0..parts {
            let share = rows.share(part, parts, rule::least_bytes());
            if !share.is_empty() {
                let read = share.start * each..share.end * each;
                self.fold_part(&split, part, &read, &output, &share)?;
            }
        }
        Ok(true)
    }

    /// Folds some rows of the input into some of an output, on one of the devices.
    fn fold_part(
        &self,
        split: &Split<'_>,
        part: usize,
        read: &Range<usize>,
        output: &Shared,
        written: &Range<usize>,
    ) -> Result<()> {
        let device = &self.program().device().parts()[part];
        // What lies between the output's elements is to be there, too.
        let stored = output.bytes(split.axis, written);
        output.bring(part, &stored)?;
        let to = output.rows_on(part, device, split.axis, written)?;
        let folded = self.fold_into(split, part, read, &to, None);
        output.written(part, &stored)?;
        folded
    }

    /// Folds some rows of the input, on one of the devices, into a stream of that device, or leaves the last step to the host.
    fn fold_into(
        &self,
        split: &Split<'_>,
        part: usize,
        read: &Range<usize>,
        to: &DynStream,
        partials: Option<&mut Option<Partials>>,
    ) -> Result<()> {
        let device = &self.program().device().parts()[part];
        let (index, input) = &split.input;
        input.bring(part, &input.bytes(split.axis, read))?;
        let from = input.rows_on(part, device, split.axis, read)?;
        let kernel = self.on_part(part)?;
        let call = Call::checked(&kernel);
        let arguments = split.arguments.iter().enumerate();
        let arguments = arguments.map(|(number, argument)| match number {
            n if n == *index => Ok(StreamArgument::Stream(&from)),
            n if n == split.target => Ok(StreamArgument::Stream(to)),
            _ => call.lent(number, argument),
        });
        let mut arguments: Vec<StreamArgument<'_>> = arguments.collect::<Result<_>>()?;
        device.known_to_all(kernel.reduce_in_part(&mut arguments, partials))
    }

    /// Folds the rows of each device into one, and these into the output.
    fn join_parts(
        &self,
        split: &Split<'_>,
        shares: &[Range<usize>],
        (output, layout): (&DynStream, &Layout),
    ) -> Result<bool> {
        // What an element does to the variable may be more than to be folded: only its operator joins.
        let join = match &self.metadata().operator {
            // Compiled ahead of time, before metadata said the operator.
            None if self.metadata().any_order.is_some() => None,
            None => Some(self.clone()),
            Some(operator) => {
                let parts = self.program().parts();
                parts.join(self.program(), &output.element(), operator)
            }
        };
        let Some(join) = join else {
            return Ok(false);
        };
        let busy = busy(shares);
        let mut shape = layout.shape;
        shape.extents[split.axis] = busy.len() as u32;
        let parts = self.program().parts();
        parts.with_partials(self.program(), output.element, shape, |partials| {
            self.join_in(&join, split, (shares, &busy), partials, (output, layout))
        })?;
        Ok(true)
    }

    /// The same by way of a stream of as many rows as parts have some.
    fn join_in(
        &self,
        join: &Self,
        split: &Split<'_>,
        (shares, busy): (&[Range<usize>], &[usize]),
        partials: &DynStream,
        (output, layout): (&DynStream, &Layout),
    ) -> Result<()> {
        let shared = Shared::of(partials, partials.layout)?;
        for (row, part) in busy.iter().enumerate() {
            self.fold_part(split, *part, &shares[*part], &shared, &(row..row + 1))?;
        }
        let mut last = join.metadata().parameters.iter();
        let last = last.position(|p| p.role == Role::Reduce);
        let output = Shared::of(output, *layout)?;
        // A join takes partial results and the variable, and no values.
        let (input, arguments): (usize, Vec<StreamArgument<'_>>) = match &self.metadata().operator {
            None => {
                let call = Call::checked(self);
                let own = split.arguments.iter().enumerate();
                let own = own.map(|(index, argument)| call.lent(index, argument));
                (split.input.0, own.collect::<Result<_>>()?)
            }
            Some(_) => (0, [partials; 2].map(StreamArgument::Stream).into()),
        };
        let joined = Split {
            target: last.unwrap_or(split.target),
            input: (input, shared),
            arguments: &arguments,
            axis: split.axis,
        };
        let rows = 0..busy.len();
        join.fold_part(&joined, 0, &rows, &output, &(0..1))
    }
}
