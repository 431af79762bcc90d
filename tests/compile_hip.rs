//! hiprtc accepts the HIP source of every example and case, and of random modules of `tests/properties`. No GPU is
//! needed.
//!
//! A binary of its own: distributions link hiprtc and PoCL with one LLVM, which ends a process that
//! uses both.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

#[allow(dead_code, reason = "they are compiled only")]
#[path = "properties/expressions/mod.rs"]
mod expressions;
#[path = "properties/modules.rs"]
mod modules;
#[allow(dead_code, reason = "they are compiled only")]
#[path = "properties/random.rs"]
mod random;
mod support;
#[allow(dead_code, reason = "they are compiled only")]
#[path = "properties/vectors/mod.rs"]
mod vectors;

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
    let modules = modules::modules().into_iter().map(|module| {
        need.trial(format!("hiprtc::{}", module.name), move || {
            let text = module.translated("hip")?;
            let options = CompileOptions::default();
            brook_hip::compile_only(&text, ARCHITECTURE, &options)
                .map_err(|e| module.refused(e))?;
            Ok(())
        })
    });
    support::run(trials.chain(modules).collect())
}
