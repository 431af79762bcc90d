use super::error::{guard, status};
use super::{Stream, current_device, invalid, scalar, stream, text};
use crate::render::Role;
use crate::runtime::{BuildOptions, Program, Result, StreamArgument};
use crate::{Checking, Source};
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

// `enum brook_argument_kind`.
const VALUE: c_int = 0;
const STREAM: c_int = 1;
const VARIABLE: c_int = 2;
const ARRAY: c_int = 3;

/// Four components of eight bytes.
const MOST_BYTES: usize = 32;

/// `brook_module`: a source, and what was built of it.
pub struct Module {
    source: Source,
    options: BuildOptions,
    /// The program for the current device, once a kernel was called.
    program: Mutex<Option<Program>>,
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

impl Module {
    fn program(&self) -> Result<Program> {
        let mut program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = &*program {
            return Ok(program.clone());
        }
        let built = current_device()?.build(&self.source, &self.options)?;
        *program = Some(built.clone());
        Ok(built)
    }
}

/// Keeps a source for later calls.
///
/// # Safety
/// A line of `defines` is a macro, or the flags of Brook+'s checker behind a `-`. `name` and `defines`
/// are null or strings; `source` is null or points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_module_create(
    name: *const c_char,
    source: *const c_char,
    length: usize,
    defines: *const c_char,
) -> *mut Module {
    guard(std::ptr::null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let name = unsafe { text(name, "the module's name") }?;
        if source.is_null() {
            return Err(invalid("the module's source is NULL"));
        }
        // SAFETY: not null, and the caller promises the length.
        let bytes = unsafe { std::slice::from_raw_parts(source.cast::<u8>(), length) };
        let mut options = BuildOptions::new().from_environment();
        if !defines.is_null() {
            // SAFETY: the caller passes a string.
            for line in unsafe { text(defines, "the list of macros") }?.lines() {
                if let Some(flags) = line.strip_prefix('-') {
                    options = options.checking(Checking::from_flags(flags));
                } else if !line.trim().is_empty() {
                    let (name, value) = line.split_once('=').unwrap_or((line, "1"));
                    options = options.define(name, value);
                }
            }
        }
        let source = Source::new(name, bytes);
        let program = Mutex::new(None);
        Ok(Box::into_raw(Box::new(Module {
            source,
            options,
            program,
        })))
    })
}

/// Frees a module.
///
/// # Safety
/// `module` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_module_release(module: *mut Module) {
    if !module.is_null() {
        guard((), || {
            // SAFETY: a live handle comes from `Box::into_raw`.
            drop(unsafe { Box::from_raw(module) });
            Ok(())
        });
    }
}

/// Calls a kernel.
///
/// # Safety
/// `module` is null or a live handle, `kernel` null or a string, `arguments` null or `count` of them,
/// each of whose `data` points to what its `kind` and `bytes` say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_call(
    module: *mut Module,
    kernel: *const c_char,
    arguments: *const Argument,
    count: usize,
) -> c_int {
    status(|| {
        // SAFETY: the caller passes a live handle or null.
        let module = unsafe { module.as_ref() }.ok_or_else(|| invalid("the module is NULL"))?;
        // SAFETY: the caller passes a string or null.
        let kernel = unsafe { text(kernel, "the kernel's name") }?;
        let raw = match count {
            0 => &[],
            _ if arguments.is_null() => return Err(invalid("the arguments are NULL")),
            // SAFETY: not null, and the caller promises the count.
            _ => unsafe { std::slice::from_raw_parts(arguments, count) },
        };
        // One variable may be passed for several parameters: each gets a copy, and a reduction's is
        // copied back.
        let mut variables = vec![[0; MOST_BYTES]; count];
        let converted =
            raw.iter()
                .zip(&mut variables)
                .enumerate()
                .map(|(index, (argument, room))| {
                    // SAFETY: the caller promises that each argument is what it says.
                    unsafe { convert(argument, room) }.map_err(|error| {
                        invalid(format!(
                            "argument {} of kernel '{kernel}': {error}",
                            index + 1
                        ))
                    })
                });
        let mut converted = converted.collect::<Result<Vec<_>>>()?;
        let kernel = module.program()?.kernel(kernel)?;
        kernel.call(&mut converted)?;
        drop(converted);
        let parameters = &kernel.metadata().parameters;
        for ((argument, room), parameter) in raw.iter().zip(&variables).zip(parameters) {
            if argument.kind == VARIABLE && parameter.role == Role::Reduce {
                let bytes = argument.bytes.min(MOST_BYTES);
                // SAFETY: the caller's variable has room for as many bytes as were read from it.
                unsafe { argument.data.cast::<u8>().copy_from(room.as_ptr(), bytes) };
            }
        }
        Ok(())
    })
}

/// # Safety
/// `data` is null or points to what `kind` and `bytes` say, for as long as the result is used.
unsafe fn convert<'a>(
    argument: &'a Argument,
    room: &'a mut [u8; MOST_BYTES],
) -> Result<StreamArgument<'a>> {
    if argument.data.is_null() {
        return Err(invalid("its data is NULL"));
    }
    if argument.kind == STREAM {
        // SAFETY: the caller promises a stream's handle.
        let handle = unsafe { stream::borrow(argument.data.cast::<Stream>()) }?;
        return Ok(StreamArgument::Stream(&handle.0));
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
        VARIABLE if rank == 0 => {
            let bytes = &mut room[..argument.bytes];
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

/// Waits for every kernel called so far.
#[unsafe(no_mangle)]
pub extern "C" fn brook_finish() -> c_int {
    status(|| current_device()?.synchronize())
}

/// The current device's name; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn brook_device_name() -> *const c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    guard(std::ptr::null(), || {
        let device = current_device()?;
        Ok(NAME
            .get_or_init(|| CString::new(device.name()).unwrap_or_default())
            .as_ptr())
    })
}
