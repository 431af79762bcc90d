use crate::expr::Scalar;
use crate::module::{Base, Fixed, Type};
use std::fmt;

/// What the elements of a stream are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementType {
    /// Numbers, or vectors of them.
    Number(Type),
    /// Integers of 64 bits, which Brook+ has not got, or vectors of so many: for OKL kernels.
    Long(Scalar, u8),
    /// BrookGPU's fixed point.
    Fixed(Fixed),
    /// Structs or arrays of so many bytes.
    Bytes(usize),
}

impl ElementType {
    /// The type of that name: `float4`, `unsigned int`, or `bytes:20` for structs and arrays.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        if let Some(bytes) = name.strip_prefix("bytes:") {
            let bytes = bytes.parse().ok().filter(|n| *n > 0)?;
            return Some(Self::Bytes(bytes));
        }
        match Type::from_words(name) {
            Some(number) => (number.base != Base::Void).then_some(Self::Number(number)),
            None => match Fixed::from_name(name) {
                Some(fixed) => Some(Self::Fixed(fixed)),
                None => Self::long(name),
            },
        }
    }

    /// `long`, `unsigned long`, `ulong4`.
    fn long(name: &str) -> Option<Self> {
        let digit = name.bytes().last().filter(|b| matches!(b, b'2'..=b'4'));
        let words = if digit.is_some() {
            &name[..name.len() - 1]
        } else {
            name
        };
        let scalar = Scalar::from_words(words.split_ascii_whitespace())?;
        let width = digit.map_or(1, |digit| digit - b'0');
        matches!(scalar, Scalar::Long | Scalar::ULong).then_some(Self::Long(scalar, width))
    }

    /// The name that [`ElementType::from_name`] reads.
    pub(super) fn name(self) -> String {
        match self {
            Self::Bytes(bytes) => format!("bytes:{bytes}"),
            number => number.to_string(),
        }
    }

    /// Bytes of an element on the host.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Number(ty) => ty.size(),
            Self::Long(scalar, width) => scalar.size() * usize::from(width),
            Self::Fixed(fixed) => fixed.size(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The number or vector of Brook+'s, if it is one.
    pub(super) fn number(self) -> Option<Type> {
        match self {
            Self::Number(ty) => Some(ty),
            Self::Long(..) | Self::Fixed(_) | Self::Bytes(_) => None,
        }
    }

    /// The type of each number, and how many there are, if it consists of numbers.
    pub(super) fn numbers(self) -> Option<(Scalar, u8)> {
        match self {
            Self::Number(ty) => Some((ty.base.scalar()?, ty.width)),
            Self::Long(scalar, width) => Some((scalar, width)),
            Self::Fixed(_) | Self::Bytes(_) => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(ty) => ty.fmt(f),
            Self::Long(scalar, width) => {
                let width = if *width == 1 {
                    String::new()
                } else {
                    width.to_string()
                };
                let name = if *scalar == Scalar::ULong {
                    "ulong"
                } else {
                    "long"
                };
                write!(f, "{name}{width}")
            }
            Self::Fixed(fixed) => fixed.fmt(f),
            Self::Bytes(bytes) => write!(f, "structures of {bytes} bytes"),
        }
    }
}
