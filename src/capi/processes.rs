//! Processes of a job, what one of them compiles for all, and entries of the same number.

use super::device::{self, Device};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::memory::Memory;
use super::options::Options;
use super::program::{self, Program};
use super::{invalid, text};
use crate::Source;
use crate::runtime::{self, BuildOptions, GatherScatterExchange, Reduction, Result};
use std::ffi::{c_char, c_int};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};

/// `brook_communicator`.
pub struct Communicator(runtime::Communicator);

/// `brook_gather_scatter`.
pub struct GatherScatter {
    all: runtime::GatherScatter,
    /// What has begun.
    exchange: Mutex<Option<GatherScatterExchange>>,
}

static COMMUNICATORS: Table<Communicator> = Table::new();
static GATHER_SCATTERS: Table<GatherScatter> = Table::new();

impl Handled for Communicator {
    const KIND: usize = 13;

    fn table() -> &'static Table<Self> {
        &COMMUNICATORS
    }
}

impl Handled for GatherScatter {
    const KIND: usize = 14;

    fn table() -> &'static Table<Self> {
        &GATHER_SCATTERS
    }
}

/// `enum brook_reduction`.
const REDUCTIONS: [Reduction; 4] = [
    Reduction::Sum,
    Reduction::Product,
    Reduction::Min,
    Reduction::Max,
];

fn reduction(number: c_int) -> Result<Reduction> {
    let known = usize::try_from(number).ok().and_then(|n| REDUCTIONS.get(n));
    known
        .copied()
        .ok_or_else(|| invalid(format!("{number} is no enum brook_reduction")))
}

/// All processes of the job.
#[unsafe(no_mangle)]
pub extern "C" fn brook_communicator_world() -> *mut Communicator {
    guard(null_mut(), || {
        handle::give(Communicator(runtime::Communicator::world()?))
    })
}

/// Those of a communicator that the program has.
#[unsafe(no_mangle)]
pub extern "C" fn brook_communicator_import(fortran: c_int) -> *mut Communicator {
    guard(null_mut(), || {
        handle::give(Communicator(runtime::Communicator::from_fortran(fortran)?))
    })
}

/// Another reference.
///
/// # Safety
/// `communicator` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_communicator_retain(
    communicator: *mut Communicator,
) -> *mut Communicator {
    handle::retained(communicator)
}

/// Gives a reference up.
///
/// # Safety
/// `communicator` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_communicator_release(communicator: *mut Communicator) {
    handle::released(communicator);
}

/// This process's number.
///
/// # Safety
/// `communicator` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_communicator_rank(communicator: *const Communicator) -> c_int {
    guard(-1, || Ok(handle::get(communicator)?.0.rank() as c_int))
}

/// How many processes there are.
///
/// # Safety
/// `communicator` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_communicator_size(communicator: *const Communicator) -> c_int {
    guard(-1, || Ok(handle::get(communicator)?.0.size() as c_int))
}

/// The device of a process by its number on its machine.
///
/// # Safety
/// `name` is null or a string; `communicator` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_open_local(
    name: *const c_char,
    communicator: *const Communicator,
) -> *const Device {
    guard(null(), || {
        let name = match name.is_null() {
            true => "",
            // SAFETY: not null, so the caller passes a string.
            false => unsafe { text(name, "the device's name") }?,
        };
        let communicator = handle::get(communicator)?;
        let device = runtime::Device::open_local(name, &communicator.0)?;
        Ok(std::ptr::from_ref(device::handle(&device)))
    })
}

/// # Safety
/// As of [`brook_program_build_together`].
unsafe fn build(
    device: *const Device,
    communicator: *const Communicator,
    source: impl FnOnce(&BuildOptions) -> Result<Source>,
    given: *const Options,
) -> Result<*mut Program> {
    let communicator = handle::get(communicator)?;
    // SAFETY: as the caller promises.
    unsafe {
        program::built(device, source, given, |device, source, options| {
            device.build_together(&communicator.0, source, options)
        })
    }
}

/// Builds a source for a device of each process.
///
/// # Safety
/// `device` is null or what another function gave, `communicator` null or a live handle, `name` null or a string; `source` is null
/// or points to `length` bytes, `options` is null or points to some.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_build_together(
    device: *const Device,
    communicator: *const Communicator,
    name: *const c_char,
    source: *const c_char,
    length: usize,
    options: *const Options,
) -> *mut Program {
    guard(null_mut(), || {
        // SAFETY: as the caller promises.
        unsafe {
            let source = program::source_given(name, source, length)?;
            build(device, communicator, |_| Ok(source), options)
        }
    })
}

/// Builds a file for a device of each process.
///
/// # Safety
/// As of [`brook_program_build_together`]; `path` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_program_build_file_together(
    device: *const Device,
    communicator: *const Communicator,
    path: *const c_char,
    options: *const Options,
) -> *mut Program {
    guard(null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let path = unsafe { text(path, "the program's file") }?;
        // SAFETY: as the caller promises.
        unsafe { build(device, communicator, |o| o.source(path), options) }
    })
}

/// Finds entries of the same number.
///
/// # Safety
/// `device` is null or what another function gave, `communicator` null or a live handle; `numbers` is null or points to `count`
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather_scatter_create(
    device: *const Device,
    communicator: *const Communicator,
    numbers: *const i64,
    count: usize,
) -> *mut GatherScatter {
    guard(null_mut(), || {
        let device = device::opened(device)?;
        let communicator = match communicator.is_null() {
            true => None,
            false => Some(handle::get(communicator)?),
        };
        let numbers = match (numbers.is_null(), count) {
            (_, 0) => &[][..],
            (true, _) => return Err(invalid("the numbers of entries are NULL")),
            // SAFETY: not null, and the caller promises the rest.
            (false, _) => unsafe { std::slice::from_raw_parts(numbers, count) },
        };
        let communicator = communicator.as_ref().map(|communicator| &communicator.0);
        handle::give(GatherScatter {
            all: runtime::GatherScatter::new(&device, communicator, numbers)?,
            exchange: Mutex::default(),
        })
    })
}

/// Another reference.
///
/// # Safety
/// `all` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather_scatter_retain(
    all: *mut GatherScatter,
) -> *mut GatherScatter {
    handle::retained(all)
}

/// Gives a reference up.
///
/// # Safety
/// `all` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather_scatter_release(all: *mut GatherScatter) {
    handle::released(all);
}

/// Gives entries of the same number what is made of all of them.
///
/// # Safety
/// `all` and `memory` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather_scatter_run(
    all: *const GatherScatter,
    memory: *const Memory,
    fields: usize,
    number: c_int,
) -> c_int {
    status(|| {
        let (all, memory) = (handle::get(all)?, handle::get(memory)?);
        all.all.run(&memory.0, fields, reduction(number)?)
    })
}

/// Begins the same.
///
/// # Safety
/// `all` and `memory` are null or live handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather_scatter_begin(
    all: *const GatherScatter,
    memory: *const Memory,
    fields: usize,
    number: c_int,
) -> c_int {
    status(|| {
        let (all, memory) = (handle::get(all)?, handle::get(memory)?);
        let mut exchange = all.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        if exchange.is_some() {
            return Err(invalid("an exchange has begun, and is not finished"));
        }
        *exchange = Some(all.all.begin(&memory.0, fields, reduction(number)?)?);
        Ok(())
    })
}

/// Finishes it.
///
/// # Safety
/// `all` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather_scatter_finish(all: *const GatherScatter) -> c_int {
    status(|| {
        let all = handle::get(all)?;
        let exchange = all.exchange.lock();
        let exchange = exchange.unwrap_or_else(PoisonError::into_inner).take();
        match exchange {
            Some(exchange) => exchange.finish(),
            None => Err(invalid("no exchange has begun")),
        }
    })
}
