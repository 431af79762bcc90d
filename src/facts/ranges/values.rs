//! What values may be.

use super::{DEEPEST, Range, Walk};
use crate::body::{
    Arithmetic, BinaryOperator, Builtin, ExpressionId, ExpressionKind, Root, UnaryOperator,
};
use crate::expr::Scalar;

impl Walk<'_> {
    /// What a value may be; `None` is anything.
    pub(super) fn range(&mut self, id: ExpressionId) -> Option<Range> {
        let expression = self.body.expression(id);
        let scalar = self.program.types.as_scalar(expression.ty)?;
        if scalar.is_float() {
            return None;
        }
        let found = match &expression.kind {
            ExpressionKind::Literal(value) => value.as_i64().map(Range::only),
            ExpressionKind::Load(place) => {
                let place = self.body.place(*place);
                match place.root {
                    Root::Variable(variable) if place.path.is_empty() => {
                        self.known.get(&variable).copied()
                    }
                    _ => None,
                }
            }
            ExpressionKind::Convert(a) => {
                let found = self.range(*a);
                return match found.filter(|_| scalar != Scalar::Bool) {
                    Some(range) if fits(range, scalar) => Some(range),
                    _ => Range::of_scalar(scalar),
                };
            }
            ExpressionKind::Unary(UnaryOperator::Negate, a) => {
                let a = self.range(*a);
                a.and_then(|a| Range::only(0).combined(BinaryOperator::Subtract, a))
            }
            ExpressionKind::Unary(UnaryOperator::Complement, a) => {
                let a = self.range(*a);
                a.and_then(|a| Range::only(-1).combined(BinaryOperator::Subtract, a))
            }
            ExpressionKind::Binary(operator, a, b) if !operator.compares() => {
                self.combined(*operator, *a, *b)
            }
            ExpressionKind::Conditional(condition, a, b) => {
                let a = self.range_where(*condition, true, *a);
                let b = self.range_where(*condition, false, *b);
                a.zip(b).map(|(a, b)| a.both(b))
            }
            ExpressionKind::Comma(_, value) | ExpressionKind::Assign { value, .. } => {
                self.range(*value)
            }
            ExpressionKind::Builtin(function @ (Builtin::Min | Builtin::Max), arguments) => {
                let of = match function {
                    Builtin::Min => i64::min,
                    _ => i64::max,
                };
                let mut all = arguments.iter().map(|a| self.range(*a));
                let first = all.next().flatten();
                all.fold(first, |a, b| {
                    let (a, b) = (a?, b?);
                    Some(Range {
                        least: of(a.least, b.least),
                        most: of(a.most, b.most),
                    })
                })
            }
            _ => None,
        };
        match found {
            Some(range) => self.held(range, scalar),
            None => Range::of_scalar(scalar),
        }
    }

    /// What a value may be where a condition is true, or false.
    fn range_where(
        &mut self,
        condition: ExpressionId,
        truth: bool,
        value: ExpressionId,
    ) -> Option<Range> {
        if self.depth >= DEEPEST {
            return self.range(value);
        }
        self.depth += 1;
        let mark = self.before.len();
        self.assume(condition, truth);
        let range = self.range(value);
        self.restore(mark);
        self.depth -= 1;
        range
    }

    fn combined(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
    ) -> Option<Range> {
        let (a, b) = (self.range(a), self.range(b));
        let natural = |most| Range { least: 0, most };
        match (operator, a, b) {
            (BinaryOperator::ShiftLeft, Some(a), Some(by)) if (0..32).contains(&by.least) => {
                let factor = (by.least == by.most).then(|| 1i64 << by.least)?;
                a.combined(BinaryOperator::Multiply, Range::only(factor))
            }
            (_, Some(a), Some(b)) => a.combined(operator, b),
            // Without a sign.
            (BinaryOperator::Remainder, None, Some(by)) if by.least > 0 => {
                Some(natural(by.most - 1))
            }
            // No bit is set that the other has not.
            (BinaryOperator::And, None, Some(mask)) | (BinaryOperator::And, Some(mask), None) => {
                (mask.least >= 0).then(|| natural(mask.most))
            }
            _ => None,
        }
    }

    /// What a result is in its type: signed integers do not overflow, others wrap.
    pub(super) fn held(&self, range: Range, scalar: Scalar) -> Option<Range> {
        if fits(range, scalar) {
            return Some(range);
        }
        let all = Range::of_scalar(scalar)?;
        let wraps = scalar.is_unsigned() || self.body.arithmetic == Arithmetic::Total;
        let inside = Range {
            least: range.least.max(all.least),
            most: range.most.min(all.most),
        };
        match wraps || inside.least > inside.most {
            true => Some(all),
            false => Some(inside),
        }
    }
}

/// Those values of an integer type that are numbers of 64 bits with a sign: of the largest one, half.
pub(super) fn numbers(scalar: Scalar) -> Range {
    Range::of_scalar(scalar).unwrap_or(Range {
        least: 0,
        ..Range::ALL
    })
}

fn fits(range: Range, scalar: Scalar) -> bool {
    range.is_within(numbers(scalar))
}
