//! What a kernel is called with, checked against what it declares.

use super::launch::{Bound, from_bytes};
use super::plain::{ElementKind, bytes_of};
use super::{Device, DynMemory, Element, Error, Memory, ReadOnly, Result};
use crate::expr::{Scalar, Value};
use crate::module::VectorType;
use crate::render::{KernelMetadata, ParameterMetadata, Role};
use brook_driver::Buffer;

/// One argument of [`Kernel::launch`](super::Kernel::launch); [`args!`](crate::args) makes a list of
/// them.
#[derive(Clone, Copy)]
pub struct KernelArgument<'a>(pub(super) Passed<'a>);

#[derive(Clone, Copy)]
pub(super) enum Passed<'a> {
    Scalar(Value),
    Bytes(&'a [u8]),
    /// A vector, as the device lays it out.
    Vector(VectorType, &'a [u8]),
    Memory {
        buffer: &'a dyn Buffer,
        /// `None` for whatever the parameter's type is.
        kind: Option<ElementKind>,
        device: &'a Device,
        writable: bool,
    },
    Raw(&'a dyn Buffer),
    Null,
}

impl<'a> KernelArgument<'a> {
    /// A value of any type, such as a structure, as its bytes lie in memory.
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Self(Passed::Bytes(bytes))
    }

    /// A vector or a structure, for a parameter that is one.
    pub fn value<T: Element>(value: &'a T) -> Self {
        Self(Passed::Bytes(bytes_of(std::slice::from_ref(value))))
    }

    /// A number, as From makes one of Rust's.
    pub(crate) fn number(value: Value) -> Self {
        Self(Passed::Scalar(value))
    }

    /// A vector as the device lays it out, where three components have the room of four.
    pub fn vector(ty: VectorType, bytes: &'a [u8]) -> Self {
        Self(Passed::Vector(ty, bytes))
    }

    /// Memory, for a kernel that writes it or not.
    pub fn memory(memory: &'a DynMemory, writable: bool) -> Self {
        Self(Passed::Memory {
            buffer: memory.buffer(),
            kind: Some(memory.kind()),
            device: memory.device(),
            writable,
        })
    }

    /// Memory whatever the parameter's type, for callers whose memory has none: of the kernel's device, and enough of it
    /// for what the kernel takes it for.
    pub fn untyped(memory: &'a DynMemory) -> Self {
        Self(Passed::Memory {
            buffer: memory.buffer(),
            kind: None,
            device: memory.device(),
            writable: true,
        })
    }

    /// Device memory whatever the parameter's type, and whether the kernel writes it or not.
    pub fn buffer(buffer: &'a dyn Buffer) -> Self {
        Self(Passed::Raw(buffer))
    }

    /// A null pointer.
    pub fn null() -> Self {
        Self(Passed::Null)
    }
}

/// A list of arguments for [`Kernel::launch`](crate::Kernel::launch): numbers, `&Memory`, and
/// [`ReadOnly`](crate::runtime::ReadOnly) memory for what the kernel must not write.
#[macro_export]
macro_rules! args {
    ($($argument:expr),* $(,)?) => {
        &[$($crate::runtime::KernelArgument::from($argument)),*]
    };
}

macro_rules! scalars {
    ($($rust:ty => $scalar:ident, $variant:ident, $wide:ty);* $(;)?) => {$(
        impl From<$rust> for KernelArgument<'_> {
            fn from(value: $rust) -> Self {
                Self(Passed::Scalar(Value::$variant(Scalar::$scalar, value as $wide)))
            }
        }
    )*};
}

scalars! {
    i8 => Char, Int, i64; u8 => UChar, Int, i64; i16 => Short, Int, i64; u16 => UShort, Int, i64;
    i32 => Int, Int, i64; u32 => UInt, Int, i64; i64 => Long, Int, i64; u64 => ULong, Int, i64;
    f32 => Float, Float, f64; f64 => Double, Float, f64;
}

impl From<bool> for KernelArgument<'_> {
    fn from(value: bool) -> Self {
        Self(Passed::Scalar(Value::Int(Scalar::Bool, value.into())))
    }
}

impl From<usize> for KernelArgument<'_> {
    fn from(value: usize) -> Self {
        Self(Passed::Scalar(Value::Int(Scalar::ULong, value as i64)))
    }
}

impl<'a, T: Element> From<&'a Memory<T>> for KernelArgument<'a> {
    fn from(memory: &'a Memory<T>) -> Self {
        Self::memory(memory.as_dyn(), true)
    }
}

impl<'a, T: Element> From<&'a mut Memory<T>> for KernelArgument<'a> {
    fn from(memory: &'a mut Memory<T>) -> Self {
        Self::memory(memory.as_dyn(), true)
    }
}

impl<'a, T: Element> From<ReadOnly<'a, T>> for KernelArgument<'a> {
    fn from(memory: ReadOnly<'a, T>) -> Self {
        Self::memory(memory.0.as_dyn(), false)
    }
}

impl Passed<'_> {
    /// Whether it is a part of memory that kernels can be given only with its offset.
    pub(super) fn needs_offset(&self) -> bool {
        match self {
            Self::Memory { buffer, .. } | Self::Raw(buffer) => buffer.needs_offset(),
            _ => false,
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Scalar(value) => with_article(value.scalar().c_name()),
            Self::Bytes(bytes) => format!("a value of {} bytes", bytes.len()),
            Self::Vector(ty, _) => with_article(&format!("{}{}", ty.scalar.c_name(), ty.width)),
            Self::Memory {
                kind: Some(kind), ..
            } => format!("{} buffer", with_article(&kind.to_string())),
            Self::Memory { kind: None, .. } => "a buffer".to_string(),
            Self::Raw(_) => "a buffer".to_string(),
            Self::Null => "a null pointer".to_string(),
        }
    }
}

pub(crate) fn with_article(words: &str) -> String {
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {words}")
}

/// What messages about a parameter begin with.
pub(super) fn parameter_label(kernel: &KernelMetadata, index: usize) -> String {
    let name = kernel.parameters.get(index).map_or("", |p| &p.name);
    format!(
        "argument {} '{name}' of kernel '{}'",
        index + 1,
        kernel.name
    )
}

/// What is wrong with memory of another device than the kernel's.
pub(super) fn memory_elsewhere(owner: &Device, device: &Device) -> String {
    format!(
        "is memory of device {}; the kernel runs on {}",
        owner.name(),
        device.name()
    )
}

/// Checks the number of arguments.
pub(super) fn check_count(kernel: &KernelMetadata, count: usize) -> Result<()> {
    let wanted = kernel.parameters.len();
    if count == wanted {
        return Ok(());
    }
    let plural = if wanted == 1 { "" } else { "s" };
    let names: Vec<&str> = kernel.parameters.iter().map(|p| p.name.as_str()).collect();
    Err(Error::argument(format!(
        "kernel '{}' takes {wanted} argument{plural} ({}); got {count}",
        kernel.name,
        names.join(", ")
    )))
}

/// Checks an argument of an OKL kernel against its parameter and converts it.
pub(super) fn bind<'a>(
    kernel: &'a KernelMetadata,
    index: usize,
    parameter: &'a ParameterMetadata,
    passed: Passed<'a>,
    device: &Device,
) -> Result<Bound<'a>> {
    let fail = |what: String| {
        Err(Error::argument(format!(
            "{} {what}",
            parameter_label(kernel, index)
        )))
    };
    let mismatch = || {
        let wanted = match parameter.role {
            Role::Value => with_article(&parameter.type_name),
            _ => format!("{} buffer", with_article(&parameter.type_name)),
        };
        fail(format!("is {wanted}; got {}", passed.describe()))
    };
    match (parameter.role, passed) {
        (Role::Value, Passed::Scalar(value)) => match parameter.scalar {
            Some(to) => match convert(value, to) {
                Some(value) => Ok(Bound::Scalar(value)),
                None if value.scalar().is_float() != to.is_float() => mismatch(),
                None => fail(format!(
                    "is {}, which cannot hold {}",
                    with_article(to.c_name()),
                    show(value)
                )),
            },
            // A type the transpiler does not know: the caller must.
            None if parameter.bytes.is_none_or(|n| n == value.scalar().size()) => {
                Ok(Bound::Scalar(value))
            }
            None => mismatch(),
        },
        (Role::Value, Passed::Bytes(bytes)) => match (parameter.scalar, parameter.bytes) {
            (Some(scalar), _) => {
                from_bytes(scalar, bytes).map_or_else(mismatch, |v| Ok(Bound::Scalar(v)))
            }
            (None, Some(size)) if size != bytes.len() => mismatch(),
            _ => Ok(match &parameter.dtype {
                Some(dtype) => Bound::Structure(bytes, dtype),
                None => Bound::Bytes(bytes),
            }),
        },
        (Role::Value, Passed::Vector(ty, bytes)) => match vector_of(parameter) {
            Some(wanted) if wanted == ty && ty.size() == bytes.len() => Ok(Bound::Bytes(bytes)),
            _ => mismatch(),
        },
        (Role::Value, _) | (_, Passed::Scalar(_) | Passed::Bytes(_) | Passed::Vector(..)) => {
            mismatch()
        }
        (_, Passed::Null) => Ok(Bound::Null),
        (_, Passed::Raw(buffer)) => Ok(Bound::Buffer(buffer)),
        (
            _,
            Passed::Memory {
                buffer,
                kind,
                device: owner,
                writable,
            },
        ) => {
            if kind.is_some_and(|kind| !suits(parameter, kind)) {
                return mismatch();
            }
            if !owner.is_same(device) {
                return fail(memory_elsewhere(owner, device));
            }
            if !writable && !parameter.constant {
                return fail(
                    "is not declared const, so the kernel may write it; got memory that is read only"
                        .into(),
                );
            }
            Ok(Bound::Buffer(buffer))
        }
    }
}

/// Whether memory of such elements is what a pointer points at. Numbers must be of one type: a `float4 *` may be
/// given floats, or elements that are a whole number of `float4`s. Structures must be of one size, and numbers that are
/// given for one those that it consists of. Types that the transpiler does not know, the caller must.
pub(super) fn suits(parameter: &ParameterMetadata, kind: ElementKind) -> bool {
    let vector = vector_of(parameter);
    let scalar = parameter.scalar.or(vector.map(|v| v.scalar));
    match (scalar, kind) {
        (Some(wanted), ElementKind::Numbers(scalar, count)) => {
            let size = parameter.bytes.unwrap_or(wanted.size());
            let fits = match vector {
                Some(_) => count == 1 || (count * scalar.size()).is_multiple_of(size),
                // Else it points to pointers.
                None => size == wanted.size(),
            };
            wanted == scalar && fits
        }
        (Some(_), ElementKind::Structure(_)) => false,
        (None, ElementKind::Structure(bytes)) => parameter.bytes.is_none_or(|n| n == bytes),
        (None, ElementKind::Numbers(scalar, _)) => consists_of(parameter, scalar),
    }
}

/// The vector that a parameter is or points at, whatever its name.
pub(crate) fn vector_of(parameter: &ParameterMetadata) -> Option<VectorType> {
    let name = match &parameter.dtype {
        Some(dtype) => &dtype.name,
        None => parameter.type_name.as_str(),
    };
    VectorType::from_name(name)
}

/// Whether a structure consists of such numbers, as far as that is known. Bytes are anything.
pub(super) fn consists_of(parameter: &ParameterMetadata, scalar: Scalar) -> bool {
    scalar == Scalar::UChar || parameter.numbers.iter().all(|(_, n)| *n == scalar)
}

/// An integer as another integer type that holds it; a floating-point number as either type.
/// Integers do not become floating-point numbers or the reverse unasked.
pub(super) fn convert(value: Value, to: Scalar) -> Option<Value> {
    if value.scalar() == to {
        return Some(value);
    }
    let converted = value.convert(to);
    match (value, converted) {
        (Value::Float(..), Value::Float(..)) => Some(converted),
        (Value::Int(from, bits), Value::Int(_, after)) => {
            // Equal bits mean the same number only if both types read the top bit alike.
            let huge = |scalar: Scalar, bits: i64| scalar == Scalar::ULong && bits < 0;
            (bits == after && huge(from, bits) == huge(to, after)).then_some(converted)
        }
        _ => None,
    }
}

fn show(value: Value) -> String {
    match value {
        Value::Int(Scalar::ULong, bits) => (bits as u64).to_string(),
        Value::Int(_, bits) => bits.to_string(),
        Value::Float(_, x) => x.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_convert_if_they_fit() {
        let int = |scalar, bits| Value::Int(scalar, bits);
        assert_eq!(
            convert(int(Scalar::Long, 7), Scalar::Int),
            Some(int(Scalar::Int, 7))
        );
        assert_eq!(convert(int(Scalar::Long, 1 << 40), Scalar::Int), None);
        assert_eq!(convert(int(Scalar::Int, -1), Scalar::UInt), None);
        assert_eq!(convert(int(Scalar::Int, -1), Scalar::ULong), None);
        assert_eq!(convert(int(Scalar::ULong, -1), Scalar::Long), None);
        assert_eq!(
            convert(int(Scalar::ULong, 5), Scalar::Char),
            Some(int(Scalar::Char, 5))
        );
        assert_eq!(convert(int(Scalar::Int, 1), Scalar::Float), None);
        let float = Value::Float(Scalar::Double, 0.1);
        assert_eq!(
            convert(float, Scalar::Float),
            Some(float.convert(Scalar::Float))
        );
        assert_eq!(convert(float, Scalar::Int), None);
    }
}
