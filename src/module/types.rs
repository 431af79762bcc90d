use crate::expr::Scalar;
use std::fmt;

/// The base types of Brook+ (specification, section 6.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Base {
    Void,
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Float,
    Double,
}

impl Base {
    /// As Brook+ spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Bool => "bool",
            Self::Char => "char",
            Self::UChar => "uchar",
            Self::Short => "short",
            Self::UShort => "ushort",
            Self::Int => "int",
            Self::UInt => "uint",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// Whether it is an integer.
    pub const fn is_integer(self) -> bool {
        !matches!(self, Self::Void | Self::Float | Self::Double)
    }

    /// Whether it is an integer of 8 or 16 bits.
    pub const fn is_small(self) -> bool {
        matches!(self, Self::Char | Self::UChar | Self::Short | Self::UShort)
    }

    /// The scalar of the host's C; `None` for `void`.
    pub const fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Self::Void => return None,
            Self::Bool => Scalar::Bool,
            Self::Char => Scalar::Char,
            Self::UChar => Scalar::UChar,
            Self::Short => Scalar::Short,
            Self::UShort => Scalar::UShort,
            Self::Int => Scalar::Int,
            Self::UInt => Scalar::UInt,
            Self::Float => Scalar::Float,
            Self::Double => Scalar::Double,
        })
    }
}

/// A type inside a Brook+ kernel: a base type with one to four components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type {
    /// Type of each component.
    pub base: Base,
    /// Number of components; 1 is a scalar.
    pub width: u8,
}

impl Type {
    /// A scalar.
    pub const fn scalar(base: Base) -> Self {
        Self { base, width: 1 }
    }

    /// A vector.
    pub const fn vector(base: Base, width: u8) -> Self {
        Self { base, width }
    }

    /// Whether it has more than one component.
    pub const fn is_vector(self) -> bool {
        self.width > 1
    }

    /// The same number of components of another base.
    pub const fn with_base(self, base: Base) -> Self {
        Self {
            base,
            width: self.width,
        }
    }

    /// Bytes of one value in host memory, where vectors are packed.
    pub fn size(self) -> usize {
        self.base.scalar().map_or(0, Scalar::size) * self.width as usize
    }

    /// The type that `float4`, `unsigned int`, `unsigned char3`, … name.
    pub fn from_words(words: &str) -> Option<Self> {
        let mut base = None;
        let mut width = 1;
        let mut unsigned = false;
        for word in words.split_ascii_whitespace() {
            let word = match word {
                "const" | "auto" | "register" | "static" | "signed" => continue,
                "unsigned" => {
                    unsigned = true;
                    continue;
                }
                word => word,
            };
            let (name, digits) = match word.bytes().last() {
                Some(b'2'..=b'4') => word.split_at(word.len() - 1),
                _ => (word, ""),
            };
            let this = match name {
                "void" => Base::Void,
                "bool" => Base::Bool,
                "char" => Base::Char,
                "uchar" => Base::UChar,
                "short" => Base::Short,
                "ushort" => Base::UShort,
                "int" => Base::Int,
                "uint" => Base::UInt,
                "float" => Base::Float,
                "double" => Base::Double,
                _ => return None,
            };
            if base.is_some() && !(this == Base::Int && base == Some(Base::Short)) {
                return None;
            }
            base = base.or(Some(this));
            if let Some(n) = digits.bytes().next() {
                width = n - b'0';
            }
        }
        let base = match (base, unsigned) {
            (None, true) | (Some(Base::Int), true) => Base::UInt,
            (Some(Base::Char), true) => Base::UChar,
            (Some(Base::Short), true) => Base::UShort,
            (Some(base), false) => base,
            _ => return None,
        };
        (base != Base::Void || width == 1).then_some(Self { base, width })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base.name())?;
        if self.is_vector() {
            write!(f, "{}", self.width)
        } else {
            Ok(())
        }
    }
}
