//! Expressions: what operands there are, and what is made of them.

use super::scope::Variable;
use super::text::Text;
use super::value::{Range, Type};
use super::writer::Writer;

/// An expression, and what its value can be.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: Text,
    pub ty: Type,
    pub range: Range,
    /// How tightly it binds.
    pub level: Level,
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Relational,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Expr {
    pub fn primary(text: Text, ty: Type, range: Range) -> Self {
        Self {
            text,
            ty,
            range,
            level: Level::Primary,
        }
    }

    pub fn number(number: i128) -> Self {
        Self::primary(
            Text::same(number.to_string()),
            Type::Int,
            Range::only(number),
        )
    }

    pub fn of(variable: &Variable) -> Self {
        Self::primary(variable.text.clone(), variable.ty, variable.range)
    }

    fn enclosed(&self) -> Text {
        Text::form("({})", &[&self.text])
    }

    /// As an operand that is converted to a type.
    pub fn in_type(mut self, ty: Type) -> Self {
        self.range = match ty.is_float() {
            true => self.range,
            false => self.range.converted(ty),
        };
        self
    }
}

impl Writer<'_> {
    /// The text of an operand, in the parentheses that it needs and sometimes in others.
    pub fn operand(&mut self, e: &Expr, level: Level) -> Text {
        match e.level < level || (e.level != Level::Primary && self.random.chance(30)) {
            true => e.enclosed(),
            false => e.text.clone(),
        }
    }

    pub fn infix(&mut self, a: &Expr, op: &str, b: &Expr, level: Level) -> Text {
        let above = match level {
            Level::Conditional | Level::Or => Level::And,
            Level::And => Level::BitOr,
            Level::BitOr => Level::BitXor,
            Level::BitXor => Level::BitAnd,
            Level::BitAnd => Level::Equal,
            Level::Equal => Level::Relational,
            Level::Relational => Level::Shift,
            Level::Shift => Level::Sum,
            Level::Sum => Level::Product,
            _ => Level::Unary,
        };
        let (a, b) = (self.operand(a, level), self.operand(b, above));
        Text::form(&format!("{{}} {op} {{}}"), &[&a, &b])
    }

    /// A number of any type.
    pub fn value(&mut self, depth: u32) -> Expr {
        match self.random.chance(45) {
            true => self.floating(depth),
            false => self.integer(depth),
        }
    }

    /// What is true or not.
    pub fn truth(&mut self, depth: u32) -> Expr {
        match self.random.within(0, 9) {
            0 if depth > 0 => {
                let e = self.truth(depth - 1);
                self.not(&e)
            }
            1 | 2 if depth > 0 => {
                let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
                let (op, level) = self.random.pick(&[("&&", Level::And), ("||", Level::Or)]);
                let text = self.infix(&a, op, &b, level);
                self.boolean(text, level)
            }
            3 => {
                let e = self.integer(depth.saturating_sub(1));
                self.not(&e)
            }
            4 => match self.a_variable(|v| v.ty == Type::Bool) {
                Some(v) => Expr::of(&v),
                None => self.comparison(depth),
            },
            _ => self.comparison(depth),
        }
    }

    fn not(&mut self, e: &Expr) -> Expr {
        let operand = self.operand(e, Level::Unary);
        self.boolean(Text::form("!{}", &[&operand]), Level::Unary)
    }

    fn boolean(&self, text: Text, level: Level) -> Expr {
        Expr {
            text,
            ty: Type::Bool,
            range: Type::Bool.range(),
            level,
        }
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let depth = depth.saturating_sub(1);
        let (a, b) = match self.random.chance(50) {
            true => (self.floating(depth), self.floating(depth)),
            false => (self.integer(depth), self.integer(depth)),
        };
        let (op, level) = self.random.pick(&[
            ("<", Level::Relational),
            (">", Level::Relational),
            ("<=", Level::Relational),
            (">=", Level::Relational),
            ("==", Level::Equal),
            ("!=", Level::Equal),
        ]);
        let text = self.infix(&a, op, &b, level);
        self.boolean(text, level)
    }

    /// A number of any integer type, or a truth value.
    pub fn integer(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.random.chance(15) {
            return self.integer_leaf();
        }
        let depth = depth - 1;
        match self.random.within(0, 15) {
            0..=4 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                let op = self.random.pick(&["+", "-", "*"]);
                self.arithmetic(op, a, b)
            }
            5 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                let op = self.random.pick(&["/", "%"]);
                self.division(op, a, b)
            }
            6 | 7 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                self.bitwise(a, b)
            }
            8 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                self.shift(a, b)
            }
            9 => {
                let e = self.integer(depth);
                self.unary(e)
            }
            10 => {
                let (e, ty) = (self.integer(depth), self.random.pick(&Type::INTEGERS));
                self.cast(e, ty)
            }
            11 => {
                let e = self.floating(depth);
                let ty = self.random.pick(&Type::INTEGERS);
                let e = self.fitted(e, ty, ty.range());
                self.cast(e, ty)
            }
            12 => {
                let (c, a, b) = (self.truth(depth), self.integer(depth), self.integer(depth));
                self.conditional(&c, a, b)
            }
            13 => self
                .called(depth, false)
                .unwrap_or_else(|| self.integer_leaf()),
            14 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                let ty = self.random.pick(&[Type::Int, Type::UInt, Type::Int]);
                let (a, b) = (self.cast(a, ty), self.cast(b, ty));
                let name = self.random.pick(&["min", "max"]);
                let text = Text::form(&format!("{name}({{}}, {{}})"), &[&a.text, &b.text]);
                Expr::primary(text, ty, a.range.joined(b.range))
            }
            _ => self.truth(depth),
        }
    }

    fn integer_leaf(&mut self) -> Expr {
        match self.random.within(0, 9) {
            0..=3 => match self.a_variable(|v| !v.ty.is_float()) {
                Some(v) => Expr::of(&v),
                None => self.integer_literal(),
            },
            4..=6 => match self.an_array(|a| !a.ty.is_float()) {
                Some(a) => self.element(&a),
                None => self.integer_literal(),
            },
            _ => self.integer_literal(),
        }
    }

    fn integer_literal(&mut self) -> Expr {
        let types = [
            Type::Int,
            Type::Int,
            Type::UInt,
            Type::Long,
            Type::ULong,
            Type::Bool,
        ];
        let ty = self.random.pick(&types);
        self.literal(ty)
    }

    /// A literal of a type's values.
    pub fn literal(&mut self, ty: Type) -> Expr {
        let number = ty.random(self.random);
        let text = ty.literal(number, self.random);
        let range = Range::new(
            number,
            number,
            if ty.is_float() { ty.range().scale } else { 0 },
        );
        let ty = if ty == Type::Bool { ty } else { ty.promoted() };
        Expr::primary(text, ty, range)
    }

    /// A floating number.
    pub fn floating(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.random.chance(20) {
            return self.floating_leaf();
        }
        let depth = depth - 1;
        match self.random.within(0, 11) {
            0..=5 => {
                let (a, b) = (self.floating(depth), self.floating(depth));
                let b = match self.random.chance(15) {
                    true => self.small_integer(depth),
                    false => b,
                };
                let op = self.random.pick(&["+", "-", "*"]);
                self.arithmetic(op, a, b)
            }
            6 => {
                let (c, a, b) = (
                    self.truth(depth),
                    self.floating(depth),
                    self.floating(depth),
                );
                self.conditional(&c, a, b)
            }
            7 => {
                let e = self.floating(depth);
                let operand = self.operand(&e, Level::Primary);
                Expr {
                    text: Text::form("-{}", &[&operand]),
                    range: Range::new(-e.range.high, -e.range.low, e.range.scale),
                    ty: e.ty,
                    level: Level::Unary,
                }
            }
            8 => {
                let e = self.small_integer(depth);
                let ty = self.random.pick(&[Type::Float, Type::Double]);
                self.cast(e, ty)
            }
            9 => self
                .called(depth, true)
                .unwrap_or_else(|| self.floating_leaf()),
            10 => {
                let e = self.floating(depth);
                let name = if e.ty == Type::Float { "fabsf" } else { "fabs" };
                let most = e.range.low.abs().max(e.range.high.abs());
                let text = Text::form(&format!("{name}({{}})"), &[&e.text]);
                Expr::primary(text, e.ty, Range::new(0, most, e.range.scale))
            }
            _ => {
                let e = self.floating(depth);
                let ty = self.random.pick(&[Type::Float, Type::Double]);
                match e.range.is_exact(ty) {
                    true => self.cast(e, ty),
                    false => e,
                }
            }
        }
    }

    fn floating_leaf(&mut self) -> Expr {
        match self.random.within(0, 9) {
            0..=3 => {
                if let Some(v) = self.a_variable(|v| v.ty.is_float()) {
                    return Expr::of(&v);
                }
            }
            4..=7 => {
                if let Some(a) = self.an_array(|a| a.ty.is_float()) {
                    return self.element(&a);
                }
            }
            _ => {}
        }
        let ty = self.random.pick(&[Type::Float, Type::Float, Type::Double]);
        self.literal(ty)
    }

    /// An integer that every floating type has.
    fn small_integer(&mut self, depth: u32) -> Expr {
        let e = self.integer(depth);
        match e.range.is_exact(Type::Float) {
            true => e,
            false => {
                let size = self.random.pick(&[16, 64, 256]);
                self.reduced(e, size)
            }
        }
    }
}
