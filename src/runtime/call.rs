//! Calls of Brook+ kernels over streams.
//!
//! What the host's part and the generated kernels know, by name:
//!
//! | name | what |
//! |---|---|
//! | `NAME` of a stream, array or value parameter | its memory, or its value |
//! | `brook_NAME_shape` of a stream or array | its [`Layout`] |
//! | `brook_count` | number of elements of the execution domain, as `ulong` |
//! | `brook_domain` | the domain as a [`Range`] |
//! | `brook_linear` | of a map: 1 if item i has element i of every stream, else 0, as `int` |
//! | `brook_rows`, `brook_layers` | of a map: rows, and layers of rows, that have groups of their own, as `uint` |
//! | `brook_in_bounds` | of a map that has a kernel for that: 1 if all that it gathers is known to be there, else 0, as `int` |
//!
//! The domain is the first output's shape unless the call, or an output, says otherwise. Reductions:
//! see `reduce.rs`.

use super::argument::check_count;
use super::bindings::{Bindings, Owned};
use super::call_argument::StreamArgument;
use super::call_binding::Call;
use super::domain::{self, ExecutionDomain};
use super::footprint::InBounds;
use super::fusion::Waiting;
use super::kernel::FunctionSink;
use super::launch::Bound;
use super::layout::{Layout, Range};
use super::stream::DynStream;
use super::{Error, Kernel, Program, Result, fusion, sanitized};
use crate::expr::{Scalar, Value};
use crate::module::LaunchVariable;
use crate::render::{Form, Role};
use crate::rewrite::GROUP;

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
    /// into its target. What a kernel of Brook+ reads and writes is always there; one of OKL is for
    /// [`Kernel::call_okl`].
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
        // One of OKL has no domain, as is said below.
        if domain.is_none() {
            self.check_streams()?;
        }
        self.call_into(domain, arguments, None)
    }

    /// Launches a kernel of OKL over streams: a pointer gets the address of its stream's first element. One of Brook+ is
    /// called as by [`Kernel::call`].
    ///
    /// # Errors
    /// As [`Kernel::launch`]; and a part whose elements do not lie side by side.
    ///
    /// # Safety
    /// As of [`Kernel::launch`].
    pub unsafe fn call_okl(&self, arguments: &mut [StreamArgument<'_>]) -> Result<()> {
        self.call_into(None, arguments, None)
    }

    /// Whether it is a kernel over streams, of which no call can leave them.
    pub(super) fn check_streams(&self) -> Result<()> {
        match self.metadata().form {
            Form::Okl => Err(Error::argument(format!(
                "kernel '{}' is OKL, which may read and write anything: use Kernel::call_okl",
                self.metadata().name
            ))),
            _ => Ok(()),
        }
    }

    /// As [`Kernel::call_over`]; where there is a `sink`, it gets the launches instead of the device.
    pub(super) fn call_into(
        &self,
        domain: Option<&ExecutionDomain>,
        arguments: &mut [StreamArgument<'_>],
        sink: Option<&mut FunctionSink<'_>>,
    ) -> Result<()> {
        check_count(self.metadata(), arguments.len())?;
        self.program().device().count_launch();
        let mut folds = false;
        let waiting = match sink {
            Some(_) => None,
            None => fusion::waiting(self, domain, arguments),
        };
        if sink.is_some() {
            // It is called later, without a word to the streams.
            arguments
                .iter()
                .filter_map(StreamArgument::stream)
                .for_each(DynStream::expose);
        } else if waiting.is_none() {
            folds = self.catch_up(arguments)?;
        }
        if sanitized::is_wanted() {
            self.look_at(domain, arguments, sink.is_some());
            sanitized::note_written(self.metadata(), arguments);
        }
        match (self.metadata().form, domain) {
            (Form::Map, domain) => self.map(domain, arguments, sink, waiting),
            (Form::Vout, _) if sink.is_some() => Err(Error::argument(format!(
                "kernel '{}' has variable outputs, whose streams become others with each call: it cannot be \
                 recorded",
                self.metadata().name
            ))),
            (Form::Vout, domain) => self.vary(domain, arguments),
            (_, Some(_)) => Err(Error::argument(format!(
                "Kernel Execution: kernel '{}' does not run for each element of its outputs, so it \
                 has no execution domain to set",
                self.metadata().name
            ))),
            (Form::Okl, None) => self.over_streams(arguments, sink),
            (Form::Reduce, None) => self.reduce(arguments, sink, folds),
        }
    }

    /// Makes, of the calls that wait, those that this one has to find done. Whether it is a reduction that sees to
    /// its input itself.
    fn catch_up(&self, arguments: &[StreamArgument<'_>]) -> Result<bool> {
        let device = self.program().device();
        if !device.pending().is_any() {
            return Ok(false);
        }
        if self.metadata().form == Form::Okl || sanitized::is_wanted() {
            return device.catch_up().map(|()| false);
        }
        let folds = fusion::may_fold(self);
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for (parameter, argument) in self.metadata().parameters.iter().zip(arguments) {
            let Some(stream) = argument.stream() else {
                continue;
            };
            match parameter.role {
                Role::Input if folds => {}
                role if role.is_read() => read.push(stream),
                _ => written.push(stream),
            }
        }
        device.catch_up_for(&read, &written).map(|()| folds)
    }

    /// Runs the host's part over names bound already.
    pub(super) fn run_host(
        &self,
        bindings: &[(&str, Bound<'_>)],
        sink: Option<&mut FunctionSink<'_>>,
    ) -> Result<()> {
        match sink {
            Some(sink) => self.run_into(bindings, sink),
            None => self.run_into(bindings, &mut |function, groups, items, arguments| {
                self.launch_function(None, &**function, (groups, items), arguments)
            }),
        }
    }

    fn map(
        &self,
        domain: Option<&ExecutionDomain>,
        arguments: &[StreamArgument<'_>],
        sink: Option<&mut FunctionSink<'_>>,
        waiting: Option<Waiting>,
    ) -> Result<()> {
        let call = Call::new(self, sink.is_some());
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
        let set = sink.is_none() && self.program().device().set_of().is_some();
        if waiting.is_some() || set {
            let (checked, mut unused) = (Call::checked(self), Bindings::new(&range));
            for (index, argument) in arguments.iter().enumerate() {
                checked.bind(index, argument, first.rank, &range, &written, &mut unused)?;
            }
        }
        if let Some(waiting) = waiting {
            return self.program().device().pending().push(waiting);
        }
        if set {
            return self.map_on_set(arguments, first.rank, &range, &written);
        }
        let new = |(_, output): &&(usize, &DynStream)| !output.memory.is_made();
        let mut filled: Vec<&DynStream> = Vec::new();
        if self.metadata().elementwise
            && domain.is_none()
            && threads.is_none()
            && outputs.iter().any(|o| new(&o))
        {
            let parameters = self.metadata().parameters.iter();
            let read: Vec<&DynStream> = parameters
                .zip(arguments)
                .filter(|(p, _)| p.role.is_read())
                .filter_map(|(_, argument)| argument.stream())
                .collect();
            let alone = |output: &DynStream| !read.iter().any(|s| s.overlaps(output));
            for (_, output) in outputs.iter().filter(new).filter(|(_, o)| alone(o)) {
                output.will_be_filled()?;
                filled.push(output);
            }
        }
        let done = self.launch_map(&call, arguments, first.rank, (&range, &written), sink);
        if done.is_err() {
            filled.iter().for_each(|o| o.memory.was_not_filled());
        }
        done
    }

    /// Runs some of the items of a call that was checked, whose streams are this device's; what is written, and read
    /// besides, was copied. In a queue of the device, or its own.
    pub(super) fn map_part(
        &self,
        arguments: &[StreamArgument<'_>],
        rank: usize,
        range: &Range,
        queue: Option<&dyn brook_driver::Queue>,
    ) -> Result<()> {
        let call = Call::checked(self);
        let sink: &mut FunctionSink<'_> = &mut |function, groups, items, arguments| {
            self.launch_function(queue, &**function, (groups, items), arguments)
        };
        self.launch_map(&call, arguments, rank, (range, &[]), Some(sink))
    }

    /// Binds the arguments, and launches.
    fn launch_map(
        &self,
        call: &Call<'_>,
        arguments: &[StreamArgument<'_>],
        rank: usize,
        (range, written): (&Range, &[&DynStream]),
        sink: Option<&mut FunctionSink<'_>>,
    ) -> Result<()> {
        let mut bindings = Bindings::new(range);
        for (index, argument) in arguments.iter().enumerate() {
            call.bind(index, argument, rank, range, written, &mut bindings)?;
        }
        let linear = bindings.is_linear();
        let truth = |holds: bool| Owned::Scalar(Value::Int(Scalar::Int, holds.into()));
        bindings.add(LaunchVariable::Linear.name(), truth(linear));
        if self.metadata().in_bounds {
            let inside = linear && self.is_in_bounds(range, arguments, bindings.gathered());
            bindings.add(LaunchVariable::InBounds.name(), truth(inside));
        }
        let grid = self.program().device().info().limits.grid;
        let [rows, layers] = range.rows(GROUP as u32, grid).unwrap_or([0, 0]);
        for (name, count) in [
            (LaunchVariable::Rows.name(), rows),
            (LaunchVariable::Layers.name(), layers),
        ] {
            let value = Value::Int(Scalar::UInt, count.into());
            bindings.add(name, Owned::Scalar(value));
        }
        self.run_host(&bindings.as_bound()?, sink)
    }

    /// Whether all that a call gathers is known to be there.
    fn is_in_bounds(
        &self,
        range: &Range,
        arguments: &[StreamArgument<'_>],
        gathered: &[(usize, Layout)],
    ) -> bool {
        let call = InBounds {
            range,
            arguments,
            gathered,
        };
        self.in_bounds()
            .is_some_and(|known| call.is_known(self.metadata(), known))
    }
}
