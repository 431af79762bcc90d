//! NVRTC accepts the CUDA source of every example and case, and makes the instructions of it that some
//! functions are there for. No GPU is needed.

mod support;

use brook::backend::Backend;
use brook::source::FileLoader;
use brook::{Options, Source};
use brook_driver::CompileOptions;
use libtest_mimic::{Failed, Trial};
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
    let mut trials: Vec<Trial> = cases::accepted_by("cuda")
        .into_iter()
        .map(|case| {
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
        })
        .collect();
    for ty in ["int", "unsigned int", "long", "float", "double"] {
        let name = format!("ptx::reduction_by_shuffles::{}", ty.replace(' ', "_"));
        trials.push(need.trial(name, move || reduction_by_shuffles(ty)));
    }
    for (architecture, asynchronous) in [("sm_75", false), ("sm_80", true), ("sm_90", true)] {
        trials.push(need.trial(format!("ptx::copies::{architecture}"), move || {
            copies(architecture, asynchronous)
        }));
    }
    support::run(trials)
}

/// A block's sum takes the warps' shuffles, and waits once for all of them.
fn reduction_by_shuffles(ty: &str) -> Result<(), Failed> {
    let source = format!(
        "@kernel void sums(const {ty} *x, {ty} *y) {{
           @outer for (int g = 0; g < 16; ++g) {{
             @inner for (int i = 0; i < 256; ++i) {{
               const {ty} sum = work_group_reduce_add(x[g * 256 + i]);
               if (i == 0) y[g] = sum;
             }}
           }}
         }}"
    );
    let text = ptx(&source, "sm_80")?;
    let shuffles = text.matches("shfl.sync").count();
    // Two words of a value are shuffled one by one; a warp of 32 has five steps.
    let words = if ["long", "double"].contains(&ty) {
        2
    } else {
        1
    };
    if shuffles != 5 * words {
        return Err(format!("{shuffles} shuffles, not {}:\n{text}", 5 * words).into());
    }
    match text.matches("bar.sync").count() {
        1 => Ok(()),
        n => Err(format!("{n} barriers, not one:\n{text}").into()),
    }
}

fn copies(architecture: &str, asynchronous: bool) -> Result<(), Failed> {
    let source = "
        @kernel void copies(const float *x, float *y) {
          @outer for (int g = 0; g < 16; ++g) {
            @shared float stage[256];
            @inner for (int i = 0; i < 64; ++i) {
              okl_memcpy_async(&stage[4 * i], x + 256 * g + 4 * i, 16);
              okl_pipeline_commit();
              okl_pipeline_wait_prior(0);
            }
            @inner for (int i = 0; i < 64; ++i) y[g * 64 + i] = stage[255 - i];
          }
        }";
    let text = ptx(source, architecture)?;
    let parts = [
        "cp.async.cg.shared.global",
        "cp.async.commit_group",
        "cp.async.wait_group",
    ];
    for part in parts {
        if text.contains(part) != asynchronous {
            let has = if asynchronous { "has no" } else { "has" };
            return Err(format!("the PTX for {architecture} {has} {part}:\n{text}").into());
        }
    }
    Ok(())
}

/// OKL as CUDA, and that as PTX.
fn ptx(source: &str, architecture: &str) -> Result<String, Failed> {
    let backend = Backend::built_in("cuda").map_err(|e| e.to_string())?;
    let source = Source::new("ptx.okl", source);
    let translation = brook::transpile(&source, &backend, &Options::default(), &FileLoader)
        .map_err(|report| report.to_string())?;
    let options = CompileOptions::default();
    Ok(
        brook_cuda::compile_to_ptx(&translation.device, architecture, &options)
            .map_err(|e| e.to_string())?,
    )
}
