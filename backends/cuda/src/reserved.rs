//! Memory whose addresses are all there from the beginning, and whose bytes as far as somebody asked for them: CUDA's virtual
//! memory management.

use crate::session::Session;
use crate::status::check;
use brook_driver::{Committed, Result};
use cudarc::driver::result::device;
use cudarc::driver::sys::{
    self, CUdevice_attribute_enum as Attribute, CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc,
    CUmemAllocationGranularity_flags, CUmemAllocationHandleType, CUmemAllocationProp,
    CUmemAllocationProp_st__bindgen_ty_1, CUmemAllocationType, CUmemLocation, CUmemLocationType,
};
use std::ops::Range;
use std::ptr;
use std::sync::Arc;

/// So many bytes on both sides of what somebody asked for are there, too: wide loads reach as far, though nobody looks at what
/// they find.
const MARGIN: usize = 4096;

pub(crate) struct Reserved {
    session: Arc<Session>,
    address: CUdeviceptr,
    /// A multiple of the granule.
    bytes: usize,
    /// What has memory, as it was mapped.
    mapped: Committed,
}

impl Reserved {
    /// Addresses for at least so many bytes; `None` where the device cannot have them without memory.
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Option<Self>> {
        if !is_supported(&session) {
            return Ok(None);
        }
        session.enter()?;
        let what = format!("reserving addresses for {bytes} bytes of CUDA memory");
        let property = memory_of(session.ordinal());
        let least = CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
        let mut granule = 0;
        // SAFETY: the answer is an integer, and the property is only read.
        let status = unsafe {
            sys::cuMemGetAllocationGranularity(&raw mut granule, &raw const property, least)
        };
        check(status.result(), &what)?;
        let granule = granule.max(1);
        let bytes = bytes.next_multiple_of(granule);
        let mut address: CUdeviceptr = 0;
        // SAFETY: the answer is an address; nothing is said of where it should be.
        let status = unsafe { sys::cuMemAddressReserve(&raw mut address, bytes, 0, 0, 0) };
        check(status.result(), &what)?;
        Ok(Some(Self {
            session,
            address,
            bytes,
            mapped: Committed::new(bytes, granule, MARGIN),
        }))
    }

    pub(crate) fn address(&self) -> CUdeviceptr {
        self.address
    }

    /// Sees to it that a range has memory.
    pub(crate) fn commit(&self, range: &Range<usize>) -> Result<()> {
        self.mapped.commit(range, |gap| self.map(gap))
    }

    /// Gives whole granules memory that they do not have.
    fn map(&self, range: &Range<usize>) -> Result<()> {
        let what = format!("allocating {} bytes of CUDA memory", range.len());
        self.session.enter()?;
        let property = memory_of(self.session.ordinal());
        let (at, bytes) = (self.address + range.start as u64, range.len());
        let mut memory = 0;
        // SAFETY: the answer is a handle, and the property is only read.
        let created = unsafe { sys::cuMemCreate(&raw mut memory, bytes, &raw const property, 0) };
        check(created.result(), &what)?;
        // SAFETY: the range lies in what was reserved, and nothing is mapped there.
        let mapped = unsafe { sys::cuMemMap(at, bytes, 0, memory, 0) };
        // SAFETY: it is this function's own; what is mapped keeps the memory.
        let released = unsafe { sys::cuMemRelease(memory) };
        check(mapped.result(), &what)?;
        let access = readers(self.session.ordinal());
        // SAFETY: the range was mapped now, and the list has as many entries.
        let allowed = unsafe { sys::cuMemSetAccess(at, bytes, access.as_ptr(), access.len()) };
        let done = check(allowed.result(), &what).and(check(released.result(), &what));
        done.inspect_err(|_| {
            // SAFETY: mapped above, and used by nobody.
            let _ = unsafe { sys::cuMemUnmap(at, bytes) };
        })
    }
}

impl Drop for Reserved {
    /// Whoever drops it has waited for what uses it.
    fn drop(&mut self) {
        if self.session.enter().is_err() {
            return;
        }
        for range in self.mapped.take() {
            // SAFETY: mapped in `map` as this very range, and unmapped only here.
            let _ = unsafe { sys::cuMemUnmap(self.address + range.start as u64, range.len()) };
        }
        // SAFETY: reserved in `new`; nothing is mapped there any more.
        let _ = unsafe { sys::cuMemAddressFree(self.address, self.bytes) };
    }
}

fn is_supported(session: &Session) -> bool {
    let asked = Attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    // SAFETY: the device is one that was opened.
    unsafe { device::get_attribute(session.ordinal(), asked) }.is_ok_and(|answer| answer != 0)
}

/// Memory of a device, without anything else that there might be to it.
fn memory_of(ordinal: i32) -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: place(ordinal),
        requestedHandleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        win32HandleMetaData: ptr::null_mut(),
        allocFlags: CUmemAllocationProp_st__bindgen_ty_1 {
            compressionType: 0,
            gpuDirectRDMACapable: 0,
            usage: 0,
            reserved: [0; 4],
        },
    }
}

fn place(ordinal: i32) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: ordinal,
    }
}

/// The device, and all that can reach its memory themselves: unlike other memory's, that is not said by context.
fn readers(ordinal: i32) -> Vec<CUmemAccessDesc> {
    let all = 0..device::get_count().unwrap_or(0);
    let reaches = |other: &i32| {
        let mut can = 0;
        // SAFETY: the answer is an integer; devices are their numbers, and both are there.
        let asked = unsafe { sys::cuDeviceCanAccessPeer(&raw mut can, *other, ordinal) };
        asked.result().is_ok() && can != 0
    };
    let access = all.filter(|other| *other == ordinal || reaches(other));
    let access = access.map(|other| CUmemAccessDesc {
        location: place(other),
        flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    });
    access.collect()
}
