//! Induction variables: what each iteration of a loop adds one whole number to, once.
//!
//! How many iterations there are, at most, a condition says of one of them that goes by ones: up to a bound, or down to zero, if it does not
//! wrap before. Floating-point numbers count without error where they are whole, and down to zero from any, below 2^24: larger ones
//! stay what they are.

use super::values::{binary, typed, unary};
use super::{Condition, Count, Known, Value, Walk, small};
use crate::body::{ExpressionId, ExpressionKind, StatementId, StatementKind, VariableId};
use crate::expr::Scalar;
use crate::module::{Binary, Index, Unary};
use std::sync::Arc;

/// A variable, its components before the loop, and what is added to each.
struct Induction {
    variable: VariableId,
    scalar: Scalar,
    first: Vec<Known>,
    steps: Vec<f64>,
}

impl Induction {
    /// Whether adding whole numbers to a number of it is exact.
    fn counts_from(&self, index: &Index) -> bool {
        !self.scalar.is_float() || is_whole(index)
    }
}

impl Walk<'_> {
    /// The induction variables of a loop, at the beginning of any iteration: what variables were before it is given, and
    /// nothing is known now of what it changes.
    pub(super) fn inductions(
        &mut self,
        id: StatementId,
        condition: Option<ExpressionId>,
        before: &[Value],
    ) -> Vec<(VariableId, Value)> {
        let Some(condition) = condition else {
            return Vec::new();
        };
        let mut written = self.written(id);
        written.sort_unstable();
        written.dedup();
        let found = written.into_iter();
        let found: Vec<Induction> = found
            .filter_map(|variable| self.induction(id, variable, before))
            .collect();
        let Some((trips, iterations)) = self.trips(condition, &found) else {
            return Vec::new();
        };
        // How many iterations were before.
        let zero = Index::Number(Scalar::Int, 0.0);
        let one = Index::Number(Scalar::Int, 1.0);
        let parts = Arc::new([zero, trips, one]);
        if self.depth == 0 {
            let parts = parts.clone();
            self.counts.push(Count {
                parts,
                of: id,
                iterations,
            });
        }
        let count = small(Index::Counter(Binary::Less, parts));
        let value = |of: &Induction| {
            let along = |(first, step): (&Known, &f64)| {
                if *step == 0.0 {
                    return first.clone();
                }
                let first = first.clone().filter(|first| of.counts_from(first));
                let mut grown = typed(of.scalar, count.clone());
                if *step != 1.0 {
                    let step = small(Index::Number(of.scalar, *step));
                    grown = binary(Binary::Multiply, grown, step);
                }
                let sum = match first {
                    Some(first) if is_zero(&first) => grown,
                    first => binary(Binary::Add, first, grown),
                };
                match of.scalar.is_float() {
                    true => unary(Unary::Exact, sum),
                    false => sum,
                }
            };
            Value::Numbers(of.first.iter().zip(&of.steps).map(along).collect())
        };
        found.iter().map(|of| (of.variable, value(of))).collect()
    }

    /// How many iterations there are at most; and where it says so, the condition that holds of as many.
    fn trips(
        &mut self,
        condition: ExpressionId,
        found: &[Induction],
    ) -> Option<(Index, Option<Condition>)> {
        let mut compared = Vec::new();
        self.compared(condition, &mut compared);
        for (variable, operator, bound) in compared {
            let mut found = found.iter();
            let Some(of) = found.find(|of| of.variable == variable && of.first.len() == 1) else {
                continue;
            };
            let (first, bound) = (of.first[0].clone(), self.number(bound));
            let mut iterations = None;
            if let (Some(first), Some(bound), Scalar::Float) = (&first, &bound, of.scalar) {
                iterations = self.iterations(condition, first, (operator, bound));
            }
            let double = |index| typed(Scalar::Double, index);
            let more = |index, by| {
                let by = small(Index::Number(Scalar::Double, by));
                binary(Binary::Add, index, by)
            };
            // A counter that wraps, or is so large that it stays what it is, goes on for ever.
            let counts = |index| double(unary(Unary::Exact, typed(of.scalar, index)));
            let trips = match (operator, of.steps[0]) {
                (Binary::Less | Binary::LessEqual, 1.0) => {
                    let end = match operator {
                        Binary::Less => unary(Unary::Ceil, double(bound)),
                        _ => more(unary(Unary::Floor, double(bound)), 1.0),
                    };
                    match first.filter(|first| of.counts_from(first)) {
                        Some(first) if is_zero(&first) => counts(end),
                        first => binary(Binary::Subtract, counts(end), counts(first)),
                    }
                }
                (Binary::Greater | Binary::GreaterEqual, -1.0)
                    if bound.as_ref().is_some_and(is_zero) =>
                {
                    match operator {
                        Binary::Greater => unary(Unary::Ceil, counts(first)),
                        _ if of.scalar.is_unsigned() => continue,
                        _ => more(unary(Unary::Floor, counts(first)), 1.0),
                    }
                }
                _ => continue,
            };
            if let Some(trips) = typed(Scalar::Int, trips) {
                return Some((trips, iterations));
            }
        }
        None
    }

    /// What an iteration adds to a variable, if it does so once, and does nothing else with it.
    fn induction(
        &mut self,
        id: StatementId,
        variable: VariableId,
        before: &[Value],
    ) -> Option<Induction> {
        let body = self.body;
        let StatementKind::Loop {
            step, body: list, ..
        } = &body.statement(id).kind
        else {
            return None;
        };
        let VariableId::Local(index) = variable else {
            return None;
        };
        let Some(Value::Numbers(first)) = before.get(index as usize) else {
            return None;
        };
        if self.definitions.escapes(variable) {
            return None;
        }
        let [(only, _)] = self.writes_of(id, variable)[..] else {
            return None;
        };
        let mut leaves = false;
        body.each_statement(list, &mut |statement| {
            leaves |= matches!(body.statement(statement).kind, StatementKind::Continue);
        });
        let always = self.is_part(*step, only) || (!leaves && self.is_in_turn(list, only));
        let (by, negative) = self.added(only, variable)?;
        let ty = self.program.variable(body, variable).ty;
        let (scalar, count) = (self.scalar(ty)?, self.components(ty));
        let steps = self.constant(by).filter(|_| always)?;
        let sign = if negative { -1.0 } else { 1.0 };
        let whole = |step: &f64| step.fract() == 0.0;
        let fits = first.len() == count && steps.len() == count && steps.iter().all(whole);
        fits.then(|| Induction {
            variable,
            scalar,
            first: first.clone(),
            steps: steps.iter().map(|step| sign * step).collect(),
        })
    }

    /// Whether a value is all of another one, or between its commas.
    fn is_part(&self, of: Option<ExpressionId>, value: ExpressionId) -> bool {
        match of.map(|of| (of, &self.body.expression(of).kind)) {
            Some((_, ExpressionKind::Comma(a, b))) => {
                self.is_part(Some(*a), value) || self.is_part(Some(*b), value)
            }
            Some((of, _)) => of == value,
            None => false,
        }
    }

    /// Whether a value is computed once whenever statements are.
    fn is_in_turn(&self, list: &[StatementId], value: ExpressionId) -> bool {
        list.iter().any(|id| match &self.body.statement(*id).kind {
            StatementKind::Expression(own) => self.is_part(Some(*own), value),
            StatementKind::Block(inside) => self.is_in_turn(inside, value),
            _ => false,
        })
    }

    /// The numbers of a value that reads nothing but variables.
    fn constant(&mut self, id: ExpressionId) -> Option<Vec<f64>> {
        let mut plain = true;
        self.body.each_value(id, &mut |e| {
            plain &= match self.body.expression(e).kind {
                ExpressionKind::Literal(_)
                | ExpressionKind::Convert(_)
                | ExpressionKind::Construct(_)
                | ExpressionKind::Unary(..) => true,
                ExpressionKind::Load(place) => self.body.whole(place).is_some(),
                _ => false,
            };
        });
        if !plain {
            return None;
        }
        match self.value(id) {
            Value::Numbers(all) => all.iter().map(|index| number(index.as_ref()?)).collect(),
            _ => None,
        }
    }
}

/// The number that it always is.
fn number(index: &Index) -> Option<f64> {
    match index {
        Index::Number(_, number) => Some(*number),
        Index::As(scalar, inside) => {
            let keeps = |n: &f64| n.fract() == 0.0 && n.abs() < f64::from(1 << 24);
            let wide = matches!(scalar, Scalar::Int | Scalar::Float | Scalar::Double);
            number(inside).filter(|n| wide && keeps(n))
        }
        Index::Unary(Unary::Negate, inside) => number(inside).map(|n| -n),
        _ => None,
    }
}

fn is_zero(index: &Index) -> bool {
    number(index) == Some(0.0)
}

/// Whether it has no fraction, whatever it is.
fn is_whole(index: &Index) -> bool {
    match index {
        Index::Number(_, number) => number.fract() == 0.0,
        Index::Place(_) | Index::PlaceOf(..) => true,
        Index::Value(_, _, scalar) => !scalar.is_float(),
        Index::As(scalar, inside) => !scalar.is_float() || is_whole(inside),
        Index::Unary(Unary::Negate | Unary::Absolute, inside) => is_whole(inside),
        Index::Unary(..) => true,
        Index::Binary(Binary::Divide | Binary::Remainder, _) | Index::Counter(..) => false,
        Index::Binary(_, parts) | Index::OneOf(parts) => parts.iter().all(is_whole),
        Index::Either(parts) => parts[1..].iter().all(is_whole),
        Index::When(parts) => is_whole(&parts[1]),
    }
}
