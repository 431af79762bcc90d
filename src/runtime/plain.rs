//! What device memory can hold.

use crate::expr::Scalar;
use std::fmt;

/// What an element consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementKind {
    /// So many numbers of one type, side by side: one for a scalar, four for a `float4`.
    Numbers(Scalar, usize),
    /// A structure of so many bytes.
    Structure(usize),
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(scalar, 1) => f.write_str(scalar.c_name()),
            Self::Numbers(scalar, n) => write!(f, "{}[{n}]", scalar.c_name()),
            Self::Structure(bytes) => write!(f, "{bytes}-byte structure"),
        }
    }
}

/// A type that lies in device memory as it does on the host: numbers, arrays of them, and structures
/// that [`structure!`](crate::structure) declares.
///
/// # Safety
/// Whatever bytes are in its place, they are a value of the type; and it has no padding.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// What it consists of.
    const KIND: ElementKind;
}

macro_rules! elements {
    ($($rust:ty => $scalar:ident),* $(,)?) => {$(
        // SAFETY: a number without padding, of which all bytes make one.
        unsafe impl Element for $rust {
            const KIND: ElementKind = ElementKind::Numbers(Scalar::$scalar, 1);
        }
    )*};
}

// Not `bool`: a byte that a kernel wrote need not be 0 or 1, as Rust demands of one.
elements! {
    i8 => Char, u8 => UChar, i16 => Short, u16 => UShort, i32 => Int, u32 => UInt,
    i64 => Long, u64 => ULong, f32 => Float, f64 => Double,
}

// SAFETY: an array has no padding of its own.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const KIND: ElementKind = match T::KIND {
        ElementKind::Numbers(scalar, count) => ElementKind::Numbers(scalar, count * N),
        ElementKind::Structure(bytes) => ElementKind::Structure(bytes * N),
    };
}

/// Declares structures that device memory can hold: `#[repr(C)]`, all fields of types that it can
/// hold, and no padding between them, which is an error of the compiler's.
///
/// ```
/// brook::structure! {
///     /// As in the kernel: `struct Particle { float position[3]; float mass; };`.
///     pub struct Particle {
///         /// Where it is.
///         pub position: [f32; 3],
///         /// How heavy.
///         pub mass: f32,
///     }
/// }
/// let particle = Particle { position: [0.0; 3], mass: 1.0 };
/// assert_eq!(particle, particle.clone());
/// ```
///
/// ```compile_fail
/// // Four bytes between the fields would be nobody's: declare them.
/// brook::structure! { struct Padded { a: f32, b: f64 } }
/// ```
#[macro_export]
macro_rules! structure {
    ($($(#[$meta:meta])* $visible:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visible:vis $field:ident: $type:ty),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(C)]
        $visible struct $name {
            $($(#[$field_meta])* $field_visible $field: $type,)+
        }

        const _: () = {
            const fn bytes<T: $crate::runtime::Element>() -> usize {
                ::core::mem::size_of::<T>()
            }
            assert!(
                ::core::mem::size_of::<$name>() == 0 $(+ bytes::<$type>())+,
                "the structure has padding: declare it as fields"
            );
        };

        // SAFETY: all fields are elements, and there is nothing between them.
        unsafe impl $crate::runtime::Element for $name {
            const KIND: $crate::runtime::ElementKind =
                $crate::runtime::ElementKind::Structure(::core::mem::size_of::<$name>());
        }
    )+};
}

/// The bytes of a slice of elements.
pub(crate) fn bytes_of<T: Element>(slice: &[T]) -> &[u8] {
    // SAFETY: elements have no padding, so every byte of them is initialised, and a byte has no
    // alignment.
    unsafe { std::slice::from_raw_parts(slice.as_ptr().cast(), size_of_val(slice)) }
}

/// The bytes of a slice of elements, to be written.
pub(crate) fn bytes_of_mut<T: Element>(slice: &mut [T]) -> &mut [u8] {
    // SAFETY: as in `bytes_of`; and any bytes are valid elements.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr().cast(), size_of_val(slice)) }
}

/// Elements of zeros.
pub(crate) fn zeros<T: Element>(len: usize) -> Vec<T> {
    // SAFETY: any bytes are a valid element.
    vec![unsafe { std::mem::zeroed() }; len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_bytes() {
        assert_eq!(f64::KIND.to_string(), "double");
        assert_eq!(
            <[[f32; 2]; 3]>::KIND,
            ElementKind::Numbers(Scalar::Float, 6)
        );
        assert_eq!(<[u8; 4]>::KIND.to_string(), "unsigned char[4]");
        assert_eq!(bytes_of(&[[1u16, 2]]).len(), 4);
        let mut numbers = zeros::<u32>(2);
        bytes_of_mut(&mut numbers)[4] = 9;
        assert_eq!(numbers, [0, u32::from_le(9)]);
    }
}
