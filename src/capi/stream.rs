use super::device::{self, Device};
use super::error::{guard, hold, keep, status};
use super::fault::{Code, Fault, Record};
use super::handle::{self, Handled, Table};
use super::native::Binding;
use super::transfer::{self, Flags, Transfers};
use super::{invalid, text};
use crate::runtime::{DynStream, Result};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// `brook_stream`.
pub struct Stream {
    /// Without it the stream could not be made, and its record says why; or the properties are not there yet
    /// that say where another interface's memory is.
    pub(super) inner: OnceLock<DynStream>,
    pub(super) binding: Option<Binding>,
    pub(super) record: Arc<Record>,
    pub(super) transfers: Arc<Transfers>,
    /// Launches of its device that had ended when it was last waited for; of none that there will be before.
    pub(super) finished: Finished,
}

/// A number of launches.
pub(super) struct Finished(AtomicU64);

impl Default for Finished {
    fn default() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }
}

impl Stream {
    fn new(inner: DynStream) -> Self {
        let record = Arc::default();
        Self {
            inner: OnceLock::from(watched(inner, &record)),
            binding: None,
            record,
            transfers: Arc::default(),
            finished: Finished::default(),
        }
    }

    /// A stream that could not be made.
    fn failed(fault: &Arc<Fault>) -> Self {
        let record = Record::default();
        record.add(fault);
        Self {
            inner: OnceLock::new(),
            binding: None,
            record: Arc::new(record),
            transfers: Arc::default(),
            finished: Finished::default(),
        }
    }

    /// A stream in another interface's memory, which is not known yet.
    fn bound(binding: Binding) -> Self {
        Self {
            inner: OnceLock::new(),
            binding: Some(binding),
            record: Arc::default(),
            transfers: Arc::default(),
            finished: Finished::default(),
        }
    }

    /// Another stream that takes this one's place and keeps its errors.
    pub(super) fn replaced_by(&self, inner: DynStream) -> Self {
        Self {
            inner: OnceLock::from(watched(inner, &self.record)),
            binding: None,
            record: Arc::clone(&self.record),
            transfers: Arc::default(),
            finished: Finished::default(),
        }
    }

    pub(super) fn into_handle(self) -> Result<*mut Self> {
        handle::give(self)
    }

    /// Runs an operation whose errors stay with the stream.
    pub(super) fn operate(
        &self,
        code: Code,
        what: &str,
        body: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        body().inspect_err(|error| self.fail(&Fault::of(code, what, error)))
    }

    /// Adds an error that the current function is about to end with.
    pub(super) fn fail(&self, fault: &Arc<Fault>) {
        keep(fault);
        self.record.add(fault);
    }

    pub(super) fn elements(&self, message: &str) -> Result<&DynStream> {
        self.inner.get().ok_or_else(|| invalid(message))
    }
}

/// The same stream, whose record learns of calls that fail after they have returned.
pub(super) fn watched(mut stream: DynStream, record: &Arc<Record>) -> DynStream {
    let record = Arc::downgrade(record);
    stream.on_late_error(move |error| {
        let fault = Fault::of(
            Code::Kernel,
            "Kernel Execution: Failed to run kernel",
            error,
        );
        if let Some(record) = record.upgrade() {
            record.add(&fault);
        }
    });
    stream
}

/// The stream, behind all calls that its errors may come from.
fn asked(stream: *mut Stream) -> Result<Arc<Stream>> {
    let stream = handle::get(stream)?;
    if let Some(inner) = stream.inner.get() {
        let made = inner.device().catch_up().and_then(|()| inner.reserve());
        made.unwrap_or_else(|error| {
            stream.fail(&Fault::of(Code::Kernel, "Kernel Execution", &error));
        });
    }
    Ok(stream)
}

static STREAMS: Table<Stream> = Table::new();

impl Handled for Stream {
    const KIND: usize = 1;

    fn table() -> &'static Table<Self> {
        &STREAMS
    }
}

/// The stream behind a handle, for an operation: if there is none, the thread is left with the error.
pub(super) fn operand(handle: *const Stream, what: &str) -> Result<Arc<Stream>> {
    handle::get(handle).inspect_err(|error| {
        hold(Fault::of(Code::InvalidParameter, what, error));
    })
}

/// # Safety
/// As [`brook_stream_create`].
unsafe fn shape<'a>(
    element_type: *const c_char,
    rank: c_uint,
    extents_slowest_first: *const c_uint,
) -> Result<(&'a str, &'a [c_uint])> {
    // SAFETY: the caller passes a string or null.
    let element = unsafe { text(element_type, "the element type") }?;
    if extents_slowest_first.is_null() || !(1..=4).contains(&rank) {
        return Err(invalid(
            "Stream Allocation: This dimension not supported on underlying hardware: a stream has one \
             to four extents",
        ));
    }
    // SAFETY: not null, and the caller passes `rank` numbers.
    let extents = unsafe { std::slice::from_raw_parts(extents_slowest_first, rank as usize) };
    Ok((element, extents))
}

/// # Safety
/// As [`brook_stream_create`].
unsafe fn create(
    element_type: *const c_char,
    rank: c_uint,
    extents_slowest_first: *const c_uint,
) -> Result<DynStream> {
    // SAFETY: the caller promises it.
    let (element, extents) = unsafe { shape(element_type, rank, extents_slowest_first) }?;
    device::current()?.stream(element, extents)
}

/// Makes a stream of zeros on the current device.
///
/// # Safety
/// `element_type` is null or a string; `extents_slowest_first` is null or points to `rank` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_create(
    element_type: *const c_char,
    rank: c_uint,
    extents_slowest_first: *const c_uint,
) -> *mut Stream {
    guard(null_mut(), || {
        // SAFETY: the caller promises as much.
        let stream = unsafe { create(element_type, rank, extents_slowest_first) }?;
        Stream::new(stream).into_handle()
    })
}

/// As [`brook_stream_create`], but a failure is an error of the stream that is returned.
///
/// # Safety
/// As [`brook_stream_create`]; `binding` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_declare(
    element_type: *const c_char,
    rank: c_uint,
    extents_slowest_first: *const c_uint,
    binding: *const c_char,
) -> *mut Stream {
    guard(null_mut(), || {
        let made = if binding.is_null() {
            // SAFETY: the caller promises as much.
            unsafe { create(element_type, rank, extents_slowest_first) }.map(Stream::new)
        } else {
            // SAFETY: not null, so it is a string.
            let binding = unsafe { text(binding, "the binding") }?;
            // SAFETY: the caller promises as much.
            unsafe { shape(element_type, rank, extents_slowest_first) }
                .and_then(|(element, extents)| Binding::new(binding, element, extents))
                .map(Stream::bound)
        };
        let stream = match made {
            Ok(stream) => stream,
            Err(error) => {
                let fault = Fault::of(Code::Declaration, "Stream Allocation", &error);
                Stream::failed(&fault)
            }
        };
        stream.into_handle()
    })
}

/// Adds a reference.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_retain(stream: *mut Stream) -> *mut Stream {
    if stream.is_null() {
        return stream;
    }
    handle::retained(stream)
}

/// Drops a reference; the last one frees the stream.
///
/// # Safety
/// `stream` is null or a live handle, whose reference the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_release(stream: *mut Stream) {
    handle::released(stream);
}

/// Size of all elements; 0 for null, and for a stream that could not be made.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_bytes(stream: *const Stream) -> usize {
    guard(0, || {
        let stream = handle::get(stream)?;
        Ok(stream.inner.get().map_or(0, DynStream::bytes))
    })
}

/// # Safety
/// `flags` is null or a string.
unsafe fn flags(what: &str, flags: *const c_char) -> Result<Flags> {
    let mut found = Flags::default();
    if !flags.is_null() {
        // SAFETY: not null, so it is a string.
        for flag in unsafe { text(flags, "the flags") }?.split_whitespace() {
            match flag {
                "async" => found.asynchronous = true,
                "nocopy" => found.direct = true,
                other => {
                    return Err(invalid(format!(
                        "{what}: there is no flag '{other}'; there are 'async' and 'nocopy'"
                    )));
                }
            }
        }
    }
    Ok(found)
}

/// Fills the stream from host memory.
///
/// # Safety
/// `stream` is null or a live handle, `from` null or as many bytes as the stream has, `flags` null or
/// a string; with the flag `async` the bytes stay until the copy has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_read(
    stream: *mut Stream,
    from: *const c_void,
    flags: *const c_char,
) -> c_int {
    status(|| {
        let stream = operand(stream, "Stream Read")?;
        stream.operate(Code::Read, "Stream Read", || {
            if from.is_null() {
                return Err(invalid(
                    "Stream Read: Stream can't read from a NULL pointer",
                ));
            }
            // SAFETY: the caller passes a string or null.
            let flags = unsafe { self::flags("Stream Read", flags) }?;
            let inner = stream.elements("Stream Read: Internal buffer is not initialized")?;
            let transfers = &stream.transfers;
            if flags.asynchronous
                // SAFETY: not null, and the caller promises the size for as long as it takes.
                && unsafe { transfers.begin_read(inner, from, flags, &stream.record) }
            {
                return Ok(());
            }
            stream.transfers.finish();
            // SAFETY: not null, and the caller promises the size.
            unsafe { transfer::read(inner, from, flags) }
        })
    })
}

/// Copies the stream to host memory.
///
/// # Safety
/// `stream` is null or a live handle, `to` null or room for as many bytes as the stream has, `flags`
/// null or a string; with the flag `async` the room stays until the copy has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_write(
    stream: *const Stream,
    to: *mut c_void,
    flags: *const c_char,
) -> c_int {
    status(|| {
        let stream = operand(stream, "Stream Write")?;
        stream.operate(Code::Write, "Stream Write", || {
            if to.is_null() {
                return Err(invalid(
                    "Stream Write: Stream can't write to a NULL pointer",
                ));
            }
            // SAFETY: the caller passes a string or null.
            let flags = unsafe { self::flags("Stream Write", flags) }?;
            let inner = stream.elements("Stream Write: Uninitialized stream")?;
            stream.transfers.settle();
            let transfers = &stream.transfers;
            if flags.asynchronous
                // SAFETY: not null, and the caller promises the size for as long as it takes.
                && unsafe { transfers.begin_write(inner, to, flags, &stream.record) }
            {
                return Ok(());
            }
            // SAFETY: not null, and the caller promises the size. Bytes are only written to it.
            unsafe { transfer::write(inner, to, flags) }
        })
    })
}

/// Copies all elements of another stream.
///
/// # Safety
/// `stream` and `source` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_assign(stream: *mut Stream, source: *const Stream) -> c_int {
    status(|| {
        let stream = operand(stream, "Stream Assign")?;
        stream.operate(Code::Assign, "Stream Assign", || {
            let source =
                handle::get(source).map_err(|_| invalid("Stream Assign: Invalid input stream"))?;
            for fault in source.record.faults() {
                stream.record.add(&fault);
            }
            let to =
                stream.elements("Stream Assign: Destination Internal buffer is not initialized")?;
            let from = source.elements("Stream Assign: Uninitialized input stream")?;
            source.transfers.settle();
            stream.transfers.finish();
            to.assign(from)
        })
    })
}

/// Whether everything asked of the stream is done: 1 or 0.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_is_sync(stream: *const Stream) -> c_int {
    guard(1, || {
        let stream = handle::get(stream)?;
        let device_done = match stream.inner.get() {
            // An error is found by whoever waits.
            // Copies that others have begun since it was finished keep the device busy, and are nothing to this stream.
            Some(inner) if inner.device().launches() == stream.finished.0.load(Relaxed) => true,
            Some(inner) => inner.device().is_idle().unwrap_or(true),
            None => true,
        };
        Ok((device_done && stream.transfers.are_done()).into())
    })
}

/// Waits until everything asked of the stream is done.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_finish(stream: *const Stream) -> c_int {
    status(|| {
        let stream = handle::get(stream)?;
        stream.transfers.finish();
        let what = "Kernel Execution: Failed to run kernel";
        stream.operate(Code::Kernel, what, || match stream.inner.get() {
            Some(inner) => {
                let launches = inner.device().launches();
                inner.device().synchronize()?;
                stream.finished.0.store(launches, Relaxed);
                Ok(())
            }
            None => Ok(()),
        })
    })
}

/// The first error since the last call, which is forgotten with it.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_error(stream: *mut Stream) -> c_int {
    guard(Code::InvalidParameter as c_int, || {
        Ok(asked(stream)?.record.ask())
    })
}

/// All messages so far; never null.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_error_log(stream: *mut Stream) -> *const c_char {
    guard(c"".as_ptr(), || Ok(asked(stream)?.record.text()))
}

/// The device that holds the stream; null if it could not be made.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_device(stream: *const Stream) -> *const Device {
    guard(null(), || {
        let stream = handle::get(stream)?;
        let inner = stream.inner.get();
        Ok(inner.map_or(null(), |inner| {
            std::ptr::from_ref(device::handle(inner.device()))
        }))
    })
}
