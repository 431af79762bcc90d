//! Calls of kernels.

use super::error::{hold, keep, status};
use super::fault::{Code, Fault};
use super::module::Module;
use super::{Stream, handle, invalid, scalar, sequence, text};
use crate::expr::Scalar;
use crate::render::{Form, ParameterMetadata, Role};
use crate::runtime::{DynStream, Error, ExecutionDomain, Kernel, Result, StreamArgument};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Arc;

// `enum brook_argument_kind`.
pub(super) const VALUE: c_int = 0;
const STREAM: c_int = 1;
const VARIABLE: c_int = 2;
const ARRAY: c_int = 3;
const STREAM_VARIABLE: c_int = 4;
const POINTER: c_int = 5;

/// Four components of eight bytes; structs may have more.
const MOST_BYTES: usize = 32;

/// `brook_domain`.
#[repr(C)]
pub struct Domain {
    /// Whether `offset` counts.
    pub has_offset: c_int,
    /// Whether `size` counts.
    pub has_size: c_int,
    /// The first element, fastest dimension first.
    pub offset: [c_uint; 4],
    /// How many there are.
    pub size: [c_uint; 4],
}

/// `brook_argument`.
#[repr(C)]
pub struct Argument {
    /// `enum brook_argument_kind`.
    pub kind: c_int,
    /// `enum brook_type` of each component.
    pub type_: c_int,
    /// Components of a value or of an array's element.
    pub width: c_uint,
    /// Dimensions of an array.
    pub rank: c_uint,
    /// Extents of an array, slowest first.
    pub extents: [c_uint; 4],
    /// Size of what `data` points at.
    pub bytes: usize,
    /// The value, the array, or the stream.
    pub data: *mut c_void,
}

/// A call's arguments.
///
/// # Safety
/// `arguments` is null or points to `count` of them, for as long as they are used.
pub(super) unsafe fn all<'a>(arguments: *const Argument, count: usize) -> Result<&'a [Argument]> {
    match count {
        0 => Ok(&[]),
        _ if arguments.is_null() => Err(invalid("the arguments are NULL")),
        // SAFETY: not null, and the caller promises the count.
        _ => Ok(unsafe { std::slice::from_raw_parts(arguments, count) }),
    }
}

/// A copy of a variable.
#[derive(Clone, Default)]
struct Room {
    small: [u8; MOST_BYTES],
    large: Vec<u8>,
}

impl Room {
    fn bytes(&mut self, count: usize) -> &mut [u8] {
        if count <= MOST_BYTES {
            return &mut self.small[..count];
        }
        self.large.resize(count, 0);
        &mut self.large
    }
}

/// What a call finds out of its streams.
#[derive(Default)]
struct Found<'a> {
    /// Those that the kernel writes.
    written: Vec<&'a Arc<Stream>>,
    /// Those that variable outputs get, by the argument's number.
    grown: Vec<(usize, DynStream)>,
}

/// Calls a kernel. Errors of streams it reads spread to those it writes, and so does its own.
///
/// # Safety
/// `kernel` is null or a string, `arguments` null or `count` of them, each of whose `data` points to what its `kind` and `bytes` say; `domain` is null or points to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_call(
    module: *mut Module,
    kernel: *const c_char,
    domain: *const Domain,
    arguments: *const Argument,
    count: usize,
) -> c_int {
    status(|| {
        // SAFETY: as the caller promises.
        let raw = unsafe { all(arguments, count) }?;
        let mut wrong = None;
        let mut streams = Vec::with_capacity(count);
        for (index, argument) in raw.iter().enumerate() {
            // SAFETY: the caller promises that a variable is one.
            streams.push(unsafe { stream_of(argument) }.unwrap_or_else(|error| {
                wrong.get_or_insert_with(|| error.context(&format!("argument {}", index + 1)));
                None
            }));
        }
        let mut found = Found::default();
        let result = match wrong {
            Some(error) => Err(error),
            // SAFETY: as the caller promises.
            None => unsafe { call(module, kernel, domain.as_ref(), raw, &streams, &mut found) },
        };
        let Found { mut written, grown } = found;
        if let Err(error) = &result {
            let what = match error {
                Error::Device(_) => "Kernel Execution: Failed to run kernel",
                _ => "Kernel Execution",
            };
            let fault = Fault::of(Code::Kernel, what, error);
            if written.is_empty() {
                // Nothing is known of the kernel, or a variable takes its result.
                written = streams.iter().flatten().collect();
            }
            written.iter().for_each(|s| s.record.add(&fault));
            match written.is_empty() {
                true => hold(fault),
                false => keep(&fault),
            }
        }
        // The streams before are not mentioned any more.
        for (index, new) in grown {
            // SAFETY: it is one of the arguments that hold a variable.
            unsafe { replace(&raw[index], new) }?;
        }
        result
    })
}

/// # Safety
/// As [`brook_call`].
unsafe fn call<'a>(
    module: *mut Module,
    kernel: *const c_char,
    domain: Option<&Domain>,
    raw: &[Argument],
    streams: &'a [Option<Arc<Stream>>],
    found: &mut Found<'a>,
) -> Result<()> {
    let Found { written, grown } = found;
    let module = handle::get(module)?;
    // SAFETY: the caller passes a string or null.
    let name = unsafe { text(kernel, "the kernel's name") }?;
    let kernel = module.kernel(name)?;
    spread(&kernel, raw, streams, written)?;
    // One variable may be passed for several parameters: each gets a copy, and a reduction's is
    // copied back.
    let mut variables = vec![Room::default(); raw.len()];
    let mut converted = Vec::with_capacity(raw.len());
    let parameters = &kernel.metadata().parameters;
    let varies = |index: usize| parameters.get(index).is_some_and(|p| p.role == Role::Vout);
    for (index, argument) in raw.iter().enumerate() {
        let stream = streams[index].as_ref().and_then(|s| s.inner.get());
        if let (STREAM_VARIABLE, true, Some(stream)) = (argument.kind, varies(index), stream) {
            grown.push((index, stream.clone()));
        }
    }
    let sizes: Vec<Vec<u32>> = parameters
        .iter()
        .map(|p| p.extents.iter().map(|e| *e as u32).collect())
        .collect();
    let mut growing = grown.iter_mut().map(|(_, stream)| stream);
    for (index, (argument, room)) in raw.iter().zip(&mut variables).enumerate() {
        if argument.kind == STREAM_VARIABLE && varies(index) {
            converted.extend(growing.next().map(StreamArgument::Growing));
            continue;
        }
        let argument = match (argument.kind, sizes.get(index)) {
            // SAFETY: the caller promises that there is an array of the parameter's size.
            (POINTER, Some(extents)) => unsafe {
                array_behind(argument, extents, parameters[index].bytes)
            },
            // SAFETY: the caller promises that each argument is what it says.
            _ => unsafe { convert(argument, streams[index].as_deref(), room) },
        };
        let argument = argument.map_err(|error| {
            let index = index + 1;
            invalid(format!("argument {index} of kernel '{name}': {error}"))
        })?;
        converted.push(argument);
    }
    let domain = domain.map(|domain| ExecutionDomain {
        offset: (domain.has_offset != 0).then_some(domain.offset),
        size: (domain.has_size != 0).then_some(domain.size),
    });
    // SAFETY: as the caller promises.
    unsafe { sequence::call(&kernel, domain.as_ref(), &mut converted, streams, written) }?;
    drop(converted);
    for ((argument, room), parameter) in raw.iter().zip(&mut variables).zip(parameters) {
        if argument.kind == VARIABLE && parameter.role == Role::Reduce {
            let bytes = room.bytes(argument.bytes);
            // SAFETY: the caller's variable has room for as many bytes as were read from it.
            unsafe {
                argument
                    .data
                    .cast::<u8>()
                    .copy_from(bytes.as_ptr(), bytes.len())
            };
        }
    }
    Ok(())
}

/// Finds the streams that a kernel writes, hands them the errors of those it reads, and waits for
/// what still reads them.
fn spread<'a>(
    kernel: &Kernel,
    raw: &[Argument],
    streams: &'a [Option<Arc<Stream>>],
    written: &mut Vec<&'a Arc<Stream>>,
) -> Result<()> {
    let parameters = &kernel.metadata().parameters;
    let writes = |parameter: &ParameterMetadata| match parameter.role {
        Role::Output | Role::Scatter(_) | Role::Reduce | Role::Vout => true,
        // It may read it, too.
        Role::Buffer => !parameter.constant,
        Role::Value | Role::Input | Role::Gather(_) => false,
    };
    let with_role = |wanted: bool| {
        let pairs = parameters.iter().zip(streams);
        pairs.filter_map(move |(p, s)| s.as_ref().filter(|_| writes(p) == wanted))
    };
    written.extend(with_role(true));
    for ((parameter, argument), stream) in parameters.iter().zip(raw).zip(streams) {
        if matches!(argument.kind, STREAM | STREAM_VARIABLE) && stream.is_none() {
            let what = match writes(parameter) {
                true => "Kernel Execution: Invalid output stream",
                false => "Kernel Execution: Invalid Input stream",
            };
            let name = &parameter.name;
            return Err(invalid(format!("{what}: '{name}' is NULL")));
        }
    }
    for input in with_role(false) {
        for fault in input.record.faults() {
            written.iter().for_each(|s| s.record.add(&fault));
        }
    }
    if written.iter().any(|s| s.inner.get().is_none()) {
        return Err(invalid("Kernel Execution: Output stream is not allocated"));
    }
    if kernel.metadata().form == Form::Map {
        warn_of_resizing(parameters, streams, written);
    }
    if with_role(false).any(|s| s.inner.get().is_none()) {
        return Err(invalid(
            "Kernel Execution: Uninitialized Input streams. The results might be undefined",
        ));
    }
    with_role(false).for_each(|s| s.transfers.settle());
    written.iter().for_each(|s| s.transfers.finish());
    Ok(())
}

/// Says in the outputs' logs that an input is stretched or thinned out, which the specification warns of.
fn warn_of_resizing(
    parameters: &[ParameterMetadata],
    streams: &[Option<Arc<Stream>>],
    written: &[&Arc<Stream>],
) {
    let extents = |s: &Stream| s.inner.get().map(DynStream::extents);
    let Some(output) = written.first().and_then(|s| extents(s)) else {
        return;
    };
    let resized = |input: &Stream| {
        let input = extents(input);
        input.is_some_and(|input| input.len() == output.len() && input != output)
    };
    let mut pairs = parameters.iter().zip(streams);
    if pairs.any(|(p, s)| p.role == Role::Input && s.as_deref().is_some_and(resized)) {
        for stream in written {
            stream.record.warn(
                "Kernel Execution: Input stream dimension doesn't match with output dimension. An \
                 implicit resize is done to match output dimension. In the next release this feature \
                 will be deprecated",
            );
        }
    }
}

/// The stream that an argument is; none if it is no stream, or null.
///
/// # Safety
/// A stream in a variable is null, or a pointer to one.
unsafe fn stream_of(argument: &Argument) -> Result<Option<Arc<Stream>>> {
    let handle = match argument.kind {
        STREAM => argument.data.cast::<Stream>().cast_const(),
        // SAFETY: the caller promises it.
        STREAM_VARIABLE => match unsafe { argument.data.cast::<*const Stream>().as_ref() } {
            Some(variable) => *variable,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    match handle.is_null() {
        true => Ok(None),
        false => handle::get(handle).map(Some),
    }
}

/// Puts a new stream, with the errors of the one before, into a variable.
///
/// # Safety
/// The argument's data is a variable that holds a handle, whose reference is given up.
unsafe fn replace(argument: &Argument, new: DynStream) -> Result<()> {
    let variable = argument.data.cast::<*mut Stream>();
    // SAFETY: the caller promises it.
    let old = unsafe { *variable };
    let made = handle::get(old)?.replaced_by(new).into_handle()?;
    // SAFETY: the same.
    unsafe { *variable = made };
    handle::release(old)
}

/// The array behind a pointer, which is as large as the parameter says.
///
/// # Safety
/// `data` is null or points to as many elements, for as long as the result is used.
unsafe fn array_behind<'a>(
    argument: &'a Argument,
    extents: &'a [u32],
    element: Option<usize>,
) -> Result<StreamArgument<'a>> {
    if argument.data.is_null() {
        return Err(invalid("its data is NULL"));
    }
    if extents.is_empty() {
        return Err(invalid(
            "a pointer does not say how large its array is, and neither does the parameter",
        ));
    }
    let scalar = scalar(argument.type_)?;
    let own = scalar.size() * argument.width as usize;
    let element = element.unwrap_or(own);
    let count: usize = extents.iter().map(|e| *e as usize).product();
    // SAFETY: not null, and the caller promises the size.
    let bytes = unsafe { std::slice::from_raw_parts(argument.data.cast::<u8>(), count * element) };
    Ok(StreamArgument::Array {
        scalar,
        extents,
        bytes,
    })
}

/// # Safety
/// `data` is null, a stream's handle, or points to what `kind` and `bytes` say, for as long as the result is used.
unsafe fn convert<'a>(
    argument: &'a Argument,
    stream: Option<&'a Stream>,
    room: &'a mut Room,
) -> Result<StreamArgument<'a>> {
    if argument.data.is_null() {
        return Err(invalid("its data is NULL"));
    }
    if matches!(argument.kind, STREAM | STREAM_VARIABLE) {
        let inner = stream.and_then(|stream| stream.inner.get());
        let inner = inner.ok_or_else(|| invalid("the stream could not be made"))?;
        return Ok(StreamArgument::Stream(inner));
    }
    let scalar = scalar(argument.type_)?;
    let element = scalar.size().checked_mul(argument.width as usize);
    let rank = argument.rank as usize;
    let extents = argument
        .extents
        .get(..rank)
        .ok_or_else(|| invalid("its rank is over 4"))?;
    let elements = extents
        .iter()
        .try_fold(1usize, |n, e| n.checked_mul(*e as usize));
    let bytes = element
        .zip(elements)
        .and_then(|(size, n)| size.checked_mul(n));
    if bytes != Some(argument.bytes) || !(1..=4).contains(&argument.width) {
        return Err(invalid("its width, extents and size do not fit each other"));
    }
    // SAFETY: not null, and the caller promises the size.
    let value =
        || unsafe { std::slice::from_raw_parts(argument.data.cast::<u8>(), argument.bytes) };
    Ok(match argument.kind {
        VALUE if rank == 0 => StreamArgument::Value {
            scalar,
            bytes: value(),
        },
        // A struct is so many bytes.
        VARIABLE if rank == 0 || (rank == 1 && scalar == Scalar::UChar) => {
            let bytes = room.bytes(argument.bytes);
            bytes.copy_from_slice(value());
            StreamArgument::Variable { scalar, bytes }
        }
        ARRAY => StreamArgument::Array {
            scalar,
            extents,
            bytes: value(),
        },
        kind => {
            return Err(invalid(format!(
                "{kind} is no enum brook_argument_kind, or it has extents"
            )));
        }
    })
}
