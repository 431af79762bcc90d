//! Copies that go on while their item does.

use super::super::code::{Operation, Register};
use super::{Builder, Result, not_modelled};
use crate::body::{Builtin, ExpressionId, ExpressionKind};
use crate::expr::Value;
use crate::source::Span;

impl Builder<'_, '_> {
    /// What an item says of its copies. Its value is 0.
    pub(super) fn copies(
        &mut self,
        builtin: Builtin,
        arguments: &[ExpressionId],
        want: Option<Register>,
        span: Span,
    ) -> Result<Register> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.value(*argument, None)?);
        }
        let operation = match (builtin, values.as_slice()) {
            (Builtin::Copying, &[to, from, _]) => {
                let bytes = match &self.body.expression(arguments[2]).kind {
                    ExpressionKind::Literal(Value::Int(_, bytes)) => u8::try_from(*bytes).ok(),
                    _ => None,
                };
                let bytes = bytes.ok_or_else(|| not_modelled(span, "a copy of so many bytes"))?;
                Operation::Copying(to, from, bytes)
            }
            (Builtin::CopiesAwaited, &[sets]) => Operation::CopiesAwaited(sets),
            _ => Operation::CopiesClosed,
        };
        self.emit(operation, span);
        self.constant(0, want, span)
    }
}
