//! Intervals of integers, and arithmetic on them.

use crate::body::BinaryOperator;
use crate::expr::Scalar;

/// The least and the largest value that an integer, or any component of a vector, may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) least: i64,
    pub(crate) most: i64,
}

impl Range {
    /// Whatever fits into 64 bits.
    pub(crate) const ALL: Self = Self {
        least: i64::MIN,
        most: i64::MAX,
    };

    pub(crate) fn only(value: i64) -> Self {
        let (least, most) = (value, value);
        Self { least, most }
    }

    /// All values of an integer type, if each of them is one of 64 bits with a sign.
    pub(crate) fn of_scalar(scalar: Scalar) -> Option<Self> {
        let (least, most) = match scalar {
            Scalar::Bool => (0, 1),
            Scalar::Char => (i8::MIN.into(), i8::MAX.into()),
            Scalar::UChar => (0, u8::MAX.into()),
            Scalar::Short => (i16::MIN.into(), i16::MAX.into()),
            Scalar::UShort => (0, u16::MAX.into()),
            Scalar::Int => (i32::MIN.into(), i32::MAX.into()),
            Scalar::UInt => (0, u32::MAX.into()),
            Scalar::Long => (i64::MIN, i64::MAX),
            Scalar::ULong | Scalar::Float | Scalar::Double => return None,
        };
        Some(Self { least, most })
    }

    pub(crate) fn is_within(self, other: Self) -> bool {
        other.least <= self.least && self.most <= other.most
    }

    /// Of the results that the ends have, as they are without a limit; `None` if one of them has none in 64 bits.
    fn around(results: [Option<i64>; 4]) -> Option<Self> {
        let mut all = Self::only(results[0]?);
        for result in results {
            all = all.both(Self::only(result?));
        }
        Some(all)
    }

    pub(crate) fn both(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// `self OP other` as numbers.
    pub(crate) fn combined(self, operator: BinaryOperator, other: Self) -> Option<Self> {
        let ends = [
            (self.least, other.least),
            (self.least, other.most),
            (self.most, other.least),
            (self.most, other.most),
        ];
        let largest = |r: Self| r.least.unsigned_abs().max(r.most.unsigned_abs());
        let size = i64::try_from(largest(self)).unwrap_or(i64::MAX);
        let natural = |most| Some(Self { least: 0, most });
        match operator {
            BinaryOperator::Add => Self::around(ends.map(|(a, b)| a.checked_add(b))),
            BinaryOperator::Subtract => Self::around(ends.map(|(a, b)| a.checked_sub(b))),
            BinaryOperator::Multiply => Self::around(ends.map(|(a, b)| a.checked_mul(b))),
            BinaryOperator::Divide if other.least > 0 => {
                Self::around(ends.map(|(a, b)| a.checked_div(b)))
            }
            BinaryOperator::Divide if self.least >= 0 && other.least >= 0 => natural(self.most),
            BinaryOperator::Divide => Some(Self {
                least: -size,
                most: size,
            }),
            BinaryOperator::Remainder => {
                let by = i64::try_from(largest(other)).unwrap_or(i64::MAX);
                let most = size.min((by - 1).max(0));
                let least = if self.least >= 0 { 0 } else { -most };
                Some(Self { least, most })
            }
            BinaryOperator::ShiftRight if other.least >= 0 && other.most < 32 => {
                Self::around(ends.map(|(a, b)| Some(a >> b)))
            }
            BinaryOperator::ShiftRight => Some(Self {
                least: self.least.min(0),
                most: self.most.max(0),
            }),
            BinaryOperator::And => match (self.least >= 0, other.least >= 0) {
                (true, true) => natural(self.most.min(other.most)),
                (true, false) => natural(self.most),
                (false, true) => natural(other.most),
                (false, false) => None,
            },
            BinaryOperator::Or | BinaryOperator::Xor if self.least >= 0 && other.least >= 0 => {
                let bits = 64 - self.most.max(other.most).leading_zeros();
                natural(i64::MAX >> (63 - bits.min(63)))
            }
            _ => None,
        }
    }
}
