//! Expressions that may be evaluated for lanes that have left the loop, or are not in the branch at hand, as C++ has them.

use super::is_lane;
use super::statements::Reader;
use crate::body::{
    BinaryOperator, Builtin, ExpressionId, ExpressionKind, Memory, PlaceId, UnaryOperator,
    VariableId,
};
use crate::expr::{Scalar, Value};

impl Reader<'_> {
    /// An expression that has no effects, reads variables only, and is defined for whatever values they have; `None` for
    /// any other.
    pub(super) fn value(&mut self, id: ExpressionId) -> Option<String> {
        let body = self.of.body;
        let expression = body.expression(id);
        let ty = self.of.scalar(expression.ty)?;
        match expression.kind {
            ExpressionKind::Literal(value) => literal(value),
            ExpressionKind::Load(place) => self.variable(place),
            ExpressionKind::Unary(operator, inside) => {
                let text = self.value(inside)?;
                match operator {
                    UnaryOperator::Negate if self.overflows(ty) => {
                        self.operation(BinaryOperator::Subtract, "0".to_string(), text, ty)
                    }
                    UnaryOperator::Negate if self.of.contract && ty.is_float() => {
                        Some(negative(&text))
                    }
                    UnaryOperator::Negate => Some(format!("(-{text})")),
                    UnaryOperator::Complement if !ty.is_float() => Some(format!("(~{text})")),
                    UnaryOperator::Complement => None,
                    UnaryOperator::Not => Some(format!("(!{text})")),
                }
            }
            ExpressionKind::Binary(operator, left, right) => self.binary(operator, left, right, ty),
            // Both sides are evaluated.
            ExpressionKind::And(left, right) | ExpressionKind::Or(left, right) => {
                let sign = match expression.kind {
                    ExpressionKind::And(..) => '&',
                    _ => '|',
                };
                let (left, right) = (self.value(left)?, self.value(right)?);
                Some(format!("((bool){left} {sign} (bool){right})"))
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                self.mixes = true;
                let name = ty.c_name();
                Some(format!(
                    "brook_select((bool){condition}, ({name}){then}, ({name}){otherwise})"
                ))
            }
            ExpressionKind::Convert(inside) => {
                // A comparison that is a number is a comparison again.
                if ty == Scalar::Bool
                    && let Some(truth) = self.truth(inside)
                {
                    return self.value(truth);
                }
                let from = self.of.scalar(body.expression(inside).ty)?;
                let literal = matches!(body.expression(inside).kind, ExpressionKind::Literal(_));
                let text = self.value(inside)?;
                self.conversion((text, from), ty, literal)
            }
            ExpressionKind::Builtin(builtin, ref values) => self.call(builtin, values, ty),
            _ => None,
        }
    }

    /// The truth value that a number was made of, and nothing else.
    fn truth(&self, mut id: ExpressionId) -> Option<ExpressionId> {
        let body = self.of.body;
        loop {
            let expression = body.expression(id);
            let ty = self.of.scalar(expression.ty)?;
            match expression.kind {
                _ if ty == Scalar::Bool => return Some(id),
                ExpressionKind::Convert(inside) => id = inside,
                _ => return None,
            }
        }
    }

    fn variable(&mut self, place: PlaceId) -> Option<String> {
        let of = self.of;
        let id = of.variable_at(place, self.outer)?;
        if self.inner.contains(&id) {
            return Some(of.name(id).to_string());
        }
        if let Some(known) = self.outer.iter().find(|o| o.id == id).copied() {
            self.lane(&known)?;
            return Some(of.name(id).to_string());
        }
        // What stands around the body, and is the same in all of the loop's iterations.
        let variable = of.program.variable(of.body, id);
        let fixed = match (variable.memory, id) {
            (_, VariableId::Global(_)) => !of.program.changing.contains(&id),
            (Memory::Host | Memory::Group, _) => true,
            (Memory::Private, _) => of.items.contains(&id),
            _ => false,
        };
        let known = of.scalar(variable.ty).is_some_and(is_lane);
        if !(fixed && known) || (of.is_volatile)(variable.span) {
            return None;
        }
        // What is the file's may be written with a namespace.
        Some(match id {
            VariableId::Global(_) => of.body.place(place).span.of(of.text).to_string(),
            VariableId::Local(_) => variable.name.clone(),
        })
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        ty: Scalar,
    ) -> Option<String> {
        use BinaryOperator as B;
        let body = self.of.body;
        let of = self.of.scalar(body.expression(left).ty)?;
        self.of.scalar(body.expression(right).ty)?;
        if let Some(factors) = self.product(operator, right, ty) {
            let addend = self.value(left)?;
            return self.added(operator, factors, &addend);
        }
        if let Some([a, b]) = self.product(operator, left, ty) {
            let (a, b, c) = (self.value(a)?, self.value(b)?, self.value(right)?);
            let c = if operator == B::Subtract {
                negative(&c)
            } else {
                c
            };
            return Some(format!("brook_fma({a}, {b}, {c})"));
        }
        let (a, b) = (self.value(left)?, self.value(right)?);
        match operator {
            B::Divide | B::Remainder if !of.is_float() => {
                let small = of.size() <= 4;
                (small && self.literal(right)? > 0).then(|| plain(operator, &a, &b))
            }
            B::ShiftLeft | B::ShiftRight => {
                // Negative numbers are not shifted to the left.
                let signed = operator == B::ShiftLeft && !of.is_unsigned();
                let by = self.shifts(right)?;
                let defined = by < 8 * ty.size() as i64 && (!signed || self.of.wraps());
                defined.then(|| plain(operator, &a, &b))
            }
            _ if operator.compares() => Some(plain(operator, &a, &b)),
            _ => self.operation(operator, a, b, ty),
        }
    }

    /// The factors of a side of a sum or a difference that is a product, and is not rounded (`analyze/brook/contraction.rs`).
    pub(super) fn product(
        &self,
        operator: BinaryOperator,
        side: ExpressionId,
        ty: Scalar,
    ) -> Option<[ExpressionId; 2]> {
        use BinaryOperator as B;
        let sum = self.of.contract && ty.is_float() && matches!(operator, B::Add | B::Subtract);
        match self.of.body.expression(side).kind {
            ExpressionKind::Binary(B::Multiply, a, b) if sum => Some([a, b]),
            _ => None,
        }
    }

    /// A sum with a product on its right side.
    pub(super) fn added(
        &mut self,
        operator: BinaryOperator,
        [a, b]: [ExpressionId; 2],
        addend: &str,
    ) -> Option<String> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let a = match operator {
            BinaryOperator::Subtract => negative(&a),
            _ => a,
        };
        Some(format!("brook_fma({a}, {b}, {addend})"))
    }

    /// The number that an operand is.
    fn literal(&self, id: ExpressionId) -> Option<i64> {
        match self.of.body.expression(id).kind {
            ExpressionKind::Literal(Value::Int(_, number)) => Some(number),
            ExpressionKind::Convert(inside) => self.literal(inside),
            _ => None,
        }
    }

    /// The most places that something is shifted by.
    fn shifts(&self, id: ExpressionId) -> Option<i64> {
        let by = match self.of.body.expression(id).kind {
            ExpressionKind::Binary(BinaryOperator::And, _, most) => self.literal(most)?,
            _ => self.literal(id)?,
        };
        (by >= 0).then_some(by)
    }

    /// An operator in whose type both operands are.
    pub(super) fn operation(
        &self,
        operator: BinaryOperator,
        a: String,
        b: String,
        ty: Scalar,
    ) -> Option<String> {
        use BinaryOperator as B;
        let signed = matches!(operator, B::Add | B::Subtract | B::Multiply) && self.overflows(ty);
        if signed {
            // The lane that has an overflow has left.
            let unsigned = match ty {
                Scalar::Long => Scalar::ULong,
                _ => Scalar::UInt,
            };
            let (name, unsigned) = (ty.c_name(), unsigned.c_name());
            let inside = plain(
                operator,
                &format!("({unsigned}){a}"),
                &format!("({unsigned}){b}"),
            );
            return Some(format!("(({name}){inside})"));
        }
        Some(plain(operator, &a, &b))
    }

    /// A number as one of another type; one that is written as a number is converted by the compiler.
    pub(super) fn conversion(
        &mut self,
        (text, from): (String, Scalar),
        to: Scalar,
        literal: bool,
    ) -> Option<String> {
        if from == to {
            return Some(text);
        }
        if !converts(from, to) || !is_lane(to) {
            return None;
        }
        let compares = to == Scalar::Bool;
        self.mixes |= (from.is_float() || to.is_float()) && !literal && !compares;
        Some(format!("(({}){text})", to.c_name()))
    }

    fn call(&mut self, builtin: Builtin, values: &[ExpressionId], ty: Scalar) -> Option<String> {
        let texts: Option<Vec<String>> = values.iter().map(|v| self.value(*v)).collect();
        let texts = texts?;
        // Compilers have these for vectors, with the same results.
        match (builtin, texts.as_slice()) {
            (Builtin::Real(name @ ("sqrt" | "fabs")), [a]) => match ty {
                Scalar::Float => Some(format!("{name}f({a})")),
                Scalar::Double => Some(format!("{name}({a})")),
                _ => None,
            },
            (Builtin::Min | Builtin::Max, [a, b]) if ty != Scalar::Bool => {
                let name = match builtin {
                    Builtin::Min => "min",
                    _ => "max",
                };
                Some(format!("std::{name}<{}>({a}, {b})", ty.c_name()))
            }
            _ => None,
        }
    }

    /// Whether results beyond the type are not defined.
    fn overflows(&self, ty: Scalar) -> bool {
        !self.of.wraps() && matches!(ty, Scalar::Int | Scalar::Long)
    }
}

/// A number as C++ has it, so that something can stand before and behind it.
fn literal(value: Value) -> Option<String> {
    let text = value.to_string();
    match value {
        Value::Float(_, number) if !number.is_finite() => None,
        _ if text.starts_with(['-', '(']) => Some(format!("({text})")),
        _ => Some(text),
    }
}

/// A negative that the compiler does not see (`opaque_negatives` of backends).
fn negative(text: &str) -> String {
    format!("brook_minus({text})")
}

fn plain(operator: BinaryOperator, a: &str, b: &str) -> String {
    format!("({a} {} {b})", operator.text())
}

/// Whether every value of one type has one in another, and most processors convert whole vectors: a number beyond an
/// integer's range has none there, and integers of 64 bits are converted one by one.
fn converts(from: Scalar, to: Scalar) -> bool {
    match (from.is_float(), to.is_float()) {
        (true, false) => to == Scalar::Bool,
        (false, true) => from.size() <= 4,
        _ => true,
    }
}
