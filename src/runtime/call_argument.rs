//! What kernels over streams are called with.

use super::plain::{ElementKind, bytes_of, bytes_of_mut};
use super::{DynStream, Element, Stream};
use crate::expr::Scalar;

/// One argument of [`Kernel::call`](super::Kernel::call); [`stream_args!`](crate::stream_args) makes a list of
/// them.
pub enum StreamArgument<'a> {
    /// A stream.
    Stream(&'a DynStream),
    /// A stream that may become another one: what a variable output needs (BrookGPU).
    Growing(&'a mut DynStream),
    /// A scalar, or a vector of up to four components, packed.
    Value {
        /// Type of each component.
        scalar: Scalar,
        /// All components.
        bytes: &'a [u8],
    },
    /// The same, with the bytes: what [`stream_args!`](crate::stream_args) makes of a number.
    Number(Number),
    /// A variable of the caller's: a value, and what a reduction may write its result to.
    Variable {
        /// Type of each component.
        scalar: Scalar,
        /// All components.
        bytes: &'a mut [u8],
    },
    /// An array in host memory, for a parameter with brackets, or the bytes of a struct; copied at the call.
    Array {
        /// Type of each component of an element.
        scalar: Scalar,
        /// Extents, slowest first.
        extents: &'a [u32],
        /// All elements, row-major, packed.
        bytes: &'a [u8],
    },
}

impl StreamArgument<'_> {
    pub(super) fn describe(&self) -> String {
        let vector = |scalar: Scalar, bytes: &[u8]| match bytes.len() / scalar.size() {
            1 => format!("the value of type {}", scalar.c_name()),
            n => format!("{n} values of type {}", scalar.c_name()),
        };
        match self {
            Self::Stream(stream) => format!("{stream:?}"),
            Self::Growing(stream) => format!("{stream:?}"),
            Self::Value { scalar, bytes } => vector(*scalar, bytes),
            Self::Number(number) => vector(number.scalar, number.bytes()),
            Self::Variable { scalar, bytes } => vector(*scalar, bytes),
            Self::Array { scalar, .. } => format!("an array of {}", scalar.c_name()),
        }
    }

    /// The same for another call; a variable is a value there, which only [`Call::lent`](super::call_binding::Call::lent) can tell
    /// from a struct.
    pub(super) fn lent(&self) -> StreamArgument<'_> {
        match self {
            Self::Stream(stream) => StreamArgument::Stream(stream),
            Self::Growing(stream) => StreamArgument::Stream(stream),
            Self::Value { scalar, bytes } => StreamArgument::Value {
                scalar: *scalar,
                bytes,
            },
            Self::Number(number) => StreamArgument::Number(*number),
            Self::Variable { scalar, bytes } => StreamArgument::Value {
                scalar: *scalar,
                bytes,
            },
            Self::Array {
                scalar,
                extents,
                bytes,
            } => StreamArgument::Array {
                scalar: *scalar,
                extents,
                bytes,
            },
        }
    }

    /// The value it is, if it is one.
    pub(super) fn value(&self) -> Option<(Scalar, &[u8])> {
        match self {
            Self::Value { scalar, bytes } => Some((*scalar, bytes)),
            Self::Number(number) => Some((number.scalar, number.bytes())),
            Self::Variable { scalar, bytes } => Some((*scalar, bytes)),
            Self::Stream(_) | Self::Growing(_) | Self::Array { .. } => None,
        }
    }

    /// The stream it is, if it is one.
    pub(super) fn stream(&self) -> Option<&DynStream> {
        match self {
            Self::Stream(stream) => Some(stream),
            Self::Growing(stream) => Some(stream),
            _ => None,
        }
    }
}

/// A list of arguments for [`Kernel::call`](crate::Kernel::call): streams, numbers, vectors as arrays of
/// numbers, `&mut` variables that a reduction writes its result to.
#[macro_export]
macro_rules! stream_args {
    ($($argument:expr),* $(,)?) => {
        &mut [$($crate::runtime::StreamArgument::from($argument)),*]
    };
}

/// A scalar, or a vector of up to four components.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    scalar: Scalar,
    bytes: [u8; 32],
    len: usize,
}

impl Number {
    fn new<T: Element>(scalar: Scalar, components: &[T]) -> Self {
        let from = bytes_of(components);
        let mut bytes = [0; 32];
        bytes[..from.len()].copy_from_slice(from);
        Self {
            scalar,
            bytes,
            len: from.len(),
        }
    }

    /// Components of that type; `None` of more than four doubles.
    pub(super) fn of(scalar: Scalar, components: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        bytes
            .get_mut(..components.len())?
            .copy_from_slice(components);
        Some(Self {
            scalar,
            bytes,
            len: components.len(),
        })
    }

    /// The type of each component.
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }

    /// All components, packed.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

macro_rules! numbers {
    ($($rust:ty => $scalar:ident),* $(,)?) => {$(
        impl From<$rust> for StreamArgument<'_> {
            fn from(value: $rust) -> Self {
                Self::Number(Number::new(Scalar::$scalar, &[value]))
            }
        }

        numbers!(vector $rust, $scalar, 2);
        numbers!(vector $rust, $scalar, 3);
        numbers!(vector $rust, $scalar, 4);
    )*};
    (vector $rust:ty, $scalar:ident, $width:literal) => {
        impl From<[$rust; $width]> for StreamArgument<'_> {
            fn from(value: [$rust; $width]) -> Self {
                Self::Number(Number::new(Scalar::$scalar, &value))
            }
        }
    };
}

numbers! {
    i8 => Char, u8 => UChar, i16 => Short, u16 => UShort, i32 => Int, u32 => UInt,
    f32 => Float, f64 => Double,
}

impl<'a> From<&'a DynStream> for StreamArgument<'a> {
    fn from(stream: &'a DynStream) -> Self {
        Self::Stream(stream)
    }
}

impl<'a, T: Element> From<&'a Stream<T>> for StreamArgument<'a> {
    fn from(stream: &'a Stream<T>) -> Self {
        Self::Stream(stream.as_dyn())
    }
}

impl<'a> From<&'a mut DynStream> for StreamArgument<'a> {
    fn from(stream: &'a mut DynStream) -> Self {
        Self::Growing(stream)
    }
}

impl<'a, T: Element> From<&'a mut T> for StreamArgument<'a> {
    fn from(variable: &'a mut T) -> Self {
        let scalar = match T::KIND {
            ElementKind::Numbers(scalar, _) => scalar,
            ElementKind::Structure(_) => Scalar::UChar,
        };
        let bytes = bytes_of_mut(std::slice::from_mut(variable));
        Self::Variable { scalar, bytes }
    }
}

impl<'a> StreamArgument<'a> {
    /// A structure, for a parameter that is one.
    pub fn structure<T: Element>(value: &'a T) -> Self {
        Self::array(std::slice::from_ref(value), &[])
    }

    /// An array in host memory, for a parameter with brackets; extents slowest first.
    pub fn array<T: Element>(elements: &'a [T], extents: &'a [u32]) -> Self {
        let scalar = match T::KIND {
            ElementKind::Numbers(scalar, _) => scalar,
            ElementKind::Structure(_) => Scalar::UChar,
        };
        let bytes = bytes_of(elements);
        Self::Array {
            scalar,
            extents,
            bytes,
        }
    }
}
