//! Where in an array a gather may read, as numbers in terms of what is known when a kernel is called.

use crate::expr::Scalar;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A number of an element, in terms of its place and of the kernel's values. What it depends on beside these is left out: it is
/// any of the numbers that this may be.
///
/// As text it is in reverse Polish notation: `y $2.0:int add 0:int most` is the larger one of 0 and the place along the second axis plus
/// the value of the third parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Index {
    /// A number of that type.
    Number(Scalar, f64),
    /// The place of the element along an axis, fastest first: an `int`.
    Place(usize),
    /// The place of a parameter's own element along an axis, likewise.
    PlaceOf(usize, usize),
    /// A component of a parameter's value, and its type.
    Value(usize, usize, Scalar),
    /// The same number as another type has it; of `bool`, whether it is not zero.
    As(Scalar, Arc<Index>),
    /// Of one number.
    Unary(Unary, Arc<Index>),
    /// Of two of one type.
    Binary(Binary, Arc<[Index; 2]>),
    /// The second one where the first one holds, else the third.
    Either(Arc<[Index; 3]>),
    /// One of them.
    OneOf(Arc<[Index; 2]>),
    /// The second one where the first one holds; elsewhere nobody reads.
    When(Arc<[Index; 2]>),
    /// What is counted from the first number on for as long as the comparison with the second one holds, by steps of at most the third
    /// one, which is positive, up to the next comparison.
    Counter(Binary, Arc<[Index; 3]>),
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Negate,
    Not,
    Floor,
    Ceil,
    Truncate,
    Absolute,
    /// The number itself, where it is below [`Unary::exact`] and so a number of its type with all whole numbers up to it; nothing is known
    /// of others, beside which nobody counts by ones.
    Exact,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
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
    And,
    Or,
}

impl Binary {
    /// Whether what it makes is true or false.
    fn is_truth(self) -> bool {
        use Binary::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        matches!(
            self,
            And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
        )
    }
}

impl Unary {
    /// Below that `Exact` knows numbers of a floating-point type: half of what they could be, so that a few more can be added.
    pub fn exact(scalar: Scalar) -> f64 {
        whole_numbers(scalar) / 2.0
    }
}

/// Up to there a floating-point type has all whole numbers.
pub fn whole_numbers(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Float => f64::from(1 << 24),
        _ => (1u64 << 53) as f64,
    }
}

/// Floating-point indices have to be less where they are not clamped: below, `float` has quarters.
pub const MOST_FLOATING: u32 = 1 << 22;

/// With more parts nobody reads it.
const LARGEST: usize = 256;

const AXES: [&str; 4] = ["x", "y", "z", "w"];

const SCALARS: [(&str, Scalar); 11] = [
    ("bool", Scalar::Bool),
    ("char", Scalar::Char),
    ("uchar", Scalar::UChar),
    ("short", Scalar::Short),
    ("ushort", Scalar::UShort),
    ("int", Scalar::Int),
    ("uint", Scalar::UInt),
    ("long", Scalar::Long),
    ("ulong", Scalar::ULong),
    ("float", Scalar::Float),
    ("double", Scalar::Double),
];

const UNARY: [(&str, Unary); 7] = [
    ("negate", Unary::Negate),
    ("not", Unary::Not),
    ("floor", Unary::Floor),
    ("ceil", Unary::Ceil),
    ("truncate", Unary::Truncate),
    ("absolute", Unary::Absolute),
    ("exact", Unary::Exact),
];

const BINARY: [(&str, Binary); 15] = [
    ("add", Binary::Add),
    ("subtract", Binary::Subtract),
    ("multiply", Binary::Multiply),
    ("divide", Binary::Divide),
    ("remainder", Binary::Remainder),
    ("least", Binary::Least),
    ("most", Binary::Most),
    ("less", Binary::Less),
    ("less_equal", Binary::LessEqual),
    ("greater", Binary::Greater),
    ("greater_equal", Binary::GreaterEqual),
    ("equal", Binary::Equal),
    ("not_equal", Binary::NotEqual),
    ("and", Binary::And),
    ("or", Binary::Or),
];

/// What a word means, by such a table.
fn meaning<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == word);
    found.map(|(_, meaning)| *meaning)
}

/// The word for what it means.
fn word<T: PartialEq>(table: &[(&'static str, T)], meaning: &T) -> &'static str {
    let found = table.iter().find(|(_, known)| known == meaning);
    found.map_or("", |(name, _)| name)
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = |f: &mut fmt::Formatter<'_>, parts: &[Self]| {
            parts.iter().try_for_each(|part| write!(f, "{part} "))
        };
        match self {
            Self::Number(scalar, number) => write!(f, "{number}:{}", word(&SCALARS, scalar)),
            Self::Place(axis) => f.write_str(AXES.get(*axis).unwrap_or(&"")),
            Self::PlaceOf(parameter, axis) => {
                write!(f, "@{parameter}.{}", AXES.get(*axis).unwrap_or(&""))
            }
            Self::Value(parameter, component, scalar) => {
                write!(f, "${parameter}.{component}:{}", word(&SCALARS, scalar))
            }
            Self::As(scalar, a) => write!(f, "{a} {}", word(&SCALARS, scalar)),
            Self::Unary(operator, a) => write!(f, "{a} {}", word(&UNARY, operator)),
            Self::Binary(operator, all) => {
                parts(f, &all[..])?;
                f.write_str(word(&BINARY, operator))
            }
            Self::Either(all) => {
                parts(f, &all[..])?;
                f.write_str("either")
            }
            Self::OneOf(all) => {
                parts(f, &all[..])?;
                f.write_str("one_of")
            }
            Self::When(all) => {
                parts(f, &all[..])?;
                f.write_str("when")
            }
            Self::Counter(operator, all) => {
                parts(f, &all[..])?;
                f.write_str("while_")?;
                f.write_str(word(&BINARY, operator))
            }
        }
    }
}

impl From<Index> for String {
    fn from(index: Index) -> Self {
        index.to_string()
    }
}

impl TryFrom<String> for Index {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = |word: &str| format!("'{text}' is no index: '{word}'");
        let mut stack: Vec<Self> = Vec::new();
        for (count, word) in text.split(' ').enumerate() {
            let next = (count < LARGEST).then(|| next(word, &mut stack)).flatten();
            stack.push(next.ok_or_else(|| wrong(word))?);
        }
        match (stack.pop(), stack.is_empty()) {
            (Some(index), true) => Ok(index),
            _ => Err(wrong("")),
        }
    }
}

/// What a word makes of those before it.
fn next(word: &str, stack: &mut Vec<Index>) -> Option<Index> {
    let axis = |word: &str| AXES.iter().position(|axis| *axis == word);
    if let Some(axis) = axis(word) {
        return Some(Index::Place(axis));
    }
    if let Some(own) = word.strip_prefix('@') {
        let (parameter, of) = own.split_once('.')?;
        return Some(Index::PlaceOf(parameter.parse().ok()?, axis(of)?));
    }
    if let Some((number, scalar)) = word.split_once(':') {
        let scalar = meaning(&SCALARS, scalar)?;
        return Some(match number.strip_prefix('$') {
            Some(value) => {
                let (parameter, component) = value.split_once('.')?;
                let component: u8 = component.parse().ok()?;
                Index::Value(parameter.parse().ok()?, component.into(), scalar)
            }
            None => Index::Number(scalar, number.parse().ok()?),
        });
    }
    if let Some(scalar) = meaning(&SCALARS, word) {
        return Some(Index::As(scalar, Arc::new(stack.pop()?)));
    }
    if let Some(operator) = meaning(&UNARY, word) {
        return Some(Index::Unary(operator, Arc::new(stack.pop()?)));
    }
    if let Some(operator) = meaning(&BINARY, word) {
        return Some(Index::Binary(operator, last(stack)?));
    }
    match word.strip_prefix("while_") {
        Some(operator) => Some(Index::Counter(meaning(&BINARY, operator)?, last(stack)?)),
        None if word == "either" => Some(Index::Either(last(stack)?)),
        None if word == "one_of" => Some(Index::OneOf(last(stack)?)),
        None if word == "when" => Some(Index::When(last(stack)?)),
        None => None,
    }
}

/// The last ones, in their order.
fn last<const N: usize>(stack: &mut Vec<Index>) -> Option<Arc<[Index; N]>> {
    let from = stack.len().checked_sub(N)?;
    let parts: Vec<Index> = stack.drain(from..).collect();
    parts.try_into().ok().map(Arc::new)
}

impl Index {
    /// Its type.
    pub fn scalar(&self) -> Scalar {
        match self {
            Self::Number(scalar, _) | Self::Value(_, _, scalar) | Self::As(scalar, _) => *scalar,
            Self::Place(_) | Self::PlaceOf(..) => Scalar::Int,
            Self::Unary(Unary::Not, _) => Scalar::Bool,
            Self::Unary(_, a) => a.scalar(),
            Self::Binary(operator, _) if operator.is_truth() => Scalar::Bool,
            Self::Binary(_, parts) | Self::OneOf(parts) => parts[0].scalar(),
            Self::Either(parts) | Self::Counter(_, parts) => parts[parts.len() - 1].scalar(),
            Self::When(parts) => parts[1].scalar(),
        }
    }

    /// How many numbers and functions it is made of.
    pub fn size(&self) -> usize {
        let all = |parts: &[Self]| parts.iter().map(Self::size).sum::<usize>();
        1 + match self {
            Self::Number(..) | Self::Place(_) | Self::PlaceOf(..) | Self::Value(..) => 0,
            Self::As(_, a) | Self::Unary(_, a) => a.size(),
            Self::Binary(_, parts) | Self::OneOf(parts) | Self::When(parts) => all(&parts[..]),
            Self::Either(parts) | Self::Counter(_, parts) => all(&parts[..]),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    #[test]
    fn texts_say_all_of_an_index() {
        for text in [
            "y $2.0:int add 0:int most",
            "x float 0.25:double add floor long",
            "@1.z 3:int less y 1:int subtract 7:int either",
            "x y one_of",
            "x 0:int greater x 1:int subtract when",
            "-2:int $3.1:float int 1:int while_less_equal negate",
        ] {
            let index = Index::try_from(text.to_string()).unwrap();
            assert_eq!(index.to_string(), text);
        }
        let deep = format!("x{}", " int".repeat(LARGEST));
        for text in [
            "", "x y", "add", "x add", "q", "@1", "$1:int", "1:number", "x  y add", &deep,
        ] {
            assert!(Index::try_from(text.to_string()).is_err(), "{text}");
        }
    }
}
