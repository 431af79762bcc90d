//! Scattered copies: where items are lanes of vectors, loops over items that only copy, to places that do not lie side by side.
//!
//! **Legality.** A loop over items need not be a vector. A quotient or remainder of a sum `rest + item` is one of the rest where the
//! items' numbers begin with 0 and end before the next multiple of what the rest always is a multiple of, and the divisor, too; none
//! of it is negative.
//!
//! **Gain.** An instruction that writes to as many places as it has lanes takes as long as writing to them one by one, and what it
//! writes has to be put together before. Where a place is a sum in which the lane's number is a factor of something, compilers find
//! ways around that; behind a quotient or a remainder they do not, unless that is one of what all items have in common.

use super::interchange::counter;
use super::leaves::counts_up;
use crate::body::{
    BinaryOperator, Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory,
    PlaceId, Program, Root, StatementId, StatementKind, Type, TypeKind, VariableId,
};
use crate::expr::Scalar;
use crate::facts::{Affine, Definitions, Sum};
use crate::module::Respelled;
use crate::source::Span;

/// The innermost loops over items of a kernel that are such copies, and what in them may be written in another way.
pub(crate) fn scattered(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
) -> Vec<(Span, Vec<Respelled>)> {
    let copies = Copies {
        program,
        body,
        definitions,
        affine: Affine::new(program, body, definitions),
    };
    let mut found = Vec::new();
    body.each_statement(&body.root, &mut |id| {
        if let StatementKind::Distributed(this) = &body.statement(id).kind
            && this.kind == DistributedKind::Inner
            && is_scattered(&copies, this)
        {
            found.push((body.statement(id).span, copies.rewritten(this)));
        }
    });
    found
}

fn is_scattered(copies: &Copies<'_>, this: &Distributed) -> bool {
    let body = copies.body;
    let (mut all, mut scattered) = (true, false);
    body.each_statement(&this.body, &mut |id| {
        all &= match body.statement(id).kind {
            StatementKind::Declare { .. }
            | StatementKind::Block(_)
            | StatementKind::Loop { .. } => true,
            StatementKind::Expression(value) => match body.expression(value).kind {
                ExpressionKind::Assign { place, value } if !copies.is_own(place) => {
                    let mut way = body.way(place);
                    scattered |= way.any(|index| copies.is_broken(index, this.variable));
                    matches!(body.expression(value).kind, ExpressionKind::Load(_))
                }
                ExpressionKind::Assign { .. } => true,
                _ => false,
            },
            _ => false,
        };
    });
    all && scattered
}

struct Copies<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    affine: Affine<'b>,
}

impl Copies<'_> {
    /// Whether a place is in a variable of the item.
    fn is_own(&self, place: PlaceId) -> bool {
        match self.body.place(place).root {
            Root::Variable(v) => self.program.variable(self.body, v).memory == Memory::Private,
            Root::Pointer(_) => false,
        }
    }

    /// Whether a value is made of a quotient or a remainder of what is made of a variable.
    fn is_broken(&self, value: ExpressionId, of: VariableId) -> bool {
        self.is_made(value, MOST, &|e| match self.body.expression(e).kind {
            ExpressionKind::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, a, _) => {
                self.is_made(a, MOST, &|e| self.body.read_whole(e) == Some(of))
            }
            _ => false,
        })
    }

    /// Whether one of the values that a value is made of is such a one: those of variables that name a value, too.
    fn is_made(
        &self,
        value: ExpressionId,
        depth: usize,
        is: &dyn Fn(ExpressionId) -> bool,
    ) -> bool {
        let mut found = false;
        self.body.each_value(value, &mut |e| {
            let named = || {
                let variable = self.body.read_whole(e)?;
                let value = self.definitions.only_value(variable)?;
                Some(depth > 0 && self.is_made(value, depth - 1, is))
            };
            found = found || is(e) || named().unwrap_or(false);
        });
        found
    }

    /// Quotients and remainders that are those of what all items have in common.
    fn rewritten(&self, this: &Distributed) -> Vec<Respelled> {
        let body = self.body;
        let number = |value| self.affine.sum(value).and_then(|s| s.as_constant());
        let begins = (number(this.first), number(this.step)) == (Some(0), Some(1));
        let items = constant(body, this.count);
        let Some(items) = items.filter(|_| begins && this.guard.is_none()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        body.each_statement(&this.body, &mut |id| {
            for value in body.values_of(id) {
                body.each_value(value, &mut |e| {
                    found.extend(self.rewritten_value(e, this.variable, items));
                });
            }
        });
        found.sort_by_key(|f| (f.span.start, f.span.end));
        found
    }

    fn rewritten_value(
        &self,
        value: ExpressionId,
        item: VariableId,
        items: i64,
    ) -> Option<Respelled> {
        let body = self.body;
        let ExpressionKind::Binary(operator, left, right) = body.expression(value).kind else {
            return None;
        };
        let remainder = match operator {
            BinaryOperator::Divide => false,
            BinaryOperator::Remainder => true,
            _ => return None,
        };
        let divisor = self.affine.sum(right)?.as_constant()?;
        let sum = self.affine.sum(left)?;
        let whole = self.is_int(body.expression(left).ty) && self.is_nameable(item);
        if !whole || items < 2 || divisor <= 0 || divisor % items != 0 {
            return None;
        }
        let mut terms = Vec::new();
        let mut rest = sum.clone();
        for variable in sum.variables() {
            let factor = sum.slope(variable)?.as_constant()?;
            let term = Sum::variable(variable).times(&Sum::constant(factor))?;
            rest = rest.minus(&term)?;
            if variable == item {
                if factor != 1 {
                    return None;
                }
                continue;
            }
            let multiple = self.counts_upwards(variable)?.checked_mul(factor)?;
            if factor <= 0 || multiple % items != 0 || !self.is_nameable(variable) {
                return None;
            }
            let name = &self.program.variable(body, variable).name;
            terms.push(match factor {
                1 => name.clone(),
                _ => format!("{factor} * {name}"),
            });
        }
        let last = rest.as_constant()?;
        if sum.slope(item)?.as_constant() != Some(1) || last < 0 || last % items != 0 {
            return None;
        }
        if last != 0 || terms.is_empty() {
            terms.push(last.to_string());
        }
        let (rest, item) = (terms.join(" + "), &self.program.variable(body, item).name);
        let text = match remainder {
            false => format!("(({rest}) / {divisor})"),
            true => format!("(({rest}) % {divisor} + {item})"),
        };
        let span = body.expression(value).span;
        Some(Respelled { span, text })
    }

    fn is_int(&self, ty: Type) -> bool {
        self.program.types.kind(ty) == TypeKind::Scalar(Scalar::Int)
    }

    /// Whether a variable that counts a loop is an `int`, and no other has its name in that.
    fn is_nameable(&self, variable: VariableId) -> bool {
        let body = self.body;
        let this = self.program.variable(body, variable);
        let alike = |v: VariableId| self.program.variable(body, v).name == this.name;
        let declares = |id: StatementId| match &body.statement(id).kind {
            StatementKind::Declare { variable: v, .. } => *v != variable && alike(*v),
            StatementKind::Distributed(other) => {
                other.variable != variable && alike(other.variable)
            }
            _ => false,
        };
        let mut hidden = false;
        body.each_statement(&body.root, &mut |id| {
            let counted = match &body.statement(id).kind {
                StatementKind::Distributed(other) => other.variable == variable,
                StatementKind::Loop { initial, .. } => initial.iter().any(|s| {
                    matches!(body.statement(*s).kind, StatementKind::Declare { variable: v, .. } if v == variable)
                }),
                _ => false,
            };
            hidden |= counted && body.all_of(id).into_iter().any(declares);
        });
        self.is_int(this.ty) && !hidden
    }

    /// What all values are multiples of that a variable has, if it counts a loop upwards from a number that is not negative.
    fn counts_upwards(&self, variable: VariableId) -> Option<i64> {
        let body = self.body;
        let number = |value| self.affine.sum(value).and_then(|s| s.as_constant());
        let mut found = None;
        body.each_statement(&body.root, &mut |id| {
            let counted = match &body.statement(id).kind {
                StatementKind::Distributed(this) if this.variable == variable => {
                    number(this.first).zip(number(this.step))
                }
                StatementKind::Loop {
                    initial,
                    condition: Some(condition),
                    step: Some(step),
                    ..
                } if counter(body, initial, *condition, *step) == Some(variable) => {
                    counts_up(body, &self.affine, initial, *step)
                }
                _ => return,
            };
            if let Some((begin @ 0.., step @ 1..)) = counted {
                found = Some(greatest_common_divisor(begin, step));
            }
        });
        found
    }
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => greatest_common_divisor(b, a % b),
    }
}

/// The number that an expression of numbers is.
fn constant(body: &Body, value: ExpressionId) -> Option<i64> {
    match &body.expression(value).kind {
        ExpressionKind::Literal(value) => value.as_i64(),
        ExpressionKind::Convert(a) => constant(body, *a),
        ExpressionKind::Binary(operator, a, b) => {
            let (a, b) = (constant(body, *a)?, constant(body, *b)?);
            match operator {
                BinaryOperator::Add => a.checked_add(b),
                BinaryOperator::Subtract => a.checked_sub(b),
                BinaryOperator::Multiply => a.checked_mul(b),
                BinaryOperator::Divide => a.checked_div(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// So many variables that are made of others are followed.
const MOST: usize = 8;
