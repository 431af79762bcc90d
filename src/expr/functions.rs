//! The functions of scalars that expressions may call.

use super::{EvaluateError, Scalar, Value};

/// What a function computes.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// The smaller, in the common type of both arguments.
    Min,
    /// The larger, likewise.
    Max,
    /// The magnitude, in the argument's promoted type.
    Abs,
    /// A floating-point function of one argument.
    One(fn(f64) -> f64),
    /// A floating-point function of two arguments.
    Two(fn(f64, f64) -> f64),
    /// A floating-point function of three arguments.
    Three(fn(f64, f64, f64) -> f64),
    /// The magnitude of an integer of one type.
    Wide(Scalar),
    /// A question about one number.
    Test(fn(Value) -> bool),
    /// A question about two numbers, none of which is asked loudly for a NaN.
    Compare(fn(f64, f64) -> bool),
    /// A `long` out of a floating-point number.
    Rounded(fn(f64) -> f64),
    /// The binary exponent, an `int`.
    Exponent,
    /// A number and a power of two to scale it by.
    Scaled,
    /// A function of an integer order and a number.
    Order(fn(i32, f64) -> f64),
    /// The next number of its type in a direction.
    Next,
}

/// Names without the suffix `f`, which those of floating-point numbers may have: what a host can call
/// of `<math.h>`, that is all of it but what writes through a pointer or reads a string.
static FUNCTIONS: [(&str, Function); 76] = [
    ("min", Function::Min),
    ("max", Function::Max),
    ("abs", Function::Abs),
    ("fabs", Function::One(f64::abs)),
    ("floor", Function::One(f64::floor)),
    ("ceil", Function::One(f64::ceil)),
    ("round", Function::One(f64::round)),
    ("trunc", Function::One(f64::trunc)),
    ("rint", Function::One(f64::round_ties_even)),
    ("sqrt", Function::One(f64::sqrt)),
    ("cbrt", Function::One(f64::cbrt)),
    ("exp", Function::One(f64::exp)),
    ("exp2", Function::One(f64::exp2)),
    ("log", Function::One(f64::ln)),
    ("log2", Function::One(f64::log2)),
    ("log10", Function::One(f64::log10)),
    ("sin", Function::One(f64::sin)),
    ("cos", Function::One(f64::cos)),
    ("tan", Function::One(f64::tan)),
    ("pow", Function::Two(f64::powf)),
    ("fmod", Function::Two(|a, b| a % b)),
    ("fmin", Function::Two(f64::min)),
    ("fmax", Function::Two(f64::max)),
    ("hypot", Function::Two(f64::hypot)),
    ("nearbyint", Function::One(f64::round_ties_even)),
    ("expm1", Function::One(f64::exp_m1)),
    ("log1p", Function::One(f64::ln_1p)),
    ("asin", Function::One(f64::asin)),
    ("acos", Function::One(f64::acos)),
    ("atan", Function::One(f64::atan)),
    ("sinh", Function::One(f64::sinh)),
    ("cosh", Function::One(f64::cosh)),
    ("tanh", Function::One(f64::tanh)),
    ("asinh", Function::One(f64::asinh)),
    ("acosh", Function::One(f64::acosh)),
    ("atanh", Function::One(f64::atanh)),
    ("atan2", Function::Two(f64::atan2)),
    ("fdim", Function::Two(difference)),
    ("copysign", Function::Two(f64::copysign)),
    ("remainder", Function::Two(remainder)),
    ("fma", Function::Three(f64::mul_add)),
    ("exp10", Function::One(libm::exp10)),
    ("logb", Function::One(logb)),
    ("erf", Function::One(libm::erf)),
    ("erfc", Function::One(libm::erfc)),
    ("tgamma", Function::One(libm::tgamma)),
    ("lgamma", Function::One(libm::lgamma)),
    ("j0", Function::One(libm::j0)),
    ("j1", Function::One(libm::j1)),
    ("jn", Function::Order(libm::jn)),
    ("y0", Function::One(libm::y0)),
    ("y1", Function::One(libm::y1)),
    ("yn", Function::Order(libm::yn)),
    ("lrint", Function::Rounded(f64::round_ties_even)),
    ("llrint", Function::Rounded(f64::round_ties_even)),
    ("lround", Function::Rounded(f64::round)),
    ("llround", Function::Rounded(f64::round)),
    ("ilogb", Function::Exponent),
    ("ldexp", Function::Scaled),
    ("scalbn", Function::Scaled),
    ("scalbln", Function::Scaled),
    ("nextafter", Function::Next),
    ("nexttoward", Function::Next),
    ("isnan", Function::Test(|x| x.as_f64().is_nan())),
    ("isinf", Function::Test(|x| x.as_f64().is_infinite())),
    ("isfinite", Function::Test(|x| x.as_f64().is_finite())),
    ("isnormal", Function::Test(is_normal)),
    ("signbit", Function::Test(|x| x.as_f64().is_sign_negative())),
    ("isgreater", Function::Compare(|a, b| a > b)),
    ("isgreaterequal", Function::Compare(|a, b| a >= b)),
    ("isless", Function::Compare(|a, b| a < b)),
    ("islessequal", Function::Compare(|a, b| a <= b)),
    (
        "islessgreater",
        Function::Compare(|a, b| a != b && !(a.is_nan() || b.is_nan())),
    ),
    (
        "isunordered",
        Function::Compare(|a, b| a.is_nan() || b.is_nan()),
    ),
    ("labs", Function::Wide(Scalar::Long)),
    ("llabs", Function::Wide(Scalar::Long)),
];

/// The positive difference.
fn difference(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a > b {
        a - b
    } else {
        0.0
    }
}

/// `a - n * b` where `n` is the integer nearest to `a / b`, the even one of two (IEEE 754).
fn remainder(a: f64, b: f64) -> f64 {
    if b.is_infinite() && a.is_finite() {
        return a;
    }
    let b = b.abs();
    // Exact, and so is what follows: no quotient is rounded.
    let rest = a % (2.0 * b);
    let size = rest.abs();
    let nearest = if size >= 1.5 * b {
        size - 2.0 * b
    } else if size > 0.5 * b {
        size - b
    } else {
        size
    };
    if nearest == 0.0 {
        0.0_f64.copysign(a)
    } else {
        nearest * 1.0_f64.copysign(a)
    }
}

fn is_normal(x: Value) -> bool {
    match x {
        Value::Float(Scalar::Float, x) => (x as f32).is_normal(),
        other => other.as_f64().is_normal(),
    }
}

/// The exponent as a number: infinite for zero and for what is infinite.
fn logb(x: f64) -> f64 {
    match x {
        x if x.is_nan() || x.is_infinite() => x * x,
        0.0 => f64::NEG_INFINITY,
        x => f64::from(libm::ilogb(x)),
    }
}

/// Whether the evaluator knows a function of that name.
pub fn is_function(name: &str) -> bool {
    find(name).is_some()
}

/// The function of that name, and whether it is the `float` variant.
pub(super) fn find(name: &str) -> Option<(Function, bool)> {
    let name = name.trim_start_matches("::");
    let name = name.strip_prefix("std::").unwrap_or(name);
    let plain = |name: &str| FUNCTIONS.iter().find(|row| row.0 == name).map(|row| row.1);
    if let Some(function) = plain(name) {
        return Some((function, false));
    }
    match name.strip_suffix('f').and_then(plain)? {
        Function::Min
        | Function::Max
        | Function::Abs
        | Function::Wide(_)
        | Function::Test(_)
        | Function::Compare(_) => None,
        function => Some((function, true)),
    }
}

impl Function {
    /// The type of its result for arguments of these types.
    pub(super) fn result(self, single: bool, arguments: &[Scalar]) -> Option<Scalar> {
        // C++'s overloads: an integer argument counts as double.
        let float = |s: Scalar| if s.is_float() { s } else { Scalar::Double };
        match (self, arguments) {
            (Self::Min | Self::Max, [a, b]) => Some(a.common(*b)),
            (Self::Abs, [a]) => Some(a.promoted()),
            (Self::Wide(scalar), [_]) => Some(scalar),
            (Self::Three(_), [_, _, _]) if single => Some(Scalar::Float),
            (Self::Three(_), [a, b, c]) => Some(float(*a).common(float(*b)).common(float(*c))),
            (Self::Test(_), [_]) | (Self::Compare(_), [_, _]) => Some(Scalar::Int),
            (Self::Rounded(_), [_]) => Some(Scalar::Long),
            (Self::Exponent, [_]) => Some(Scalar::Int),
            (Self::One(_), [_])
            | (Self::Two(_) | Self::Scaled | Self::Order(_) | Self::Next, [_, _])
                if single =>
            {
                Some(Scalar::Float)
            }
            (Self::Scaled, [a, _]) | (Self::Order(_), [_, a]) => Some(float(*a)),
            (Self::Next, [a, b]) => Some(float(*a).common(float(*b))),
            (Self::One(_), [a]) => Some(float(*a)),
            (Self::Two(_), [a, b]) => Some(float(*a).common(float(*b))),
            _ => None,
        }
    }
}

/// Calls a function by name.
pub(super) fn call(name: &str, arguments: &[Value]) -> Result<Value, EvaluateError> {
    let (function, single) = find(name).ok_or_else(|| EvaluateError::NotAFunction(name.into()))?;
    let scalars: Vec<Scalar> = arguments.iter().map(|a| a.scalar()).collect();
    let to = function
        .result(single, &scalars)
        .ok_or_else(|| EvaluateError::WrongArguments {
            function: name.into(),
            count: arguments.len(),
        })?;
    let value = match (function, arguments) {
        (Function::Test(f), [a]) => Some(Value::int(f(*a).into())),
        (Function::Compare(f), [a, b]) => Some(Value::int(f(a.as_f64(), b.as_f64()).into())),
        (Function::Rounded(f), [a]) => Some(Value::Float(Scalar::Double, f(a.as_f64()))),
        (Function::Exponent, [a]) => Some(Value::int(libm::ilogb(a.as_f64()))),
        (Function::Scaled, [a, n]) => {
            let scaled = libm::ldexp(a.as_f64(), int(*n));
            Some(Value::Float(Scalar::Double, scaled))
        }
        (Function::Order(f), [n, a]) => Some(Value::Float(Scalar::Double, f(int(*n), a.as_f64()))),
        (Function::Next, [a, b]) => {
            let (a, b) = (a.as_f64(), b.as_f64());
            Some(Value::Float(
                Scalar::Double,
                match to {
                    Scalar::Float => libm::nextafterf(a as f32, b as f32).into(),
                    _ => libm::nextafter(a, b),
                },
            ))
        }
        _ => None,
    };
    if let Some(value) = value {
        return Ok(value.convert(to));
    }
    let converted: Vec<Value> = arguments.iter().map(|a| a.convert(to)).collect();
    let value = match (function, converted.as_slice()) {
        (Function::Min, [a, b]) => {
            if less(*b, *a) {
                *b
            } else {
                *a
            }
        }
        (Function::Max, [a, b]) => {
            if less(*a, *b) {
                *b
            } else {
                *a
            }
        }
        (Function::Abs, [Value::Int(_, bits)]) if to.is_unsigned() => Value::Int(to, *bits),
        (Function::Abs | Function::Wide(_), [Value::Int(_, bits)]) => {
            Value::Int(Scalar::Long, bits.wrapping_abs())
        }
        (Function::Abs, [Value::Float(_, x)]) => Value::Float(to, x.abs()),
        (Function::One(f), [a]) => Value::Float(Scalar::Double, f(a.as_f64())),
        (Function::Two(f), [a, b]) => Value::Float(Scalar::Double, f(a.as_f64(), b.as_f64())),
        (Function::Three(f), [a, b, c]) => {
            Value::Float(Scalar::Double, f(a.as_f64(), b.as_f64(), c.as_f64()))
        }
        _ => return Err(EvaluateError::NotAFunction(name.into())),
    };
    Ok(value.convert(to))
}

/// A number as an `int`; what is beyond that scales everything away just the same.
fn int(n: Value) -> i32 {
    match n.convert(Scalar::Long) {
        Value::Int(_, n) => n.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
        Value::Float(..) => 0,
    }
}

/// `a < b` for two values of one type.
pub(super) fn less(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Int(Scalar::ULong, a), Value::Int(_, b)) => (a as u64) < b as u64,
        (Value::Int(_, a), Value::Int(_, b)) => a < b,
        (a, b) => a.as_f64() < b.as_f64(),
    }
}
