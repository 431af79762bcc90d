//! What is known of values.

use super::{DEEPEST, Known, MOST_VALUES, Value, Walk, small};
use crate::body::{
    BinaryOperator, BodyId, Builtin, ExpressionId, ExpressionKind, PlaceId, Root, Step, Type,
    TypeKind, UnaryOperator,
};
use crate::expr::Scalar;
use crate::facts::Definitions;
use crate::module::{Binary, Index, Unary};
use std::rc::Rc;
use std::sync::Arc;

impl Walk<'_> {
    /// The type of a number, or of a vector's components.
    pub(super) fn scalar(&self, ty: Type) -> Option<Scalar> {
        match self.program.types.kind(ty) {
            TypeKind::Scalar(scalar) => Some(scalar),
            TypeKind::Vector(vector) => Some(vector.scalar),
            _ => None,
        }
    }

    pub(super) fn components(&self, ty: Type) -> usize {
        match self.program.types.kind(ty) {
            TypeKind::Vector(vector) => usize::from(vector.width),
            _ => 1,
        }
    }

    /// What is known of a number.
    pub(super) fn number(&mut self, id: ExpressionId) -> Known {
        match self.value(id) {
            Value::Numbers(all) if all.len() == 1 => all.into_iter().next().flatten(),
            other => {
                self.loses(&other);
                None
            }
        }
    }

    /// What is known of a number, or of each of a vector's components.
    fn numbers(&mut self, id: ExpressionId) -> Vec<Known> {
        let count = self.components(self.body.expression(id).ty);
        match self.value(id) {
            Value::Numbers(all) if all.len() == count => all,
            other => {
                self.loses(&other);
                vec![None; count]
            }
        }
    }

    /// Goes through a value, with what it reads and writes, in the order in which that is done.
    pub(super) fn value(&mut self, id: ExpressionId) -> Value {
        self.seen += 1;
        if self.seen > MOST_VALUES {
            self.lost = true;
        }
        if self.lost {
            return Value::Unknown;
        }
        let body = self.body;
        let ty = body.expression(id).ty;
        match &body.expression(id).kind {
            ExpressionKind::Literal(value) => {
                let scalar = self.scalar(ty);
                let number = scalar.and_then(|s| small(Index::Number(s, value.as_f64())));
                Value::Numbers(vec![number.filter(|_| value.as_f64().is_finite())])
            }
            ExpressionKind::Load(place) => self.loaded(*place),
            ExpressionKind::AddressOf(place) => {
                let place = body.place(*place);
                if let Root::Variable(variable) = place.root {
                    let kept = self.get(variable);
                    self.loses(&kept);
                }
                self.operands(id)
            }
            ExpressionKind::Unary(operator, a) => {
                let operator = match operator {
                    UnaryOperator::Negate => Unary::Negate,
                    UnaryOperator::Not => Unary::Not,
                    UnaryOperator::Complement => return self.operands(id),
                };
                let all = self.numbers(*a).into_iter();
                Value::Numbers(all.map(|a| unary(operator, a)).collect())
            }
            ExpressionKind::Binary(operator, a, b) => {
                let (a, b) = (self.numbers(*a), self.numbers(*b));
                let all = a.into_iter().zip(b);
                Value::Numbers(all.map(|(a, b)| combined(*operator, a, b)).collect())
            }
            ExpressionKind::And(a, b) => self.decided(*a, *b, Binary::And),
            ExpressionKind::Or(a, b) => self.decided(*a, *b, Binary::Or),
            ExpressionKind::Conditional(condition, a, b) => {
                let condition = self.number(*condition);
                let before = self.known.clone();
                let first = self.where_it(&condition, true, |walk| walk.value(*a));
                let there = std::mem::replace(&mut self.known, before);
                let second = self.where_it(&condition, false, |walk| walk.value(*b));
                self.join(&condition, there);
                self.either(&condition, first, second)
            }
            ExpressionKind::Convert(a) => self.converted(*a, ty),
            ExpressionKind::Assign { place, value } => {
                let value = self.value(*value);
                let place = body.place(*place);
                self.store(place.root, &place.path, value.clone());
                value
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                before,
            } => {
                let by = self.numbers(*value);
                let place = body.place(*place);
                let held = match (place.root, &place.path[..]) {
                    (Root::Variable(variable), []) => self.get(variable),
                    (Root::Variable(variable), [Step::Component(at)]) => {
                        component(self.get(variable), *at)
                    }
                    _ => Value::Unknown,
                };
                let old = match &held {
                    Value::Numbers(all) if all.len() == by.len() => all.clone(),
                    _ => vec![None; by.len()],
                };
                let types = self.scalar(*computed).zip(self.scalar(place.ty));
                let both = old.into_iter().zip(by);
                let sum = |(old, by)| {
                    let (computed, own) = types?;
                    typed(own, combined(*operator, typed(computed, old), by))
                };
                let result = both.map(sum).collect();
                let result = Value::Numbers(result);
                self.store(place.root, &place.path, result.clone());
                if *before { held } else { result }
            }
            ExpressionKind::Comma(a, b) => {
                self.value(*a);
                self.value(*b)
            }
            ExpressionKind::Call(called, arguments) => self.call(*called, arguments),
            ExpressionKind::Builtin(function, arguments) => self.builtin(*function, arguments, id),
            ExpressionKind::Construct(parts)
                if matches!(self.program.types.kind(ty), TypeKind::Vector(_)) =>
            {
                Value::Numbers(parts.iter().map(|part| self.number(*part)).collect())
            }
            ExpressionKind::Component(of, at) => {
                let of = self.value(*of);
                self.loses(&of);
                component(of, *at)
            }
            ExpressionKind::Null
            | ExpressionKind::Offset(..)
            | ExpressionKind::Difference(..)
            | ExpressionKind::Construct(_)
            | ExpressionKind::FieldOf(..)
            | ExpressionKind::Collective(..) => self.operands(id),
        }
    }

    /// Goes through what a value is made of; nothing is known of what that makes.
    fn operands(&mut self, id: ExpressionId) -> Value {
        for inside in self.body.operands(id) {
            let value = self.value(inside);
            self.loses(&value);
        }
        Value::Unknown
    }

    /// `a && b`, `a || b`: what the second one does may not be done.
    fn decided(&mut self, a: ExpressionId, b: ExpressionId, operator: Binary) -> Value {
        let a = self.number(a);
        let before = self.known.clone();
        let b = self.where_it(&a, operator == Binary::And, |walk| walk.number(b));
        self.join(&None, before);
        Value::Numbers(vec![binary(operator, a, b)])
    }

    fn converted(&mut self, from: ExpressionId, ty: Type) -> Value {
        let value = self.value(from);
        let (Value::Numbers(all), Some(scalar)) = (&value, self.scalar(ty)) else {
            self.loses(&value);
            return Value::Unknown;
        };
        let count = self.components(ty);
        if all.len() != count && all.len() != 1 {
            return Value::Unknown;
        }
        let part = |at: usize| all[if all.len() == count { at } else { 0 }].clone();
        Value::Numbers((0..count).map(|at| typed(scalar, part(at))).collect())
    }

    fn loaded(&mut self, id: PlaceId) -> Value {
        let place = self.body.place(id);
        let pointer = match place.root {
            Root::Pointer(pointer) => pointer,
            Root::Variable(variable) => {
                return match place.path[..] {
                    [] => self.get(variable),
                    [Step::Component(at)] => component(self.get(variable), at),
                    _ => {
                        for value in self.body.way(id) {
                            self.number(value);
                        }
                        Value::Unknown
                    }
                };
            }
        };
        if let ExpressionKind::Offset(base, index) = self.body.expression(pointer).kind
            && let Value::Array(array) = self.value(base)
        {
            let outside = std::mem::take(&mut self.clamped);
            self.number(index);
            let found = std::mem::replace(&mut self.clamped, outside);
            let axes = 0..self.reads[array].len();
            let own = |axis| {
                let mut found = found.iter();
                let own = found.find(|(of, along, _)| (*of, *along) == (array, axis));
                own.and_then(|(_, _, index)| index.clone())
            };
            let own: Vec<Known> = axes.map(own).collect();
            self.gathers(id, index, &own);
            for (axis, index) in own.into_iter().enumerate() {
                self.reads(array, axis, index);
            }
        } else {
            let to = self.value(pointer);
            self.loses(&to);
        }
        Value::Unknown
    }

    fn builtin(
        &mut self,
        function: Builtin,
        arguments: &[ExpressionId],
        id: ExpressionId,
    ) -> Value {
        let real = |name: &str| match name {
            "floor" => Some(Unary::Floor),
            "ceil" => Some(Unary::Ceil),
            "trunc" => Some(Unary::Truncate),
            "fabs" => Some(Unary::Absolute),
            _ => None,
        };
        let ordered = match function {
            Builtin::Min | Builtin::Real("fmin") => Some(Binary::Least),
            Builtin::Max | Builtin::Real("fmax") => Some(Binary::Most),
            _ => None,
        };
        match (function, arguments) {
            (Builtin::Clamp, &[index, extent]) => {
                let index = self.number(index);
                if let Value::Extent(array, axis) = self.value(extent) {
                    self.clamped.push((array, axis, index));
                }
                Value::Unknown
            }
            (_, &[a, b]) if ordered.is_some() => {
                let (a, b) = (self.numbers(a), self.numbers(b));
                let all = a.into_iter().zip(b);
                let both = |(a, b)| ordered.and_then(|of| binary(of, a, b));
                Value::Numbers(all.map(both).collect())
            }
            (Builtin::Real(name), &[a]) if real(name).is_some() => {
                let all = self.numbers(a).into_iter();
                Value::Numbers(
                    all.map(|a| real(name).and_then(|of| unary(of, a)))
                        .collect(),
                )
            }
            _ => self.operands(id),
        }
    }

    /// Goes through a function with what it is called with.
    fn call(&mut self, called: BodyId, arguments: &[ExpressionId]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|a| self.value(*a)).collect();
        let body = &self.program.bodies[called.0 as usize];
        let known = !body.root.is_empty() && self.depth < DEEPEST;
        if !known || body.parameters as usize != values.len() {
            values.iter().for_each(|value| self.loses(value));
            return Value::Unknown;
        }
        let mut inside = values;
        inside.resize(body.variables.len(), Value::Unknown);
        let outside = (
            std::mem::replace(&mut self.body, body),
            std::mem::replace(&mut self.definitions, Rc::new(Definitions::of(body))),
            std::mem::replace(&mut self.known, inside),
            std::mem::replace(&mut self.result, Value::Unknown),
            std::mem::take(&mut self.clamped),
            std::mem::take(&mut self.unordered),
        );
        self.depth += 1;
        self.list(&body.root);
        self.depth -= 1;
        let result = std::mem::replace(&mut self.result, outside.3);
        (self.body, self.definitions, self.known) = (outside.0, outside.1, outside.2);
        (self.clamped, self.unordered) = (outside.4, outside.5);
        result
    }
}

fn component(of: Value, at: u32) -> Value {
    match of {
        Value::Numbers(all) => {
            let part = all.into_iter().nth(at as usize).flatten();
            Value::Numbers(vec![part])
        }
        _ => Value::Numbers(vec![None]),
    }
}

pub(super) fn unary(operator: Unary, a: Known) -> Known {
    small(Index::Unary(operator, Arc::new(a?)))
}

pub(super) fn binary(operator: Binary, a: Known, b: Known) -> Known {
    let parts = [a?, b?];
    small(Index::Binary(operator, Arc::new(parts)))
}

/// The number that another type has.
pub(super) fn typed(scalar: Scalar, a: Known) -> Known {
    small(Index::As(scalar, Arc::new(a?)))
}

pub(super) fn combined(operator: BinaryOperator, a: Known, b: Known) -> Known {
    let operator = match operator {
        BinaryOperator::Add => Binary::Add,
        BinaryOperator::Subtract => Binary::Subtract,
        BinaryOperator::Multiply => Binary::Multiply,
        BinaryOperator::Divide => Binary::Divide,
        BinaryOperator::Remainder => Binary::Remainder,
        BinaryOperator::Equal => Binary::Equal,
        BinaryOperator::NotEqual => Binary::NotEqual,
        BinaryOperator::Less => Binary::Less,
        BinaryOperator::LessEqual => Binary::LessEqual,
        BinaryOperator::Greater => Binary::Greater,
        BinaryOperator::GreaterEqual => Binary::GreaterEqual,
        BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Xor
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight => return None,
    };
    binary(operator, a, b)
}
