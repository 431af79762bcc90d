//! Operators with two operands, assignments and updates.

use super::{Lower, Lowered, Opaque};
use crate::body::{
    BinaryOperator, ExpressionId, ExpressionKind, PlaceId, Type, TypeKind, UnaryOperator,
};
use crate::expr::{Scalar, Value};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_> {
    /// `a OP b`, of operands of any types.
    pub(super) fn operate(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lowered<ExpressionId> {
        let (x, y) = (self.kind(self.ty(a)), self.kind(self.ty(b)));
        let integer = |kind| matches!(kind, TypeKind::Scalar(s) if !s.is_float());
        match (operator, x, y) {
            (BinaryOperator::Add, TypeKind::Pointer(_), _) if integer(y) => {
                return self.offset(a, b, false, span);
            }
            (BinaryOperator::Add, _, TypeKind::Pointer(_)) if integer(x) => {
                return self.offset(b, a, false, span);
            }
            (BinaryOperator::Subtract, TypeKind::Pointer(_), _) if integer(y) => {
                return self.offset(a, b, true, span);
            }
            (BinaryOperator::Subtract, TypeKind::Pointer(p), TypeKind::Pointer(q)) if p == q => {
                let ty = self.scalar_type(Scalar::Long);
                return Ok(self.push(ExpressionKind::Difference(a, b), ty, span));
            }
            (_, TypeKind::Record(_), _) | (_, _, TypeKind::Record(_)) => {
                let what = "an operator of a class".to_string();
                return Err(Opaque { span, what });
            }
            (_, TypeKind::Pointer(_), _) | (_, _, TypeKind::Pointer(_)) if !operator.compares() => {
                return Err(self.no_operator(&[a, b], span));
            }
            _ => {}
        }
        let vectors = matches!(x, TypeKind::Vector(_)) || matches!(y, TypeKind::Vector(_));
        if vectors && operator.compares() {
            return Err(self.no_operator(&[a, b], span));
        }
        let shifts = matches!(
            operator,
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight
        );
        if shifts && !vectors {
            let (p, q) = (self.expect_scalar(a, span)?, self.expect_scalar(b, span)?);
            let (a, b) = (
                self.as_scalar(a, p.promoted())?,
                self.as_scalar(b, q.promoted())?,
            );
            if p.is_float() || q.is_float() {
                return Err(self.no_operator(&[a, b], span));
            }
            let ty = self.ty(a);
            return Ok(self.push(ExpressionKind::Binary(operator, a, b), ty, span));
        }
        let (a, b) = self.common(a, b, span)?;
        let bits = matches!(
            operator,
            BinaryOperator::And
                | BinaryOperator::Or
                | BinaryOperator::Xor
                | BinaryOperator::Remainder
        );
        if bits && self.scalar_of(a).is_some_and(Scalar::is_float) {
            return Err(self.no_operator(&[a, b], span));
        }
        let ty = match operator.compares() {
            true => self.scalar_type(Scalar::Bool),
            false => self.ty(a),
        };
        Ok(self.push(ExpressionKind::Binary(operator, a, b), ty, span))
    }

    /// A pointer some elements further, or back.
    pub(super) fn offset(
        &mut self,
        pointer: ExpressionId,
        by: ExpressionId,
        back: bool,
        span: Span,
    ) -> Lowered<ExpressionId> {
        let mut by = self.as_scalar(by, Scalar::Long)?;
        let long = self.ty(by);
        if back {
            by = self.push(ExpressionKind::Unary(UnaryOperator::Negate, by), long, span);
        }
        let ty = self.ty(pointer);
        Ok(self.push(ExpressionKind::Offset(pointer, by), ty, span))
    }

    pub(super) fn assignment(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let span = self.span(node);
        let left = self.part(node, Field::Left)?;
        let right = self.part(node, Field::Right)?;
        let operator = match tree.child(node, Field::Operator) {
            Some(operator) => self.text(operator),
            None => "=",
        };
        if operator == "=" {
            let place = self.place(left)?;
            let ty = self.body.place(place).ty;
            let value = match tree.kind(right) {
                Kind::InitializerList => {
                    return self.opaque(right, "a list without a type");
                }
                _ => self.value(right)?,
            };
            let value = self.convert(value, ty)?;
            return Ok(self.push(ExpressionKind::Assign { place, value }, ty, span));
        }
        let value = self.value(right)?;
        let place = self.place(left)?;
        let words = match operator {
            "and_eq" => "&",
            "or_eq" => "|",
            "xor_eq" => "^",
            other => other.trim_end_matches('='),
        };
        let Some(operator) = BinaryOperator::from_text(words) else {
            return self.unnamed(node, "this operator");
        };
        self.change(place, operator, value, false, span)
    }

    /// `++x`, `x--`.
    pub(super) fn update(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let span = self.span(node);
        let argument = self.part(node, Field::Argument)?;
        let operator = self.part(node, Field::Operator)?;
        let before = self.span(operator).start > self.span(argument).start;
        // The parser takes `-x++` for `(-x)++`.
        let sign = tree.child(argument, Field::Operator);
        let sign = sign.filter(|_| before && tree.kind(argument) == Kind::UnaryExpression);
        if let Some(sign) = sign {
            let inner = self.part(argument, Field::Argument)?;
            let (sign, operator) = (self.text(sign), self.text(operator));
            let value = self.step_by_one(inner, operator, true, span)?;
            return self.signed(sign, value, node);
        }
        let operator = self.text(operator);
        self.step_by_one(argument, operator, before, span)
    }

    fn step_by_one(
        &mut self,
        argument: NodeId,
        operator: &str,
        before: bool,
        span: Span,
    ) -> Lowered<ExpressionId> {
        let operator = match operator {
            "++" => BinaryOperator::Add,
            _ => BinaryOperator::Subtract,
        };
        let place = self.place(argument)?;
        let one = self.literal(Value::int(1), span);
        self.change(place, operator, one, before, span)
    }

    /// `place OP= value`.
    fn change(
        &mut self,
        place: PlaceId,
        operator: BinaryOperator,
        value: ExpressionId,
        before: bool,
        span: Span,
    ) -> Lowered<ExpressionId> {
        let ty = self.body.place(place).ty;
        let wrong = || Opaque {
            span,
            what: {
                let ty = self.unit.program.type_name(ty);
                format!("an operator that changes '{ty}'")
            },
        };
        let shifts = matches!(
            operator,
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight
        );
        let (value, computed): (ExpressionId, Type) = match (self.kind(ty), self.scalar_of(value)) {
            (TypeKind::Pointer(_), Some(by)) if !by.is_float() => {
                if !matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) {
                    return Err(wrong());
                }
                (self.as_scalar(value, Scalar::Long)?, ty)
            }
            (TypeKind::Scalar(a), Some(b)) if shifts => {
                let computed = self.scalar_type(a.promoted());
                (self.as_scalar(value, b.promoted())?, computed)
            }
            (TypeKind::Scalar(a), Some(b)) => {
                let computed = self.scalar_type(a.common(b));
                (self.convert(value, computed)?, computed)
            }
            (TypeKind::Vector(_), _) => (self.convert(value, ty)?, ty),
            _ => return Err(wrong()),
        };
        let kind = ExpressionKind::Update {
            place,
            operator,
            value,
            computed,
            before,
        };
        Ok(self.push(kind, ty, span))
    }
}
