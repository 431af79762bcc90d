//! How expressions of integers change from one iteration of a loop to the next.

use crate::expr::{self, BinaryOperator, Expr, Scalar, UnaryOperator};
use std::collections::HashMap;

/// What is known of variables.
pub(super) struct Growth {
    /// By how much they grow from one iteration to the next; `None` if that is not known.
    slopes: HashMap<String, Option<i64>>,
    /// What is known of their values in the first item of all.
    offsets: HashMap<String, i64>,
}

impl Growth {
    /// Of a loop variable that grows by one, from there on.
    pub(super) fn new(variable: &str, start: &Expr) -> Self {
        let start = expr::constant(start).unwrap_or(0);
        Self {
            slopes: HashMap::from([(variable.to_string(), Some(1))]),
            offsets: HashMap::from([(variable.to_string(), start)]),
        }
    }

    /// A constant with that value.
    pub(super) fn define(&mut self, name: &str, value: &Expr) {
        let known = (self.slope(value), self.offset(value));
        self.slopes.insert(name.to_string(), known.0);
        self.offsets.insert(name.to_string(), known.1);
    }

    /// A variable of which nothing is known.
    pub(super) fn forget(&mut self, name: String) {
        self.slopes.insert(name, None);
    }

    /// Whether anything was said of a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.slopes.contains_key(name)
    }

    /// Whether a name is that of a variable of which nothing is known.
    pub(super) fn is_unknown(&self, name: &str) -> bool {
        self.slopes.get(name) == Some(&None)
    }

    /// What an expression is in the first item of all, with 0 for what is not known.
    pub(super) fn offset(&self, e: &Expr) -> i64 {
        let both = |a, b| (self.offset(a), self.offset(b));
        match e {
            Expr::Literal(value) => value.as_i64().unwrap_or(0),
            Expr::Name(name) => self.offsets.get(&**name).copied().unwrap_or(0),
            Expr::Unary(UnaryOperator::Minus, a) => self.offset(a).wrapping_neg(),
            Expr::Cast(_, a) | Expr::Unary(UnaryOperator::Plus, a) => self.offset(a),
            Expr::Binary(operator, a, b) => match (operator, both(a, b)) {
                (BinaryOperator::Add, (a, b)) => a.wrapping_add(b),
                (BinaryOperator::Subtract, (a, b)) => a.wrapping_sub(b),
                (BinaryOperator::Multiply, (a, b)) => a.wrapping_mul(b),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// By how much an expression grows from one iteration to the next.
    pub(super) fn slope(&self, e: &Expr) -> Option<i64> {
        match e {
            Expr::Name(name) => match self.slopes.get(&**name) {
                Some(slope) => *slope,
                // Arrays and fields of structs are no names of numbers.
                None => (!name.contains(['[', '.', '>'])).then_some(0),
            },
            Expr::Unary(UnaryOperator::Plus, a) => self.slope(a),
            Expr::Unary(UnaryOperator::Minus, a) => self.slope(a)?.checked_neg(),
            Expr::Binary(BinaryOperator::Add, a, b) => self.slope(a)?.checked_add(self.slope(b)?),
            Expr::Binary(BinaryOperator::Subtract, a, b) => {
                self.slope(a)?.checked_sub(self.slope(b)?)
            }
            Expr::Binary(BinaryOperator::Multiply, a, b) => {
                match (self.slope(a)?, self.slope(b)?) {
                    (0, 0) => Some(0),
                    (by, 0) => expr::constant(b)?.checked_mul(by),
                    (0, by) => expr::constant(a)?.checked_mul(by),
                    _ => None,
                }
            }
            Expr::Cast(Scalar::Int | Scalar::Long | Scalar::UInt | Scalar::ULong, a) => {
                self.slope(a)
            }
            other => {
                let mut flat = true;
                let _ = other.map_parts(&mut |part| {
                    flat &= self.slope(part) == Some(0);
                    part.clone()
                });
                flat.then_some(0)
            }
        }
    }
}
