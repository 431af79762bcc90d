//! Whole indices: gathers whose indices are computed as floating-point numbers, and are integers all the same: sums of the element's
//! place, of whole numbers, and of how many iterations of loops were before.
//!
//! **Legality.** Such an index is that integer where floating-point numbers on the way are all exact. Whoever takes the integer knows
//! of the call that all gathers are inside of their arrays, and has evaluated what is known of each index for that: an index is
//! below [`MOST_FLOATING`] then, and what [`Unary::Exact`] stands before is below [`Unary::exact`]. A sum whose size is less than
//! the type's limit, below which it has all whole numbers, is exact if its operands are; and an operand is less than the sum and the other
//! one together. So what is known of the whole and of some parts bounds the others. Integers are computed modulo
//! 2^32 without that.
//!
//! **Gain.** Loops whose indices are counted in integers are without conversions, and compilers make of them what goes from element to
//! element.

use super::{Condition, CountedLoop, Known, Walk, WholeGather};
use crate::body::{ExpressionId, ExpressionKind, PlaceId, Root};
use crate::expr::Scalar;
use crate::module::{
    Binary, Index, Iterations, MOST_FLOATING, Unary, WholeIndex, WholePart, whole_numbers,
};
use std::sync::Arc;

impl Walk<'_> {
    /// A gather of the kernel reads at these indices.
    pub(super) fn gathers(&mut self, id: PlaceId, index: ExpressionId, own: &[Known]) {
        if self.depth > 0 {
            return;
        }
        let plain = !self.does_more(index);
        let known = self.gathers.entry(id);
        let known = known.or_insert_with(|| plain.then(|| own.to_vec()));
        if known.as_deref().is_some_and(|known| known != own) {
            *known = None;
        }
    }

    /// Of how many iterations a condition holds that compares a number, which grows by ones from the first one on, or shrinks by ones
    /// to zero, with an end; wherever `float` counts so: larger numbers stay what they are.
    pub(super) fn iterations(
        &self,
        condition: ExpressionId,
        first: &Index,
        (operator, end): (Binary, &Index),
    ) -> Option<Condition> {
        if self.depth > 0 || self.does_more(condition) || !self.is_comparison(condition) {
            return None;
        }
        let number = |index: &Index| match index {
            Index::Number(_, n) if n.abs() < whole_numbers(Scalar::Float) => Some(*n),
            _ => None,
        };
        let iterations = match (operator, number(first), number(end)) {
            (Binary::Less, Some(first), Some(end)) => {
                Iterations::Number((end - first).ceil().max(0.0) as u32)
            }
            (Binary::Less, Some(first), None) => Iterations::Up {
                first: first as i64,
                end: parameter(end)?,
            },
            (Binary::Greater, Some(first), _) => Iterations::Number(first.ceil().max(0.0) as u32),
            (Binary::Greater, None, _) => Iterations::Down {
                first: parameter(first)?,
            },
            _ => return None,
        };
        Some((self.body.expression(condition).span, iterations))
    }

    /// Whether a condition is nothing but a comparison.
    fn is_comparison(&self, id: ExpressionId) -> bool {
        match self.body.expression(id).kind {
            ExpressionKind::Convert(inside) => self.is_comparison(inside),
            ExpressionKind::Binary(..) => true,
            _ => false,
        }
    }

    /// Whether a value cannot be left out once it is known.
    fn does_more(&self, id: ExpressionId) -> bool {
        let body = self.body;
        let mut found = false;
        body.each_value(id, &mut |e| {
            let temporary = |place| match body.place(place).root {
                Root::Variable(variable) => self.program.variable(body, variable).is_temporary(),
                Root::Pointer(_) => false,
            };
            found |= match body.expression(e).kind {
                ExpressionKind::Call(..) | ExpressionKind::Collective(..) => true,
                _ => body.written(e).is_some_and(|place| !temporary(place)),
            };
        });
        found
    }

    /// All gathers whose indices are such integers, and the loops that they count iterations of.
    pub(super) fn whole_gathers(&mut self) -> (Vec<WholeGather>, Vec<CountedLoop>) {
        let gathers = std::mem::take(&mut self.gathers);
        let mut gathers: Vec<_> = gathers.into_iter().collect();
        gathers.sort_unstable_by_key(|(id, _)| id.0);
        let found = gathers.into_iter().filter_map(|(id, indices)| {
            let indices = indices?;
            if !indices.iter().flatten().any(is_floating) {
                return None;
            }
            let whole = indices
                .iter()
                .map(|index| self.whole_index(index.as_ref()?));
            Some((self.body.place(id).span, whole.collect::<Option<Vec<_>>>()?))
        });
        let mut found: Vec<WholeGather> = found.collect();
        // Loops are numbered as they are come by; of some nobody asks anything.
        let mut loops: Vec<CountedLoop> = Vec::new();
        for (number, of) in self.counts.iter().enumerate() {
            let mut asked = of.iterations.is_some();
            let indices = found.iter_mut().flat_map(|(_, indices)| indices);
            for (part, _) in indices.flat_map(|index| &mut index.parts) {
                if *part == WholePart::Iteration(number) {
                    *part = WholePart::Iteration(loops.len());
                    asked = true;
                }
            }
            if asked {
                loops.push((self.body.statement(of.of).span, of.iterations));
            }
        }
        (found, loops)
    }

    /// An index, with what rounds it or cuts it off.
    fn whole_index(&self, index: &Index) -> Option<WholeIndex> {
        let Some(inside) = converted(index).filter(|i| i.scalar().is_float()) else {
            return self.integer(index, None);
        };
        let rounded = match inside {
            Index::Unary(Unary::Floor, sum) => match &**sum {
                Index::Binary(Binary::Add, parts) => match &parts[1] {
                    Index::Number(_, 0.25) => Some(&parts[0]),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        self.integer(rounded.unwrap_or(inside), Some(MOST_FLOATING.into()))
    }

    /// A number as such an integer, if it is exactly that; what is given is what its size is known to be below.
    fn integer(&self, index: &Index, below: Option<f64>) -> Option<WholeIndex> {
        let scalar = index.scalar();
        let exact = |size: Option<f64>| size.is_some_and(|size| size < whole_numbers(scalar));
        match index {
            Index::Number(_, number) => {
                let constant = number.fract() == 0.0 && exact(Some(number.abs()));
                constant.then_some(WholeIndex {
                    constant: *number as i64,
                    parts: Vec::new(),
                })
            }
            Index::Place(axis) => Some(part(WholePart::Place(*axis))),
            Index::As(scalar, inside) => match (inside.scalar().is_float(), scalar.is_float()) {
                // Where it is not exact the size is not less.
                (_, true) => {
                    let size = below.into_iter().chain(size(inside)).reduce(f64::min);
                    let below = below.filter(|_| inside.scalar().is_float());
                    self.integer(inside, below).filter(|_| exact(size))
                }
                (_, false) => {
                    let wide = matches!(
                        scalar,
                        Scalar::Int | Scalar::UInt | Scalar::Long | Scalar::ULong
                    );
                    let below = below.filter(|_| inside.scalar().is_float());
                    wide.then(|| self.integer(inside, below)).flatten()
                }
            },
            Index::Unary(Unary::Exact, inside) if scalar.is_float() => self.counted(inside),
            Index::Unary(Unary::Floor | Unary::Ceil | Unary::Truncate, inside) => {
                self.integer(inside, below)
            }
            Index::Unary(Unary::Negate, inside) => times(self.integer(inside, below)?, -1),
            Index::Binary(operator @ (Binary::Add | Binary::Subtract), parts) => {
                let [a, b] = &**parts;
                let (of_a, of_b) = match scalar.is_float() {
                    true => {
                        let sizes = (size(a), size(b));
                        let sum = sizes.0.zip(sizes.1).map(|(a, b)| a + b);
                        if !exact(below) && !exact(sum) {
                            return None;
                        }
                        let rest = |own: Option<f64>, other: Option<f64>| {
                            let rest = below.zip(other).map(|(below, other)| below + other);
                            own.into_iter().chain(rest).reduce(f64::min)
                        };
                        (rest(sizes.0, sizes.1), rest(sizes.1, sizes.0))
                    }
                    false => (None, None),
                };
                let (a, b) = (self.integer(a, of_a)?, self.integer(b, of_b)?);
                plus(a, times(b, if *operator == Binary::Add { 1 } else { -1 })?)
            }
            Index::Binary(Binary::Multiply, parts) => {
                let [a, b] = &**parts;
                let (of, by) = match (a, b) {
                    (of, Index::Number(_, by)) | (Index::Number(_, by), of) => (of, *by),
                    _ => return None,
                };
                let own = size(index);
                let known = !scalar.is_float() || exact(below) || exact(own);
                if by.fract() != 0.0
                    || by == 0.0
                    || by.abs() >= whole_numbers(Scalar::Float)
                    || !known
                {
                    return None;
                }
                let below = below.into_iter().chain(own).reduce(f64::min);
                let below = below.filter(|_| scalar.is_float());
                times(self.integer(of, below)?, by as i64)
            }
            _ => None,
        }
    }

    /// What a variable is that grows by whole numbers, of which all that it has been is known to be exact: also what it was first.
    fn counted(&self, index: &Index) -> Option<WholeIndex> {
        match index {
            Index::Binary(Binary::Add, parts) => {
                let [first, grown] = &**parts;
                let first = self.integer(first, Some(Unary::exact(first.scalar())))?;
                plus(first, self.counted(grown)?)
            }
            Index::Binary(Binary::Multiply, parts) => match &**parts {
                [count, Index::Number(_, step)] => times(self.counted(count)?, *step as i64),
                _ => None,
            },
            Index::As(_, inside) => match &**inside {
                Index::Counter(_, parts) => {
                    let mut counts = self.counts.iter();
                    let number = counts.position(|own| Arc::ptr_eq(&own.parts, parts))?;
                    Some(part(WholePart::Iteration(number)))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// What an index is before it becomes an integer.
fn converted(index: &Index) -> Option<&Index> {
    match index {
        Index::As(scalar, inside) if !scalar.is_float() => Some(inside),
        _ => None,
    }
}

fn is_floating(index: &Index) -> bool {
    converted(index).is_some_and(|inside| inside.scalar().is_float())
}

/// What a number's size does not exceed, wherever it has been evaluated.
fn size(index: &Index) -> Option<f64> {
    match index {
        Index::Number(_, number) => Some(number.abs()),
        Index::Place(_) => Some(f64::from(1u32 << 31)),
        Index::As(scalar, inside) => {
            let kept = scalar.is_float() || matches!(scalar, Scalar::Int | Scalar::Long);
            size(inside)
                .filter(|size| kept && (scalar.is_float() || *size < whole_numbers(Scalar::Float)))
        }
        Index::Unary(Unary::Exact, inside) if inside.scalar().is_float() => {
            Some(Unary::exact(inside.scalar()))
        }
        Index::Unary(Unary::Negate, inside) => size(inside),
        Index::Binary(Binary::Add | Binary::Subtract, parts) if index.scalar().is_float() => {
            Some(size(&parts[0])? + size(&parts[1])?)
        }
        _ => None,
    }
}

/// The parameter whose value, which no kernel may change, a number is as a `float`, and of which component.
fn parameter(index: &Index) -> Option<(usize, usize)> {
    match index {
        Index::As(Scalar::Float, inside) => parameter(inside),
        Index::As(Scalar::Double, inside) if inside.scalar() == Scalar::Float => parameter(inside),
        Index::Value(number, component, Scalar::Float | Scalar::Int | Scalar::UInt) => {
            Some((*number, *component))
        }
        _ => None,
    }
}

fn part(part: WholePart) -> WholeIndex {
    WholeIndex {
        constant: 0,
        parts: vec![(part, 1)],
    }
}

fn times(mut of: WholeIndex, by: i64) -> Option<WholeIndex> {
    of.constant = of.constant.checked_mul(by)?;
    for (_, factor) in &mut of.parts {
        *factor = factor.checked_mul(by)?;
    }
    Some(of)
}

fn plus(mut a: WholeIndex, b: WholeIndex) -> Option<WholeIndex> {
    a.constant = a.constant.checked_add(b.constant)?;
    for (part, factor) in b.parts {
        match a.parts.iter_mut().find(|(own, _)| *own == part) {
            Some((_, own)) => *own = own.checked_add(factor)?,
            None => a.parts.push((part, factor)),
        }
    }
    a.parts.retain(|(_, factor)| *factor != 0);
    a.parts.sort_unstable();
    Some(a)
}
