//! Conversions between scalar types (C11 6.3).

use super::{Scalar, Value};

impl Scalar {
    /// The type after the integer promotions: what is narrower than `int` becomes `int`.
    pub fn promoted(self) -> Self {
        if self.is_float() {
            self
        } else {
            self.max(Self::Int)
        }
    }

    /// The type in which an arithmetic operator computes with operands of these types.
    pub fn common(self, other: Self) -> Self {
        // The enumeration is in the order of the usual arithmetic conversions.
        self.promoted().max(other.promoted())
    }

    /// Width in bits.
    pub const fn bits(self) -> u32 {
        8 * self.size() as u32
    }
}

impl Value {
    /// The value converted to a type: integers wrap, floating-point numbers saturate.
    #[must_use]
    pub fn convert(self, to: Scalar) -> Self {
        match (self, to) {
            (_, Scalar::Bool) => Self::Int(to, i64::from(self.is_true())),
            (Self::Int(Scalar::ULong, bits), Scalar::Double) => Self::Float(to, bits as u64 as f64),
            (Self::Int(Scalar::ULong, bits), Scalar::Float) => {
                Self::Float(to, f64::from(bits as u64 as f32))
            }
            (Self::Int(_, bits), Scalar::Double) => Self::Float(to, bits as f64),
            (Self::Int(_, bits), Scalar::Float) => Self::Float(to, f64::from(bits as f32)),
            (Self::Float(_, x), Scalar::Double) => Self::Float(to, x),
            (Self::Float(_, x), Scalar::Float) => Self::Float(to, f64::from(x as f32)),
            (Self::Int(_, bits), _) => Self::Int(to, wrap(bits, to)),
            (Self::Float(_, x), Scalar::Char) => Self::Int(to, (x as i8).into()),
            (Self::Float(_, x), Scalar::UChar) => Self::Int(to, (x as u8).into()),
            (Self::Float(_, x), Scalar::Short) => Self::Int(to, (x as i16).into()),
            (Self::Float(_, x), Scalar::UShort) => Self::Int(to, (x as u16).into()),
            (Self::Float(_, x), Scalar::Int) => Self::Int(to, (x as i32).into()),
            (Self::Float(_, x), Scalar::UInt) => Self::Int(to, (x as u32).into()),
            (Self::Float(_, x), Scalar::ULong) => Self::Int(to, x as u64 as i64),
            (Self::Float(_, x), Scalar::Long) => Self::Int(to, x as i64),
        }
    }

    /// Whether it is not zero.
    pub fn is_true(self) -> bool {
        match self {
            Self::Int(_, bits) => bits != 0,
            Self::Float(_, x) => x != 0.0,
        }
    }

    /// The nearest floating-point number.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Int(Scalar::ULong, bits) => bits as u64 as f64,
            Self::Int(_, bits) => bits as f64,
            Self::Float(_, x) => x,
        }
    }
}

/// The low bits of an integer, extended again as its type says.
fn wrap(bits: i64, to: Scalar) -> i64 {
    match to {
        Scalar::Char => bits as i8 as i64,
        Scalar::UChar => bits as u8 as i64,
        Scalar::Short => bits as i16 as i64,
        Scalar::UShort => bits as u16 as i64,
        Scalar::Int => bits as i32 as i64,
        Scalar::UInt => bits as u32 as i64,
        _ => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types() {
        assert_eq!(Scalar::Char.common(Scalar::Bool), Scalar::Int);
        assert_eq!(Scalar::Int.common(Scalar::UInt), Scalar::UInt);
        assert_eq!(Scalar::Long.common(Scalar::UInt), Scalar::Long);
        assert_eq!(Scalar::ULong.common(Scalar::Float), Scalar::Float);
        assert_eq!(Scalar::Float.common(Scalar::Double), Scalar::Double);
    }

    #[test]
    fn conversions_wrap_and_saturate() {
        let int = |x| Value::Int(Scalar::Long, x);
        assert_eq!(int(300).convert(Scalar::Char), Value::Int(Scalar::Char, 44));
        assert_eq!(
            int(-1).convert(Scalar::UInt),
            Value::Int(Scalar::UInt, 0xffff_ffff)
        );
        assert_eq!(int(2).convert(Scalar::Bool), Value::Int(Scalar::Bool, 1));
        let float = |x| Value::Float(Scalar::Double, x);
        assert_eq!(
            float(1e20).convert(Scalar::Int),
            Value::Int(Scalar::Int, i32::MAX.into())
        );
        assert_eq!(
            float(-1.0).convert(Scalar::UInt),
            Value::Int(Scalar::UInt, 0)
        );
        assert_eq!(
            float(f64::NAN).convert(Scalar::Int),
            Value::Int(Scalar::Int, 0)
        );
        assert_eq!(
            float(0.5).convert(Scalar::Bool),
            Value::Int(Scalar::Bool, 1)
        );
        let big = Value::Int(Scalar::ULong, -1);
        assert_eq!(
            big.convert(Scalar::Double),
            Value::Float(Scalar::Double, 2f64.powi(64))
        );
    }
}
