//! Kernels of programs, and their launches.

use super::argument::{Passed, bind, check_count};
use super::element::ElementType;
use super::launch::{Bound, Computed, SHORT, run};
use super::list::List;
use super::queue::{Event, Queue, other_device};
use super::remembered::{Like, Notes, Remembered};
use super::single_launch::Direct;
use super::template::Template;
use super::trace;
use super::{Device, Error, KernelArgument, Program, Result, evaluate, footprint, sanitized};
use crate::module::{Fixed, Type};
use crate::render::{Form, KernelMetadata, ParameterMetadata};
use brook_driver::{Argument, Residency};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

/// Receives each launch of a device kernel: groups, items, and arguments in order.
pub(super) type FunctionSink<'s> = dyn FnMut(&Arc<dyn brook_driver::Kernel>, [u64; 3], [u32; 3], &[Argument<'_>]) -> Result<()>
    + 's;

/// A kernel of a [`Program`], ready to launch. Clones share it.
///
/// A kernel that is a template is launched as any other: the arguments' types say what the template's parameters are.
/// The kernel for them is built at the first such launch, kept in the kernel cache, and used by all later ones:
///
/// 1. [`Kernel::with`] gives a parameter by name, `program.kernel("add<float>")` the first ones in order.
/// 2. Otherwise the elements of memory that is given for `T *` decide; two types are an error.
/// 3. Where no memory says it, values of type `T` do; two types are an error. Where memory has, values convert as those
///    of all kernels do: an `int` for a `float` is an error.
/// 4. Otherwise the template's default holds.
///
/// Elements of two or four numbers are vectors (`float4`). Structures, null pointers and memory without a type tell
/// nothing: give their type by name.
#[derive(Clone)]
pub struct Kernel {
    pub(super) program: Program,
    pub(super) which: Which,
}

/// What there is of a kernel.
#[derive(Clone)]
pub(super) enum Which {
    /// That of this number, of the program's.
    Declared { index: usize, found: Arc<Found> },
    /// As many as there are types of arguments.
    Template(Arc<Template>),
}

pub(super) type Functions = Vec<(String, Arc<dyn brook_driver::Kernel>)>;

/// Of a kernel: its device kernels, and how it is launched if that is simple.
pub(super) struct Found {
    pub(super) functions: Functions,
    direct: Option<Direct>,
    /// The kernel as it takes buffers and offsets, once a launch has needed that.
    with_offsets: OnceLock<Kernel>,
    /// Whether its gathers stay in their arrays, as far as that was found out.
    in_bounds: footprint::Known,
    /// What its host part computes with.
    computed: Computed,
    /// What its last call launched.
    last: Mutex<Remembered>,
    /// Of each parameter: what the host's part calls its shape, and the type of its elements.
    parameters: Vec<(String, Option<ElementType>)>,
}

impl Found {
    /// Of those functions.
    pub(super) fn new(metadata: &KernelMetadata, device: &Device, functions: Functions) -> Self {
        let place = |name: &str| functions.iter().position(|(n, _)| n == name);
        let direct = Direct::new(metadata, device, place);
        Self {
            functions,
            direct,
            with_offsets: OnceLock::new(),
            in_bounds: footprint::Known::default(),
            computed: Computed::of(&metadata.host),
            last: Mutex::default(),
            parameters: { metadata.parameters.iter() }
                .map(|p| (shape_name(p), element_type(metadata, p)))
                .collect(),
        }
    }
}

fn shape_name(parameter: &ParameterMetadata) -> String {
    format!("brook_{}_shape", parameter.name)
}

/// The type that a parameter declares, per element; none if its size is not known.
fn element_type(metadata: &KernelMetadata, parameter: &ParameterMetadata) -> Option<ElementType> {
    // In other dialects that is the name of a struct.
    let fixed = Fixed::from_name(&parameter.type_name).filter(|_| metadata.pads_ranks);
    if let Some(fixed) = fixed {
        return Some(ElementType::Fixed(fixed));
    }
    match Type::from_words(&parameter.type_name) {
        Some(type_) => Some(ElementType::Number(type_)),
        None => parameter.bytes.map(ElementType::Bytes),
    }
}

impl Kernel {
    /// Kernel `index` of a program.
    pub(super) fn new(program: Program, index: usize, found: Arc<Found>) -> Self {
        Self {
            program,
            which: Which::Declared { index, found },
        }
    }

    /// What is known about it: its parameters, and how it is launched.
    pub fn metadata(&self) -> &KernelMetadata {
        match &self.which {
            Which::Declared { index, .. } => &self.program.metadata().kernels[*index],
            Which::Template(template) => &template.metadata,
        }
    }

    /// Its number in the program; `None` of a template.
    pub(super) fn number(&self) -> Option<usize> {
        match &self.which {
            Which::Declared { index, .. } => Some(*index),
            Which::Template(_) => None,
        }
    }

    /// What the host's part calls the shape of a parameter.
    pub(super) fn shape_name(&self, parameter: usize) -> Cow<'_, str> {
        match &self.which {
            Which::Declared { found, .. } => Cow::Borrowed(&found.parameters[parameter].0),
            Which::Template(t) => Cow::Owned(shape_name(&t.metadata.parameters[parameter])),
        }
    }

    /// The type of a parameter's elements; none if their size is not known.
    pub(super) fn element_type(&self, parameter: usize) -> Option<ElementType> {
        match &self.which {
            Which::Declared { found, .. } => found.parameters[parameter].1,
            Which::Template(t) => element_type(&t.metadata, &t.metadata.parameters[parameter]),
        }
    }

    /// What is known of where its gathers read.
    pub(super) fn in_bounds(&self) -> Option<&footprint::Known> {
        match &self.which {
            Which::Declared { found, .. } => Some(&found.in_bounds),
            Which::Template(_) => None,
        }
    }

    /// Its program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Launches an OKL kernel. Arguments are checked against the parameters first: an integer must
    /// fit its parameter, memory must be of this device and have the parameter's type, and memory that
    /// is [read only](super::Memory::read_only) must not be for a pointer that is not `const`.
    ///
    /// The call may return before the kernel has ended; reading its results waits for it.
    ///
    /// # Errors
    /// An argument does not fit, naming the parameter; the launch exceeds the device's limits; the
    /// device failed.
    ///
    /// # Safety
    /// With these arguments the kernel reads and writes elements only that are in the memory it is given, and its items
    /// make no races: OKL is C++, where nothing checks an index. Where the host has memory in its own address space (the
    /// processor, imported memory), anything else is as undefined as there.
    pub unsafe fn launch(&self, arguments: &[KernelArgument<'_>]) -> Result<()> {
        self.launch_in(None, arguments)
    }

    /// As [`Kernel::launch`], on a queue: the call returns before the kernel has ended.
    ///
    /// # Errors
    /// As [`Kernel::launch`]; and a queue of another device.
    ///
    /// # Safety
    /// As of [`Kernel::launch`].
    pub unsafe fn launch_on(&self, queue: &Queue, arguments: &[KernelArgument<'_>]) -> Result<()> {
        let device = self.program.device();
        if !queue.device().is_same(device) {
            return Err(other_device(queue, &self.metadata().name, device));
        }
        self.launch_in(Some(queue), arguments)
    }

    /// As [`Kernel::launch_on`]; the event happens when the kernel has ended.
    ///
    /// # Errors
    /// As [`Kernel::launch_on`].
    ///
    /// # Safety
    /// As of [`Kernel::launch`].
    pub unsafe fn launch_async(
        &self,
        queue: &Queue,
        arguments: &[KernelArgument<'_>],
    ) -> Result<Event> {
        // SAFETY: by this function's contract.
        unsafe { self.launch_on(queue, arguments) }?;
        queue.record()
    }

    /// What fits of each device kernel that a launch with these arguments would run; nothing is launched. Empty where the device
    /// cannot tell, and of kernels that work on streams.
    ///
    /// # Errors
    /// As [`Kernel::launch`].
    pub fn residency(&self, arguments: &[KernelArgument<'_>]) -> Result<Vec<(u32, Residency)>> {
        let mut all = Vec::new();
        if self.metadata().form != Form::Okl {
            return Ok(all);
        }
        self.launch_into(arguments, &mut |function, _, items, _| {
            let items = items.iter().fold(1u32, |all, n| all.saturating_mul(*n));
            let found = function.residency(items)?;
            all.extend(found.map(|residency| (items, residency)));
            Ok(())
        })?;
        Ok(all)
    }

    /// What is known of the kernel that a template becomes with these arguments, which is built if it is not yet; of other kernels
    /// it is [`Kernel::metadata`].
    ///
    /// # Errors
    /// The arguments make no kernel of the template.
    pub fn metadata_for(&self, arguments: &[KernelArgument<'_>]) -> Result<&KernelMetadata> {
        let (program, index, _) = self.launched_as(arguments)?;
        Ok(&program.metadata().kernels[index])
    }

    /// What is launched with these arguments: of a template, its instance.
    fn launched_as(&self, arguments: &[KernelArgument<'_>]) -> Result<(&Program, usize, &Found)> {
        Ok(match &self.which {
            Which::Declared { index, found } => (&self.program, *index, &**found),
            Which::Template(template) => template
                .instance(&self.program, arguments)?
                .parts(&self.program),
        })
    }

    pub(super) fn launch_in(
        &self,
        queue: Option<&Queue>,
        arguments: &[KernelArgument<'_>],
    ) -> Result<()> {
        self.program.device().count_launch();
        self.program.device().catch_up()?;
        self.launch_into(arguments, &mut |function, groups, items, arguments| {
            let queue = queue.map(Queue::driver);
            self.launch_function(queue, &**function, (groups, items), arguments)
        })
    }

    /// Launches one of its device kernels, in a queue or the device's own.
    pub(super) fn launch_function(
        &self,
        queue: Option<&dyn brook_driver::Queue>,
        function: &dyn brook_driver::Kernel,
        sizes: ([u64; 3], [u32; 3]),
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let told = (self.program.device(), &*self.metadata().name);
        Ok(trace::launching(told, queue, function, sizes, arguments)?)
    }

    /// Checks the arguments, and hands every launch of a device kernel to `sink`.
    pub(super) fn launch_into(
        &self,
        arguments: &[KernelArgument<'_>],
        sink: &mut FunctionSink<'_>,
    ) -> Result<()> {
        let (program, index, found) = self.launched_as(arguments)?;
        let metadata = &program.metadata().kernels[index];
        if sanitized::is_wanted() {
            sanitized::pass_over(&metadata.name);
        }
        if metadata.form != Form::Okl {
            return Err(Error::argument(format!(
                "kernel '{}' works on streams: use Program::call",
                metadata.name
            )));
        }
        if !program.has_offsets() && arguments.iter().any(|a| a.0.needs_offset()) {
            return with_offsets(program, index, found)?.launch_into(arguments, sink);
        }
        if let Some(direct) = &found.direct
            && let Some((_, function)) = found.functions.get(direct.function)
        {
            let device = program.device();
            let mut launch = |groups, items, arguments: &[Argument<'_>]| {
                sink(function, groups, items, arguments)
            };
            if direct.launch(metadata, device, arguments, &mut launch)? {
                return Ok(());
            }
        }
        check_count(metadata, arguments.len())?;
        let mut bindings = List::<_, SHORT>::new(("", Bound::Null));
        for (index, (parameter, argument)) in metadata.parameters.iter().zip(arguments).enumerate()
        {
            let passed: Passed<'_> = argument.0;
            let bound = bind(metadata, index, parameter, passed, program.device())?;
            bindings.push((parameter.name.as_str(), bound));
        }
        run_host(program, index, found, &bindings, sink)
    }

    /// Runs the host's part over names bound already, and hands every launch of a device kernel to `sink`.
    pub(super) fn run_into(
        &self,
        bindings: &[(&str, Bound<'_>)],
        sink: &mut FunctionSink<'_>,
    ) -> Result<()> {
        match &self.which {
            Which::Declared { index, found } => {
                run_host(&self.program, *index, found, bindings, sink)
            }
            Which::Template(_) => Err(Error::argument(format!(
                "kernel '{}' is a template",
                self.metadata().name
            ))),
        }
    }
}

/// The kernel as it takes buffers and offsets: of the same source, translated and compiled for that.
fn with_offsets<'f>(program: &Program, index: usize, found: &'f Found) -> Result<&'f Kernel> {
    if let Some(kernel) = found.with_offsets.get() {
        return Ok(kernel);
    }
    let name = &program.metadata().kernels[index].name;
    let kernel = program.with_offsets()?.kernel(name)?;
    Ok(found.with_offsets.get_or_init(|| kernel))
}

/// Runs the host's part of a program's kernel over names bound already, and hands every launch of a device kernel to
/// `sink`.
fn run_host(
    program: &Program,
    index: usize,
    found: &Found,
    bindings: &[(&str, Bound<'_>)],
    sink: &mut FunctionSink<'_>,
) -> Result<()> {
    let all = program.metadata();
    let metadata = &all.kernels[index];
    let limits = program.device().info().limits;
    let functions = &found.functions;
    let mut sink = |name: &str, groups, items, arguments: &[Argument<'_>]| match functions
        .iter()
        .find(|(n, _)| n == name)
    {
        Some((_, function)) => sink(function, groups, items, arguments),
        None => Err(Error::argument(format!(
            "there is no device kernel '{name}'"
        ))),
    };
    // Whoever calls it in another thread meanwhile works it out.
    let mut last = found.last.try_lock().ok();
    let like = match &mut last {
        Some(last) => last.call(bindings, &found.computed, &limits, &mut sink)?,
        None => Like::Other,
    };
    if let Like::Done = like {
        return Ok(());
    }
    let mut last = last.filter(|_| matches!(like, Like::Unknown));
    let mut notes = last.is_some().then(Notes::default);
    let program = evaluate::Program::new(&metadata.name, &all.functions, &all.tables);
    let host = (metadata.host.as_slice(), &found.computed);
    run(&program, host, bindings, &limits, &mut |worked| {
        if let Some(notes) = &mut notes {
            notes.note(worked);
        }
        worked.hand(bindings, &limits, &mut sink)
    })?;
    if let (Some(last), Some(notes)) = (&mut last, notes) {
        last.remember(notes);
    }
    Ok(())
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Kernel({}) on {}",
            self.metadata().name,
            self.program.device().name()
        )
    }
}
