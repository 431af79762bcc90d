//! Launches and copies that are recorded once and replayed many times.

use super::argument::KernelArgument;
use super::fusion::{self, Recorded};
use super::launch::SHORT;
use super::list::List;
use super::queue::other_device;
use super::trace::{self, What};
use super::{
    Device, DynMemory, Element, Error, ExecutionDomain, Kernel, Memory, Queue, Result,
    StreamArgument,
};
use crate::render::Form;
use brook_driver::{Argument, Buffer};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// What was recorded, ready to be replayed. Clones share it.
///
/// Arguments are those of the recording: numbers by value, memory by place, so that each replay works on what
/// the memory holds by then. The memory lives as long as the sequence.
#[derive(Clone)]
pub struct Sequence(Arc<Inner>);

struct Inner {
    device: Device,
    steps: Vec<Step>,
    /// What the driver made of the steps, where it has something better than doing them one by one.
    native: Option<Box<dyn brook_driver::Sequence>>,
}

/// One thing to do.
enum Step {
    Launch {
        function: Arc<dyn brook_driver::Kernel>,
        groups: [u64; 3],
        items: [u32; 3],
        arguments: Vec<Kept>,
    },
    Copy {
        from: Arc<dyn Buffer>,
        to: Arc<dyn Buffer>,
    },
}

/// An argument that outlives the call it was given to.
enum Kept {
    Buffer(Arc<dyn Buffer>),
    Whole(Arc<dyn Buffer>),
    Null,
    Value(Box<[u8]>),
}

/// What [`Device::record`] hands to its closure.
pub struct Recorder {
    device: Device,
    steps: RefCell<Vec<Step>>,
    /// Calls that may become fewer, if that is wanted.
    calls: Option<RefCell<Recorded>>,
}

impl Device {
    /// Records what the closure launches and copies, without doing it: CUDA and HIP get a graph, whose replay costs
    /// a fraction of its launches; other devices a list of launches that are worked out already.
    ///
    /// # Errors
    /// The closure's, and the device's.
    pub fn record(&self, work: impl FnOnce(&Recorder) -> Result<()>) -> Result<Sequence> {
        let recorder = Recorder::new(self.clone());
        work(&recorder)?;
        recorder.finish()
    }
}

impl Recorder {
    pub(crate) fn new(device: Device) -> Self {
        Self {
            calls: fusion::fuses(&device).then(RefCell::default),
            device,
            steps: RefCell::default(),
        }
    }

    /// What was recorded.
    pub(crate) fn finish(self) -> Result<Sequence> {
        let (device, mut steps) = (self.device, self.steps.into_inner());
        if let Some(calls) = self.calls {
            steps = fused(&device, steps, &calls.into_inner());
        }
        let native = match steps.is_empty() {
            true => None,
            false => device
                .driver()
                .sequence(&mut |queue| enqueue(&steps, queue))?,
        };
        Ok(Sequence(Arc::new(Inner {
            device,
            steps,
            native,
        })))
    }

    /// Records a launch: arguments are checked, and the host's part of the kernel is evaluated, as
    /// [`Kernel::launch`] does.
    ///
    /// # Errors
    /// As [`Kernel::launch`]; and a kernel of another device.
    ///
    /// # Safety
    /// As of [`Kernel::launch`], each time the sequence is replayed.
    pub unsafe fn launch(&self, kernel: &Kernel, arguments: &[KernelArgument<'_>]) -> Result<()> {
        self.check(kernel)?;
        let first = self.steps.borrow().len();
        kernel.launch_into(arguments, &mut |function, groups, items, arguments| {
            self.step(function, groups, items, arguments)
        })?;
        if let Some(calls) = &self.calls {
            let steps = first..self.steps.borrow().len();
            calls.borrow_mut().note_launch(steps, kernel, arguments);
        }
        Ok(())
    }

    /// Records a call over streams. Arrays and structures of the host are kept as they are now.
    ///
    /// # Errors
    /// As [`Kernel::call`]; a kernel of another device; and what needs the host each time: a reduction into a
    /// variable, variable outputs, a stream that is read and written.
    pub fn call(&self, kernel: &Kernel, arguments: &mut [StreamArgument<'_>]) -> Result<()> {
        self.call_over(kernel, None, arguments)
    }

    /// As [`Recorder::call`], for a domain of the caller's choice: see [`Kernel::call_over`].
    ///
    /// # Errors
    /// As [`Recorder::call`] and [`Kernel::call_over`].
    pub fn call_over(
        &self,
        kernel: &Kernel,
        domain: Option<&ExecutionDomain>,
        arguments: &mut [StreamArgument<'_>],
    ) -> Result<()> {
        if domain.is_none() {
            kernel.check_streams()?;
        }
        self.call_into(kernel, domain, arguments)
    }

    /// As [`Recorder::call`], for kernels of OKL, too.
    ///
    /// # Errors
    /// As [`Kernel::call_okl`]; and a kernel of another device.
    ///
    /// # Safety
    /// As of [`Kernel::launch`], each time the sequence is replayed.
    pub unsafe fn call_okl(
        &self,
        kernel: &Kernel,
        arguments: &mut [StreamArgument<'_>],
    ) -> Result<()> {
        self.call_into(kernel, None, arguments)
    }

    fn call_into(
        &self,
        kernel: &Kernel,
        domain: Option<&ExecutionDomain>,
        arguments: &mut [StreamArgument<'_>],
    ) -> Result<()> {
        self.check(kernel)?;
        if let Some(calls) = &self.calls {
            calls.borrow_mut().note_streams(arguments);
        }
        // A call that fails leaves no part of it behind.
        let before = self.steps.borrow().len();
        let mut sink = |function: &Arc<_>, groups, items, arguments: &[Argument<'_>]| {
            self.step(function, groups, items, arguments)
        };
        let recorded = kernel.call_into(domain, arguments, Some(&mut sink));
        recorded.inspect_err(|_| self.steps.borrow_mut().truncate(before))?;
        let Some(calls) = self.calls.as_ref().filter(|_| domain.is_none()) else {
            return Ok(());
        };
        let steps = before..self.steps.borrow().len();
        if kernel.metadata().form != Form::Okl {
            calls.borrow_mut().note_call(steps, kernel, arguments);
            return Ok(());
        }
        kernel.with_streams(arguments, true, |kernel, passed| {
            calls.borrow_mut().note_launch(steps, kernel, passed);
            Ok(())
        })
    }

    fn check(&self, kernel: &Kernel) -> Result<()> {
        let other = kernel.program().device();
        match other.is_same(&self.device) {
            true => Ok(()),
            false => Err(Error::argument(format!(
                "kernel '{}' was built for {}, and cannot be recorded for {}",
                kernel.metadata().name,
                other.name(),
                self.device.name()
            ))),
        }
    }

    fn step(
        &self,
        function: &Arc<dyn brook_driver::Kernel>,
        groups: [u64; 3],
        items: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let step = Step::launch(function, groups, items, arguments)?;
        self.steps.borrow_mut().push(step);
        Ok(())
    }

    /// Records a copy between memory of the device.
    ///
    /// # Errors
    /// Lengths or devices differ, or the two overlap.
    pub fn copy<T: Element>(&self, from: &Memory<T>, to: &Memory<T>) -> Result<()> {
        to.same_length(from.len())?;
        self.copy_part((to.as_dyn(), 0), (from.as_dyn(), 0), from.len())
    }

    /// As [`Recorder::copy`], of elements of kinds that are known at run time: `len` of them, from number `from` on to
    /// those from number `to` on.
    ///
    /// # Errors
    /// There are not as many, kinds or devices differ, or the two overlap.
    pub fn copy_part(
        &self,
        (to, to_first): (&DynMemory, usize),
        (from, from_first): (&DynMemory, usize),
        len: usize,
    ) -> Result<()> {
        if !from.device().is_same(&self.device) || !to.device().is_same(&self.device) {
            return Err(Error::argument(format!(
                "memory of another device cannot be recorded for {}",
                self.device.name()
            )));
        }
        to.same_kind(from)?;
        let step = Step::Copy {
            from: Arc::clone(&from.part(from_first, len)?.buffer),
            to: Arc::clone(&to.part(to_first, len)?.buffer),
        };
        self.steps.borrow_mut().push(step);
        Ok(())
    }
}

impl Step {
    fn launch(
        function: &Arc<dyn brook_driver::Kernel>,
        groups: [u64; 3],
        items: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<Self> {
        let arguments = arguments.iter().map(Kept::new);
        Ok(Self::Launch {
            function: Arc::clone(function),
            groups,
            items,
            arguments: arguments.collect::<brook_driver::Result<_>>()?,
        })
    }

    /// The memory that it is given.
    fn memory(&self) -> Vec<&Arc<dyn Buffer>> {
        match self {
            Self::Copy { from, to } => vec![from, to],
            Self::Launch { arguments, .. } => {
                let memory = arguments.iter().filter_map(|argument| match argument {
                    Kept::Buffer(buffer) | Kept::Whole(buffer) => Some(buffer),
                    Kept::Null | Kept::Value(_) => None,
                });
                memory.collect()
            }
        }
    }
}

/// The steps with those of calls that can be fused as fewer.
fn fused(device: &Device, steps: Vec<Step>, calls: &Recorded) -> Vec<Step> {
    if calls.is_empty() {
        return steps;
    }
    let parts = {
        let given: Vec<_> = steps.iter().map(Step::memory).collect();
        calls.parts(device, &given)
    };
    let mut steps: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    let mut out = Vec::new();
    let mut next = 0;
    for part in parts {
        out.extend(
            steps[next..part.steps.start]
                .iter_mut()
                .filter_map(Option::take),
        );
        next = part.steps.end;
        let before = out.len();
        let done = part.record(device, &mut |function, groups, items, arguments| {
            out.push(Step::launch(function, groups, items, arguments)?);
            Ok(())
        });
        if !done {
            out.truncate(before);
            for kept in part.kept {
                out.extend(steps[kept].iter_mut().filter_map(Option::take));
            }
        }
    }
    out.extend(steps[next..].iter_mut().filter_map(Option::take));
    out
}

impl Sequence {
    /// Replays everything on the device's own queue.
    ///
    /// # Errors
    /// The device's.
    pub fn launch(&self) -> Result<()> {
        let queue = self.0.device.driver().default_queue()?;
        self.replay(&*queue)
    }

    /// As [`Sequence::launch`], on a queue: the call returns before the work is done.
    ///
    /// # Errors
    /// As [`Sequence::launch`]; and a queue of another device.
    pub fn launch_on(&self, queue: &Queue) -> Result<()> {
        if !queue.device().is_same(&self.0.device) {
            return Err(other_device(queue, "a sequence", &self.0.device));
        }
        self.replay(queue.driver())
    }

    /// Launches and copies of device kernels: a kernel with several nests has several.
    pub fn len(&self) -> usize {
        self.0.steps.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.0.steps.is_empty()
    }

    fn replay(&self, queue: &dyn brook_driver::Queue) -> Result<()> {
        self.0.device.count_launch();
        self.0.device.catch_up()?;
        let replay = || match &self.0.native {
            Some(native) => native.replay(queue),
            None => enqueue(&self.0.steps, queue),
        };
        let what = What::kernel("sequence");
        Ok(trace::enqueuing(&self.0.device, Some(queue), what, replay)?)
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sequence({} on {})", self.len(), self.0.device.name())
    }
}

impl Kept {
    fn new(argument: &Argument<'_>) -> brook_driver::Result<Self> {
        Ok(match argument {
            Argument::Buffer(buffer) => Self::Buffer(buffer.slice(0, buffer.len())?),
            Argument::Whole(buffer) => Self::Whole(buffer.slice(0, buffer.len())?),
            Argument::Null => Self::Null,
            Argument::Value(bytes) => Self::Value((*bytes).into()),
        })
    }

    fn as_argument(&self) -> Argument<'_> {
        match self {
            Self::Buffer(buffer) => Argument::Buffer(&**buffer),
            Self::Whole(buffer) => Argument::Whole(&**buffer),
            Self::Null => Argument::Null,
            Self::Value(bytes) => Argument::Value(bytes),
        }
    }
}

fn enqueue(steps: &[Step], queue: &dyn brook_driver::Queue) -> brook_driver::Result<()> {
    for step in steps {
        match step {
            Step::Launch {
                function,
                groups,
                items,
                arguments,
            } => {
                let mut list = List::<_, SHORT>::new(Argument::Null);
                list.extend(arguments.iter().map(Kept::as_argument));
                function.launch_on(queue, *groups, *items, &list)?;
            }
            Step::Copy { from, to } => queue.copy(&**to, 0, &**from, 0, from.len())?,
        }
    }
    Ok(())
}
