use crate::expr::Scalar;
use std::fmt;

/// A vector type of OKL: two to four components, laid out as OpenCL does it on host and device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VectorType {
    /// Type of each component.
    pub scalar: Scalar,
    /// 2, 3 or 4.
    pub width: u8,
}

/// The bases' names and types.
const BASES: [(&str, Scalar); 10] = [
    ("char", Scalar::Char),
    ("uchar", Scalar::UChar),
    ("short", Scalar::Short),
    ("ushort", Scalar::UShort),
    ("int", Scalar::Int),
    ("uint", Scalar::UInt),
    ("long", Scalar::Long),
    ("ulong", Scalar::ULong),
    ("float", Scalar::Float),
    ("double", Scalar::Double),
];

impl VectorType {
    /// The type that `float4` and its like name.
    pub fn from_name(name: &str) -> Option<Self> {
        let width = match name.as_bytes().last()? {
            digit @ b'2'..=b'4' => digit - b'0',
            _ => return None,
        };
        let base = name.get(..name.len() - 1)?;
        let (_, scalar) = BASES.iter().find(|(n, _)| *n == base)?;
        Some(Self {
            scalar: *scalar,
            width,
        })
    }

    /// The name of its component type, as the vector's name begins.
    pub fn base_name(self) -> &'static str {
        let found = BASES.iter().find(|(_, s)| *s == self.scalar);
        found.map_or("int", |(n, _)| n)
    }

    /// The number of the component of that name.
    pub fn component(self, name: &str) -> Option<usize> {
        let index = ["x", "y", "z", "w"].iter().position(|n| *n == name)?;
        (index < usize::from(self.width)).then_some(index)
    }

    /// Bytes of a value, and its alignment: three components take the room of four.
    pub fn size(self) -> usize {
        let places = if self.width == 3 { 4 } else { self.width };
        self.scalar.size() * usize::from(places)
    }
}

impl fmt::Display for VectorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.base_name(), self.width)
    }
}
