//! How many multiprocessors a GPU has: what a hand-written grid-stride loop sizes its grid by.

use brook::Device;
use brook::runtime::NativeDevice;

/// `CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT`.
const MULTIPROCESSORS: i32 = 16;

/// The number for CUDA's devices; elsewhere one that suits any large GPU.
pub fn units(device: &Device) -> usize {
    let counted = match device.native() {
        NativeDevice::Cuda { ordinal, .. } => multiprocessors(ordinal),
        _ => None,
    };
    counted.unwrap_or(128)
}

fn multiprocessors(ordinal: i32) -> Option<usize> {
    type Attribute = unsafe extern "C" fn(*mut i32, i32, i32) -> i32;
    // SAFETY: the driver has loaded the same library before.
    let library = unsafe { libloading::Library::new("libcuda.so.1") }.ok()?;
    // SAFETY: the function's type is that of `cuda.h`.
    let attribute = unsafe { library.get::<Attribute>(b"cuDeviceGetAttribute") }.ok()?;
    let mut count = 0;
    // SAFETY: the driver is initialised, since a device of it is open; the pointer is to a live integer.
    let code = unsafe { attribute(&raw mut count, MULTIPROCESSORS, ordinal) };
    usize::try_from(count).ok().filter(|n| code == 0 && *n > 0)
}
