//! Integers as sums of numbers of iterations, each times a number: what they are with these arguments.

use super::nest::Nest;
use crate::body::{
    BinaryOperator, Body, ExpressionId, ExpressionKind, Program, UnaryOperator, VariableId,
};
use crate::expr::Scalar;
use crate::facts::Definitions;

/// `constant + slopes[0] * k0 + slopes[1] * k1 …`, where `k` are the numbers of the iterations of each loop, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) constant: i64,
    pub(super) slopes: Vec<i64>,
}

impl Form {
    fn constant(value: i64) -> Self {
        Self {
            constant: value,
            slopes: Vec::new(),
        }
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        let flat = self.slopes.iter().all(|s| *s == 0);
        flat.then_some(self.constant)
    }

    pub(super) fn slope(&self, counter: usize) -> i64 {
        self.slopes.get(counter).copied().unwrap_or(0)
    }

    fn combined(&self, other: &Self, with: impl Fn(i64, i64) -> Option<i64>) -> Option<Self> {
        let counters = self.slopes.len().max(other.slopes.len());
        let slopes = (0..counters).map(|c| with(self.slope(c), other.slope(c)));
        Some(Self {
            constant: with(self.constant, other.constant)?,
            slopes: slopes.collect::<Option<_>>()?,
        })
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        self.combined(other, i64::checked_add)
    }

    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.combined(other, i64::checked_sub)
    }

    fn times(&self, factor: i64) -> Option<Self> {
        self.combined(self, |a, _| a.checked_mul(factor))
    }
}

/// The sums of a body.
pub(super) struct Forms<'b> {
    pub(super) program: &'b Program,
    pub(super) body: &'b Body,
    pub(super) definitions: &'b Definitions,
    /// Of each parameter that is an integer its value.
    pub(super) value: &'b dyn Fn(usize) -> Option<i64>,
    /// Loop variables, and how many iterations their loops have.
    pub(super) counters: Vec<(VariableId, Form, i64)>,
}

impl<'b> Forms<'b> {
    pub(super) fn new(
        program: &'b Program,
        body: &'b Body,
        definitions: &'b Definitions,
        value: &'b dyn Fn(usize) -> Option<i64>,
    ) -> Self {
        Self {
            program,
            body,
            definitions,
            value,
            counters: Vec::new(),
        }
    }

    /// Counts the iterations of all loops of a nest; `None` if that depends on iterations of others, or if there are none.
    pub(super) fn count(&mut self, nest: &Nest<'_>) -> Option<()> {
        for this in &nest.loops {
            let count = self.form(this.count)?.as_constant()?;
            if count < 1 || !self.definitions.is_steady(self.body, this.variable) {
                return None;
            }
            let first = self.form(this.first)?;
            let step = self.form(this.step)?.as_constant()?;
            let number = self.counters.len();
            let mut slopes = vec![0; number];
            slopes.push(step);
            let steps = Form {
                constant: 0,
                slopes,
            };
            let value = first.plus(&steps)?;
            self.counters.push((this.variable, value, count));
            let scalar = {
                let variable = self.program.variable(self.body, this.variable);
                self.program.types.as_scalar(variable.ty)?
            };
            let value = self.counters[number].1.clone();
            self.fitting(value, scalar)?;
        }
        Some(())
    }

    /// The least and the largest number that it is in all iterations, whatever is asked in them.
    pub(super) fn range(&self, form: &Form) -> Option<(i64, i64)> {
        let (mut low, mut high) = (form.constant, form.constant);
        for (counter, (.., count)) in self.counters.iter().enumerate() {
            let last = form.slope(counter).checked_mul(count.checked_sub(1)?)?;
            low = low.checked_add(last.min(0))?;
            high = high.checked_add(last.max(0))?;
        }
        Some((low, high))
    }

    /// A sum if its type has all numbers that it may be.
    fn fitting(&self, form: Form, scalar: Scalar) -> Option<Form> {
        let (low, high) = self.range(&form)?;
        let bits = 8 * scalar.size() as u32;
        let (least, most) = match scalar {
            Scalar::Bool | Scalar::Float | Scalar::Double => return None,
            Scalar::Long => (i64::MIN, i64::MAX),
            Scalar::ULong => (0, i64::MAX),
            unsigned if unsigned.is_unsigned() => (0, (1 << bits) - 1),
            _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        };
        (least <= low && high <= most).then_some(form)
    }

    /// A value as a sum.
    pub(super) fn form(&self, id: ExpressionId) -> Option<Form> {
        let expression = self.body.expression(id);
        let scalar = self.program.types.as_scalar(expression.ty)?;
        let found = match &expression.kind {
            ExpressionKind::Literal(value) => Form::constant(value.as_i64()?),
            ExpressionKind::Load(place) => self.variable(self.body.whole(*place)?)?,
            ExpressionKind::Convert(a) => self.form(*a)?,
            ExpressionKind::Unary(UnaryOperator::Negate, a) => self.form(*a)?.times(-1)?,
            ExpressionKind::Binary(operator, a, b) if !operator.compares() => {
                self.computed(*operator, &self.form(*a)?, &self.form(*b)?)?
            }
            ExpressionKind::Conditional(condition, a, b) => match self.truth(*condition)? {
                true => self.form(*a)?,
                false => self.form(*b)?,
            },
            _ => return None,
        };
        self.fitting(found, scalar)
    }

    fn computed(&self, operator: BinaryOperator, a: &Form, b: &Form) -> Option<Form> {
        match operator {
            BinaryOperator::Add => return a.plus(b),
            BinaryOperator::Subtract => return a.minus(b),
            BinaryOperator::Multiply => {
                return match (a.as_constant(), b.as_constant()) {
                    (_, Some(factor)) => a.times(factor),
                    (Some(factor), None) => b.times(factor),
                    (None, None) => None,
                };
            }
            _ => {}
        }
        let (a, b) = (a.as_constant()?, b.as_constant()?);
        let small = u32::try_from(b).ok().filter(|by| *by < 31);
        let value = match operator {
            BinaryOperator::Divide => a.checked_div(b)?,
            BinaryOperator::Remainder => a.checked_rem(b)?,
            BinaryOperator::ShiftLeft if a >= 0 => a.checked_mul(1 << small?)?,
            BinaryOperator::ShiftRight if a >= 0 => a >> small?,
            BinaryOperator::And if a >= 0 && b >= 0 => a & b,
            BinaryOperator::Or if a >= 0 && b >= 0 => a | b,
            _ => return None,
        };
        Some(Form::constant(value))
    }

    fn variable(&self, id: VariableId) -> Option<Form> {
        if let Some((_, value, _)) = self.counters.iter().find(|(v, ..)| *v == id) {
            return Some(value.clone());
        }
        if let Some(value) = self.definitions.only_value(id) {
            return self.form(value);
        }
        match id {
            VariableId::Local(index)
                if index < self.body.parameters && self.definitions.is_steady(self.body, id) =>
            {
                (self.value)(index as usize).map(Form::constant)
            }
            _ => None,
        }
    }

    /// Whether a condition holds, if that is the same in all iterations.
    fn truth(&self, id: ExpressionId) -> Option<bool> {
        let mut all = Vec::new();
        self.conditions(id, true, &mut all)?;
        let holds = |f: &Form| self.range(f).filter(|(low, high)| *high <= 0 || *low > 0);
        let known: Option<Vec<bool>> = all.iter().map(|f| Some(holds(f)?.1 <= 0)).collect();
        Some(known?.into_iter().all(|holds| holds))
    }

    /// Adds sums all of which have to be at most 0 for a condition to hold, or not to hold.
    pub(super) fn conditions(
        &self,
        id: ExpressionId,
        holds: bool,
        out: &mut Vec<Form>,
    ) -> Option<()> {
        let less = |a: &Form, b: &Form| a.minus(b)?.plus(&Form::constant(1));
        match (&self.body.expression(id).kind, holds) {
            (ExpressionKind::And(a, b), true) | (ExpressionKind::Or(a, b), false) => {
                self.conditions(*a, holds, out)?;
                self.conditions(*b, holds, out)
            }
            (ExpressionKind::Unary(UnaryOperator::Not, a), _) => self.conditions(*a, !holds, out),
            (ExpressionKind::Binary(operator, a, b), _) if operator.compares() => {
                let operator = match holds {
                    true => *operator,
                    false => operator.opposite(),
                };
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                match operator {
                    BinaryOperator::Less => out.push(less(&a, &b)?),
                    BinaryOperator::LessEqual => out.push(a.minus(&b)?),
                    BinaryOperator::Greater => out.push(less(&b, &a)?),
                    BinaryOperator::GreaterEqual => out.push(b.minus(&a)?),
                    BinaryOperator::Equal => out.extend([a.minus(&b)?, b.minus(&a)?]),
                    _ => return None,
                }
                Some(())
            }
            _ => None,
        }
    }
}
