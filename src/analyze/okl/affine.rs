//! How expressions of integers change from one iteration of a loop to the next.

use crate::expr::{self, BinaryOperator, Expr, Scalar, UnaryOperator};

/// One variable that grows, and others that stay as they are.
pub(super) struct Growth {
    variable: String,
}

impl Growth {
    /// Of a loop variable that grows by one.
    pub(super) fn new(variable: &str) -> Self {
        Self {
            variable: variable.to_string(),
        }
    }

    /// By how much an expression grows from one iteration to the next.
    pub(super) fn slope(&self, e: &Expr) -> Option<i64> {
        match e {
            Expr::Name(name) if **name == *self.variable => Some(1),
            // Arrays and fields of structs are no names of numbers.
            Expr::Name(name) => (!name.contains(['[', '.', '>'])).then_some(0),
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
