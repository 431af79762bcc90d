use super::error::{guard, hold, status};
use super::fault::{Code, Fault};
use super::{invalid, text};
use crate::runtime::{self, Result};
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::sync::{Mutex, OnceLock, PoisonError};

/// `brook_device`: lives as long as the process.
pub struct Device {
    name: CString,
    processor: bool,
    /// Asked for when somebody wants it.
    architecture: OnceLock<CString>,
    /// Opened when first used.
    opened: Mutex<Option<runtime::Device>>,
}

impl Device {
    /// The device of that name, of which there is one handle.
    fn of_name(name: &str, processor: bool) -> &'static Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |d: &&&'static Self| d.name.to_bytes() == name.as_bytes();
        if let Some(known) = known.iter().find(same) {
            return known;
        }
        let new: &'static Self = Box::leak(Box::new(Self {
            name: CString::new(name).unwrap_or_default(),
            processor,
            architecture: OnceLock::new(),
            opened: Mutex::new(None),
        }));
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
                devices.push(Device::of_name(&name, processor));
            }
        }
        devices
    })
}

/// The handle of a device, known or new.
pub(super) fn handle(device: &runtime::Device) -> &'static Device {
    let processor = device.info().kind == runtime::DeviceKind::Cpu;
    let known = Device::of_name(device.name(), processor);
    let mut opened = known.opened.lock().unwrap_or_else(PoisonError::into_inner);
    opened.get_or_insert_with(|| device.clone());
    drop(opened);
    known
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

/// The device of a name; the thread's own for null.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_open(name: *const c_char) -> *const Device {
    guard(std::ptr::null(), || {
        if name.is_null() {
            return Ok(std::ptr::from_ref(handle(&current()?)));
        }
        // SAFETY: the caller passes a string.
        let name = unsafe { text(name, "the device's name") }?;
        Ok(std::ptr::from_ref(handle(&runtime::Device::open(name)?)))
    })
}

/// Waits for everything launched so far there, in whichever queue.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_finish(device: *const Device) -> c_int {
    status(|| opened(device)?.synchronize())
}

/// Whether calls of Brook+ kernels wait there for others that they can run with: see `enum brook_fusion`.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_fuse(device: *const Device, fusion: c_int) -> c_int {
    status(|| {
        let fusion = match u8::try_from(fusion) {
            Ok(number @ 0..=2) => runtime::Fusion::from_number(number),
            _ => return Err(invalid(format!("{fusion} is no enum brook_fusion"))),
        };
        opened(device)?.set_fusion(fusion)
    })
}

/// The device behind a handle, open.
pub(super) fn opened(device: *const Device) -> Result<runtime::Device> {
    known(device)?.open()
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

/// What code is made for: `sm_90`, `gfx90a`, the name of a processor or of an OpenCL device.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_architecture(device: *const Device) -> *const c_char {
    guard(std::ptr::null(), || {
        let device = known(device)?;
        let opened = device.open()?;
        let text = || CString::new(opened.info().architecture.as_str()).unwrap_or_default();
        Ok(device.architecture.get_or_init(text).as_ptr())
    })
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
