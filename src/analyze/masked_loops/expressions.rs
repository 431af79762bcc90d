//! Which expressions may be evaluated for lanes that have left the loop, or are not in the branch at hand.

use super::is_lane;
use super::statements::Reader;
use crate::expr::{self, Scalar};
use crate::module::Eager;
use crate::syntax::{Field, Kind, NodeId};

/// Functions of one floating-point number that compilers have for vectors, with the same results.
const FUNCTIONS: [&str; 2] = ["fabs", "sqrt"];

impl Reader<'_, '_> {
    /// The type of an expression that has no effects, reads variables only, and is defined for whatever values they
    /// have; `None` for any other.
    pub(super) fn harmless(&mut self, node: NodeId) -> Option<Scalar> {
        let tree = self.of.tree;
        match tree.kind(node) {
            Kind::NumberLiteral | Kind::True | Kind::False => (self.of.typed)(node),
            Kind::Identifier => self.variable(node, tree.text(node, self.of.text)),
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                let mut parts = tree.children(node);
                let only = parts.next()?;
                match parts.next() {
                    None => self.harmless(only),
                    Some(_) => None,
                }
            }
            Kind::UnaryExpression => self.unary(node),
            Kind::BinaryExpression => self.binary(node),
            Kind::ConditionalExpression => {
                let part = |field| tree.child(node, field);
                let condition = part(Field::Condition)?;
                let values = [part(Field::Consequence)?, part(Field::Alternative)?];
                self.harmless(condition)?;
                let (then, other) = (self.harmless(values[0])?, self.harmless(values[1])?);
                let what = Eager::Select {
                    condition: tree.span(condition),
                    values: values.map(|v| tree.span(v)),
                };
                self.eager.push((tree.span(node), what));
                let both = (self.of.typed)(node)?;
                self.mixes = true;
                (converts(then, both) && converts(other, both)).then_some(both)
            }
            Kind::CastExpression => {
                let ty = (self.of.typed)(node)?;
                let inside = tree.child(node, Field::Value)?;
                let value = self.harmless(inside)?;
                self.meets(Some(inside), value, ty);
                (is_lane(ty) && converts(value, ty)).then_some(ty)
            }
            Kind::CallExpression => self.call(node),
            _ => None,
        }
    }

    fn unary(&mut self, node: NodeId) -> Option<Scalar> {
        let tree = self.of.tree;
        let operator = tree.text(tree.child(node, Field::Operator)?, self.of.text);
        let argument = tree.child(node, Field::Argument)?;
        let of = self.harmless(argument)?;
        let ty = (self.of.typed)(node)?;
        match operator {
            "!" | "+" => Some(ty),
            "~" if !of.is_float() => Some(ty),
            "-" => {
                if self.overflows(ty) {
                    let what = Eager::Signed {
                        operator: "-",
                        operands: vec![tree.span(argument)],
                        ty,
                    };
                    self.eager.push((tree.span(node), what));
                }
                Some(ty)
            }
            _ => None,
        }
    }

    fn binary(&mut self, node: NodeId) -> Option<Scalar> {
        let tree = self.of.tree;
        let operator = tree.text(tree.child(node, Field::Operator)?, self.of.text);
        let (a, b) = (
            tree.child(node, Field::Left)?,
            tree.child(node, Field::Right)?,
        );
        let (left, right) = (self.harmless(a)?, self.harmless(b)?);
        let operands = [tree.span(a), tree.span(b)];
        let both = left.common(right);
        let shifts = matches!(operator, "<<" | ">>" | "&&" | "||");
        if !(shifts || converts(left, both) && converts(right, both)) {
            return None;
        }
        if !shifts {
            self.meets(Some(a), left, both);
            self.meets(Some(b), right, both);
        }
        let ty = (self.of.typed)(node)?;
        match operator {
            "&&" | "||" => {
                let operator = if operator == "&&" { "&" } else { "|" };
                let what = Eager::Logical { operator, operands };
                self.eager.push((tree.span(node), what));
                Some(ty)
            }
            "==" | "!=" | "<" | ">" | "<=" | ">=" => Some(ty),
            "+" | "-" | "*" => {
                let operator = signed_operator(operator)?;
                if self.overflows(both) {
                    let what = Eager::Signed {
                        operator,
                        operands: operands.to_vec(),
                        ty: both,
                    };
                    self.eager.push((tree.span(node), what));
                }
                Some(both)
            }
            "/" if both.is_float() => Some(both),
            "/" | "%" => {
                let by = expr::parse(tree.text(b, self.of.text)).ok()?;
                let defined = expr::constant(&by).is_some_and(|by| by > 0);
                let small = !both.is_float() && both.size() <= 4;
                (defined && small && !self.of.wraps).then_some(both)
            }
            "&" | "|" | "^" => (!both.is_float()).then_some(both),
            "<<" | ">>" => {
                let by = expr::parse(tree.text(b, self.of.text)).ok()?;
                let by = usize::try_from(expr::constant(&by)?).ok()?;
                // Negative numbers are not shifted to the left.
                let defined = operator == ">>" || ty.is_unsigned() || self.of.wraps;
                (!ty.is_float() && by < 8 * ty.size() && defined).then_some(ty)
            }
            _ => None,
        }
    }

    fn call(&mut self, node: NodeId) -> Option<Scalar> {
        let tree = self.of.tree;
        let function = tree.child(node, Field::Function)?;
        let name = tree.text(function, self.of.text);
        let name = name.strip_prefix("std::").unwrap_or(name);
        let mut types = Vec::new();
        for argument in tree.children(tree.child(node, Field::Arguments)?) {
            types.push(self.harmless(argument)?);
        }
        // `float(x)`
        if tree.kind(function) == Kind::PrimitiveType {
            let ty = (self.of.typed)(node)?;
            let [value] = types.as_slice() else {
                return None;
            };
            self.meets(None, *value, ty);
            return (is_lane(ty) && converts(*value, ty)).then_some(ty);
        }
        if !(self.of.is_library)(node, name) {
            return None;
        }
        match types.as_slice() {
            [Scalar::Float] if FUNCTIONS.contains(&name.trim_end_matches('f')) => {
                Some(Scalar::Float)
            }
            [Scalar::Double] if FUNCTIONS.contains(&name) => Some(Scalar::Double),
            [ty] if name == "abs" && ty.is_float() => Some(*ty),
            // Brook+'s own are branches around what they are given.
            [a, b] if matches!(name, "min" | "max") && a == b && *a != Scalar::Bool => {
                (!a.is_float() || !self.of.wraps).then_some(*a)
            }
            _ => None,
        }
    }

    /// Notes that a value is converted; constants are by the compiler.
    pub(super) fn meets(&mut self, value: Option<NodeId>, from: Scalar, to: Scalar) {
        let tree = self.of.tree;
        let constant = |v| tree.kind(tree.unparenthesized(v)) == Kind::NumberLiteral;
        let floats = from.is_float() || to.is_float();
        self.mixes |= from != to && floats && !value.is_some_and(constant);
    }

    /// Whether results beyond the type are not defined.
    pub(super) fn overflows(&self, ty: Scalar) -> bool {
        !self.of.wraps && matches!(ty, Scalar::Int | Scalar::Long)
    }
}

/// Whether every value of one type has one in another, and most processors convert whole vectors: a number beyond an
/// integer's range has none there, and integers of 64 bits are converted one by one.
pub(super) fn converts(from: Scalar, to: Scalar) -> bool {
    match (from.is_float(), to.is_float()) {
        (true, false) => to == Scalar::Bool,
        (false, true) => from.size() <= 4,
        _ => true,
    }
}

/// The operators of integers that overflow.
pub(super) fn signed_operator(operator: &str) -> Option<&'static str> {
    ["+", "-", "*"].into_iter().find(|o| *o == operator)
}
