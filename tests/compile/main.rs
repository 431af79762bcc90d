//! What compilers say of generated text, and make of it; no device is needed.
//!
//! - `compile_cuda`: NVRTC, and the instructions it makes
//! - `compile_hip`: hiprtc
//! - `compile_host`: C++ compilers without a warning, and clang for OpenCL C
//! - `compilers`: known faults of C++ compilers
//! - `vectorised`: GCC's report on loops
//!
//! OpenCL is not used in this process: distributions link hiprtc and PoCL with one LLVM, which ends a process that uses
//! both.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod compile_cuda;
mod compile_hip;
mod compile_host;
mod compilers;
#[allow(dead_code, reason = "they are compiled only")]
#[path = "../properties/mod.rs"]
mod properties;
#[path = "../support/mod.rs"]
mod support;
mod vectorised;

fn main() {
    compilers::run_if_asked();
    support::toolchains::name_nvrtc();
    support::run(&[
        ("compile_cuda", compile_cuda::trials),
        ("compile_hip", compile_hip::trials),
        ("compile_host", compile_host::trials),
        ("compilers", compilers::trials),
        ("vectorised", vectorised::trials),
    ])
}
