//! Device memory.

use super::device::{self, Device};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::native::{foreign, pointer_to};
use super::{code, invalid, near, scalar};
use crate::runtime::{DynMemory, ElementKind, NativeMemory, Result};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::slice;

/// `brook_memory`.
pub struct Memory(pub(super) DynMemory);

static MEMORIES: Table<Memory> = Table::new();

impl Handled for Memory {
    const KIND: usize = 4;

    fn table() -> &'static Table<Self> {
        &MEMORIES
    }

    fn forget(handle: usize) {
        near::forget_memory(handle);
    }
}

/// `BROOK_STRUCTURE`.
pub(super) const STRUCTURE: c_int = -1;

/// What elements of a type consist of; `width` of a structure is its size.
pub(super) fn kind(type_: c_int, width: c_uint) -> Result<ElementKind> {
    let width = width as usize;
    match (type_, width) {
        (_, 0) => Err(invalid("an element without components has no size")),
        (STRUCTURE, bytes) => Ok(ElementKind::Structure(bytes)),
        (code, width) => Ok(ElementKind::Numbers(scalar(code)?, width)),
    }
}

pub(super) fn give(memory: DynMemory) -> Result<*mut Memory> {
    handle::give(Memory(memory))
}

/// What messages call `from` where it is the caller's side of a copy.
const HOST: &str = "the host's memory";

/// The bytes at `from`.
///
/// # Safety
/// Null, or so many bytes that nobody changes while they are used.
pub(super) unsafe fn bytes_at<'a>(
    from: *const c_void,
    count: usize,
    what: &str,
) -> Result<&'a [u8]> {
    match from.is_null() {
        _ if count == 0 => Ok(&[]),
        true => Err(invalid(format!("{what} is NULL"))),
        // SAFETY: not null, and the caller promises the rest.
        false => Ok(unsafe { slice::from_raw_parts(from.cast(), count) }),
    }
}

/// The same of what has to be there, however long it is.
///
/// # Safety
/// As of [`bytes_at`].
pub(super) unsafe fn bytes_given<'a>(
    from: *const c_void,
    length: usize,
    what: &str,
) -> Result<&'a [u8]> {
    match from.is_null() {
        true => Err(invalid(format!("{what} is NULL"))),
        // SAFETY: as the caller promises.
        false => unsafe { bytes_at(from, length, what) },
    }
}

/// Bytes of so many elements from number `first` on, if there are as many.
fn bytes_of(memory: &DynMemory, first: usize, count: usize) -> Result<usize> {
    memory.offset(first, count)?;
    Ok(count * memory.kind().size())
}

/// Memory with elements of the host, or with zeros.
///
/// # Safety
/// `device` is null or what another function gave; `from` is null or points to `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_create(
    device: *const Device,
    type_: c_int,
    width: c_uint,
    count: usize,
    from: *const c_void,
) -> *mut Memory {
    guard(null_mut(), || {
        let (device, kind) = (device::opened(device)?, kind(type_, width)?);
        // SAFETY: as the caller promises.
        give(unsafe {
            filled(
                from,
                || device.zeros_of(kind, count),
                || device.room_for(kind, count),
            )
        }?)
    })
}

/// Memory of zeros, or of what is at `from`.
///
/// # Safety
/// `from` is null or points to as many elements as the memory has.
pub(super) unsafe fn filled(
    from: *const c_void,
    zeros: impl FnOnce() -> Result<DynMemory>,
    room: impl FnOnce() -> Result<DynMemory>,
) -> Result<DynMemory> {
    if from.is_null() {
        return zeros();
    }
    let memory = room()?;
    // SAFETY: as the caller promises.
    memory.write(0, unsafe { bytes_at(from, memory.bytes(), HOST) }?)?;
    Ok(memory)
}

/// Somebody else's memory.
///
/// # Safety
/// `device` is null or what another function gave; `native` is an address of CUDA, HIP or the host, or a `cl_mem`, with
/// `count` elements of the device from byte `offset` on, for as long as the memory and its parts are used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_import(
    device: *const Device,
    type_: c_int,
    width: c_uint,
    count: usize,
    native: *mut c_void,
    offset: usize,
) -> *mut Memory {
    guard(null_mut(), || {
        let (device, kind) = (device::opened(device)?, kind(type_, width)?);
        if native.is_null() {
            return Err(invalid("the memory to import is NULL"));
        }
        let memory = foreign(&device, native, offset);
        // SAFETY: as the caller promises.
        give(unsafe { device.import_of(kind, memory, count) }?)
    })
}

/// Memory that kernels and the host both use.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_create_shared(
    device: *const Device,
    type_: c_int,
    width: c_uint,
    count: usize,
) -> *mut Memory {
    guard(null_mut(), || {
        let (device, kind) = (device::opened(device)?, kind(type_, width)?);
        give(device.shared_of(kind, count)?)
    })
}

/// The host's own memory, for kernels.
///
/// # Safety
/// `device` is null or what another function gave; at `host` are `count` elements for as long as the memory and its parts
/// are used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_import_host(
    device: *const Device,
    type_: c_int,
    width: c_uint,
    count: usize,
    host: *mut c_void,
) -> *mut Memory {
    guard(null_mut(), || {
        let (device, kind) = (device::opened(device)?, kind(type_, width)?);
        if host.is_null() {
            return Err(invalid(format!("{HOST} is NULL")));
        }
        // SAFETY: as the caller promises.
        give(unsafe { device.import_of(kind, NativeMemory::Host(host), count) }?)
    })
}

/// Where the host finds its first element; null if it cannot.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_host(memory: *const Memory) -> *mut c_void {
    guard(null_mut(), || {
        let host = handle::get(memory)?.0.host();
        Ok(host.map_or(null_mut(), <*mut u8>::cast))
    })
}

/// Another reference.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_retain(memory: *mut Memory) -> *mut Memory {
    handle::retained(memory)
}

/// Gives a reference up.
///
/// # Safety
/// `memory` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_release(memory: *mut Memory) {
    handle::released(memory);
}

/// Number of elements.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_count(memory: *const Memory) -> usize {
    guard(0, || Ok(handle::get(memory)?.0.len()))
}

/// What its elements are.
///
/// # Safety
/// `memory` is null or a live handle; `width` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_element(memory: *const Memory, width: *mut c_uint) -> c_int {
    guard(STRUCTURE, || {
        let (code, components) = match handle::get(memory)?.0.kind() {
            ElementKind::Numbers(scalar, count) => {
                (code(scalar).map_or(STRUCTURE, |c| c as c_int), count)
            }
            ElementKind::Structure(bytes) => (STRUCTURE, bytes),
        };
        if !width.is_null() {
            // SAFETY: not null, so it points to a number.
            unsafe { *width = components as c_uint };
        }
        Ok(code)
    })
}

/// The device it belongs to.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_device(memory: *const Memory) -> *const Device {
    guard(std::ptr::null(), || {
        let memory = handle::get(memory)?;
        Ok(std::ptr::from_ref(device::handle(memory.0.device())))
    })
}

/// A part.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_part(
    memory: *const Memory,
    first: usize,
    count: usize,
) -> *mut Memory {
    guard(null_mut(), || {
        give(handle::get(memory)?.0.part(first, count)?)
    })
}

/// The same memory with elements of another type.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_cast(
    memory: *const Memory,
    type_: c_int,
    width: c_uint,
) -> *mut Memory {
    guard(null_mut(), || {
        give(handle::get(memory)?.0.cast(kind(type_, width)?)?)
    })
}

/// Copies from the host.
///
/// # Safety
/// `memory` is null or a live handle; `from` is null or points to `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_write(
    memory: *const Memory,
    first: usize,
    count: usize,
    from: *const c_void,
) -> c_int {
    status(|| {
        let memory = &handle::get(memory)?.0;
        let bytes = bytes_of(memory, first, count)?;
        // SAFETY: as the caller promises.
        memory.write(first, unsafe { bytes_at(from, bytes, HOST) }?)
    })
}

/// Copies to the host.
///
/// # Safety
/// `memory` is null or a live handle; `to` is null or points to room for `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_read(
    memory: *const Memory,
    first: usize,
    count: usize,
    to: *mut c_void,
) -> c_int {
    status(|| {
        let memory = &handle::get(memory)?.0;
        let bytes = bytes_of(memory, first, count)?;
        if bytes == 0 {
            return Ok(());
        }
        if to.is_null() {
            return Err(invalid(format!("{HOST} is NULL")));
        }
        // SAFETY: not null, and the caller promises the rest. Nobody reads it before it is written.
        memory.read(first, unsafe {
            slice::from_raw_parts_mut(to.cast(), bytes)
        })
    })
}

/// Fills it with zero bytes.
///
/// # Safety
/// `memory` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_zero(memory: *const Memory) -> c_int {
    status(|| handle::get(memory)?.0.zero())
}

/// Copies elements of other memory.
///
/// # Safety
/// `to` and `from` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_copy(
    to: *const Memory,
    to_first: usize,
    from: *const Memory,
    from_first: usize,
    count: usize,
) -> c_int {
    status(|| {
        let (to, from) = (handle::get(to)?, handle::get(from)?);
        to.0.copy(to_first, &from.0, from_first, count)
    })
}

/// Where it begins: an address, or a `cl_mem`, of which `offset` says the byte.
///
/// # Safety
/// `memory` is null or a live handle; `offset` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_memory_native(
    memory: *const Memory,
    offset: *mut usize,
) -> *mut c_void {
    guard(null_mut(), || {
        let (native, byte) = pointer_to(handle::get(memory)?.0.native());
        if !offset.is_null() {
            // SAFETY: not null, so it points to a number.
            unsafe { *offset = byte };
        }
        Ok(native)
    })
}
