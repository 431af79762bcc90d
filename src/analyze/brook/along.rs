//! Values in terms of a row of elements.

use crate::module::{Base, Term, Type};

/// A value in terms of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Along {
    /// `instance()`, or its first components.
    Place,
    /// `s + instance().x`, or `s - instance().x` if it goes back, in integers that wrap.
    Beside { back: bool, by: Sum },
    /// The same for all elements of the row, and what, if it is such a sum.
    Even(Option<Sum>),
}

/// A constant, and a parameter or its negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) constant: i64,
    pub(super) term: Option<Term>,
}

impl Sum {
    pub(super) fn constant(constant: i64) -> Self {
        Self {
            constant,
            term: None,
        }
    }

    pub(super) fn negative(self) -> Option<Self> {
        let negative = |t: Term| Term {
            negative: !t.negative,
            ..t
        };
        Some(Self {
            constant: self.constant.checked_neg()?,
            term: self.term.map(negative),
        })
    }

    /// `None` if there are two parameters.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            constant: self.constant.checked_add(other.constant)?,
            term: match (self.term, other.term) {
                (Some(_), Some(_)) => return None,
                (term, None) | (None, term) => term,
            },
        })
    }
}

/// What is known of a value once it is of a type.
pub(super) fn typed(found: Along, ty: Type) -> Option<Along> {
    let integer = matches!(ty.base, Base::Int | Base::UInt);
    match (found, integer, ty.width) {
        (Along::Place, true, 2..) => Some(found),
        (Along::Beside { .. }, true, 1) => Some(found),
        (Along::Even(value), _, 1) => Some(Along::Even(value.filter(|_| integer))),
        _ => None,
    }
}

/// The sum, difference or whatever else of two values.
pub(super) fn sum(operator: &str, left: Along, right: Along) -> Option<Along> {
    use Along::{Beside, Even};
    let right = match (operator, right) {
        ("+", right) => right,
        ("-", Even(value)) => Even(value.and_then(Sum::negative)),
        ("-", Beside { back, by }) => Beside {
            back: !back,
            by: by.negative()?,
        },
        (_, Even(_)) => Even(None),
        _ => return None,
    };
    let adds = matches!(operator, "+" | "-");
    Some(match (left, right) {
        (Beside { back, by }, Even(Some(s))) | (Even(Some(s)), Beside { back, by }) if adds => {
            Beside {
                back,
                by: by.plus(s)?,
            }
        }
        (Even(Some(a)), Even(Some(b))) if adds => Even(a.plus(b)),
        (Even(_), Even(_)) => Even(None),
        _ => return None,
    })
}
