//! Two compilers that cannot live in one process.
//!
//! Distributions build ROCm's compiler library (`libamd_comgr`) with clang inside but LLVM outside, and
//! PoCL with both outside. Loaded together, both clangs register their options with the one LLVM, which
//! then ends the process. AMD's own packages keep LLVM inside and have no such quarrel.

use std::path::Path;

/// Why calling hiprtc now would end the process, if it would. The HIP library is loaded already; its
/// compiler is loaded by the first compilation.
pub(crate) fn before_compiling() -> Option<String> {
    conflict(&std::fs::read_to_string("/proc/self/maps").unwrap_or_default())
}

/// The same for looking at devices, which loads the compiler only where there may be any.
pub(crate) fn before_detecting() -> Option<String> {
    Path::new("/dev/kfd")
        .exists()
        .then(before_compiling)
        .flatten()
}

fn conflict(maps: &str) -> Option<String> {
    let mapped = |library: &str| maps.contains(library);
    let of_distribution = |line: &str| {
        let path = line.split_whitespace().nth(5).unwrap_or_default();
        (path.contains("/libamdhip64.so") || path.contains("/libhiprtc.so"))
            && path.starts_with("/usr/lib")
    };
    let endangered = mapped("/libclang-cpp.so")
        && !mapped("/libamd_comgr.so")
        && maps.lines().any(of_distribution);
    endangered.then(|| {
        "this system's ROCm cannot be used in a process that has loaded PoCL (both bring clang to \
         one LLVM): use another process, or AMD's packages"
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shared_llvm_is_refused() {
        let line = |path: &str| format!("7f00-7f01 r-xp 00000000 fe:00 1  {path}\n");
        let clang = line("/usr/lib/x86_64-linux-gnu/libclang-cpp.so.15");
        let debian = line("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5.2.21153");
        let comgr = line("/usr/lib/x86_64-linux-gnu/libamd_comgr.so.2");
        let amd = line("/opt/rocm-6.0.2/lib/libamdhip64.so.6");
        assert!(conflict(&(clang.clone() + &debian)).is_some());
        for fine in [
            debian.clone(),
            clang.clone() + &amd,
            clang.clone() + &debian + &comgr,
        ] {
            assert_eq!(conflict(&fine), None);
        }
    }
}
