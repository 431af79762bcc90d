//! Memory that is kept for the next who needs some, and host memory for copies.

use super::device::{self, Device};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::memory::{Memory, filled, give, kind};
use crate::runtime;
use brook_driver::HostMemory;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

/// `brook_pool`.
pub struct Pool(runtime::Pool);

/// `brook_pinned`.
pub struct Pinned(Box<dyn HostMemory>);

static POOLS: Table<Pool> = Table::new();
static PINNED: Table<Pinned> = Table::new();

impl Handled for Pool {
    const KIND: usize = 9;

    fn table() -> &'static Table<Self> {
        &POOLS
    }
}

impl Handled for Pinned {
    const KIND: usize = 10;

    fn table() -> &'static Table<Self> {
        &PINNED
    }
}

/// An empty pool.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pool_create(device: *const Device) -> *mut Pool {
    guard(null_mut(), || {
        handle::give(Pool(device::opened(device)?.pool()))
    })
}

/// Another reference.
///
/// # Safety
/// `pool` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pool_retain(pool: *mut Pool) -> *mut Pool {
    handle::retained(pool)
}

/// Gives a reference up.
///
/// # Safety
/// `pool` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pool_release(pool: *mut Pool) {
    handle::released(pool);
}

/// Memory of the pool.
///
/// # Safety
/// `pool` is null or a live handle; `from` is null or points to `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pool_memory(
    pool: *const Pool,
    type_: c_int,
    width: c_uint,
    count: usize,
    from: *const c_void,
) -> *mut Memory {
    guard(null_mut(), || {
        let (pool, kind) = (handle::get(pool)?, kind(type_, width)?);
        let (zeros, room) = (
            || pool.0.zeros_of(kind, count),
            || pool.0.room_for(kind, count),
        );
        // SAFETY: as the caller promises.
        give(unsafe { filled(from, zeros, room) }?)
    })
}

/// Bytes in use, and bytes that are kept.
///
/// # Safety
/// `pool` is null or a live handle; `used` and `idle` are null or point to numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pool_bytes(
    pool: *const Pool,
    used: *mut usize,
    idle: *mut usize,
) -> c_int {
    status(|| {
        let pool = handle::get(pool)?;
        if !used.is_null() {
            // SAFETY: not null, so it points to a number.
            unsafe { *used = pool.0.used_bytes() };
        }
        if !idle.is_null() {
            // SAFETY: as above.
            unsafe { *idle = pool.0.idle_bytes() };
        }
        Ok(())
    })
}

/// Gives what nobody uses back to the device.
///
/// # Safety
/// `pool` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pool_trim(pool: *const Pool) -> c_int {
    status(|| {
        handle::get(pool)?.0.trim();
        Ok(())
    })
}

/// Host memory that the device copies from and to without a detour, filled with zeros.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pinned_create(device: *const Device, bytes: usize) -> *mut Pinned {
    guard(null_mut(), || {
        let device = device::opened(device)?;
        handle::give(Pinned(device.driver().pinned(bytes)?))
    })
}

/// Where it is.
///
/// # Safety
/// `pinned` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pinned_data(pinned: *const Pinned) -> *mut c_void {
    guard(null_mut(), || Ok(handle::get(pinned)?.0.pointer().cast()))
}

/// Frees it.
///
/// # Safety
/// `pinned` is null or a live handle, which the caller gives up; no copy uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_pinned_release(pinned: *mut Pinned) {
    handle::released(pinned);
}
