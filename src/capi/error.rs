use crate::runtime::Error;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `brook_last_error_code` says of a defect of this library.
const INTERNAL: c_int = 4;

#[derive(Default)]
struct Last {
    message: CString,
    code: c_int,
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::default();
}

/// Runs the body of a C function. An error becomes the thread's last error and the result is
/// `failed`; so does a panic, which must not unwind into C.
pub(super) fn guard<R>(failed: R, body: impl FnOnce() -> Result<R, Error>) -> R {
    let (message, code) = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(result)) => return result,
        Ok(Err(error)) => (error.to_string(), error.exit_code()),
        Err(panic) => {
            let what = panic.downcast_ref::<&str>().copied().map(str::to_string);
            let what = what.or_else(|| panic.downcast_ref::<String>().cloned());
            (
                format!("internal error: {}", what.unwrap_or_default()),
                INTERNAL,
            )
        }
    };
    let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    LAST.with_borrow_mut(|last| *last = Last { message, code });
    failed
}

/// As [`guard`], for functions whose result is a status.
pub(super) fn status(body: impl FnOnce() -> Result<(), Error>) -> c_int {
    let done = guard(false, || body().map(|()| true));
    if done { 0 } else { brook_last_error_code() }
}

/// The message of this thread's last failure.
#[unsafe(no_mangle)]
pub extern "C" fn brook_last_error() -> *const c_char {
    // The string stays where it is until this thread fails again.
    LAST.with_borrow(|last| CStr::as_ptr(&last.message))
}

/// The code of this thread's last failure; 0 if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn brook_last_error_code() -> c_int {
    LAST.with_borrow(|last| last.code)
}
