//! Compilers and headers that only tests look for.

use super::cases::root;
use brook_driver::find_program;
use std::path::{Path, PathBuf};

/// The system's C++ compiler.
pub fn host_compiler() -> Result<PathBuf, String> {
    let named = ["BROOK_CXX", "CXX"]
        .into_iter()
        .filter_map(|v| std::env::var(v).ok());
    let mut names = named.chain(["g++", "clang++"].map(str::to_string));
    names
        .find_map(|name| find_program(name.trim()))
        .ok_or_else(|| "no C++ compiler (g++, clang++) found".to_string())
}

/// The second C++ compiler, which knows OpenCL C too.
pub fn clang() -> Result<PathBuf, String> {
    let mut names = ["clang".to_string()]
        .into_iter()
        .chain((14..25).rev().map(|n| format!("clang-{n}")));
    names
        .find_map(|name| find_program(&name))
        .ok_or_else(|| "no clang found".to_string())
}

/// The wheels of NVIDIA's compiler in the project's own environment.
fn wheels() -> Option<PathBuf> {
    let python = std::fs::read_dir(root().join(".venv/lib")).ok()?.flatten();
    python
        .map(|d| d.path().join("site-packages/nvidia/cu13"))
        .find(|d| d.is_dir())
}

/// Names NVRTC for this process, if it is in the project's environment and nothing else was named.
/// To be called before any thread starts.
pub fn name_nvrtc() {
    if std::env::var_os("BROOK_NVRTC").is_some_and(|v| !v.is_empty()) {
        return;
    }
    let library = wheels()
        .map(|d| d.join("lib/libnvrtc.so.13"))
        .filter(|p| p.is_file());
    if let Some(library) = library {
        // SAFETY: no other thread runs yet.
        unsafe { std::env::set_var("BROOK_NVRTC", library) };
    }
}

/// The folder that holds a header: one of `folders`, or the compiler's own, which needs no name.
fn folder_of(header: &str, folders: &[PathBuf]) -> Result<Option<PathBuf>, String> {
    if let Some(folder) = folders.iter().find(|d| d.join(header).is_file()) {
        return Ok(Some(folder.clone()));
    }
    let usual = ["/usr/include", "/usr/local/include"];
    match usual.iter().any(|d| Path::new(d).join(header).is_file()) {
        true => Ok(None),
        false => Err(format!("no header {header}")),
    }
}

/// The folder of DPC++'s runtime.
pub fn sycl() -> Option<PathBuf> {
    let named = std::env::var_os("BROOK_SYCL").filter(|v| !v.is_empty());
    named.map(PathBuf::from)
}

/// A compiler of SYCL that takes the place of DPC++'s runtime.
pub fn sycl_compiler() -> bool {
    std::env::var_os("BROOK_SYCL_COMPILER").is_some_and(|v| !v.is_empty())
}

/// What launchers include, by backend: the folder to be named to the compiler, if any.
pub fn launcher_headers(backend: &str) -> Result<Option<PathBuf>, String> {
    match backend {
        "cuda" => {
            let beside = std::env::var_os("BROOK_NVRTC").map(PathBuf::from);
            let beside = beside.and_then(|p| Some(p.parent()?.parent()?.join("include")));
            let wheels = wheels().map(|d| d.join("include"));
            let toolkit = Some(PathBuf::from("/usr/local/cuda/include"));
            let folders: Vec<PathBuf> = [beside, wheels, toolkit].into_iter().flatten().collect();
            folder_of("cuda.h", &folders)
        }
        "hip" => folder_of(
            "hip/hip_runtime_api.h",
            &[PathBuf::from("/opt/rocm/include")],
        ),
        "opencl" => folder_of("CL/cl.h", &[]),
        "metal" => {
            let folder = root().join("tests/support/emulation/include/metal_shim");
            folder_of("Metal/Metal.hpp", &[folder])
        }
        "sycl" => {
            let folders: Vec<PathBuf> = sycl().map(|s| s.join("include")).into_iter().collect();
            folder_of("sycl/sycl.hpp", &folders)
        }
        other => Err(format!("backend '{other}' has no launcher")),
    }
}

/// Whether the command finds an OpenCL device, and there is a compiler for host programs.
pub fn opencl_device() -> Result<(), String> {
    let output = super::process::brook()
        .arg("devices")
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match text.lines().any(|l| l.starts_with("opencl:0")) {
        true => host_compiler().map(|_| ()),
        false => Err("no OpenCL device".to_string()),
    }
}
