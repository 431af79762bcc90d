//! Whether every compiler rounds as the kernel of Brook+ says it.
//!
//! Of a sum with one product for a side, written as that, Brook+ does not round the product
//! (`analyze/brook/contraction.rs`), and neither do compilers that may contract what OKL says. Anything else they decide each in
//! its own way: of two products (g++ leaves the left one unrounded, clang mostly), of one that has a name or is needed
//! twice, of one that is the same for all items and is computed before, of one behind a condition.

use super::elements::each_value;
use super::nest::Nest;
use super::{kind, pointed};
use crate::body::{
    BinaryOperator, Body, ExpressionId, ExpressionKind, PlaceId, Program, Root, StatementKind,
    UnaryOperator, VariableId,
};
use crate::expr::Value;
use crate::facts::Definitions;
use foldhash::{HashSet, HashSetExt};

struct Rounding<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    /// Variables and arrays that may hold a product.
    products: HashSet<Held>,
    /// Variables that items have values of their own of.
    own: HashSet<VariableId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Held {
    Variable(VariableId),
    Array(usize),
}

/// `products` says whether a sum may have a product for a side.
pub(super) fn is_said(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    nest: &Nest<'_>,
    products: bool,
) -> bool {
    let mut this = Rounding {
        program,
        body,
        definitions,
        products: HashSet::new(),
        own: HashSet::new(),
    };
    let mut values = Vec::new();
    each_value(body, &nest.before, &mut |id| values.push(id));
    let first = values.len();
    each_value(body, &nest.rest, &mut |id| values.push(id));
    for &id in &values[first..] {
        let written = body.written(id).and_then(|place| body.whole(place));
        this.own.extend(written);
    }
    // What holds a product may go to others, in any order.
    loop {
        let before = this.products.len();
        for &id in &values {
            if let Some((place, true)) = this.given(id)
                && let Some(held) = this.held(place)
            {
                this.products.insert(held);
            }
        }
        if this.products.len() == before {
            break;
        }
    }
    let branches = |id: &ExpressionId| {
        matches!(
            kind(body, *id),
            ExpressionKind::Conditional(..) | ExpressionKind::And(..) | ExpressionKind::Or(..)
        )
    };
    let straight = nest.rest.iter().all(|&id| {
        matches!(
            body.statement(id).kind,
            StatementKind::Declare { .. } | StatementKind::Expression(_)
        )
    }) && !values.iter().any(branches);
    let mut sides = Vec::new();
    for &id in &values {
        let Some(sum) = this.sum(id) else {
            continue;
        };
        match this.side(sum) {
            Some(None) => {}
            Some(Some(product)) if straight && products => sides.push(this.name(product)),
            _ => return false,
        }
    }
    let names = values.iter().filter(|id| this.is_product(**id));
    let names: Vec<String> = names.map(|id| this.name(*id)).collect();
    let once = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    sides.iter().all(once)
}

/// The sides of a sum: values, and of one that adds to a place that.
type Sum = (Option<PlaceId>, Vec<ExpressionId>);

impl Rounding<'_> {
    fn is_float(&self, id: ExpressionId) -> bool {
        let scalar = self.program.types.as_scalar(self.body.expression(id).ty);
        scalar.is_some_and(|s| s.is_float())
    }

    fn is_product(&self, id: ExpressionId) -> bool {
        let product = match kind(self.body, id) {
            ExpressionKind::Binary(operator, ..) | ExpressionKind::Update { operator, .. } => {
                *operator == BinaryOperator::Multiply
            }
            _ => false,
        };
        product && self.is_float(id)
    }

    fn held(&self, place: PlaceId) -> Option<Held> {
        if let Some(variable) = self.body.whole(place) {
            return Some(Held::Variable(variable));
        }
        let Root::Pointer(pointer) = self.body.place(place).root else {
            return None;
        };
        pointed(self.body, self.definitions, pointer).map(|(array, _)| Held::Array(array))
    }

    /// What is written where, and whether that may be a product.
    fn given(&self, id: ExpressionId) -> Option<(PlaceId, bool)> {
        match kind(self.body, id) {
            ExpressionKind::Assign { place, value } => Some((*place, self.may_be(*value))),
            ExpressionKind::Update {
                place, operator, ..
            } => {
                let sum = matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract);
                Some((*place, !sum))
            }
            _ => None,
        }
    }

    /// Whether a compiler may take a value for a product.
    fn may_be(&self, id: ExpressionId) -> bool {
        match kind(self.body, id) {
            ExpressionKind::Binary(operator, ..) => {
                matches!(operator, BinaryOperator::Multiply | BinaryOperator::Divide)
            }
            ExpressionKind::Unary(UnaryOperator::Negate, a) | ExpressionKind::Convert(a) => {
                self.may_be(*a)
            }
            ExpressionKind::Conditional(_, a, b) => self.may_be(*a) || self.may_be(*b),
            ExpressionKind::Load(place) => {
                self.held(*place).is_none_or(|h| self.products.contains(&h))
            }
            ExpressionKind::Literal(_) | ExpressionKind::Builtin(..) => false,
            _ => true,
        }
    }

    fn sum(&self, id: ExpressionId) -> Option<Sum> {
        if !self.is_float(id) {
            return None;
        }
        let sums = |o: &BinaryOperator| matches!(o, BinaryOperator::Add | BinaryOperator::Subtract);
        match kind(self.body, id) {
            ExpressionKind::Binary(operator, a, b) if sums(operator) => Some((None, vec![*a, *b])),
            ExpressionKind::Update {
                place,
                operator,
                value,
                ..
            } if sums(operator) => Some((Some(*place), vec![*value])),
            _ => None,
        }
    }

    /// The only product among the sides, if there is one; `None` where it is not said which is rounded.
    fn side(&self, (place, values): Sum) -> Option<Option<ExpressionId>> {
        let held = place.map(|place| self.held(place));
        if held.is_some_and(|held| held.is_none_or(|h| self.products.contains(&h))) {
            return None;
        }
        let mut found = None;
        for value in values {
            match self.is_product(value) {
                true if found.is_some() || !self.is_of_items(value) => return None,
                true => found = Some(value),
                false if self.may_be(value) => return None,
                false => {}
            }
        }
        Some(found)
    }

    /// Whether a product is another one for each item, of numbers that no compiler takes for sums or for nothing.
    fn is_of_items(&self, product: ExpressionId) -> bool {
        let ExpressionKind::Binary(_, a, b) = *kind(self.body, product) else {
            return false;
        };
        let special = |id| match kind(self.body, id) {
            ExpressionKind::Literal(Value::Float(_, n)) => [0.0, 1.0, 2.0].contains(&n.abs()),
            ExpressionKind::Literal(_) | ExpressionKind::Convert(_) => true,
            ExpressionKind::Unary(..) => true,
            _ => false,
        };
        !special(a) && !special(b) && (self.is_own(a) || self.is_own(b))
    }

    fn is_own(&self, value: ExpressionId) -> bool {
        let mut found = false;
        self.body.each_value(value, &mut |id| {
            let ExpressionKind::Load(place) = kind(self.body, id) else {
                return;
            };
            found |= match self.body.whole(*place) {
                Some(variable) => self.own.contains(&variable),
                None => true,
            };
        });
        found
    }

    /// The same for values that are known to be the same.
    fn name(&self, id: ExpressionId) -> String {
        let name = |id| self.name(id);
        match kind(self.body, id) {
            ExpressionKind::Literal(value) => format!("{value:?}"),
            ExpressionKind::Load(place) => match self.held(*place) {
                Some(Held::Array(array)) => format!("c{array}"),
                Some(Held::Variable(variable)) => match self.definitions.only_value(variable) {
                    Some(value) => name(value),
                    None => format!("{variable:?}"),
                },
                None => String::new(),
            },
            ExpressionKind::Binary(operator, a, b) => {
                let mut sides = [name(*a), name(*b)];
                if matches!(operator, BinaryOperator::Add | BinaryOperator::Multiply) {
                    sides.sort();
                }
                format!("({} {} {})", sides[0], operator.text(), sides[1])
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                ..
            } => {
                let held = match self.held(*place) {
                    Some(Held::Array(array)) => format!("c{array}"),
                    Some(Held::Variable(variable)) => format!("{variable:?}"),
                    None => String::new(),
                };
                let mut sides = [held, name(*value)];
                sides.sort();
                format!("({} {} {})", sides[0], operator.text(), sides[1])
            }
            ExpressionKind::Unary(operator, a) => format!("{operator:?}{}", name(*a)),
            ExpressionKind::Convert(a) => format!("{:?}{}", self.body.expression(id).ty, name(*a)),
            other => format!("{other:?}"),
        }
    }
}
