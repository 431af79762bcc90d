//! Which rows of an array the gathers of some elements read, from what the translation knows of them
//! ([`Index`]) and the values that the kernel is called with.

use super::super::call_argument::StreamArgument;
use super::super::launch::from_bytes;
use super::super::layout::Range;
use super::intervals::Intervals;
use crate::expr::Scalar;
use crate::module::Index;
use std::ops;

/// More stretches of rows than these become one.
const MOST: usize = 8;

/// The elements that a kernel runs for, and what it is called with.
pub(super) struct Elements<'e> {
    pub(super) range: &'e Range,
    pub(super) arguments: &'e [StreamArgument<'e>],
    /// Whether an input's own place is that of the element.
    pub(super) placed: &'e dyn Fn(usize) -> bool,
}

impl Elements<'_> {
    /// The rows, of so many, that gathers with these slowest indices read; `None` is all of them.
    pub(super) fn rows(&self, indices: &[Index], count: usize) -> Option<Vec<ops::Range<usize>>> {
        if indices.is_empty() || count == 0 {
            return None;
        }
        let last = (count - 1) as f64;
        let mut all = Vec::new();
        for index in indices {
            for (least, most) in self.number(index)?.parts() {
                let (least, most) = (least.floor().clamp(0.0, last), most.ceil().clamp(0.0, last));
                all.push(least as usize..most as usize + 1);
            }
        }
        all.sort_by_key(|rows| rows.start);
        let mut joined: Vec<ops::Range<usize>> = Vec::new();
        for rows in all {
            match joined.last_mut() {
                Some(last) if rows.start <= last.end => last.end = last.end.max(rows.end),
                _ => joined.push(rows),
            }
        }
        (joined.len() <= MOST).then_some(joined)
    }

    /// What a number of them may be; `None` is anything.
    fn number(&self, index: &Index) -> Option<Intervals> {
        match index {
            Index::Number(scalar, number) => Intervals::only(*scalar, *number),
            Index::Place(axis) => self.place(*axis),
            Index::PlaceOf(parameter, axis) => {
                (self.placed)(*parameter).then(|| self.place(*axis))?
            }
            Index::Value(parameter, component, scalar) => {
                self.value(*parameter, *component)?.typed(*scalar)
            }
            Index::As(scalar, inside) => self.number(inside)?.typed(*scalar),
            Index::Unary(operator, inside) => self.number(inside)?.unary(*operator),
            Index::Binary(operator, parts) => {
                let [a, b] = &**parts;
                self.number(a)?.binary(*operator, &self.number(b)?)
            }
            Index::Either(parts) => {
                let [condition, a, b] = &**parts;
                let truth = self.number(condition).map_or((true, true), |c| c.truth());
                match truth {
                    (true, true) => self.number(a)?.or(self.number(b)?),
                    (true, false) => self.number(a),
                    (false, _) => self.number(b),
                }
            }
            Index::OneOf(parts) => self.number(&parts[0])?.or(self.number(&parts[1])?),
            Index::Counter(operator, parts) => {
                let [first, bound, step] = &**parts;
                let (first, bound) = (self.number(first)?, self.number(bound)?);
                first.counted(*operator, &bound, &self.number(step)?)
            }
        }
    }

    fn place(&self, axis: usize) -> Option<Intervals> {
        let range = self.range;
        let (start, _) = range.told.unwrap_or((range.start, range.whole));
        let (start, extent) = (*start.get(axis)?, *range.extents.get(axis)?);
        let last = f64::from(start) + f64::from(extent) - 1.0;
        Intervals::new(Scalar::Int, start.into(), last)
    }

    /// A component of a value that the kernel is called with.
    fn value(&self, parameter: usize, component: usize) -> Option<Intervals> {
        let (scalar, bytes) = self.arguments.get(parameter)?.value()?;
        let size = scalar.size();
        let bytes = bytes.get(component * size..(component + 1) * size)?;
        Intervals::only(scalar, from_bytes(scalar, bytes)?.as_f64())
    }
}
