//! Calls that are recorded once and replayed.

use super::error::{guard, keep, status};
use super::fault::{Code, Fault};
use super::handle::{self, Handled, Table};
use super::{Stream, device, invalid};
use crate::runtime::{self, ExecutionDomain, Kernel, Recorder, Result, StreamArgument};
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
pub(super) fn call(
    kernel: &Kernel,
    domain: Option<&ExecutionDomain>,
    arguments: &mut [StreamArgument<'_>],
    streams: &[Option<Arc<Stream>>],
    written: &[&Arc<Stream>],
) -> Result<()> {
    RECORDING.with_borrow_mut(|recording| {
        let Some((recorder, known)) = recording else {
            return kernel.call_over(domain, arguments);
        };
        recorder.call_over(kernel, domain, arguments)?;
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

/// Begins to record this thread's calls.
#[unsafe(no_mangle)]
pub extern "C" fn brook_record_begin() -> c_int {
    status(|| {
        let device = device::current()?;
        RECORDING.with_borrow_mut(|recording| match recording {
            Some(_) => Err(invalid("this thread's calls are being recorded already")),
            None => {
                *recording = Some((Recorder::new(device), Streams::default()));
                Ok(())
            }
        })
    })
}

/// Ends that.
#[unsafe(no_mangle)]
pub extern "C" fn brook_record_end() -> *mut Sequence {
    guard(std::ptr::null_mut(), || {
        let recorded = RECORDING.take();
        let (recorder, streams) =
            recorded.ok_or_else(|| invalid("this thread's calls are not being recorded"))?;
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

/// Frees a sequence.
///
/// # Safety
/// `sequence` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_sequence_release(sequence: *mut Sequence) {
    if !sequence.is_null() {
        guard((), || handle::release(sequence));
    }
}
