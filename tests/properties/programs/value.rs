//! Types of numbers, and what an expression's value can be.

use super::text::Text;
use crate::properties::random::Random;

/// A type of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
}

impl Type {
    pub const INTEGERS: [Self; 8] = [
        Self::Char,
        Self::UChar,
        Self::Short,
        Self::UShort,
        Self::Int,
        Self::UInt,
        Self::Long,
        Self::ULong,
    ];

    /// As both languages spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Char => "char",
            Self::UChar => "unsigned char",
            Self::Short => "short",
            Self::UShort => "unsigned short",
            Self::Int => "int",
            Self::UInt => "unsigned int",
            Self::Long => "long",
            Self::ULong => "unsigned long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// Bytes of one.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::Char | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Long | Self::ULong | Self::Double => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub fn is_signed(self) -> bool {
        !matches!(
            self,
            Self::Bool | Self::UChar | Self::UShort | Self::UInt | Self::ULong
        )
    }

    /// Bits of an integer, or of a floating number's significand.
    pub fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Float => 24,
            Self::Double => 53,
            other => other.size() as u32 * 8,
        }
    }

    /// All values of an integer type, and those that floating variables and elements take: multiples of a
    /// quarter that products and sums of a few keep exact.
    pub fn range(self) -> Range {
        match self {
            Self::Float => Range::new(-256, 256, 2),
            Self::Double => Range::new(-4096, 4096, 3),
            other if other.is_signed() => {
                let half = 1i128 << (other.bits() - 1);
                Range::new(-half, half - 1, 0)
            }
            other => Range::new(0, (1i128 << other.bits()) - 1, 0),
        }
    }

    /// After C's integer promotions.
    pub fn promoted(self) -> Self {
        match self {
            Self::Bool | Self::Char | Self::UChar | Self::Short | Self::UShort => Self::Int,
            other => other,
        }
    }

    /// After C's usual arithmetic conversions.
    pub fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        let rank = |t: Self| match t {
            Self::Int => 0,
            Self::UInt => 1,
            Self::Long => 2,
            Self::ULong => 3,
            Self::Float => 4,
            _ => 5,
        };
        if rank(a) >= rank(b) { a } else { b }
    }

    /// The unsigned type of an integer's size, at least as wide as `int`.
    pub fn wrapping(self) -> Self {
        match self.promoted() {
            Self::Int | Self::UInt => Self::UInt,
            _ => Self::ULong,
        }
    }

    /// A number of this type; integers are at the edges of some type more often than not.
    pub fn random(self, random: &mut Random) -> i128 {
        let range = self.range();
        if self.is_float() {
            return match random.within(0, 3) {
                0 => 0,
                1 => i128::from(random.within(-3, 3)) << range.scale,
                _ => i128::from(random.within(range.low as i64, range.high as i64)),
            };
        }
        let number = match random.within(0, 5) {
            0 | 1 => i128::from(random.within(-4, 9)),
            2 => {
                let edge = random.pick(&Self::INTEGERS).range();
                random.pick(&[
                    edge.low,
                    edge.high,
                    edge.low + 1,
                    edge.high - 1,
                    edge.high + 1,
                ])
            }
            3 => random.pick(&[range.low, range.high]),
            4 => i128::from(random.within(-70_000, 70_000)),
            _ => i128::from(random.next()),
        };
        range.wrapped(number)
    }

    /// A number of this type as C++ writes it, of a random form.
    pub fn literal(self, number: i128, random: &mut Random) -> Text {
        let text = match self {
            Self::Bool => random.pick(&[["false", "true"], ["false", "true"], ["0", "1"]])
                [number as usize]
                .to_string(),
            Self::Float | Self::Double => {
                let value = number as f64 / f64::from(1u32 << self.range().scale);
                let digits = match random.within(0, 2) {
                    0 if value.fract() == 0.0 => format!("{value:.0}."),
                    1 if value.abs() > 0.0 => format!("{value:e}"),
                    _ => format!("{value:?}"),
                };
                let suffix = match self {
                    Self::Float => random.pick(&["f", "f", "F"]),
                    _ => "",
                };
                match digits.contains(['.', 'e']) {
                    true => format!("{digits}{suffix}"),
                    false => format!("{digits}.0{suffix}"),
                }
            }
            _ => self.integer(number, random),
        };
        Text::same(match text.starts_with('-') {
            true => format!("({text})"),
            false => text,
        })
    }

    fn integer(self, number: i128, random: &mut Random) -> String {
        let promoted = self.promoted();
        let suffix = match promoted {
            Self::UInt => random.pick(&["u", "U"]),
            Self::Long => random.pick(&["L", "l"]),
            Self::ULong => random.pick(&["UL", "ul", "LU"]),
            _ => "",
        };
        if number == promoted.range().low && promoted.is_signed() {
            return format!("(-{}{suffix} - 1)", -(number + 1));
        }
        match random.within(0, 9) {
            0 if number >= 0 => format!("0x{number:x}{suffix}"),
            1 if number >= 0 => format!("0X{number:X}{suffix}"),
            2 if number > 0 => format!("0{number:o}{suffix}"),
            3 if promoted == Self::Int && (97..=122).contains(&number) => {
                format!("'{}'", number as u8 as char)
            }
            _ => format!("{number}{suffix}"),
        }
    }
}

/// Numbers of `low..=high`, in units of `1 / 2^scale`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    pub low: i128,
    pub high: i128,
    pub scale: u32,
}

impl Range {
    pub fn new(low: i128, high: i128, scale: u32) -> Self {
        Self { low, high, scale }
    }

    /// One whole number.
    pub fn only(number: i128) -> Self {
        Self::new(number, number, 0)
    }

    pub fn within(self, other: Self) -> bool {
        let (a, b) = self.aligned(other);
        self.scale <= other.scale && b.low <= a.low && a.high <= b.high
    }

    /// Both in the finer one's units.
    pub fn aligned(self, other: Self) -> (Self, Self) {
        let scale = self.scale.max(other.scale);
        (self.finer(scale), other.finer(scale))
    }

    fn finer(self, scale: u32) -> Self {
        let by = scale - self.scale;
        Self::new(self.low << by, self.high << by, scale)
    }

    /// What either has.
    pub fn joined(self, other: Self) -> Self {
        let (a, b) = self.aligned(other);
        Self::new(a.low.min(b.low), a.high.max(b.high), a.scale)
    }

    pub fn plus(self, other: Self) -> Self {
        let (a, b) = self.aligned(other);
        Self::new(a.low + b.low, a.high + b.high, a.scale)
    }

    pub fn minus(self, other: Self) -> Self {
        self.plus(Self::new(-other.high, -other.low, other.scale))
    }

    pub fn times(self, other: Self) -> Self {
        let all = [
            self.low.saturating_mul(other.low),
            self.low.saturating_mul(other.high),
            self.high.saturating_mul(other.low),
            self.high.saturating_mul(other.high),
        ];
        let (low, high) = all
            .iter()
            .fold((all[0], all[0]), |(l, h), x| (l.min(*x), h.max(*x)));
        Self::new(low, high, self.scale + other.scale)
    }

    /// Whether a type's arithmetic has each of them exactly.
    pub fn is_exact(self, ty: Type) -> bool {
        match ty.is_float() {
            true => self.scale < 20 && self.low.abs().max(self.high.abs()) < 1i128 << ty.bits(),
            false => self.within(ty.range()),
        }
    }

    /// After conversion to an integer type: as it is, or all of the type.
    pub fn converted(self, ty: Type) -> Self {
        match (ty, self.within(ty.range())) {
            (_, true) => self,
            (_, false) => ty.range(),
        }
    }

    /// A whole number, as conversion to this type's range leaves it.
    fn wrapped(self, number: i128) -> i128 {
        let size = self.high - self.low + 1;
        (number - self.low).rem_euclid(size) + self.low
    }
}
