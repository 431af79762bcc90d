//! What integers may be where an element of a group's array is asked for: variables that are never changed, those of
//! loops, and arithmetic on them. Nothing else is known, and what is not known may be anything.

use super::walk::Walk;
use crate::analyze::range::Range;
use crate::expr::{self, BinaryOperator, Expr, Scalar, UnaryOperator};
use crate::syntax::NodeId;

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) range: Range,
    /// Its type has a sign. Without one, what goes below 0 wraps, in a number of bits that nobody here knows.
    pub(super) signed: bool,
}

/// What an expression is made of.
#[derive(Default)]
struct Seen {
    unsigned: bool,
    /// Something that has no form in an unsigned type of 32 bits.
    outside: bool,
}

impl Seen {
    fn see(&mut self, range: Range) {
        self.outside |= range.least < 0 || range.most > i64::from(u32::MAX);
    }
}

impl Walk<'_, '_> {
    /// Whether a subscript is known to be one of so many.
    pub(super) fn is_below(&self, subscript: NodeId, size: u64) -> bool {
        let text = self.context.tree.text(subscript, self.context.text);
        let Some(known) = expr::parse(text).ok().and_then(|e| self.known(&e)) else {
            return false;
        };
        known.range.least >= 0 && u64::try_from(known.range.most).is_ok_and(|most| most < size)
    }

    /// Of a variable with an initial value that is never changed.
    pub(super) fn known_value(&mut self, name: &str, value: NodeId, ty: Scalar) -> Option<Known> {
        if !self.has_rows || self.may_change(name, value) {
            return None;
        }
        let text = self.context.tree.text(value, self.context.text);
        let known = self.known(&expr::parse(text).ok()?)?;
        as_type(known.range, ty)
    }

    /// What an expression may be. Its type is not followed, so an expression in which something without a sign meets
    /// something negative or large, and could wrap, is not known.
    pub(super) fn known(&self, e: &Expr) -> Option<Known> {
        let mut seen = Seen::default();
        let range = self.range(e, &mut seen)?;
        seen.see(range);
        let known = Known {
            range,
            signed: !seen.unsigned,
        };
        (known.signed || !seen.outside).then_some(known)
    }

    fn range(&self, e: &Expr, seen: &mut Seen) -> Option<Range> {
        let range = match e {
            Expr::Literal(value) => {
                seen.unsigned |= !signed(value.scalar());
                Range::only(value.as_i64()?)
            }
            Expr::SizeOf(scalar) => {
                seen.unsigned = true;
                Range::only(scalar.size() as i64)
            }
            Expr::Name(name) => match self.unit.scopes.get(name) {
                Some(symbol) if symbol.known.is_some() => {
                    let known = symbol.known?;
                    seen.unsigned |= !known.signed;
                    known.range
                }
                Some(symbol) if !symbol.constant => return None,
                _ => {
                    let value = self.unit.values.get(name)?;
                    seen.unsigned |= !signed(value.scalar());
                    Range::only(value.as_i64()?)
                }
            },
            Expr::Unary(UnaryOperator::Plus, a) => self.range(a, seen)?,
            Expr::Unary(UnaryOperator::Minus, a) => {
                let a = self.range(a, seen)?;
                Range::only(0).combined("-", a)?
            }
            Expr::Unary(UnaryOperator::Not, _) => Range { least: 0, most: 1 },
            Expr::Unary(UnaryOperator::Complement, _) => return None,
            Expr::Binary(operator, a, b) => return self.combined(*operator, a, b, seen),
            Expr::Conditional(_, a, b) => self.range(a, seen)?.both(self.range(b, seen)?),
            Expr::Cast(scalar, a) => {
                let a = self.range(a, seen)?;
                seen.unsigned |= !signed(*scalar);
                as_type(a, *scalar)?.range
            }
            Expr::Call(name, arguments) => match (&**name, arguments.as_slice()) {
                ("min" | "std::min", [a, b]) => self.either(a, b, seen, i64::min)?,
                ("max" | "std::max", [a, b]) => self.either(a, b, seen, i64::max)?,
                _ => return None,
            },
            Expr::Element(..) => return None,
        };
        seen.see(range);
        Some(range)
    }

    /// The smaller or the larger of two: nothing else may have that name.
    fn either(
        &self,
        a: &Expr,
        b: &Expr,
        seen: &mut Seen,
        of: fn(i64, i64) -> i64,
    ) -> Option<Range> {
        if ["min", "max"]
            .iter()
            .any(|n| self.unit.declared.get(n).is_some())
        {
            return None;
        }
        let (a, b) = (self.range(a, seen)?, self.range(b, seen)?);
        Some(Range {
            least: of(a.least, b.least),
            most: of(a.most, b.most),
        })
    }

    fn combined(
        &self,
        operator: BinaryOperator,
        a: &Expr,
        b: &Expr,
        seen: &mut Seen,
    ) -> Option<Range> {
        use BinaryOperator as Op;
        let range = match operator {
            Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::Equal
            | Op::NotEqual
            | Op::And
            | Op::Or => return Some(Range { least: 0, most: 1 }),
            Op::BitAnd => {
                // Whatever one side is, no bit is set that the other has not.
                let sides = [self.range(a, seen), self.range(b, seen)];
                match sides {
                    [Some(a), Some(b)] => a.combined("&", b)?,
                    [Some(mask), None] | [None, Some(mask)] if mask.least >= 0 => Range {
                        least: 0,
                        most: mask.most,
                    },
                    _ => return None,
                }
            }
            _ => {
                let (a, b) = (self.range(a, seen)?, self.range(b, seen)?);
                a.combined(operator.c_text(), b)?
            }
        };
        seen.see(range);
        Some(range)
    }
}

/// A value that fits its type.
pub(super) fn as_type(range: Range, scalar: Scalar) -> Option<Known> {
    let (least, most) = match scalar {
        Scalar::Bool => (0, 1),
        Scalar::Char => (i8::MIN.into(), i8::MAX.into()),
        Scalar::UChar => (0, u8::MAX.into()),
        Scalar::Short => (i16::MIN.into(), i16::MAX.into()),
        Scalar::UShort => (0, u16::MAX.into()),
        Scalar::Int => (i32::MIN.into(), i32::MAX.into()),
        Scalar::UInt => (0, u32::MAX.into()),
        Scalar::Long => (i64::MIN, i64::MAX),
        Scalar::ULong => (0, i64::MAX),
        Scalar::Float | Scalar::Double => return None,
    };
    range.is_within(Range { least, most }).then_some(Known {
        range,
        signed: signed(scalar),
    })
}

/// Arithmetic on it does not wrap: what is narrower than an `int` becomes one.
pub(super) fn signed(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::UInt | Scalar::ULong)
}
