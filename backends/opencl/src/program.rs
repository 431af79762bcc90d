//! Programs and kernels.

use crate::commands::{Commands, library};
use crate::handle::Handle;
use crate::memory::ClBuffer;
use crate::queue::ClQueue;
use crate::session::Session;
use crate::status::{failed, name};
use brook_driver::{Argument, Error, ErrorKind, Kernel, Program, Queue, Result};
use cl3::error_codes::{
    CL_INVALID_ARG_SIZE, CL_INVALID_ARG_VALUE, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_KERNEL_NAME,
    CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_SUCCESS,
    DLOPEN_FUNCTION_NOT_AVAILABLE,
};
use cl3::kernel;
use cl3::types::{cl_int, cl_mem, cl_uint};
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// A program built for the session's device.
pub(crate) struct ClProgram {
    /// Released before the context it belongs to.
    pub(crate) program: Handle,
    pub(crate) session: Arc<Session>,
}

impl Program for ClProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let unknown = || Error::invalid(format!("no kernel named '{name}' in this program"));
        let symbol = CString::new(name).map_err(|_| unknown())?;
        let kernel = kernel::create_kernel(self.program.raw(), &symbol).map_err(|s| match s {
            CL_INVALID_KERNEL_NAME => unknown(),
            other => failed(&format!("looking up the kernel '{name}'"), other),
        })?;
        // SAFETY: the call above returned the one reference to a new kernel.
        let kernel = unsafe { Handle::new(kernel, kernel::release_kernel) };
        let count = kernel::get_kernel_data(kernel.raw(), kernel::CL_KERNEL_NUM_ARGS)
            .map_err(|s| failed("counting a kernel's parameters", s))?;
        let parameters = count
            .first_chunk()
            .map_or(0, |b| cl_uint::from_ne_bytes(*b)) as usize;
        Ok(Arc::new(ClKernel {
            kernel: Mutex::new((kernel, Vec::new())),
            session: self.session.clone(),
            parameters,
            name: name.to_string(),
        }))
    }
}

struct ClKernel {
    /// Arguments are the kernel object's state: setting them and enqueueing is one step. Beside it the sizes of groups that it was
    /// launched for.
    kernel: Mutex<(Handle, Vec<[u32; 3]>)>,
    session: Arc<Session>,
    parameters: usize,
    name: String,
}

impl ClKernel {
    fn set(&self, kernel: &Handle, index: usize, argument: &Argument<'_>) -> Result<()> {
        let null: cl_mem = std::ptr::null_mut();
        let memory;
        let refuse = |why: String| Error::invalid(format!("argument {} {why}", index + 1));
        let of = |buffer| {
            ClBuffer::of(buffer, &self.session)
                .ok_or_else(|| refuse("is memory of another device".to_string()))
        };
        let (size, value): (usize, *const c_void) = match argument {
            Argument::Null => (size_of::<cl_mem>(), std::ptr::null()),
            Argument::Value(bytes) => (bytes.len(), bytes.as_ptr().cast()),
            Argument::Buffer(buffer) => {
                memory = of(*buffer)?.argument().map_err(refuse)?;
                (size_of_val(&null), (&raw const memory).cast())
            }
            Argument::Whole(buffer) => {
                memory = of(*buffer)?.place(0).0;
                (size_of_val(&null), (&raw const memory).cast())
            }
        };
        // SAFETY: `value` points at `size` bytes (or is null, for a null buffer), which the call
        // copies; OpenCL checks the size against the parameter's.
        let set = unsafe { kernel::set_kernel_arg(kernel.raw(), index as cl_uint, size, value) };
        set.map_err(|status| match status {
            CL_INVALID_ARG_SIZE | CL_INVALID_ARG_VALUE => Error::invalid(format!(
                "argument {} of the kernel '{}' ({size} bytes) does not fit its parameter: {}",
                index + 1,
                self.name,
                name(status)
            )),
            other => failed(
                &format!("setting argument {} of '{}'", index + 1, self.name),
                other,
            ),
        })
    }
}

/// The number of items along each axis.
fn global(grid: [u64; 3], group: [u32; 3]) -> Result<[usize; 3]> {
    let mut global = [0; 3];
    for axis in 0..3 {
        let items = grid[axis].checked_mul(u64::from(group[axis]));
        global[axis] = items.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| {
            Error::invalid(format!(
                "grid of {} groups of {} items along {} exceeds what OpenCL can count",
                grid[axis],
                group[axis],
                ["x", "y", "z"][axis]
            ))
        })?;
    }
    Ok(global)
}

impl Kernel for ClKernel {
    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        self.session.check()?;
        self.enqueue(&self.session.queue, grid, group, arguments)
    }

    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        self.session.check()?;
        let queue = ClQueue::of(queue, &self.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        self.enqueue(queue.commands(), grid, group, arguments)
    }
}

impl ClKernel {
    fn enqueue(
        &self,
        queue: &Commands,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        if arguments.len() != self.parameters {
            return Err(Error::invalid(format!(
                "the kernel '{}' takes {} arguments, {} were given",
                self.name,
                self.parameters,
                arguments.len()
            )));
        }
        let global = global(grid, group)?;
        if global.contains(&0) {
            return Ok(());
        }
        let local = group.map(|n| n as usize);
        let what = || format!("launching the kernel '{}'", self.name);
        let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        let (kernel, groups) = &mut *kernel;
        for (index, argument) in arguments.iter().enumerate() {
            self.set(kernel, index, argument)?;
        }
        // All arguments are set; both arrays have three elements; buffers that the kernel uses are kept alive by
        // OpenCL until it has finished. `cl3` asks for an event; hence the plain call.
        let status = library().map(|l| {
            l.clEnqueueNDRangeKernel(
                queue.raw(),
                kernel.raw(),
                3,
                std::ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null_mut(),
            )
        });
        match status {
            Ok(Some(CL_SUCCESS)) => {
                if !groups.contains(&group) {
                    groups.push(group);
                    queue.launched_first();
                }
                queue.enqueued("launching a kernel")
            }
            Ok(Some(status)) | Err(status) => Err(refused(status, &what(), global, group)),
            Ok(None) => Err(failed(&what(), DLOPEN_FUNCTION_NOT_AVAILABLE)),
        }
    }
}

/// Why OpenCL did not take a launch; sizes are the caller's affair.
fn refused(status: cl_int, what: &str, global: [usize; 3], group: [u32; 3]) -> Error {
    match status {
        CL_INVALID_WORK_GROUP_SIZE | CL_INVALID_WORK_ITEM_SIZE => Error::new(
            ErrorKind::Invalid,
            format!(
                "{what} failed: groups of {group:?} items are too large ({})",
                name(status)
            ),
        ),
        CL_INVALID_GLOBAL_WORK_SIZE => Error::new(
            ErrorKind::Invalid,
            format!(
                "{what} failed: {global:?} items are too many ({})",
                name(status)
            ),
        ),
        other => failed(what, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_multiplied_with_care() {
        assert_eq!(global([2, 3, 1], [4, 5, 6]).unwrap(), [8, 15, 6]);
        let error = global([1, u64::MAX, 1], [1, 2, 1]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid);
        assert!(error.message.contains("along y"), "{error}");
    }
}
