//! Calls that are recorded once and replayed.

use super::device::Device;
use super::error::{guard, keep, status};
use super::fault::{Code, Fault};
use super::handle::{self, Handled, Table};
use super::memory::Memory;
use super::queue::Queue;
use super::{Stream, device, invalid};
use crate::runtime::{
    self, Error, ExecutionDomain, Kernel, KernelArgument, Recorder, Result, StreamArgument,
};
use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::Arc;

/// `brook_sequence`.
pub struct Sequence {
    sequence: runtime::Sequence,
    streams: Streams,
}

/// The streams of recorded calls.
#[derive(Default)]
struct Streams {
    read: Vec<Arc<Stream>>,
    written: Vec<Arc<Stream>>,
    /// Memory of recorded launches and copies: a pool gives it to nobody else meanwhile.
    memories: Vec<Arc<Memory>>,
}

thread_local! {
    static RECORDING: RefCell<Option<(Recorder, Streams)>> = const { RefCell::new(None) };
}

static SEQUENCES: Table<Sequence> = Table::new();

impl Handled for Sequence {
    const KIND: usize = 3;

    fn table() -> &'static Table<Self> {
        &SEQUENCES
    }
}

/// Calls a kernel, or records the call.
///
/// # Safety
/// As of [`Kernel::launch`], where it is one of OKL.
pub(super) unsafe fn call(
    kernel: &Kernel,
    domain: Option<&ExecutionDomain>,
    arguments: &mut [StreamArgument<'_>],
    streams: &[Option<Arc<Stream>>],
    written: &[&Arc<Stream>],
) -> Result<()> {
    RECORDING.with_borrow_mut(|recording| {
        let Some((recorder, known)) = recording else {
            return match domain {
                Some(_) => kernel.call_over(domain, arguments),
                // SAFETY: by this function's contract.
                None => unsafe { kernel.call_okl(arguments) },
            };
        };
        match domain {
            Some(_) => recorder.call_over(kernel, domain, arguments),
            // SAFETY: by this function's contract.
            None => unsafe { recorder.call_okl(kernel, arguments) },
        }?;
        for stream in streams.iter().flatten() {
            let list = match written.iter().any(|w| Arc::ptr_eq(w, stream)) {
                true => &mut known.written,
                false => &mut known.read,
            };
            if !list.iter().any(|known| Arc::ptr_eq(known, stream)) {
                list.push(Arc::clone(stream));
            }
        }
        Ok(())
    })
}

/// Launches an OKL kernel, or records that where this thread's calls for its device are recorded.
///
/// # Safety
/// As of [`Kernel::launch`].
pub(super) unsafe fn launch(
    kernel: &Kernel,
    arguments: &[KernelArgument<'_>],
    memories: &[Option<Arc<Memory>>],
) -> Result<()> {
    RECORDING.with_borrow_mut(|recording| {
        let Some((recorder, known)) = recording else {
            // SAFETY: by this function's contract.
            return unsafe { kernel.launch(arguments) };
        };
        // SAFETY: by this function's contract.
        unsafe { recorder.launch(kernel, arguments) }?;
        for memory in memories.iter().flatten() {
            if !known
                .memories
                .iter()
                .any(|known| Arc::ptr_eq(known, memory))
            {
                known.memories.push(Arc::clone(memory));
            }
        }
        Ok(())
    })
}

/// Whether this thread's calls are recorded.
pub(super) fn is_recording() -> bool {
    RECORDING.with_borrow(Option::is_some)
}

/// Begins to record this thread's calls for a device.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_record_begin_on(device: *const Device) -> c_int {
    status(|| begin(device::opened(device)?))
}

/// Records a copy between memory of the device.
///
/// # Safety
/// `to` and `from` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_record_copy(
    to: *const Memory,
    to_first: usize,
    from: *const Memory,
    from_first: usize,
    count: usize,
) -> c_int {
    status(|| {
        let (to, from) = (handle::get(to)?, handle::get(from)?);
        RECORDING.with_borrow_mut(|recording| {
            let Some((recorder, known)) = recording else {
                return Err(not_recording());
            };
            recorder.copy_part((&to.0, to_first), (&from.0, from_first), count)?;
            known.memories.extend([to, from]);
            Ok(())
        })
    })
}

fn not_recording() -> Error {
    invalid("this thread's calls are not being recorded")
}

fn begin(device: runtime::Device) -> Result<()> {
    RECORDING.with_borrow_mut(|recording| match recording {
        Some(_) => Err(invalid("this thread's calls are being recorded already")),
        None => {
            *recording = Some((Recorder::new(device), Streams::default()));
            Ok(())
        }
    })
}

/// Begins to record this thread's calls.
#[unsafe(no_mangle)]
pub extern "C" fn brook_record_begin() -> c_int {
    status(|| begin(device::current()?))
}

/// Ends that.
#[unsafe(no_mangle)]
pub extern "C" fn brook_record_end() -> *mut Sequence {
    guard(std::ptr::null_mut(), || {
        let recorded = RECORDING.take();
        let (recorder, streams) = recorded.ok_or_else(not_recording)?;
        let sequence = recorder.finish()?;
        handle::give(Sequence { sequence, streams })
    })
}

/// Does what was recorded.
///
/// # Safety
/// `sequence` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_sequence_launch(sequence: *const Sequence) -> c_int {
    status(|| {
        let sequence = handle::get(sequence)?;
        let Sequence { sequence, streams } = &*sequence;
        streams.read.iter().for_each(|s| s.transfers.settle());
        streams.written.iter().for_each(|s| s.transfers.finish());
        sequence.launch().inspect_err(|error| {
            let what = "Kernel Execution: Failed to run kernel";
            let fault = Fault::of(Code::Kernel, what, error);
            keep(&fault);
            streams.written.iter().for_each(|s| s.record.add(&fault));
        })
    })
}

/// Does what was recorded in a queue.
///
/// # Safety
/// `sequence` and `queue` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_sequence_launch_on(
    sequence: *const Sequence,
    queue: *const Queue,
) -> c_int {
    status(|| {
        let (sequence, queue) = (handle::get(sequence)?, handle::get(queue)?);
        let Sequence { sequence, streams } = &*sequence;
        if !streams.read.is_empty() || !streams.written.is_empty() {
            return Err(invalid(
                "the sequence has calls over streams, which are done in the device's own queue: brook_sequence_launch",
            ));
        }
        sequence.launch_on(&queue.0)
    })
}

/// Frees a sequence.
///
/// # Safety
/// `sequence` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_sequence_release(sequence: *mut Sequence) {
    handle::released(sequence);
}
