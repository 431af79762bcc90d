//! What conditions say of places: `x > 0` holds for no element whose place along the first axis is 0.

use super::Elements;
use super::intervals::Intervals;
use crate::expr::Scalar;
use crate::module::{Binary, Index, Unary};

use super::super::layout::Range;

/// Up to here a place, and a whole number beside it, is a number of `float`.
const WHOLE: f64 = (1u32 << 23) as f64;

/// The least and the largest place along each axis, of the elements that are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places([(f64, f64); 4]);

impl Places {
    /// All of a range.
    pub(super) fn of(range: &Range) -> Self {
        let (start, _) = range.told.unwrap_or((range.start, range.whole));
        Self(std::array::from_fn(|axis| {
            let (start, extent) = (f64::from(start[axis]), f64::from(range.extents[axis]));
            (start, start + extent - 1.0)
        }))
    }

    /// The places along an axis.
    pub(super) fn along(&self, axis: usize) -> Option<Intervals> {
        let (least, most) = *self.0.get(axis)?;
        match least <= most {
            true => Intervals::new(Scalar::Int, least, most),
            false => Some(Intervals::none(Scalar::Int)),
        }
    }

    fn at_least(&mut self, axis: usize, least: f64) {
        self.0[axis].0 = self.0[axis].0.max(least);
    }

    fn at_most(&mut self, axis: usize, most: f64) {
        self.0[axis].1 = self.0[axis].1.min(most);
    }
}

impl Elements<'_> {
    /// The places where a condition holds, or where it does not; some more, where that cannot be said.
    pub(super) fn narrowed(&self, places: &Places, condition: &Index, holds: bool) -> Places {
        let mut narrowed = *places;
        self.narrow(&mut narrowed, condition, holds);
        narrowed
    }

    fn narrow(&self, places: &mut Places, condition: &Index, holds: bool) {
        match condition {
            Index::Unary(Unary::Not, inside) => self.narrow(places, inside, !holds),
            Index::As(scalar, inside) if *scalar == Scalar::Bool || is_truth(inside) => {
                self.narrow(places, inside, holds);
            }
            Index::Binary(operator, parts) => {
                let [a, b] = &**parts;
                match operator {
                    Binary::And | Binary::Or if holds == (*operator == Binary::And) => {
                        self.narrow(places, a, holds);
                        self.narrow(places, b, holds);
                    }
                    Binary::Equal | Binary::NotEqual if is_truth(a) && is_zero(b) => {
                        self.narrow(places, a, holds == (*operator == Binary::NotEqual));
                    }
                    _ => {
                        let operator = if holds {
                            Some(*operator)
                        } else {
                            opposite(*operator)
                        };
                        if let Some(operator) = operator {
                            self.compared(places, (a, operator, b));
                            if let Some(turned) = turned(operator) {
                                self.compared(places, (b, turned, a));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The left side is a place, and a number added to it.
    fn compared(&self, places: &mut Places, (a, operator, b): (&Index, Binary, &Index)) {
        let Some((axis, more)) = self.place(a, places) else {
            return;
        };
        let bounds = self.number(b, places);
        let Some((least, most)) = bounds.and_then(|bounds| bounds.hull()) else {
            return;
        };
        let (least, most) = (least - more, most - more);
        match operator {
            Binary::Less => places.at_most(axis, most.ceil() - 1.0),
            Binary::LessEqual => places.at_most(axis, most.floor()),
            Binary::Greater => places.at_least(axis, least.floor() + 1.0),
            Binary::GreaterEqual => places.at_least(axis, least.ceil()),
            Binary::Equal => {
                places.at_least(axis, least.ceil());
                places.at_most(axis, most.floor());
            }
            Binary::NotEqual if least == most => {
                let (first, last) = places.0[axis];
                if first == least {
                    places.at_least(axis, first + 1.0);
                }
                if last == least {
                    places.at_most(axis, last - 1.0);
                }
            }
            _ => {}
        }
    }

    /// The axis of a place, and what is added to it, where the sum is exact.
    fn place(&self, index: &Index, places: &Places) -> Option<(usize, f64)> {
        let found = match index {
            Index::Place(axis) => (*axis, 0.0),
            Index::PlaceOf(parameter, axis) if (self.placed)(*parameter) => (*axis, 0.0),
            Index::As(Scalar::Int | Scalar::Long | Scalar::Float | Scalar::Double, inside) => {
                self.place(inside, places)?
            }
            Index::Binary(operator @ (Binary::Add | Binary::Subtract), parts) => {
                let [a, b] = &**parts;
                let (axis, more) = self.place(a, places)?;
                let by = self.number(b, places)?.hull();
                let (by, _) = by.filter(|(least, most)| least == most && least.fract() == 0.0)?;
                (
                    axis,
                    if *operator == Binary::Add {
                        more + by
                    } else {
                        more - by
                    },
                )
            }
            _ => return None,
        };
        let (first, last) = *places.0.get(found.0)?;
        let exact = |n: f64| n.abs() < WHOLE;
        (exact(first) && exact(last) && exact(found.1)).then_some(found)
    }
}

/// Whether it is 0 or 1.
fn is_truth(index: &Index) -> bool {
    match index {
        Index::Unary(Unary::Not, _) => true,
        Index::As(scalar, inside) => *scalar == Scalar::Bool || is_truth(inside),
        Index::Binary(operator, _) => {
            matches!(operator, Binary::And | Binary::Or) || opposite(*operator).is_some()
        }
        _ => false,
    }
}

fn is_zero(index: &Index) -> bool {
    match index {
        Index::Number(_, number) => *number == 0.0,
        Index::As(_, inside) => is_zero(inside),
        _ => false,
    }
}

/// The comparison that holds where this one does not, of numbers.
fn opposite(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        _ => return None,
    })
}

/// The comparison of the right side with the left one.
fn turned(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::Equal | Binary::NotEqual => operator,
        _ => return None,
    })
}
