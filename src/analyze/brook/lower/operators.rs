//! Operators with what the language means by them: integers wrap, division by zero gives zero, shifts take their count modulo 32,
//! comparisons are numbers.

use super::make::Make;
use super::{Lower, Lowered};
use crate::body::{BinaryOperator, ExpressionId, ExpressionKind, Type, TypeKind};
use crate::expr::Scalar;
use crate::source::Span;
use crate::syntax::{Field, NodeId};

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Plain(BinaryOperator),
    And,
    Or,
}

impl Operator {
    pub(super) fn from_text(text: &str) -> Option<Self> {
        match text {
            "&&" => Some(Self::And),
            "||" => Some(Self::Or),
            text => BinaryOperator::from_text(text).map(Self::Plain),
        }
    }
}

impl Lower<'_, '_, '_> {
    /// `a OP b`
    pub(super) fn infix(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let left = self.part(node, Field::Left)?;
        let right = self.part(node, Field::Right)?;
        let Some(operator) = Operator::from_text(self.operator_of(node)) else {
            return self.unnamed(node, "this operator");
        };
        let (a, b) = (self.expression(left)?, self.expression(right)?);
        let value = self.operate(operator, a, b, span)?;
        // Of truth values they are truth values, whatever the operands were converted to.
        match self.unit.facts.number(node) {
            Some(ty) => self.converted(value, ty),
            None => Ok(value),
        }
    }

    /// An operator on two values of one type: the type of its value, too.
    pub(super) fn operate(
        &mut self,
        operator: Operator,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lowered<ExpressionId> {
        let ty = self.ty(a);
        let other = self.ty(b);
        let shape = self.shape(ty).filter(|_| ty == other);
        let Some((scalar, _)) = shape else {
            return Err(super::Opaque {
                span,
                what: "an operator of these types".to_string(),
            });
        };
        if self.is_plain(operator, scalar) {
            let Operator::Plain(operator) = operator else {
                return Ok(a);
            };
            return Ok(self.push(ExpressionKind::Binary(operator, a, b), ty, span));
        }
        self.each(&[a, b], span, |this, values| {
            this.one(operator, values[0], values[1], scalar, span)
        })
    }

    /// Whether trees have the operator as the language means it.
    fn is_plain(&self, operator: Operator, scalar: Scalar) -> bool {
        use BinaryOperator as B;
        match operator {
            Operator::Plain(B::Add | B::Subtract | B::Multiply | B::And | B::Or | B::Xor) => {
                scalar != Scalar::Bool
            }
            Operator::Plain(B::Divide) => scalar.is_float(),
            _ => false,
        }
    }

    /// The operator on two numbers.
    fn one(
        &mut self,
        operator: Operator,
        a: ExpressionId,
        b: ExpressionId,
        scalar: Scalar,
        span: Span,
    ) -> ExpressionId {
        use BinaryOperator as B;
        let bool_type = self.scalar_type(Scalar::Bool);
        match operator {
            Operator::And | Operator::Or => {
                let (a, b) = (
                    self.as_scalar(a, Scalar::Bool),
                    self.as_scalar(b, Scalar::Bool),
                );
                let kind = match operator {
                    Operator::And => ExpressionKind::And(a, b),
                    _ => ExpressionKind::Or(a, b),
                };
                let value = self.push(kind, bool_type, span);
                self.as_scalar(value, scalar)
            }
            Operator::Plain(operator) if operator.compares() => {
                let value = self.binary(operator, a, b, span);
                self.as_scalar(value, scalar)
            }
            Operator::Plain(operator @ (B::Divide | B::Remainder)) => {
                // 64 bits hold every quotient.
                if let ExpressionKind::Literal(value) = self.body.expression(b).kind
                    && value.is_true()
                {
                    let dividend = self.as_scalar(a, Scalar::Long);
                    let divisor = self.as_scalar(b, Scalar::Long);
                    let quotient = self.binary(operator, dividend, divisor, span);
                    return self.as_scalar(quotient, scalar);
                }
                let (before, kept) = self.keep(b);
                let divisor = self.kept(kept, span);
                let is_zero = self.is_zero(divisor);
                let zero = self.number_of(0, self.body.expression(a).ty, span);
                let divisor = self.kept(kept, span);
                let divisor = self.as_scalar(divisor, Scalar::Long);
                let dividend = self.as_scalar(a, Scalar::Long);
                let quotient = self.binary(operator, dividend, divisor, span);
                let quotient = self.as_scalar(quotient, scalar);
                let value = self.conditional(is_zero, zero, quotient, span);
                self.then(before, value)
            }
            Operator::Plain(operator @ (B::ShiftLeft | B::ShiftRight)) => {
                // To the left the sign is a bit like others.
                let inside = match operator {
                    B::ShiftLeft => Scalar::UInt,
                    _ if scalar.is_unsigned() => Scalar::UInt,
                    _ => Scalar::Int,
                };
                let a = self.as_scalar(a, inside);
                let b = self.as_scalar(b, Scalar::UInt);
                let most = self.literal(crate::expr::Value::Int(Scalar::UInt, 31), span);
                let by = self.binary(B::And, b, most, span);
                let value = self.binary(operator, a, by, span);
                self.as_scalar(value, scalar)
            }
            // Truth values are computed as C does it.
            Operator::Plain(operator) => {
                let (a, b) = (
                    self.as_scalar(a, Scalar::Int),
                    self.as_scalar(b, Scalar::Int),
                );
                let value = self.binary(operator, a, b, span);
                self.as_scalar(value, scalar)
            }
        }
    }

    /// What an integer is, or each component of a vector, without its sign.
    pub(super) fn magnitude(&mut self, value: ExpressionId, span: Span) -> Lowered<ExpressionId> {
        self.each(&[value], span, |this, values| {
            let (before, kept) = this.keep(values[0]);
            let ty = this.body.expression(values[0]).ty;
            let zero = this.number_of(0, ty, span);
            let a = this.kept(kept, span);
            let below = this.binary(BinaryOperator::Less, a, zero, span);
            let a = this.kept(kept, span);
            let negative = this.unary(crate::body::UnaryOperator::Negate, a, span);
            let a = this.kept(kept, span);
            let value = this.conditional(below, negative, a, span);
            this.then(before, value)
        })
    }

    /// Whether a type is a vector.
    pub(super) fn is_vector(&self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Vector(_))
    }
}
