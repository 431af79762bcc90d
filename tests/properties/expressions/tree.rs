//! Random expressions: what they are written as, and what they are worth.

use super::super::random::Random;
use super::value::{BASES, Base, Number, Type};

/// What a kernel's names stand for at one element.
pub struct Values {
    pub variables: Vec<(String, Vec<Number>)>,
    /// Elements of the array `g`, and of `h`, row by row.
    pub line: Vec<i64>,
    pub rows: Vec<Vec<i64>>,
}

/// The names that expressions are made of.
pub struct Scope {
    pub names: Vec<(String, Type)>,
    /// Operands of several types are converted, and may stand together.
    pub relaxed: bool,
}

pub struct Tree {
    pub ty: Type,
    node: Node,
}

enum Node {
    Literal(Number, String),
    Variable(String),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Cast(Box<Tree>),
    Vector(Vec<Tree>),
    Swizzle(Box<Tree>, Vec<usize>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
    Dot(Box<Tree>, Box<Tree>),
    Line(Box<Tree>),
    Rows(Box<Tree>, Box<Tree>),
}

pub const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// A value that integers of a type have at an edge, more often than not.
pub fn integer(random: &mut Random, base: Base) -> i64 {
    let (low, high) = base.limits();
    let near = [
        0, 1, -1, 2, 3, 7, 31, 32, 33, 127, 128, 181, 255, 256, 32767, 32768, 46340, 46341, 65535,
        65536,
    ];
    let value = match random.within(0, 9) {
        0..3 => low + random.within(0, 2),
        3..6 => high - random.within(0, 2),
        6..8 => random.pick(&near) * random.pick(&[1, -1]),
        _ => random.within(low, high),
    };
    base.wrapped(value)
}

pub fn floating(random: &mut Random) -> f64 {
    let edges = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.75,
        127.5,
        255.0,
        32767.5,
        65536.0,
        16777217.0,
        2147483647.0,
        2147483648.0,
        4294967295.0,
        4294967296.0,
        1e10,
        3e38,
        1e-40,
        1e-45,
    ];
    let value = match random.within(0, 3) {
        0 => random.within(-100_000, 100_000) as f64 / 64.0,
        _ => random.pick(&edges),
    };
    value * random.pick(&[1.0, -1.0])
}

impl Tree {
    /// An expression of a type; `variables` are the names there are.
    pub fn random(random: &mut Random, ty: Type, scope: &Scope, depth: usize) -> Self {
        if depth == 0 || random.within(0, 9) == 0 {
            return Self::leaf(random, ty, scope);
        }
        let scalar = ty.width == 1;
        let node = match random.within(0, 19) {
            0..9 => {
                let operators: &[&'static str] = match ty.base.is_float() {
                    true => &["+", "-", "*", "/", "<", "==", ">=", "&&", "||"],
                    false => &[
                        "+", "-", "*", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<",
                        ">", "<=", ">=", "==", "!=", "&&", "||",
                    ],
                };
                let operator = random.pick(operators);
                let (mut left, mut right) = (ty, ty);
                if scope.relaxed && random.within(0, 1) == 0 {
                    let other = lower(random, ty);
                    // What is shifted says what comes of it.
                    match operator.len() == 2 || random.within(0, 1) == 0 {
                        true => right = other,
                        false => left = other,
                    }
                }
                let mut side = |ty| Box::new(Self::random(random, ty, scope, depth - 1));
                Node::Binary(operator, side(left), side(right))
            }
            9..11 => {
                let operators: &[&'static str] = match ty.base.is_float() {
                    true => &["-", "!"],
                    false => &["-", "-", "!", "~"],
                };
                let operator = random.pick(operators);
                Node::Unary(
                    operator,
                    Box::new(Self::random(random, ty, scope, depth - 1)),
                )
            }
            11..14 => {
                let base = base_for(random, ty.width);
                let from = Type { base, ..ty };
                Node::Cast(Box::new(Self::random(random, from, scope, depth - 1)))
            }
            14 if !scalar => {
                let mut part = || Self::random(random, ty.scalar(), scope, depth - 1);
                Node::Vector((0..ty.width).map(|_| part()).collect())
            }
            14 | 15 => {
                let most = if ty.base == Base::Double { 2 } else { 4 };
                let width = random.within(2, most) as usize;
                let from = Type { width, ..ty };
                let vector = Self::random(random, from, scope, depth - 1);
                let letter = |_| random.within(0, width as i64 - 1) as usize;
                Node::Swizzle(Box::new(vector), (0..ty.width).map(letter).collect())
            }
            16 => {
                let base = random.pick(&BASES);
                let picks = Type { base, width: 1 };
                let condition = Box::new(Self::random(random, picks, scope, depth - 1));
                let mut side = || Box::new(Self::random(random, ty, scope, depth - 1));
                Node::Choice(condition, side(), side())
            }
            17 | 18 => {
                let (name, count) = random.pick(functions(ty));
                let mut part = || Self::random(random, ty, scope, depth - 1);
                Node::Call(name, (0..count).map(|_| part()).collect())
            }
            19 if scalar && random.within(0, 1) == 0 => {
                let most = if ty.base == Base::Double { 2 } else { 4 };
                let width = random.within(2, most) as usize;
                let of = Type { width, ..ty };
                let mut side = || Box::new(Self::random(random, of, scope, depth - 1));
                Node::Dot(side(), side())
            }
            _ if ty == INT => {
                let mut index = || Box::new(Self::random(random, INT, scope, depth - 1));
                let (first, second) = (index(), index());
                match random.within(0, 1) {
                    0 => Node::Line(first),
                    _ => Node::Rows(first, second),
                }
            }
            _ => return Self::leaf(random, ty, scope),
        };
        Self { ty, node }
    }

    fn leaf(random: &mut Random, ty: Type, scope: &Scope) -> Self {
        let same: Vec<&String> = scope
            .names
            .iter()
            .filter(|(_, t)| *t == ty)
            .map(|(n, _)| n)
            .collect();
        let node = if !same.is_empty() && random.within(0, 4) > 0 {
            Node::Variable(same[random.within(0, same.len() as i64 - 1) as usize].clone())
        } else if ty.width > 1 {
            let part = |_| Self::leaf(random, ty.scalar(), scope);
            Node::Vector((0..ty.width).map(part).collect())
        } else {
            let (value, text) = literal(random, ty.base);
            Node::Literal(value, text)
        };
        Self { ty, node }
    }

    pub fn text(&self) -> String {
        match &self.node {
            Node::Literal(_, text) => text.clone(),
            Node::Variable(name) => name.clone(),
            Node::Unary(operator, of) => format!("{operator}{}", of.operand()),
            Node::Binary(operator, a, b) => format!("{} {operator} {}", a.operand(), b.operand()),
            Node::Cast(of) => format!("({}){}", self.ty.name(), of.operand()),
            Node::Vector(parts) => format!("{}({})", self.ty.name(), list(parts)),
            Node::Swizzle(of, letters) => {
                let letters: String = letters.iter().map(|&i| LETTERS[i]).collect();
                format!("{}.{letters}", of.operand())
            }
            Node::Choice(condition, yes, no) => {
                format!(
                    "{} ? {} : {}",
                    condition.operand(),
                    yes.operand(),
                    no.operand()
                )
            }
            Node::Call(name, parts) => format!("{name}({})", list(parts)),
            Node::Dot(a, b) => format!("dot({}, {})", a.text(), b.text()),
            Node::Line(at) => format!("g[{}]", at.text()),
            Node::Rows(y, x) => format!("h[{}][{}]", y.text(), x.text()),
        }
    }

    /// As an operand: in brackets where it is not one word. Some names stand in brackets, too.
    fn operand(&self) -> String {
        let text = self.text();
        let plain = match &self.node {
            Node::Variable(name) => name.len() % 2 == 1,
            Node::Vector(_) | Node::Call(..) | Node::Dot(..) | Node::Line(_) | Node::Rows(..) => {
                true
            }
            Node::Literal(..) => !text.starts_with(['-', '(']),
            _ => false,
        };
        if plain { text } else { format!("({text})") }
    }

    /// The value as relaxed checking converts it.
    pub fn value_as(&self, ty: Type, of: &Values) -> Vec<Number> {
        fitted(&self.value(of), ty)
    }

    pub fn value(&self, of: &Values) -> Vec<Number> {
        let base = self.ty.base;
        match &self.node {
            Node::Literal(value, _) => vec![*value],
            Node::Variable(name) => {
                let known = of.variables.iter().rev().find(|(n, _)| n == name);
                known.unwrap().1.clone()
            }
            Node::Unary(operator, a) => {
                let a = a.value(of);
                a.into_iter().map(|v| v.unary(operator, base)).collect()
            }
            Node::Binary(operator, a, b) => {
                let pairs = a.value_as(self.ty, of).into_iter();
                let pairs = pairs.zip(b.value_as(self.ty, of));
                pairs.map(|(a, b)| a.binary(operator, b, base)).collect()
            }
            Node::Cast(a) => a.value(of).into_iter().map(|v| v.converted(base)).collect(),
            Node::Vector(parts) => parts.iter().flat_map(|p| p.value(of)).collect(),
            Node::Swizzle(a, letters) => {
                let a = a.value(of);
                letters.iter().map(|&i| a[i]).collect()
            }
            Node::Choice(condition, yes, no) => match condition.value(of)[0].is_zero() {
                false => yes.value(of),
                true => no.value(of),
            },
            Node::Call(name, parts) => {
                let parts: Vec<Vec<Number>> = parts.iter().map(|p| p.value(of)).collect();
                let one = |i: usize| {
                    let arguments: Vec<Number> = parts.iter().map(|p| p[i]).collect();
                    Number::called(name, &arguments, base)
                };
                (0..self.ty.width).map(one).collect()
            }
            Node::Dot(a, b) => {
                let pairs = a.value(of).into_iter().zip(b.value(of));
                let products = pairs.map(|(a, b)| a.binary("*", b, base));
                products
                    .reduce(|a, b| a.binary("+", b, base))
                    .into_iter()
                    .collect()
            }
            Node::Line(at) => vec![Number::Int(*inside(&of.line, at, of))],
            Node::Rows(y, x) => {
                let row = inside(&of.rows, y, of);
                vec![Number::Int(*inside(row, x, of))]
            }
        }
    }
}

pub const INT: Type = Type {
    base: Base::Int,
    width: 1,
};

/// As many components as a type has, the last one again and again, and of its base.
pub fn fitted(value: &[Number], ty: Type) -> Vec<Number> {
    let at = |i: usize| value[i.min(value.len() - 1)].converted(ty.base);
    (0..ty.width).map(at).collect()
}

/// A type that meets another one in that: of lower rank, or a shorter one of the same.
pub fn lower(random: &mut Random, ty: Type) -> Type {
    let at = BASES.iter().position(|b| *b == ty.base).unwrap_or(0);
    let mut base = random.pick(&BASES[..=at]);
    let width = match base == ty.base {
        true => random.within(1, ty.width as i64),
        false => random.pick(&[1, 1, 2, 3, 4]),
    } as usize;
    if base.is_float() != ty.base.is_float() && random.within(0, 1) == 0 {
        base = Base::Int;
    }
    Type { base, width }
}

/// Functions of a type, and how many arguments they take.
fn functions(ty: Type) -> &'static [(&'static str, usize)] {
    match (ty.base.is_float(), ty.base.is_signed()) {
        (true, _) => &[
            ("abs", 1),
            ("floor", 1),
            ("sqrt", 1),
            ("frac", 1),
            ("round", 1),
            ("isnan", 1),
            ("isinf", 1),
        ],
        (_, true) => &[("abs", 1), ("abs", 1), ("sign", 1), ("min", 2), ("max", 2)],
        _ => &[("sign", 1), ("min", 2), ("max", 2)],
    }
}

/// A base type that vectors of so many components can have.
pub fn base_for(random: &mut Random, width: usize) -> Base {
    match width {
        1 | 2 => random.pick(&BASES),
        _ => random.pick(&BASES[..7]),
    }
}

/// Indices are clamped.
fn inside<'l, T>(list: &'l [T], at: &Tree, of: &Values) -> &'l T {
    let Number::Int(at) = at.value(of)[0] else {
        panic!("an index that is no integer");
    };
    &list[at.clamp(0, list.len() as i64 - 1) as usize]
}

fn list(parts: &[Tree]) -> String {
    let parts: Vec<String> = parts.iter().map(Tree::text).collect();
    parts.join(", ")
}

fn literal(random: &mut Random, base: Base) -> (Number, String) {
    match base {
        Base::Float => {
            let value = floating(random) as f32;
            (Number::Float(value), format!("{value:e}f"))
        }
        Base::Double => {
            let value = floating(random);
            (Number::Double(value), format!("{value:e}"))
        }
        _ => {
            let value = integer(random, base);
            let text = match (base, value) {
                (Base::UInt, _) => format!("{value}u"),
                (Base::Int, -2_147_483_648) => "(-2147483647 - 1)".to_string(),
                (Base::Int, 0..) if random.within(0, 2) == 0 => format!("0x{value:x}"),
                (Base::Int, -2_147_483_647..0) if random.within(0, 2) == 0 => {
                    format!("-0x{:X}", -value)
                }
                (Base::Int, _) => value.to_string(),
                _ => format!("({})({value})", base.name()),
            };
            (Number::Int(value), text)
        }
    }
}
