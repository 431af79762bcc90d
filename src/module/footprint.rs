//! Which rows of an array a gather may read, as a number in terms of what is known when a kernel is called.

use crate::expr::Scalar;
use serde::{Deserialize, Serialize};

/// A number of an element, in terms of its place and of the kernel's values. What it depends on beside these is left out: it is
/// any of the numbers that this may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Index {
    /// A number of that type.
    Number(Scalar, f64),
    /// The place of the element along an axis, fastest first: an `int`.
    Place(usize),
    /// The place of a parameter's own element along an axis, likewise.
    PlaceOf(usize, usize),
    /// A component of a parameter's value, and its type.
    Value(usize, usize, Scalar),
    /// The same number as another type has it; of `bool`, whether it is not zero.
    As(Scalar, Box<Index>),
    /// Of one number.
    Unary(Unary, Box<Index>),
    /// Of two of one type.
    Binary(Binary, Box<[Index; 2]>),
    /// The second one where the first one holds, else the third.
    Either(Box<[Index; 3]>),
    /// One of them.
    OneOf(Box<[Index; 2]>),
    /// What is counted from the first number on for as long as the comparison with the second one holds, by steps of at most the third
    /// one, which is positive, up to the next comparison.
    Counter(Binary, Box<[Index; 3]>),
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Unary {
    Negate,
    Not,
    Floor,
    Ceil,
    Truncate,
    Absolute,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Least,
    Most,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl Index {
    /// How many numbers and functions it is made of.
    pub fn size(&self) -> usize {
        let all = |parts: &[Self]| parts.iter().map(Self::size).sum::<usize>();
        1 + match self {
            Self::Number(..) | Self::Place(_) | Self::PlaceOf(..) | Self::Value(..) => 0,
            Self::As(_, a) | Self::Unary(_, a) => a.size(),
            Self::Binary(_, parts) | Self::OneOf(parts) => all(&parts[..]),
            Self::Either(parts) | Self::Counter(_, parts) => all(&parts[..]),
        }
    }
}
