//! Other interfaces' memory as streams, and what lies beneath ours.

use super::device::{self, Device, with};
use super::error::{guard, status};
use super::fault::Code;
use super::stream::{Stream, operand};
use super::{handle, invalid, text};
use crate::runtime::{self, DynStream, NativeDevice, NativeMemory, Result};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

/// A stream whose memory somebody else has, before its address is known.
pub(super) struct Binding {
    device: runtime::Device,
    element: String,
    extents: Vec<u32>,
}

impl Binding {
    pub(super) fn new(name: &str, element: &str, extents: &[c_uint]) -> Result<Self> {
        let device = device::current()?;
        if bindings(&device).to_bytes() != name.as_bytes() {
            return Err(invalid(format!(
                "Stream Allocation: Stream of this type not supported on the device: it shares no memory with \
                 '{name}'"
            )));
        }
        Ok(Self {
            device,
            element: element.to_string(),
            extents: extents.to_vec(),
        })
    }
}

/// The interface whose memory can be streams of a device.
fn bindings(device: &runtime::Device) -> &'static CStr {
    match device.native() {
        NativeDevice::Cuda { .. } => c"cuda",
        NativeDevice::Hip { .. } => c"hip",
        NativeDevice::OpenCl { .. } => c"opencl",
        NativeDevice::Host if device.name().starts_with("openmp") => c"host",
        _ => c"",
    }
}

/// Memory that somebody else has, from a byte on, as a device knows it.
pub(super) fn foreign(
    device: &runtime::Device,
    pointer: *mut c_void,
    offset: usize,
) -> NativeMemory {
    match device.native() {
        NativeDevice::OpenCl { .. } => NativeMemory::OpenCl {
            object: pointer,
            offset,
        },
        NativeDevice::Host => NativeMemory::Host(pointer.wrapping_byte_add(offset)),
        _ => NativeMemory::Address((pointer as u64).wrapping_add(offset as u64)),
    }
}

/// What C is given of memory: an address, or a `cl_mem` and the byte in it; null where the driver does not say.
pub(super) fn pointer_to(memory: NativeMemory) -> (*mut c_void, usize) {
    match memory {
        NativeMemory::Address(address) => (address as *mut c_void, 0),
        NativeMemory::OpenCl { object, offset } => (object, offset),
        NativeMemory::Host(pointer) => (pointer, 0),
        _ => (null_mut(), 0),
    }
}

/// The property that holds the memory.
fn property(device: &runtime::Device) -> &'static str {
    match device.native() {
        NativeDevice::OpenCl { .. } => "mem",
        _ => "pointer",
    }
}

/// The interfaces whose buffers can be streams, separated by spaces.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_bindings(device: *const Device) -> *const c_char {
    with(device, |device| match device.open() {
        Ok(device) => bindings(&device),
        Err(_) => c"",
    })
}

/// Says where the memory of a stream is that another interface has.
///
/// # Safety
/// `stream` is null or a live handle, `name` null or a string; `value` is the property's, and lives as long as
/// the stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_set_property(
    stream: *mut Stream,
    name: *const c_char,
    value: *mut c_void,
) -> c_int {
    status(|| {
        let stream = operand(stream, "Set Property")?;
        stream.operate(Code::InvalidParameter, "Set Property", || {
            let Some(binding) = &stream.binding else {
                return Err(invalid("Set Property: This is not an interoperable stream"));
            };
            // SAFETY: the caller passes a string or null.
            let name = unsafe { text(name, "Set Property: the name") }?;
            let wanted = property(&binding.device);
            if name != wanted {
                return Err(invalid(format!(
                    "Set Property: the stream has no property '{name}'; it has '{wanted}'"
                )));
            }
            if value.is_null() {
                return Err(invalid(format!("Set Property: '{name}' is NULL")));
            }
            let memory = foreign(&binding.device, value, 0);
            let Binding {
                device,
                element,
                extents,
            } = binding;
            // SAFETY: the caller promises that the value is what the property says, for all of the stream.
            let made = unsafe { DynStream::import(device, element, extents, memory) }?;
            // Who sets it twice means the first.
            let _ = stream.inner.set(made);
            Ok(())
        })
    })
}

/// What lies beneath a device: `context` and `device` of OpenCL, `context` of CUDA; null for all else.
///
/// # Safety
/// `device` is null or what another function gave, `what` null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_native(
    device: *const Device,
    what: *const c_char,
) -> *mut c_void {
    guard(null_mut(), || {
        let device = device::known(device)?;
        // SAFETY: the caller passes a string or null.
        let what = unsafe { text(what, "the name") }?;
        Ok(match (device.open()?.native(), what) {
            (
                NativeDevice::OpenCl { context, .. } | NativeDevice::Cuda { context, .. },
                "context",
            ) => context,
            (NativeDevice::OpenCl { device, .. }, "device") => device,
            _ => null_mut(),
        })
    })
}

/// Where the stream's memory begins: an address of CUDA, HIP or the host, a `cl_mem`; null where the driver does
/// not say. A part's elements begin later.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_native(stream: *const Stream) -> *mut c_void {
    guard(null_mut(), || {
        let stream = handle::get(stream)?;
        let native = stream.inner.get().map(DynStream::native);
        Ok(native.map_or(null_mut(), |native| pointer_to(native).0))
    })
}
