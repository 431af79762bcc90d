//! Saying on standard error what is done, for those who want to know: `BROOK_VERBOSE`, `brook -v`.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable that asks for it.
pub const VERBOSE: &str = "BROOK_VERBOSE";

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on this process says what it does, if `on`; otherwise what the environment asks for stays.
pub fn be_verbose(on: bool) {
    ASKED.fetch_or(on, Ordering::Relaxed);
}

/// Whether anybody wants to know.
pub fn is_verbose() -> bool {
    static ENVIRONMENT: OnceLock<bool> = OnceLock::new();
    ASKED.load(Ordering::Relaxed) || *ENVIRONMENT.get_or_init(|| is_switched_on(VERBOSE))
}

/// Whether an environment variable asks for something: it is there, and neither empty nor 0.
pub fn is_switched_on(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|v| !v.is_empty() && v != "0")
}

/// Says it, in a line, if anybody wants to know.
pub fn tell(what: impl FnOnce() -> String) {
    if is_verbose() {
        // Whoever closed it does not want to know.
        let _ = writeln!(std::io::stderr().lock(), "brook: {}", what());
    }
}
