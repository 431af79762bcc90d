//! hipcc: HIP source to a code object by a process of its own, for machines without hiprtc, and for processes that must
//! not load it.

use crate::{hiprtc, sys};
use brook_driver::{
    CompileOptions, Error, ErrorKind, Result, ScratchDirectory, find_program, run_compiler,
};
use std::path::PathBuf;
use std::process::Command;

/// On `PATH`, else in ROCm's own directory.
pub(crate) fn find() -> Option<PathBuf> {
    let own = sys::rocm().into_iter().map(|root| root.join("bin/hipcc"));
    find_program("hipcc").or_else(|| own.into_iter().find(|path| path.is_file()))
}

/// The code object, and what to call the compiler.
pub(crate) fn compile(
    hipcc: &PathBuf,
    source: &str,
    architecture: &str,
    options: &CompileOptions,
) -> Result<(Vec<u8>, String)> {
    let scratch = ScratchDirectory::new()?;
    let failed = |e: std::io::Error| {
        let message = format!("cannot use {}: {e}", scratch.path().display());
        Error::new(ErrorKind::Compile, message)
    };
    let (input, output) = (
        scratch.path().join("kernel.hip"),
        scratch.path().join("kernel.co"),
    );
    std::fs::write(&input, source).map_err(failed)?;
    let mut command = Command::new(hipcc);
    // Where NVIDIA's toolkit is installed, too, hipcc would be for that.
    command
        .env("HIP_PLATFORM", "amd")
        .args(["--genco", "-x", "hip"]);
    command.args(hiprtc::flags(architecture, options));
    command.arg("-o").arg(&output).arg(&input);
    run_compiler(&mut command).map_err(|mut error| {
        let directory = format!("{}/", scratch.path().display());
        error.log = error.log.map(|log| log.replace(&directory, ""));
        error
    })?;
    let bytes = std::fs::read(&output).map_err(failed)?;
    Ok((bytes, format!("hipcc ({})", hipcc.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_its_own_makes_code_objects() {
        let Some(hipcc) = find() else { return };
        let compile = |body: &str| {
            let source = format!(
                "#include <hip/hip_runtime.h>\n\
                 extern \"C\" __global__ void k(int *a) {{ a[threadIdx.x] = {body}; }}\n"
            );
            compile(&hipcc, &source, "gfx90a", &CompileOptions::default())
        };
        let (bytes, name) = compile("1").unwrap();
        assert!(bytes.starts_with(b"__CLANG_OFFLOAD_BUNDLE__"));
        assert!(name.starts_with("hipcc ("), "{name}");
        let error = compile("nowhere_declared").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Compile);
        let log = error.log.unwrap();
        assert!(log.contains("kernel.hip:2:"), "{log}");
    }
}
