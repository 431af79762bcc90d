//! Sums that compilers may contract in more than one way.
//!
//! A compiler that contracts `a * b + c * d` rounds one of the products and not the other, and which one that is depends on
//! what else it compiles. Some contract a product only if all of its uses are sums, and stand in the same block as it does: then
//! it counts whether another use is needed, whether another kernel computes the same product, and whether loops are unrolled
//! or conditions become selections. So the sums that are contracted in one way are those of one product that is written there and nowhere
//! else, of a kernel without conditions and loops, whose inputs are floating point: those are kept apart from what has made them.

use super::body::Body;
use crate::expr::{Value, number};
use crate::module::{Contraction, ParameterKind};
use crate::syntax::{Declarator, Field, Kind, NodeId, declarators};
use std::collections::{BTreeSet, HashMap};
use std::ops::{BitOr, BitOrAssign};

/// Functions of the language that are sums of products themselves.
const SUMS: [&str; 4] = ["cross", "dot", "lerp", "normalize"];

/// Functions of the language that may be one of their arguments, as it was computed.
const CHOICES: [&str; 4] = ["abs", "clamp", "max", "min"];

/// Those that compilers for processors have for whole vectors.
const VECTOR_FUNCTIONS: [&str; 5] = ["cos", "exp", "log", "pow", "sin"];

/// More operators than this are not looked at: each is compared with what it is part of.
const MOST_OPERATORS: usize = 256;

/// What a compiler may find that a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Terms(u8);

impl Terms {
    const NONE: Self = Self(0);
    /// A product, as it was multiplied.
    const PRODUCT: Self = Self(1);
    /// A constant.
    const CONSTANT: Self = Self(2);
    /// The constants 0 and -0, that other values may be taken for that they are added to.
    const ZERO: Self = Self(4);
    const MINUS_ZERO: Self = Self(8);
    /// Of a variable: it may be a copy of something, or the result of an operation.
    const COPY: Self = Self(16);
    const RESULT: Self = Self(32);
    const SOURCES: Self = Self(16 | 32);
    const ANY_CONSTANT: Self = Self(2 | 4 | 8);
    const ANY: Self = Self(1 | 2 | 4 | 8 | 16 | 32);

    fn has(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    fn negated(self) -> Self {
        let zeros = Self::ZERO | Self::MINUS_ZERO;
        let mut this = self.without(zeros);
        if self.has(Self::ZERO) {
            this |= Self::MINUS_ZERO;
        }
        if self.has(Self::MINUS_ZERO) {
            this |= Self::ZERO;
        }
        this
    }

    /// Whatever constants make.
    fn folded(self, other: Self) -> Self {
        match self.has(Self::CONSTANT) && other.has(Self::CONSTANT) {
            true => Self::ANY_CONSTANT,
            false => Self::NONE,
        }
    }

    /// A sum; without -0 on either side it is none of its parts.
    fn plus(self, other: Self) -> Self {
        let passes = self.has(Self::PRODUCT) && other.has(Self::MINUS_ZERO)
            || other.has(Self::PRODUCT) && self.has(Self::MINUS_ZERO);
        let sum = self.folded(other);
        if passes { sum | Self::PRODUCT } else { sum }
    }

    fn times(self, other: Self) -> Self {
        Self::PRODUCT | self.folded(other)
    }

    /// A quotient: that by a constant is a product with another, or the dividend.
    fn over(self, other: Self) -> Self {
        let quotient = self.folded(other);
        match other.has(Self::CONSTANT) {
            true => quotient | self | Self::PRODUCT,
            false => quotient,
        }
    }

    fn operation(operator: &str, left: Self, right: Self) -> Self {
        match operator {
            "+" => left.plus(right),
            "-" => left.plus(right.negated()),
            "*" => left.times(right),
            "/" => left.over(right),
            _ => left.folded(right),
        }
    }
}

impl BitOr for Terms {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Terms {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// What variables may hold, by their names, wherever they are declared.
type Names = HashMap<String, Terms>;

impl Body<'_, '_> {
    /// How the kernel's sums of floating point may be contracted.
    pub(super) fn contraction(&self) -> Contraction {
        let tree = self.context.tree;
        let operators = tree.descendants(self.body).filter(|&node| {
            let kind = tree.kind(node);
            matches!(kind, Kind::BinaryExpression | Kind::AssignmentExpression)
        });
        if operators.count() > MOST_OPERATORS {
            return Contraction {
                several: true,
                sums: true,
                called_sums: true,
                branches: true,
                vector_functions: self.calls_any(&VECTOR_FUNCTIONS),
            };
        }
        let names = |called| {
            let mut names = self.parameters_as(called);
            while self.learns(&mut names) {}
            names
        };
        let (alone, called) = (names(false), names(true));
        let sums = self.sums(&alone);
        let any = |sums: &[usize]| sums.iter().any(|products| *products > 0);
        Contraction {
            several: sums.contains(&2) || any(&sums) && self.has_other_uses(&alone),
            sums: any(&sums),
            called_sums: any(&self.sums(&called)),
            branches: self.branches(),
            vector_functions: self.calls_any(&VECTOR_FUNCTIONS),
        }
    }

    /// Whether products may be used elsewhere, too: they have names, or are written twice, or are made of what is not kept apart.
    fn has_other_uses(&self, names: &Names) -> bool {
        let tree = self.context.tree;
        let parameters = &self.unit.kernels[self.kernel].parameters;
        let integers = parameters
            .iter()
            .any(|p| p.kind == ParameterKind::StreamIn && p.ty.base.is_integer());
        let named = names.values().any(|terms| terms.has(Terms::PRODUCT));
        let products: Vec<NodeId> = tree
            .descendants(self.body)
            .filter(|&node| {
                let operation = matches!(
                    tree.kind(node),
                    Kind::BinaryExpression | Kind::AssignmentExpression
                );
                operation
                    && matches!(self.operator(node), "*" | "*=" | "/" | "/=")
                    && !self.is_integer(node)
            })
            .collect();
        let written: BTreeSet<[String; 3]> = products.iter().map(|&p| self.factors(p)).collect();
        // By whatever name a value goes.
        let copied = products.len() > 1
            && products
                .iter()
                .flat_map(|&product| tree.descendants(product))
                .any(|n| tree.kind(n) == Kind::Identifier && self.is_variable(n, names));
        integers || named || copied || written.len() < products.len()
    }

    /// The operator and the operands of a product, in whatever order they are written.
    fn factors(&self, product: NodeId) -> [String; 3] {
        let tree = self.context.tree;
        let sides = [Field::Left, Field::Right].map(|side| self.part(product, side));
        let [mut left, mut right] = sides
            .map(|side| side.map_or(String::new(), |side| self.words(tree.unparenthesized(side))));
        let operator = self.operator(product);
        if operator == "*" && right < left {
            std::mem::swap(&mut left, &mut right);
        }
        [operator.to_string(), left, right]
    }

    /// Whether a name is that of a variable, which may hold what others hold, too.
    fn is_variable(&self, name: NodeId, names: &Names) -> bool {
        let word = self.word(name);
        let mut given = self.unit.kernels[self.kernel].parameters.iter();
        names.contains_key(word) && !given.any(|p| p.name == word)
    }

    fn branches(&self) -> bool {
        let tree = self.context.tree;
        tree.descendants(self.body)
            .any(|node| match tree.kind(node) {
                Kind::IfStatement
                | Kind::ConditionalExpression
                | Kind::ForStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::SwitchStatement
                | Kind::GotoStatement => true,
                Kind::BinaryExpression => matches!(self.operator(node), "&&" | "||"),
                _ => false,
            })
    }

    fn calls_any(&self, functions: &[&str]) -> bool {
        let tree = self.context.tree;
        tree.descendants(self.body).any(|node| {
            let function = (tree.kind(node) == Kind::CallExpression)
                .then(|| self.part(node, Field::Function))
                .flatten();
            function.is_some_and(|f| functions.contains(&self.word(f)))
        })
    }

    /// An expression without its layout.
    fn words(&self, node: NodeId) -> String {
        let tree = self.context.tree;
        let leaves = tree
            .descendants(node)
            .filter(|&n| tree.children(n).next().is_none());
        let words: Vec<&str> = leaves.map(|leaf| self.word(leaf)).collect();
        words.join(" ")
    }

    fn parameters_as(&self, called: bool) -> Names {
        let parameters = self.unit.kernels[self.kernel].parameters.iter();
        let known = parameters.map(|p| {
            let terms = match p.kind {
                ParameterKind::Gather(_) => Terms::NONE,
                _ if called => Terms::ANY,
                _ => Terms::NONE,
            };
            (p.name.clone(), terms)
        });
        known.collect()
    }

    /// Takes all that gives variables values into account; whether that is anything new.
    fn learns(&self, names: &mut Names) -> bool {
        let tree = self.context.tree;
        let mut new = false;
        let mut note = |names: &mut Names, name: String, terms: Terms| {
            let known = names.entry(name).or_default();
            new |= !known.has(terms);
            *known |= terms;
        };
        for node in tree.descendants(self.body) {
            match tree.kind(node) {
                Kind::Declaration => {
                    for Declarator { name, value, .. } in declarators(tree, node, self.context.text)
                    {
                        let terms = value.map_or(Terms::NONE, |value| {
                            self.source(value) | self.terms(value, names)
                        });
                        note(names, name.to_string(), terms);
                    }
                }
                _ => {
                    let targets = self.targets(node);
                    for name in targets.into_iter().filter_map(|target| self.root(target)) {
                        let terms = self.given(node, names);
                        note(names, name.to_string(), terms);
                    }
                }
            }
        }
        new
    }

    /// What an assignment or a call gives a variable.
    fn given(&self, node: NodeId, names: &Names) -> Terms {
        match self.context.tree.kind(node) {
            Kind::AssignmentExpression => {
                let source = match (self.operator(node), self.part(node, Field::Right)) {
                    ("=", Some(right)) => self.source(right),
                    _ => Terms::RESULT,
                };
                source | self.terms(node, names)
            }
            Kind::UpdateExpression => Terms::ANY_CONSTANT,
            _ => Terms::ANY,
        }
    }

    /// Where a value comes from that a variable is given.
    fn source(&self, value: NodeId) -> Terms {
        let tree = self.context.tree;
        match tree.kind(tree.unparenthesized(value)) {
            Kind::BinaryExpression | Kind::UnaryExpression => Terms::RESULT,
            Kind::Identifier | Kind::FieldExpression | Kind::SubscriptExpression => Terms::COPY,
            _ => Terms::SOURCES,
        }
    }

    /// The variable that a place is part of.
    fn root(&self, place: NodeId) -> Option<&str> {
        let tree = self.context.tree;
        let mut at = tree.unparenthesized(place);
        while matches!(
            tree.kind(at),
            Kind::FieldExpression | Kind::SubscriptExpression
        ) {
            at = tree.unparenthesized(self.part(at, Field::Argument)?);
        }
        (tree.kind(at) == Kind::Identifier).then(|| self.word(at))
    }

    /// Of each sum, how many of its sides may be products.
    fn sums(&self, names: &Names) -> Vec<usize> {
        let tree = self.context.tree;
        let nodes = tree.descendants(self.body);
        let sums = nodes.filter_map(|node| match tree.kind(node) {
            _ if self.is_integer(node) => None,
            Kind::BinaryExpression | Kind::AssignmentExpression
                if matches!(self.operator(node), "+" | "-" | "+=" | "-=") =>
            {
                let sides = [Field::Left, Field::Right].map(|side| self.part(node, side));
                let products = sides.iter().filter(|side| {
                    let terms = side.map_or(Terms::ANY, |side| self.terms(side, names));
                    terms.has(Terms::PRODUCT)
                });
                Some(products.count())
            }
            Kind::CallExpression => {
                let name = self.part(node, Field::Function).map(|f| self.word(f));
                name.is_some_and(|name| SUMS.contains(&name)).then_some(2)
            }
            _ => None,
        });
        sums.collect()
    }

    fn is_integer(&self, node: NodeId) -> bool {
        self.facts
            .number(node)
            .is_some_and(|ty| ty.base.is_integer())
    }

    /// What an expression may be; what gives it a value is looked at on its own.
    fn terms(&self, node: NodeId, names: &Names) -> Terms {
        let terms = self.terms_of_any(node, names);
        match self.is_integer(node) {
            true => terms.without(Terms::PRODUCT),
            false => terms,
        }
    }

    fn terms_of_any(&self, node: NodeId, names: &Names) -> Terms {
        let tree = self.context.tree;
        let of = |field| match self.part(node, field) {
            Some(part) => self.terms(part, names),
            None => Terms::ANY,
        };
        let all = |list: NodeId| {
            tree.children(list)
                .fold(Terms::NONE, |terms, part| terms | self.terms(part, names))
        };
        // Twice a value is a product.
        let operation = |operator| {
            let sides = (of(Field::Left), of(Field::Right));
            let terms = Terms::operation(operator, sides.0, sides.1);
            match operator == "+" && self.may_be_same(node, sides, names) {
                true => terms | Terms::PRODUCT,
                false => terms,
            }
        };
        match tree.kind(node) {
            Kind::NumberLiteral => self.literal(node),
            Kind::Identifier => {
                let known = names.get(self.word(node)).copied();
                known.unwrap_or(Terms::ANY_CONSTANT).without(Terms::SOURCES)
            }
            Kind::BinaryExpression => operation(self.operator(node)),
            Kind::AssignmentExpression => match self.operator(node) {
                "=" => of(Field::Right),
                "+=" => operation("+"),
                "-=" => operation("-"),
                "*=" => operation("*"),
                "/=" => operation("/"),
                other => operation(other),
            },
            Kind::UnaryExpression if self.operator(node) == "-" => of(Field::Argument).negated(),
            Kind::UnaryExpression | Kind::FieldExpression => of(Field::Argument),
            Kind::CastExpression => of(Field::Value),
            Kind::ConditionalExpression => of(Field::Consequence) | of(Field::Alternative),
            Kind::ParenthesizedExpression | Kind::CommaExpression => all(node),
            // What is read from memory is nothing else.
            Kind::SubscriptExpression => match self.root(node) {
                Some(name) if self.is_gathered(name) => Terms::NONE,
                Some(name) => {
                    let known = names.get(name).copied().unwrap_or(Terms::ANY);
                    known.without(Terms::SOURCES)
                }
                None => Terms::ANY,
            },
            Kind::CallExpression => {
                let name = self
                    .part(node, Field::Function)
                    .map_or("", |f| self.word(f));
                let list = self.part(node, Field::Arguments);
                let arguments = list.map_or(Terms::ANY, all);
                match name {
                    "indexof" | "instance" | "instanceInGroup" => Terms::NONE,
                    name if CHOICES.contains(&name) => arguments,
                    // Powers by constants are products.
                    "pow" => Terms::ANY,
                    name if self.unit.numbers.contains_key(name) => Terms::ANY,
                    name if self.facts.named(name).is_some() => arguments,
                    _ => arguments.without(Terms::PRODUCT),
                }
            }
            _ => Terms::ANY,
        }
    }

    fn is_gathered(&self, name: &str) -> bool {
        let mut parameters = self.unit.kernels[self.kernel].parameters.iter();
        parameters.any(|p| p.name == name && matches!(p.kind, ParameterKind::Gather(_)))
    }

    /// A number; the grammar takes a sign for a part of it.
    fn literal(&self, node: NodeId) -> Terms {
        match number(self.word(node)) {
            Ok(Value::Float(_, value)) if value != 0.0 => Terms::CONSTANT,
            Ok(Value::Int(_, value)) if value != 0 => Terms::CONSTANT,
            Ok(Value::Float(_, value)) if value.is_sign_negative() => Terms::ANY_CONSTANT,
            Ok(_) => Terms::CONSTANT | Terms::ZERO,
            Err(_) => Terms::ANY_CONSTANT,
        }
    }

    /// Whether both sides of a sum may be one value: they are the same words, or one of them is a variable that holds a copy.
    fn may_be_same(&self, sum: NodeId, terms: (Terms, Terms), names: &Names) -> bool {
        let tree = self.context.tree;
        let sides = [Field::Left, Field::Right].map(|side| self.part(sum, side));
        let [Some(left), Some(right)] = sides.map(|side| side.map(|s| tree.unparenthesized(s)))
        else {
            return true;
        };
        if self.words(left) == self.words(right) {
            return true;
        }
        // A product is no copy of what is none, and sums of two are looked at anyway.
        if terms.0.has(Terms::PRODUCT) || terms.1.has(Terms::PRODUCT) {
            return false;
        }
        let gathered = |side| self.root(side).filter(|name| self.is_gathered(name));
        if gathered(left).is_some() && gathered(left) == gathered(right) {
            return true;
        }
        let [left, right] = [left, right].map(|side| match self.root(side) {
            Some(name) if self.is_gathered(name) => Terms::NONE,
            Some(name) => names.get(name).copied().unwrap_or(Terms::ANY),
            None => self.source(side),
        });
        // A copy may be one of what has no source here, too.
        let is_given = |terms: Terms| !terms.has(Terms::COPY) && !terms.has(Terms::RESULT);
        let copies = |a: Terms, b: Terms| a.has(Terms::COPY) && (b.has(Terms::COPY) || is_given(b));
        copies(left, right)
            || copies(right, left)
            || left.has(Terms::RESULT) && right.has(Terms::RESULT)
    }
}
