//! What loops say of their counters: variables that grow by positive numbers alone, and are compared with what the loop does not
//! change.

use super::values::typed;
use super::{Known, Value, Walk, small};
use crate::body::{
    BinaryOperator, ExpressionId, ExpressionKind, Root, StatementId, StatementKind, VariableId,
};
use crate::expr::Scalar;
use crate::module::{Binary, Index};
use std::sync::Arc;

impl Walk<'_> {
    /// The counters of a loop, in its iterations: what variables were before it is given, and nothing is known now of what it changes.
    pub(super) fn counters(
        &mut self,
        id: StatementId,
        condition: Option<ExpressionId>,
        before: &[Value],
    ) -> Vec<(VariableId, Known)> {
        let mut found = Vec::new();
        let mut compared = Vec::new();
        if let Some(condition) = condition {
            self.compared(condition, &mut compared);
        }
        for (variable, operator, bound) in compared {
            let VariableId::Local(index) = variable else {
                continue;
            };
            if !matches!(operator, Binary::Less | Binary::LessEqual) {
                continue;
            }
            let first = match before.get(index as usize) {
                Some(Value::Numbers(all)) if all.len() == 1 => all[0].clone(),
                _ => None,
            };
            if self.definitions.escapes(variable) || found.iter().any(|(v, _)| *v == variable) {
                continue;
            }
            if let (Some(first), Some(step)) = (first, self.grows(id, variable))
                && let Some(bound) = self.number(bound)
            {
                let ty = self.program.variable(self.body, variable).ty;
                let step = self.scalar(ty).map(|scalar| Index::Number(scalar, step));
                let counter = step.and_then(|step| {
                    let parts = [first.clone(), bound.clone(), step];
                    small(Index::Counter(operator, Arc::new(parts)))
                });
                let scalar = self.scalar(ty);
                found.push((variable, scalar.and_then(|s| typed(s, counter))));
            }
        }
        found
    }

    /// The comparisons of variables with bounds that hold where a condition does.
    pub(super) fn compared(
        &self,
        condition: ExpressionId,
        found: &mut Vec<(VariableId, Binary, ExpressionId)>,
    ) {
        match self.body.expression(condition).kind {
            ExpressionKind::And(a, b) => {
                self.compared(a, found);
                self.compared(b, found);
            }
            ExpressionKind::Binary(operator, a, b) => {
                for (a, operator, b) in [(a, operator, b), (b, operator.turned(), a)] {
                    let operator = match operator {
                        BinaryOperator::Less => Binary::Less,
                        BinaryOperator::LessEqual => Binary::LessEqual,
                        BinaryOperator::Greater => Binary::Greater,
                        BinaryOperator::GreaterEqual => Binary::GreaterEqual,
                        _ => continue,
                    };
                    if let Some(variable) = self.same(a) {
                        found.push((variable, operator, b));
                    }
                }
            }
            // A condition that is a number, as those of Brook+ are.
            ExpressionKind::Convert(inside) => self.compared(inside, found),
            _ => {}
        }
    }

    /// The variable whose number a value is, in its type or in one that has all of that type's numbers.
    fn same(&self, id: ExpressionId) -> Option<VariableId> {
        let scalar = |id| self.scalar(self.body.expression(id).ty);
        match self.body.expression(id).kind {
            ExpressionKind::Convert(inside) => {
                let keeps = match (scalar(inside)?, scalar(id)?) {
                    (Scalar::Int, Scalar::Long | Scalar::Double) => true,
                    (Scalar::Float, Scalar::Double) => true,
                    (a, b) => a == b,
                };
                self.same(inside).filter(|_| keeps)
            }
            _ => self.body.read_whole(id),
        }
    }

    /// By how much a loop adds to a variable in an iteration at most, if it does nothing else with it.
    fn grows(&self, id: StatementId, variable: VariableId) -> Option<f64> {
        let all = self.writes_of(id, variable).into_iter();
        let by =
            |(write, repeated): (_, bool)| self.positive(write, variable).filter(|_| !repeated);
        let sum: Option<f64> = all.map(by).sum();
        sum.filter(|sum| *sum > 0.0)
    }

    /// What writes a variable in a loop, or a part of it, and whether a loop within repeats that.
    pub(super) fn writes_of(
        &self,
        id: StatementId,
        variable: VariableId,
    ) -> Vec<(ExpressionId, bool)> {
        let body = self.body;
        let StatementKind::Loop {
            condition,
            step,
            body: list,
            ..
        } = &body.statement(id).kind
        else {
            return Vec::new();
        };
        let mut all: Vec<(ExpressionId, bool)> = Vec::new();
        all.extend(condition.iter().chain(step).map(|e| (*e, false)));
        self.values_in(list, false, &mut all);
        let mut writes = Vec::new();
        for (value, repeated) in all {
            body.each_value(value, &mut |e| {
                if let Some(place) = body.written(e)
                    && body.place(place).root == Root::Variable(variable)
                {
                    writes.push((e, repeated));
                }
            });
        }
        writes
    }

    /// The values of statements, and whether they are of loops in them.
    fn values_in(
        &self,
        list: &[StatementId],
        repeated: bool,
        found: &mut Vec<(ExpressionId, bool)>,
    ) {
        for &id in list {
            let repeats = matches!(self.body.statement(id).kind, StatementKind::Loop { .. });
            let repeated = repeated || repeats;
            found.extend(self.body.values_of(id).map(|e| (e, repeated)));
            for inside in self.body.lists_of(id) {
                self.values_in(inside, repeated, found);
            }
        }
    }

    /// The number that is added to a variable, if it is positive.
    fn positive(&self, id: ExpressionId, variable: VariableId) -> Option<f64> {
        let (by, negative) = self.added(id, variable)?;
        let ExpressionKind::Literal(by) = self.body.expression(by).kind else {
            return None;
        };
        let by = by.as_f64();
        (!negative && by > 0.0 && by.is_finite()).then_some(by)
    }

    /// What `v += by` or `v = v + by` adds to a variable, in its own type, and whether it takes that away.
    pub(super) fn added(
        &self,
        id: ExpressionId,
        variable: VariableId,
    ) -> Option<(ExpressionId, bool)> {
        let body = self.body;
        let (place, operator, by) = match body.expression(id).kind {
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                ..
            } if computed == body.place(place).ty => (place, operator, value),
            ExpressionKind::Assign { place, value } => match body.expression(value).kind {
                ExpressionKind::Binary(operator, old, by)
                    if body.read_whole(old) == Some(variable) =>
                {
                    (place, operator, by)
                }
                _ => return None,
            },
            _ => return None,
        };
        let negative = match operator {
            BinaryOperator::Add => false,
            BinaryOperator::Subtract => true,
            _ => return None,
        };
        (body.whole(place) == Some(variable)).then_some((by, negative))
    }
}
