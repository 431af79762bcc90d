use super::error::{guard, hold};
use super::fault::{Code, Fault};
use super::{invalid, text};
use crate::runtime::{self, Result};
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_uint};
use std::sync::{Mutex, OnceLock, PoisonError};

/// `brook_device`: lives as long as the process.
pub struct Device {
    name: CString,
    processor: bool,
    /// Opened when first used.
    opened: Mutex<Option<runtime::Device>>,
}

impl Device {
    fn new(name: &str, processor: bool) -> &'static Self {
        let new: &'static Self = Box::leak(Box::new(Self {
            name: CString::new(name).unwrap_or_default(),
            processor,
            opened: Mutex::new(None),
        }));
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.push(new);
        new
    }

    /// The device itself. A failure is not kept: the next call tries again.
    pub(super) fn open(&self) -> Result<runtime::Device> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = &*opened {
            return Ok(device.clone());
        }
        let device = runtime::Device::open(&self.name.to_string_lossy())?;
        *opened = Some(device.clone());
        Ok(device)
    }
}

/// Every device that there is a handle of.
static KNOWN: Mutex<Vec<&'static Device>> = Mutex::new(Vec::new());

/// The device behind a handle.
pub(super) fn known(handle: *const Device) -> Result<&'static Device> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.iter().find(|d| std::ptr::eq(**d, handle)).copied();
    found.ok_or_else(|| match handle.is_null() {
        true => invalid("the device is NULL"),
        false => invalid(format!("{handle:p} is no device of this library's")),
    })
}

/// All devices: the one that `BROOK_DEVICE` names, GPUs, the processor.
fn all() -> &'static [&'static Device] {
    static ALL: OnceLock<Vec<&'static Device>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut names: Vec<(String, bool)> = Vec::new();
        if std::env::var_os("BROOK_DEVICE").is_some_and(|v| !v.is_empty())
            && let Ok(device) = runtime::Device::detect()
        {
            let processor = device.info().kind == runtime::DeviceKind::Cpu;
            names.push((device.name().to_string(), processor));
        }
        names.extend(runtime::gpus().into_iter().map(|name| (name, false)));
        names.extend(runtime::processor().map(|name| (name, true)));
        let mut devices: Vec<&'static Device> = Vec::new();
        for (name, processor) in names {
            if !devices.iter().any(|d| d.name.to_bytes() == name.as_bytes()) {
                devices.push(Device::new(&name, processor));
            }
        }
        devices
    })
}

/// The handle of a device, known or new.
pub(super) fn handle(device: &runtime::Device) -> &'static Device {
    static OTHERS: Mutex<Vec<&'static Device>> = Mutex::new(Vec::new());
    let same = |d: &&&'static Device| d.name.to_bytes() == device.name().as_bytes();
    if let Some(known) = all().iter().find(same) {
        return known;
    }
    let mut others = OTHERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = others.iter().find(same) {
        return known;
    }
    let processor = device.info().kind == runtime::DeviceKind::Cpu;
    let new = Device::new(device.name(), processor);
    others.push(new);
    new
}

thread_local! {
    static CHOSEN: Cell<Option<&'static Device>> = const { Cell::new(None) };
}

/// The device that this thread's streams are made on and kernels run on: the chosen one, else what
/// the environment asks for, found when first needed. A failure is not kept: the next call looks
/// again.
pub(super) fn current() -> Result<runtime::Device> {
    static DEFAULT: Mutex<Option<runtime::Device>> = Mutex::new(None);
    if let Some(chosen) = CHOSEN.get() {
        return chosen.open();
    }
    let mut default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = &*default {
        return Ok(device.clone());
    }
    let device = runtime::Device::detect()?;
    *default = Some(device.clone());
    Ok(device)
}

/// The devices of a type.
///
/// # Safety
/// `kind` is null or a string; `count` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_devices(
    kind: *const c_char,
    count: *mut c_uint,
) -> *const &'static Device {
    type Lists = [Vec<&'static Device>; 3];
    static LISTS: OnceLock<Lists> = OnceLock::new();
    let list = guard(&[][..], || {
        // SAFETY: the caller passes a string or null.
        let kind = unsafe { text(kind, "the devices' type") }?;
        let of = |processor: bool| {
            let devices = all().iter().copied();
            devices.filter(move |d| d.processor == processor).collect()
        };
        let lists = LISTS.get_or_init(|| [all().to_vec(), of(false), of(true)]);
        let words = ["all", "cal", "cpu"];
        let found = words.iter().zip(lists).find(|(word, _)| **word == kind);
        Ok(found.map_or(&[][..], |(_, list)| list))
    });
    if !count.is_null() {
        // SAFETY: not null, so it points to a number.
        unsafe { *count = list.len() as c_uint };
    }
    list.as_ptr()
}

/// The current device of this thread; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn brook_current_device() -> *const Device {
    guard(std::ptr::null(), || {
        Ok(std::ptr::from_ref(handle(&current()?)))
    })
}

/// Chooses the device of this thread.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_use_device(device: *const Device) {
    if !device.is_null() {
        guard((), || {
            let device = known(device).inspect_err(|error| {
                hold(Fault::of(Code::InvalidParameter, "Use Devices", error));
            })?;
            CHOSEN.set(Some(device));
            Ok(())
        });
    }
}

pub(super) fn with(
    device: *const Device,
    value: impl FnOnce(&'static Device) -> &'static CStr,
) -> *const c_char {
    guard(std::ptr::null(), || Ok(value(known(device)?).as_ptr()))
}

/// A device's name.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_name(device: *const Device) -> *const c_char {
    with(device, |device| &device.name)
}

/// `cpu` or `cal`.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_type(device: *const Device) -> *const c_char {
    with(device, |device| match device.processor {
        true => c"cpu",
        false => c"cal",
    })
}
