//! Numbers that are any of several intervals, and what operators make of them.

use crate::expr::Scalar;
use crate::module::{Binary, Unary, whole_numbers};

/// More intervals than these become one.
const MOST: usize = 4;

/// A number of a type that lies in one of these intervals, in order; in none of them where nobody computes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Intervals {
    scalar: Scalar,
    parts: Vec<(f64, f64)>,
}

impl Intervals {
    /// The numbers from one to another; `None` where these are not known for sure: beyond what the type holds, or not finite.
    pub(super) fn new(scalar: Scalar, least: f64, most: f64) -> Option<Self> {
        Self::of(scalar, vec![(least, most)])
    }

    pub(super) fn only(scalar: Scalar, number: f64) -> Option<Self> {
        Self::new(scalar, number, number)
    }

    /// Of what nobody computes.
    pub(super) fn none(scalar: Scalar) -> Self {
        Self {
            scalar,
            parts: Vec::new(),
        }
    }

    pub(super) fn parts(&self) -> &[(f64, f64)] {
        &self.parts
    }

    /// What results become in their type. Floating-point numbers that are rounded may be a little less or more, and once
    /// more where a compiler rounds a product not at all; the smallest ones may be zero.
    fn of(scalar: Scalar, mut parts: Vec<(f64, f64)>) -> Option<Self> {
        for part in &mut parts {
            let (least, most) = *part;
            let size = least.abs().max(most.abs());
            if !size.is_finite() || least.is_nan() || most.is_nan() {
                return None;
            }
            let whole = whole_numbers(scalar);
            let (exact, step, tiny) = match scalar {
                Scalar::Float if size >= f64::from(f32::MAX) => return None,
                Scalar::Float => (whole, f32::EPSILON.into(), f32::MIN_POSITIVE.into()),
                Scalar::Double => (whole, f64::EPSILON, f64::MIN_POSITIVE),
                _ => {
                    let (least_of, most_of) = limits(scalar);
                    if least < least_of || most > most_of {
                        return None;
                    }
                    continue;
                }
            };
            let whole = least.fract() == 0.0 && most.fract() == 0.0;
            if !whole || size > exact {
                let by = size * step * 2.0 + tiny;
                *part = (least - by, most + by);
            }
        }
        Some(Self::merged(scalar, parts))
    }

    /// In order, and without what lies in others.
    fn merged(scalar: Scalar, mut parts: Vec<(f64, f64)>) -> Self {
        let beside = if scalar.is_float() { 0.0 } else { 1.0 };
        parts.retain(|(least, most)| least <= most);
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut all: Vec<(f64, f64)> = Vec::new();
        for (least, most) in parts {
            match all.last_mut() {
                Some(last) if least <= last.1 + beside => last.1 = last.1.max(most),
                _ => all.push((least, most)),
            }
        }
        if all.len() > MOST {
            all = vec![(all[0].0, all[all.len() - 1].1)];
        }
        Self { scalar, parts: all }
    }

    /// The least and the largest one.
    pub(super) fn hull(&self) -> Option<(f64, f64)> {
        Some((self.parts.first()?.0, self.parts.last()?.1))
    }

    /// One number or the other.
    pub(super) fn or(mut self, other: Self) -> Option<Self> {
        self.parts.extend(other.parts);
        (self.scalar == other.scalar).then(|| Self::merged(self.scalar, self.parts))
    }

    /// Whether it may be true, and whether it may be false.
    pub(super) fn truth(&self) -> (bool, bool) {
        let mut all = self.parts.iter();
        let inside = all.any(|(least, most)| *least <= 0.0 && *most >= 0.0);
        let others = self.parts.iter().any(|part| *part != (0.0, 0.0));
        (others, inside)
    }

    fn truths(may: (bool, bool)) -> Self {
        let all = [(may.1, 0.0), (may.0, 1.0)];
        let parts = all.iter().filter(|(may, _)| *may);
        Self::merged(Scalar::Bool, parts.map(|(_, n)| (*n, *n)).collect())
    }

    /// The same numbers in another type.
    pub(super) fn typed(&self, scalar: Scalar) -> Option<Self> {
        if scalar == self.scalar {
            return Some(self.clone());
        }
        if scalar == Scalar::Bool {
            return Some(Self::truths(self.truth()));
        }
        let cut = |n: f64| if scalar.is_float() { n } else { n.trunc() };
        let parts = self.parts.iter();
        Self::of(scalar, parts.map(|(a, b)| (cut(*a), cut(*b))).collect())
    }

    pub(super) fn unary(&self, operator: Unary) -> Option<Self> {
        if operator == Unary::Not {
            let (may, may_not) = self.truth();
            return Some(Self::truths((may_not, may)));
        }
        if operator == Unary::Exact {
            let exact = Unary::exact(self.scalar);
            let fits = |(least, most): (f64, f64)| least > -exact && most < exact;
            return self.hull().is_none_or(fits).then(|| self.clone());
        }
        let each = |(a, b): (f64, f64)| match operator {
            Unary::Negate => (-b, -a),
            Unary::Floor => (a.floor(), b.floor()),
            Unary::Ceil => (a.ceil(), b.ceil()),
            Unary::Truncate => (a.trunc(), b.trunc()),
            _ if a >= 0.0 => (a, b),
            _ if b <= 0.0 => (-b, -a),
            _ => (0.0, b.max(-a)),
        };
        let unsigned = self.scalar.is_unsigned() && operator == Unary::Negate;
        let parts = self.parts.iter().map(|part| each(*part)).collect();
        Self::of(self.scalar, parts).filter(|_| !unsigned)
    }

    pub(super) fn binary(&self, operator: Binary, other: &Self) -> Option<Self> {
        match operator {
            Binary::And | Binary::Or => {
                let (a, b) = (self.truth(), other.truth());
                return Some(Self::truths(match operator {
                    Binary::And => (a.0 && b.0, a.1 || b.1),
                    _ => (a.0 || b.0, a.1 && b.1),
                }));
            }
            _ if self.scalar != other.scalar => return None,
            Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Equal
            | Binary::NotEqual => return Some(Self::truths(self.compared(operator, other))),
            _ => {}
        }
        let mut parts = Vec::new();
        for a in &self.parts {
            for b in &other.parts {
                parts.extend(combined(self.scalar, operator, *a, *b)?);
            }
        }
        Self::of(self.scalar, parts)
    }

    fn compared(&self, operator: Binary, other: &Self) -> (bool, bool) {
        let (Some(a), Some(b)) = (self.hull(), other.hull()) else {
            return (false, false);
        };
        let less = (a.0 < b.1, a.1 >= b.0);
        let greater = (a.1 > b.0, a.0 <= b.1);
        let turned = |(may, may_not)| (may_not, may);
        let meets = |a: &(f64, f64)| other.parts.iter().any(|b| a.0 <= b.1 && b.0 <= a.1);
        let equal = (self.parts.iter().any(meets), a.0 != a.1 || a != b);
        match operator {
            Binary::Less => less,
            Binary::GreaterEqual => turned(less),
            Binary::Greater => greater,
            Binary::LessEqual => turned(greater),
            Binary::Equal => equal,
            _ => turned(equal),
        }
    }

    /// What is counted from this number on while it is less than a bound, or the same, by steps that are not larger than one.
    pub(super) fn counted(&self, operator: Binary, bound: &Self, step: &Self) -> Option<Self> {
        let nothing = Self::none(self.scalar);
        let (Some((least, _)), Some((_, bound))) = (self.hull(), bound.hull()) else {
            return Some(nothing);
        };
        let step = step.hull()?.1;
        let most = match (self.scalar.is_float(), operator) {
            (true, _) => bound,
            (false, Binary::Less) => bound.ceil() - 1.0,
            (false, _) => bound.floor(),
        };
        // The last step does not wrap.
        if !self.scalar.is_float() && most + step > limits(self.scalar).1 {
            return None;
        }
        match least <= most {
            true => Self::new(self.scalar, least, most),
            false => Some(nothing),
        }
    }
}

/// The least and the largest number of an integer type, of those that are numbers of `double` as well.
fn limits(scalar: Scalar) -> (f64, f64) {
    let whole = whole_numbers(Scalar::Double);
    match scalar {
        Scalar::Bool => (0.0, 1.0),
        Scalar::Char => (i8::MIN.into(), i8::MAX.into()),
        Scalar::UChar => (0.0, u8::MAX.into()),
        Scalar::Short => (i16::MIN.into(), i16::MAX.into()),
        Scalar::UShort => (0.0, u16::MAX.into()),
        Scalar::Int => (i32::MIN.into(), i32::MAX.into()),
        Scalar::UInt => (0.0, u32::MAX.into()),
        Scalar::ULong => (0.0, whole),
        Scalar::Long | Scalar::Float | Scalar::Double => (-whole, whole),
    }
}

/// What two numbers make that lie in these intervals, before it is rounded.
fn combined(
    scalar: Scalar,
    operator: Binary,
    (a, b): (f64, f64),
    (c, d): (f64, f64),
) -> Option<Vec<(f64, f64)>> {
    let around = |of: &dyn Fn(f64, f64) -> f64| {
        let all = [of(a, c), of(a, d), of(b, c), of(b, d)];
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(vec![(least, most)])
    };
    match operator {
        Binary::Add => Some(vec![(a + c, b + d)]),
        Binary::Subtract => Some(vec![(a - d, b - c)]),
        Binary::Multiply => around(&|x, y| x * y),
        Binary::Least => Some(vec![(a.min(c), b.min(d))]),
        Binary::Most => Some(vec![(a.max(c), b.max(d))]),
        Binary::Divide if c > 0.0 || d < 0.0 => match scalar.is_float() {
            true => around(&|x, y| x / y),
            false => around(&|x, y| (x / y).trunc()),
        },
        Binary::Remainder if c > 0.0 && !scalar.is_float() => Some(remainders((a, b), (c, d))),
        _ => None,
    }
}

/// Remainders as C has them, by positive integers.
fn remainders((a, b): (f64, f64), (c, d): (f64, f64)) -> Vec<(f64, f64)> {
    if a < 0.0 || c != d {
        let least = if a < 0.0 { (1.0 - d).max(a) } else { 0.0 };
        let most = if b > 0.0 { (d - 1.0).min(b) } else { 0.0 };
        return vec![(least, most)];
    }
    let (first, last) = ((a / c).floor(), (b / c).floor());
    let of = |n: f64, times: f64| n - times * c;
    match last - first {
        0.0 => vec![(of(a, first), of(b, first))],
        1.0 => vec![(of(a, first), c - 1.0), (0.0, of(b, last))],
        _ => vec![(0.0, c - 1.0)],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    fn int(least: i32, most: i32) -> Intervals {
        Intervals::new(Scalar::Int, least.into(), most.into()).unwrap()
    }

    /// Every number that C makes of numbers of two intervals is in what they make.
    #[test]
    fn operators_hold_what_numbers_make() {
        use Binary::*;
        let ranges = [(-7, -7), (-5, 3), (0, 0), (0, 9), (2, 4), (5, 23), (-9, -2)];
        for (a, b) in ranges
            .iter()
            .flat_map(|a| ranges.iter().map(move |b| (*a, *b)))
        {
            for operator in [
                Add,
                Subtract,
                Multiply,
                Divide,
                Remainder,
                Least,
                Most,
                Less,
                LessEqual,
                Greater,
                GreaterEqual,
                Equal,
                NotEqual,
            ] {
                let Some(found) = int(a.0, a.1).binary(operator, &int(b.0, b.1)) else {
                    assert!(matches!(operator, Divide | Remainder), "{operator:?}");
                    assert!(b.0 <= 0, "{operator:?} {b:?}");
                    continue;
                };
                for (x, y) in (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y))) {
                    let exact = match operator {
                        Add => x + y,
                        Subtract => x - y,
                        Multiply => x * y,
                        Divide => x / y,
                        Remainder => x % y,
                        Least => x.min(y),
                        Most => x.max(y),
                        Less => (x < y).into(),
                        LessEqual => (x <= y).into(),
                        Greater => (x > y).into(),
                        GreaterEqual => (x >= y).into(),
                        Equal => (x == y).into(),
                        _ => (x != y).into(),
                    };
                    let exact = f64::from(exact);
                    let inside = found.parts.iter().any(|p| p.0 <= exact && exact <= p.1);
                    assert!(inside, "{x} {operator:?} {y} is {exact}, not in {found:?}");
                }
            }
        }
    }

    #[test]
    fn results_are_no_wider_than_they_have_to_be() {
        let parts = |found: Option<Intervals>| found.map(|f| f.parts);
        // The row before, in a torus of 100 rows, of the first ten rows and of the next ones.
        let before = |a, b| int(a, b).binary(Binary::Add, &int(99, 99)).unwrap();
        let around = |a, b| before(a, b).binary(Binary::Remainder, &int(100, 100));
        assert_eq!(parts(around(0, 9)), Some(vec![(0.0, 8.0), (99.0, 99.0)]));
        assert_eq!(parts(around(10, 19)), Some(vec![(9.0, 18.0)]));
        assert_eq!(
            int(0, 9)
                .binary(Binary::Less, &int(10, 10))
                .unwrap()
                .truth(),
            (true, false)
        );
        assert_eq!(
            int(0, 9).binary(Binary::Less, &int(0, 0)).unwrap().truth(),
            (false, true)
        );
        assert_eq!(
            int(0, 9).binary(Binary::Equal, &int(3, 3)).unwrap().truth(),
            (true, true)
        );
        assert_eq!(
            int(3, 3)
                .binary(Binary::NotEqual, &int(3, 3))
                .unwrap()
                .truth(),
            (false, true)
        );
        let float = |n| Intervals::only(Scalar::Float, n).unwrap();
        let place = int(5, 9).typed(Scalar::Float).unwrap();
        let next = place.binary(Binary::Subtract, &float(1.0)).unwrap();
        assert_eq!(next.parts, [(4.0, 8.0)]);
        let middle = place.binary(Binary::Add, &float(0.5)).unwrap();
        assert_eq!(middle.unary(Unary::Floor).unwrap().parts, [(5.0, 9.0)]);
        // Beyond 2^24 it may be another one.
        let far = int(1 << 25, 1 << 25).typed(Scalar::Float).unwrap();
        assert!(far.parts[0].0 < 33_554_431.0 && far.parts[0].1 > 33_554_433.0);
        // What wraps is not known.
        assert_eq!(
            int(i32::MAX, i32::MAX).binary(Binary::Add, &int(1, 1)),
            None
        );
        assert_eq!(int(-1, 5).typed(Scalar::UInt), None);
        let counted =
            |from, to, step| int(from, from).counted(Binary::Less, &int(to, to), &int(step, step));
        assert_eq!(parts(counted(-2, 3, 1)), Some(vec![(-2.0, 2.0)]));
        assert_eq!(parts(counted(3, 3, 1)), Some(vec![]));
        assert_eq!(parts(counted(0, i32::MAX, 2)), None);
    }
}
