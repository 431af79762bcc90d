//! What the test binaries share.
//!
//! - `need`: tests whose toolchain may be missing
//! - `cases`: which examples and cases there are
//! - `columns`: the devices they run on
//! - `markdown`: blocks of code in pages
//! - `mpi`: what starts jobs of several processes
//! - `values`: arguments of kernels, filled and compared
//! - `reference`: a case's host expectation, compiled and called
//! - `streams`: the same for Brook+ kernels
//! - `process`: commands with a time limit
//! - `toolchains`: compilers that only tests look for
//! - `translate`: translations of cases
//! - `trial`: tests by module, and the run of them
//! - `trusted`: launches of kernels whose text the tests know
#![allow(dead_code, reason = "every test binary uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail, and speak, that way"
)]

pub mod cases;
pub mod columns;
pub mod joined_reads;
pub mod kept;
pub mod markdown;
pub mod mpi;
pub mod need;
pub mod process;
pub mod ptx;
pub mod reference;
pub mod streams;
pub mod toolchains;
pub mod translate;
pub mod trial;
pub mod trusted;
pub mod values;

pub use trial::{Trial, run};

/// Whether this is `scripts/test quick`, which has no time for everything.
pub fn quick() -> bool {
    std::env::var_os("BROOK_QUICK").is_some()
}

/// Whether no case is left out because another test sees nearly the same: `BROOK_EVERY_CASE`.
pub fn every_case() -> bool {
    std::env::var_os("BROOK_EVERY_CASE").is_some()
}

/// Of the cases that are looked at for all backends each for half of these; every sixteenth for one of them in a quick run; and
/// all by [`every_case`]. The case's number decides.
pub fn in_this_run(number: usize, backend: &str) -> bool {
    let all = translate::BACKENDS;
    if every_case() {
        return true;
    }
    let at = all.iter().position(|b| *b == backend).unwrap_or_default();
    match quick() {
        true => number.is_multiple_of(16) && at == number / 16 % all.len(),
        false => number % 2 == at % 2,
    }
}
