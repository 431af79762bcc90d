//! hiprtc accepts the HIP source of every example and case of OKL, of every second one of Brook+, and of random modules of
//! `tests/properties`. Of those of OKL whose source is CUDA's word for word, which NVRTC accepts, it takes one in three. No GPU is
//! needed.

use crate::properties::modules;
use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::need::Need;
use crate::support::translate::translate;
use brook::runtime::BuildOptions;
use brook_driver::CompileOptions;
use libtest_mimic::Failed;
use std::collections::HashSet;

const ARCHITECTURE: &str = "gfx90a";

/// The tests.
pub fn trials() -> Vec<Trial> {
    let need = Need::new(
        "hiprtc",
        &brook_hip::compiler_version().map_err(|e| e.message),
    );
    need.announce();
    let (brook, okl): (Vec<_>, Vec<_>) = cases::accepted_by("hip")
        .into_iter()
        .partition(|case| case.relative.ends_with(".br"));
    let anyway: HashSet<String> = cases::one_in(3, 0, okl.clone())
        .into_iter()
        .map(|case| case.name)
        .collect();
    // What is made of Brook+ is CUDA's text but for the prelude.
    let all = okl.into_iter().chain(cases::one_in(2, 0, brook));
    let trials = all.map(|case| {
        let anyway = case.relative.ends_with(".br") || anyway.contains(&case.name);
        need.trial(format!("hiprtc::{}", case.name), move || {
            let (translation, math) = translate(&case, "hip")?;
            if !anyway && is_cudas(&translation.device, &case) {
                return Ok(());
            }
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
    let packages = need.trial("packages".to_string(), packages);
    trials.chain(modules).chain([packages]).collect()
}

/// Whether a case's source is CUDA's, but for the line that names the backend, and the header.
fn is_cudas(hip: &str, case: &Case) -> bool {
    const HEADER: &str = "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n";
    let body = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_string());
    let own = body(hip).and_then(|text| Some(text.strip_prefix(HEADER)?.to_string()));
    let cuda = translate(case, "cuda").ok();
    own.is_some() && own == cuda.and_then(|(cuda, _)| body(&cuda.device))
}

/// `brook compile` makes a code object; no GPU is asked.
fn packages() -> Result<(), Failed> {
    let source = std::fs::read(cases::root().join("tests/data/package/steps.okl"))?;
    let source = brook::Source::new("steps.okl", source);
    let targets = [
        format!("hip:{ARCHITECTURE}"),
        format!("hip:{ARCHITECTURE}:xnack+"),
    ];
    let package = brook::Package::compile(&source, &targets, &BuildOptions::new())
        .map_err(|e| e.to_string())?;
    let program = package.program("steps.okl").map_err(|e| e.to_string())?;
    for (image, target) in program.images().zip(&targets) {
        assert_eq!(
            (image.target(), image.format()),
            (target.as_str(), "code object")
        );
        assert!(image.bytes().starts_with(b"\x7fELF"));
        // AMDGPU.
        assert_eq!(image.bytes()[18..20], [224, 0]);
    }
    let unknown = brook::Package::compile(&source, &["hip:gfx1"], &BuildOptions::new());
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .contains("no architecture of AMD's")
    );
    Ok(())
}
