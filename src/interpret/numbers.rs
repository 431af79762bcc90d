//! Numbers in registers: conversions, and what has no instruction of its own for each type.

use super::code::Width;
use crate::expr::Scalar;

/// The low bits of an integer, extended again.
#[inline(always)]
pub(super) fn wrap(value: u64, width: Width) -> u64 {
    match width {
        Width::I8 => value as i8 as i64 as u64,
        Width::U8 => u64::from(value as u8),
        Width::I16 => value as i16 as i64 as u64,
        Width::U16 => u64::from(value as u16),
        Width::I32 => value as i32 as i64 as u64,
        Width::U32 => u64::from(value as u32),
        Width::Whole => value,
    }
}

/// A number of another type, and whether that can hold what is left without its fraction.
pub(super) fn convert(value: u64, from: Scalar, to: Scalar) -> (u64, bool) {
    let real = match from {
        Scalar::Float => f64::from(f32::from_bits(value as u32)),
        Scalar::Double => f64::from_bits(value),
        Scalar::ULong => value as f64,
        _ => value as i64 as f64,
    };
    match to {
        Scalar::Bool if from.is_float() => (u64::from(real != 0.0), true),
        Scalar::Bool => (u64::from(value != 0), true),
        Scalar::Float => {
            // Rounded once.
            let single = match from {
                Scalar::Float => f32::from_bits(value as u32),
                Scalar::Double => real as f32,
                Scalar::ULong => value as f32,
                _ => value as i64 as f32,
            };
            (u64::from(single.to_bits()), true)
        }
        Scalar::Double => (real.to_bits(), true),
        _ if !from.is_float() => (wrap(value, Width::of(to)), true),
        _ => truncate(real, to),
    }
}

/// The integer of a number: the nearest one that the type has, and 0 of what is no number. To 8 and 16 bits by way of 32, which
/// wraps.
pub(super) fn saturate(value: u64, from: Scalar, to: Scalar) -> u64 {
    let real = match from {
        Scalar::Float => f64::from(f32::from_bits(value as u32)),
        _ => f64::from_bits(value),
    };
    let wide = match to {
        Scalar::ULong => return real as u64,
        Scalar::Long => real as i64,
        Scalar::UInt => i64::from(real as u32),
        _ => i64::from(real as i32),
    };
    wrap(wide as u64, Width::of(to))
}

/// The integer of a number, and whether the type holds it.
fn truncate(real: f64, to: Scalar) -> (u64, bool) {
    let bits = to.bits() as i32;
    // Powers of two are exact.
    let (low, high) = match to.is_unsigned() {
        true => (-1.0, 2f64.powi(bits)),
        false => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1)),
    };
    let whole = real.trunc();
    let fits = match to.is_unsigned() {
        true => whole > low && whole < high,
        false => whole >= low && whole < high,
    };
    let value = match to {
        Scalar::ULong => real as u64,
        _ => wrap(real as i64 as u64, Width::of(to)),
    };
    (value, fits)
}

/// The first unless the second is less.
pub(super) fn smaller(a: u64, b: u64, scalar: Scalar) -> u64 {
    if less(b, a, scalar) { b } else { a }
}

/// The first unless it is less than the second.
pub(super) fn larger(a: u64, b: u64, scalar: Scalar) -> u64 {
    if less(a, b, scalar) { b } else { a }
}

fn less(a: u64, b: u64, scalar: Scalar) -> bool {
    match scalar {
        Scalar::Float => f32::from_bits(a as u32) < f32::from_bits(b as u32),
        Scalar::Double => f64::from_bits(a) < f64::from_bits(b),
        Scalar::ULong => a < b,
        _ => (a as i64) < b as i64,
    }
}

/// The magnitude of an integer, and whether the type cannot hold it.
pub(super) fn absolute(value: u64, scalar: Scalar) -> (u64, bool) {
    if scalar.is_unsigned() {
        return (value, false);
    }
    let magnitude = (value as i64).wrapping_abs() as u64;
    let kept = wrap(magnitude, Width::of(scalar));
    (kept, (kept as i64) < 0)
}

/// The sum, as a collective takes it.
pub(super) fn sum(a: u64, b: u64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Float => {
            let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
            u64::from(sum.to_bits())
        }
        Scalar::Double => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
        _ => wrap(a.wrapping_add(b), Width::of(scalar)),
    }
}

/// What changes nothing: for a sum, a minimum, a maximum.
pub(super) fn identities(scalar: Scalar) -> [u64; 3] {
    let float = |x: f32| u64::from(x.to_bits());
    match scalar {
        Scalar::Float => [0, float(f32::INFINITY), float(f32::NEG_INFINITY)],
        Scalar::Double => [0, f64::INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()],
        _ if scalar.is_unsigned() => [0, u64::MAX >> (64 - scalar.bits()), 0],
        _ => {
            let high = i64::MAX >> (64 - scalar.bits());
            [0, high as u64, !high as u64]
        }
    }
}
