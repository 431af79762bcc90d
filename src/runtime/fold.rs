//! What the host makes of partial results of reductions, where it has them sooner than another kernel would have made one of them.

use super::element::ElementType;
use super::trace::{self, What};
use super::{Device, Result};
use crate::expr::Scalar;
use brook_driver::Buffer;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul};
use std::sync::Arc;

/// Bytes of partial results that are folded by the host at most.
const MOST_BYTES: u64 = 1 << 16;

/// Lanes that combine what all have, in the last kernel of a reduction (`templates/common/brook_reduce.tera`).
const COMBINING: usize = 16;

/// An operator of reductions on the elements of a type, as bytes, as devices have it: integers wrap, and floats are rounded to
/// their type.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    /// Makes one value of two.
    pub(super) join: fn(&mut [u8], &[u8]),
    /// Makes one value of many, in the order in which so many lanes do it.
    many: fn(&[u8], usize, &mut [u8]),
}

impl Fold {
    /// `None` where the elements are not of numbers, or these have no such operator.
    pub(super) fn of(element: ElementType, operator: &str) -> Option<Self> {
        macro_rules! of {
            ($type:ty, $identity:expr, $join:expr) => {
                Some(Self {
                    join: |total, partial| {
                        let (total, _) = total.as_chunks_mut();
                        let (partial, _) = partial.as_chunks();
                        for (total, partial) in total.iter_mut().zip(partial) {
                            let (a, b) = (
                                <$type>::from_ne_bytes(*total),
                                <$type>::from_ne_bytes(*partial),
                            );
                            *total = $join(a, b).to_ne_bytes();
                        }
                    },
                    many: |partials, lanes, total| {
                        let (partials, _) = partials.as_chunks();
                        let (total, _) = total.as_chunks_mut();
                        let partials = partials.iter().map(|b| <$type>::from_ne_bytes(*b));
                        let folded = lanes_fold(partials, (total.len(), lanes), $identity, $join);
                        for (total, value) in total.iter_mut().zip(folded) {
                            *total = value.to_ne_bytes();
                        }
                    },
                })
            };
        }
        macro_rules! of_floats {
            ($type:ty) => {
                match operator {
                    "+" => of!($type, 0.0, Add::add),
                    "*" => of!($type, 1.0, Mul::mul),
                    _ => None,
                }
            };
        }
        macro_rules! of_integers {
            ($type:ty) => {
                match operator {
                    "+" => of!($type, 0, <$type>::wrapping_add),
                    "*" => of!($type, 1, <$type>::wrapping_mul),
                    "&" => of!($type, !0, BitAnd::bitand),
                    "|" => of!($type, 0, BitOr::bitor),
                    "^" => of!($type, 0, BitXor::bitxor),
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
}

/// What lanes make of partial results: each folds every so-manieth, some combine what all have, and the first what these have.
fn lanes_fold<T: Copy>(
    partials: impl Iterator<Item = T>,
    (width, lanes): (usize, usize),
    identity: T,
    join: impl Fn(T, T) -> T,
) -> Vec<T> {
    let mut values = vec![identity; width * lanes];
    let mut partials = partials.peekable();
    while partials.peek().is_some() {
        for (value, partial) in values.iter_mut().zip(&mut partials) {
            *value = join(*value, partial);
        }
    }
    let mut combine = |lane: usize, other: usize| {
        for component in 0..width {
            let (to, from) = (lane * width + component, other * width + component);
            values[to] = join(values[to], values[from]);
        }
    };
    let some = lanes.min(COMBINING);
    for lane in 0..some {
        let others = (COMBINING..lanes).step_by(COMBINING);
        others.for_each(|other| combine(lane, lane + other));
    }
    (1..some).for_each(|other| combine(0, other));
    values.truncate(width);
    values
}

/// Partial results that a device makes for the host, one element behind the other.
pub(super) struct Partials {
    memory: Arc<dyn Buffer>,
    bytes: usize,
    lanes: usize,
    fold: Fold,
    size: usize,
}

impl Partials {
    /// Memory for so many, which so many lanes would make one of; `None` where a kernel does that.
    pub(super) fn new(
        device: &Device,
        element: ElementType,
        operator: Option<&str>,
        (parts, lanes): (u64, usize),
    ) -> Result<Option<Self>> {
        let size = element.size();
        let bytes = parts * size as u64;
        let fold = operator.and_then(|operator| Fold::of(element, operator));
        let (Some(fold), true) = (fold, parts > 1 && bytes <= MOST_BYTES) else {
            return Ok(None);
        };
        if !device.driver().has_near_results() {
            return Ok(None);
        }
        let bytes = bytes as usize;
        Ok(Some(Self {
            // Of few sizes, so that it is kept.
            memory: device.take_variable(bytes.next_power_of_two().max(4096))?,
            bytes,
            lanes,
            fold,
            size,
        }))
    }

    pub(super) fn memory(&self) -> &Arc<dyn Buffer> {
        &self.memory
    }

    /// Waits for them, and makes one of them.
    pub(super) fn finish(self, device: &Device) -> Result<Vec<u8>> {
        let mut partials = vec![0; self.bytes];
        let what = What::to_host(self.bytes);
        trace::waiting(device, what, || self.memory.read(0, &mut partials))?;
        device.keep_variable(self.memory);
        let mut total = vec![0; self.size];
        (self.fold.many)(&partials, self.lanes, &mut total);
        Ok(total)
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
        let fold = Fold::of(ElementType::from_name(element)?, operator)?;
        let mut total = one;
        (fold.join)(&mut total, &other);
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
            assert!(Fold::of(ElementType::from_name(element).unwrap(), operator).is_none());
        }
    }

    #[test]
    fn lanes_fold_what_is_theirs() {
        let fold = Fold::of(ElementType::from_name("float").unwrap(), "+").unwrap();
        // Of 40 numbers, lane n of 32 has n and n + 32; of 16, n and n + 16.
        let large = 16_777_216.0f32;
        let mut numbers = [0.0f32; 40];
        (numbers[0], numbers[32], numbers[16], numbers[1]) = (large, 1.0, 1.0, -large);
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_ne_bytes()).collect();
        let folded = |lanes| {
            let mut total = [0; 4];
            (fold.many)(&bytes, lanes, &mut total);
            f32::from_ne_bytes(total)
        };
        // Each 1 is lost in a number of more than 24 bits.
        assert_eq!(folded(32), 0.0);
        // In turn: large + -large, and the ones behind.
        assert_eq!(folded(1), 2.0);
        // Components have lanes of their own.
        let pairs = Fold::of(ElementType::from_name("int2").unwrap(), "+").unwrap();
        let bytes: Vec<u8> = (0..200i32).flat_map(i32::to_ne_bytes).collect();
        let mut total = [0; 8];
        (pairs.many)(&bytes, 16, &mut total);
        let [x, y] = [0, 4].map(|at| i32::from_ne_bytes(std::array::from_fn(|n| total[at + n])));
        assert_eq!((x, y), (9900, 10_000));
    }
}
