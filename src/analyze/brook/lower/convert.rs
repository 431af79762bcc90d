//! Conversions: components that are too many go, the last one is repeated where there are too few, a scalar is all of them.

use super::make::Make;
use super::{Lower, Lowered, Opaque};
use crate::body::{ExpressionId, ExpressionKind, Type};
use crate::expr::{Scalar, Value};
use crate::module;
use crate::source::Span;

impl Lower<'_, '_, '_> {
    /// A value as one of that component type and so many components.
    pub(super) fn shaped(
        &mut self,
        value: ExpressionId,
        (scalar, width): (Scalar, u8),
    ) -> Lowered<ExpressionId> {
        let (ty, span) = (self.ty(value), self.body.expression(value).span);
        let wanted = self.unit.numbers_of(scalar, width);
        if ty == wanted {
            return Ok(value);
        }
        let Some((from, count)) = self.shape(ty) else {
            let what = "a conversion between these types".to_string();
            return Err(Opaque { span, what });
        };
        if count == width {
            return Ok(self.cast(value, wanted, span));
        }
        if count == 1 {
            let one = self.as_scalar(value, scalar);
            return Ok(self.push(ExpressionKind::Convert(one), wanted, span));
        }
        let (before, kept) = self.keep(value);
        let mut parts = Vec::new();
        for index in 0..u32::from(width) {
            let part = self.component(kept, index.min(u32::from(count) - 1), span);
            parts.push(match from == scalar {
                true => part,
                false => self.as_scalar(part, scalar),
            });
        }
        let made = self.vector(parts, span);
        Ok(self.then(before, made))
    }

    /// A value as one of a type of the checker's.
    pub(super) fn converted(
        &mut self,
        value: ExpressionId,
        to: module::Type,
    ) -> Lowered<ExpressionId> {
        match to.base.scalar() {
            Some(scalar) => self.shaped(value, (scalar, to.width)),
            None => Ok(value),
        }
    }

    /// That number in a type, in all components of a vector.
    pub(super) fn number_of(&mut self, number: i64, ty: Type, span: Span) -> ExpressionId {
        let (scalar, width) = self.shape(ty).unwrap_or((Scalar::Int, 1));
        let value = match scalar.is_float() {
            true => Value::Float(scalar, number as f64),
            false => Value::Int(scalar, number),
        };
        let one = self.literal(value, span);
        match width {
            1 => one,
            _ => self.push(ExpressionKind::Convert(one), ty, span),
        }
    }

    /// Such a number with a fraction.
    pub(super) fn real_of(&mut self, number: f64, ty: Type, span: Span) -> ExpressionId {
        let scalar = self.shape(ty).map_or(Scalar::Double, |(scalar, _)| scalar);
        self.literal(Value::Float(scalar, number), span)
    }
}
