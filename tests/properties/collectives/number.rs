//! The types that functions of a group compute in, and their values on the host.

use crate::properties::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
}

/// A value of a type; sums of the numbers that occur here are exact in all of them.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Number {
    Integer(i128),
    Real(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Min,
    Max,
}

impl Operator {
    pub const ALL: [Self; 3] = [Self::Add, Self::Min, Self::Max];

    pub fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

impl Type {
    pub const ALL: [Self; 6] = [
        Self::Int,
        Self::UInt,
        Self::Long,
        Self::ULong,
        Self::Float,
        Self::Double,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::UInt => "unsigned int",
            Self::Long => "long",
            Self::ULong => "unsigned long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// What names of arrays of the type end with.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Int => "i",
            Self::UInt => "u",
            Self::Long => "l",
            Self::ULong => "m",
            Self::Float => "f",
            Self::Double => "d",
        }
    }

    pub fn is_real(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    /// Integers of all magnitudes, and quarters small enough that float adds a group's without rounding.
    pub fn random(self, random: &mut Random) -> Number {
        if self.is_real() {
            return Number::Real(random.within(-32, 32) as f64 / 4.0);
        }
        let bits = random.within(2, 61);
        let value = random.within(-(1 << bits), 1 << bits);
        self.wrapped(i128::from(value))
    }

    /// The value that has the same low bits and fits.
    fn wrapped(self, value: i128) -> Number {
        Number::Integer(match self {
            Self::Int => i128::from(value as i32),
            Self::UInt => i128::from(value as u32),
            Self::Long => i128::from(value as i64),
            _ => i128::from(value as u64),
        })
    }

    fn least(self) -> Number {
        match self {
            Self::Int => Number::Integer(i32::MIN.into()),
            Self::Long => Number::Integer(i64::MIN.into()),
            Self::UInt | Self::ULong => Number::Integer(0),
            Self::Float | Self::Double => Number::Real(f64::NEG_INFINITY),
        }
    }

    fn most(self) -> Number {
        match self {
            Self::Int => Number::Integer(i32::MAX.into()),
            Self::UInt => Number::Integer(u32::MAX.into()),
            Self::Long => Number::Integer(i64::MAX.into()),
            Self::ULong => Number::Integer(u64::MAX.into()),
            Self::Float | Self::Double => Number::Real(f64::INFINITY),
        }
    }

    /// The identity that the language's specification gives an operator.
    pub fn identity(self, operator: Operator) -> Number {
        match operator {
            Operator::Add if self.is_real() => Number::Real(0.0),
            Operator::Add => Number::Integer(0),
            Operator::Min => self.most(),
            Operator::Max => self.least(),
        }
    }

    pub fn both(self, operator: Operator, a: Number, b: Number) -> Number {
        match (operator, a, b) {
            (Operator::Add, Number::Integer(a), Number::Integer(b)) => self.wrapped(a + b),
            (Operator::Add, Number::Real(a), Number::Real(b)) => Number::Real(a + b),
            (Operator::Min, ..) if b < a => b,
            (Operator::Max, ..) if b > a => b,
            _ => a,
        }
    }

    pub fn bytes(self, number: Number) -> Vec<u8> {
        match (self, number) {
            (Self::Int, Number::Integer(n)) => (n as i32).to_ne_bytes().to_vec(),
            (Self::UInt, Number::Integer(n)) => (n as u32).to_ne_bytes().to_vec(),
            (Self::Long, Number::Integer(n)) => (n as i64).to_ne_bytes().to_vec(),
            (Self::ULong, Number::Integer(n)) => (n as u64).to_ne_bytes().to_vec(),
            (Self::Float, Number::Real(x)) => (x as f32).to_ne_bytes().to_vec(),
            (Self::Double, Number::Real(x)) => x.to_ne_bytes().to_vec(),
            (_, number) => unreachable!("{number:?} is not of type {}", self.name()),
        }
    }

    pub fn size(self) -> usize {
        match self {
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Long | Self::ULong | Self::Double => 8,
        }
    }

    pub fn read(self, bytes: &[u8]) -> Number {
        let wide = || bytes.try_into().unwrap();
        let narrow = || bytes.try_into().unwrap();
        match self {
            Self::Int => Number::Integer(i32::from_ne_bytes(narrow()).into()),
            Self::UInt => Number::Integer(u32::from_ne_bytes(narrow()).into()),
            Self::Long => Number::Integer(i64::from_ne_bytes(wide()).into()),
            Self::ULong => Number::Integer(u64::from_ne_bytes(wide()).into()),
            Self::Float => Number::Real(f32::from_ne_bytes(narrow()).into()),
            Self::Double => Number::Real(f64::from_ne_bytes(wide())),
        }
    }
}
