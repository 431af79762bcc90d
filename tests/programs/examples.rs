//! The examples in Rust, which check their results themselves.

#![allow(
    dead_code,
    reason = "what examples start with is called here instead of main"
)]

use crate::support::Trial;
use crate::support::need::Need;
use crate::support::toolchains::host_compiler;

#[path = "../../examples/axpy.rs"]
mod axpy;
#[path = "../../examples/block_sums.rs"]
mod block_sums;
#[path = "../../examples/queues.rs"]
mod queues;
#[path = "../../examples/streams.rs"]
mod streams;

type Example = fn() -> Result<(), brook::runtime::Error>;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    cxx.announce();
    let all: [(&str, Example); 4] = [
        ("axpy", axpy::main),
        // It is for CUDA and HIP, and measures: few numbers, once, are enough to see that both ways agree.
        ("block_sums", || {
            block_sums::measured(&brook::Device::open("emulated-cuda:0")?, 1, 1)
        }),
        ("queues", queues::main),
        ("streams", streams::main),
    ];
    { all.into_iter() }
        .map(|(name, run)| {
            cxx.trial(name.to_string(), move || {
                Ok(run().map_err(|e| e.to_string())?)
            })
        })
        .collect()
}
