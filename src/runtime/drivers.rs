//! Drivers, those compiled in and those registered since, and the devices that they find.

use super::{Error, Result, ranks};
use crate::diagnostics::nearest;
use brook_driver::{DeviceInfo, DeviceKind, Driver};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// One line of [`list`].
#[derive(Debug)]
pub struct DeviceEntry {
    /// `cuda:0`; without number where a driver has no devices.
    pub name: String,
    /// What is known about it, or in one line why there is none.
    pub info: std::result::Result<DeviceInfo, String>,
}

/// A driver, and the backend whose source it compiles.
pub(super) struct Registered {
    pub(super) driver: Box<dyn Driver>,
    pub(super) source_backend: String,
}

type Drivers = RwLock<Vec<Arc<Registered>>>;

/// All drivers, in the order of detection: those compiled in, then those registered since.
fn drivers() -> &'static Drivers {
    static DRIVERS: OnceLock<Drivers> = OnceLock::new();
    DRIVERS.get_or_init(|| {
        let built_in: Vec<Box<dyn Driver>> = vec![
            #[cfg(feature = "cuda")]
            Box::new(brook_cuda::Cuda::new()),
            #[cfg(feature = "hip")]
            Box::new(brook_hip::Hip::new()),
            #[cfg(feature = "metal")]
            Box::new(brook_metal::Metal::new()),
            #[cfg(feature = "opencl")]
            Box::new(brook_opencl::OpenCL::new()),
            #[cfg(feature = "openmp")]
            Box::new(brook_openmp::OpenMp::new()),
            #[cfg(feature = "sycl")]
            Box::new(brook_sycl::Sycl::new()),
        ];
        let built_in = built_in.into_iter().map(|driver| {
            let source_backend = driver.backend().to_string();
            (driver, source_backend)
        });
        let registered = built_in
            .chain(test_drivers())
            .map(|(driver, source_backend)| {
                Arc::new(Registered {
                    driver,
                    source_backend,
                })
            });
        RwLock::new(registered.collect())
    })
}

/// Devices that only tests use, and whose source they take.
#[cfg(feature = "emulation")]
fn test_drivers() -> [(Box<dyn Driver>, String); 5] {
    [
        (Box::new(brook_emulation::Emulation::cuda()), "cuda".into()),
        (Box::new(brook_emulation::Emulation::hip()), "hip".into()),
        (
            Box::new(brook_emulation::Emulation::metal()),
            "metal".into(),
        ),
        (Box::new(brook_emulation::Emulation::sycl()), "sycl".into()),
        (Box::new(brook_emulation::HipOnCuda::new()), "hip".into()),
    ]
}

#[cfg(not(feature = "emulation"))]
fn test_drivers() -> [(Box<dyn Driver>, String); 0] {
    []
}

pub(super) fn snapshot() -> Vec<Arc<Registered>> {
    drivers()
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Adds a driver. Its devices are named after [`Driver::backend`]; kernels for them are translated
/// for the backend `source_backend`. One of a name that exists already replaces the other.
pub fn register(driver: Box<dyn Driver>, source_backend: &str) {
    let new = Arc::new(Registered {
        driver,
        source_backend: source_backend.to_string(),
    });
    let mut drivers = drivers().write().unwrap_or_else(PoisonError::into_inner);
    match drivers
        .iter_mut()
        .find(|d| d.driver.backend() == new.driver.backend())
    {
        Some(old) => *old = new,
        None => drivers.push(new),
    }
}

/// Every device of every driver, in the order of detection.
pub fn list() -> Vec<DeviceEntry> {
    entries(|_| true)
}

/// The devices of one driver; the others are not loaded.
pub fn list_of(driver: &str) -> Vec<DeviceEntry> {
    entries(|name| name == driver)
}

/// The names of all drivers, in the order of detection. None is loaded.
pub fn driver_names() -> Vec<&'static str> {
    snapshot().iter().map(|d| d.driver.backend()).collect()
}

/// The driver of that name.
pub(super) fn driver_named(name: &str) -> Option<Arc<Registered>> {
    let mut drivers = snapshot().into_iter();
    drivers.find(|d| d.driver.backend() == name)
}

fn entries(wanted: impl Fn(&str) -> bool) -> Vec<DeviceEntry> {
    let mut entries = Vec::new();
    for registered in snapshot() {
        let backend = registered.driver.backend();
        if !wanted(backend) {
            continue;
        }
        match registered.driver.devices() {
            Ok(devices) => {
                entries.extend(
                    devices
                        .into_iter()
                        .enumerate()
                        .map(|(i, info)| DeviceEntry {
                            name: format!("{backend}:{i}"),
                            info: Ok(info),
                        }),
                )
            }
            Err(error) => {
                entries.push(DeviceEntry {
                    name: backend.to_string(),
                    info: Err(error.message),
                });
            }
        }
    }
    entries
}

/// Refuses what no device can be called: a driver that is not there, or a number that is none. Looks for no device.
///
/// # Errors
/// It says what may have been meant.
pub fn check_device_name(name: &str) -> Result<()> {
    let name = match ranks::own_name(name) {
        Some("") => return Ok(()),
        Some(own) => own,
        None => name,
    };
    name.split(',').try_for_each(|name| match split(name) {
        Some((driver, _)) if driver_named(driver).is_some() => Ok(()),
        _ if all_of(name).is_some_and(|driver| driver_named(driver).is_some()) => Ok(()),
        _ => Err(Error::NoDevice(misnamed(name))),
    })
}

/// The devices that a name of several means, one by one; `None` of the name of one.
pub(super) fn names(name: &str) -> Result<Option<Vec<String>>> {
    if !name.contains([',', '*']) {
        return Ok(None);
    }
    let mut names = Vec::new();
    for name in name.split(',').map(str::trim) {
        let Some(driver) = all_of(name) else {
            names.push(name.to_string());
            continue;
        };
        let all = list_of(driver).into_iter().filter(|e| e.info.is_ok());
        let before = names.len();
        names.extend(all.map(|e| e.name));
        if names.len() == before {
            let text = format!("'{name}' stands for all devices of '{driver}', and there are none");
            return Err(Error::NoDevice(text));
        }
    }
    Ok(Some(names))
}

/// The driver in `cuda:*`.
pub(super) fn all_of(name: &str) -> Option<&str> {
    name.strip_suffix(":*")
}

/// The driver and the number in a device's name; nothing where that is no number.
pub(super) fn split(name: &str) -> Option<(&str, usize)> {
    let (driver, number) = name.split_once(':').unwrap_or((name, "0"));
    Some((driver, number.parse().ok()?))
}

/// That nothing is called so, and what may have been meant.
pub(super) fn misnamed(name: &str) -> String {
    let (driver, number) = match name.split_once(':') {
        Some((driver, _)) => (driver, split(name).map_or(0, |(_, number)| number)),
        None => (name, 0),
    };
    let meant = match driver_named(driver) {
        Some(_) => Some(driver),
        None => nearest(driver, driver_names()),
    };
    let meant = meant.map_or(String::new(), |d| {
        format!(" (did you mean '{d}:{number}'?)")
    });
    format!("no device is called '{name}'{meant}")
}

/// The names of all GPUs, counted within the first driver that has any: two drivers that see the same
/// GPU must not count it twice.
pub fn gpus() -> Vec<String> {
    for registered in snapshot() {
        let backend = registered.driver.backend();
        let devices = registered.driver.devices().unwrap_or_default();
        let gpus = devices.iter().enumerate();
        let gpus: Vec<String> = gpus
            .filter(|(_, info)| info.kind == DeviceKind::Gpu)
            .map(|(ordinal, _)| format!("{backend}:{ordinal}"))
            .collect();
        if !gpus.is_empty() {
            return gpus;
        }
    }
    Vec::new()
}

/// The name of the processor's own device, if there is a compiler for it.
pub fn processor() -> Option<String> {
    let registered = snapshot();
    let openmp = registered.iter().find(|d| d.driver.backend() == "openmp")?;
    let devices = openmp.driver.devices().unwrap_or_default();
    let found = devices.iter().any(|info| info.compiler.is_ok());
    found.then(|| "openmp:0".to_string())
}

/// The devices there are, for messages.
pub(super) fn known() -> String {
    let names: Vec<String> = list()
        .into_iter()
        .filter(|e| e.info.is_ok())
        .map(|e| e.name)
        .collect();
    match names.as_slice() {
        [] => "there is none at all ('brook devices' says why)".to_string(),
        names => format!("there are: {}", names.join(", ")),
    }
}
