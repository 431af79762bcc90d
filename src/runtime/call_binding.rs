//! Arguments of calls over streams, checked and put under the names that the host's part knows them by: see `call.rs`.

use super::argument::parameter_label;
use super::bindings::{Bindings, Owned};
use super::call_argument::StreamArgument;
use super::element::ElementType;
use super::launch::{from_bytes, to_bytes};
use super::layout::{Layout, Range, Shape};
use super::stream::DynStream;
use super::stream_memory::StreamMemory;
use super::{Device, Error, Kernel, Result};
use crate::expr::{Scalar, Value};
use crate::module::Type;
use crate::render::{Form, KernelMetadata, ParameterMetadata, Role};
use std::cell::RefCell;
use std::sync::Arc;

/// A call being prepared.
pub(super) struct Call<'k> {
    kernel: &'k Kernel,
    metadata: &'k KernelMetadata,
    /// It is done again later, when streams hold something else.
    recorded: bool,
    /// Streams are taken as they are: it is only looked at, or what has to be copied was.
    checked: bool,
    /// What it reads and writes, as it was before the call.
    copies: RefCell<Vec<(DynStream, DynStream)>>,
}

impl<'k> Call<'k> {
    pub(super) fn new(kernel: &'k Kernel, recorded: bool) -> Self {
        Self {
            kernel,
            metadata: kernel.metadata(),
            recorded,
            checked: false,
            copies: RefCell::default(),
        }
    }

    /// One that takes streams as they are.
    pub(super) fn checked(kernel: &'k Kernel) -> Self {
        Self {
            checked: true,
            ..Self::new(kernel, false)
        }
    }

    pub(super) fn device(&self) -> &'k Device {
        self.kernel.program().device()
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
        match self.kernel.element_type(index) {
            Some(known) => Ok(known),
            None => self.fail(
                index,
                &format!(
                    "has the type '{}' of unknown size",
                    self.metadata.parameters[index].type_name
                ),
            ),
        }
    }

    /// Whether a parameter is a value that comes as bytes: a struct, or a number of fixed point.
    fn takes_bytes(&self, index: usize) -> Result<bool> {
        let type_ = self.type_of(index)?;
        Ok(matches!(
            type_,
            ElementType::Bytes(_) | ElementType::Fixed(_)
        ))
    }

    /// An argument for the same kernel on another device.
    pub(super) fn lent<'s>(
        &self,
        index: usize,
        argument: &'s StreamArgument<'_>,
    ) -> Result<StreamArgument<'s>> {
        match argument {
            StreamArgument::Variable { scalar, bytes } if self.takes_bytes(index)? => {
                Ok(StreamArgument::Array {
                    scalar: *scalar,
                    extents: &[],
                    bytes,
                })
            }
            other => Ok(other.lent()),
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
        bindings: &mut Bindings<'k>,
    ) -> Result<()> {
        let parameter = &self.metadata.parameters[index];
        let name = &parameter.name;
        let structure = match argument {
            StreamArgument::Array { bytes, .. } => Some(*bytes),
            StreamArgument::Variable { bytes, .. } => Some(&**bytes),
            _ => None,
        };
        if let (Role::Value, Some(bytes)) = (parameter.role, structure)
            && self.takes_bytes(index)?
            && self.type_of(index)?.size() == bytes.len()
        {
            return self.in_memory(name, bytes, bindings);
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
                    ElementType::Bytes(_) | ElementType::Fixed(_) => type_.size(),
                    ElementType::Number(Type { width, .. }) | ElementType::Long(_, width) => {
                        usize::from(width)
                    }
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
                    ElementType::Bytes(_) | ElementType::Fixed(_) => Some(Scalar::UChar),
                    numbers => numbers.numbers().map(|(scalar, _)| scalar),
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
                let memory = StreamMemory::of(device, memory);
                let layout = Layout::packed(shape);
                bindings.note_gathered(index, &layout);
                bindings.shaped((self.kernel, index), memory, &layout, domain);
                Ok(())
            }
            (role, StreamArgument::Stream(_) | StreamArgument::Growing(_)) => {
                let Some(stream) = argument.stream() else {
                    return Ok(());
                };
                let (memory, layout) = self.memory(index, role, stream, domain, written)?;
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
                match role {
                    Role::Input | Role::Output => bindings.note_stream(&layout, domain),
                    Role::Gather(_) => bindings.note_gathered(index, &layout),
                    _ => {}
                }
                bindings.shaped((self.kernel, index), memory, &layout, domain);
                Ok(())
            }
            _ => self.fail(index, &format!("is a stream; got {}", argument.describe())),
        }
    }

    /// A value that comes in memory.
    fn in_memory(&self, name: &'k str, bytes: &[u8], bindings: &mut Bindings<'k>) -> Result<()> {
        let memory = self.kernel.program().device().allocate(bytes.len())?;
        memory.write(0, bytes)?;
        bindings.buffer(name, memory);
        Ok(())
    }

    fn wrong_rank(&self, index: usize, wanted: usize, got: usize) -> Result<()> {
        self.fail(index, &format!("has {wanted} dimensions; got {got}"))
    }

    /// The memory of a stream argument and where it lies there, checked for type and device. A call reads what its
    /// streams held before it: what it writes as well is read from a copy, unless every item of `domain` is known to
    /// read its own element before it writes it.
    pub(super) fn memory(
        &self,
        index: usize,
        role: Role,
        stream: &DynStream,
        domain: &Range,
        written: &[&DynStream],
    ) -> Result<(Arc<StreamMemory>, Layout)> {
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
        let own = || Ok((stream.memory.clone(), stream.layout));
        if self.checked || !reads || !written.iter().any(|w| w.overlaps(stream)) {
            return own();
        }
        if role == Role::Input && self.is_in_place(stream, domain, written) {
            return own();
        }
        if self.recorded {
            return self.fail(
                index,
                "is written by the same call, which would have to copy it each time: such a call cannot be \
                 recorded",
            );
        }
        let mut copies = self.copies.borrow_mut();
        let known = copies.iter().find(|(of, _)| of.is_same_part(stream));
        let copy = match known {
            Some((_, copy)) => copy.clone(),
            None => {
                let copy = stream.duplicate()?;
                copies.push((stream.clone(), copy.clone()));
                copy
            }
        };
        Ok((copy.memory, copy.layout))
    }

    /// Whether an input that is an output as well needs no copy: item i reads and writes element i. Kernels may take
    /// their inputs for memory that nobody writes, so it must not matter when another number is stored: there is one
    /// output, and its elements are numbers, stored once.
    fn is_in_place(&self, stream: &DynStream, domain: &Range, written: &[&DynStream]) -> bool {
        let [only] = written else {
            return false;
        };
        let scatters = |p: &ParameterMetadata| matches!(p.role, Role::Scatter(_));
        self.metadata.form == Form::Map
            && !self.metadata.parameters.iter().any(scatters)
            && only.is_same_part(stream)
            && stream.element.number().is_some_and(|n| n.width == 1)
            && *domain == Range::all(&stream.layout.shape)
    }

    /// A value, converted to the parameter's type by C's rules.
    fn value(
        &self,
        index: usize,
        scalar: Scalar,
        bytes: &[u8],
        bindings: &mut Bindings<'k>,
    ) -> Result<()> {
        let wanted = self.type_of(index)?;
        let width = bytes.len() / scalar.size();
        if let ElementType::Fixed(fixed) = wanted
            && usize::from(fixed.width) == width
        {
            let parts = bytes.chunks(scalar.size());
            let parts = parts.filter_map(|part| from_bytes(scalar, part));
            let stored = parts.flat_map(|value| {
                let stored = fixed.store(value.as_f64() as f32).to_le_bytes();
                stored.into_iter().take(fixed.size() / width)
            });
            let stored: Vec<u8> = stored.collect();
            return self.in_memory(&self.metadata.parameters[index].name, &stored, bindings);
        }
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
