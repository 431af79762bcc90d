//! Integers as sums of products of variables, such as `64*g + n*j + i + 1`, and accesses as an object and such a sum.
//!
//! A variable that names a value stands for that value; loop variables, items and parameters stand for themselves. C's signed
//! integers do not overflow, so that sums of `int` are sums of numbers; unsigned ones of 32 bits may wrap, and are known only
//! where nothing is computed with them.

use super::definitions::Definitions;
use crate::body::{
    Arithmetic, BinaryOperator, Body, ExpressionId, ExpressionKind, PlaceId, Program, Root, Step,
    Type, TypeKind, UnaryOperator, VariableId,
};
use crate::expr::Scalar;
use foldhash::HashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// More terms, or more variables in one, than this nobody looks at.
const MOST: usize = 16;

/// A sum of products of variables, each times a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sum {
    /// By the product's variables, in the order of their numbers; the constant has none. No number is 0.
    terms: BTreeMap<Vec<VariableId>, i64>,
}

impl Sum {
    pub(crate) fn constant(value: i64) -> Self {
        Self::term(Vec::new(), value)
    }

    pub(crate) fn variable(id: VariableId) -> Self {
        Self::term(vec![id], 1)
    }

    fn term(product: Vec<VariableId>, factor: i64) -> Self {
        let mut this = Self::default();
        if factor != 0 {
            this.terms.insert(product, factor);
        }
        this
    }

    /// The number that it is, if it has no variables.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// `None` if it gets too long, or a number too large.
    pub(crate) fn plus(mut self, other: &Self) -> Option<Self> {
        for (product, factor) in &other.terms {
            let sum = self.terms.get(product).copied().unwrap_or(0);
            match sum.checked_add(*factor)? {
                0 => self.terms.remove(product),
                sum => self.terms.insert(product.clone(), sum),
            };
        }
        (self.terms.len() <= MOST).then_some(self)
    }

    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let mut out = Self::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                if a.len() + b.len() > MOST {
                    return None;
                }
                let mut product = [&a[..], &b[..]].concat();
                product.sort_unstable();
                out = out.plus(&Self::term(product, x.checked_mul(*y)?))?;
            }
        }
        Some(out)
    }

    pub(crate) fn minus(self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::constant(-1))?)
    }

    /// What stands before a variable: by how much the sum grows if that grows by one. `None` if that depends on the variable.
    pub(crate) fn slope(&self, id: VariableId) -> Option<Self> {
        let mut out = Self::default();
        for (product, factor) in &self.terms {
            match product.iter().filter(|v| **v == id).count() {
                0 => {}
                1 => {
                    let rest = product.iter().copied().filter(|v| *v != id).collect();
                    out = out.plus(&Self::term(rest, *factor))?;
                }
                _ => return None,
            }
        }
        Some(out)
    }

    /// The number that it is so many times another sum.
    pub(crate) fn divided(&self, by: &Self) -> Option<i64> {
        let (product, factor) = by.terms.first_key_value()?;
        let own = self.terms.get(product)?;
        let found = own.checked_div(*factor)?;
        let same = by.times(&Self::constant(found)).as_ref() == Some(self);
        same.then_some(found)
    }

    /// The same without its constant.
    pub(crate) fn without_constant(mut self) -> Self {
        self.terms.remove(&Vec::new());
        self
    }

    /// Whether each of its products has all variables of one of these sums as factors, which is a single product, an odd number of times.
    pub(crate) fn has_factors(&self, of: &[Self]) -> bool {
        let factors = of.iter().filter_map(|sum| match sum.terms.len() {
            1 => sum.terms.iter().next(),
            _ => None,
        });
        let factors: Vec<&Vec<VariableId>> = { factors }
            .filter(|(_, number)| *number % 2 != 0)
            .map(|(product, _)| product)
            .collect();
        let times = |product: &[VariableId], v| product.iter().filter(|p| **p == v).count();
        self.terms.keys().all(|product| {
            let mut factors = factors.iter();
            factors.any(|f| f.iter().all(|v| times(product, *v) >= times(f, *v)))
        })
    }

    /// What it is where variables have these values; modulo 2^64.
    pub(crate) fn value(&self, of: &dyn Fn(VariableId) -> i64) -> i64 {
        let terms = self.terms.iter().map(|(product, factor)| {
            let values = product.iter().map(|v| of(*v));
            values.fold(*factor, i64::wrapping_mul)
        });
        terms.fold(0, i64::wrapping_add)
    }

    /// The variables in it.
    pub(crate) fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.terms.keys().flatten().copied()
    }

    /// As text: products in the order of their variables, the constant last.
    #[cfg(test)]
    pub(crate) fn print(&self, program: &Program, body: &Body) -> String {
        let mut out = String::new();
        let constant = self.terms.iter().filter(|(p, _)| p.is_empty());
        let others = self.terms.iter().filter(|(p, _)| !p.is_empty());
        for (product, factor) in others.chain(constant) {
            let names: Vec<&str> = { product.iter() }
                .map(|v| program.variable(body, *v).name.as_str())
                .collect();
            let size = factor.unsigned_abs();
            let text = match (names.is_empty(), size) {
                (true, _) => size.to_string(),
                (false, 1) => names.join("*"),
                (false, _) => format!("{size}*{}", names.join("*")),
            };
            out += match (out.is_empty(), *factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            out += &text;
        }
        match out.is_empty() {
            true => "0".to_string(),
            false => out,
        }
    }
}

/// What memory an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// A variable.
    Variable(VariableId),
    /// What a steady pointer points to: an argument.
    Pointed(VariableId),
}

/// Where an access leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) object: Object,
    /// Which element: of all dimensions of an array together, as far as there are indices. Fields and components are
    /// in it.
    pub(crate) index: Sum,
    /// What such an element is: that of `s[1]` is a row, if `s` has two dimensions.
    pub(crate) element: Type,
}

/// The sums of one body.
pub(crate) struct Affine<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    /// Of variables that are names of a value, what that is. Nothing is known of a value while it is asked for: it may be made of
    /// itself.
    named: RefCell<HashMap<VariableId, Option<Sum>>>,
    pointers: RefCell<HashMap<VariableId, Pointer>>,
}

/// Where a pointer points to, as far as that is known: into which object, and how many elements from its beginning.
type Pointer = (Option<Object>, Option<Sum>);

impl<'b> Affine<'b> {
    pub(crate) fn new(program: &'b Program, body: &'b Body, definitions: &'b Definitions) -> Self {
        Self {
            program,
            body,
            definitions,
            named: RefCell::default(),
            pointers: RefCell::default(),
        }
    }

    /// The value of a variable that has one only.
    fn named(&self, id: VariableId) -> Option<Sum> {
        let value = self.definitions.only_value(id)?;
        if let Some(known) = self.named.borrow().get(&id) {
            return known.clone();
        }
        self.named.borrow_mut().insert(id, None);
        let found = self.sum(value);
        self.named.borrow_mut().insert(id, found.clone());
        found
    }

    /// A value as a sum.
    pub(crate) fn sum(&self, id: ExpressionId) -> Option<Sum> {
        let sum = |id| self.sum(id);
        let expression = self.body.expression(id);
        let scalar = self.program.types.as_scalar(expression.ty)?;
        match &expression.kind {
            ExpressionKind::Literal(value) => value.as_i64().map(Sum::constant),
            ExpressionKind::Load(place) => {
                let place = self.body.place(*place);
                let Root::Variable(id) = place.root else {
                    return None;
                };
                if !place.path.is_empty() || scalar.is_float() {
                    return None;
                }
                let value = self.named(id);
                let steady = || self.definitions.is_steady(self.body, id);
                value.or_else(|| steady().then(|| Sum::variable(id)))
            }
            ExpressionKind::Convert(a) => {
                let from = self.program.types.as_scalar(self.body.expression(*a).ty)?;
                let found = sum(*a)?;
                // The numbers that both types have.
                let small = found.as_constant().is_some_and(|c| (0..=127).contains(&c));
                (keeps(from, scalar) || small && !scalar.is_float() && scalar != Scalar::Bool)
                    .then_some(found)
            }
            ExpressionKind::Unary(UnaryOperator::Negate, a) if self.is_exact(scalar) => {
                Sum::default().minus(&sum(*a)?)
            }
            ExpressionKind::Binary(operator, a, b) if self.is_exact(scalar) => match operator {
                BinaryOperator::Add => sum(*a)?.plus(&sum(*b)?),
                BinaryOperator::Subtract => sum(*a)?.minus(&sum(*b)?),
                BinaryOperator::Multiply => sum(*a)?.times(&sum(*b)?),
                BinaryOperator::ShiftLeft => {
                    let by = u32::try_from(sum(*b)?.as_constant()?).ok()?;
                    let factor = (by < 62).then(|| 1i64 << by)?;
                    sum(*a)?.times(&Sum::constant(factor))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether sums of that type are those of numbers.
    fn is_exact(&self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::Int => self.body.arithmetic == Arithmetic::Partial,
            // Nobody gets that far.
            Scalar::Long | Scalar::ULong => true,
            _ => false,
        }
    }

    /// Where an access leads.
    pub(crate) fn access(&self, id: PlaceId) -> Option<Access> {
        let place = self.body.place(id);
        let (object, mut index, mut ty) = match place.root {
            Root::Variable(id) => (
                Object::Variable(id),
                Sum::default(),
                self.program.variable(self.body, id).ty,
            ),
            Root::Pointer(pointer) => {
                let (object, index) = self.pointer(pointer);
                let ty = self.body.expression(pointer).ty;
                (object?, index?, self.program.types.element(ty)?)
            }
        };
        for step in &place.path {
            match (step, self.program.types.kind(ty)) {
                (Step::Index(by), TypeKind::Array(of, count)) => {
                    let rows = index.times(&Sum::constant(i64::try_from(count).ok()?))?;
                    index = rows.plus(&self.sum(*by)?)?;
                    ty = of;
                }
                // What is inside of an element does not move it.
                _ => break,
            }
        }
        Some(Access {
            object,
            index,
            element: ty,
        })
    }

    /// What memory an access is to, wherever in it that leads.
    pub(crate) fn object(&self, id: PlaceId) -> Option<Object> {
        match self.body.place(id).root {
            Root::Variable(id) => Some(Object::Variable(id)),
            Root::Pointer(pointer) => self.pointer(pointer).0,
        }
    }

    fn pointer(&self, id: ExpressionId) -> Pointer {
        match &self.body.expression(id).kind {
            ExpressionKind::Offset(base, by) => {
                let (object, index) = self.pointer(*base);
                let index = index.and_then(|index| index.plus(&self.sum(*by)?));
                (object, index)
            }
            ExpressionKind::AddressOf(place) => {
                let index = self.access(*place).and_then(|access| {
                    let types = &self.program.types;
                    let to = types.element(self.body.expression(id).ty)?;
                    // An array's is its first element's.
                    let many = types.size(self.body.place(*place).ty) / types.size(to).max(1);
                    access
                        .index
                        .times(&Sum::constant(i64::try_from(many).ok()?))
                });
                (self.object(*place), index)
            }
            ExpressionKind::Load(place) => {
                let place = self.body.place(*place);
                match place.root {
                    Root::Variable(id) if place.path.is_empty() => self.held(id),
                    _ => (None, None),
                }
            }
            _ => (None, None),
        }
    }

    /// Where a variable points to.
    fn held(&self, id: VariableId) -> Pointer {
        let Some(value) = self.definitions.only_value(id) else {
            let known = self.definitions.is_steady(self.body, id);
            return match known {
                true => (Some(Object::Pointed(id)), Some(Sum::default())),
                false => (None, None),
            };
        };
        if let Some(known) = self.pointers.borrow().get(&id) {
            return known.clone();
        }
        self.pointers.borrow_mut().insert(id, (None, None));
        let found = self.pointer(value);
        self.pointers.borrow_mut().insert(id, found.clone());
        found
    }
}

/// Whether each number of one integer type is one of another.
fn keeps(from: Scalar, to: Scalar) -> bool {
    if from.is_float() || to.is_float() || to == Scalar::Bool {
        return from == to;
    }
    let (small, large) = (from.size(), to.size());
    match (!from.is_unsigned(), !to.is_unsigned()) {
        (true, true) | (false, false) => small <= large,
        // Modulo 2^64 both have the same numbers, and nobody gets near its ends.
        (false, true) => small < large || small == 8,
        (true, false) => large == 8,
    }
}
