//! What loops say of their variables.

use super::{Range, Walk};
use crate::body::{
    BinaryOperator, Distributed, ExpressionId, ExpressionKind, Root, StatementId, StatementKind,
    VariableId,
};
use crate::expr::Scalar;

/// A variable that a loop declares and steps.
struct Counter {
    variable: VariableId,
    first: Option<Range>,
    /// By how much it goes up or down; not negative.
    step: Range,
    up: bool,
    scalar: Scalar,
}

impl<'b> Walk<'b> {
    pub(super) fn distributed(&mut self, this: &'b Distributed) {
        for value in [this.first, this.count, this.step] {
            self.value(value);
        }
        let scalar = self.scalar_of(this.variable);
        let range = scalar.and_then(|scalar| self.iterations(this, scalar));
        let mark = self.before.len();
        self.know(this.variable, range);
        if let Some(guard) = this.guard {
            self.value(guard);
            self.assume(guard, true);
        }
        self.list(&this.body);
        self.restore(mark);
    }

    /// What the variable of a loop over groups or items may be.
    fn iterations(&mut self, this: &Distributed, scalar: Scalar) -> Option<Range> {
        let (first, step) = (self.range(this.first)?, self.range(this.step)?);
        let last = self.range(this.count)?.most.saturating_sub(1).max(0);
        let far = Range {
            least: 0,
            most: last,
        };
        let far = far.combined(BinaryOperator::Multiply, step);
        let far = far.or(match step.least >= 0 {
            true => Some(Range {
                least: 0,
                ..Range::ALL
            }),
            false => None,
        })?;
        let range = Range {
            least: first.least.saturating_add(far.least),
            most: first.most.saturating_add(far.most),
        };
        self.held(range, scalar)
    }

    /// A loop, whose condition says something of the variable that it counts with.
    pub(super) fn counted(&mut self, id: StatementId) {
        let StatementKind::Loop {
            initial,
            condition,
            step,
            body,
            late,
        } = &self.body.statement(id).kind
        else {
            return;
        };
        self.list(initial);
        let mark = self.before.len();
        let counters = self.counters(initial, *step);
        for counter in &counters {
            let range = counter.base();
            self.know(counter.variable, range);
        }
        if let Some(condition) = condition.filter(|_| !late) {
            self.value(condition);
            self.assume(condition, true);
        }
        for counter in &counters {
            let range = self.known.get(&counter.variable).copied();
            let range = range.and_then(|r| counter.narrowed(r));
            self.know(counter.variable, range);
        }
        self.list(body);
        if let Some(condition) = condition.filter(|_| *late) {
            self.value(condition);
        }
        if let Some(step) = step {
            self.value(*step);
        }
        self.restore(mark);
    }

    fn counters(&mut self, initial: &[StatementId], step: Option<ExpressionId>) -> Vec<Counter> {
        let body = self.body;
        let Some(step) = step else {
            return Vec::new();
        };
        let ExpressionKind::Update {
            place,
            operator,
            value: by,
            computed,
            ..
        } = body.expression(step).kind
        else {
            return Vec::new();
        };
        let place = body.place(place);
        let Root::Variable(variable) = place.root else {
            return Vec::new();
        };
        // What is narrower than an `int` may wrap without anything being undefined.
        let scalar = { self.program.types.as_scalar(place.ty) }
            .filter(|s| computed == place.ty && *s >= Scalar::Int && !s.is_float());
        let declares = |id: &&StatementId| match body.statement(**id).kind {
            StatementKind::Declare { variable: own, .. } => own == variable,
            _ => false,
        };
        let own = initial.iter().any(|id| declares(&id));
        let (Some(scalar), true) = (scalar, own && self.definitions.is_steady(body, variable))
        else {
            return Vec::new();
        };
        let first = initial
            .iter()
            .find_map(|id| match body.statement(*id).kind {
                StatementKind::Expression(value) => match body.expression(value).kind {
                    ExpressionKind::Assign { place, value } => {
                        let place = body.place(place);
                        let all = place.root == Root::Variable(variable) && place.path.is_empty();
                        all.then_some(value)
                    }
                    _ => None,
                },
                _ => None,
            });
        let first = first.and_then(|value| self.range(value));
        let up = match operator {
            BinaryOperator::Add => true,
            BinaryOperator::Subtract => false,
            _ => return Vec::new(),
        };
        let Some(by) = self.range(by) else {
            return Vec::new();
        };
        let negative = Range::only(0).combined(BinaryOperator::Subtract, by);
        let (step, up) = match (by.least >= 0, by.most <= 0, negative) {
            (true, _, _) => (by, up),
            (false, true, Some(negative)) if !scalar.is_unsigned() => (negative, !up),
            _ => return Vec::new(),
        };
        vec![Counter {
            variable,
            first,
            step,
            up,
            scalar,
        }]
    }
}

impl Counter {
    /// What it is without a condition.
    fn base(&self) -> Option<Range> {
        let all = Range::of_scalar(self.scalar)?;
        let first = self.first.unwrap_or(all);
        Some(match (self.scalar.is_unsigned(), self.up) {
            (true, _) => all,
            (false, true) => Range {
                least: first.least,
                ..all
            },
            (false, false) => Range {
                most: first.most,
                ..all
            },
        })
    }

    /// What it is where the condition holds, by which it is in a range.
    fn narrowed(&self, range: Range) -> Option<Range> {
        let all = Range::of_scalar(self.scalar).unwrap_or(Range::ALL);
        let mut range = range;
        if let Some(first) = self.first.filter(|_| self.scalar.is_unsigned()) {
            // It does not wrap before the condition ends the loop.
            let next = match self.up {
                true => range.most.checked_add(self.step.most),
                false => range.least.checked_sub(self.step.most),
            };
            let ends = next.is_some_and(|next| {
                let all = Range { least: 0, ..all };
                Range::only(next).is_within(all)
            });
            match (ends, self.up) {
                (true, true) => range.least = range.least.max(first.least),
                (true, false) => range.most = range.most.min(first.most),
                (false, _) => {}
            }
        }
        if let Some(first) = self.first.filter(|f| f.least == f.most)
            && self.step.least == self.step.most
        {
            range = in_steps(range, first.least, self.step.least, self.up);
        }
        (range.least <= range.most).then_some(range)
    }
}

/// What a variable can be that grows by a step, or shrinks, from a first value on.
fn in_steps(range: Range, first: i64, step: i64, up: bool) -> Range {
    let whole = |far: i64| far.checked_div(step).map(|n| n.saturating_mul(step));
    match up {
        true if range.least == first && range.most >= first => Range {
            most: whole(range.most.saturating_sub(first))
                .map_or(range.most, |n| first.saturating_add(n)),
            ..range
        },
        false if range.most == first && range.least <= first => Range {
            least: whole(first.saturating_sub(range.least))
                .map_or(range.least, |n| first.saturating_sub(n)),
            ..range
        },
        _ => range,
    }
}
