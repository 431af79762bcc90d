use super::{Base, Type};
use std::fmt;

/// An element of BrookGPU's fixed point: in memory integers without a sign, of which the largest stands for 1; in
/// kernels floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixed {
    /// `shortfixed`: 16 bits for each component, and not 8.
    short: bool,
    /// Number of components; 1 is a scalar.
    pub width: u8,
}

impl Fixed {
    /// All of them, by name.
    pub const NAMES: [&'static str; 8] = [
        "fixed",
        "fixed2",
        "fixed3",
        "fixed4",
        "shortfixed",
        "shortfixed2",
        "shortfixed3",
        "shortfixed4",
    ];

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let at = Self::NAMES.iter().position(|n| *n == name)?;
        Some(Self {
            short: at >= 4,
            width: (at % 4) as u8 + 1,
        })
    }

    /// As BrookGPU spells it.
    pub const fn name(self) -> &'static str {
        Self::NAMES[4 * self.short as usize + (self.width as usize - 1) % 4]
    }

    /// What kernels have of it: a float, or a vector of them.
    pub const fn number(self) -> Type {
        Type::vector(Base::Float, self.width)
    }

    /// The integer that a component is in memory.
    pub const fn stored(self) -> Base {
        if self.short {
            Base::UShort
        } else {
            Base::UChar
        }
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        self.number().with_base(self.stored()).size()
    }

    /// A component as it is stored: cut off at 0 and 1, and, of 16 bits, rounded. What is not a number becomes 0.
    pub fn store(self, value: f32) -> u16 {
        // Casts from floating point saturate.
        let unit = value.clamp(0.0, 1.0);
        match self.short {
            true => ((unit * 131_070.0) as u32).div_ceil(2) as u16,
            false => (unit * 255.0) as u16,
        }
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes() {
        for (name, size) in Fixed::NAMES.iter().zip([1, 2, 3, 4, 2, 4, 6, 8]) {
            let found = Fixed::from_name(name);
            assert_eq!(found.map(Fixed::name), Some(*name));
            assert_eq!(found.map(Fixed::size), Some(size));
        }
        assert_eq!(Fixed::from_name("fixed1"), None);
    }

    #[test]
    fn stored_as_the_old_runtime_did() {
        let byte = Fixed::from_name("fixed2").map_or(0, |f| f.store(0.999));
        assert_eq!(byte, 254);
        for name in ["fixed", "shortfixed"] {
            let Some(fixed) = Fixed::from_name(name) else {
                continue;
            };
            let most = if fixed.stored() == Base::UChar {
                255
            } else {
                65_535
            };
            for n in 0..=most {
                assert_eq!(fixed.store(n as f32 / most as f32), n);
            }
            let odd = [f32::NAN, -0.5, f32::NEG_INFINITY].map(|v| fixed.store(v));
            assert_eq!(odd, [0; 3]);
            let over = [1.5, f32::INFINITY].map(|v| fixed.store(v));
            assert_eq!(over, [most; 2]);
        }
    }
}
