use super::fault::{Code, Fault, Record};
use crate::runtime::DynStream;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Copies to the host that have not ended yet; one for all parts of a stream. Whoever changes the
/// stream's memory waits for them, and so does its end.
#[derive(Default)]
pub(super) struct Transfers(Mutex<Vec<JoinHandle<()>>>);

/// Host memory of the caller's, who leaves it alone until the copy has ended.
struct Target(*mut c_void);

// SAFETY: the thread that gets it is the only one to use it meanwhile.
unsafe impl Send for Target {}

impl Transfers {
    /// Begins to copy `stream` to `to`. What goes wrong is added to `record`. False if there is no
    /// thread to be had.
    ///
    /// # Safety
    /// There is room for all elements at `to` until [`Transfers::finish`] returns.
    pub(super) unsafe fn begin(
        &self,
        stream: &DynStream,
        to: *mut c_void,
        record: &Arc<Record>,
    ) -> bool {
        let (stream, record, to) = (stream.clone(), Arc::clone(record), Target(to));
        let thread = std::thread::Builder::new().name("brook-write".to_string());
        let started = thread.spawn(move || {
            let to = to;
            // SAFETY: the caller promises the room, and that nobody else uses it.
            let bytes = unsafe { std::slice::from_raw_parts_mut(to.0.cast(), stream.bytes()) };
            if let Err(error) = stream.write(bytes) {
                record.add(&Fault::of(Code::Write, "Stream Write", &error));
            }
        });
        let Ok(thread) = started else { return false };
        self.with(|threads| threads.push(thread));
        true
    }

    fn with<R>(&self, body: impl FnOnce(&mut Vec<JoinHandle<()>>) -> R) -> R {
        body(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether all have ended.
    pub(super) fn are_done(&self) -> bool {
        let done = self.with(|threads| threads.iter().all(JoinHandle::is_finished));
        if done {
            self.finish();
        }
        done
    }

    /// Waits for all of them.
    pub(super) fn finish(&self) {
        for thread in self.with(std::mem::take) {
            // A panic was printed where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Transfers {
    fn drop(&mut self) {
        self.finish();
    }
}
