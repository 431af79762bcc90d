//! The runtime as Rust programs use it, on every device there is: `MODULE::TEST::DEVICE`.
//!
//! - `memory`: typed memory, parts, copies, arguments
//! - `queues`: queues, events, asynchronous copies and launches, pinned memory
//! - `sequences`: launches that are recorded and replayed
//! - `foreign`: memory of others, native handles
//! - `native`: programs in a device's own language
//! - `pools`: memory that is kept
//! - `packages`: what is compiled ahead of time
//! - `pages`: what pages show of the library
//! - `streams`: streams of a type
//! - `threads`: many at once, and several devices
//! - `faults`: what goes wrong, done for real
//! - `alone`: what needs a process of its own
//!
//! `BROOK_BUILDS=N` builds more or fewer programs than usual in the tests of growth.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, and speaks that way"
)]

mod alone;
mod counting;
mod faults;
mod foreign;
mod fused_reductions;
mod fused_sequences;
mod memory;
mod native;
mod packages;
mod pages;
mod pools;
mod queues;
mod sequences;
mod sets;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod threads;

use brook::Source;
use brook::runtime::{BuildOptions, Device, Program};
use libtest_mimic::Failed;
use support::columns::columns;

/// One test, for a device.
type Test = (&'static str, fn(&Device));

fn main() {
    support::toolchains::name_nvrtc();
    support::process::opencl_libraries();
    // Between the devices of a set, streams of a few elements are shared out, too.
    // SAFETY: nothing else runs yet.
    unsafe { std::env::set_var("BROOK_SPREAD_BYTES", "1") };
    alone::run_if_asked();
    // Their names begin with their modules.
    support::run(&[("", trials)])
}

fn trials() -> Vec<support::Trial> {
    let tests: Vec<Test> = [
        memory::TESTS,
        queues::TESTS,
        sequences::TESTS,
        foreign::TESTS,
        native::TESTS,
        pools::TESTS,
        packages::TESTS,
        streams::TESTS,
        sets::TESTS,
        threads::TESTS,
        faults::TESTS,
    ]
    .concat();
    let mut trials = alone::trials();
    for column in columns() {
        column.need.announce();
        // Sets share out streams; all else is the first device's, whose column has it.
        let of_sets = ["sets::", "streams::", "threads::"];
        let taken = |name: &str| !column.is_set() || of_sets.iter().any(|m| name.starts_with(m));
        for (name, test) in tests.iter().filter(|(name, _)| taken(name)) {
            let (devices, test) = (column.devices.clone(), *test);
            let name = format!("{name}::{}", column.need.name);
            trials.push(column.need.trial(name, move || {
                let name = devices.first().ok_or("there is no device")?;
                let device = Device::open(name).map_err(|e| Failed::from(e.to_string()))?;
                test(&device);
                Ok(())
            }));
        }
        if !column.is_set() {
            trials.extend(alone::device_trials(&column));
        }
    }
    trials
}

/// Builds a source, not from the cache.
fn build(device: &Device, text: &str) -> Program {
    let options = BuildOptions::new().cache(false);
    device
        .build(Source::new("test.okl", text), &options)
        .unwrap()
}

/// `y = a x + y`, and a kernel that takes its time.
const KERNELS: &str = "
@kernel void axpy(const int n, const float a, const float *x, float *y) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) y[i] += a * x[i];
}
@kernel void linger(const int n, const int steps, const float a, float *y) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
    float x = y[i];
    for (int s = 0; s < steps; ++s) x = a * x + 1.0f;
    y[i] = x;
  }
}
";

/// Items and steps of `linger` that keep a device busy for some ten milliseconds.
fn lingering(device: &Device) -> (usize, i32) {
    match device.info().kind {
        brook::runtime::DeviceKind::Gpu | brook::runtime::DeviceKind::Accelerator => {
            (256, 4_000_000)
        }
        brook::runtime::DeviceKind::Cpu if device.name().starts_with("emulated") => (256, 100),
        brook::runtime::DeviceKind::Cpu => (256, 1_000_000),
    }
}

/// Whether launches on queues return before they have ended.
fn is_asynchronous(device: &Device) -> bool {
    !device.name().starts_with("emulated")
}
