//! Where in an array the gathers of some elements read, from what the translation knows of them
//! ([`Index`]) and the values that the kernel is called with.
//!
//! - `mod.rs`: the rows that they read, and whether all of it is inside.
//! - `places.rs`: what conditions say of places.
//! - `intervals.rs`: numbers of which only the bounds are known.
//! - `in_bounds.rs`: calls of which it is known that they leave no array.

mod in_bounds;
mod intervals;
mod places;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests;

pub(super) use in_bounds::{InBounds, Known};

use super::call_argument::StreamArgument;
use super::launch::from_bytes;
use super::layout::Range;
use crate::expr::Scalar;
use crate::module::{Index, MOST_FLOATING};
use intervals::Intervals;
use places::Places;
use std::ops;

/// More stretches of rows than these become one.
const MOST: usize = 8;

/// Whether it is a floating-point index, which is rounded or cut off.
fn is_floating(index: &Index) -> bool {
    match index {
        Index::As(scalar, inside) => !scalar.is_float() && is_floating(inside),
        Index::When(parts) => is_floating(&parts[1]),
        other => other.scalar().is_float(),
    }
}

/// The elements that a kernel runs for, and what it is called with.
#[derive(Clone, Copy)]
pub(super) struct Elements<'e> {
    pub(super) range: &'e Range,
    pub(super) arguments: &'e [StreamArgument<'e>],
    /// Whether an input's own place is that of the element.
    pub(super) placed: &'e dyn Fn(usize) -> bool,
}

impl Elements<'_> {
    /// The rows, of so many, that gathers read whose indices are these, axis by axis; `None` is all of them.
    pub(super) fn rows(
        &self,
        indices: &[Vec<Index>],
        count: usize,
    ) -> Option<Vec<ops::Range<usize>>> {
        let slowest = indices.last().filter(|slowest| !slowest.is_empty())?;
        if count == 0 {
            return None;
        }
        let places = Places::of(self.range);
        let last = (count - 1) as f64;
        let mut all = Vec::new();
        for index in slowest {
            for (least, most) in self.number(index, &places)?.parts() {
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

    /// Whether all gathers with these indices, axis by axis, are known to be inside of an array of those extents.
    fn stay_in(&self, indices: &[Vec<Index>], extents: &[u32]) -> bool {
        let places = Places::of(self.range);
        let along = |(indices, extent): (&Vec<Index>, &u32)| {
            let inside = |index: &Index| {
                let most = match is_floating(index) {
                    true => (*extent).min(MOST_FLOATING),
                    false => *extent,
                };
                let found = self.number(index, &places);
                found.is_some_and(|number| {
                    let mut parts = number.parts().iter();
                    parts.all(|(least, last)| least.floor() >= 0.0 && last.ceil() < f64::from(most))
                })
            };
            !indices.is_empty() && indices.iter().all(inside)
        };
        indices.len() == extents.len() && indices.iter().zip(extents).all(along)
    }

    /// What a number of them may be; `None` is anything.
    fn number(&self, index: &Index, places: &Places) -> Option<Intervals> {
        match index {
            Index::Number(scalar, number) => Intervals::only(*scalar, *number),
            Index::Place(axis) => places.along(*axis),
            Index::PlaceOf(parameter, axis) => {
                (self.placed)(*parameter).then(|| places.along(*axis))?
            }
            Index::Value(parameter, component, scalar) => {
                self.value(*parameter, *component)?.typed(*scalar)
            }
            Index::As(scalar, inside) => self.number(inside, places)?.typed(*scalar),
            Index::Unary(operator, inside) => self.number(inside, places)?.unary(*operator),
            Index::Binary(operator, parts) => {
                let [a, b] = &**parts;
                let a = self.number(a, places)?;
                a.binary(*operator, &self.number(b, places)?)
            }
            Index::Either(parts) => {
                let [condition, a, b] = &**parts;
                let first = || self.number(a, &self.narrowed(places, condition, true));
                let second = || self.number(b, &self.narrowed(places, condition, false));
                match self.truth(condition, places) {
                    (true, true) => first()?.or(second()?),
                    (true, false) => first(),
                    (false, _) => second(),
                }
            }
            Index::When(parts) => {
                let [condition, inside] = &**parts;
                match self.truth(condition, places) {
                    (true, _) => self.number(inside, &self.narrowed(places, condition, true)),
                    (false, _) => Some(Intervals::none(Scalar::Int)),
                }
            }
            Index::OneOf(parts) => self
                .number(&parts[0], places)?
                .or(self.number(&parts[1], places)?),
            Index::Counter(operator, parts) => {
                let [first, bound, step] = &**parts;
                let (first, bound) = (self.number(first, places)?, self.number(bound, places)?);
                first.counted(*operator, &bound, &self.number(step, places)?)
            }
        }
    }

    /// Whether a condition may hold, and whether it may not.
    fn truth(&self, condition: &Index, places: &Places) -> (bool, bool) {
        let found = self.number(condition, places);
        found.map_or((true, true), |found| found.truth())
    }

    /// A component of a value that the kernel is called with.
    fn value(&self, parameter: usize, component: usize) -> Option<Intervals> {
        let (scalar, bytes) = self.arguments.get(parameter)?.value()?;
        let size = scalar.size();
        let bytes = bytes.get(component * size..(component + 1) * size)?;
        Intervals::only(scalar, from_bytes(scalar, bytes)?.as_f64())
    }
}
