//! Generated launchers run without this project's runtime: those for OpenCL and SYCL are compiled, linked with
//! nothing but the vendor's library, and must compute what the reference computes.

use crate::support::Trial;
use crate::support::cases::{self, Case, Launch};
use crate::support::columns;
use crate::support::need::Need;
use crate::support::reference::Reference;
use crate::support::toolchains::{host_compiler, launcher_headers, sycl};
use crate::support::translate::translate;
use crate::support::values::Value;
use brook::runtime::{self, DeviceKind};
use brook_driver::{ScratchDirectory, run_compiler};
use libloading::Library;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::process::Command;

/// The cases whose host part does something.
const CASES: [&str; 9] = [
    "bounds",
    "explicit_axes",
    "host_function_arrays",
    "host_part",
    "host_statements",
    "host_structs",
    "host_vectors",
    "loop_forms",
    "sibling_extents",
];

/// A backend whose launchers run here.
struct Kind {
    backend: &'static str,
    harness: &'static str,
    /// How the program is compiled.
    option: &'static CStr,
    /// What the launcher is linked with: a library of the linker's own places, or of `BROOK_SYCL`.
    library: &'static str,
    /// Behind the names of its tests.
    column: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        backend: "opencl",
        harness: include_str!("../support/opencl_launcher.cpp"),
        option: c"-cl-std=CL1.2",
        library: "-l:libOpenCL.so.1",
        column: "",
    },
    Kind {
        backend: "sycl",
        harness: include_str!("../support/sycl_launcher.cpp"),
        option: c"-std=c++17",
        library: "-lsycl",
        column: "sycl",
    },
    // Kernels as lambdas, by the host's compiler, with a stand-in for SYCL's header.
    Kind {
        backend: "sycl",
        harness: include_str!("../support/sycl_launcher.cpp"),
        option: c"",
        library: "-pthread",
        column: LAMBDAS,
    },
];

const LAMBDAS: &str = "emulated-sycl";

/// The tests: `NAME` for OpenCL, `NAME::sycl` and `NAME::emulated-sycl`.
pub fn trials() -> Vec<Trial> {
    let entries = runtime::list();
    let cases = cases::okl();
    let mut trials = Vec::new();
    for kind in KINDS.iter().filter(|kind| required(kind)) {
        let device = entries
            .iter()
            .filter(|entry| entry.name.starts_with(kind.backend))
            .any(|entry| {
                let info = entry.info.as_ref();
                info.is_ok_and(|info| info.kind != DeviceKind::Gpu)
            });
        let found = match device {
            _ if kind.column == LAMBDAS => host_compiler().map(|_| None),
            true => host_compiler().and_then(|_| launcher_headers(kind.backend)),
            false => Err(format!("no device of {}", kind.backend)),
        };
        let named = match kind.column {
            LAMBDAS => LAMBDAS,
            _ => kind.backend,
        };
        let need = Need::new(named, &found);
        need.announce();
        let wanted = cases
            .iter()
            .filter(|case| CASES.contains(&case.name.as_str()));
        trials.extend(wanted.map(|case| {
            let (case, name) = (
                case.clone(),
                match kind.column {
                    "" => case.name.clone(),
                    other => format!("{}::{other}", case.name),
                },
            );
            need.trial(name, move || run(&case, kind).map_err(Failed::from))
        }));
    }
    trials
}

/// SYCL has a run of its own (`columns.rs`).
fn required(kind: &Kind) -> bool {
    kind.column != "sycl" || columns::has_sycl_runtime()
}

fn run(case: &Case, kind: &Kind) -> Result<(), String> {
    let about = case.about()?;
    let (translation, _) = translate(case, kind.backend)?;
    let launcher = translation.launcher.ok_or("there is no launcher")?;
    let kernels: BTreeSet<&str> = about.launch.iter().map(|l| l.kernel.as_str()).collect();
    let mut text = format!("{launcher}\n{}", kind.harness);
    for kernel in &kernels {
        // Launchers of programs with functions stand in a namespace.
        let own = match launcher.contains("namespace brook_host") {
            true => format!("brook_host::{kernel}"),
            false => (*kernel).to_string(),
        };
        text.push_str(&format!(
            "extern \"C\" int brook_test_{kernel}(int count, void **arguments, const std::size_t *sizes, const char *buffers) {{ \
             return run(&{own}, count, arguments, sizes, buffers); }}\n"
        ));
    }
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let (input, output) = (
        scratch.path().join("launcher.cpp"),
        scratch.path().join("launcher.so"),
    );
    std::fs::write(&input, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(host_compiler()?);
    command.args(["-std=c++17", "-O1", "-fPIC", "-shared", "-w"]);
    command.arg("-o").arg(&output).arg(&input);
    if kind.column == LAMBDAS {
        let program = scratch.path().join("program.cpp");
        std::fs::write(&program, &translation.device).map_err(|e| e.to_string())?;
        let support = cases::root().join("tests/support/emulation/include");
        command.args(["-DBROOK_LAMBDAS", "-fwrapv", "-fno-gnu-unique", "-I"]);
        command.arg(support.join("sycl_shim")).arg(program);
        command.arg(support.join("fibers_host.cpp"));
    } else if let Some(folder) = launcher_headers(kind.backend)? {
        command.arg("-isystem").arg(folder);
    }
    if let Some(folder) = sycl().map(|sycl| sycl.join("lib"))
        && kind.column == "sycl"
    {
        command.arg("-L").arg(&folder);
        command.arg(format!("-Wl,-rpath,{}", folder.display()));
    }
    command.arg(kind.library);
    run_compiler(&mut command).map_err(|e| e.to_string())?;
    // SAFETY: loading runs the initialisers of the launcher's own globals.
    let library = unsafe { Library::new(&output) }.map_err(|e| e.to_string())?;
    open(&library, &translation.device, kind.option)?;
    let reference = Reference::build(case, &about)?;
    for (index, launch) in about.launch.iter().enumerate() {
        compare(&library, &reference, launch, about.tolerance)
            .map_err(|e| format!("launch {} ({}): {e}", index + 1, launch.kernel))?;
    }
    // SYCL's threads may still use its code.
    std::mem::forget(library);
    Ok(())
}

fn open(library: &Library, source: &str, option: &CStr) -> Result<(), String> {
    type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;
    let source = CString::new(source).map_err(|e| e.to_string())?;
    // SAFETY: the symbol has this type in the harness.
    let entry = unsafe { library.get::<Open>(b"brook_test_open\0") }.map_err(|e| e.to_string())?;
    // SAFETY: both strings live until the call ends.
    match unsafe { entry(source.as_ptr(), option.as_ptr()) } {
        0 => Ok(()),
        _ => Err("the device or the program could not be opened".to_string()),
    }
}

fn compare(
    library: &Library,
    reference: &Reference,
    launch: &Launch,
    tolerance: f64,
) -> Result<(), String> {
    type Entry =
        unsafe extern "C" fn(c_int, *mut *mut c_void, *const usize, *const c_char) -> c_int;
    let mut values = launch.arguments()?;
    let mut expected = launch.arguments()?;
    let sizes: Vec<usize> = values.iter().map(|v| v.bytes().len()).collect();
    let buffers: Vec<c_char> = values.iter().map(|v| v.buffer.into()).collect();
    let mut places: Vec<*mut c_void> = values
        .iter_mut()
        .map(|v: &mut Value| v.bytes_mut().as_mut_ptr().cast())
        .collect();
    let name = format!("brook_test_{}\0", launch.kernel);
    // SAFETY: the symbol was generated with this type.
    let entry = unsafe { library.get::<Entry>(name.as_bytes()) }.map_err(|e| e.to_string())?;
    let count = c_int::try_from(places.len()).unwrap();
    // SAFETY: the case gives arguments of the parameters' types; all live until the call ends.
    let result = unsafe { entry(count, places.as_mut_ptr(), sizes.as_ptr(), buffers.as_ptr()) };
    if result != 0 {
        return Err(format!("the launcher returned {result}"));
    }
    reference.call(&launch.kernel, &mut expected)?;
    for (index, value) in values.iter().enumerate().filter(|(_, v)| v.buffer) {
        value
            .compare(&expected[index], tolerance)
            .map_err(|e| format!("argument {}: {e}", index + 1))?;
    }
    Ok(())
}
