//! Ownership of OpenCL's reference-counted objects.

use brook_driver::Process;
use cl3::types::cl_int;
use std::ffi::c_void;

type Release = unsafe fn(*mut c_void) -> Result<(), cl_int>;

/// One reference to an OpenCL object, released when dropped.
///
/// The `opencl3` crate has owners too, but theirs panic when a release fails, as it may when a
/// vendor's library has already shut down at the end of the process.
pub(crate) struct Handle {
    raw: *mut c_void,
    release: Release,
    process: Process,
}

// SAFETY: every OpenCL call is thread-safe except `clSetKernelArg` on one kernel object (OpenCL 1.2,
// appendix A.2), which the lock in `program` serialises.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    /// Takes over the reference that a creating call returned.
    ///
    /// # Safety
    /// `raw` is a live object of the kind that `release` releases, and this reference to it is
    /// nobody else's.
    pub(crate) unsafe fn new(raw: *mut c_void, release: Release) -> Self {
        Self {
            raw,
            release,
            process: Process::current(),
        }
    }

    /// The object, live as long as `self`.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // A child that was forked has the objects, but not the vendor's threads that would free them.
        if !self.process.is_current() {
            return;
        }
        // SAFETY: the reference is this value's own, by the contract of `new`. A failure leaves
        // nothing to do.
        let _ = unsafe { (self.release)(self.raw) };
    }
}
