//! Expressions of attributes, which are text: sizes of tiles, extents.

use super::{Lower, Lowered, Opaque};
use crate::body::{BinaryOperator, ExpressionId, ExpressionKind, UnaryOperator};
use crate::expr::{self, Expr, Scalar, Value};
use crate::source::Span;

impl Lower<'_, '_> {
    pub(super) fn attribute_text(&mut self, text: &str, span: Span) -> Lowered<ExpressionId> {
        let wrong = |_| Opaque {
            span,
            what: "an attribute's argument of this form".to_string(),
        };
        let parsed = expr::parse(text).map_err(wrong)?;
        self.attribute(&parsed, span)
    }

    pub(super) fn attribute(&mut self, e: &Expr, span: Span) -> Lowered<ExpressionId> {
        use expr::BinaryOperator as Operator;
        let other = Opaque {
            span,
            what: "an attribute's argument of this form".to_string(),
        };
        Ok(match e {
            Expr::Literal(value) => self.literal(*value, span),
            Expr::Name(name) => {
                let given = name.strip_prefix("brook_given_");
                let given = given.and_then(|at| at.parse::<usize>().ok());
                if let Some(given) = given.and_then(|at| self.given.get(at)) {
                    return Ok(*given);
                }
                let found = self.visible.iter().rev().find(|(n, _)| *n == &**name);
                if let Some((_, variable)) = found.copied() {
                    let place = self.whole(variable, span);
                    return self.read(place);
                }
                match self.unit.constant_of_name(name) {
                    Some(value) => self.literal(value, span),
                    None => return Err(other),
                }
            }
            Expr::Cast(scalar, value) => {
                let value = self.attribute(value, span)?;
                self.as_scalar(value, *scalar)?
            }
            Expr::Unary(operator, value) => {
                let value = self.attribute(value, span)?;
                let scalar = self.expect_scalar(value, span)?;
                let operator = match operator {
                    expr::UnaryOperator::Plus => return self.as_scalar(value, scalar.promoted()),
                    expr::UnaryOperator::Minus => UnaryOperator::Negate,
                    expr::UnaryOperator::Complement => UnaryOperator::Complement,
                    expr::UnaryOperator::Not => {
                        let value = self.truth(value)?;
                        let ty = self.ty(value);
                        let kind = ExpressionKind::Unary(UnaryOperator::Not, value);
                        return Ok(self.push(kind, ty, span));
                    }
                };
                let value = self.as_scalar(value, scalar.promoted())?;
                let ty = self.ty(value);
                self.push(ExpressionKind::Unary(operator, value), ty, span)
            }
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.attribute(a, span)?, self.attribute(b, span)?);
                let operator = match operator {
                    Operator::And | Operator::Or => {
                        let (a, b) = (self.truth(a)?, self.truth(b)?);
                        let kind = match operator {
                            Operator::And => ExpressionKind::And(a, b),
                            _ => ExpressionKind::Or(a, b),
                        };
                        let ty = self.ty(a);
                        return Ok(self.push(kind, ty, span));
                    }
                    Operator::Multiply => BinaryOperator::Multiply,
                    Operator::Divide => BinaryOperator::Divide,
                    Operator::Remainder => BinaryOperator::Remainder,
                    Operator::Add => BinaryOperator::Add,
                    Operator::Subtract => BinaryOperator::Subtract,
                    Operator::ShiftLeft => BinaryOperator::ShiftLeft,
                    Operator::ShiftRight => BinaryOperator::ShiftRight,
                    Operator::Less => BinaryOperator::Less,
                    Operator::LessEqual => BinaryOperator::LessEqual,
                    Operator::Greater => BinaryOperator::Greater,
                    Operator::GreaterEqual => BinaryOperator::GreaterEqual,
                    Operator::Equal => BinaryOperator::Equal,
                    Operator::NotEqual => BinaryOperator::NotEqual,
                    Operator::BitAnd => BinaryOperator::And,
                    Operator::BitXor => BinaryOperator::Xor,
                    Operator::BitOr => BinaryOperator::Or,
                };
                self.operate(operator, a, b, span)?
            }
            Expr::Conditional(c, a, b) => {
                let c = self.attribute(c, span)?;
                let c = self.truth(c)?;
                let (a, b) = (self.attribute(a, span)?, self.attribute(b, span)?);
                let (a, b) = self.common(a, b, span)?;
                let ty = self.ty(a);
                self.push(ExpressionKind::Conditional(c, a, b), ty, span)
            }
            Expr::SizeOf(scalar) => {
                let size = Value::Int(Scalar::ULong, scalar.size() as i64);
                self.literal(size, span)
            }
            Expr::Call(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.attribute(argument, span)?);
                }
                self.library_value(name, values, span)?
            }
            Expr::Element(..) => return Err(other),
        })
    }
}
