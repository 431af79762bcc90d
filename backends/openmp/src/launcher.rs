//! Calls of what shared objects export.

use crate::turn::turn;
use brook_driver::{Error, ErrorKind, Process, Result};
use std::ffi::c_void;
use std::sync::OnceLock;

/// How often idle threads look for work before they sleep: some 50 microseconds.
const SPINS: &str = "5000";

/// The type of `brook_launch_K`: one pointer per parameter, to its value.
pub(crate) type Launcher = unsafe extern "C" fn(*mut *mut c_void);

/// The process that loaded the first kernel, and with it libgomp.
///
/// Lets idle worker threads sleep, unless the user decided otherwise: between launches the host program wants its cores
/// back. They spin for a moment before, since waking them is most of a small launch: GCC's count some 100 a microsecond, or
/// fewer where its threads outnumber the processors. libgomp reads the variables once, when it is first loaded.
pub(crate) fn first_process() -> Process {
    static FIRST: OnceLock<Process> = OnceLock::new();
    *FIRST.get_or_init(|| {
        if std::env::var_os("OMP_WAIT_POLICY").is_none() {
            let spins = std::env::var_os("GOMP_SPINCOUNT").unwrap_or(SPINS.into());
            // SAFETY: another thread calling C's `getenv` at this very moment would race. There is
            // no other way to tell libgomp; it happens once, before the first kernel is loaded, and
            // a host program that cannot accept it sets the first variable itself.
            unsafe {
                std::env::set_var("OMP_WAIT_POLICY", "passive");
                std::env::set_var("GOMP_SPINCOUNT", spins);
            }
        }
        Process::current()
    })
}

/// Calls a launcher in its turn.
///
/// # Safety
/// `pointers` are to the arguments of the launcher's kernel, in their order.
pub(crate) unsafe fn call(launcher: Launcher, pointers: &mut [*mut c_void]) -> Result<()> {
    let _turn = turn();
    if first_process().is_current() {
        // SAFETY: by this function's contract.
        unsafe { launcher(pointers.as_mut_ptr()) };
        return Ok(());
    }
    // libgomp's threads stayed with the parent, and a thread that had some waits for them without an
    // end. A new thread gets new ones.
    let pointers = Pointers(pointers.as_mut_ptr());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
            let pointers = pointers;
            // SAFETY: by this function's contract; the caller waits.
            unsafe { launcher(pointers.0) };
        });
        match thread {
            Ok(_) => Ok(()),
            Err(e) => Err(Error::new(
                ErrorKind::Device,
                format!("cannot start a thread in this forked process: {e}"),
            )),
        }
    })
}

struct Pointers(*mut *mut c_void);

// SAFETY: the thread that they are sent to has them to itself.
unsafe impl Send for Pointers {}
