//! A digest that tells texts apart and keeps no secret: FNV-1a with 128 bits.

use std::fmt;

/// The digest of the pieces added so far; where one piece ends matters.
#[derive(Clone, Debug)]
pub(crate) struct Digest(u128);

impl Default for Digest {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in bytes.iter().chain(&length) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }

    /// Half of it.
    pub(crate) fn short(&self) -> u64 {
        (self.0 >> 64) as u64 ^ self.0 as u64
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_told_apart() {
        let of = |pieces: &[&str]| {
            let mut digest = Digest::default();
            pieces.iter().for_each(|p| digest.add(p.as_bytes()));
            digest.to_string()
        };
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["ab"]));
        assert_ne!(of(&["ab", ""]), of(&["", "ab"]));
        assert_eq!(of(&[]).len(), 32);
    }
}
