//! Launches of kernels whose text the tests know.

use brook::Kernel;
use brook::runtime::{Event, KernelArgument, Queue, Recorder, Result, StreamArgument};

/// What is unsafe to do with any kernel.
pub trait Trusted {
    /// [`Kernel::launch`].
    fn run(&self, arguments: &[KernelArgument<'_>]) -> Result<()>;
    /// [`Kernel::launch_on`].
    fn run_on(&self, queue: &Queue, arguments: &[KernelArgument<'_>]) -> Result<()>;
    /// [`Kernel::launch_async`].
    fn run_async(&self, queue: &Queue, arguments: &[KernelArgument<'_>]) -> Result<Event>;
    /// [`Kernel::call_okl`].
    fn run_over(&self, arguments: &mut [StreamArgument<'_>]) -> Result<()>;
}

impl Trusted for Kernel {
    fn run(&self, arguments: &[KernelArgument<'_>]) -> Result<()> {
        // SAFETY: the kernels of tests keep to the memory that tests give them, but where a test is about what happens
        // then, in a process of its own.
        unsafe { self.launch(arguments) }
    }

    fn run_on(&self, queue: &Queue, arguments: &[KernelArgument<'_>]) -> Result<()> {
        // SAFETY: as above.
        unsafe { self.launch_on(queue, arguments) }
    }

    fn run_async(&self, queue: &Queue, arguments: &[KernelArgument<'_>]) -> Result<Event> {
        // SAFETY: as above.
        unsafe { self.launch_async(queue, arguments) }
    }

    fn run_over(&self, arguments: &mut [StreamArgument<'_>]) -> Result<()> {
        // SAFETY: as above.
        unsafe { self.call_okl(arguments) }
    }
}

/// The same of recorders.
pub trait TrustedRecorder {
    /// [`Recorder::launch`].
    fn run(&self, kernel: &Kernel, arguments: &[KernelArgument<'_>]) -> Result<()>;
}

impl TrustedRecorder for Recorder {
    fn run(&self, kernel: &Kernel, arguments: &[KernelArgument<'_>]) -> Result<()> {
        // SAFETY: as above.
        unsafe { self.launch(kernel, arguments) }
    }
}
