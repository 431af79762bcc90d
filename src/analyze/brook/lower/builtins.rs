//! Functions of the language (specification, section 5).

use super::make::Make;
use super::{Lower, Lowered};
use crate::body::{BinaryOperator, Builtin, ExpressionId, ExpressionKind, UnaryOperator};
use crate::expr::Scalar;
use crate::source::Span;
use crate::syntax::NodeId;

/// Those that C has, component by component, by its names.
const AS_IN_C: [(&str, &str); 14] = [
    ("acos", "acos"),
    ("asin", "asin"),
    ("atan", "atan"),
    ("atan2", "atan2"),
    ("ceil", "ceil"),
    ("cos", "cos"),
    ("exp", "exp"),
    ("floor", "floor"),
    ("fmod", "fmod"),
    ("log", "log"),
    ("pow", "pow"),
    ("sin", "sin"),
    ("sqrt", "sqrt"),
    ("tan", "tan"),
];

impl Lower<'_, '_, '_> {
    /// A call of a function of the language, whose arguments have one type.
    pub(super) fn function(
        &mut self,
        node: NodeId,
        name: &str,
        values: &[ExpressionId],
    ) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let Some(&first) = values.first() else {
            return self.opaque(node, format!("a call of '{name}'"));
        };
        let ty = self.ty(first);
        let Some((scalar, width)) = self.shape(ty) else {
            return self.opaque(node, format!("a call of '{name}'"));
        };
        if let Some((_, real)) = AS_IN_C.iter().find(|(known, _)| *known == name) {
            return self.real(real, values, span);
        }
        match (name, values) {
            ("abs", [a]) if scalar.is_float() => self.real("fabs", &[*a], span),
            ("abs", [a]) => self.magnitude(*a, span),
            ("frac" | "round" | "rsqrt", [a]) => self.each(&[*a], span, |this, values| {
                this.rounded(name, values[0], span)
            }),
            ("isfinite" | "isinf" | "isnan", [a]) => {
                let test = match name {
                    "isfinite" => "isfinite",
                    "isinf" => "isinf",
                    _ => "isnan",
                };
                self.each(&[*a], span, |this, values| {
                    let int = this.scalar_type(Scalar::Int);
                    let kind = ExpressionKind::Builtin(Builtin::Real(test), values.to_vec());
                    let found = this.push(kind, int, span);
                    this.as_scalar(found, scalar)
                })
            }
            ("min" | "max", [a, b]) => self.extreme(name == "min", *a, *b, span),
            ("clamp", [x, low, high]) => {
                let above = self.extreme(false, *x, *low, span)?;
                self.extreme(true, above, *high, span)
            }
            ("sign", [a]) => self.each(&[*a], span, |this, values| this.sign(values[0], span)),
            ("lerp", [x, y, a]) => {
                self.each(&[*x, *y, *a], span, |this, values| this.mixed(values, span))
            }
            ("dot", [a, b]) => self.dot(*a, *b, span),
            ("cross", [a, b]) if width == 3 => self.cross(*a, *b, span),
            ("normalize", [a]) => {
                let (before, kept) = self.keep(*a);
                let (a, b) = (self.kept(kept, span), self.kept(kept, span));
                let square = self.dot(a, b, span)?;
                let length = self.real("sqrt", &[square], span)?;
                let (computed, length) = self.keep(length);
                let mut parts = Vec::new();
                for index in 0..u32::from(width) {
                    let part = self.component(kept, index, span);
                    let length = self.kept(length, span);
                    parts.push(self.binary(BinaryOperator::Divide, part, length, span));
                }
                let made = self.vector(parts, span);
                let made = self.then(computed, made);
                Ok(self.then(before, made))
            }
            ("any" | "all", [a]) => self.votes(name == "all", *a, (scalar, width), span),
            _ => self.opaque(node, format!("a call of '{name}'")),
        }
    }

    fn real(
        &mut self,
        name: &'static str,
        values: &[ExpressionId],
        span: Span,
    ) -> Lowered<ExpressionId> {
        self.each(values, span, |this, values| {
            this.builtin(Builtin::Real(name), values.to_vec(), span)
        })
    }

    /// `frac`, `round` and `rsqrt` of a number.
    fn rounded(&mut self, name: &str, value: ExpressionId, span: Span) -> ExpressionId {
        let ty = self.body.expression(value).ty;
        match name {
            "round" => {
                let half = self.real_of(0.5, ty, span);
                let sum = self.binary(BinaryOperator::Add, value, half, span);
                self.builtin(Builtin::Real("floor"), vec![sum], span)
            }
            "frac" => {
                let (before, kept) = self.keep(value);
                let (a, b) = (self.kept(kept, span), self.kept(kept, span));
                let floor = self.builtin(Builtin::Real("floor"), vec![b], span);
                let value = self.binary(BinaryOperator::Subtract, a, floor, span);
                self.then(before, value)
            }
            _ => {
                let root = self.builtin(Builtin::Real("sqrt"), vec![value], span);
                let one = self.number_of(1, ty, span);
                self.binary(BinaryOperator::Divide, one, root, span)
            }
        }
    }

    fn extreme(
        &mut self,
        smaller: bool,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lowered<ExpressionId> {
        self.each(&[a, b], span, |this, values| {
            let ty = this.body.expression(values[0]).ty;
            let float = this.shape(ty).is_some_and(|(scalar, _)| scalar.is_float());
            let builtin = match (float, smaller) {
                (true, true) => Builtin::Real("fmin"),
                (true, false) => Builtin::Real("fmax"),
                (false, true) => Builtin::Min,
                (false, false) => Builtin::Max,
            };
            this.builtin(builtin, values.to_vec(), span)
        })
    }

    /// 1 above zero, less 1 below.
    fn sign(&mut self, value: ExpressionId, span: Span) -> ExpressionId {
        let ty = self.body.expression(value).ty;
        let (scalar, _) = self.shape(ty).unwrap_or((Scalar::Int, 1));
        let (before, kept) = self.keep(value);
        let mut sides = Vec::new();
        for operator in [BinaryOperator::Greater, BinaryOperator::Less] {
            let value = self.kept(kept, span);
            let zero = self.number_of(0, ty, span);
            let found = self.binary(operator, value, zero, span);
            sides.push(self.as_scalar(found, Scalar::Int));
        }
        let value = self.binary(BinaryOperator::Subtract, sides[0], sides[1], span);
        let value = self.as_scalar(value, scalar);
        self.then(before, value)
    }

    /// `(1 - a) * x + a * y`
    fn mixed(&mut self, values: &[ExpressionId], span: Span) -> ExpressionId {
        let ty = self.body.expression(values[0]).ty;
        let (before, kept) = self.keep(values[2]);
        let one = self.number_of(1, ty, span);
        let a = self.kept(kept, span);
        let rest = self.binary(BinaryOperator::Subtract, one, a, span);
        let x = self.binary(BinaryOperator::Multiply, rest, values[0], span);
        let a = self.kept(kept, span);
        let y = self.binary(BinaryOperator::Multiply, a, values[1], span);
        let value = self.binary(BinaryOperator::Add, x, y, span);
        self.then(before, value)
    }

    fn dot(&mut self, a: ExpressionId, b: ExpressionId, span: Span) -> Lowered<ExpressionId> {
        let ty = self.ty(a);
        let (_, width) = self.shape(ty).unwrap_or((Scalar::Int, 1));
        let (before, x) = self.keep(a);
        let (also, y) = self.keep(b);
        let mut sum = None;
        for index in 0..u32::from(width) {
            let a = self.component(x, index, span);
            let b = self.component(y, index, span);
            let product = self.binary(BinaryOperator::Multiply, a, b, span);
            sum = Some(match sum {
                None => product,
                Some(sum) => self.binary(BinaryOperator::Add, sum, product, span),
            });
        }
        let value = self.then(also, sum.unwrap_or(a));
        Ok(self.then(before, value))
    }

    fn cross(&mut self, a: ExpressionId, b: ExpressionId, span: Span) -> Lowered<ExpressionId> {
        let (before, x) = self.keep(a);
        let (also, y) = self.keep(b);
        let mut parts = Vec::new();
        for [i, j] in [[1, 2], [2, 0], [0, 1]] {
            let product = |this: &mut Self, i: u32, j: u32| {
                let (a, b) = (this.component(x, i, span), this.component(y, j, span));
                this.binary(BinaryOperator::Multiply, a, b, span)
            };
            let (first, second) = (product(self, i, j), product(self, j, i));
            parts.push(self.binary(BinaryOperator::Subtract, first, second, span));
        }
        let value = self.vector(parts, span);
        let value = self.then(also, value);
        Ok(self.then(before, value))
    }

    /// Whether any component is not zero, or all are not, as a number.
    fn votes(
        &mut self,
        all: bool,
        value: ExpressionId,
        (scalar, _): (Scalar, u8),
        span: Span,
    ) -> Lowered<ExpressionId> {
        let value = match all {
            false => value,
            // None is zero.
            true => self.each(&[value], span, |this, values| this.is_zero(values[0]))?,
        };
        let found = self.truth(value)?;
        let found = match all {
            false => found,
            true => self.unary(UnaryOperator::Not, found, span),
        };
        Ok(self.as_scalar(found, scalar))
    }
}
