//! NVRTC accepts the CUDA source of every example and case. No GPU is needed.

mod support;

use brook_driver::CompileOptions;
use support::cases;
use support::need::Need;
use support::translate::translate;

const ARCHITECTURE: &str = "sm_90";

fn main() {
    support::toolchains::name_nvrtc();
    let need = Need::new(
        "nvrtc",
        &brook_cuda::compiler_version().map_err(|e| e.message),
    );
    need.announce();
    let trials = cases::accepted_by("cuda").into_iter().map(|case| {
        need.trial(format!("nvrtc::{}", case.name), move || {
            let (translation, math) = translate(&case, "cuda")?;
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            let binary = brook_cuda::compile_only(&translation.device, ARCHITECTURE, &options)
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
