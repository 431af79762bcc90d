//! What lies beneath, for programs that use the vendor's interface beside this one.

use std::ffi::c_void;

/// A device as the vendor's interface knows it. Valid as long as the device is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NativeDevice {
    /// The device's number and its primary context, a `CUcontext`.
    Cuda {
        /// As `cuDeviceGet` counts.
        ordinal: i32,
        /// `CUcontext`.
        context: *mut c_void,
    },
    /// The device's number, as `hipSetDevice` counts.
    Hip {
        /// As `hipSetDevice` counts.
        ordinal: i32,
    },
    /// `cl_context` and `cl_device_id`.
    OpenCl {
        /// `cl_context`.
        context: *mut c_void,
        /// `cl_device_id`.
        device: *mut c_void,
    },
    /// A device of SYCL's, whose objects are C++'s.
    Sycl,
    /// The host's own processor.
    Host,
}

/// A queue as the vendor's interface knows it. Valid as long as the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NativeQueue {
    /// `CUstream`, which is a `cudaStream_t`, too.
    Cuda(*mut c_void),
    /// `hipStream_t`.
    Hip(*mut c_void),
    /// `cl_command_queue`, in order.
    OpenCl(*mut c_void),
    /// A queue of SYCL's, whose objects are C++'s.
    Sycl,
    /// The host has no such thing.
    Host,
}

/// A place in a queue as the vendor's interface knows it. Valid as long as the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NativeEvent {
    /// `CUevent`, which is a `cudaEvent_t`, too.
    Cuda(*mut c_void),
    /// `hipEvent_t`.
    Hip(*mut c_void),
    /// `cl_event`, of a marker.
    OpenCl(*mut c_void),
    /// The host has no such thing.
    Host,
}

/// Memory as the vendor's interface knows it. Valid as long as the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NativeMemory {
    /// An address on the device: `CUdeviceptr`, or a pointer that HIP gave.
    Address(u64),
    /// A buffer object, and where in it the memory begins.
    OpenCl {
        /// `cl_mem`.
        object: *mut c_void,
        /// In bytes.
        offset: usize,
    },
    /// Host memory.
    Host(*mut c_void),
    /// The driver does not say.
    Unknown,
}
