//! A process that would end with status 0, though something went wrong that nobody asked for, ends with the error's
//! exit code.

use super::fault;
use crate::runtime;
use std::ffi::c_int;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use std::ffi::c_void;
use std::io::Write;
use std::sync::atomic::{AtomicI32, Ordering};

/// The exit code of the first error that was printed instead of being asked for.
static UNASKED: AtomicI32 = AtomicI32::new(0);

/// Nobody has asked for an error of that exit code.
pub(super) fn fail(code: c_int) {
    let _ = UNASKED.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
}

/// What the process ends with instead of `status`, if it is something else. Prints the errors of streams that live to the
/// end of the process, or beyond it where nobody releases them.
fn after(status: c_int) -> Option<c_int> {
    fault::tell_all();
    report();
    runtime::write_trace();
    let code = match UNASKED.load(Ordering::Relaxed) {
        0 => runtime::sanitizer_status(),
        code => code,
    };
    (status == 0 && code != 0).then_some(code)
}

/// Says what became of calls that waited, where `BROOK_FUSION_REPORT` asks for it.
fn report() {
    if runtime::is_switched_on("BROOK_FUSION_REPORT") {
        // Whoever closed it does not want to know.
        let _ = std::io::stderr().write_all(runtime::fusion_report().as_bytes());
    }
}

/// Runs behind all that the program itself has put off until its end, such as the destructors of its variables: handlers
/// are called in the reverse order, and the library is there before the program begins.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
extern "C" fn at_exit(status: c_int, _: *mut c_void) {
    unsafe extern "C" {
        fn exit(status: c_int) -> !;
    }
    if let Some(code) = after(status) {
        // SAFETY: in this C library a handler may call it; the handlers that are left are called, and what is
        // buffered is written, with the new status.
        unsafe { exit(code) }
    }
}

/// Elsewhere a handler learns nothing of the status, and must not begin again.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
extern "C" fn at_exit() {
    unsafe extern "C" {
        fn fflush(stream: *mut std::ffi::c_void) -> c_int;
        fn _exit(status: c_int) -> !;
    }
    if let Some(code) = after(0) {
        // SAFETY: null means all that is buffered; the process ends here.
        unsafe {
            fflush(std::ptr::null_mut());
            _exit(code)
        }
    }
}

extern "C" fn register() {
    runtime::announce_sanitizer();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
        }
        // SAFETY: the library is not unloaded before the process ends: see `build.rs`.
        let _ = unsafe { on_exit(at_exit, std::ptr::null_mut()) };
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    {
        unsafe extern "C" {
            fn atexit(handler: extern "C" fn()) -> c_int;
        }
        // SAFETY: the handler takes and returns nothing.
        let _ = unsafe { atexit(at_exit) };
    }
}

/// Called when the library is loaded. Not in this crate's own tests, which leave errors behind on purpose.
#[cfg(not(test))]
#[used]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(
    all(unix, not(target_vendor = "apple")),
    unsafe(link_section = ".init_array")
)]
static REGISTER: extern "C" fn() = register;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_success_becomes_something_else() {
        // Of the whole process, which other tests add to.
        fail(3);
        let code = UNASKED.load(Ordering::Relaxed);
        assert_ne!(code, 0);
        assert_eq!(after(7), None);
        assert_eq!(after(0), Some(code));
        let _ = register;
    }
}
