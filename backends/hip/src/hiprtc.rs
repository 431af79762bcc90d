//! hiprtc: HIP source to a code object, in this process.

use crate::conflict;
use crate::status::text;
use crate::sys::{self, Hip, Hiprtc, SUCCESS};
use brook_driver::{CompileOptions, Error, ErrorKind, Math, Result};
use std::ffi::{CString, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Compiles HIP source to a code object for an architecture such as `gfx90a`; needs hiprtc, but no
/// GPU. A missing hiprtc is [`ErrorKind::Missing`]; a rejected source, or an architecture that the
/// installed ROCm cannot generate code for, is [`ErrorKind::Compile`].
pub fn compile_only(source: &str, architecture: &str, options: &CompileOptions) -> Result<Vec<u8>> {
    // One at a time: the compiler below hiprtc keeps global state in older releases.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let hiprtc = sys::hiprtc().map_err(Error::missing)?;
    check_device_libraries(architecture)?;
    let source = CString::new(source)
        .map_err(|_| Error::invalid("the source contains a zero byte, which hiprtc cannot read"))?;
    let flags = flags(architecture, options)
        .into_iter()
        .map(CString::new)
        .collect::<std::result::Result<Vec<_>, _>>()
        .map_err(|_| Error::invalid("a compiler option contains a zero byte"))?;
    let pointers: Vec<_> = flags.iter().map(|f| f.as_ptr()).collect();
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(reason) = conflict::before_compiling() {
        return Err(Error::new(ErrorKind::Compile, reason));
    }
    let mut program = Compilation {
        hiprtc,
        raw: std::ptr::null_mut(),
    };
    // SAFETY: all strings outlive the call, and there are no headers.
    let status = unsafe {
        (hiprtc.create_program)(
            &raw mut program.raw,
            source.as_ptr(),
            c"kernel.hip".as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null(),
        )
    };
    program.check(status)?;
    let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
    // SAFETY: the program is live, and `pointers` holds `count` strings.
    let status = unsafe { (hiprtc.compile_program)(program.raw, count, pointers.as_ptr()) };
    program
        .check(status)
        .map_err(|e| e.with_log(program.log()))?;
    program.code()
}

/// The compiler with its version, as `hiprtc of HIP 5.2.21153`; [`ErrorKind::Missing`] with the
/// reason where there is none.
pub fn compiler_version() -> Result<String> {
    let hiprtc = sys::hiprtc().map_err(Error::missing)?;
    // hiprtc's own number has been 9.0 for years; the runtime's tells releases apart.
    if let Some(version) = sys::hip().ok().and_then(runtime_version) {
        let (major, minor, patch) = (
            version / 10_000_000,
            version / 100_000 % 100,
            version % 100_000,
        );
        return Ok(format!("hiprtc of HIP {major}.{minor}.{patch}"));
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are to live integers.
    let status = unsafe { (hiprtc.version)(&raw mut major, &raw mut minor) };
    Compilation {
        hiprtc,
        raw: std::ptr::null_mut(),
    }
    .check(status)?;
    Ok(format!("hiprtc {major}.{minor}"))
}

fn runtime_version(hip: &Hip) -> Option<c_int> {
    let mut version = 0;
    // SAFETY: the pointer is to a live integer.
    let status = unsafe { (hip.runtime_get_version)(&raw mut version) };
    (status == SUCCESS && version > 0).then_some(version)
}

/// A program of hiprtc's, destroyed when dropped.
struct Compilation {
    hiprtc: &'static Hiprtc,
    raw: *mut c_void,
}

impl Compilation {
    fn check(&self, status: c_int) -> Result<()> {
        if status == SUCCESS {
            return Ok(());
        }
        // SAFETY: the function takes any number and returns a constant string.
        let name = unsafe { text((self.hiprtc.get_error_string)(status)) };
        let name = name.unwrap_or_else(|| format!("status {status}"));
        Err(Error::new(
            ErrorKind::Compile,
            format!("hiprtc failed: {name}"),
        ))
    }

    fn log(&self) -> String {
        let mut size = 0;
        // SAFETY: the program is live, and the pointer is to a live integer.
        let status = unsafe { (self.hiprtc.get_program_log_size)(self.raw, &raw mut size) };
        let mut log = vec![0u8; if status == SUCCESS { size } else { 0 }];
        if !log.is_empty() {
            // SAFETY: hiprtc writes at most the size it just gave.
            let status =
                unsafe { (self.hiprtc.get_program_log)(self.raw, log.as_mut_ptr().cast()) };
            if status != SUCCESS {
                return String::new();
            }
        }
        let end = log.iter().position(|b| *b == 0).unwrap_or(log.len());
        with_own_name(&String::from_utf8_lossy(&log[..end]))
    }

    fn code(&self) -> Result<Vec<u8>> {
        let mut size = 0;
        // SAFETY: the program is live and compiled, and the pointer is to a live integer.
        self.check(unsafe { (self.hiprtc.get_code_size)(self.raw, &raw mut size) })?;
        let mut code = vec![0u8; size];
        // SAFETY: hiprtc writes exactly the size it just gave.
        self.check(unsafe { (self.hiprtc.get_code)(self.raw, code.as_mut_ptr().cast()) })?;
        Ok(code)
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the program is live, and this is its end. A failure leaves nothing to do.
            let _ = unsafe { (self.hiprtc.destroy_program)(&raw mut self.raw) };
        }
    }
}

/// The log speaking of `kernel.hip`, where older releases name a temporary file of their own.
fn with_own_name(log: &str) -> String {
    const THEIRS: &str = "/input/CompileSource";
    let mut out = String::with_capacity(log.len());
    let mut rest = log;
    while let Some(at) = rest.find(THEIRS) {
        let start = rest[..at].rfind(char::is_whitespace).map_or(0, |i| i + 1);
        out.push_str(&rest[..start]);
        out.push_str("kernel.hip");
        rest = &rest[at + THEIRS.len()..];
    }
    out + rest
}

pub(crate) fn flags(architecture: &str, options: &CompileOptions) -> Vec<String> {
    let math = match options.math {
        Math::Default | Math::Strict => options.contraction(),
        Math::Fast => "-ffast-math",
    };
    let offload = format!("--offload-arch={architecture}");
    let standard = options.standard.as_deref().unwrap_or("c++17");
    let standard = format!("-std={standard}");
    let mut flags: Vec<String> = [standard.as_str(), offload.as_str(), "-O3", math]
        .map(str::to_string)
        .to_vec();
    flags.extend(options.include_directories.iter().map(|d| format!("-I{d}")));
    flags.extend(options.flags.iter().cloned());
    flags
}

/// An error for an architecture whose device library is not installed: hiprtc 5.2 ends the whole
/// process for `gfx1100` and others that it does not know. Where no folder of device libraries can be
/// found (recent releases carry them inside), nothing can be said, and hiprtc decides.
fn check_device_libraries(architecture: &str) -> Result<()> {
    check_architecture(architecture, &device_library_directories())
}

fn device_library_directories() -> Vec<PathBuf> {
    let own = std::env::var_os("HIP_DEVICE_LIB_PATH").map(PathBuf::from);
    own.into_iter()
        .chain(
            sys::rocm()
                .into_iter()
                .map(|root| root.join("amdgcn/bitcode")),
        )
        .chain(
            [
                "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                "/usr/lib/amdgcn/bitcode",
            ]
            .map(PathBuf::from),
        )
        .filter(|directory| directory.is_dir())
        .collect()
}

fn check_architecture<P: AsRef<Path>>(architecture: &str, directories: &[P]) -> Result<()> {
    let failed = |message| Err(Error::new(ErrorKind::Compile, message));
    // `gfx90a:sramecc+:xnack-` names the same library as `gfx90a`.
    let name = architecture.split(':').next().unwrap_or_default();
    let Some(version) = name.strip_prefix("gfx").filter(|v| !v.is_empty()) else {
        return failed(format!(
            "'{architecture}' is not an AMD architecture such as gfx90a"
        ));
    };
    let library = format!("oclc_isa_version_{version}.bc");
    if directories.is_empty()
        || directories
            .iter()
            .any(|d| d.as_ref().join(&library).is_file())
    {
        return Ok(());
    }
    failed(format!(
        "the installed ROCm has no device library for {name} ({library})"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_name_the_kernel() {
        let log = "/tmp/comgr-1/input/CompileSource:2:3: error: x\nin /tmp/a/input/CompileSource:9";
        assert_eq!(
            with_own_name(log),
            "kernel.hip:2:3: error: x\nin kernel.hip:9"
        );
        assert_eq!(with_own_name("plain"), "plain");
    }

    #[test]
    fn unknown_architectures_never_reach_hiprtc() {
        let scratch = brook_driver::ScratchDirectory::new().unwrap();
        std::fs::write(scratch.path().join("oclc_isa_version_90a.bc"), "").unwrap();
        let directories = [scratch.path()];
        let check = |architecture| check_architecture(architecture, &directories);
        check("gfx90a").unwrap();
        check("gfx90a:sramecc+:xnack-").unwrap();
        for unknown in ["gfx1100", "gfx", "sm_90", ""] {
            assert_eq!(check(unknown).unwrap_err().kind, ErrorKind::Compile);
        }
        check_architecture::<&Path>("gfx1100", &[]).unwrap();
    }
}
