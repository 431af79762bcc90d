//! Random expressions over scalars and vectors of all types: what they are written as, and what they are worth.

use super::value::{BASES, Base, Number, Type};
use crate::properties::random::Random;
use std::collections::BTreeMap;

/// What names stand for at one item.
pub type Values = BTreeMap<String, Vec<Number>>;

/// What an expression can name.
#[derive(Clone)]
pub struct Place {
    /// The ways to write it.
    pub forms: Vec<String>,
    /// What it is called among the values.
    pub key: String,
    pub ty: Type,
}

impl Place {
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        let key = name.into();
        let forms = vec![key.clone(), key.clone(), format!("({key})")];
        Self { forms, key, ty }
    }
}

/// A function of vectors and scalars.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Place>,
    pub value: Tree,
}

#[derive(Clone)]
pub struct Tree {
    pub ty: Type,
    node: Node,
}

#[derive(Clone)]
enum Node {
    Literal(Number, String),
    Place(String, String),
    Component(String, String, usize),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Cast(Box<Tree>),
    Made(String, Vec<Tree>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(Box<Function>, Vec<Tree>),
}

pub const LETTERS: [&str; 4] = ["x", "y", "z", "w"];

/// What there is to write expressions with.
pub struct Names<'n> {
    pub places: &'n [Place],
    pub functions: &'n [Function],
}

impl Tree {
    pub fn random(random: &mut Random, ty: Type, names: &Names<'_>, depth: usize) -> Self {
        if depth == 0 || random.chance(10) {
            return Self::leaf(random, ty, names);
        }
        match ty.width {
            1 => Self::scalar(random, ty.base, names, depth - 1),
            _ => Self::vector(random, ty, names, depth - 1),
        }
    }

    fn vector(random: &mut Random, ty: Type, names: &Names<'_>, depth: usize) -> Self {
        let node = match random.within(0, 15) {
            0..9 => {
                let operators: &[&'static str] = match ty.base.is_float() {
                    true => &["+", "-", "*", "*", "/"],
                    false => &["+", "-", "*", "*", "/", "%", "&", "|", "^", "<<", ">>"],
                };
                let operator = random.pick(operators);
                let shifts = operator.len() == 2;
                let of = random.within(0, 2);
                let (left, right) = match of {
                    0 => (ty, ty),
                    1 if !shifts => (Self::mixed(random, ty.base, operator), ty),
                    _ => (ty, Self::mixed(random, ty.base, operator)),
                };
                let left = Self::random(random, left, names, depth);
                let right = match shifts {
                    // Counts that are none are rare.
                    true => Self::literal(random, right.base),
                    false => Self::random(random, right, names, depth),
                };
                let (left, right) = (left.operand_of(operator), right.operand_of(operator));
                Node::Binary(operator, Box::new(left), Box::new(right))
            }
            9 => {
                let operator = random.pick(if ty.base.is_float() {
                    &["-"]
                } else {
                    &["-", "~"]
                });
                Node::Unary(operator, Box::new(Self::random(random, ty, names, depth)))
            }
            10..12 => Self::made(random, ty, names, depth),
            12 => {
                let of = any_scalar(random);
                let condition = Self::random(random, of, names, depth);
                let mut side = || Box::new(Self::random(random, ty, names, depth));
                Node::Choice(Box::new(condition), side(), side())
            }
            _ => return Self::call(random, ty, names, depth),
        };
        Self { ty, node }
    }

    /// The type of a scalar beside a vector.
    fn mixed(random: &mut Random, base: Base, operator: &str) -> Type {
        let integers = matches!(operator, "%" | "&" | "|" | "^" | "<<" | ">>");
        match random.within(0, 3) {
            0 => Type::scalar(base),
            _ if integers => Type::scalar(random.pick(&BASES[..8])),
            1 => Type::scalar(Base::Double),
            _ => any_scalar(random),
        }
    }

    fn made(random: &mut Random, ty: Type, names: &Names<'_>, depth: usize) -> Node {
        let braces = random.chance(30);
        let mut parts = Vec::new();
        for _ in 0..ty.width {
            // Braces do not narrow.
            let of = if braces {
                Type::scalar(ty.base)
            } else {
                any_scalar(random)
            };
            let mut part = Self::random(random, of, names, depth);
            if braces && (part.ty.base != ty.base || !part.plain()) {
                part = Self {
                    ty: of,
                    node: Node::Cast(Box::new(part)),
                };
            }
            parts.push(part);
        }
        let name = ty.name();
        let form = if braces {
            format!("{name}{{")
        } else {
            format!("make_{name}(")
        };
        Node::Made(form, parts)
    }

    fn call(random: &mut Random, ty: Type, names: &Names<'_>, depth: usize) -> Self {
        let fit: Vec<&Function> = names
            .functions
            .iter()
            .filter(|f| f.value.ty == ty)
            .collect();
        if fit.is_empty() {
            return Self::leaf(random, ty, names);
        }
        let function = random.pick(&fit).clone();
        let of = |p: &Place| Self::random(random, p.ty, names, depth);
        let arguments = function.parameters.iter().map(of).collect();
        Self {
            ty,
            node: Node::Call(Box::new(function), arguments),
        }
    }

    fn scalar(random: &mut Random, base: Base, names: &Names<'_>, depth: usize) -> Self {
        let ty = Type::scalar(base);
        let node = match random.within(0, 11) {
            0..6 => {
                let operators: &[&'static str] = match base.is_float() {
                    true => &["+", "-", "*", "/"],
                    false => &["+", "-", "*", "/", "%", "&", "<", "==", ">=", "&&"],
                };
                let operator = random.pick(operators);
                let mut other = any_scalar(random);
                if matches!(operator, "%" | "&") && other.base.is_float() {
                    other.base = Base::Short;
                }
                let mut side = |ty| {
                    let tree = Self::random(random, ty, names, depth);
                    Box::new(tree.operand_of(operator))
                };
                Node::Binary(operator, side(ty), side(other))
            }
            6 => Node::Unary(
                random.pick(&["-", "-", "!"]),
                Box::new(Self::random(random, ty, names, depth)),
            ),
            7 => {
                let from = any_scalar(random);
                Node::Cast(Box::new(Self::random(random, from, names, depth)))
            }
            8 => {
                let of = any_scalar(random);
                let condition = Self::random(random, of, names, depth);
                let other = any_scalar(random);
                let mut side = |ty| Box::new(Self::random(random, ty, names, depth));
                Node::Choice(Box::new(condition), side(ty), side(other))
            }
            9 => return Self::call(random, ty, names, depth),
            _ => return Self::leaf(random, ty, names),
        };
        let mut tree = Self { ty, node };
        tree.ty.base = tree.natural();
        tree
    }

    /// Some operators take integers only.
    fn operand_of(self, operator: &str) -> Self {
        let integers = matches!(operator, "%" | "&" | "|" | "^" | "<<" | ">>");
        if !integers || !self.ty.base.is_float() {
            return self;
        }
        Self {
            ty: Type::scalar(Base::Int),
            node: Node::Cast(Box::new(self)),
        }
    }

    /// The type that C gives a scalar expression.
    fn natural(&self) -> Base {
        match &self.node {
            Node::Unary("!", _) | Node::Binary("<" | "==" | ">=" | "&&", ..) => Base::Int,
            Node::Unary(_, of) => of.ty.base.promoted(),
            Node::Binary(_, a, b) | Node::Choice(_, a, b) => match (a.ty.base, b.ty.base) {
                // A choice of two of one type has it, and is promoted where it is used.
                (x, y) if x == y && matches!(self.node, Node::Choice(..)) => x,
                (x, y) => x.common(y),
            },
            _ => self.ty.base,
        }
    }

    fn leaf(random: &mut Random, ty: Type, names: &Names<'_>) -> Self {
        let fit: Vec<&Place> = names.places.iter().filter(|p| p.ty == ty).collect();
        if !fit.is_empty() && random.chance(80) {
            let place = random.pick(&fit);
            let form = random.within(0, place.forms.len() as i64 - 1) as usize;
            let node = Node::Place(place.forms[form].clone(), place.key.clone());
            return Self { ty, node };
        }
        if ty.width > 1 {
            let node = Self::made(random, ty, names, 0);
            return Self { ty, node };
        }
        let with = |p: &&Place| p.ty.width > 1 && p.ty.base == ty.base;
        let vectors: Vec<&Place> = names.places.iter().filter(with).collect();
        if vectors.is_empty() || random.chance(40) {
            return Self::literal(random, ty.base);
        }
        let place = random.pick(&vectors);
        let form = random.within(0, place.forms.len() as i64 - 1) as usize;
        let at = random.within(0, place.ty.width as i64 - 1) as usize;
        let form = &place.forms[form];
        let text = match form.strip_prefix("*") {
            Some(pointer) => format!("{pointer}->{}", LETTERS[at]),
            None => format!("{form}.{}", LETTERS[at]),
        };
        let node = Node::Component(text, place.key.clone(), at);
        Self { ty, node }
    }

    fn literal(random: &mut Random, base: Base) -> Self {
        let whole = random.within(1, 7);
        let half = whole as f64 / 4.0;
        let (number, text) = match base {
            Base::Float => (Number::Float(half as f32), format!("{half:?}f")),
            Base::Double => (Number::Double(half), format!("{half:?}")),
            _ => {
                let text = match base {
                    Base::Int => format!("{whole}"),
                    Base::UInt => format!("{whole}u"),
                    Base::Long => format!("{whole}L"),
                    Base::ULong => format!("{whole}ul"),
                    _ => format!("({}){whole}", base.words()),
                };
                (Number::Int(whole.into()), text)
            }
        };
        let ty = Type::scalar(base);
        let node = Node::Literal(number, text);
        Self { ty, node }
    }

    /// Whether it has its type as it stands, to a compiler that looks at values, too.
    fn plain(&self) -> bool {
        match &self.node {
            Node::Literal(..) => self.ty.base.size() >= 4,
            Node::Place(..) | Node::Component(..) => true,
            _ => false,
        }
    }

    pub fn text(&self) -> String {
        match &self.node {
            Node::Literal(_, text) | Node::Place(text, _) | Node::Component(text, ..) => {
                text.clone()
            }
            Node::Unary(operator, of) => format!("{operator}{}", of.operand()),
            Node::Binary(operator, a, b) => format!("{} {operator} {}", a.operand(), b.operand()),
            Node::Cast(of) => format!("({}){}", self.ty.name(), of.operand()),
            Node::Made(form, parts) => {
                let end = if form.ends_with('{') { "}" } else { ")" };
                format!("{form}{}{end}", list(parts))
            }
            Node::Choice(condition, yes, no) => format!(
                "{} ? {} : {}",
                condition.operand(),
                yes.operand(),
                no.operand()
            ),
            Node::Call(function, arguments) => format!("{}({})", function.name, list(arguments)),
        }
    }

    /// In brackets where it is not one word.
    fn operand(&self) -> String {
        let text = self.text();
        let plain = match &self.node {
            Node::Literal(..) | Node::Place(..) => !text.starts_with(['(', '*']),
            Node::Component(..) | Node::Made(..) | Node::Call(..) => true,
            _ => false,
        };
        if plain { text } else { format!("({text})") }
    }

    /// Nothing where C does not say.
    pub fn value(&self, of: &Values) -> Option<Vec<Number>> {
        let base = self.ty.base;
        let one = |tree: &Self| tree.value(of)?.first().copied();
        match &self.node {
            Node::Literal(value, _) => Some(vec![*value]),
            Node::Place(_, key) => of.get(key).cloned(),
            Node::Component(_, key, at) => Some(vec![*of.get(key)?.get(*at)?]),
            Node::Unary(operator, a) => {
                let promoted = if *operator == "!" { a.ty.base } else { base };
                let of = a.value(of)?.into_iter();
                of.map(|v| v.converted(promoted)?.unary(operator, promoted))
                    .collect()
            }
            Node::Binary(operator, a, b) => {
                let within = match self.ty.width {
                    1 => a.ty.base.common(b.ty.base),
                    _ => base,
                };
                let spread = |tree: &Self| {
                    let value = tree.value(of)?;
                    let converted = value.into_iter().map(|v| v.converted(within));
                    let value = converted.collect::<Option<Vec<Number>>>()?;
                    Some(match value.len() {
                        1 => vec![value[0]; self.ty.width],
                        _ => value,
                    })
                };
                let pairs = spread(a)?.into_iter().zip(spread(b)?);
                pairs.map(|(a, b)| a.binary(operator, b, within)).collect()
            }
            Node::Cast(a) => Some(vec![one(a)?.converted(base)?]),
            Node::Made(_, parts) => parts.iter().map(|p| one(p)?.converted(base)).collect(),
            Node::Choice(condition, yes, no) => {
                let chosen = if one(condition)?.is_zero() { no } else { yes };
                let value = chosen.value(of)?.into_iter();
                value.map(|v| v.converted(base)).collect()
            }
            Node::Call(function, arguments) => {
                let mut own = Values::new();
                for (parameter, argument) in function.parameters.iter().zip(arguments) {
                    let value = argument.value(of)?.into_iter();
                    let value = value.map(|v| v.converted(parameter.ty.base));
                    own.insert(parameter.key.clone(), value.collect::<Option<_>>()?);
                }
                let value = function.value.value(&own)?.into_iter();
                value.map(|v| v.converted(base)).collect()
            }
        }
    }
}

fn any_scalar(random: &mut Random) -> Type {
    let usual = [Base::Int, Base::Float, Base::Double, Base::Double];
    Type::scalar(match random.chance(50) {
        true => random.pick(&usual),
        false => random.pick(&BASES),
    })
}

fn list(parts: &[Tree]) -> String {
    let parts: Vec<String> = parts.iter().map(Tree::text).collect();
    parts.join(", ")
}
