//! Sums and products of integers as polynomials over opaque terms.

use super::simplify::is_floating;
use super::{BinaryOperator, Expr, Scalar, UnaryOperator, Value};

/// More monomials than this are not worth the search for what cancels.
const MOST: usize = 32;

/// A product of opaque factors, in the order of their first appearance, times a number.
#[derive(Clone, Debug)]
struct Monomial<'a> {
    coefficient: i64,
    factors: Vec<&'a Expr>,
}

impl Monomial<'_> {
    /// Whether it has the same factors, in any order.
    fn alike(&self, other: &Self) -> bool {
        if self.factors.len() != other.factors.len() {
            return false;
        }
        let mut rest = other.factors.clone();
        self.factors.iter().all(|f| {
            let found = rest.iter().position(|r| r == f);
            found.map(|i| rest.swap_remove(i)).is_some()
        })
    }
}

/// A sum of monomials. The one without factors is the constant.
#[derive(Debug, Default)]
pub(super) struct Polynomial<'a> {
    monomials: Vec<Monomial<'a>>,
    /// A literal of type `long` took part: the result is at least that wide.
    long: bool,
}

impl<'a> Polynomial<'a> {
    /// `expr` as the sum of its monomials, if that has fewer names and numbers than it has now.
    pub(super) fn shorter(expr: &Expr) -> Option<Expr> {
        if !is_arithmetic(expr) || is_floating(expr) {
            return None;
        }
        let short = Polynomial::of(expr)?.into_expr()?;
        (leaves(&short) < leaves(expr)).then_some(short)
    }

    /// `None` if there are too many terms or the coefficients do not fit.
    fn of(expr: &'a Expr) -> Option<Self> {
        match expr {
            Expr::Literal(Value::Int(scalar @ (Scalar::Int | Scalar::Long), bits)) => {
                let mut this = Self {
                    long: *scalar == Scalar::Long,
                    ..Self::default()
                };
                this.add(Monomial {
                    coefficient: *bits,
                    factors: Vec::new(),
                })?;
                Some(this)
            }
            Expr::Unary(UnaryOperator::Minus, a) => {
                let mut this = Self::of(a)?;
                this.negate()?;
                Some(this)
            }
            Expr::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), a, b) => {
                let mut this = Self::of(a)?;
                let mut other = Self::of(b)?;
                if *operator == BinaryOperator::Subtract {
                    other.negate()?;
                }
                this.long |= other.long;
                for monomial in other.monomials {
                    this.add(monomial)?;
                }
                Some(this)
            }
            Expr::Binary(BinaryOperator::Multiply, a, b) => Self::of(a)?.times(&Self::of(b)?),
            _ => {
                let monomials = vec![Monomial {
                    coefficient: 1,
                    factors: vec![expr],
                }];
                Some(Self {
                    monomials,
                    long: false,
                })
            }
        }
    }

    fn add(&mut self, monomial: Monomial<'a>) -> Option<()> {
        match self.monomials.iter().position(|m| m.alike(&monomial)) {
            Some(index) => {
                let same = &mut self.monomials[index].coefficient;
                *same = same.checked_add(monomial.coefficient)?;
            }
            None if self.monomials.len() >= MOST => return None,
            None => self.monomials.push(monomial),
        }
        Some(())
    }

    fn negate(&mut self) -> Option<()> {
        for monomial in &mut self.monomials {
            monomial.coefficient = monomial.coefficient.checked_neg()?;
        }
        Some(())
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self {
            monomials: Vec::new(),
            long: self.long || other.long,
        };
        for a in &self.monomials {
            for b in &other.monomials {
                let factors: Vec<_> = a.factors.iter().chain(&b.factors).copied().collect();
                if factors.len() > 8 {
                    return None;
                }
                let coefficient = a.coefficient.checked_mul(b.coefficient)?;
                product.add(Monomial {
                    coefficient,
                    factors,
                })?;
            }
        }
        Some(product)
    }

    /// The sum as C: a positive term first if there is one, the constant last.
    fn into_expr(self) -> Option<Expr> {
        let long = self.long;
        let number = move |n: i64| match i32::try_from(n) {
            Ok(n) if !long => Some(Expr::int(n)),
            // The numbers were `int`, but this one would not have fitted.
            Err(_) if !long => None,
            _ => Some(Expr::Literal(Value::Int(Scalar::Long, n))),
        };
        let (constants, mut terms): (Vec<_>, Vec<_>) = self
            .monomials
            .into_iter()
            .filter(|m| m.coefficient != 0)
            .partition(|m| m.factors.is_empty());
        if let Some(first) = terms.iter().position(|m| m.coefficient > 0) {
            let positive = terms.remove(first);
            terms.insert(0, positive);
        }
        let constant = constants.first().map_or(0, |m| m.coefficient);
        // `1 - a` rather than `-a + 1`.
        let constant_first = constant > 0 && terms.first().is_some_and(|m| m.coefficient < 0);
        // Where no number is left, nothing would keep the result as wide as it was.
        if long && constant == 0 && terms.iter().all(|m| m.coefficient.abs() == 1) {
            return (terms.is_empty()).then_some(number(0)?);
        }
        let mut sum = if constant_first {
            Some(number(constant)?)
        } else {
            None
        };
        for Monomial {
            coefficient,
            factors,
        } in terms
        {
            let mut product = match coefficient {
                1 | -1 => None,
                n => Some(number(n.checked_abs()?)?),
            };
            for factor in factors {
                product = Some(match product {
                    None => factor.clone(),
                    Some(p) => Expr::binary(BinaryOperator::Multiply, p, factor.clone()),
                });
            }
            let product = product?;
            sum = Some(match (sum, coefficient > 0) {
                (None, true) => product,
                (None, false) => Expr::Unary(UnaryOperator::Minus, Box::new(product)),
                (Some(s), true) => Expr::binary(BinaryOperator::Add, s, product),
                (Some(s), false) => Expr::binary(BinaryOperator::Subtract, s, product),
            });
        }
        match sum {
            None => number(constant),
            Some(sum) if constant_first || constant == 0 => Some(sum),
            Some(sum) if constant > 0 => {
                Some(Expr::binary(BinaryOperator::Add, sum, number(constant)?))
            }
            Some(sum) => {
                let constant = number(constant.checked_neg()?)?;
                Some(Expr::binary(BinaryOperator::Subtract, sum, constant))
            }
        }
    }
}

fn is_arithmetic(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Unary(UnaryOperator::Minus, _)
            | Expr::Binary(
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply,
                ..
            )
    )
}

/// How many names and numbers it is made of.
fn leaves(expr: &Expr) -> usize {
    match expr {
        Expr::Literal(_) | Expr::Name(_) | Expr::SizeOf(_) => 1,
        Expr::Unary(_, a) | Expr::Cast(_, a) => leaves(a),
        Expr::Binary(_, a, b) => leaves(a) + leaves(b),
        Expr::Conditional(a, b, c) => leaves(a) + leaves(b) + leaves(c),
        Expr::Call(_, arguments) => 1 + arguments.iter().map(leaves).sum::<usize>(),
        Expr::Element(_, indices) => 1 + indices.iter().map(|(i, _)| leaves(i)).sum::<usize>(),
    }
}
