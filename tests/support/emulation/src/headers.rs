//! The headers of `include/`, carried along: a device works wherever the program that uses it
//! is started.

use brook_driver::{Error, ErrorKind, Result, ScratchDirectory};
use std::fs;
use std::path::Path;

/// Path below the include directory, and text. The shims include the others by relative paths.
const HEADERS: [(&str, &str); 12] = [
    (
        "sycl_shim/sycl/sycl.hpp",
        include_str!("../include/sycl_shim/sycl/sycl.hpp"),
    ),
    (
        "metal_shim/metal_stdlib",
        include_str!("../include/metal_shim/metal_stdlib"),
    ),
    (
        "fibers_host.cpp",
        include_str!("../include/fibers_host.cpp"),
    ),
    ("simt.hpp", include_str!("../include/simt.hpp")),
    (
        "hip_vectors.hpp",
        include_str!("../include/hip_vectors.hpp"),
    ),
    ("half.hpp", include_str!("../include/half.hpp")),
    (
        "hip_on_cuda.hpp",
        include_str!("../include/hip_on_cuda.hpp"),
    ),
    (
        "hip_shim/hip/hip_runtime.h",
        include_str!("../include/hip_shim/hip/hip_runtime.h"),
    ),
    (
        "hip_shim/hip/hip_fp16.h",
        include_str!("../include/hip_shim/hip/hip_fp16.h"),
    ),
    (
        "hip_shim/stdint.h",
        include_str!("../include/hip_shim/stdint.h"),
    ),
    (
        "cuda_shim/cuda_fp16.h",
        include_str!("../include/cuda_shim/cuda_fp16.h"),
    ),
    (
        "cuda_shim/cuda_runtime.h",
        include_str!("../include/cuda_shim/cuda_runtime.h"),
    ),
];

/// Writes all headers to a directory of their own.
pub(crate) fn write() -> Result<ScratchDirectory> {
    let scratch = ScratchDirectory::new()?;
    write_to(scratch.path())?;
    Ok(scratch)
}

/// The same to a folder.
pub(crate) fn write_to(folder: &Path) -> Result<()> {
    for (name, text) in HEADERS {
        write_one(&folder.join(name), text).map_err(|e| {
            let path = folder.display();
            Error::new(
                ErrorKind::Compile,
                format!("cannot write {path}/{name}: {e}"),
            )
        })?;
    }
    Ok(())
}

fn write_one(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)
}
