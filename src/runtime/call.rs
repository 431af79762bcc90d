//! Calls of Brook+ kernels over streams.
//!
//! What the host's part and the generated kernels know, by name:
//!
//! | name | what |
//! |---|---|
//! | `NAME` of a stream, array or value parameter | its memory, or its value |
//! | `NAME_shape` of a stream or array | its [`Layout`] |
//! | `brook_count` | number of elements of the execution domain, as `ulong` |
//! | `brook_domain` | the domain as a [`Range`] |
//! | `brook_linear` | of a map: 1 if item i has element i of every stream, else 0, as `int` |
//! | `brook_rows`, `brook_layers` | of a map: rows, and layers of rows, that have groups of their own, as `uint` |
//!
//! The domain is the first output's shape unless the call, or an output, says otherwise. Reductions:
//! see `reduce.rs`.

use super::argument::{Passed, check_count, parameter_label};
use super::bindings::{Bindings, Owned};
use super::call_argument::StreamArgument;
use super::domain::{self, ExecutionDomain};
use super::element::ElementType;
use super::launch::{from_bytes, to_bytes};
use super::layout::{Layout, Range, Shape};
use super::stream::DynStream;
use super::{Error, Kernel, KernelArgument, Program, Result};
use crate::expr::{Scalar, Value};
use crate::module::Type;
use crate::render::{Form, KernelMetadata, Role};
use crate::rewrite::GROUP;
use brook_driver::Buffer;
use std::sync::Arc;

impl Program {
    /// Calls a kernel over streams: [`Kernel::call`] by name.
    ///
    /// # Errors
    /// As [`Program::kernel`] and [`Kernel::call`].
    pub fn call(&self, kernel: &str, arguments: &mut [StreamArgument<'_>]) -> Result<()> {
        self.kernel(kernel)?.call(arguments)
    }
}

impl Kernel {
    /// Calls the kernel for every element of its output streams, or for a reduction, folds its input
    /// into its target. An OKL kernel takes streams as plain memory.
    ///
    /// The call may return before the kernel has ended; writing a stream to the host waits for it,
    /// and so does a reduction into a variable.
    ///
    /// # Errors
    /// Arguments that do not fit, in the words of the Brook+ specification, section 8, where it has
    /// words for it; and whatever the device reports.
    pub fn call(&self, arguments: &mut [StreamArgument<'_>]) -> Result<()> {
        self.call_over(None, arguments)
    }

    /// As [`Kernel::call`], for a domain of the caller's choice.
    ///
    /// # Errors
    /// As [`Kernel::call`]; and a domain that reaches beyond an output, one of three dimensions or
    /// more, or one for a kernel that is not a map.
    pub fn call_over(
        &self,
        domain: Option<&ExecutionDomain>,
        arguments: &mut [StreamArgument<'_>],
    ) -> Result<()> {
        check_count(self.metadata(), arguments.len())?;
        match (self.metadata().form, domain) {
            (Form::Map, domain) => self.map(domain, arguments),
            (Form::Vout, domain) => self.vary(domain, arguments),
            (_, Some(_)) => Err(Error::argument(format!(
                "Kernel Execution: kernel '{}' does not run for each element of its outputs, so it \
                 has no execution domain to set",
                self.metadata().name
            ))),
            (Form::Okl, None) => self.call_plain(arguments),
            (Form::Reduce, None) => self.reduce(arguments),
        }
    }

    fn call_plain(&self, arguments: &[StreamArgument<'_>]) -> Result<()> {
        let converted = arguments.iter().map(|argument| match argument {
            StreamArgument::Stream(stream) => KernelArgument(Passed::Raw(&*stream.memory)),
            StreamArgument::Growing(stream) => KernelArgument(Passed::Raw(&*stream.memory)),
            StreamArgument::Array { bytes, .. } => KernelArgument(Passed::Bytes(bytes)),
            StreamArgument::Value { scalar, bytes } => plain_value(*scalar, bytes),
            StreamArgument::Number(number) => plain_value(number.scalar(), number.bytes()),
            StreamArgument::Variable { scalar, bytes } => plain_value(*scalar, bytes),
        });
        self.launch(&converted.collect::<Vec<_>>())
    }

    fn map(
        &self,
        domain: Option<&ExecutionDomain>,
        arguments: &[StreamArgument<'_>],
    ) -> Result<()> {
        let call = Call::new(self);
        let outputs = call.streams(arguments, |role| matches!(role, Role::Output))?;
        let scatters = call.streams(arguments, |role| matches!(role, Role::Scatter(_)))?;
        let written: Vec<&DynStream> = outputs.iter().chain(&scatters).map(|(_, s)| *s).collect();
        let Some(first) = written.first().map(|s| s.layout.shape) else {
            return Err(Error::argument("Kernel Execution: Invalid output stream"));
        };
        for (_, output) in &outputs {
            if self.metadata().pads_ranks && output.layout.with_rank(first.rank).shape == first {
                continue;
            }
            if output.layout.shape.rank != first.rank {
                return Err(Error::argument(
                    "Kernel Execution: output stream rank doesn't match with first output rank. \
                     The results might be undefined",
                ));
            }
            if output.layout.shape != first {
                return Err(Error::argument(
                    "Kernel Execution: output stream dimension doesn't match with first output \
                     dimension. The results might be undefined",
                ));
            }
        }
        let threads = written.iter().find_map(|s| s.threads);
        let range = domain::range(&first, domain, threads, outputs.is_empty())?;
        let mut bindings = Bindings::new(&range);
        for (index, argument) in arguments.iter().enumerate() {
            call.bind(index, argument, first.rank, &range, &written, &mut bindings)?;
        }
        let linear = bindings.is_linear();
        bindings.add(
            "brook_linear",
            Owned::Scalar(Value::Int(Scalar::Int, linear.into())),
        );
        let grid = self.program().device().info().limits.grid;
        let [rows, layers] = range.rows(GROUP as u32, grid).unwrap_or([1, 1]);
        for (name, count) in [("brook_rows", rows), ("brook_layers", layers)] {
            let value = Value::Int(Scalar::UInt, count.into());
            bindings.add(name, Owned::Scalar(value));
        }
        self.run(&bindings.as_bound())
    }
}

fn plain_value<'a>(scalar: Scalar, bytes: &'a [u8]) -> KernelArgument<'a> {
    KernelArgument(match from_bytes(scalar, bytes) {
        Some(value) => Passed::Scalar(value),
        None => Passed::Bytes(bytes),
    })
}

/// A call being prepared.
pub(super) struct Call<'k> {
    kernel: &'k Kernel,
    metadata: &'k KernelMetadata,
}

impl<'k> Call<'k> {
    pub(super) fn new(kernel: &'k Kernel) -> Self {
        Self {
            kernel,
            metadata: kernel.metadata(),
        }
    }

    pub(super) fn fail<T>(&self, index: usize, what: &str) -> Result<T> {
        Err(Error::argument(format!(
            "{} {what}",
            parameter_label(self.metadata, index)
        )))
    }

    /// The arguments of the parameters with a role, which must be streams.
    pub(super) fn streams<'s>(
        &self,
        arguments: &'s [StreamArgument<'_>],
        wanted: impl Fn(Role) -> bool,
    ) -> Result<Vec<(usize, &'s DynStream)>> {
        let mut streams = Vec::new();
        for (index, (parameter, argument)) in
            self.metadata.parameters.iter().zip(arguments).enumerate()
        {
            if !wanted(parameter.role) {
                continue;
            }
            let Some(stream) = argument.stream() else {
                return self.fail(index, &format!("is a stream; got {}", argument.describe()));
            };
            streams.push((index, stream));
        }
        Ok(streams)
    }

    /// The type a parameter declares, per element.
    pub(super) fn type_of(&self, index: usize) -> Result<ElementType> {
        let parameter = &self.metadata.parameters[index];
        match (Type::from_words(&parameter.type_name), parameter.bytes) {
            (Some(type_), _) => Ok(ElementType::Number(type_)),
            (None, Some(bytes)) => Ok(ElementType::Bytes(bytes)),
            (None, None) => self.fail(
                index,
                &format!("has the type '{}' of unknown size", parameter.type_name),
            ),
        }
    }

    /// Binds whatever is not a reduction's target.
    pub(super) fn bind(
        &self,
        index: usize,
        argument: &StreamArgument<'_>,
        rank_of_inputs: usize,
        domain: &Range,
        written: &[&DynStream],
        bindings: &mut Bindings,
    ) -> Result<()> {
        let parameter = &self.metadata.parameters[index];
        let name = &parameter.name;
        let structure = match argument {
            StreamArgument::Array { bytes, .. } => Some(*bytes),
            StreamArgument::Variable { bytes, .. } => Some(&**bytes),
            _ => None,
        };
        if let (Role::Value, Some(bytes)) = (parameter.role, structure)
            && self.type_of(index)? == ElementType::Bytes(bytes.len())
        {
            let memory = self.kernel.program().device().allocate(bytes.len())?;
            memory.write(0, bytes)?;
            bindings.buffer(name, memory);
            return Ok(());
        }
        match (parameter.role, argument) {
            (Role::Value, argument) => match argument.value() {
                Some((scalar, bytes)) => self.value(index, scalar, bytes, bindings),
                None => {
                    let wanted = &parameter.type_name;
                    self.fail(
                        index,
                        &format!("is a {wanted}; got {}", argument.describe()),
                    )
                }
            },
            (
                Role::Gather(rank),
                StreamArgument::Array {
                    scalar,
                    extents,
                    bytes,
                },
            ) => {
                let type_ = self.type_of(index)?;
                // The last extent may be an element's own: bytes of a struct, components of a vector.
                let inner = match type_ {
                    ElementType::Bytes(size) => size,
                    ElementType::Number(number) => usize::from(number.width),
                };
                let declared: Vec<u32> = parameter.extents.iter().map(|e| *e as u32).collect();
                let count: usize = declared.iter().map(|e| *e as usize).product();
                let own = match extents.split_last() {
                    Some((last, rest)) if rest.len() == rank && *last as usize == inner => rest,
                    // Numbers for vectors, as many as the parameter needs.
                    _ if !declared.is_empty() && count * type_.size() == bytes.len() => &declared,
                    _ => extents,
                };
                let shape = Shape::new(own).filter(|s| s.rank == rank);
                let Some(shape) = shape else {
                    return self.wrong_rank(index, rank, extents.len());
                };
                let size = shape.count() * type_.size() as u64;
                let wanted = match type_ {
                    ElementType::Number(number) => number.base.scalar(),
                    ElementType::Bytes(_) => Some(Scalar::UChar),
                };
                if wanted != Some(*scalar) || size != bytes.len() as u64 {
                    return self.fail(
                        index,
                        &format!("is an array of {type_}; got {}", argument.describe()),
                    );
                }
                let device = self.kernel.program().device();
                let memory = device.allocate(bytes.len()).map_err(|error| {
                    error.context("Kernel Execution: Input streams Allocation failed")
                })?;
                memory.write(0, bytes)?;
                bindings.shaped(name, memory, &Layout::packed(shape), domain);
                Ok(())
            }
            (role, StreamArgument::Stream(_) | StreamArgument::Growing(_)) => {
                let Some(stream) = argument.stream() else {
                    return Ok(());
                };
                let (memory, layout) = self.memory(index, role, stream, written)?;
                let layout = match role {
                    Role::Input if self.metadata.pads_ranks => layout.with_rank(rank_of_inputs),
                    Role::Gather(rank) | Role::Scatter(rank) if self.metadata.pads_ranks => {
                        layout.with_rank(rank)
                    }
                    _ => layout,
                };
                if layout.shape.count() == 0 && domain.count() > 0 {
                    return Err(Error::argument(
                        "Kernel Execution: Uninitialized Input streams. The results might be undefined",
                    ));
                }
                let rank_of_stream = layout.shape.rank;
                match role {
                    Role::Input if rank_of_stream != rank_of_inputs => {
                        return Err(Error::argument(
                            "Kernel Execution: input stream rank doesn't match with first output rank",
                        ));
                    }
                    Role::Gather(rank) | Role::Scatter(rank) if rank_of_stream != rank => {
                        return self.wrong_rank(index, rank, rank_of_stream);
                    }
                    _ => {}
                }
                if matches!(role, Role::Input | Role::Output) {
                    bindings.note_stream(&layout, domain);
                }
                bindings.shaped(name, memory, &layout, domain);
                Ok(())
            }
            _ => self.fail(index, &format!("is a stream; got {}", argument.describe())),
        }
    }

    fn wrong_rank(&self, index: usize, wanted: usize, got: usize) -> Result<()> {
        self.fail(index, &format!("has {wanted} dimensions; got {got}"))
    }

    /// The memory of a stream argument and where it lies there, checked for type, device, and being read and written at once.
    pub(super) fn memory(
        &self,
        index: usize,
        role: Role,
        stream: &DynStream,
        written: &[&DynStream],
    ) -> Result<(Arc<dyn Buffer>, Layout)> {
        let wanted = self.type_of(index)?;
        if wanted != stream.element {
            return self.fail(
                index,
                &format!(
                    "is a stream of {wanted}; got a stream of {}",
                    stream.element
                ),
            );
        }
        let reads = matches!(role, Role::Input | Role::Gather(_));
        if !stream.device.is_same(self.kernel.program().device()) {
            let which = if reads { "Input" } else { "Output" };
            return Err(Error::argument(format!(
                "Kernel Execution: {which} stream device is different from current device"
            )));
        }
        if !reads || !written.iter().any(|w| w.overlaps(stream)) {
            return Ok((stream.memory.clone(), stream.layout));
        }
        if std::env::var_os("BRT_PERMIT_READ_WRITE_ALIASING").is_none() {
            return Err(Error::argument(
                "Kernel Execution: Input stream is same as output stream. Binding kernels \
                 read-write is prohibited",
            ));
        }
        let copy = stream.duplicate()?;
        Ok((copy.memory, copy.layout))
    }

    /// A value, converted to the parameter's type by C's rules.
    fn value(
        &self,
        index: usize,
        scalar: Scalar,
        bytes: &[u8],
        bindings: &mut Bindings,
    ) -> Result<()> {
        let wanted = self.type_of(index)?;
        let width = bytes.len() / scalar.size();
        let to = wanted
            .number()
            .filter(|wanted| width == usize::from(wanted.width))
            .and_then(|wanted| wanted.base.scalar());
        let components: Option<Vec<Value>> = to.and_then(|to| {
            let parts = bytes.chunks(scalar.size());
            parts
                .map(|part| from_bytes(scalar, part).map(|v| v.convert(to)))
                .collect()
        });
        let owned = match components.as_deref() {
            Some([value]) => Owned::Scalar(*value),
            Some(components) => {
                let mut packed = Vec::new();
                for component in components {
                    let mut room = [0; 8];
                    let size = to_bytes(*component, &mut room);
                    packed.extend_from_slice(&room[..size]);
                }
                // Vectors of three take the room of four in OpenCL C.
                let backend = self.kernel.program().device().backend();
                if components.len() == 3 && !backend.is_cpp() {
                    packed.resize(packed.len() / 3 * 4, 0);
                }
                Owned::Bytes(packed)
            }
            None => {
                let got = StreamArgument::Value { scalar, bytes }.describe();
                return self.fail(index, &format!("is a {wanted}; got {got}"));
            }
        };
        bindings.add(&self.metadata.parameters[index].name, owned);
        Ok(())
    }
}
