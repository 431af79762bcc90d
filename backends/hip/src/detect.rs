//! Which devices there are, and what is known about them.

use crate::compiler_version;
use crate::conflict;
use crate::status::{check, describe};
use crate::sys::{self, Hip, NO_DEVICE, SUCCESS, attribute};
use brook_driver::{DeviceInfo, DeviceKind, Error, Limits, Result};
use std::ffi::c_int;

/// The devices of the HIP runtime.
pub(crate) fn devices() -> Result<Vec<DeviceInfo>> {
    // The runtime brings a whole LLVM into the process, which other drivers' compilers do not bear.
    // Where the kernel has no AMD GPU there is nothing to ask it.
    if cfg!(target_os = "linux")
        && std::env::var_os("BROOK_HIP").is_none()
        && !std::path::Path::new("/dev/kfd").exists()
    {
        return Err(Error::missing(
            "no AMD GPU on this machine (there is no /dev/kfd)",
        ));
    }
    let hip = sys::hip().map_err(Error::missing)?;
    if let Some(reason) = conflict::before_detecting() {
        return Err(Error::missing(reason));
    }
    let mut count = 0;
    // SAFETY: the pointer is to a live integer.
    match unsafe { (hip.get_device_count)(&raw mut count) } {
        SUCCESS if count > 0 => (0..count)
            .map(|ordinal| describe_device(hip, ordinal))
            .collect(),
        SUCCESS | NO_DEVICE => Err(Error::missing("the HIP runtime reports no device")),
        other => Err(Error::missing(format!(
            "the HIP runtime does not start: {}",
            describe(hip, other)
        ))),
    }
}

fn describe_device(hip: &Hip, ordinal: c_int) -> Result<DeviceInfo> {
    let what = "describing a HIP device";
    let number = |attribute: c_int| -> Result<u32> {
        let mut value = 0;
        // SAFETY: the pointer is to a live integer.
        let status = unsafe { (hip.device_get_attribute)(&raw mut value, attribute, ordinal) };
        check(hip, status, what)?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    let mut name = [0u8; 256];
    // SAFETY: the call writes at most as many bytes as it is told.
    let status = unsafe {
        (hip.device_get_name)(name.as_mut_ptr().cast(), name.len() as c_int - 1, ordinal)
    };
    check(hip, status, what)?;
    let mut memory = 0usize;
    // SAFETY: the pointer is to a live integer.
    let status = unsafe { (hip.device_total_mem)(&raw mut memory, ordinal) };
    let memory = (status == SUCCESS).then_some(memory as u64);
    let [x, y, z] = attribute::MAX_BLOCK_DIM;
    let [grid_x, grid_y, grid_z] = attribute::MAX_GRID_DIM;
    let name = until_zero(&name);
    let architecture = architecture(hip, ordinal)?;
    Ok(DeviceInfo {
        // Without a table of marketing names, the runtime's name is empty.
        name: if name.trim().is_empty() {
            format!("AMD {architecture}")
        } else {
            name
        },
        kind: DeviceKind::Gpu,
        units: number(attribute::MULTIPROCESSORS)?,
        memory,
        architecture,
        compiler: compiler_version().map_err(|e| e.message),
        limits: Limits {
            threads_per_group: number(attribute::MAX_THREADS_PER_BLOCK)?,
            group: [number(x)?, number(y)?, number(z)?],
            grid: [
                number(grid_x)?.into(),
                number(grid_y)?.into(),
                number(grid_z)?.into(),
            ],
            shared_memory: number(attribute::MAX_SHARED_MEMORY_PER_BLOCK)?.into(),
        },
    })
}

/// More than any release's `hipDeviceProp_t` (792 bytes in ROCm 5, 1472 in ROCm 6), in words.
const PROPERTIES: usize = 2048;

/// The device's architecture, as `gfx90a`.
///
/// It is text, so no attribute has it: only the properties structure does, whose layout changed in
/// ROCm 6. Both layouts begin with the device's name in 256 bytes and have the architecture's name
/// somewhere later, so it is searched for rather than read at an offset.
fn architecture(hip: &Hip, ordinal: c_int) -> Result<String> {
    let unknown = || Error::missing("the HIP runtime does not tell its device's architecture");
    let get_properties = hip.get_properties().ok_or_else(unknown)?;
    let mut properties = vec![0u64; PROPERTIES];
    // SAFETY: the memory is aligned for the structure, and ten times as large.
    let status = unsafe { get_properties(properties.as_mut_ptr().cast(), ordinal) };
    check(hip, status, "reading a HIP device's properties")?;
    let bytes: Vec<u8> = properties
        .iter()
        .flat_map(|word| word.to_ne_bytes())
        .collect();
    find_architecture(&bytes[256..]).ok_or_else(unknown)
}

/// The first `gfx` with digits after it, without its features: code generated for plain `gfx90a` runs
/// whether or not error correction and page migration are on.
fn find_architecture(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes;
    while let Some(at) = rest.windows(3).position(|w| w == b"gfx") {
        let name = until_zero(&rest[at..]);
        let name = name.split(':').next().unwrap_or_default();
        let version = name.trim_start_matches("gfx");
        if version.len() >= 3 && version.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Some(name.to_string());
        }
        rest = &rest[at + 3..];
    }
    None
}

fn until_zero(bytes: &[u8]) -> String {
    let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architecture_is_found_wherever_it_lies() {
        let mut properties = vec![0u8; 1472];
        assert_eq!(find_architecture(&properties), None);
        properties[100..104].copy_from_slice(b"gfxz");
        properties[1160..1182].copy_from_slice(b"gfx90a:sramecc+:xnack-");
        assert_eq!(find_architecture(&properties).unwrap(), "gfx90a");
        assert_eq!(find_architecture(b"gfx1100\0").unwrap(), "gfx1100");
    }
}
