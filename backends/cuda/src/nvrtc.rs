//! NVRTC: CUDA C++ source to a cubin, in this process.

use brook_driver::{CompileOptions, Error, ErrorKind, Math, Result};
use cudarc::nvrtc::{result, sys};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::error::Error as _;
use std::ffi::{CString, c_char};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Compiles CUDA C++ to a cubin for a real architecture such as `sm_90`; needs NVRTC, but no GPU.
///
/// NVRTC is the library that `BROOK_NVRTC` names by its full path, else what the system's loader
/// finds, else what lies in the toolkit of `CUDA_HOME`, `CUDA_PATH` or `/usr/local/cuda`. A missing
/// NVRTC is [`ErrorKind::Missing`]; a rejected source is [`ErrorKind::Compile`] with NVRTC's log.
pub fn compile_only(source: &str, architecture: &str, options: &CompileOptions) -> Result<Vec<u8>> {
    compile(source, architecture, options)?.cubin()
}

/// Compiles CUDA C++ to PTX for an architecture such as `sm_90`, for whoever wants to read which instructions
/// there are; otherwise as [`compile_only`].
pub fn compile_to_ptx(
    source: &str,
    architecture: &str,
    options: &CompileOptions,
) -> Result<String> {
    let program = compile(source, architecture, options)?;
    // SAFETY: the program is live.
    let text = unsafe { result::get_ptx(program.0) }.map_err(|e| failed(e, String::new()))?;
    let bytes: Vec<u8> = text.into_iter().map(|c| c as u8).collect();
    let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
    Ok(String::from_utf8_lossy(text).into_owned())
}

fn compile(source: &str, architecture: &str, options: &CompileOptions) -> Result<Compilation> {
    library()?;
    let source = CString::new(source)
        .map_err(|_| Error::invalid("the source contains a zero byte, which NVRTC cannot read"))?;
    let flags = flags(architecture, options);
    if flags.iter().any(|f| f.contains('\0')) {
        return Err(Error::invalid("a compiler option contains a zero byte"));
    }
    let plain = || {
        let (program, compiled) = attempt(&source, &flags)?;
        compiled.map_err(|e| failed(e, program.log()))?;
        Ok(program)
    };
    // NVRTC takes an option given twice for an error.
    let said = flags
        .iter()
        .any(|f| f.trim_start_matches('-') == "no-cache");
    if said || !KEEPS_RESULTS.load(Ordering::Relaxed) {
        return plain();
    }
    let mut all = flags.clone();
    all.push("--no-cache".to_string());
    let (program, compiled) = attempt(&source, &all)?;
    match compiled {
        Ok(()) => Ok(program),
        // One that keeps none knows no such flag; or another one is not known.
        Err(e) if e.0 == sys::nvrtcResult::NVRTC_ERROR_INVALID_OPTION => {
            let program = plain()?;
            KEEPS_RESULTS.store(false, Ordering::Relaxed);
            Ok(program)
        }
        Err(e) => Err(failed(e, program.log())),
    }
}

/// Whether NVRTC may have a cache of its own. That of version 13.0 gives code of exact arithmetic to whoever asks for fast
/// arithmetic, and the other way round: of one source, the first has been kept for both.
static KEEPS_RESULTS: AtomicBool = AtomicBool::new(true);

fn attempt(
    source: &CString,
    flags: &[String],
) -> Result<(Compilation, std::result::Result<(), result::NvrtcError>)> {
    let program = result::create_program(source, Some(c"kernel.cu"));
    let program = Compilation(program.map_err(|e| failed(e, String::new()))?);
    // SAFETY: the program was created above and is destroyed when dropped.
    let compiled = unsafe { result::compile_program(program.0, flags) };
    Ok((program, compiled))
}

/// NVRTC's version, as `NVRTC 13.0`; [`ErrorKind::Missing`] with the reason where there is none.
pub fn compiler_version() -> Result<String> {
    library()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are to live integers.
    unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) }
        .result()
        .map_err(|e| failed(e, String::new()))?;
    Ok(format!("NVRTC {major}.{minor}"))
}

fn failed(error: result::NvrtcError, log: String) -> Error {
    Error::new(ErrorKind::Compile, format!("NVRTC failed: {:?}", error.0)).with_log(log)
}

/// A program of NVRTC's, destroyed when dropped.
struct Compilation(sys::nvrtcProgram);

impl Compilation {
    fn log(&self) -> String {
        // SAFETY: the program is live.
        let bytes = unsafe { result::get_program_log(self.0) }.unwrap_or_default();
        let bytes: Vec<u8> = bytes
            .into_iter()
            .map(|c| c as u8)
            .take_while(|b| *b != 0)
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn cubin(&self) -> Result<Vec<u8>> {
        let failed = |e| failed(e, String::new());
        let mut size = 0;
        // SAFETY: the program is live, and the pointer is to a live integer.
        unsafe { sys::nvrtcGetCUBINSize(self.0, &raw mut size) }
            .result()
            .map_err(failed)?;
        let mut cubin = vec![0u8; size];
        // SAFETY: NVRTC writes exactly the size it just gave.
        unsafe { sys::nvrtcGetCUBIN(self.0, cubin.as_mut_ptr().cast::<c_char>()) }
            .result()
            .map_err(failed)?;
        if cubin.is_empty() {
            // What NVRTC does for virtual architectures, `compute_90`.
            return Err(Error::new(
                ErrorKind::Compile,
                "NVRTC gives no cubin; name a real \
                                   architecture, such as sm_90",
            ));
        }
        Ok(cubin)
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: the program is live, and this is its end. A failure leaves nothing to do.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}

fn flags(architecture: &str, options: &CompileOptions) -> Vec<String> {
    let given = |names: [&str; 2]| {
        options.flags.iter().any(|f| {
            names
                .iter()
                .any(|n| f == n || f.starts_with(&format!("{n}=")))
        })
    };
    let mut flags = Vec::new();
    // NVRTC takes an option given twice for an error.
    if !given(["--gpu-architecture", "-arch"]) {
        flags.push(format!("--gpu-architecture={architecture}"));
    }
    // There is no other space here: generic lambdas and members that are defined apart need no marker.
    flags.push("--device-as-default-execution-space".to_string());
    if !given(["--std", "-std"]) {
        let standard = options.standard.as_deref().unwrap_or("c++17");
        flags.push(format!("--std={standard}"));
    }
    let contraction = match options.contracts() {
        true => "--fmad=true",
        false => "--fmad=false",
    };
    let math: &[&str] = match options.math {
        Math::Default | Math::Strict => &[
            contraction,
            "--prec-div=true",
            "--prec-sqrt=true",
            "--ftz=false",
        ],
        Math::Fast => &["--use_fast_math"],
    };
    flags.extend(math.iter().map(|f| f.to_string()));
    flags.extend(options.include_directories.iter().map(|d| format!("-I{d}")));
    flags.extend(
        toolkit_headers()
            .iter()
            .map(|d| format!("-I{}", d.display())),
    );
    flags.extend(options.flags.iter().cloned());
    flags
}

/// Toolkits by the usual variables, then the usual place.
fn toolkits() -> impl Iterator<Item = PathBuf> {
    ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from)
        .chain([PathBuf::from("/usr/local/cuda")])
}

/// The toolkit's own headers (`cooperative_groups.h`, `cuda_fp16.h`), for sources that include them:
/// beside `BROOK_NVRTC` where that is set, else of the first toolkit that has any.
fn toolkit_headers() -> Vec<PathBuf> {
    let beside = std::env::var_os("BROOK_NVRTC")
        .and_then(|path| Some(Path::new(&path).parent()?.parent()?.to_path_buf()));
    beside
        .into_iter()
        .chain(toolkits())
        .map(|root| root.join("include"))
        .find(|include| include.join("cuda_runtime.h").is_file())
        .map(|include| vec![include.join("cccl"), include])
        .unwrap_or_default()
        .into_iter()
        .filter(|directory| directory.is_dir())
        .collect()
}

/// Makes sure that `cudarc` finds NVRTC and everything that is called of it: it panics otherwise.
fn library() -> Result<()> {
    static FOUND: OnceLock<std::result::Result<(), String>> = OnceLock::new();
    FOUND
        .get_or_init(find_library)
        .clone()
        .map_err(Error::missing)
}

fn find_library() -> std::result::Result<(), String> {
    let named = std::env::var_os("BROOK_NVRTC")
        .filter(|p| !p.is_empty())
        .map(PathBuf::from);
    let preloaded = match &named {
        Some(path) => Some(preload(path).map_err(|e| {
            let reason = e
                .source()
                .map_or_else(|| e.to_string(), ToString::to_string);
            format!(
                "no NVRTC found: BROOK_NVRTC is '{}': {reason}",
                path.display()
            )
        })?),
        None if present() => None,
        None => toolkits()
            .flat_map(|root| ["lib64", "lib", "targets/x86_64-linux/lib"].map(|d| root.join(d)))
            .flat_map(|d| ["libnvrtc.so.13", "libnvrtc.so.12"].map(|name| d.join(name)))
            .filter(|path| path.is_file())
            .find_map(|path| preload(&path).ok()),
    };
    if !present() {
        return Err(
            "no NVRTC (libnvrtc.so.13) found: install the CUDA toolkit, or set BROOK_NVRTC \
                    to the library's full path"
                .to_string(),
        );
    }
    // SAFETY: the library is present, so this returns it rather than panicking.
    let library = unsafe { sys::culib() };
    for symbol in [
        "nvrtcVersion",
        "nvrtcCreateProgram",
        "nvrtcCompileProgram",
        "nvrtcGetCUBIN",
        "nvrtcGetPTX",
    ] {
        // SAFETY: the symbol is looked up, and not called.
        if unsafe { library.get::<*const ()>(symbol.as_bytes()) }.is_err() {
            return Err(format!("NVRTC is too old: it has no {symbol}"));
        }
    }
    if let (Some(ours), Some(path)) = (preloaded, &named) {
        // SAFETY: both symbols are looked up and compared, and not called.
        let same = unsafe {
            let ours = ours
                .get::<*const ()>(b"nvrtcVersion")
                .map(|s| s.as_raw_ptr());
            let found = library.get::<*const ()>(b"nvrtcVersion").map(|s| *s);
            ours.ok().map(|p| p.cast_const().cast()) == found.ok()
        };
        if !same {
            return Err(format!(
                "BROOK_NVRTC is '{}', but the system's loader finds another NVRTC first",
                path.display()
            ));
        }
    }
    Ok(())
}

fn present() -> bool {
    // SAFETY: opening NVRTC runs its initialisers, which touch nothing of this program.
    unsafe { sys::is_culib_present() }
}

/// Opens NVRTC by its path, for good and for everybody: `cudarc` then finds it by its soname. The
/// builtins that NVRTC opens by name later lie beside it, and are opened for the same reason.
fn preload(path: &Path) -> std::result::Result<ManuallyDrop<Library>, libloading::Error> {
    // SAFETY: as in `present`.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }?;
    let siblings = path
        .parent()
        .and_then(|d| std::fs::read_dir(d).ok())
        .into_iter()
        .flatten();
    for sibling in siblings.flatten() {
        if sibling
            .file_name()
            .to_string_lossy()
            .starts_with("libnvrtc-builtins.so")
        {
            // SAFETY: as above. One that cannot be opened is another version's.
            let builtins = unsafe { Library::open(Some(sibling.path()), RTLD_NOW | RTLD_GLOBAL) };
            let _ = builtins.map(ManuallyDrop::new);
        }
    }
    Ok(ManuallyDrop::new(library))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_follow_the_options() {
        let options = CompileOptions {
            math: Math::Strict,
            include_directories: vec!["/a b".to_string()],
            flags: vec!["--std=c++20".to_string(), "-DX=1".to_string()],
            standard: None,
            wrapping: false,
            contracted: false,
        };
        let flags = flags("sm_80", &options);
        let standard = CompileOptions {
            standard: Some("c++14".to_string()),
            ..CompileOptions::default()
        };
        assert!(super::flags("sm_80", &standard).contains(&"--std=c++14".to_string()));
        assert!(flags.contains(&"--gpu-architecture=sm_80".to_string()));
        assert!(flags.contains(&"--fmad=false".to_string()));
        assert!(flags.contains(&"-I/a b".to_string()));
        assert_eq!(flags.iter().filter(|f| f.starts_with("--std")).count(), 1);
        assert_eq!(flags.last().unwrap(), "-DX=1");
    }
}
