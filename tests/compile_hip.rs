//! hiprtc accepts the HIP source of every example and case. No GPU is needed.
//!
//! A binary of its own: distributions link hiprtc and PoCL with one LLVM, which ends a process that
//! uses both.

mod support;

use brook_driver::CompileOptions;
use support::cases;
use support::need::Need;
use support::translate::translate;

const ARCHITECTURE: &str = "gfx90a";

fn main() {
    let need = Need::new(
        "hiprtc",
        &brook_hip::compiler_version().map_err(|e| e.message),
    );
    need.announce();
    let trials = cases::accepted_by("hip").into_iter().map(|case| {
        need.trial(format!("hiprtc::{}", case.name), move || {
            let (translation, math) = translate(&case, "hip")?;
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            let binary = brook_hip::compile_only(&translation.device, ARCHITECTURE, &options)
                .map_err(|e| e.to_string())?;
            if binary.is_empty() {
                Err("an empty binary".into())
            } else {
                Ok(())
            }
        })
    });
    support::run(trials.collect())
}
