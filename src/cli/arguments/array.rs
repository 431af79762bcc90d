//! Arrays as kernels see them: bytes, of which it is known where the numbers lie.

use super::spec::{Fill, Number};
use brook::expr::Scalar;
use brook::metadata::ParameterMetadata;

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Element {
    pub(in crate::cli) bytes: usize,
    /// Its numbers and where they lie; none if it is bytes to us.
    pub(in crate::cli) numbers: Vec<(usize, Scalar)>,
}

/// An array, or what a reduction writes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Array {
    pub(in crate::cli) element: Element,
    /// Slowest dimension first.
    pub(in crate::cli) shape: Vec<u32>,
    pub(in crate::cli) bytes: Vec<u8>,
}

impl Element {
    /// What a parameter's elements, or a value, are. None if nothing is known of them.
    pub(in crate::cli) fn of(parameter: &ParameterMetadata) -> Option<Self> {
        let bytes = parameter.bytes?;
        if !parameter.numbers.is_empty() {
            return Some(Self {
                bytes,
                numbers: parameter.numbers.clone(),
            });
        }
        // What a name of the program's stands for.
        let name: &str = match &parameter.dtype {
            Some(dtype) if !dtype.name.is_empty() => &dtype.name,
            _ => &parameter.type_name,
        };
        let words = name.split_ascii_whitespace();
        let base: Vec<&str> = words.map(|w| w.trim_end_matches(['2', '3', '4'])).collect();
        let words = name.split_ascii_whitespace();
        // `int16_t` is no vector; `unsigned int4` is one.
        let scalar = parameter
            .scalar
            .or_else(|| Scalar::from_words(words))
            .or_else(|| Scalar::from_words(base));
        let numbers = match scalar {
            Some(scalar) if bytes % scalar.size() == 0 => {
                let count = match bytes / scalar.size() {
                    // A vector of three has room for a fourth number, which is nothing.
                    4 if name.ends_with('3') => 3,
                    count => count,
                };
                (0..count).map(|i| (i * scalar.size(), scalar)).collect()
            }
            _ => Vec::new(),
        };
        Some(Self { bytes, numbers })
    }

    /// The scalar and for how many there is room, where it is nothing but numbers of one type side by side.
    pub(in crate::cli) fn uniform(&self) -> Option<(Scalar, usize)> {
        let (_, scalar) = *self.numbers.first()?;
        let packed = self.numbers.iter().enumerate();
        let mut packed = packed.map(|(i, n)| *n == (i * scalar.size(), scalar));
        let room = match self.numbers.len() {
            3 if self.bytes == 4 * scalar.size() => 4,
            count => count,
        };
        let whole = room * scalar.size() == self.bytes;
        (whole && packed.all(|ok| ok)).then_some((scalar, room))
    }
}

impl Array {
    pub(in crate::cli) fn zeros(element: Element, shape: Vec<u32>) -> Option<Self> {
        let count = shape
            .iter()
            .try_fold(1usize, |n, e| n.checked_mul(*e as usize))?;
        let bytes = count.checked_mul(element.bytes)?;
        let bytes = vec![0; bytes];
        Some(Self {
            element,
            shape,
            bytes,
        })
    }

    /// Fills the numbers in order; bytes that are none are random bytes or zeros.
    pub(in crate::cli) fn fill(&mut self, fill: Fill) {
        let size = self.element.bytes.max(1);
        let mut random = match fill {
            Fill::Random { seed, .. } => Random(seed),
            _ => Random(0),
        };
        for (index, element) in self.bytes.chunks_exact_mut(size).enumerate() {
            if self.element.numbers.is_empty() && matches!(fill, Fill::Random { .. }) {
                element.fill_with(|| random.next() as u8);
            }
            for &(offset, scalar) in &self.element.numbers {
                let value = match fill {
                    Fill::Zeros | Fill::Empty => Number::Int(0),
                    Fill::Iota => Number::Int(index as i128),
                    Fill::Constant(value) => value,
                    Fill::Random { bounds, .. } => random.number(scalar, bounds),
                };
                if let Some(to) = element.get_mut(offset..offset + scalar.size()) {
                    store(scalar, value, to);
                }
            }
        }
    }
}

/// Writes a number as C converts it.
pub(in crate::cli) fn store(scalar: Scalar, value: Number, to: &mut [u8]) {
    let bits = value.as_i128() as u64;
    match scalar {
        Scalar::Float => to.copy_from_slice(&(value.as_f64() as f32).to_ne_bytes()),
        Scalar::Double => to.copy_from_slice(&value.as_f64().to_ne_bytes()),
        Scalar::Bool => to.fill(u8::from(value.as_f64() != 0.0)),
        _ => {
            let bytes = bits.to_le_bytes();
            to.copy_from_slice(&bytes[..to.len()]);
            if cfg!(target_endian = "big") {
                to.reverse();
            }
        }
    }
}

/// Reads a number.
pub(in crate::cli) fn fetch(scalar: Scalar, from: &[u8]) -> Number {
    let mut room = [0; 8];
    let from_little: Vec<u8> = match cfg!(target_endian = "big") {
        true => from.iter().rev().copied().collect(),
        false => from.to_vec(),
    };
    let size = from_little.len().min(8);
    room[..size].copy_from_slice(&from_little[..size]);
    let bits = u64::from_le_bytes(room);
    match scalar {
        Scalar::Float => Number::Float(f32::from_bits(bits as u32).into()),
        Scalar::Double => Number::Float(f64::from_bits(bits)),
        Scalar::Char => Number::Int((bits as i8).into()),
        Scalar::Short => Number::Int((bits as i16).into()),
        Scalar::Int => Number::Int((bits as i32).into()),
        Scalar::Long => Number::Int((bits as i64).into()),
        _ => Number::Int(bits.into()),
    }
}

/// SplitMix64: the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Floating-point numbers from 0 to 1 and integers from 0 to 99 where no bounds are given.
    fn number(&mut self, scalar: Scalar, bounds: Option<(Number, Number)>) -> Number {
        if scalar.is_float() {
            let (low, high) = bounds.map_or((0.0, 1.0), |(l, h)| (l.as_f64(), h.as_f64()));
            let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
            return Number::Float(low + (high - low) * unit);
        }
        let (low, high) = bounds.map_or((0, 100), |(l, h)| (l.as_i128(), h.as_i128()));
        let most = if scalar == Scalar::Bool { 2 } else { i128::MAX };
        let range = (high - low).clamp(1, most) as u128;
        Number::Int(low + (u128::from(self.next()) % range) as i128)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use brook::metadata::Metadata;

    fn elements(source: &str) -> Vec<Element> {
        let backend = brook::backend::Backend::built_in("openmp").unwrap();
        let source = brook::Source::new("a.okl", source);
        let options = brook::Options::default();
        let loader = brook::source::MemoryLoader::new();
        let made = brook::transpile(&source, &backend, &options, &loader).unwrap();
        let metadata: Metadata = made.metadata;
        let parameters = metadata.kernels[0].parameters.iter();
        parameters.map(|p| Element::of(p).unwrap()).collect()
    }

    #[test]
    fn vectors_of_three_have_three_numbers() {
        let source = "typedef float3 point; typedef double3 far; struct S { float3 p; int n; };\n\
            @kernel void f(const int n, const float3 v, const point w, float3 *a, point *b, far *c, uchar3 *d, S *s,\n\
            int4 *e, const far g) {\n\
            for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) a[i] = v; }\n";
        let found = elements(source);
        let counts: Vec<_> = found.iter().map(|e| (e.bytes, e.numbers.len())).collect();
        let three = (16, 3);
        assert_eq!(
            counts,
            [
                (4, 1),
                three,
                three,
                three,
                three,
                (32, 3),
                (4, 3),
                (32, 4),
                (16, 4),
                (32, 3)
            ]
        );
        assert_eq!(found[1].uniform(), Some((Scalar::Float, 4)));
        assert_eq!(found[5].uniform(), Some((Scalar::Double, 4)));
        assert_eq!(found[7].uniform(), None);
    }
}
