//! What conditions say of variables where they hold, and where they do not.

use super::values::numbers;
use super::{Range, Walk};
use crate::body::{BinaryOperator, ExpressionId, ExpressionKind, Root, UnaryOperator, VariableId};
use crate::expr::Scalar;

impl Walk<'_> {
    /// A condition is true, or false.
    pub(super) fn assume(&mut self, condition: ExpressionId, truth: bool) {
        match self.body.expression(condition).kind {
            ExpressionKind::Unary(UnaryOperator::Not, a) => self.assume(a, !truth),
            ExpressionKind::And(a, b) if truth => {
                self.assume(a, true);
                self.assume(b, true);
            }
            ExpressionKind::Or(a, b) if !truth => {
                self.assume(a, false);
                self.assume(b, false);
            }
            ExpressionKind::Binary(operator, a, b) if operator.compares() => {
                let operator = if truth { operator } else { operator.opposite() };
                self.compared(operator, a, b);
                self.compared(operator.turned(), b, a);
            }
            _ => {}
        }
    }

    /// `a OP b` holds.
    fn compared(&mut self, operator: BinaryOperator, a: ExpressionId, b: ExpressionId) {
        let Some((variable, range)) = self.compared_variable(a) else {
            return;
        };
        let Some(other) = self.range(b) else {
            return;
        };
        let (mut least, mut most) = (range.least, range.most);
        match operator {
            BinaryOperator::Less => most = most.min(other.most.saturating_sub(1)),
            BinaryOperator::LessEqual => most = most.min(other.most),
            BinaryOperator::Greater => least = least.max(other.least.saturating_add(1)),
            BinaryOperator::GreaterEqual => least = least.max(other.least),
            BinaryOperator::Equal => (least, most) = (least.max(other.least), most.min(other.most)),
            _ => return,
        }
        // Numbers beyond those of `long` may be anything to what is computed of them.
        let beyond = self.scalar_of(variable) == Some(Scalar::ULong) && most == i64::MAX;
        // What is less than its least value, nothing is.
        if least <= most && !beyond {
            self.know(variable, Some(Range { least, most }));
        }
    }

    /// The variable that is compared, if it keeps its value, and what it may be.
    fn compared_variable(&mut self, id: ExpressionId) -> Option<(VariableId, Range)> {
        let expression = self.body.expression(id);
        match expression.kind {
            ExpressionKind::Convert(inside) => {
                let (variable, range) = self.compared_variable(inside)?;
                let scalar = self.program.types.as_scalar(expression.ty)?;
                let all = numbers(scalar);
                let keeps = !scalar.is_float() && scalar != Scalar::Bool && range.is_within(all);
                keeps.then_some((variable, range))
            }
            ExpressionKind::Load(place) => {
                let place = self.body.place(place);
                let Root::Variable(variable) = place.root else {
                    return None;
                };
                let scalar = self.scalar_of(variable)?;
                let steady = place.path.is_empty() && !scalar.is_float();
                if !steady || !self.definitions.is_steady(self.body, variable) {
                    return None;
                }
                let all = numbers(scalar);
                let known = self.known.get(&variable).copied();
                Some((variable, known.unwrap_or(all)))
            }
            _ => None,
        }
    }
}
