//! Launches through C and C++, beside those of Rust: `faces.cpp` is compiled for this, and linked with the shared library
//! that cargo has built beside this program. Both copies of the runtime are in one process.

use super::{KERNEL, Table, difference, each, kernel, pairs, scaled};
use crate::statistics::Median;
use brook::{Device, args};
use brook_driver::{ScratchDirectory, find_program};
use libloading::Library;
use std::ffi::{CString, c_char, c_int};
use std::process::Command;

/// Elements, of which the kernels touch 32.
const N: usize = 32;
/// Fewer than queues hold, so that nobody waits for the device.
const COUNT: usize = 256;

/// What `faces.cpp` has.
struct Faces {
    library: Library,
    _folder: ScratchDirectory,
}

impl Faces {
    /// Why there is none, if so.
    fn build() -> Result<Self, String> {
        let folder = ScratchDirectory::new().map_err(|e| e.to_string())?;
        let compilers = ["c++", "g++", "clang++"];
        let compiler = compilers.into_iter().find_map(find_program);
        let compiler = compiler.ok_or("there is no C++ compiler")?;
        let beside = super::beside()?;
        let file = folder.path().join("faces.so");
        let root = super::root();
        let mut command = Command::new(compiler);
        command
            .args(["-std=c++17", "-O2", "-shared", "-fPIC", "-I"])
            .arg(root.join("include"))
            .arg(root.join("benches/launch/faces.cpp"))
            .arg("-o")
            .arg(&file)
            .arg("-L")
            .arg(&beside)
            .arg(format!("-Wl,-rpath,{}", beside.display()))
            .arg("-lbrook");
        let output = command.output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        // SAFETY: it was made for this.
        let library = unsafe { Library::new(&file) }.map_err(|e| e.to_string())?;
        Ok(Self {
            library,
            _folder: folder,
        })
    }

    /// Seconds of a launch through one of the functions.
    fn measure(&self, name: &str) -> f64 {
        // SAFETY: faces.cpp's functions of these names have this type.
        let function = unsafe {
            self.library
                .get::<unsafe extern "C" fn(c_int) -> f64>(name.as_bytes())
        };
        // SAFETY: faces_open was called.
        unsafe { function.expect("faces.cpp has it")(COUNT as c_int) }
    }
}

/// Adds what C and C++ cost above Rust.
pub fn compare(device: &Device, table: &mut Table) {
    let faces = match Faces::build() {
        Ok(faces) => faces,
        Err(why) => {
            println!("C and C++: not measured: {why}");
            return;
        }
    };
    let name = CString::new(device.name()).expect("a name");
    let text = CString::new(KERNEL).expect("a text");
    type Open = unsafe extern "C" fn(*const c_char, *const c_char, c_int) -> c_int;
    // SAFETY: faces.cpp's function has this type.
    let open = unsafe { faces.library.get::<Open>(b"faces_open") }.expect("faces.cpp has it");
    // SAFETY: both are strings.
    let opened = unsafe { open(name.as_ptr(), text.as_ptr(), N as c_int) };
    assert_eq!(opened, 0, "the kernels are built");
    let (tiny, step) = (kernel(device, "tiny"), kernel(device, "step"));
    let x = device.zeros::<f32>(N).expect("memory");
    let y = device.zeros::<f32>(N).expect("memory");
    let synchronize = || device.synchronize().expect("a device that works");
    let two = || {
        synchronize();
        each(COUNT, || {
            // SAFETY: it has 32 items, which take the first elements.
            unsafe { tiny.launch(args![&x, &y]) }.expect("a launch")
        })
    };
    let three = || {
        synchronize();
        each(COUNT, || {
            // SAFETY: it stays below n, which both have.
            unsafe { step.launch(args![N, &x, &y]) }.expect("a launch")
        })
    };
    let rows: [(&str, &str, &dyn Fn() -> f64); 4] = [
        ("C above Rust, two arguments", "faces_c", &two),
        ("C++ above Rust, two arguments", "faces_cpp", &two),
        ("C above Rust, three arguments", "faces_c_number", &three),
        (
            "C++ above Rust, three arguments",
            "faces_cpp_number",
            &three,
        ),
    ];
    for (what, function, rust) in rows {
        let both = pairs(|| faces.measure(function), rust);
        let through = what.split(" above").next().unwrap_or(what);
        let through = format!("launch from {through}");
        let seconds = scaled(&both.0, 1e9);
        table.add(&through, device.name(), Median::of(&seconds), "ns", None);
        let above = difference(&both, 1e9);
        table.add(what, device.name(), above, "ns", Some((false, 100.0)));
    }
    // SAFETY: faces.cpp's function has this type, and nothing of it is used any more.
    let close = unsafe { faces.library.get::<unsafe extern "C" fn()>(b"faces_close") };
    synchronize();
    // SAFETY: as above.
    unsafe { close.expect("faces.cpp has it")() };
}
