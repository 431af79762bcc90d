//! The conversions that the language makes.

use super::{Lower, Lowered, Opaque};
use crate::body::{ExpressionId, ExpressionKind, Root, Type, TypeKind, Types};
use crate::expr::{Scalar, Value};
use crate::source::Span;

impl Lower<'_, '_> {
    /// A value as one of another type.
    pub(super) fn convert(&mut self, value: ExpressionId, to: Type) -> Lowered<ExpressionId> {
        let from = self.ty(value);
        if from == to {
            return Ok(value);
        }
        let span = self.body.expression(value).span;
        let is_zero = matches!(
            self.body.expression(value).kind,
            ExpressionKind::Literal(Value::Int(_, 0))
        );
        let kind = match (self.kind(from), self.kind(to)) {
            (TypeKind::Scalar(_), TypeKind::Scalar(_)) => ExpressionKind::Convert(value),
            (TypeKind::Pointer(_), TypeKind::Scalar(Scalar::Bool))
            | (TypeKind::Pointer(_), TypeKind::Pointer(_)) => ExpressionKind::Convert(value),
            (TypeKind::Scalar(_), TypeKind::Pointer(_)) if is_zero => ExpressionKind::Null,
            (TypeKind::Scalar(_), TypeKind::Vector(vector)) => {
                let component = self.scalar_type(vector.scalar);
                ExpressionKind::Convert(self.convert(value, component)?)
            }
            (TypeKind::Vector(a), TypeKind::Vector(b)) if a.width == b.width => {
                ExpressionKind::Convert(value)
            }
            // `(void) x` reads nothing.
            _ if to == Types::VOID && self.is_variable(value) => {
                ExpressionKind::Convert(self.long(0, span))
            }
            _ if to == Types::VOID => ExpressionKind::Convert(value),
            _ => {
                return Err(Opaque {
                    span,
                    what: {
                        let [from, to] = [from, to].map(|ty| self.unit.program.type_name(ty));
                        format!("a conversion from '{from}' to '{to}'")
                    },
                });
            }
        };
        Ok(self.push(kind, to, span))
    }

    /// Whether a value is a pointer to nothing that is written as one.
    fn is_null(&self, value: ExpressionId) -> bool {
        matches!(self.body.expression(value).kind, ExpressionKind::Null)
    }

    /// A value as a truth value.
    pub(super) fn truth(&mut self, value: ExpressionId) -> Lowered<ExpressionId> {
        let bool_type = self.scalar_type(Scalar::Bool);
        self.convert(value, bool_type)
    }

    pub(super) fn as_scalar(
        &mut self,
        value: ExpressionId,
        scalar: Scalar,
    ) -> Lowered<ExpressionId> {
        let ty = self.scalar_type(scalar);
        self.convert(value, ty)
    }

    /// That an operator of such values is not modelled.
    pub(super) fn no_operator(&self, values: &[ExpressionId], span: Span) -> Opaque {
        let names = values.iter().map(|v| self.ty(*v));
        let names = names.map(|ty| format!("'{}'", self.unit.program.type_name(ty)));
        let names: Vec<String> = names.collect();
        Opaque {
            span,
            what: format!("an operator of {}", names.join(" and ")),
        }
    }

    /// The scalar that a value is, or an error.
    pub(super) fn expect_scalar(&self, value: ExpressionId, span: Span) -> Lowered<Scalar> {
        self.scalar_of(value)
            .ok_or_else(|| self.no_operator(&[value], span))
    }

    /// Two values as ones of the type that an operator works in.
    pub(super) fn common(
        &mut self,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lowered<(ExpressionId, ExpressionId)> {
        let ty = match (self.kind(self.ty(a)), self.kind(self.ty(b))) {
            (TypeKind::Scalar(x), TypeKind::Scalar(y)) => self.scalar_type(x.common(y)),
            (TypeKind::Vector(_), _) => self.ty(a),
            (TypeKind::Scalar(_), TypeKind::Vector(_)) => self.ty(b),
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) if self.is_null(a) => self.ty(b),
            (TypeKind::Pointer(_), _) => self.ty(a),
            (_, TypeKind::Pointer(_)) => self.ty(b),
            (TypeKind::Record(x), TypeKind::Record(y)) if x == y => return Ok((a, b)),
            _ => {
                return Err(self.no_operator(&[a, b], span));
            }
        };
        Ok((self.convert(a, ty)?, self.convert(b, ty)?))
    }

    /// Whether a value is that of a whole variable.
    fn is_variable(&self, value: ExpressionId) -> bool {
        let ExpressionKind::Load(place) = self.body.expression(value).kind else {
            return false;
        };
        let place = self.body.place(place);
        place.path.is_empty() && matches!(place.root, Root::Variable(_))
    }
}
