//! Which devices there are, and what is known about them.

use crate::conflict;
use crate::status::{failed, name};
use brook_driver::{DeviceInfo, DeviceKind, Error, ErrorKind, Limits, Result};
use cl3::device::{self, get_device_data, get_device_ids};
use cl3::error_codes::DLOPEN_RUNTIME_LOAD_FAILED;
use cl3::platform::{CL_PLATFORM_NAME, get_platform_data, get_platform_ids};
use cl3::types::{cl_device_id, cl_int, cl_platform_id};
use std::sync::{Mutex, PoisonError};

/// `CL_PLATFORM_NOT_FOUND_KHR`: a loader, but no vendor's implementation behind it.
const NO_PLATFORM: cl_int = -1001;

/// Divides and square roots of `float` can be correctly rounded.
const CORRECTLY_ROUNDED: u64 = 1 << 7;

/// A device that was found.
pub(crate) struct Found {
    pub(crate) id: cl_device_id,
    pub(crate) info: DeviceInfo,
    /// Whether `-cl-fp32-correctly-rounded-divide-sqrt` may be given.
    pub(crate) correctly_rounded: bool,
    /// Which instructions NVIDIA's device has: 90 for 9.0. Its compiler takes PTX, and has no macro that says so.
    pub(crate) compute_capability: Option<u64>,
    /// The standard by which sources may call functions of a whole group, if the device has them.
    pub(crate) collectives: Option<&'static str>,
    /// Whether commands may lie until somebody waits for them, unless their queue is flushed. OpenCL allows it; with
    /// NVIDIA's they begin by themselves (asked on Linux), and a flush takes a fifth of what a launch does.
    pub(crate) lies: bool,
    /// Whether it is a GPU with memory of its own.
    pub(crate) apart: bool,
}

// SAFETY: a device identifier is a plain name for something that lives as long as the process, and
// OpenCL lets any thread use it.
unsafe impl Send for Found {}
// SAFETY: as above.
unsafe impl Sync for Found {}

/// The devices of all platforms: GPUs first, otherwise as the loader lists them.
pub(crate) fn devices() -> Result<Vec<Found>> {
    // PoCL 3.1 reports no device to a thread that asks while another is the first to ask.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(reason) = conflict::before_detecting() {
        return Err(Error::missing(reason));
    }
    let platforms = get_platform_ids().map_err(|status| match status {
        DLOPEN_RUNTIME_LOAD_FAILED => {
            Error::missing("no OpenCL loader (libOpenCL.so.1) on this machine")
        }
        NO_PLATFORM => no_platform(),
        other => {
            let error = failed("listing the OpenCL platforms", other);
            Error::new(ErrorKind::Missing, error.message)
        }
    })?;
    if platforms.is_empty() {
        return Err(no_platform());
    }
    let mut found = Vec::new();
    let mut reason = String::new();
    for platform in platforms {
        // A platform that cannot list its devices (a driver without its hardware, say) has none.
        match get_device_ids(platform, device::CL_DEVICE_TYPE_ALL) {
            Ok(ids) => found.extend(ids.into_iter().map(|id| describe(platform, id))),
            Err(status) => reason = format!(" ({})", name(status)),
        }
    }
    if found.is_empty() {
        return Err(Error::missing(format!(
            "the OpenCL platforms report no device{reason}"
        )));
    }
    found.sort_by_key(|f| f.info.kind != DeviceKind::Gpu);
    Ok(found)
}

fn no_platform() -> Error {
    Error::missing("the OpenCL loader finds no platform: no vendor's OpenCL driver is installed")
}

fn describe(platform: cl_platform_id, id: cl_device_id) -> Found {
    let text = |parameter| decode_text(&get_device_data(id, parameter).unwrap_or_default());
    let number = |parameter| decode_number(&get_device_data(id, parameter).ok()?);
    let platform_name =
        decode_text(&get_platform_data(platform, CL_PLATFORM_NAME).unwrap_or_default());
    let device_name = text(device::CL_DEVICE_NAME);
    let driver_version = text(device::CL_DRIVER_VERSION);
    let kind = number(device::CL_DEVICE_TYPE).unwrap_or_default();
    let kind = if kind & device::CL_DEVICE_TYPE_GPU != 0 {
        DeviceKind::Gpu
    } else if kind & device::CL_DEVICE_TYPE_CPU != 0 {
        DeviceKind::Cpu
    } else {
        DeviceKind::Accelerator
    };
    let compiler = if number(device::CL_DEVICE_COMPILER_AVAILABLE).unwrap_or_default() != 0 {
        let language = text(device::CL_DEVICE_OPENCL_C_VERSION);
        Ok(format!(
            "{} {driver_version} ({language})",
            short(&platform_name)
        ))
    } else {
        Err(format!("{platform_name} has no compiler for this device"))
    };
    let info = DeviceInfo {
        name: display_name(&device_name, &platform_name),
        kind,
        units: number(device::CL_DEVICE_MAX_COMPUTE_UNITS).map_or(1, |n| n as u32),
        memory: number(device::CL_DEVICE_GLOBAL_MEM_SIZE),
        architecture: [
            platform_name.as_str(),
            &device_name,
            &driver_version,
            &text(device::CL_DEVICE_VERSION),
        ]
        .join("; "),
        compiler,
        limits: limits(id),
    };
    let single = number(device::CL_DEVICE_SINGLE_FP_CONFIG).unwrap_or_default();
    let unified = number(device::CL_DEVICE_HOST_UNIFIED_MEMORY).unwrap_or(1) != 0;
    let capability = || {
        let major = number(device::CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV)?;
        Some(10 * major + number(device::CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV)?)
    };
    let nvidia = platform_name == "NVIDIA CUDA";
    let reported = number(device::CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT);
    Found {
        id,
        apart: kind == DeviceKind::Gpu && !unified,
        lies: !nvidia || !cfg!(target_os = "linux"),
        info,
        correctly_rounded: single & CORRECTLY_ROUNDED != 0,
        compute_capability: nvidia.then(capability).flatten(),
        collectives: with_collectives(
            &text(device::CL_DEVICE_VERSION),
            &text(device::CL_DEVICE_OPENCL_C_VERSION),
            reported == Some(1),
        ),
    }
}

/// Every device of version 2 has functions of a whole group; one of version 3 says whether it does.
fn with_collectives(version: &str, language: &str, reported: bool) -> Option<&'static str> {
    let number = |text: &str, before: &str| -> Option<u32> {
        text.strip_prefix(before)?.split('.').next()?.parse().ok()
    };
    match number(version, "OpenCL ")? {
        2 if number(language, "OpenCL C ")? == 2 => Some("CL2.0"),
        3.. if reported => Some("CL3.0"),
        _ => None,
    }
}

fn limits(id: cl_device_id) -> Limits {
    let number = |parameter| decode_number(&get_device_data(id, parameter).ok()?);
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let sizes = get_device_data(id, device::CL_DEVICE_MAX_WORK_ITEM_SIZES).unwrap_or_default();
    let mut group = [1; 3];
    for (axis, bytes) in group.iter_mut().zip(sizes.chunks_exact(size_of::<usize>())) {
        *axis = narrow(decode_number(bytes).unwrap_or(1));
    }
    // OpenCL bounds the global size by the width of the device's addresses, and nothing else.
    let wide = number(device::CL_DEVICE_ADDRESS_BITS).unwrap_or(32) > 32;
    Limits {
        threads_per_group: narrow(number(device::CL_DEVICE_MAX_WORK_GROUP_SIZE).unwrap_or(1)),
        group,
        grid: [if wide { u64::MAX } else { u64::from(u32::MAX) }; 3],
        shared_memory: number(device::CL_DEVICE_LOCAL_MEM_SIZE).unwrap_or_default(),
    }
}

/// The device's name, with the platform in parentheses unless the name already says it.
fn display_name(device: &str, platform: &str) -> String {
    let short = short(platform);
    let vendor = short.split_whitespace().next().unwrap_or_default();
    if vendor.is_empty() || device.to_lowercase().contains(&vendor.to_lowercase()) {
        device.to_string()
    } else {
        format!("{device} ({short})")
    }
}

/// How people call a platform.
fn short(platform: &str) -> &str {
    if platform == "Portable Computing Language" {
        "PoCL"
    } else {
        platform
    }
}

/// A string as OpenCL returns it: ended by a zero byte, at times padded with blanks.
fn decode_text(bytes: &[u8]) -> String {
    let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An unsigned number of whatever width OpenCL returned.
fn decode_number(bytes: &[u8]) -> Option<u64> {
    match *bytes {
        [a, b, c, d] => Some(u64::from(u32::from_ne_bytes([a, b, c, d]))),
        _ => Some(u64::from_ne_bytes(bytes.try_into().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_platform_once() {
        assert_eq!(display_name("NVIDIA H200", "NVIDIA CUDA"), "NVIDIA H200");
        assert_eq!(
            display_name("pthread-EPYC", "Portable Computing Language"),
            "pthread-EPYC (PoCL)"
        );
        assert_eq!(display_name("gfx90a", ""), "gfx90a");
    }

    #[test]
    fn functions_of_a_group_come_with_a_standard() {
        let of = with_collectives;
        assert_eq!(of("OpenCL 1.2 pocl", "OpenCL C 1.2", false), None);
        assert_eq!(
            of("OpenCL 2.1 (Build 0)", "OpenCL C 2.0", false),
            Some("CL2.0")
        );
        // The device of version 2 whose compiler is older, and the compiler that does not say.
        assert_eq!(of("OpenCL 2.0", "OpenCL C 1.2", true), None);
        assert_eq!(of("OpenCL 2.0", "", false), None);
        assert_eq!(of("OpenCL 3.0 CUDA", "OpenCL C 1.2", false), None);
        assert_eq!(
            of("OpenCL 3.1 (Build 0)", "OpenCL C 3.1", true),
            Some("CL3.0")
        );
        assert_eq!(of("", "", true), None);
    }

    #[test]
    fn values_are_decoded() {
        assert_eq!(decode_text(b"  Intel(R)  CPU \0\0"), "Intel(R) CPU");
        assert_eq!(decode_number(&7u32.to_ne_bytes()), Some(7));
        assert_eq!(decode_number(&(1u64 << 40).to_ne_bytes()), Some(1 << 40));
        assert_eq!(decode_number(&[1]), None);
    }
}
