//! What the host makes of partial results of reductions.

use super::super::element::ElementType;
use crate::expr::Scalar;
use std::ops::{Add, Mul};

/// Makes one value, as bytes, of two.
pub(super) type Join = fn(&mut [u8], &[u8]);

/// How elements of a type are joined by an operator of a reduction, as the devices do it: integers wrap, and floats are rounded
/// to their type. `None` where they are not of numbers, or these have no such operator.
pub(super) fn by(element: ElementType, operator: &str) -> Option<Join> {
    macro_rules! of {
        ($type:ty, $join:expr) => {{
            fn joined(total: &mut [u8], partial: &[u8]) {
                const SIZE: usize = size_of::<$type>();
                let (total, _) = total.as_chunks_mut::<SIZE>();
                let (partial, _) = partial.as_chunks::<SIZE>();
                for (total, partial) in total.iter_mut().zip(partial) {
                    let values = [&*total, partial].map(|b| <$type>::from_ne_bytes(*b));
                    *total = <$type>::to_ne_bytes($join(values[0], values[1]));
                }
            }
            Some(joined)
        }};
    }
    macro_rules! of_floats {
        ($type:ty) => {
            match operator {
                "+" => of!($type, Add::add),
                "*" => of!($type, Mul::mul),
                _ => None,
            }
        };
    }
    macro_rules! of_integers {
        ($type:ty) => {
            match operator {
                "+" => of!($type, <$type>::wrapping_add),
                "*" => of!($type, <$type>::wrapping_mul),
                "&" => of!($type, std::ops::BitAnd::bitand),
                "|" => of!($type, std::ops::BitOr::bitor),
                "^" => of!($type, std::ops::BitXor::bitxor),
                _ => None,
            }
        };
    }
    let (scalar, _) = element.numbers()?;
    match scalar {
        Scalar::Float => of_floats!(f32),
        Scalar::Double => of_floats!(f64),
        Scalar::Char => of_integers!(i8),
        Scalar::UChar => of_integers!(u8),
        Scalar::Short => of_integers!(i16),
        Scalar::UShort => of_integers!(u16),
        Scalar::Int => of_integers!(i32),
        Scalar::UInt => of_integers!(u32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined<const SIZE: usize>(
        element: &str,
        operator: &str,
        one: [u8; SIZE],
        other: [u8; SIZE],
    ) -> Option<[u8; SIZE]> {
        let join = by(ElementType::from_name(element)?, operator)?;
        let mut total = one;
        join(&mut total, &other);
        Some(total)
    }

    #[test]
    fn integers_wrap() {
        let chars = |operator, a: i8, b: i8| {
            joined("char", operator, a.to_ne_bytes(), b.to_ne_bytes()).map(i8::from_ne_bytes)
        };
        assert_eq!(chars("+", 100, 100), Some(-56));
        assert_eq!(chars("*", 16, 17), Some(16));
        assert_eq!(chars("^", 5, -1), Some(-6));
        let uints = |operator, a: u32, b: u32| {
            joined("uint", operator, a.to_ne_bytes(), b.to_ne_bytes()).map(u32::from_ne_bytes)
        };
        assert_eq!(uints("+", u32::MAX, 2), Some(1));
        assert_eq!(uints("&", 12, 10), Some(8));
        assert_eq!(uints("|", 12, 10), Some(14));
    }

    #[test]
    fn vectors_join_by_component_and_floats_round() {
        let bytes = |values: [f32; 2]| -> [u8; 8] {
            let [x, y] = values.map(f32::to_ne_bytes);
            std::array::from_fn(|n| if n < 4 { x[n] } else { y[n - 4] })
        };
        let sum = joined(
            "float2",
            "+",
            bytes([16_777_216.0, 0.5]),
            bytes([1.0, 0.25]),
        );
        assert_eq!(sum, Some(bytes([16_777_216.0, 0.75])));
        let product = joined("double", "*", 0.1f64.to_ne_bytes(), 3.0f64.to_ne_bytes());
        assert_eq!(product.map(f64::from_ne_bytes), Some(0.1 * 3.0));
    }

    #[test]
    fn what_has_no_such_operator_is_left_to_the_devices() {
        for (element, operator) in [
            ("float", "&"),
            ("double", "^"),
            ("bytes:8", "+"),
            ("int", "min"),
        ] {
            assert!(by(ElementType::from_name(element).unwrap(), operator).is_none());
        }
    }
}
