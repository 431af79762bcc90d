//! Generated launchers run without this project's runtime: the OpenCL ones are compiled, linked with
//! nothing but the vendor's library, and must compute what the reference computes.

use crate::support::Trial;
use crate::support::cases::{self, Case, Launch};
use crate::support::need::Need;
use crate::support::reference::Reference;
use crate::support::toolchains::{host_compiler, launcher_headers};
use crate::support::translate::translate;
use crate::support::values::Value;
use brook::runtime::{self, DeviceKind};
use brook_driver::{ScratchDirectory, run_compiler};
use libloading::Library;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use std::ffi::{CString, c_char, c_int, c_void};
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

const HARNESS: &str = include_str!("../support/opencl_launcher.cpp");

/// The tests.
pub fn trials() -> Vec<Trial> {
    let device = runtime::list()
        .into_iter()
        .filter(|entry| entry.name.starts_with("opencl"))
        .any(|entry| entry.info.is_ok_and(|info| info.kind != DeviceKind::Gpu));
    let found = match device {
        true => host_compiler().and_then(|_| launcher_headers("opencl")),
        false => Err("no OpenCL device".to_string()),
    };
    let need = Need::new("opencl", &found);
    need.announce();
    let cases = cases::okl();
    let wanted = cases
        .into_iter()
        .filter(|case| CASES.contains(&case.name.as_str()));
    let trials: Vec<Trial> = wanted
        .map(|case| need.trial(case.name.clone(), move || run(&case).map_err(Failed::from)))
        .collect();
    trials
}

fn run(case: &Case) -> Result<(), String> {
    let about = case.about()?;
    let (translation, _) = translate(case, "opencl")?;
    let launcher = translation.launcher.ok_or("there is no launcher")?;
    let kernels: BTreeSet<&str> = about.launch.iter().map(|l| l.kernel.as_str()).collect();
    let mut text = format!("{launcher}\n{HARNESS}");
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
    if let Some(folder) = launcher_headers("opencl")? {
        command.arg("-isystem").arg(folder);
    }
    command
        .arg("-o")
        .arg(&output)
        .arg(&input)
        .arg("-l:libOpenCL.so.1");
    run_compiler(&mut command).map_err(|e| e.to_string())?;
    // SAFETY: loading runs the initialisers of the launcher's own globals.
    let library = unsafe { Library::new(&output) }.map_err(|e| e.to_string())?;
    open(&library, &translation.device)?;
    let reference = Reference::build(case, &about)?;
    for (index, launch) in about.launch.iter().enumerate() {
        compare(&library, &reference, launch, about.tolerance)
            .map_err(|e| format!("launch {} ({}): {e}", index + 1, launch.kernel))?;
    }
    Ok(())
}

fn open(library: &Library, source: &str) -> Result<(), String> {
    type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;
    let source = CString::new(source).map_err(|e| e.to_string())?;
    // SAFETY: the symbol has this type in the harness.
    let entry = unsafe { library.get::<Open>(b"brook_test_open\0") }.map_err(|e| e.to_string())?;
    // SAFETY: both strings live until the call ends.
    match unsafe { entry(source.as_ptr(), c"-cl-std=CL1.2".as_ptr()) } {
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
