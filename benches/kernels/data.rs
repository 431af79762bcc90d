//! Arguments of an item: values and device memory, filled and compared.

use super::numbers::Numbers;
use super::work::{Fill, Item, Work};
use brook::Device;
use brook::expr::{Scalar, Value};
use brook_driver::Buffer;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;

/// A type of numbers, or of vectors of them.
#[derive(Clone, Debug)]
pub struct Kind {
    /// As C spells it.
    pub name: String,
    /// Each number.
    pub scalar: Scalar,
    /// How many of them.
    pub width: usize,
}

impl Kind {
    fn of(name: &str, real: &str) -> Result<Self, String> {
        let name = name.replace("REAL", real);
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let width = digits.parse().unwrap_or(1);
        let words = name.trim_end_matches(digits);
        let scalar = Scalar::from_words(words.split_whitespace());
        let scalar = scalar.ok_or_else(|| format!("'{name}' is no type"))?;
        Ok(Self {
            name,
            scalar,
            width,
        })
    }
}

/// A value.
pub struct Constant {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The value.
    pub value: Value,
}

/// Device memory.
pub struct Memory {
    /// Of its elements.
    pub kind: Kind,
    /// As a stream, slowest first.
    pub extents: Vec<u32>,
    /// The memory.
    pub buffer: Arc<dyn Buffer>,
    /// What it held at first, unless that is poison.
    initial: Option<Vec<u8>>,
}

/// All arguments of an item.
pub struct Data {
    /// By name.
    pub constants: BTreeMap<String, Constant>,
    /// By name.
    pub memory: BTreeMap<String, Memory>,
    outputs: Vec<String>,
    tolerance: f64,
    outliers: f64,
}

impl Data {
    /// Allocates and fills what the named arguments need.
    pub fn new(
        device: &Device,
        work: &Work,
        item: &Item,
        real: &str,
        numbers: &Numbers,
        wanted: &[String],
    ) -> Result<Self, String> {
        let mut data = Self {
            constants: BTreeMap::new(),
            memory: BTreeMap::new(),
            outputs: item.outputs.clone(),
            tolerance: numbers.number(&item.tolerance)?,
            outliers: item.outliers,
        };
        for name in wanted.iter().chain(&item.outputs) {
            if let Some(constant) = work.scalars.get(name) {
                let kind = Kind::of(&constant.ty, real)?;
                let value = numbers.value(&constant.value)?.convert(kind.scalar);
                let bytes = bytes(kind.scalar, value.as_f64())[..kind.scalar.size()].to_vec();
                data.constants
                    .insert(name.clone(), Constant { bytes, value });
            } else if let Some(buffer) = work.buffers.get(name) {
                if data.memory.contains_key(name) {
                    continue;
                }
                let kind = Kind::of(&buffer.ty, real)?;
                let extents = match buffer.extents.as_slice() {
                    [] => vec![numbers.size(&buffer.count)?],
                    extents => extents
                        .iter()
                        .map(|e| numbers.size(e))
                        .collect::<Result<_, _>>()?,
                };
                let count = extents.iter().product::<usize>() * kind.width;
                let initial = match &buffer.fill {
                    Some(fill) => Some(filled(fill, numbers, kind.scalar, count, salt(name))?),
                    None => None,
                };
                let buffer = device
                    .allocate(count * kind.scalar.size())
                    .map_err(|e| e.to_string())?;
                if let Some(bytes) = &initial {
                    buffer.write(0, bytes).map_err(|e| e.to_string())?;
                }
                // Of what is never written, the host's copy is of no further use.
                let initial = initial.filter(|_| item.outputs.contains(name));
                let extents = extents.iter().map(|e| *e as u32).collect();
                let memory = Memory {
                    kind,
                    extents,
                    buffer,
                    initial,
                };
                data.memory.insert(name.clone(), memory);
            } else {
                return Err(format!("'{name}' is neither a scalar nor a buffer"));
            }
        }
        Ok(data)
    }

    /// Puts outputs back to what they were at first, or poisons them: every byte 0xff, which is no number.
    pub fn reset(&self) -> Result<(), String> {
        let poison = vec![0xff; 1 << 20];
        for name in &self.outputs {
            let memory = &self.memory[name];
            let buffer = &memory.buffer;
            let written = match &memory.initial {
                Some(bytes) => buffer.write(0, bytes),
                None => (0..buffer.len()).step_by(poison.len()).try_for_each(|at| {
                    let length = poison.len().min(buffer.len() - at);
                    buffer.write(at, &poison[..length])
                }),
            };
            written.map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// The outputs as they are now.
    pub fn outputs(&self) -> Result<Vec<Vec<u8>>, String> {
        let read = |name: &String| {
            let buffer = &self.memory[name].buffer;
            let mut bytes = vec![0; buffer.len()];
            buffer.read(0, &mut bytes).map_err(|e| e.to_string())?;
            Ok(bytes)
        };
        self.outputs.iter().map(read).collect()
    }

    /// Where outputs differ by more than the tolerance, in words.
    pub fn compare(&self, expected: &[Vec<u8>], actual: &[Vec<u8>]) -> Result<(), String> {
        for ((name, expected), actual) in self.outputs.iter().zip(expected).zip(actual) {
            let scalar = self.memory[name].kind.scalar;
            let wrong = apart(scalar, expected, actual, self.tolerance);
            let most = self.outliers * (expected.len() / scalar.size()) as f64;
            let count = wrong.iter().map(|part| part.count).sum::<usize>();
            let first = wrong.iter().find_map(|part| part.first);
            if let Some((at, a, b)) = first.filter(|_| count as f64 > most) {
                return Err(format!(
                    "{name}[{at}] is {b:?} instead of {a:?}, and {} more are wrong",
                    count - 1
                ));
            }
        }
        Ok(())
    }
}

/// What is wrong with a part of an output.
#[derive(Default)]
struct Wrong {
    count: usize,
    /// The first place, what should be there, and what is.
    first: Option<(usize, f64, f64)>,
}

/// Numbers that differ, or are none, part by part.
fn apart(scalar: Scalar, expected: &[u8], actual: &[u8], tolerance: f64) -> Vec<Wrong> {
    let size = scalar.size();
    let part = expected.len().div_ceil(threads()).next_multiple_of(size);
    let compare = |(first, (expected, actual)): (usize, (&[u8], &[u8]))| {
        let numbers = expected.chunks_exact(size).zip(actual.chunks_exact(size));
        let mut wrong = Wrong::default();
        for (at, (a, b)) in numbers.enumerate() {
            let (a, b) = (number(scalar, a), number(scalar, b));
            // A number that is none is never within.
            let within = (a - b).abs() <= tolerance * a.abs().max(1.0);
            if !within {
                wrong.count += 1;
                wrong.first.get_or_insert((first * part / size + at, a, b));
            }
        }
        wrong
    };
    let parts = expected.chunks(part).zip(actual.chunks(part)).enumerate();
    std::thread::scope(|scope| {
        let threads: Vec<_> = parts.map(|p| scope.spawn(move || compare(p))).collect();
        let joined = threads.into_iter().map(|t| t.join().unwrap_or_default());
        joined.collect()
    })
}

fn number(scalar: Scalar, bytes: &[u8]) -> f64 {
    let mut room = [0; 8];
    room[..bytes.len()].copy_from_slice(bytes);
    match scalar {
        Scalar::Float => f32::from_bits(u64::from_le_bytes(room) as u32).into(),
        Scalar::Double => f64::from_le_bytes(room),
        _ => Value::Int(Scalar::Long, i64::from_le_bytes(room))
            .convert(scalar)
            .as_f64(),
    }
}

/// A number's bytes; as many as the type has count.
fn bytes(scalar: Scalar, x: f64) -> [u8; 8] {
    match scalar {
        Scalar::Float => u64::from((x as f32).to_bits()).to_le_bytes(),
        Scalar::Double => x.to_le_bytes(),
        _ => (x.floor() as i64).to_le_bytes(),
    }
}

/// A buffer's first content, made by all threads; the same in every run.
fn filled(
    fill: &Fill,
    numbers: &Numbers,
    scalar: Scalar,
    count: usize,
    salt: u64,
) -> Result<Vec<u8>, String> {
    let of = |text| numbers.number(text);
    let (start, step, jitter) = (of(&fill.start)?, of(&fill.step)?, of(&fill.jitter)?);
    let (low, high) = (of(&fill.low)?, of(&fill.high)?);
    let round = of(&fill.round)?;
    let repeat = numbers.size(&fill.repeat)?.max(1);
    let size = scalar.size();
    let mut all = vec![0u8; count * size];
    let part = count.div_ceil(threads()).max(1);
    std::thread::scope(|scope| {
        for (number, chunk) in all.chunks_mut(part * size).enumerate() {
            scope.spawn(move || {
                for (at, place) in chunk.chunks_exact_mut(size).enumerate() {
                    let i = number * part + at;
                    let x = start + step * (i / repeat) as f64 + jitter * random(salt + i as u64);
                    let mut x = x.clamp(low, high);
                    if round > 0.0 {
                        x = (x / round).floor() * round;
                    }
                    place.copy_from_slice(&bytes(scalar, x)[..size]);
                }
            });
        }
    });
    Ok(all)
}

/// Different random numbers for every buffer.
fn salt(name: &str) -> u64 {
    let bytes = name.bytes().map(u64::from);
    bytes.fold(0, |hash: u64, byte| (hash * 131 + byte) % (1 << 31)) << 31
}

/// A number in [-1, 1) for a number: splitmix64.
fn random(i: u64) -> f64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let bits = ((z ^ (z >> 31)) >> 11) as f64;
    bits / (1u64 << 52) as f64 - 1.0
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}
