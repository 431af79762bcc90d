//! Calls that wait.

use super::super::call_argument::{Number, StreamArgument};
use super::super::element::ElementType;
use super::super::stream::DynStream;
use super::super::{ExecutionDomain, Kernel, Result, sanitized};
use super::Fusion;
use super::mapped::Mapped;
use super::slice::Computed;
use crate::backend::Model;
use crate::render::{Form, ParameterMetadata, Role};
use brook_driver::{DeviceKind, Math};
use std::sync::Arc;
use std::thread::ThreadId;

/// A call that waits.
#[derive(Clone)]
pub(in super::super) struct Waiting {
    /// Which of all calls it is.
    number: u64,
    pub(super) kernel: Kernel,
    /// What it is in Brook+, if it is one of OKL.
    pub(super) mapped: Option<Arc<Mapped>>,
    /// In the order of the parameters.
    pub(super) arguments: Vec<Given>,
    /// Whose call it is.
    pub(super) thread: ThreadId,
    /// What has computed its results already, for something else, without storing them.
    pub(super) computed: Option<Computed>,
}

/// An argument of such a call.
#[derive(Clone)]
pub(in super::super) enum Given {
    Stream(DynStream),
    Value(Number),
}

impl Waiting {
    /// A call of this thread.
    pub(super) fn new(
        number: u64,
        kernel: Kernel,
        mapped: Option<Arc<Mapped>>,
        arguments: Vec<Given>,
    ) -> Self {
        Self {
            number,
            kernel,
            mapped,
            arguments,
            thread: std::thread::current().id(),
            computed: None,
        }
    }

    /// The parameters of the kernel of Brook+.
    pub(super) fn parameters(&self) -> &[ParameterMetadata] {
        match &self.mapped {
            Some(mapped) => &mapped.parameters,
            None => &self.kernel.metadata().parameters,
        }
    }

    /// What tells its kernel from others that may become one with it.
    pub(super) fn kernel_number(&self) -> [u32; 2] {
        match (&self.mapped, self.kernel.number()) {
            (Some(mapped), _) => [1, mapped.number],
            (None, number) => [0, number.map_or(u32::MAX, |n| n as u32)],
        }
    }

    /// The streams with what the kernel does with them.
    pub(super) fn streams(&self) -> impl Iterator<Item = (&ParameterMetadata, &DynStream)> {
        let pairs = self.parameters().iter().zip(&self.arguments);
        pairs.filter_map(|(parameter, argument)| match argument {
            Given::Stream(stream) => Some((parameter, stream)),
            Given::Value(_) => None,
        })
    }

    /// Those that it reads, wherever.
    pub(super) fn read(&self) -> impl Iterator<Item = &DynStream> {
        let streams = self.streams();
        streams.filter_map(|(p, stream)| p.role.is_read().then_some(stream))
    }

    /// Those that it reads anywhere.
    pub(super) fn gathered(&self) -> impl Iterator<Item = &DynStream> {
        let streams = self.streams();
        streams.filter_map(|(p, stream)| p.role.is_gathered().then_some(stream))
    }

    pub(super) fn written(&self) -> impl Iterator<Item = &DynStream> {
        let streams = self.streams();
        streams.filter_map(|(p, stream)| (p.role == Role::Output).then_some(stream))
    }

    /// Which of all calls it is.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn writes(&self, stream: &DynStream) -> bool {
        self.written().any(|written| written.overlaps(stream))
    }

    pub(super) fn touches(&self, stream: &DynStream) -> bool {
        self.streams().any(|(_, touched)| touched.overlaps(stream))
    }

    /// Whether all outputs have one shape, and every item of the kernel needs nothing that others make.
    pub(super) fn is_of_one_shape(&self) -> bool {
        let Some(first) = self.written().next() else {
            return false;
        };
        let shape = first.layout.shape;
        let fits = |s: &DynStream| {
            s.threads.is_none()
                && !s.is_exposed()
                && matches!(s.element, ElementType::Number(_))
                && s.device.is_same(&first.device)
        };
        // A place in an input of another shape is another one.
        let shaped = |(parameter, s): (&ParameterMetadata, &DynStream)| match parameter.role {
            Role::Gather(_) => true,
            Role::Input if !self.kernel.metadata().placed => {
                s.layout.shape.rank == shape.rank && s.layout.shape.count() > 0
            }
            _ => s.layout.shape == shape,
        };
        let apart = |(n, stream): (usize, &DynStream)| {
            let mut before = self.written().take(n);
            !before.any(|other| other.overlaps(stream))
        };
        let in_place = |(parameter, stream): (&ParameterMetadata, &DynStream)| {
            let here = |w: &DynStream| parameter.role == Role::Input && w.is_same_part(stream);
            let mut written = self.written();
            parameter.role == Role::Output || written.all(|w| here(w) || !w.overlaps(stream))
        };
        shape.count() > 0
            && self.streams().all(|(_, stream)| fits(stream))
            && self.streams().all(shaped)
            && self.written().enumerate().all(apart)
            && self.streams().all(in_place)
    }

    /// Makes the call.
    pub(super) fn call(&self) -> Result<()> {
        let mut arguments: Vec<StreamArgument<'_>> =
            self.arguments.iter().map(Given::as_argument).collect();
        self.kernel.call_into(None, &mut arguments, None)
    }
}

impl Given {
    pub(super) fn new(argument: &StreamArgument<'_>) -> Option<Self> {
        match argument {
            StreamArgument::Stream(stream) => Some(Self::Stream((*stream).clone())),
            argument => {
                let (scalar, bytes) = argument.value()?;
                Number::of(scalar, bytes).map(Self::Value)
            }
        }
    }

    pub(super) fn as_argument(&self) -> StreamArgument<'_> {
        match self {
            Self::Stream(stream) => StreamArgument::Stream(stream),
            Self::Value(number) => StreamArgument::Number(*number),
        }
    }
}

/// The numbers among some arguments.
pub(super) fn values(arguments: &[StreamArgument<'_>]) -> Vec<Option<Number>> {
    let value = |argument: &StreamArgument<'_>| {
        let (scalar, bytes) = argument.value()?;
        Number::of(scalar, bytes)
    };
    arguments.iter().map(value).collect()
}

/// The call if it waits: nobody has to know its results at once, and others may be fused with it.
pub(in super::super) fn waiting(
    kernel: &Kernel,
    domain: Option<&ExecutionDomain>,
    arguments: &[StreamArgument<'_>],
) -> Option<Waiting> {
    let metadata = kernel.metadata();
    let pending = kernel.program().device().pending();
    if pending.fusion() == Fusion::Off
        || domain.is_some()
        || metadata.form != Form::Map
        || pending.is_run_here()
        || sanitized::is_wanted()
        || !may_be_fused(kernel)
    {
        return None;
    }
    let given = arguments.iter().map(Given::new);
    let given = given.collect::<Option<_>>()?;
    let call = Waiting::new(pending.next_number(), kernel.clone(), None, given);
    call.is_of_one_shape().then_some(call)
}

/// Whether what a kernel computes stays the same, to the bit, when others are compiled with it.
pub(super) fn may_be_fused(kernel: &Kernel) -> bool {
    let metadata = kernel.metadata();
    let Some(recipe) = kernel.program().recipe() else {
        return false;
    };
    let device = kernel.program().device();
    let is_loops = device.backend().model == Model::Loops;
    let is_processor = device.info().kind == DeviceKind::Cpu;
    // Whoever has flags of his own for the compiler may change how it computes; extensions may change anything.
    let options = &recipe.options;
    let math = options.compile.math;
    // Alone it reads side by side, and calls other functions.
    let is_better_alone = metadata.gathers_beside && is_loops
        || metadata.vector_functions && is_processor
        || metadata.pads_ranks;
    metadata.elementwise
        && !is_better_alone
        && math != Math::Fast
        && options.compile.flags.is_empty()
        && options.translate.extensions.is_empty()
}

/// Whether a reduction may fold what calls make that wait.
pub(in super::super) fn may_fold(kernel: &Kernel) -> bool {
    let pending = kernel.program().device().pending();
    pending.fusion() != Fusion::Off
        && pending.is_any()
        && kernel.metadata().form == Form::Reduce
        && !pending.is_run_here()
        && may_be_fused(kernel)
}
