//! A launch through SYCL's own interface, which is C++: `sycl.cpp`, compiled as the driver compiles its own.

use super::raw::Call;
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint};
use std::path::PathBuf;
use std::process::Command;

/// The call, and what waits for all of them.
pub fn launch(ordinal: c_uint, source: &str) -> Option<(Call, Call)> {
    let root = PathBuf::from(std::env::var_os("BROOK_SYCL")?);
    let folder = std::env::temp_dir().join(format!("brook-raw-sycl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let (text, built) = (folder.join("sycl.cpp"), folder.join("sycl.so"));
    std::fs::write(&text, include_str!("sycl.cpp")).ok()?;
    let libraries = root.join("lib");
    let compiler = std::env::var("BROOK_CXX").unwrap_or_else(|_| "g++".to_string());
    let status = Command::new(compiler)
        .args(["-std=c++17", "-O2", "-w", "-fPIC", "-shared", "-isystem"])
        .arg(root.join("include"))
        .args(["-o".as_ref(), built.as_os_str(), text.as_os_str()])
        .arg("-L")
        .arg(&libraries)
        .arg("-lsycl")
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .status();
    let compiled = status.is_ok_and(|s| s.success());
    // SAFETY: what runs when it is loaded is SYCL's own initialisation.
    let library = compiled.then(|| unsafe { Library::new(&built) });
    let _ = std::fs::remove_dir_all(&folder);
    // SYCL's threads outlive whatever is closed.
    let library: &'static Library = Box::leak(Box::new(library?.ok()?));
    type Open = unsafe extern "C" fn(c_uint, *const c_char, *const c_char) -> c_int;
    let (text, name) = (
        CString::new(source).ok()?,
        CString::new("_occa_tiny_0").ok()?,
    );
    // SAFETY: the functions have these types; the texts end with zero bytes.
    let (launch, wait) = unsafe {
        let open = library.get::<Open>(b"raw_open\0").ok()?;
        assert_eq!(open(ordinal, text.as_ptr(), name.as_ptr()), 0, "raw_open");
        let function = |name: &[u8]| library.get::<unsafe extern "C" fn()>(name).ok();
        (*function(b"raw_launch\0")?, *function(b"raw_wait\0")?)
    };
    Some((
        // SAFETY: it has been opened.
        Box::new(move || unsafe { launch() }),
        // SAFETY: as above.
        Box::new(move || unsafe { wait() }),
    ))
}
