//! A queue of OpenCL, and whether it has come to its end.

use crate::handle::Handle;
use crate::status::{failed, name};
use brook_driver::{Error, Process, Result};
use cl3::error_codes::DLOPEN_RUNTIME_LOAD_FAILED;
use cl3::event::{CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS};
use cl3::types::{cl_command_queue, cl_device_id, cl_event, cl_int};
use cl3::{OpenClRuntime, command_queue, event};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The functions of the loader, for calls that `cl3` makes in one way only.
pub(crate) fn library() -> std::result::Result<&'static OpenClRuntime, cl_int> {
    cl3::load_library()
        .as_ref()
        .map_err(|_| DLOPEN_RUNTIME_LOAD_FAILED)
}

/// One in-order queue. Commands are enqueued without events, which cost more than the rest of a launch where the
/// queue takes times; only who asks whether it is idle pays for one.
pub(crate) struct Commands {
    queue: Handle,
    /// How many commands there were, and how many of them are known to have ended.
    enqueued: AtomicU64,
    ended: Arc<AtomicU64>,
    /// The last marker, and the commands before it.
    marker: Mutex<Option<(Handle, SoFar)>>,
    /// Whether commands lie until somebody waits for them, unless the queue is flushed.
    lies: bool,
    /// Whether others put commands into it, too, which are not counted.
    foreign: bool,
    /// Whether it has kernels that ran for groups of their size for the first time. PoCL compiles them then, in a thread of its own: a
    /// process that ends meanwhile takes the compiler's tables away, and ends with an error.
    compiles: AtomicBool,
    process: Process,
}

/// The commands of a queue up to a moment.
pub(crate) struct SoFar {
    count: u64,
    ended: Arc<AtomicU64>,
}

impl SoFar {
    /// Whoever has waited for them says so: nobody has to ask OpenCL again.
    pub(crate) fn have_ended(&self) {
        self.ended.fetch_max(self.count, Ordering::AcqRel);
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        self.finish_first_launches();
    }
}

impl Commands {
    /// A new queue. Where its events have times, each costs several times as much.
    pub(crate) fn create(
        context: &Handle,
        device: cl_device_id,
        lies: bool,
        times: bool,
    ) -> Result<Self> {
        let properties = match times {
            true => command_queue::CL_QUEUE_PROFILING_ENABLE,
            false => 0,
        };
        // SAFETY: the device is the context's.
        let queue =
            unsafe { command_queue::create_command_queue(context.raw(), device, properties) }
                .map_err(|s| failed("creating an OpenCL queue", s))?;
        // SAFETY: the call above returned the one reference to a new queue.
        let queue = unsafe { Handle::new(queue, command_queue::release_command_queue) };
        Ok(Self::new(queue, lies, false))
    }

    /// Somebody else's queue, of which this keeps a reference.
    ///
    /// # Safety
    /// `queue` is a live queue.
    pub(crate) unsafe fn import(
        context: &Handle,
        device: cl_device_id,
        lies: bool,
        queue: cl_command_queue,
    ) -> Result<Self> {
        let what = "importing an OpenCL queue";
        let ask = |parameter| {
            let answer = command_queue::get_command_queue_data(queue, parameter);
            let answer = answer.map_err(|s| failed(what, s));
            answer.map(|b| b.first_chunk().map_or(0, |b| usize::from_ne_bytes(*b)))
        };
        if ask(command_queue::CL_QUEUE_CONTEXT)? != context.raw().addr()
            || ask(command_queue::CL_QUEUE_DEVICE)? != device.addr()
        {
            return Err(Error::invalid(
                "the cl_command_queue is of another context or device",
            ));
        }
        let out_of_order = command_queue::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE as usize;
        if ask(command_queue::CL_QUEUE_PROPERTIES)? & out_of_order != 0 {
            return Err(Error::invalid("the cl_command_queue is out of order"));
        }
        // SAFETY: by this function's contract.
        unsafe { command_queue::retain_command_queue(queue) }.map_err(|s| failed(what, s))?;
        // SAFETY: the reference was taken just now.
        let queue = unsafe { Handle::new(queue, command_queue::release_command_queue) };
        Ok(Self::new(queue, lies, true))
    }

    fn new(queue: Handle, lies: bool, foreign: bool) -> Self {
        Self {
            queue,
            foreign,
            enqueued: AtomicU64::new(0),
            ended: Arc::default(),
            marker: Mutex::new(None),
            lies,
            compiles: AtomicBool::new(false),
            process: Process::current(),
        }
    }

    /// Says that a kernel was enqueued for groups of a size that it has not had before.
    pub(crate) fn launched_first(&self) {
        // Where commands begin by themselves, they were compiled when the program was built.
        self.compiles.store(self.lies, Ordering::Release);
    }

    /// Waits for such kernels.
    pub(crate) fn finish_first_launches(&self) {
        // In a child nobody is left to wait for.
        if self.process.is_current() && self.compiles.swap(false, Ordering::AcqRel) {
            // Whoever waits next is told of what is wrong.
            let _ = command_queue::finish(self.raw());
        }
    }

    /// The queue object, live as long as `self`.
    pub(crate) fn raw(&self) -> *mut std::ffi::c_void {
        self.queue.raw()
    }

    /// Sees to it that the command that was just enqueued begins, and is waited for.
    pub(crate) fn enqueued(&self, what: &str) -> Result<()> {
        self.enqueued.fetch_add(1, Ordering::AcqRel);
        match self.lies {
            true => self.flush(what),
            false => Ok(()),
        }
    }

    fn flush(&self, what: &str) -> Result<()> {
        command_queue::flush(self.raw()).map_err(|s| failed(what, s))
    }

    /// What was enqueued until now.
    pub(crate) fn so_far(&self) -> SoFar {
        SoFar {
            count: self.enqueued.load(Ordering::Acquire),
            ended: Arc::clone(&self.ended),
        }
    }

    /// A marker behind everything so far.
    pub(crate) fn mark(&self, what: &str) -> Result<Handle> {
        // SAFETY: no wait list means everything before it.
        let marker = unsafe {
            command_queue::enqueue_marker_with_wait_list(self.raw(), 0, std::ptr::null())
        };
        let marker = marker.map_err(|s| failed(what, s))?;
        // SAFETY: the event is a new one, and this its only reference.
        let marker = unsafe { Handle::new(marker, event::release_event) };
        self.flush(what)?;
        Ok(marker)
    }

    /// Whether all commands have ended, well or not. Of a queue that others fill: those that were in it when somebody
    /// first asked, since a marker takes its time even in an empty queue, and would never be seen to have ended if each
    /// question had one of its own.
    pub(crate) fn is_idle(&self) -> Result<bool> {
        let so_far = self.so_far();
        if !self.foreign && self.ended.load(Ordering::Acquire) >= so_far.count {
            return Ok(true);
        }
        let mut last = self.marker.lock().unwrap_or_else(PoisonError::into_inner);
        let (marker, before) = match last.take() {
            Some(last) if last.1.count >= so_far.count => last,
            _ => {
                let marker = self.mark("asking for the state of an OpenCL queue")?;
                (marker, so_far)
            }
        };
        let done = status(&marker)? <= CL_COMPLETE;
        if done {
            before.have_ended();
        } else {
            *last = Some((marker, before));
        }
        Ok(done)
    }

    /// Waits for all commands.
    pub(crate) fn finish(&self, what: &str) -> Result<()> {
        let so_far = self.so_far();
        self.compiles.store(false, Ordering::Release);
        command_queue::finish(self.raw()).map_err(|s| failed(what, s))?;
        so_far.have_ended();
        Ok(())
    }
}

/// How far a command is; negative if it has failed.
pub(crate) fn status(command: &Handle) -> Result<cl_int> {
    let status = event::get_event_info(command.raw(), CL_EVENT_COMMAND_EXECUTION_STATUS)
        .map_err(|s| failed("asking for the state of an OpenCL command", s))?;
    Ok(cl_int::from(status))
}

/// Drops the event that a call of `cl3` for an enqueued command returns.
pub(crate) fn forget_event(
    result: std::result::Result<cl_event, cl_int>,
    what: &str,
) -> Result<()> {
    let event = result.map_err(|s| failed(what, s))?;
    // SAFETY: the event is a new one, and this its only reference. The command goes on without it.
    unsafe { event::release_event(event) }.map_err(|s| failed(what, s))
}

/// Why a command before an event failed.
pub(crate) fn failure(status: cl_int) -> Error {
    let name = name(status);
    let message = format!("a command before the event failed: {name}");
    Error::new(brook_driver::ErrorKind::Device, message)
}
