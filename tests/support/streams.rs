//! Arguments of Brook+ kernels: streams, arrays, values and the variables of reductions.

use super::cases::Launch;
use super::values::{Scalar, Value};
use brook::runtime::{Device, DynStream, Kernel, StreamArgument};
use std::ffi::c_void;

/// One argument of a launch.
pub struct Argument {
    kind: Kind,
    /// The element's type in the kernel's words.
    element: String,
    /// Slowest first, as in `float s<rows, columns>`; empty for values.
    extents: Vec<u32>,
    /// All components.
    pub value: Value,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Stream,
    Array,
    Value,
    Variable,
}

/// `Stream<T>` of `streams.hpp`.
#[repr(C)]
pub struct View {
    data: *mut c_void,
    rank: i32,
    /// Fastest first.
    extents: [u32; 4],
}

impl Argument {
    /// The arguments of a launch: `{ stream = "float4", extents = [ROWS, COLUMNS], fill = FILL }` or with
    /// `values = […]` instead of `fill`; `array` for one in host memory; `{ value = "float2", values =
    /// [1, 2] }`, and `variable` for what a reduction writes.
    pub fn all(launch: &Launch) -> Result<Vec<Self>, String> {
        let arguments = launch.args.iter().enumerate();
        arguments
            .map(|(index, table)| Self::parse(table, index as u64 + 1))
            .collect()
    }

    fn parse(table: &toml::Table, seed: u64) -> Result<Self, String> {
        let wrong = || format!("{table:?} is no argument of a Brook+ kernel");
        let kinds = [
            ("stream", Kind::Stream),
            ("array", Kind::Array),
            ("value", Kind::Value),
            ("variable", Kind::Variable),
        ];
        let found = kinds
            .into_iter()
            .find_map(|(word, kind)| Some((kind, table.get(word)?.as_str()?)));
        let (kind, element) = found.ok_or_else(wrong)?;
        let extents: Vec<u32> = match table.get("extents").and_then(toml::Value::as_array) {
            Some(list) => list
                .iter()
                .map(|e| u32::try_from(e.as_integer()?).ok())
                .collect::<Option<_>>()
                .ok_or_else(wrong)?,
            None => Vec::new(),
        };
        let is_shaped = matches!(kind, Kind::Stream | Kind::Array);
        if is_shaped == extents.is_empty() {
            return Err(wrong());
        }
        let digits = element.trim_end_matches(|c: char| c.is_ascii_digit());
        let width: i64 = element[digits.len()..].parse().unwrap_or(1);
        let count = width * extents.iter().map(|e| i64::from(*e)).product::<i64>();
        // As a buffer of the components.
        let mut buffer = table.clone();
        buffer.insert("buffer".into(), digits.into());
        buffer.insert("n".into(), count.into());
        let value = Value::parse(&buffer, seed)?;
        if value.bytes().len() as i64 != count * value.scalar.size() as i64 {
            return Err(format!("{count} components are expected in {table:?}"));
        }
        Ok(Self {
            kind,
            element: element.to_string(),
            extents,
            value,
        })
    }

    /// What the reference is given, together with the place of its data.
    pub fn view(&mut self) -> View {
        let mut extents = [1; 4];
        for (to, from) in extents.iter_mut().zip(self.extents.iter().rev()) {
            *to = *from;
        }
        View {
            data: self.value.bytes_mut().as_mut_ptr().cast(),
            rank: self.extents.len() as i32,
            extents,
        }
    }

    /// Slowest first; nothing for what has no shape.
    pub fn extents(&self) -> &[u32] {
        &self.extents
    }

    /// A value, which the reference takes as it is.
    pub fn is_value(&self) -> bool {
        self.kind == Kind::Value
    }

    /// A variable, which it takes by a pointer.
    pub fn is_variable(&self) -> bool {
        self.kind == Kind::Variable
    }
}

/// Calls a kernel; afterwards the arguments hold what it left.
pub fn call(kernel: &Kernel, device: &Device, arguments: &mut [Argument]) -> Result<(), String> {
    let text = |e: brook::runtime::Error| e.to_string();
    let mut streams: Vec<Option<DynStream>> = Vec::new();
    for argument in arguments.iter() {
        streams.push(match argument.kind {
            Kind::Stream => {
                let stream = device
                    .stream(&argument.element, &argument.extents)
                    .map_err(text)?;
                stream.read(argument.value.bytes()).map_err(text)?;
                Some(stream)
            }
            _ => None,
        });
    }
    let mut passed: Vec<StreamArgument<'_>> = Vec::new();
    for (argument, stream) in arguments.iter_mut().zip(&streams) {
        let scalar = scalar(argument.value.scalar);
        passed.push(match (argument.kind, stream) {
            (Kind::Array, _) => StreamArgument::Array {
                scalar,
                extents: &argument.extents,
                bytes: argument.value.bytes(),
            },
            (Kind::Value, _) => StreamArgument::Value {
                scalar,
                bytes: argument.value.bytes(),
            },
            (_, Some(stream)) => StreamArgument::Stream(stream),
            (_, None) => StreamArgument::Variable {
                scalar,
                bytes: argument.value.bytes_mut(),
            },
        });
    }
    kernel.call(&mut passed).map_err(text)?;
    drop(passed);
    for (argument, stream) in arguments.iter_mut().zip(&streams) {
        if let Some(stream) = stream {
            stream.write(argument.value.bytes_mut()).map_err(text)?;
        }
    }
    Ok(())
}

/// Compares what a kernel left with what the reference left.
pub fn compare(ours: &[Argument], theirs: &[Argument], tolerance: f64) -> Result<(), String> {
    for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        ours.value
            .compare(&theirs.value, tolerance)
            .map_err(|e| format!("argument {}: {e}", index + 1))?;
    }
    Ok(())
}

fn scalar(of: Scalar) -> brook::expr::Scalar {
    use brook::expr::Scalar as To;
    match of {
        Scalar::Char => To::Char,
        Scalar::UChar => To::UChar,
        Scalar::Short => To::Short,
        Scalar::UShort => To::UShort,
        Scalar::Int => To::Int,
        Scalar::UInt => To::UInt,
        Scalar::Long => To::Long,
        Scalar::ULong => To::ULong,
        Scalar::Float => To::Float,
        Scalar::Double => To::Double,
    }
}
