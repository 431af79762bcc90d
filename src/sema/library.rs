//! Functions that no program declares: C's of `<math.h>`, and what every target has.

use crate::expr::Scalar;
use crate::module::CollectiveFunction;

/// Functions of floating-point numbers, with as many arguments of one type as they have.
pub(crate) const REAL_FUNCTIONS: [&str; 48] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

/// The type in which C++ computes a function of floating-point numbers: an integer counts as a double.
pub(crate) fn computed_in(arguments: &[Scalar]) -> Scalar {
    match arguments.iter().all(|a| *a == Scalar::Float) {
        true => Scalar::Float,
        false => Scalar::Double,
    }
}

/// The result of a function of the library, or of the whole group, for arguments of these types.
pub(crate) fn result(name: &str, arguments: &[Scalar]) -> Option<Scalar> {
    if let Some(function) = CollectiveFunction::from_name(name) {
        let value = arguments
            .get(usize::from(function.is_shuffle()))
            .filter(|_| !function.is_vote());
        return Some(value.map_or(Scalar::Int, |v| v.promoted()));
    }
    let all = arguments.iter().copied().reduce(Scalar::common)?;
    match name {
        "isfinite" | "isinf" | "isnan" | "isnormal" => Some(Scalar::Int),
        "abs" => Some(all.promoted()),
        // Nothing is converted where all are of one type, small ones included.
        "max" | "min" => match arguments {
            [first, rest @ ..] if rest.iter().all(|r| r == first) => Some(*first),
            _ => Some(all),
        },
        _ if REAL_FUNCTIONS.contains(&name) => Some(computed_in(arguments)),
        _ => None,
    }
}
