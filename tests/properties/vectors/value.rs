//! Numbers of C, and what its operators make of them: nothing where C does not say what, so that no program depends on it.

/// The types that scalars and components have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
}

pub const BASES: [Base; 10] = [
    Base::Char,
    Base::UChar,
    Base::Short,
    Base::UShort,
    Base::Int,
    Base::UInt,
    Base::Long,
    Base::ULong,
    Base::Float,
    Base::Double,
];

impl Base {
    /// As the names of vectors begin.
    pub fn name(self) -> &'static str {
        match self {
            Self::Char => "char",
            Self::UChar => "uchar",
            Self::Short => "short",
            Self::UShort => "ushort",
            Self::Int => "int",
            Self::UInt => "uint",
            Self::Long => "long",
            Self::ULong => "ulong",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// As C has it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Char => "signed char",
            Self::UChar => "unsigned char",
            Self::UShort => "unsigned short",
            Self::UInt => "unsigned int",
            Self::ULong => "unsigned long",
            other => other.name(),
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub fn is_signed(self) -> bool {
        !matches!(self, Self::UChar | Self::UShort | Self::UInt | Self::ULong)
    }

    pub fn size(self) -> usize {
        match self {
            Self::Char | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Long | Self::ULong | Self::Double => 8,
        }
    }

    pub fn promoted(self) -> Self {
        if self.size() < 4 { Self::Int } else { self }
    }

    /// The type in which C computes with two numbers.
    pub fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        let order = |base| BASES.iter().position(|b| *b == base);
        if order(a) > order(b) { a } else { b }
    }
}

/// A base type and a number of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub base: Base,
    pub width: usize,
}

impl Type {
    pub fn scalar(base: Base) -> Self {
        Self { base, width: 1 }
    }

    pub fn name(self) -> String {
        match self.width {
            1 => self.base.words().to_string(),
            n => format!("{}{n}", self.base.name()),
        }
    }

    /// Components that memory has room for: three take the room of four.
    pub fn places(self) -> usize {
        if self.width == 3 { 4 } else { self.width }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Float(f32),
    Double(f64),
}

use Number::{Double, Float, Int};

impl Number {
    pub fn is_zero(self) -> bool {
        match self {
            Int(v) => v == 0,
            Float(v) => v == 0.0,
            Double(v) => v == 0.0,
        }
    }

    /// The same number of another type; larger integers keep their lowest bits.
    pub fn converted(self, to: Base) -> Option<Self> {
        let number = match (self, to) {
            (Int(v), Base::Float) => Float(v as f32),
            (Int(v), Base::Double) => Double(v as f64),
            (Int(v), _) => Int(wrapped(to, v)),
            (Float(v), Base::Float) => Float(v),
            (Float(v), Base::Double) => Double(v.into()),
            (Double(v), Base::Float) => Float(v as f32),
            (Double(v), Base::Double) => Double(v),
            (Float(v), _) => Int(inside(to, f64::from(v).trunc() as i128)?),
            (Double(v), _) => Int(inside(to, v.trunc() as i128)?),
        };
        number.defined()
    }

    /// Nothing for what is infinite, not a number or too small to be precise.
    fn defined(self) -> Option<Self> {
        let holds = match self {
            Int(_) => true,
            Float(v) => v == 0.0 || v.is_normal(),
            Double(v) => v == 0.0 || v.is_normal(),
        };
        holds.then_some(self)
    }

    pub fn unary(self, operator: &str, base: Base) -> Option<Self> {
        match (operator, self) {
            ("-", Int(v)) => integer(base, -v),
            ("-", Float(v)) => Some(Float(-v)),
            ("-", Double(v)) => Some(Double(-v)),
            ("~", Int(v)) => Some(Int(wrapped(base, !v))),
            ("!", v) => Some(Int(v.is_zero().into())),
            _ => None,
        }
    }

    /// Of two numbers of one type, in that type.
    pub fn binary(self, operator: &str, other: Self, base: Base) -> Option<Self> {
        let compared = match (self, other) {
            (Int(a), Int(b)) => a.partial_cmp(&b),
            (Float(a), Float(b)) => a.partial_cmp(&b),
            (Double(a), Double(b)) => a.partial_cmp(&b),
            _ => None,
        }?;
        let truth = match operator {
            "<" => Some(compared.is_lt()),
            ">=" => Some(compared.is_ge()),
            "==" => Some(compared.is_eq()),
            "&&" => Some(!self.is_zero() && !other.is_zero()),
            _ => None,
        };
        if let Some(truth) = truth {
            return Some(Int(truth.into()));
        }
        match (self, other) {
            (Int(a), Int(b)) => {
                let shift = (0..8 * base.size() as i128).contains(&b);
                match operator {
                    "+" => integer(base, a + b),
                    "-" => integer(base, a - b),
                    "*" => integer(base, a.checked_mul(b)?),
                    "/" => integer(base, a.checked_div(b)?),
                    "%" => integer(base, a.checked_rem(b)?),
                    "<<" if shift && a >= 0 => integer(base, a << b),
                    ">>" if shift => Some(Int(a >> b)),
                    "&" => Some(Int(a & b)),
                    "|" => Some(Int(a | b)),
                    "^" => Some(Int(a ^ b)),
                    _ => None,
                }
            }
            (Float(a), Float(b)) => Float(match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                _ => return None,
            })
            .defined(),
            (Double(a), Double(b)) => Double(match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                _ => return None,
            })
            .defined(),
            _ => None,
        }
    }

    pub fn bytes(self, base: Base) -> Vec<u8> {
        match self {
            Int(v) => v.to_le_bytes()[..base.size()].to_vec(),
            Float(v) => v.to_le_bytes().to_vec(),
            Double(v) => v.to_le_bytes().to_vec(),
        }
    }

    pub fn from_bytes(base: Base, bytes: &[u8]) -> Self {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(wide);
        match base {
            Base::Float => Float(f32::from_bits(bits as u32)),
            Base::Double => Double(f64::from_bits(bits as u64)),
            _ => Int(wrapped(base, bits as i128)),
        }
    }
}

fn limits(base: Base) -> (i128, i128) {
    let bits = 8 * base.size() as u32;
    match base.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

fn inside(base: Base, value: i128) -> Option<i128> {
    let (low, high) = limits(base);
    (low..=high).contains(&value).then_some(value)
}

fn wrapped(base: Base, value: i128) -> i128 {
    let (low, high) = limits(base);
    (value - low).rem_euclid(high - low + 1) + low
}

/// What operators of integers make: signed ones do not overflow.
fn integer(base: Base, value: i128) -> Option<Number> {
    match base.is_signed() {
        true => inside(base, value).map(Int),
        false => Some(Int(wrapped(base, value))),
    }
}
