//! Programs in a device's own language (CUDA C++, HIP, OpenCL C), which are compiled as they are and launched over as
//! many groups and items as the caller says.

use super::argument::{Passed, memory_elsewhere};
use super::launch::{SHORT, to_bytes};
use super::list::List;
use super::queue::other_device;
use super::trace;
use super::{BuildOptions, Device, Error, KernelArgument, Queue, Result};
use crate::backend::Model;
use brook_driver::Argument;
use std::fmt::{self, Write};
use std::sync::Arc;

/// A source in a device's own language, compiled. Clones share it.
#[derive(Clone)]
pub struct NativeProgram {
    device: Device,
    program: Arc<dyn brook_driver::Program>,
}

/// A kernel of a [`NativeProgram`]. Clones share it.
#[derive(Clone)]
pub struct NativeKernel {
    device: Device,
    name: Arc<str>,
    function: Arc<dyn brook_driver::Kernel>,
}

impl Device {
    /// Compiles a source in the device's own language. Of the options it takes macros, directories, files that stand
    /// before the source, flags, the standard, and the arithmetic contract; nothing is translated, and nothing kept in the
    /// kernel cache. `name` is what the compiler's messages call it.
    ///
    /// # Errors
    /// A device that runs functions of the host, which need no help to be called; the compiler rejects the source.
    pub fn build_native(
        &self,
        name: &str,
        source: &str,
        options: &BuildOptions,
    ) -> Result<NativeProgram> {
        if self.backend().model == Model::Loops {
            return Err(Error::argument(format!(
                "{} has no language of its own: what it runs are functions of the host",
                self.name()
            )));
        }
        let text = options.native_text(name, source);
        let binary = self.driver().compile(&text, &options.compile)?;
        Ok(NativeProgram {
            device: self.clone(),
            program: self.driver().load(&binary)?,
        })
    }
}

impl BuildOptions {
    /// Macros and files before a source that no preprocessor of ours sees.
    fn native_text(&self, name: &str, source: &str) -> String {
        let mut text = String::new();
        for define in &self.translate.defines {
            // A macro's text is of one line.
            let value = define.value.replace('\n', " ");
            let _ = writeln!(text, "#define {} {value}", define.name);
        }
        for file in &self.translate.forced_includes {
            let _ = writeln!(text, "#include \"{file}\"");
        }
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "#line 1 \"{name}\"");
        text + source
    }
}

impl NativeProgram {
    /// The kernel of that name: in CUDA and HIP that is one of `extern "C"`.
    ///
    /// # Errors
    /// There is none.
    pub fn kernel(&self, name: &str) -> Result<NativeKernel> {
        Ok(NativeKernel {
            device: self.device.clone(),
            name: name.into(),
            function: self.program.kernel(name)?,
        })
    }

    /// The device it was built for.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl NativeKernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The device it was built for.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Launches it over so many groups of so many items, along x, y and z. Nothing is known of its parameters: numbers are
    /// passed as what they are, memory as its address or buffer. Zero groups or items launch nothing.
    ///
    /// # Errors
    /// Memory of another device, or on OpenCL a part that begins where no buffer object can; extents beyond the device's
    /// limits; the device failed.
    ///
    /// # Safety
    /// The arguments are as many as the kernel has parameters, and of their types; and as of
    /// [`Kernel::launch`](super::Kernel::launch).
    pub unsafe fn launch(
        &self,
        groups: [u64; 3],
        items: [u32; 3],
        arguments: &[KernelArgument<'_>],
    ) -> Result<()> {
        self.pass(None, groups, items, arguments)
    }

    /// As [`NativeKernel::launch`], on a queue: the call returns before the kernel has ended.
    ///
    /// # Errors
    /// As [`NativeKernel::launch`]; and a queue of another device.
    ///
    /// # Safety
    /// As of [`NativeKernel::launch`].
    pub unsafe fn launch_on(
        &self,
        queue: &Queue,
        groups: [u64; 3],
        items: [u32; 3],
        arguments: &[KernelArgument<'_>],
    ) -> Result<()> {
        if !queue.device().is_same(&self.device) {
            return Err(other_device(queue, &self.name, &self.device));
        }
        self.pass(Some(queue), groups, items, arguments)
    }

    fn pass(
        &self,
        queue: Option<&Queue>,
        groups: [u64; 3],
        items: [u32; 3],
        arguments: &[KernelArgument<'_>],
    ) -> Result<()> {
        if groups.contains(&0) || items.contains(&0) {
            return Ok(());
        }
        self.device.count_launch();
        self.device.catch_up()?;
        let fail = |index: usize, what: String| {
            let number = index + 1;
            Error::argument(format!(
                "argument {number} of kernel '{}' {what}",
                self.name
            ))
        };
        let mut rooms = List::<_, SHORT>::filled([0; 8], arguments.len());
        let mut list = List::<_, SHORT>::new(Argument::Null);
        for ((index, argument), room) in arguments.iter().enumerate().zip(rooms.iter_mut()) {
            list.push(match argument.0 {
                Passed::Scalar(value) => {
                    let size = to_bytes(value, room);
                    Argument::Value(&room[..size])
                }
                Passed::Bytes(bytes) | Passed::Vector(_, bytes) => Argument::Value(bytes),
                Passed::Memory { device, .. } if !device.is_same(&self.device) => {
                    return Err(fail(index, memory_elsewhere(device, &self.device)));
                }
                Passed::Memory { buffer, .. } | Passed::Raw(buffer) if buffer.needs_offset() => {
                    let byte = buffer.offset();
                    let what = format!(
                        "begins at byte {byte} of its memory, where {} can make no buffer object",
                        self.device.name()
                    );
                    return Err(fail(index, what));
                }
                Passed::Memory { buffer, .. } | Passed::Raw(buffer) => Argument::Buffer(buffer),
                Passed::Null => Argument::Null,
            });
        }
        let (told, queue) = ((&self.device, &*self.name), queue.map(Queue::driver));
        Ok(trace::launching(
            told,
            queue,
            &*self.function,
            (groups, items),
            &list,
        )?)
    }
}

impl fmt::Debug for NativeProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NativeProgram on {}", self.device.name())
    }
}

impl fmt::Debug for NativeKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NativeKernel({}) on {}", self.name, self.device.name())
    }
}
