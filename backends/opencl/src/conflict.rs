//! A compiler that PoCL cannot live with in one process.
//!
//! Distributions build ROCm's compiler library (`libamd_comgr`) with clang inside but LLVM outside, and
//! PoCL with both outside. Loaded together, both clangs register their options with the one LLVM, which
//! then ends the process. `brook-hip` guards the other order.

use std::fs;
use std::path::Path;

/// Why listing the platforms, which loads all vendors' libraries, would end the process, if it would.
pub(crate) fn before_detecting() -> Option<String> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    (endangered(&maps) && has_pocl(Path::new("/etc/OpenCL/vendors"))).then(|| {
        "PoCL cannot be loaded into a process that has used this system's ROCm (both bring clang to \
         one LLVM): use another process"
            .to_string()
    })
}

fn endangered(maps: &str) -> bool {
    let mapped = |library: &str| maps.contains(library);
    mapped("/libamd_comgr.so") && mapped("/libLLVM") && !mapped("/libclang-cpp.so")
}

/// Whether PoCL is among the vendors: each has a file that holds its library's name.
fn has_pocl(vendors: &Path) -> bool {
    let files = fs::read_dir(vendors).into_iter().flatten().flatten();
    files
        .filter_map(|file| fs::read_to_string(file.path()).ok())
        .any(|library| library.to_lowercase().contains("pocl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shared_llvm_is_refused() {
        let comgr = "r-xp /usr/lib/x86_64-linux-gnu/libamd_comgr.so.2\n";
        let llvm = "r-xp /usr/lib/x86_64-linux-gnu/libLLVM-15.so.1\n";
        let clang = "r-xp /usr/lib/x86_64-linux-gnu/libclang-cpp.so.15\n";
        assert!(endangered(&[comgr, llvm].concat()));
        for fine in ["", comgr, llvm, &[comgr, llvm, clang].concat()] {
            assert!(!endangered(fine));
        }
        assert!(!has_pocl(Path::new("/nonexistent")));
    }
}
