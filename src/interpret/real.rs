//! C's functions of real numbers.

/// A function, for `float` and for `double`.
#[derive(Clone, Copy)]
pub(super) enum Real {
    One(fn(f32) -> f32, fn(f64) -> f64),
    Two(fn(f32, f32) -> f32, fn(f64, f64) -> f64),
    Three(fn(f32, f32, f32) -> f32, fn(f64, f64, f64) -> f64),
    /// A number, and an `int`.
    Scaled(fn(f32, i32) -> f32, fn(f64, i32) -> f64),
    /// Yes or no, as 1 or 0.
    Test(fn(f64) -> bool),
    /// Of two numbers; `float`s are compared as `double`s.
    Compare(fn(f64, f64) -> bool),
    /// An integer of a number.
    Integer(fn(f64) -> i64),
}

impl Real {
    /// How many arguments it takes.
    pub(super) const fn arguments(self) -> usize {
        match self {
            Self::One(..) | Self::Test(_) | Self::Integer(_) => 1,
            Self::Two(..) | Self::Scaled(..) | Self::Compare(_) => 2,
            Self::Three(..) => 3,
        }
    }
}

/// The number of a function in [`REAL`].
pub(super) fn find(name: &str) -> Option<u16> {
    let at = REAL.iter().position(|(known, _)| *known == name)?;
    Some(at as u16)
}

/// By C's name without a suffix.
pub(super) static REAL: [(&str, Real); 62] = [
    ("fabs", Real::One(f32::abs, f64::abs)),
    ("floor", Real::One(f32::floor, f64::floor)),
    ("ceil", Real::One(f32::ceil, f64::ceil)),
    ("round", Real::One(f32::round, f64::round)),
    ("trunc", Real::One(f32::trunc, f64::trunc)),
    (
        "rint",
        Real::One(f32::round_ties_even, f64::round_ties_even),
    ),
    (
        "nearbyint",
        Real::One(f32::round_ties_even, f64::round_ties_even),
    ),
    ("sqrt", Real::One(f32::sqrt, f64::sqrt)),
    ("rsqrt", Real::One(|x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt())),
    ("cbrt", Real::One(f32::cbrt, f64::cbrt)),
    ("exp", Real::One(f32::exp, f64::exp)),
    ("exp2", Real::One(f32::exp2, f64::exp2)),
    ("exp10", Real::One(libm::exp10f, libm::exp10)),
    ("expm1", Real::One(f32::exp_m1, f64::exp_m1)),
    ("log", Real::One(f32::ln, f64::ln)),
    ("log2", Real::One(f32::log2, f64::log2)),
    ("log10", Real::One(f32::log10, f64::log10)),
    ("log1p", Real::One(f32::ln_1p, f64::ln_1p)),
    ("sin", Real::One(f32::sin, f64::sin)),
    ("cos", Real::One(f32::cos, f64::cos)),
    ("tan", Real::One(f32::tan, f64::tan)),
    ("asin", Real::One(f32::asin, f64::asin)),
    ("acos", Real::One(f32::acos, f64::acos)),
    ("atan", Real::One(f32::atan, f64::atan)),
    ("sinh", Real::One(f32::sinh, f64::sinh)),
    ("cosh", Real::One(f32::cosh, f64::cosh)),
    ("tanh", Real::One(f32::tanh, f64::tanh)),
    ("asinh", Real::One(f32::asinh, f64::asinh)),
    ("acosh", Real::One(f32::acosh, f64::acosh)),
    ("atanh", Real::One(f32::atanh, f64::atanh)),
    ("erf", Real::One(libm::erff, libm::erf)),
    ("erfc", Real::One(libm::erfcf, libm::erfc)),
    ("tgamma", Real::One(libm::tgammaf, libm::tgamma)),
    ("lgamma", Real::One(libm::lgammaf, libm::lgamma)),
    ("j0", Real::One(libm::j0f, libm::j0)),
    ("j1", Real::One(libm::j1f, libm::j1)),
    ("y0", Real::One(libm::y0f, libm::y0)),
    ("y1", Real::One(libm::y1f, libm::y1)),
    ("pow", Real::Two(f32::powf, f64::powf)),
    ("fmod", Real::Two(|a, b| a % b, |a, b| a % b)),
    ("remainder", Real::Two(libm::remainderf, libm::remainder)),
    ("fmin", Real::Two(f32::min, f64::min)),
    ("fmax", Real::Two(f32::max, f64::max)),
    ("fdim", Real::Two(libm::fdimf, libm::fdim)),
    ("hypot", Real::Two(f32::hypot, f64::hypot)),
    ("atan2", Real::Two(f32::atan2, f64::atan2)),
    ("copysign", Real::Two(f32::copysign, f64::copysign)),
    ("nextafter", Real::Two(libm::nextafterf, libm::nextafter)),
    ("fma", Real::Three(f32::mul_add, f64::mul_add)),
    ("ldexp", Real::Scaled(libm::ldexpf, libm::ldexp)),
    ("scalbn", Real::Scaled(libm::scalbnf, libm::scalbn)),
    ("isnan", Real::Test(f64::is_nan)),
    ("isinf", Real::Test(f64::is_infinite)),
    ("isfinite", Real::Test(f64::is_finite)),
    ("signbit", Real::Test(f64::is_sign_negative)),
    ("isgreater", Real::Compare(|a, b| a > b)),
    ("isless", Real::Compare(|a, b| a < b)),
    ("isgreaterequal", Real::Compare(|a, b| a >= b)),
    ("islessequal", Real::Compare(|a, b| a <= b)),
    ("lrint", Real::Integer(|x| x.round_ties_even() as i64)),
    ("lround", Real::Integer(|x| x.round() as i64)),
    ("ilogb", Real::Integer(|x| i64::from(libm::ilogb(x)))),
];

/// Computes one on registers.
pub(super) fn compute(real: Real, single: bool, arguments: &[u64]) -> u64 {
    let a = |i: usize| arguments.get(i).copied().unwrap_or(0);
    let (s, d) = (
        |i: usize| f32::from_bits(a(i) as u32),
        |i: usize| f64::from_bits(a(i)),
    );
    let wide = |i: usize| if single { f64::from(s(i)) } else { d(i) };
    let f32 = |x: f32| u64::from(x.to_bits());
    match (real, single) {
        (Real::One(f, _), true) => f32(f(s(0))),
        (Real::One(_, f), false) => f(d(0)).to_bits(),
        (Real::Two(f, _), true) => f32(f(s(0), s(1))),
        (Real::Two(_, f), false) => f(d(0), d(1)).to_bits(),
        (Real::Three(f, _), true) => f32(f(s(0), s(1), s(2))),
        (Real::Three(_, f), false) => f(d(0), d(1), d(2)).to_bits(),
        (Real::Scaled(f, _), true) => f32(f(s(0), a(1) as i32)),
        (Real::Scaled(_, f), false) => f(d(0), a(1) as i32).to_bits(),
        (Real::Test(f), _) => u64::from(f(wide(0))),
        (Real::Compare(f), _) => u64::from(f(wide(0), wide(1))),
        (Real::Integer(f), _) => f(wide(0)) as u64,
    }
}
