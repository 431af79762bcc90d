//! Kernels of OKL that are maps, as calls of kernels of Brook+.

use super::super::argument::Passed;
use super::super::call_argument::Number;
use super::super::element::ElementType;
use super::super::launch::to_bytes;
use super::super::layout::{Layout, Shape};
use super::super::stream::DynStream;
use super::super::stream_memory::StreamMemory;
use super::super::{Device, Kernel, KernelArgument};
use super::call::Given;
use crate::maps::{self, Map, Rounding};
use crate::render::{Form, KernelMetadata, ParameterMetadata, Role};
use crate::transpile;
use brook_driver::Math;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A kernel of OKL that is one of Brook+, too.
pub(in super::super) struct Mapped {
    pub(super) map: Map,
    /// Those of the kernel of Brook+.
    pub(super) parameters: Vec<ParameterMetadata>,
    /// Another one for each kernel.
    pub(super) number: u32,
}

/// What a kernel of OKL is in Brook+.
pub(super) fn mapped(kernel: &Kernel) -> Option<Arc<Mapped>> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let program = kernel.program();
    let (recipe, backend) = (program.recipe()?, program.device().backend());
    let options = &recipe.options;
    let rounding = match options.compile.math == Math::Default {
        false => Rounding::Each,
        true if contracts(program.device()) => Rounding::Contracted,
        true => Rounding::Unknown,
    };
    if kernel.metadata().form != Form::Okl
        || options.compile.math == Math::Fast
        || !options.compile.flags.is_empty()
        || !options.translate.extensions.is_empty()
    {
        return None;
    }
    program.fused().mapped(kernel.number()?, || {
        let translate = options.translation();
        let made = transpile::bodies(&recipe.source, backend, &translate, &options.files);
        let Ok((module, bodies, _)) = made else {
            return Vec::new();
        };
        if !maps::is_plain(&module.text) {
            return Vec::new();
        }
        let bodies = Arc::new(bodies);
        let mapped = |kernel: &KernelMetadata| {
            let map = Map::of(&bodies, &kernel.name, rounding)?;
            Some(Arc::new(Mapped {
                parameters: map.parameters.iter().map(parameter).collect(),
                map,
                number: NUMBER.fetch_add(1, Ordering::Relaxed),
            }))
        };
        program.metadata().kernels.iter().map(mapped).collect()
    })
}

/// Whether a device's compiler is known to contract a product and a sum wherever there is one way to do that.
fn contracts(device: &Device) -> bool {
    let info = device.info();
    let known = |words: &[&str]| {
        let compiler = info.compiler.as_deref().unwrap_or_default();
        let mut words = words.iter();
        words.any(|w| info.name.contains(w) || compiler.contains(w))
    };
    match device.name().split(':').next() {
        Some("cuda" | "openmp" | "hip-on-cuda") => true,
        Some("opencl") => known(&["NVIDIA", "PoCL"]),
        _ => false,
    }
}

fn parameter(of: &maps::MapParameter) -> ParameterMetadata {
    ParameterMetadata {
        name: of.name(),
        role: match of.what {
            maps::Passed::Value => Role::Value,
            maps::Passed::Input => Role::Input,
            maps::Passed::Output => Role::Output,
        },
        type_name: of.scalar.c_name().to_string(),
        scalar: (of.what == maps::Passed::Value).then_some(of.scalar),
        bytes: Some(of.scalar.size()),
        dtype: None,
        constant: false,
        dimensions: Vec::new(),
        extents: Vec::new(),
        numbers: Vec::new(),
        indices: Vec::new(),
    }
}

/// What the kernel of Brook+ is given where that of OKL is given this: of its memory the elements that iterations have.
pub(super) fn of_okl(
    device: &Device,
    mapped: &Mapped,
    arguments: &[KernelArgument<'_>],
) -> Option<Vec<Given>> {
    let scalar = |argument: usize| match arguments.get(argument)?.0 {
        Passed::Scalar(value) => Some(value),
        _ => None,
    };
    let elements = mapped
        .map
        .elements(&|argument| scalar(argument)?.as_i64())?;
    let count = u32::try_from(elements.end - elements.start).ok()?;
    let layout = Layout::packed(Shape::new(&[count])?);
    let given = mapped.map.parameters.iter().map(|parameter| {
        if parameter.what == maps::Passed::Value {
            let value = scalar(parameter.argument)?.convert(parameter.scalar);
            let mut room = [0; 8];
            let size = to_bytes(value, &mut room);
            return Number::of(parameter.scalar, &room[..size]).map(Given::Value);
        }
        let (Passed::Memory { buffer, .. } | Passed::Raw(buffer)) =
            arguments.get(parameter.argument)?.0
        else {
            return None;
        };
        let size = parameter.scalar.size();
        let first = usize::try_from(elements.start).ok()?.checked_mul(size)?;
        let bytes = usize::try_from(count).ok()?.checked_mul(size)?;
        let part = buffer.slice(first, bytes).ok()?;
        if part.needs_offset() {
            return None;
        }
        let element = ElementType::from_name(parameter.scalar.c_name())?;
        let place = StreamMemory::by_place(device, &part)?;
        Some(Given::Stream(DynStream::of_memory(
            device, element, layout, place,
        )))
    });
    let given: Vec<Given> = given.collect::<Option<_>>()?;
    // What one of its items writes by one name, it may read by another, but only before that.
    let arrays = || {
        let pairs = mapped.map.parameters.iter().zip(&given);
        pairs.filter_map(|(parameter, given)| match given {
            Given::Stream(stream) => Some((parameter, stream)),
            Given::Value(_) => None,
        })
    };
    let written =
        |(parameter, _): &(&maps::MapParameter, &DynStream)| parameter.what == maps::Passed::Output;
    let apart = arrays().filter(written).all(|(one, stream)| {
        let before = |other: &maps::MapParameter, s: &DynStream| {
            !mapped.map.late && other.what == maps::Passed::Input && s.is_same_part(stream)
        };
        arrays().all(|(other, s)| {
            one.argument == other.argument || !s.overlaps(stream) || before(other, s)
        })
    });
    apart.then_some(given)
}
