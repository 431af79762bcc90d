//! Values of Brook+ and what its operators make of them, from the language's own words: 32-bit integers wrap, smaller
//! ones after every operator, comparisons are 0 and 1 of their operands' type.

/// The types that components have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Float,
    Double,
}

pub const BASES: [Base; 8] = [
    Base::Char,
    Base::UChar,
    Base::Short,
    Base::UShort,
    Base::Int,
    Base::UInt,
    Base::Float,
    Base::Double,
];

impl Base {
    pub fn name(self) -> &'static str {
        match self {
            Self::Char => "char",
            Self::UChar => "uchar",
            Self::Short => "short",
            Self::UShort => "ushort",
            Self::Int => "int",
            Self::UInt => "uint",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Self::Char | Self::Short | Self::Int)
    }

    pub fn size(self) -> usize {
        match self {
            Self::Char | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Double => 8,
        }
    }

    /// An integer's lowest bits, as the type has them.
    pub fn wrapped(self, value: i64) -> i64 {
        match self {
            Self::Char => i64::from(value as i8),
            Self::UChar => i64::from(value as u8),
            Self::Short => i64::from(value as i16),
            Self::UShort => i64::from(value as u16),
            Self::UInt => i64::from(value as u32),
            _ => i64::from(value as i32),
        }
    }

    /// The least and the largest integer.
    pub fn limits(self) -> (i64, i64) {
        let bits = 8 * self.size() as u32;
        match self.is_signed() {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }
    }
}

/// A base type and a number of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub base: Base,
    pub width: usize,
}

impl Type {
    pub fn name(self) -> String {
        match self.width {
            1 => self.base.name().to_string(),
            n => format!("{}{n}", self.base.name()),
        }
    }

    pub fn scalar(self) -> Self {
        Self { width: 1, ..self }
    }
}

/// One component.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(i64),
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

    /// 0 or 1 of a type.
    fn truth(base: Base, holds: bool) -> Self {
        Self::whole(base, i64::from(holds))
    }

    pub fn whole(base: Base, value: i64) -> Self {
        match base {
            Base::Float => Float(value as f32),
            Base::Double => Double(value as f64),
            _ => Int(base.wrapped(value)),
        }
    }

    /// The same number of another type: floating point saturates to integers of 32 bits, and through `int` to smaller
    /// ones.
    pub fn converted(self, to: Base) -> Self {
        let saturated = |v: f64| match to {
            // Rust's own conversions saturate, and make 0 of what is no number.
            Base::UInt => i64::from(v as u32),
            _ => i64::from(v as i32),
        };
        match (self, to) {
            (Int(v), _) => Self::whole(to, v),
            (Float(v), Base::Float) => Float(v),
            (Float(v), Base::Double) => Double(f64::from(v)),
            (Double(v), Base::Float) => Float(v as f32),
            (Double(v), Base::Double) => Double(v),
            (Float(v), _) => Int(to.wrapped(saturated(f64::from(v)))),
            (Double(v), _) => Int(to.wrapped(saturated(v))),
        }
    }

    pub fn unary(self, operator: &str, base: Base) -> Self {
        match (operator, self) {
            ("!", v) => Self::truth(base, v.is_zero()),
            ("-", Int(v)) => Int(base.wrapped(-v)),
            ("-", Float(v)) => Float(-v),
            ("-", Double(v)) => Double(-v),
            ("~", Int(v)) => Int(base.wrapped(!v)),
            _ => panic!("{operator} of {self:?}"),
        }
    }

    pub fn binary(self, operator: &str, other: Self, base: Base) -> Self {
        match operator {
            "&&" => return Self::truth(base, !self.is_zero() && !other.is_zero()),
            "||" => return Self::truth(base, !self.is_zero() || !other.is_zero()),
            _ => {}
        }
        let compared = match (self, other) {
            (Int(a), Int(b)) => compared(operator, &a, &b),
            (Float(a), Float(b)) => compared(operator, &a, &b),
            (Double(a), Double(b)) => compared(operator, &a, &b),
            _ => panic!("{self:?} {operator} {other:?}"),
        };
        if let Some(holds) = compared {
            return Self::truth(base, holds);
        }
        match (self, other) {
            (Int(a), Int(b)) => Int(base.wrapped(of_integers(operator, a, b))),
            (Float(a), Float(b)) => Float(match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                _ => a / b,
            }),
            (Double(a), Double(b)) => Double(match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                _ => a / b,
            }),
            _ => panic!("{self:?} {operator} {other:?}"),
        }
    }

    pub fn called(function: &str, arguments: &[Self], base: Base) -> Self {
        match (function, arguments) {
            ("abs", [Int(v)]) => Int(base.wrapped(v.abs())),
            ("abs", [Float(v)]) => Float(v.abs()),
            ("abs", [Double(v)]) => Double(v.abs()),
            ("sign", [Int(v)]) => Int(v.signum()),
            ("min", [Int(a), Int(b)]) => Int(*a.min(b)),
            ("max", [Int(a), Int(b)]) => Int(*a.max(b)),
            ("floor", [Float(v)]) => Float(v.floor()),
            ("floor", [Double(v)]) => Double(v.floor()),
            ("frac", [Float(v)]) => Float(v - v.floor()),
            ("frac", [Double(v)]) => Double(v - v.floor()),
            ("round", [Float(v)]) => Float((v + 0.5).floor()),
            ("round", [Double(v)]) => Double((v + 0.5).floor()),
            ("isnan", [Float(v)]) => Self::truth(base, v.is_nan()),
            ("isnan", [Double(v)]) => Self::truth(base, v.is_nan()),
            ("isinf", [Float(v)]) => Self::truth(base, v.is_infinite()),
            ("isinf", [Double(v)]) => Self::truth(base, v.is_infinite()),
            ("sqrt", [Float(v)]) => Float(v.sqrt()),
            ("sqrt", [Double(v)]) => Double(v.sqrt()),
            _ => panic!("{function}{arguments:?}"),
        }
    }

    pub fn bytes(self, base: Base, out: &mut Vec<u8>) {
        match self {
            Int(v) => out.extend(&v.to_le_bytes()[..base.size()]),
            Float(v) => out.extend(v.to_le_bytes()),
            Double(v) => out.extend(v.to_le_bytes()),
        }
    }

    pub fn from_bytes(base: Base, bytes: &[u8]) -> Self {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        match base {
            Base::Float => Float(f32::from_bits(bits as u32)),
            Base::Double => Double(f64::from_bits(bits)),
            _ => Int(base.wrapped(bits as i64)),
        }
    }

    /// The same to the last bit, but for what is no number.
    pub fn same(self, other: Self) -> bool {
        match (self, other) {
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Double(a), Double(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            _ => false,
        }
    }
}

fn compared<T: PartialOrd>(operator: &str, a: &T, b: &T) -> Option<bool> {
    Some(match operator {
        "<" => a < b,
        ">" => a > b,
        "<=" => a <= b,
        ">=" => a >= b,
        "==" => a == b,
        "!=" => a != b,
        _ => return None,
    })
}

/// Before it wraps.
fn of_integers(operator: &str, a: i64, b: i64) -> i64 {
    match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a.wrapping_mul(b),
        "/" if b == 0 => 0,
        "/" => a / b,
        "%" if b == 0 => 0,
        "%" => a % b,
        "<<" => a << (b & 31),
        ">>" => a >> (b & 31),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        _ => panic!("{operator} of integers"),
    }
}
