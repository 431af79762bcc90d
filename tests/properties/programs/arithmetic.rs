//! Operations without undefined behaviour, whose floating results are exact whatever is contracted.

use super::expression::{Expr, Level};
use super::scope::Array;
use super::text::Text;
use super::value::{Range, Type};
use super::writer::Writer;

impl Writer<'_> {
    /// `a + b`, `a - b` or `a * b`: in unsigned, or of less, where it could overflow.
    pub fn arithmetic(&mut self, op: &str, a: Expr, b: Expr) -> Expr {
        let ty = a.ty.common(b.ty);
        if let Some(e) = self.sure(op, &a, &b) {
            return e;
        }
        if ty.is_float() {
            let few = Range::new(-16, 16, 2);
            let (a, b) = (self.fitted(a, ty, few), self.fitted(b, ty, few));
            return self.sure(op, &a, &b).unwrap_or(a);
        }
        let a = match self.random.chance(60) {
            true => self.cast(a, ty.wrapping()),
            false => self.reduced(a, 1024),
        };
        match self.sure(op, &a, &b) {
            Some(e) => e,
            None => {
                let b = self.reduced(b, 64);
                self.sure(op, &a, &b).unwrap_or(a)
            }
        }
    }

    /// The same, if it cannot overflow as it is.
    pub fn sure(&mut self, op: &str, a: &Expr, b: &Expr) -> Option<Expr> {
        let ty = a.ty.common(b.ty);
        if ty.is_float() && !(a.range.is_exact(ty) && b.range.is_exact(ty)) {
            return None;
        }
        let (of_a, of_b) = (a.clone().in_type(ty).range, b.clone().in_type(ty).range);
        let range = match op {
            "+" => of_a.plus(of_b),
            "-" => of_a.minus(of_b),
            _ => of_a.times(of_b),
        };
        let wraps = !ty.is_float() && !ty.is_signed();
        if !wraps && !range.is_exact(ty) {
            return None;
        }
        let level = if op == "*" {
            Level::Product
        } else {
            Level::Sum
        };
        Some(Expr {
            text: self.infix(a, op, b, level),
            ty,
            range: if wraps { range.converted(ty) } else { range },
            level,
        })
    }

    pub fn division(&mut self, op: &str, a: Expr, b: Expr) -> Expr {
        let positive = |e: &Expr| e.clone().in_type(a.ty.common(e.ty)).range.low > 0;
        let b = match positive(&b) {
            true => b,
            false if self.random.chance(20) && a.ty.common(Type::Int).is_signed() => {
                // Not -1, by which the least number cannot be divided.
                let number = self.random.within(2, 40);
                let text = Text::same(format!("(-{number})"));
                Expr::primary(text, Type::Int, Range::only((-number).into()))
            }
            false => {
                let size = self.random.pick(&[8, 64]);
                let b = self.reduced(b, size);
                let one = Expr::number(1);
                self.arithmetic("+", b, one)
            }
        };
        let ty = a.ty.common(b.ty);
        let (of_a, of_b) = (a.clone().in_type(ty).range, b.clone().in_type(ty).range);
        let most = of_b.low.abs().max(of_b.high.abs());
        let range = match op {
            "/" if of_b.low > 0 => Range::new(of_a.low.min(0), of_a.high.max(0), 0),
            "/" => {
                let magnitude = of_a.low.abs().max(of_a.high.abs()) / 2;
                Range::new(-magnitude, magnitude, 0)
            }
            _ => Range::new(
                of_a.low.min(0).max(1 - most),
                of_a.high.max(0).min(most - 1),
                0,
            ),
        };
        Expr {
            text: self.infix(&a, op, &b, Level::Product),
            ty,
            range,
            level: Level::Product,
        }
    }

    pub fn bitwise(&mut self, a: Expr, b: Expr) -> Expr {
        let (op, level) = self.random.pick(&[
            ("&", Level::BitAnd),
            ("|", Level::BitOr),
            ("^", Level::BitXor),
        ]);
        let ty = a.ty.common(b.ty);
        let (of_a, of_b) = (a.clone().in_type(ty).range, b.clone().in_type(ty).range);
        let range = match (op, of_a.low >= 0, of_b.low >= 0) {
            ("&", true, true) => Range::new(0, of_a.high.min(of_b.high), 0),
            ("&", true, false) => Range::new(0, of_a.high, 0),
            ("&", false, true) => Range::new(0, of_b.high, 0),
            ("|" | "^", true, true) => {
                let most = of_a.high.max(of_b.high) as u128;
                Range::new(0, ((most + 1).next_power_of_two() - 1) as i128, 0)
            }
            _ => ty.range(),
        };
        Expr {
            text: self.infix(&a, op, &b, level),
            ty,
            range,
            level,
        }
    }

    pub fn shift(&mut self, a: Expr, count: Expr) -> Expr {
        let size = match a.ty.promoted() {
            Type::Long | Type::ULong => self.random.pick(&[8, 32, 64]),
            _ => self.random.pick(&[4, 8, 32]),
        };
        let count = self.reduced(count, size);
        let (a, op) = match self.random.chance(50) {
            true => (a, ">>"),
            false => {
                let most = a.range.times(Range::only(1 << count.range.high.max(0)));
                let ty = a.ty.promoted();
                let sure = a.range.low >= 0 && most.within(ty.range());
                match sure || !ty.is_signed() {
                    true => (a, "<<"),
                    false => (self.cast(a, ty.wrapping()), "<<"),
                }
            }
        };
        let ty = a.ty.promoted();
        let range = match op {
            ">>" => Range::new(a.range.low.min(0), a.range.high.max(0), 0),
            _ => {
                let most = a.range.times(Range::only(1 << count.range.high.max(0)));
                Range::new(0, most.high, 0).converted(ty)
            }
        };
        Expr {
            text: self.infix(&a, op, &count, Level::Shift),
            ty,
            range,
            level: Level::Shift,
        }
    }

    pub fn unary(&mut self, e: Expr) -> Expr {
        let op = self.random.pick(&["-", "~", "+"]);
        let ty = e.ty.promoted();
        let negated = Range::new(-e.range.high, -e.range.low, 0);
        let e = match op == "-" && ty.is_signed() && !negated.within(ty.range()) {
            true => self.cast(e, ty.wrapping()),
            false => e,
        };
        let ty = e.ty.promoted();
        let range = match op {
            "-" => negated,
            "~" => Range::new(-1 - e.range.high, -1 - e.range.low, 0),
            _ => e.range,
        };
        let operand = self.operand(&e, Level::Primary);
        Expr {
            text: Text::form(&format!("{op}{{}}"), &[&operand]),
            ty,
            range: range.converted(ty),
            level: Level::Unary,
        }
    }

    /// `c ? a : b`
    pub fn conditional(&mut self, c: &Expr, a: Expr, b: Expr) -> Expr {
        let ty = a.ty.common(b.ty);
        let (a, b) = (a.in_type(ty), b.in_type(ty));
        let range = a.range.joined(b.range);
        if !range.is_exact(ty) {
            return a;
        }
        let c = self.operand(c, Level::Or);
        let (of_a, of_b) = (
            self.operand(&a, Level::Conditional),
            self.operand(&b, Level::Conditional),
        );
        Expr {
            text: Text::form("{} ? {} : {}", &[&c, &of_a, &of_b]),
            ty,
            range,
            level: Level::Conditional,
        }
    }

    /// `(T)e`: of an integer to any type that has it, of a floating number to one whose range was seen to.
    pub fn cast(&mut self, e: Expr, ty: Type) -> Expr {
        let range = match (ty.is_float(), e.ty.is_float()) {
            (false, false) => e.range.converted(ty),
            (false, true) => Range::new(
                e.range.low >> e.range.scale,
                (e.range.high >> e.range.scale) + 1,
                0,
            )
            .converted(ty),
            _ => e.range,
        };
        let range = match ty {
            Type::Bool => Type::Bool.range(),
            _ => range,
        };
        let word = ty.name();
        let (form, level) = match self.random.within(0, 9) {
            0 if !word.contains(' ') => (format!("{word}({{}})"), Level::Primary),
            1 => (format!("static_cast<{word}>({{}})"), Level::Primary),
            _ => (format!("({word}) {{}}"), Level::Unary),
        };
        let operand = match level {
            Level::Primary => e.text.clone(),
            _ => self.operand(&e, Level::Primary),
        };
        Expr {
            text: Text::form(&form, &[&operand]),
            ty,
            range,
            level,
        }
    }

    /// An expression whose value is one of `0..size`, out of any integer.
    pub fn reduced(&mut self, e: Expr, size: i128) -> Expr {
        if e.range.low >= 0 && e.range.high < size {
            return e;
        }
        let ty = e.ty.promoted();
        if (size as u128).is_power_of_two() {
            let mask = Expr::number(size - 1);
            return Expr {
                text: self.infix(&e, "&", &mask, Level::BitAnd),
                ty,
                range: Range::new(0, size - 1, 0),
                level: Level::BitAnd,
            };
        }
        let e = match e.range.low >= 0 {
            true => e,
            false => self.cast(e, ty.wrapping()),
        };
        let number = Expr::number(size);
        Expr {
            text: self.infix(&e, "%", &number, Level::Product),
            ty: e.ty.promoted(),
            range: Range::new(0, size - 1, 0),
            level: Level::Product,
        }
    }

    /// An expression that a variable of a type can be given, whose values are within a range that has 0 and is
    /// no narrower below it than above, or begins there.
    pub fn fitted(&mut self, e: Expr, ty: Type, range: Range) -> Expr {
        if !e.ty.is_float() {
            let after = if ty.is_float() {
                e.range
            } else {
                e.range.converted(ty)
            };
            if after.within(range) && (!ty.is_float() || after.is_exact(ty)) {
                return e;
            }
            let most = (range.high >> range.scale) + 1;
            return match most >= 2 {
                true => self.reduced(e, 1 << (127 - most.leading_zeros())),
                false => Expr::number(0),
            };
        }
        if !ty.is_float() {
            // Its integral part is what conversion leaves.
            let (low, high) = (
                e.range.low >> e.range.scale,
                (e.range.high >> e.range.scale) + 1,
            );
            if Range::new(low, high, 0).within(range) {
                return e;
            }
            let held = Type::Long;
            if Range::new(low, high, 0).within(Type::Int.range()) {
                let e = self.cast(e, Type::Int);
                return self.fitted(e, ty, range);
            }
            let e = self.cast(e, held);
            return self.fitted(e, ty, range);
        }
        if e.range.within(range) {
            return e;
        }
        if e.range.scale > range.scale {
            let whole = Range::new(
                e.range.low >> e.range.scale,
                (e.range.high >> e.range.scale) + 1,
                0,
            );
            if !whole.within(Type::Int.range()) {
                return self.literal(ty);
            }
            let e = self.cast(e, Type::Int);
            return match whole.is_exact(ty) {
                true => {
                    let e = self.cast(e, ty);
                    self.fitted(e, ty, range)
                }
                false => self.fitted(e, ty, range),
            };
        }
        let suffix = if e.ty == Type::Float { "f" } else { "" };
        let (low, high) = (range.low >> range.scale, range.high >> range.scale);
        let text = Text::form(
            &format!("fmin{suffix}(fmax{suffix}({{}}, {low}.0{suffix}), {high}.0{suffix})"),
            &[&e.text],
        );
        Expr::primary(text, e.ty, range)
    }

    /// An expression that is one of `0..size`: small numbers, truth values, or anything that is brought there.
    pub fn index(&mut self, size: usize) -> Expr {
        let size = size as i128;
        let e = match self.random.within(0, 9) {
            0 => {
                let number = self.random.within(0, size as i64 - 1);
                Expr::number(number.into())
            }
            1..=3 => {
                let truth = self.truth(1);
                let most = (size - 2).max(0) as i64;
                let add = Expr::number(self.random.within(0, most.min(5)).into());
                match self.random.within(0, 4) {
                    0 => self.arithmetic("+", truth, add),
                    1 => {
                        let other = self.truth(0);
                        self.arithmetic("+", truth, other)
                    }
                    2 => {
                        let (one, none) = (Expr::number(1), Expr::number(0));
                        self.conditional(&truth, one, none)
                    }
                    3 => self.cast(truth, Type::Int),
                    _ => truth,
                }
            }
            4..=6 => match self.a_variable(|v| !v.ty.is_float()) {
                Some(v) => Expr::of(&v),
                None => Expr::number(0),
            },
            _ => self.integer(1),
        };
        self.reduced(e, size)
    }

    /// Some element of an array.
    pub fn element(&mut self, array: &Array) -> Expr {
        let text = array.place(self);
        Expr::primary(text, array.ty, array.range)
    }
}
