use super::fault::Fault;
use crate::runtime::Error;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

/// What `brook_last_error_code` says of a defect of this library.
const INTERNAL: c_int = 4;

#[derive(Default)]
struct Last {
    message: CString,
    code: c_int,
    /// The same error, where it stays with a stream.
    fault: Weak<Fault>,
    /// The same, where no stream has it.
    held: Option<Arc<Fault>>,
}

impl Last {
    fn tell(&self) {
        if let Some(fault) = self.fault.upgrade() {
            fault.tell();
        }
    }
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
    let before = LAST.with_borrow_mut(|last| {
        // Kept by `keep` a moment ago, if it is about the same error.
        let fault = last.fault.upgrade();
        let same = fault.is_some_and(|f| f.message().contains(&*message.to_string_lossy()));
        let fault = if same {
            std::mem::take(&mut last.fault)
        } else {
            Weak::new()
        };
        let held = fault.upgrade().and_then(|_| last.held.take());
        let new = Last {
            message,
            code,
            fault,
            held,
        };
        std::mem::replace(last, new)
    });
    // What nobody has asked for is printed.
    drop(before);
    failed
}

/// Connects the error that the current function is about to end with to what stays with a stream:
/// whoever asks for the one knows of the other.
pub(super) fn keep(fault: &Arc<Fault>) {
    LAST.with_borrow_mut(|last| last.fault = Arc::downgrade(fault));
}

/// As [`keep`], for an error that no stream has: it stays with the thread until its next one.
pub(super) fn hold(fault: Arc<Fault>) {
    let before = LAST.with_borrow_mut(|last| {
        last.fault = Arc::downgrade(&fault);
        last.held.replace(fault)
    });
    drop(before);
}

/// As [`guard`], for functions whose result is a status.
pub(super) fn status(body: impl FnOnce() -> Result<(), Error>) -> c_int {
    let done = guard(false, || body().map(|()| true));
    if done {
        0
    } else {
        LAST.with_borrow(|last| last.code)
    }
}

/// The message of this thread's last failure.
#[unsafe(no_mangle)]
pub extern "C" fn brook_last_error() -> *const c_char {
    // The string stays where it is until this thread fails again.
    LAST.with_borrow(|last| {
        last.tell();
        CStr::as_ptr(&last.message)
    })
}

/// The code of this thread's last failure; 0 if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn brook_last_error_code() -> c_int {
    LAST.with_borrow(|last| {
        last.tell();
        last.code
    })
}
