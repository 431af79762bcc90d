//! Calls of OKL kernels with streams. A pointer gets the address of the stream's first element; what elements and
//! values are has to be what the kernel declares.

use super::argument::{Passed, consists_of, convert, suits, vector_of, with_article};
use super::call_argument::StreamArgument;
use super::call_binding::Call;
use super::element::ElementType;
use super::kernel::{FunctionSink, Which};
use super::launch::{from_bytes, to_bytes};
use super::plain::ElementKind;
use super::stream::DynStream;
use super::{Kernel, KernelArgument, Result};
use crate::expr::{Scalar, Value};
use crate::module::VectorType;
use crate::render::{ParameterMetadata, Role};
use brook_driver::Buffer;
use std::sync::Arc;

/// An argument as the kernel gets it.
enum Prepared<'a> {
    Whole(&'a dyn Buffer),
    Part(Arc<dyn Buffer>),
    Scalar(Value),
    /// Components in the device's layout, and how many bytes of them count.
    Vector([u8; 32], usize),
    Bytes(&'a [u8]),
}

impl Kernel {
    pub(super) fn over_streams(
        &self,
        arguments: &[StreamArgument<'_>],
        sink: Option<&mut FunctionSink<'_>>,
    ) -> Result<()> {
        self.with_streams(arguments, sink.is_some(), |kernel, passed| match sink {
            Some(sink) => kernel.launch_into(passed, sink),
            None => kernel.launch_in(None, passed),
        })
    }

    /// Hands what a launch is given that gets these streams to who launches it, with the kernel: of a template, its instance.
    pub(super) fn with_streams(
        &self,
        arguments: &[StreamArgument<'_>],
        recorded: bool,
        launch: impl FnOnce(&Self, &[KernelArgument<'_>]) -> Result<()>,
    ) -> Result<()> {
        if let Which::Template(template) = &self.which {
            let instance = template.instance_of_streams(&self.program, arguments)?;
            let kernel = instance.kernel(&self.program);
            return kernel.with_streams(arguments, recorded, launch);
        }
        let call = Okl {
            call: Call::new(self, recorded),
            arguments,
        };
        let parameters = self.metadata().parameters.iter();
        let prepared: Vec<Prepared<'_>> = parameters
            .enumerate()
            .map(|(index, parameter)| call.prepare(index, parameter))
            .collect::<Result<_>>()?;
        let passed = prepared.iter().map(|argument| {
            KernelArgument(match argument {
                Prepared::Whole(buffer) => Passed::Raw(*buffer),
                Prepared::Part(buffer) => Passed::Raw(&**buffer),
                Prepared::Scalar(value) => Passed::Scalar(*value),
                Prepared::Vector(bytes, count) => Passed::Bytes(&bytes[..*count]),
                Prepared::Bytes(bytes) => Passed::Bytes(bytes),
            })
        });
        let passed: Vec<_> = passed.collect();
        launch(self, &passed)
    }
}

struct Okl<'c, 'k, 'a> {
    call: Call<'k>,
    arguments: &'c [StreamArgument<'a>],
}

impl<'c> Okl<'c, '_, '_> {
    fn prepare(&self, index: usize, parameter: &ParameterMetadata) -> Result<Prepared<'c>> {
        let argument = &self.arguments[index];
        match (parameter.role, argument.stream()) {
            (Role::Value, None) => self.value(index, parameter),
            (Role::Value, Some(_)) | (_, None) => self.mismatch(index, parameter),
            (_, Some(stream)) => self.pointer(index, parameter, stream),
        }
    }

    fn mismatch<T>(&self, index: usize, parameter: &ParameterMetadata) -> Result<T> {
        let argument = &self.arguments[index];
        let wanted = match parameter.role {
            Role::Value => with_article(&parameter.type_name),
            _ => pointer_to(parameter),
        };
        let hint = match (parameter.role, argument.stream()) {
            (Role::Value, _) | (_, Some(_)) => "",
            (_, None) => ": pass a stream",
        };
        let got = argument.describe();
        self.call
            .fail(index, &format!("is {wanted}; got {got}{hint}"))
    }

    /// A value: numbers as the parameter's, if they fit; a struct as its bytes.
    fn value(&self, index: usize, parameter: &ParameterMetadata) -> Result<Prepared<'c>> {
        let (scalar, bytes) = match &self.arguments[index] {
            StreamArgument::Array { scalar, bytes, .. } => (*scalar, *bytes),
            other => match other.value() {
                Some(value) => value,
                None => return self.mismatch(index, parameter),
            },
        };
        let count = bytes.len() / scalar.size();
        if let Some(to) = parameter.scalar {
            let value = from_bytes(scalar, bytes).filter(|_| count == 1);
            let Some(value) = value else {
                return self.mismatch(index, parameter);
            };
            // What does not fit is said where it is bound.
            return Ok(Prepared::Scalar(convert(value, to).unwrap_or(value)));
        }
        if let Some(wanted) = vector_of(parameter) {
            return match packed(wanted, scalar, bytes) {
                Some((room, used)) => Ok(Prepared::Vector(room, used)),
                None => self.mismatch(index, parameter),
            };
        }
        let is_known = parameter.bytes.is_none_or(|n| n == bytes.len());
        match is_known && consists_of(parameter, scalar) {
            true => Ok(Prepared::Bytes(bytes)),
            false => self.mismatch(index, parameter),
        }
    }

    /// The address of a stream's first element.
    fn pointer(
        &self,
        index: usize,
        parameter: &ParameterMetadata,
        stream: &'c DynStream,
    ) -> Result<Prepared<'c>> {
        let fail = |what: String| self.call.fail(index, &what);
        if !suits(parameter, kind_of(stream.element)) {
            let packed = |v: &VectorType| stream.element.numbers() == Some((v.scalar, v.width));
            return match vector_of(parameter).filter(packed) {
                None => self.mismatch(index, parameter),
                Some(vector) => fail(format!(
                    "is {}, whose elements have {} bytes; got {stream:?}, whose elements have {}: declare the \
                     parameter as {} *, or the stream with four components",
                    pointer_to(parameter),
                    vector.size(),
                    stream.element.size(),
                    vector.base_name(),
                )),
            };
        }
        let device = self.call.device();
        if !stream.device.is_same(device) {
            return fail(format!(
                "is a stream of device {}; the kernel runs on {}",
                stream.device.name(),
                device.name()
            ));
        }
        if stream.threads.is_some() {
            return fail("has an execution domain, which only kernels of Brook+ have".into());
        }
        let size = stream.element.size();
        let mut runs = stream.layout.runs();
        let (first, count) = runs.next().unwrap_or_default();
        if runs.next().is_some() {
            return fail(format!(
                "is a pointer; got {stream:?}, a part whose elements do not lie side by side: copy it to a stream of \
                 its own, or pass the whole stream and where the part begins"
            ));
        }
        let (offset, bytes) = (first as usize * size, count as usize * size);
        let unit = vector_of(parameter).map_or(1, VectorType::size);
        if !offset.is_multiple_of(unit) || !bytes.is_multiple_of(unit) {
            return fail(format!(
                "is {}, whose elements have {unit} bytes; got {stream:?}, which begins at byte {offset} of \
                 its memory and has {bytes} bytes",
                pointer_to(parameter)
            ));
        }
        if stream.layout.is_packed() {
            return Ok(Prepared::Whole(&**stream.memory.buffer()?));
        }
        Ok(Prepared::Part(
            stream.memory.buffer()?.slice(offset, bytes)?,
        ))
    }
}

fn pointer_to(parameter: &ParameterMetadata) -> String {
    // Of more than one level the metadata says no more than their size.
    let is_deep = parameter
        .scalar
        .is_some_and(|s| parameter.bytes != Some(s.size()));
    let star = if is_deep { " *" } else { "" };
    format!("a pointer to {}{star}", parameter.type_name)
}

fn kind_of(element: ElementType) -> ElementKind {
    match element.numbers() {
        Some((scalar, width)) => ElementKind::Numbers(scalar, usize::from(width)),
        None => ElementKind::Structure(element.size()),
    }
}

/// Components as the device lays them out, three with the room of four; `None` if they are not as many, or do not fit.
fn packed(wanted: VectorType, scalar: Scalar, bytes: &[u8]) -> Option<([u8; 32], usize)> {
    let parts = bytes.chunks_exact(scalar.size());
    if parts.len() != usize::from(wanted.width) {
        return None;
    }
    let mut room = [0; 32];
    let places = room.chunks_exact_mut(wanted.scalar.size());
    for (part, place) in parts.zip(places) {
        let mut component = [0; 8];
        let value = convert(from_bytes(scalar, part)?, wanted.scalar)?;
        let size = to_bytes(value, &mut component);
        place.copy_from_slice(&component[..size]);
    }
    Some((room, wanted.size()))
}
