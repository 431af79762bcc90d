//! Reductions on the devices of a set: each folds the rows that it has, and what they make of them is folded on the first
//! device, in the order of the rows. So the result is the same each time, and for integers whatever the number of devices.

use super::super::call_argument::StreamArgument;
use super::super::call_binding::Call;
use super::super::layout::Layout;
use super::super::reduce::SMALL_TILE;
use super::super::stream::DynStream;
use super::super::{Kernel, Result};
use super::rule::{self, Rows};
use super::view::Shared;
use crate::render::Role;
use std::ops::Range;

/// A reduction whose input is shared out.
struct Split<'a> {
    target: usize,
    input: (usize, Shared),
    arguments: &'a [StreamArgument<'a>],
    axis: usize,
}

impl Kernel {
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
        let parameters = &self.metadata().parameters;
        let inputs = arguments.iter().enumerate();
        let mut inputs =
            inputs.filter(|(index, argument)| *index != target && argument.stream().is_some());
        let (Some((index, argument)), None) = (inputs.next(), inputs.next()) else {
            return Ok(false);
        };
        let Some(input) = argument.stream() else {
            return Ok(false);
        };
        let alike = call.type_of(index)? == call.type_of(target)?;
        if parameters[index].role != Role::Input || !alike || output.overlaps(input) {
            return Ok(false);
        }
        let axis = rule::axis(&input.layout.whole);
        let (rows, outputs) = (
            input.layout.shape.extents[axis] as usize,
            output_layout.shape.extents[axis] as usize,
        );
        let split = Split {
            target,
            input: (index, Shared::of(input, input.layout)?),
            arguments,
            axis,
        };
        let parts = call.device().parts().len();
        let shares: Vec<Range<usize>> = (0..parts)
            .map(|part| {
                let share = split.input.1.share(part, axis)?;
                Ok(share.start.min(rows)..share.end.min(rows))
            })
            .collect::<Result<_>>()?;
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
        let (index, input) = &split.input;
        input.bring(part, &input.bytes(split.axis, read))?;
        // What lies between the output's elements is to be there, too.
        let stored = output.bytes(split.axis, written);
        output.bring(part, &stored)?;
        let from = input.rows_on(part, device, split.axis, read)?;
        let to = output.rows_on(part, device, split.axis, written)?;
        let kernel = self.on_part(part)?;
        let call = Call::checked(&kernel);
        let arguments = split.arguments.iter().enumerate();
        let arguments = arguments.map(|(number, argument)| match number {
            n if n == *index => Ok(StreamArgument::Stream(&from)),
            n if n == split.target => Ok(StreamArgument::Stream(&to)),
            _ => call.lent(number, argument),
        });
        let mut arguments: Vec<StreamArgument<'_>> = arguments.collect::<Result<_>>()?;
        let folded = device.known_to_all(kernel.reduce(&mut arguments, None, false));
        output.written(part, &stored)?;
        folded
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
        let busy: Vec<usize> = (0..shares.len())
            .filter(|part| !shares[*part].is_empty())
            .collect();
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
