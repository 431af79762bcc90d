//! How far two results are from each other.

use crate::cli::arguments::array::{Array, fetch};
use crate::cli::arguments::spec::Number;
use brook::expr::Scalar;
use std::fmt;

/// How far they may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) enum Tolerance {
    /// Numbers of the type in between. Integers have to be the same.
    Ulps(u64),
    /// A difference: absolute below 1, relative above.
    Difference(f64),
}

impl Tolerance {
    /// `4ulp`, `1e-6`.
    pub(in crate::cli) fn parse(text: &str) -> Result<Self, String> {
        let number = text.trim_end_matches("ulps").trim_end_matches("ulp");
        let found = match number == text {
            false => number.trim().parse().ok().map(Self::Ulps),
            true => number
                .parse()
                .ok()
                .filter(|n| *n >= 0.0)
                .map(Self::Difference),
        };
        found.ok_or_else(|| format!("'{text}' is no tolerance; 4ulp and 1e-6 are"))
    }
}

/// What two arrays differ by.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::cli) struct Difference {
    /// Elements that differ at all, and those that do by more than they may.
    pub(in crate::cli) different: usize,
    pub(in crate::cli) wrong: usize,
    /// Where the largest difference is, counted in elements, and what stands there.
    pub(in crate::cli) at: usize,
    values: Option<(Scalar, Number, Number)>,
    largest: f64,
    ulps: u64,
}

/// Compares `found` with what another device made of the same.
pub(in crate::cli) fn compare(
    reference: &Array,
    found: &Array,
    tolerance: Tolerance,
) -> Difference {
    let mut result = Difference::default();
    // Most are, and some are large.
    if reference.bytes == found.bytes {
        return result;
    }
    let size = reference.element.bytes.max(1);
    let pairs = reference.bytes.chunks(size).zip(found.bytes.chunks(size));
    for (index, (a, b)) in pairs.enumerate() {
        if a == b {
            continue;
        }
        let (mut differs, mut wrong) = (false, false);
        if reference.element.numbers.is_empty() {
            (differs, wrong) = (true, true);
        }
        for &(offset, scalar) in &reference.element.numbers {
            let place = offset..offset + scalar.size();
            let (Some(a), Some(b)) = (a.get(place.clone()), b.get(place)) else {
                continue;
            };
            let pair = (fetch(scalar, a), fetch(scalar, b));
            if a == b || same(pair) {
                continue;
            }
            differs = true;
            let (difference, ulps) = distance(scalar, pair);
            wrong |= match tolerance {
                Tolerance::Ulps(most) => !scalar.is_float() || ulps > most,
                Tolerance::Difference(most) => {
                    // What is no number is wrong.
                    difference.is_nan() || difference > most * pair.0.as_f64().abs().max(1.0)
                }
            };
            if result.values.is_none() || ulps > result.ulps {
                result.at = index;
                result.values = Some((scalar, pair.0, pair.1));
                result.ulps = ulps;
            }
            result.largest = match difference.is_nan() || difference > result.largest {
                true => difference,
                false => result.largest,
            };
        }
        result.different += usize::from(differs);
        result.wrong += usize::from(wrong);
    }
    if reference.bytes.len() != found.bytes.len() {
        result.wrong += 1;
    }
    result
}

/// Equal, as zeros of either sign are, and any two that are no numbers.
fn same((a, b): (Number, Number)) -> bool {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (a, b) => a == b,
    }
}

/// The difference, and how many numbers of the type lie between.
fn distance(scalar: Scalar, (a, b): (Number, Number)) -> (f64, u64) {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => {
            let apart = a.abs_diff(b);
            (apart as f64, u64::try_from(apart).unwrap_or(u64::MAX))
        }
        (a, b) => {
            let (a, b) = (a.as_f64(), b.as_f64());
            if a.is_nan() || b.is_nan() {
                return (f64::NAN, u64::MAX);
            }
            let place = |value: f64| -> i128 {
                let (bits, sign) = match scalar {
                    Scalar::Float => {
                        let bits = (value as f32).to_bits();
                        (i128::from(bits & 0x7fff_ffff), bits >> 31)
                    }
                    _ => {
                        let bits = value.to_bits();
                        (i128::from(bits & (u64::MAX >> 1)), (bits >> 63) as u32)
                    }
                };
                if sign == 0 { bits } else { -bits }
            };
            let ulps = place(a).abs_diff(place(b));
            ((a - b).abs(), u64::try_from(ulps).unwrap_or(u64::MAX))
        }
    }
}

/// The largest difference.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.values {
            None if self.wrong == 0 => f.write_str("same"),
            None => f.write_str("different bytes"),
            Some((scalar, ..)) if scalar.is_float() && self.ulps < 1 << 32 => {
                write!(f, "{} ulp, {:.1e}", self.ulps, self.largest)
            }
            Some(_) => write!(f, "{:.1e}", self.largest),
        }
    }
}

impl Difference {
    /// How many elements are wrong, and the worst of them; nothing if none is.
    pub(in crate::cli) fn complaint(&self, elements: usize) -> Option<String> {
        let what = match self.wrong {
            0 => return None,
            1 => format!("1 of {elements} elements is wrong"),
            n => format!("{n} of {elements} elements are wrong"),
        };
        let show = |scalar, number| match number {
            Number::Int(value) => value.to_string(),
            Number::Float(value) if scalar == Scalar::Float => (value as f32).to_string(),
            Number::Float(value) => value.to_string(),
        };
        Some(match self.values {
            Some((scalar, a, b)) => {
                let (a, b) = (show(scalar, a), show(scalar, b));
                format!("{what}; number {} is {b}, not {a}", self.at)
            }
            None => what,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::cli::arguments::array::Element;

    fn floats(values: &[f32]) -> Array {
        Array {
            element: Element {
                bytes: 4,
                numbers: vec![(0, Scalar::Float)],
            },
            shape: vec![values.len() as u32],
            bytes: values.iter().flat_map(|v| v.to_ne_bytes()).collect(),
        }
    }

    #[test]
    fn differences_are_counted_in_numbers_of_the_type() {
        let one = floats(&[1.0, f32::NAN, 0.0, 5.0]);
        let next = f32::from_bits(1.0f32.to_bits() + 3);
        let other = floats(&[next, f32::NAN, -0.0, 5.0]);
        let strict = compare(&one, &other, Tolerance::Ulps(2));
        assert_eq!((strict.different, strict.wrong, strict.at), (1, 1, 0));
        assert_eq!(compare(&one, &other, Tolerance::Ulps(3)).wrong, 0);
        assert_eq!(compare(&one, &other, Tolerance::Difference(1e-6)).wrong, 0);
        assert_eq!(compare(&one, &other, Tolerance::Difference(1e-8)).wrong, 1);
        assert_eq!(compare(&one, &one, Tolerance::Ulps(0)).to_string(), "same");
        let broken = floats(&[f32::NAN, f32::NAN, 0.0, 5.0]);
        assert_eq!(compare(&one, &broken, Tolerance::Difference(1e30)).wrong, 1);
        let across = compare(
            &floats(&[f32::from_bits(1)]),
            &floats(&[-f32::from_bits(1)]),
            Tolerance::Ulps(1),
        );
        assert_eq!((across.ulps, across.wrong), (2, 1));
    }

    #[test]
    fn what_is_no_number_does_not_count() {
        // A vector of three with room for a fourth.
        let threes = |padding: f32| {
            let mut array = floats(&[1.0, 2.0, 3.0, padding, 4.0, 5.0, 6.0, padding]);
            let numbers = (0..3).map(|i| (4 * i, Scalar::Float));
            array.element = Element {
                bytes: 16,
                numbers: numbers.collect(),
            };
            array.shape = vec![2];
            array
        };
        let found = compare(&threes(0.0), &threes(f32::NAN), Tolerance::Ulps(0));
        assert_eq!((found.different, found.wrong), (0, 0));
        let mut other = threes(0.0);
        other.bytes[24] ^= 1;
        let found = compare(&threes(0.0), &other, Tolerance::Ulps(0));
        assert_eq!((found.different, found.wrong, found.at), (1, 1, 1));
    }

    #[test]
    fn tolerances() {
        assert_eq!(Tolerance::parse("4ulp"), Ok(Tolerance::Ulps(4)));
        assert_eq!(Tolerance::parse("1e-6"), Ok(Tolerance::Difference(1e-6)));
        assert!(Tolerance::parse("-1").is_err());
        assert!(Tolerance::parse("x ulp").is_err());
    }
}
