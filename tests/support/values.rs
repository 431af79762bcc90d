//! Arguments of kernels: made from a case's words, compared after a launch.

use brook::runtime::ElementKind;
use std::fmt::Write;

/// A scalar type as kernels spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
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

impl Scalar {
    /// What device memory of these holds.
    pub fn kind(self, width: usize) -> ElementKind {
        use brook::expr::Scalar as Device;
        let scalar = match self {
            Self::Char => Device::Char,
            Self::UChar => Device::UChar,
            Self::Short => Device::Short,
            Self::UShort => Device::UShort,
            Self::Int => Device::Int,
            Self::UInt => Device::UInt,
            Self::Long => Device::Long,
            Self::ULong => Device::ULong,
            Self::Float => Device::Float,
            Self::Double => Device::Double,
        };
        ElementKind::Numbers(scalar, width)
    }

    /// The type of that name in a case.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "char" => Self::Char,
            "uchar" => Self::UChar,
            "short" => Self::Short,
            "ushort" => Self::UShort,
            "int" => Self::Int,
            "uint" => Self::UInt,
            "long" => Self::Long,
            "ulong" => Self::ULong,
            "float" => Self::Float,
            "double" => Self::Double,
            _ => return None,
        })
    }

    /// Bytes of one.
    pub fn size(self) -> usize {
        match self {
            Self::Char | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Long | Self::ULong | Self::Double => 8,
        }
    }

    /// A number's bytes as a kernel reads them.
    pub fn encode(self, number: f64) -> Vec<u8> {
        match self {
            Self::Char => (number as i8).to_ne_bytes().to_vec(),
            Self::UChar => (number as u8).to_ne_bytes().to_vec(),
            Self::Short => (number as i16).to_ne_bytes().to_vec(),
            Self::UShort => (number as u16).to_ne_bytes().to_vec(),
            Self::Int => (number as i32).to_ne_bytes().to_vec(),
            Self::UInt => (number as u32).to_ne_bytes().to_vec(),
            Self::Long => (number as i64).to_ne_bytes().to_vec(),
            Self::ULong => (number as u64).to_ne_bytes().to_vec(),
            Self::Float => (number as f32).to_ne_bytes().to_vec(),
            Self::Double => number.to_ne_bytes().to_vec(),
        }
    }

    /// The other way: of large integers the nearest number.
    pub fn decode(self, bytes: &[u8]) -> f64 {
        macro_rules! read {
            ($type:ty) => {
                <$type>::from_ne_bytes(bytes.try_into().unwrap()) as f64
            };
        }
        match self {
            Self::Char => read!(i8),
            Self::UChar => read!(u8),
            Self::Short => read!(i16),
            Self::UShort => read!(u16),
            Self::Int => read!(i32),
            Self::UInt => read!(u32),
            Self::Long => read!(i64),
            Self::ULong => read!(u64),
            Self::Float => read!(f32),
            Self::Double => read!(f64),
        }
    }
}

/// One argument.
#[derive(Clone, Debug)]
pub struct Value {
    /// The type of the value or of the buffer's elements.
    pub scalar: Scalar,
    /// A pointer to elements, rather than a value.
    pub buffer: bool,
    /// The elements in memory; in units that every type's alignment divides.
    words: Vec<u64>,
    /// Its bytes are those of a structure.
    pub structure: bool,
    /// Number of elements.
    len: usize,
    /// Components of a buffer's elements, for what asks for its type.
    pub width: usize,
}

impl Value {
    /// Elements of `width` numbers are what a launch is told that deduces a template's parameters.
    ///
    /// `{ int = 5 }`; `{ struct = [{ int = 5 }, { double = 2 }] }`, its fields aligned as C does it;
    /// `{ buffer = "float", n = 10, fill = "ramp" }` or `{ buffer = "float", values = [1, 2, 3] }`.
    /// `seed` tells one random fill from the next.
    pub fn parse(table: &toml::Table, seed: u64) -> Result<Self, String> {
        let wrong = || {
            format!(
                "an argument is {{ TYPE = VALUE }}, {{ struct = [VALUE, …] }}, {{ buffer = TYPE, n = N, \
                 fill = FILL }} or {{ buffer = TYPE, values = [N, …] }}, not {table:?}"
            )
        };
        if let Some(fields) = table.get("struct") {
            let fields = fields.as_array().ok_or_else(wrong)?;
            let fields = fields.iter().map(|f| f.as_table().ok_or_else(wrong));
            let fields: Result<Vec<Self>, String> = fields.map(|f| Self::parse(f?, seed)).collect();
            return Ok(Self::structure(&fields?));
        }
        let Some(element) = table.get("buffer") else {
            let (word, value) = table
                .iter()
                .next()
                .filter(|_| table.len() == 1)
                .ok_or_else(wrong)?;
            let scalar = Scalar::parse(word).ok_or_else(wrong)?;
            let number = value
                .as_float()
                .or(value.as_integer().map(|n| n as f64))
                .ok_or_else(wrong)?;
            return Ok(Self::new(scalar, false, &[number]));
        };
        let scalar = element.as_str().and_then(Scalar::parse).ok_or_else(wrong)?;
        if let Some(values) = table.get("values") {
            let values = values.as_array().ok_or_else(wrong)?;
            let number = |v: &toml::Value| v.as_float().or(v.as_integer().map(|n| n as f64));
            let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
            return Ok(Self::new(scalar, true, &numbers.ok_or_else(wrong)?));
        }
        let n = table
            .get("n")
            .and_then(toml::Value::as_integer)
            .ok_or_else(wrong)?;
        let fill = table
            .get("fill")
            .and_then(toml::Value::as_str)
            .ok_or_else(wrong)?;
        let fill = Fill::parse(fill).ok_or_else(|| format!("unknown fill '{fill}'"))?;
        let numbers: Vec<f64> = (0..n as u64).map(|i| fill.element(i, seed)).collect();
        let mut value = Self::new(scalar, true, &numbers);
        let width = table.get("width").and_then(toml::Value::as_integer);
        value.width = width.map_or(1, |width| width as usize);
        Ok(value)
    }

    fn new(scalar: Scalar, buffer: bool, numbers: &[f64]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| scalar.encode(*n)).collect();
        // One word more than needed, so that even an empty buffer has an address.
        let mut value = Self {
            scalar,
            buffer,
            words: vec![0; bytes.len() / 8 + 1],
            structure: false,
            len: numbers.len(),
            width: 1,
        };
        value.bytes_mut().copy_from_slice(&bytes);
        value
    }

    /// A structure of those fields, padded as C pads it.
    fn structure(fields: &[Self]) -> Self {
        let (mut bytes, mut alignment) = (Vec::new(), 1);
        for field in fields {
            let size = field.scalar.size();
            alignment = alignment.max(size);
            bytes.resize(bytes.len().next_multiple_of(size), 0);
            bytes.extend_from_slice(field.bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        let numbers: Vec<f64> = bytes.iter().map(|b| f64::from(*b)).collect();
        let mut value = Self::new(Scalar::UChar, false, &numbers);
        value.structure = true;
        value
    }

    /// As it lies in memory.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `words` holds more bytes than that, and any byte is initialised.
        unsafe {
            std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len * self.scalar.size())
        }
    }

    /// As it lies in memory, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let size = self.len * self.scalar.size();
        // SAFETY: as above; any bytes are valid words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), size) }
    }

    fn numbers(&self) -> Vec<f64> {
        self.bytes()
            .chunks(self.scalar.size())
            .map(|bytes| self.scalar.decode(bytes))
            .collect()
    }

    /// Where and how `self` differs from what was expected; the first few places.
    pub fn compare(&self, expected: &Self, tolerance: f64) -> Result<(), String> {
        let (ours, theirs) = (self.numbers(), expected.numbers());
        let size = self.scalar.size();
        let same_bits =
            |i: usize| self.bytes()[i * size..][..size] == expected.bytes()[i * size..][..size];
        let close = |a: f64, b: f64| {
            (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
        };
        let differs = |i: &usize| !same_bits(*i) && !close(ours[*i], theirs[*i]);
        let wrong: Vec<usize> = (0..self.len).filter(differs).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let mut text = format!("{} of {} elements differ:", wrong.len(), self.len);
        for i in wrong.iter().take(8) {
            let _ = write!(
                text,
                "\n    [{i}] is {:?}, expected {:?}",
                ours[*i], theirs[*i]
            );
        }
        Err(text)
    }
}

/// What a buffer holds before a launch.
enum Fill {
    Constant(f64),
    Ramp,
    Modulo(u64),
    Uniform(f64, f64),
}

impl Fill {
    fn parse(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once('(').unwrap_or((text, ")"));
        let inside = rest.strip_suffix(')')?;
        let numbers: Vec<f64> = inside
            .split(',')
            .filter(|n| !n.trim().is_empty())
            .map(|n| n.trim().parse().ok())
            .collect::<Option<_>>()?;
        Some(match (word, numbers.as_slice()) {
            ("zero", []) => Self::Constant(0.0),
            ("const", [value]) => Self::Constant(*value),
            ("ramp", []) => Self::Ramp,
            ("mod", [n]) if *n >= 1.0 => Self::Modulo(*n as u64),
            ("uniform", [low, high]) => Self::Uniform(*low, *high),
            _ => return None,
        })
    }

    fn element(&self, index: u64, seed: u64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Ramp => index as f64,
            Self::Modulo(n) => (index % n) as f64,
            Self::Uniform(low, high) => {
                // 53 bits of a hash of the place: no element depends on another.
                let bits = splitmix(seed.wrapping_mul(0x1_0000_0001).wrapping_add(index)) >> 11;
                low + (high - low) * (bits as f64 / (1u64 << 53) as f64)
            }
        }
    }
}

/// Steele, Lea and Flood's SplitMix64.
fn splitmix(state: u64) -> u64 {
    let mut z = state.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
