//! Guard sinking: a loop that has nothing but another one in it leaves it to that to check its condition, so that items find out
//! together, and with their indices known, whether they go on.
//!
//! **Legality.** What the loop inside counts from and by is computed then whether or not there is an iteration of the one around
//! it: of numbers and whole variables, by operators; what is divided by is a number above zero. Nobody waits between
//! the two.
//!
//! **Gain.** One branch in the place of several, and conditions of all axes in one place.

use crate::body::{
    BinaryOperator, Body, Distributed, ExpressionId, ExpressionKind, Program, StatementId,
    StatementKind,
};
use crate::expr::Value;
use crate::source::Span;

/// The loops of a kernel, by their statements, whose conditions the one loop in them may check: a `@tile` is one loop.
pub(crate) fn sinking_guards(program: &Program, body: &Body) -> Vec<Span> {
    let mut this = Guards {
        program,
        body,
        found: Vec::new(),
    };
    this.list(&body.root, None);
    this.found
}

struct Guards<'b> {
    program: &'b Program,
    body: &'b Body,
    found: Vec<Span>,
}

impl<'b> Guards<'b> {
    fn list(&mut self, list: &[StatementId], around: Option<Span>) {
        for &id in list {
            let span = self.body.statement(id).span;
            if around != Some(span)
                && let Some(halves) = self.halves(id)
                && let Some(inside) = self.inside(&halves)
                && self.is_plain(&halves)
                && self.is_plain(&inside)
                && !inside.iter().any(|h| h.wait.before || h.wait.after)
            {
                self.found.push(span);
            }
            for inside in self.body.lists_of(id) {
                self.list(inside, Some(span));
            }
        }
    }

    /// The loops that a statement is: one, or the two halves of a tile.
    fn halves(&self, id: StatementId) -> Option<Vec<&'b Distributed>> {
        let statement = self.body.statement(id);
        let StatementKind::Distributed(first) = &statement.kind else {
            return None;
        };
        let second = first.body.iter().map(|s| self.body.statement(*s));
        let second = { second }.find(|s| s.span == statement.span);
        match second.map(|s| &s.kind) {
            None => Some(vec![first]),
            Some(StatementKind::Distributed(second)) => Some(vec![first, second]),
            // The loop within a tile may be an ordinary one.
            Some(_) => None,
        }
    }

    /// The one loop that a loop has in it.
    fn inside(&self, halves: &[&'b Distributed]) -> Option<Vec<&'b Distributed>> {
        let last = halves.last()?;
        let place = |of| self.program.variable(self.body, of).span;
        let list = match last.body.as_slice() {
            // Where a tile counts in a wider type, the body begins with the program's variable.
            [first, _, rest @ ..]
                if matches!(self.body.statement(*first).kind, StatementKind::Declare { variable, .. }
                    if place(variable) == place(last.variable)) =>
            {
                rest
            }
            all => all,
        };
        match list {
            [only] => self.halves(*only),
            _ => None,
        }
    }

    /// Whether a loop's iterations are computed so that it does not matter whether there are any.
    fn is_plain(&self, halves: &[&Distributed]) -> bool {
        halves.iter().all(|this| {
            let values = [this.first, this.count, this.step].into_iter();
            { values.chain(this.guard) }.all(|v| {
                self.body.is_computed_of(v, &|_| true) && !self.may_divide_by_zero(v, this)
            })
        })
    }

    fn may_divide_by_zero(&self, value: ExpressionId, this: &Distributed) -> bool {
        // How many iterations there are is nothing that is computed where groups and items are: it is divided by the step.
        let steps = |divisor: ExpressionId| {
            let mut found = false;
            self.body
                .each_value(this.step, &mut |e| found |= e == divisor);
            found
        };
        let mut may = false;
        self.body.each_value(value, &mut |e| {
            if let ExpressionKind::Binary(operator, _, divisor) = self.body.expression(e).kind
                && matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
            {
                may |= !self.is_positive(divisor) && !steps(divisor);
            }
        });
        may
    }

    /// Whether a value is a number above zero. Of the others, one may be what the lowest number must not be divided by.
    fn is_positive(&self, value: ExpressionId) -> bool {
        match &self.body.expression(value).kind {
            ExpressionKind::Literal(Value::Int(_, number)) => *number > 0,
            ExpressionKind::Convert(of) => self.is_positive(*of),
            _ => false,
        }
    }
}
