use crate::module::{Base, Type};
use std::fmt;

/// What the elements of a stream are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementType {
    /// Numbers, or vectors of them.
    Number(Type),
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
        let number = Type::from_words(name).filter(|t| t.base != Base::Void)?;
        Some(Self::Number(number))
    }

    /// The name that [`ElementType::from_name`] reads.
    pub(super) fn name(self) -> String {
        match self {
            Self::Number(ty) => ty.to_string(),
            Self::Bytes(bytes) => format!("bytes:{bytes}"),
        }
    }

    /// Bytes of an element on the host.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Number(ty) => ty.size(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The number or vector, if it is one.
    pub(super) fn number(self) -> Option<Type> {
        match self {
            Self::Number(ty) => Some(ty),
            Self::Bytes(_) => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(ty) => ty.fmt(f),
            Self::Bytes(bytes) => write!(f, "structures of {bytes} bytes"),
        }
    }
}
