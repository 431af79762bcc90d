//! Whether every compiler rounds as the kernel of Brook+ says it.
//!
//! Of a sum with one product for a side, written as that, Brook+ does not round the product
//! (`analyze/brook/contraction.rs`), and neither do compilers that may contract what OKL says, if there is nothing else that they
//! could do. They see through variables, elements that have been written, and identities: of `v * q + r` and `w = v * -q` g++
//! computes the product once, and does not contract it; a product of what is the same for all items is computed before;
//! one by 1 is none, and `v + v` is one; of `-(v * q + r)` a zero has the other sign. Of two products that are added, g++ leaves the left one
//! unrounded, clang mostly. So statements are followed from the first to the last, and whatever is not known to be left
//! alone is refused:
//!
//! - A sum has one product at most, which stands there itself, and nothing that a compiler could take for one.
//! - The factors of products beside such sums are elements as they were, parameters, numbers that stand there, and sums; not all of them
//!   the same for all items; and no two products have the same ones, signs aside.
//! - Beside such sums, nothing is behind a condition.

use super::nest::Nest;
use super::{accessed, kind, parameter};
use crate::body::{
    BinaryOperator, Body, Builtin, ExpressionId, ExpressionKind, PlaceId, Program, StatementId,
    StatementKind, UnaryOperator, VariableId,
};
use crate::expr::{Scalar, Value};
use crate::facts::Definitions;
use foldhash::{HashMap, HashSet, HashSetExt};

/// What compilers know of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Known {
    what: What,
    /// The elements, parameters and numbers that it comes from, a bit for each: values of different ones are different expressions.
    atoms: u128,
    /// Items have values of their own of it.
    own: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// What an array had in the beginning, as it is or as a double.
    Element(usize, Scalar),
    Parameter(VariableId),
    /// The bits of a number without its sign.
    Literal(u64),
    /// Of a product, or not.
    Sum(bool),
    Product,
    /// Nothing of the above, and never taken for a product.
    Solid,
    /// One of several that are none.
    Either,
    Anything,
}

/// What variables and arrays hold.
#[derive(Clone, Default)]
struct Held {
    variables: HashMap<VariableId, Known>,
    arrays: HashMap<usize, Known>,
}

struct Rounding<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    held: Held,
    atoms: Vec<What>,
    /// The factors of each.
    products: HashSet<[u128; 2]>,
    /// There are sums of products.
    contracts: bool,
    /// There is something beside which it is not known which products are contracted.
    unclear: bool,
}

/// `contracts` says whether the compiler contracts where there is one way to do that.
pub(super) fn is_said(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    nest: &Nest<'_>,
    contracts: bool,
) -> bool {
    let mut this = Rounding {
        program,
        body,
        definitions,
        held: Held::default(),
        atoms: Vec::new(),
        products: HashSet::new(),
        contracts: false,
        unclear: false,
    };
    let mut statements = nest.before.iter().chain(&nest.rest);
    let known = statements.all(|&id| this.statement(id).is_some());
    known && (!this.contracts || contracts && !this.unclear)
}

impl Rounding<'_> {
    fn statement(&mut self, id: StatementId) -> Option<()> {
        let body = self.body;
        match &body.statement(id).kind {
            StatementKind::Declare { variable, zeros } => {
                let known = match zeros {
                    true => self.literal(0.0)?,
                    false => Known::ANYTHING,
                };
                self.held.variables.insert(*variable, known);
            }
            StatementKind::Expression(value) => drop(self.value(*value)?),
            StatementKind::Block(inside) => {
                inside.iter().try_for_each(|&id| self.statement(id))?;
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(*condition)?;
                self.unclear = true;
                let before = self.held.clone();
                then.iter().try_for_each(|&id| self.statement(id))?;
                let one = std::mem::replace(&mut self.held, before);
                otherwise.iter().try_for_each(|&id| self.statement(id))?;
                self.held.join(&one);
            }
            // What ends iterations.
            _ => {}
        }
        Some(())
    }

    /// What is known of a value; nothing if compilers may make several things of it.
    fn value(&mut self, id: ExpressionId) -> Option<Known> {
        let body = self.body;
        let scalar = self.program.types.as_scalar(body.expression(id).ty);
        let is_float = scalar.is_some_and(|s| s.is_float());
        match kind(body, id) {
            ExpressionKind::Literal(value) => match value {
                Value::Float(_, number) => self.literal(*number),
                Value::Int(..) => self.literal(value.as_i64()? as f64),
            },
            ExpressionKind::Load(place) => self.read(*place),
            ExpressionKind::Binary(operator, a, b) => {
                let known = [self.value(*a)?, self.value(*b)?];
                match is_float {
                    true => self.computed(*operator, known, [Some(*a), Some(*b)]),
                    false => Some(Known::ANYTHING),
                }
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                ..
            } => {
                let right = self.value(*value)?;
                let types = &self.program.types;
                let (held, computed) = (body.place(*place).ty, types.as_scalar(*computed));
                let same = types.as_scalar(held) == computed;
                let left = match same {
                    true => self.read(*place)?,
                    false => Known::ANYTHING,
                };
                let known = match computed.is_some_and(|s| s.is_float()) {
                    true => self.computed(*operator, [left, right], [None, Some(*value)])?,
                    false => Known::ANYTHING,
                };
                let known = if same { known } else { Known::ANYTHING };
                self.write(*place, known)?;
                Some(known)
            }
            ExpressionKind::Assign { place, value } => {
                let known = self.value(*value)?;
                self.write(*place, known)?;
                Some(known)
            }
            ExpressionKind::Convert(a) => {
                let from = self.program.types.as_scalar(body.expression(*a).ty);
                let known = self.value(*a)?;
                Some(known.converted(from, scalar))
            }
            ExpressionKind::Unary(operator, a) => {
                let known = self.value(*a)?;
                self.unclear |= matches!(known.what, What::Sum(true) | What::Anything);
                Some(match (operator, known.what) {
                    (UnaryOperator::Negate, What::Literal(_)) => known,
                    _ => known.changed(),
                })
            }
            ExpressionKind::Builtin(Builtin::Real(_), arguments) => {
                let [argument] = arguments.as_slice() else {
                    return None;
                };
                Some(self.value(*argument)?.changed())
            }
            ExpressionKind::Conditional(condition, a, b) => {
                self.value(*condition)?;
                self.unclear = true;
                Some(self.value(*a)?.or(self.value(*b)?))
            }
            ExpressionKind::And(a, b) | ExpressionKind::Or(a, b) => {
                self.unclear = true;
                self.value(*a)?;
                self.value(*b)?;
                Some(Known::ANYTHING)
            }
            _ => None,
        }
    }

    /// `values` are the operands, but for what is read and written.
    fn computed(
        &mut self,
        operator: BinaryOperator,
        known: [Known; 2],
        values: [Option<ExpressionId>; 2],
    ) -> Option<Known> {
        match operator {
            BinaryOperator::Multiply => {
                self.product(known);
                Some(Known::of(What::Product, known))
            }
            BinaryOperator::Add | BinaryOperator::Subtract => self.sum(known, values),
            BinaryOperator::Divide => Some(match known[1].what {
                // By a number, it may be a product.
                What::Literal(_) | What::Either | What::Anything => Known::ANYTHING,
                _ if known[0].what == What::Anything => Known::ANYTHING,
                _ => Known::of(What::Solid, known),
            }),
            _ => None,
        }
    }

    fn sum(&mut self, known: [Known; 2], values: [Option<ExpressionId>; 2]) -> Option<Known> {
        let multiplies = |id: ExpressionId| {
            let multiply = BinaryOperator::Multiply;
            matches!(kind(self.body, id), ExpressionKind::Binary(o, ..) if *o == multiply)
        };
        let is = |what: What| known.iter().filter(|k| k.what == what).count();
        let stands = |(known, value): (&Known, Option<ExpressionId>)| {
            known.what != What::Product || value.is_some_and(multiplies)
        };
        let products = is(What::Product);
        if is(What::Anything) > 0 || products > 1 || !known.iter().zip(values).all(stands) {
            return None;
        }
        let zero = is(What::Literal(0)) > 0;
        if products > 0 {
            self.contracts = true;
            return (!zero).then(|| Known::of(What::Sum(true), known));
        }
        // Nothing is added, or what is the same, or the compiler does it.
        let literals = known.iter().all(|k| matches!(k.what, What::Literal(_)));
        let same = known[0].atoms == known[1].atoms || is(What::Either) > 0;
        Some(match zero || literals || same {
            true => Known::ANYTHING,
            false => Known::of(What::Sum(false), known),
        })
    }

    fn product(&mut self, known: [Known; 2]) {
        let is_factor = |known: &Known| match known.what {
            What::Element(..) | What::Parameter(_) => true,
            What::Sum(_) => known.own,
            What::Literal(bits) => {
                let number = f64::from_bits(bits);
                number.is_finite() && ![0.0, 1.0, 2.0].contains(&number)
            }
            _ => false,
        };
        // Sums are not told apart.
        let mut factors = known.map(|k| match k.what {
            What::Sum(_) => u128::MAX,
            _ => k.atoms,
        });
        factors.sort_unstable();
        let clear = known.iter().all(is_factor) && known.iter().any(|k| k.own);
        self.unclear |= !clear || !self.products.insert(factors);
    }

    fn literal(&mut self, number: f64) -> Option<Known> {
        self.atom(What::Literal(number.abs().to_bits()), false)
    }

    fn atom(&mut self, what: What, own: bool) -> Option<Known> {
        let known = self.atoms.iter().position(|a| *a == what);
        let number = known.unwrap_or(self.atoms.len());
        if known.is_none() {
            self.atoms.push(what);
        }
        // More than that is no small kernel; all bits are for sums.
        let bit = u32::try_from(number).ok().filter(|n| *n < 127)?;
        let atoms = 1 << bit;
        Some(Known { what, atoms, own })
    }

    fn read(&mut self, place: PlaceId) -> Option<Known> {
        if let Some(variable) = self.body.whole(place) {
            let known = self.held.variables.get(&variable).copied();
            return match parameter(self.body, self.definitions, variable) {
                _ if known.is_some() => known,
                Some(_) => self.atom(What::Parameter(variable), false),
                None => Some(Known::ANYTHING),
            };
        }
        let scalar = self.program.types.as_scalar(self.body.place(place).ty)?;
        let array = self.array(place)?;
        match self.held.arrays.get(&array) {
            Some(known) => Some(*known),
            None => {
                let known = self.atom(What::Element(array, scalar), true)?;
                self.held.arrays.insert(array, known);
                Some(known)
            }
        }
    }

    fn write(&mut self, place: PlaceId, known: Known) -> Option<()> {
        match self.body.whole(place) {
            Some(variable) => self.held.variables.insert(variable, known),
            None => self.held.arrays.insert(self.array(place)?, known),
        };
        Some(())
    }

    fn array(&self, place: PlaceId) -> Option<usize> {
        accessed(self.body, self.definitions, place).map(|(array, _)| array)
    }
}

impl Held {
    /// After a condition: what there is on both ways.
    fn join(&mut self, other: &Self) {
        for (variable, known) in &mut self.variables {
            let there = other.variables.get(variable);
            *known = known.or(*there.unwrap_or(&Known::ANYTHING));
        }
        // What one way does not touch is what it was.
        let was = |array: usize, known: Known| match known.what {
            What::Element(of, _) if of == array => known,
            _ => Known::EITHER,
        };
        for (&array, &known) in &other.arrays {
            let here = self.arrays.get(&array).copied();
            let joined = known.or(here.unwrap_or_else(|| was(array, known)));
            self.arrays.insert(array, joined);
        }
        for (&array, known) in &mut self.arrays {
            if !other.arrays.contains_key(&array) {
                *known = known.or(was(array, *known));
            }
        }
    }
}

impl Known {
    const ANYTHING: Self = Self {
        what: What::Anything,
        atoms: 0,
        own: true,
    };

    const EITHER: Self = Self {
        what: What::Either,
        ..Self::ANYTHING
    };

    fn of(what: What, known: [Self; 2]) -> Self {
        Self {
            what,
            atoms: known[0].atoms | known[1].atoms,
            own: known[0].own || known[1].own,
        }
    }

    /// One of two.
    fn or(self, other: Self) -> Self {
        let plain = |k: &Self| !matches!(k.what, What::Anything | What::Product | What::Sum(true));
        match self == other {
            true => self,
            false if plain(&self) && plain(&other) => Self::EITHER,
            false => Self::ANYTHING,
        }
    }

    /// What has another sign, or none, or is rounded to a whole number, or a root.
    fn changed(self) -> Self {
        let what = match self.what {
            What::Product | What::Anything | What::Literal(_) => return Self::ANYTHING,
            What::Either => return self,
            _ => What::Solid,
        };
        Self { what, ..self }
    }

    fn converted(self, from: Option<Scalar>, to: Option<Scalar>) -> Self {
        let is_float = |scalar: Option<Scalar>| scalar.is_some_and(|s| s.is_float());
        match (self.what, from, to) {
            (What::Literal(_), ..) if is_float(to) => self,
            (What::Element(array, Scalar::Float), _, Some(Scalar::Double)) => Self {
                what: What::Element(array, Scalar::Double),
                ..self
            },
            (What::Parameter(_), Some(Scalar::Float), Some(Scalar::Double)) => self,
            // An integer that is there.
            (What::Element(..) | What::Parameter(_), ..) if !is_float(from) && is_float(to) => {
                self.changed()
            }
            _ => Self::ANYTHING,
        }
    }
}
