//! Launches through `occa::kernel`, beside those of Rust and, where somebody says where OCCA is, beside OCCA's own:
//! `occa.cpp` is built over brook and over OCCA. Both libraries have the same name, so each program is a process of its
//! own, and they are asked in turn.

use super::{KERNEL, Table, difference, each, pairs, ratio, scaled};
use crate::statistics::Median;
use brook::{BuildOptions, Device, Kernel, Source, args};
use brook_driver::{ScratchDirectory, find_program};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Elements, of which the kernels touch all.
const N: usize = 32;
/// Fewer than queues hold, so that nobody waits for the device.
const COUNT: usize = 256;

/// `occa.cpp`, built over brook and over OCCA.
pub struct Programs {
    folder: ScratchDirectory,
    own: PathBuf,
    /// And the folder that OCCA is installed in.
    theirs: Option<(PathBuf, PathBuf)>,
    /// How OpenMP's threads wait, if the user says so: this process gets what brook makes of it, and its children are not to
    /// inherit that.
    waiting: Vec<(&'static str, Option<OsString>)>,
}

impl Programs {
    /// Why there are none, if so. `occa` is where OCCA is installed, if anywhere.
    pub fn build(occa: Option<&Path>) -> Result<Self, String> {
        let folder = ScratchDirectory::new().map_err(|e| e.to_string())?;
        let compilers = ["c++", "g++", "clang++"];
        let compiler = compilers.into_iter().find_map(find_program);
        let compiler = compiler.ok_or("there is no C++ compiler")?;
        let beside = super::beside()?;
        let root = super::root();
        let (library, own) = (folder.path().join("libocca.so"), folder.path().join("own"));
        let mut sources = Vec::new();
        for sources_of in ["occa/src", "occa/src/c"] {
            let files = std::fs::read_dir(root.join(sources_of)).map_err(|e| e.to_string())?;
            sources.extend(files.flatten().map(|f| f.path()));
        }
        sources.retain(|p| p.extension().is_some_and(|e| e == "cpp"));
        let includes = [root.join("occa/include"), root.join("include")];
        let includes = includes.map(|i| format!("-I{}", i.display()));
        // As scripts/install builds it.
        let mut command = Command::new(&compiler);
        command.args([
            "-std=c++17",
            "-O2",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libocca.so",
        ]);
        command
            .args(&includes)
            .args(sources)
            .arg("-o")
            .arg(&library);
        linked(&mut command, &beside, &["-lbrook", "-ldl"]);
        run(&mut command)?;
        let program = |to: &Path, include: &[String], lib: &Path| {
            let mut command = Command::new(&compiler);
            command.args(["-std=c++17", "-O2", "-w"]).args(include);
            command
                .arg(root.join("benches/launch/occa.cpp"))
                .arg("-o")
                .arg(to);
            linked(&mut command, lib, &["-locca", "-pthread"]);
            command.arg(format!("-Wl,-rpath-link,{}", beside.display()));
            run(&mut command)
        };
        program(&own, &includes, folder.path())?;
        let theirs = match occa {
            None => None,
            Some(occa) => {
                let to = folder.path().join("theirs");
                let include = [format!("-I{}", occa.join("include").display())];
                program(&to, &include, &occa.join("lib"))?;
                Some((to, occa.to_path_buf()))
            }
        };
        Ok(Self {
            folder,
            own,
            theirs,
            waiting: ["OMP_WAIT_POLICY", "GOMP_SPINCOUNT"]
                .map(|name| (name, std::env::var_os(name)))
                .into(),
        })
    }

    fn start(
        &self,
        program: &Path,
        folder: Option<&Path>,
        properties: &str,
    ) -> Result<Process, String> {
        let mut command = Command::new(program);
        command
            .arg(properties)
            .env("OCCA_CACHE_DIR", self.folder.path().join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        for (name, value) in &self.waiting {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = folder {
            // What it cannot do it says at length.
            command.env("OCCA_DIR", folder).stderr(Stdio::null());
        }
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".to_string());
        };
        Ok(Process {
            child,
            to: Some(to),
            from: BufReader::new(from),
        })
    }
}

fn linked(command: &mut Command, folder: &Path, libraries: &[&str]) {
    let folder = folder.display();
    command
        .arg(format!("-L{folder}"))
        .arg(format!("-Wl,-rpath,{folder}"))
        .args(libraries);
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// One of the programs, which answers.
struct Process {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Process {
    /// Seconds of one call of that; `None` if it is not there.
    fn measure(&mut self, what: &str) -> Option<f64> {
        writeln!(self.to.as_mut()?, "{what} {COUNT}").ok()?;
        let mut line = String::new();
        self.from.read_line(&mut line).ok()?;
        line.trim().parse::<f64>().ok().map(|ns| ns * 1e-9)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends with its input.
        self.to = None;
        let _ = self.child.wait();
    }
}

/// The modes of a device's name, the properties that open it, and flags that make Rust's the same.
fn modes(device: &str) -> Vec<(&'static str, String, &'static [&'static str])> {
    let (backend, number) = device.split_once(':').unwrap_or((device, "0"));
    let of = |mode: &str| format!("{{mode: '{mode}', device_id: {number}, platform_id: 0}}");
    match backend {
        "openmp" => vec![
            ("Serial", of("Serial"), &["-fno-openmp", "-fopenmp-simd"]),
            ("OpenMP", of("OpenMP"), &[]),
        ],
        // That of OCCA's numbers, if there are several platforms.
        "opencl" => vec![("OpenCL", of("OpenCL"), &[])],
        "cuda" => vec![("CUDA", of("CUDA"), &[])],
        "hip" => vec![("HIP", of("HIP"), &[])],
        _ => Vec::new(),
    }
}

/// Adds what `occa::kernel` costs above Rust, and beside OCCA.
pub fn compare(programs: &Programs, device: &Device, table: &mut Table) {
    for (mode, properties, flags) in modes(device.name()) {
        let own = programs.start(&programs.own, None, &properties);
        let mut own = own.unwrap_or_else(|e| panic!("{mode}: {e}"));
        let theirs = programs.theirs.as_ref().map(|(program, folder)| {
            let started = programs.start(program, Some(folder), &properties);
            started.unwrap_or_else(|e| panic!("{mode}: {e}"))
        });
        let rust = Rust::new(device, flags);
        launches(&mut own, theirs, &rust, mode, table);
        inline(&mut own, mode, table);
    }
}

/// The same kernels, launched by Rust.
struct Rust<'d> {
    device: &'d Device,
    tiny: Kernel,
    step: Kernel,
    x: brook::Memory<f32>,
    y: brook::Memory<f32>,
}

impl<'d> Rust<'d> {
    fn new(device: &'d Device, flags: &[&str]) -> Self {
        let options = BuildOptions::new().cache(false);
        let options = flags.iter().fold(options, |o, flag| o.flag(*flag));
        let program = device.build(Source::new("launch.okl", KERNEL), &options);
        let program = program.unwrap_or_else(|e| panic!("{e}"));
        let kernel = |name| program.kernel(name).unwrap_or_else(|e| panic!("{e}"));
        Self {
            device,
            tiny: kernel("tiny"),
            step: kernel("step"),
            x: device.zeros(N).expect("memory"),
            y: device.zeros(N).expect("memory"),
        }
    }

    fn measure(&self, what: &str) -> f64 {
        let call = || match what {
            // SAFETY: it has 32 items, which take the first elements.
            "two" => unsafe { self.tiny.launch(args![&self.x, &self.y]) }.expect("a launch"),
            // SAFETY: it stays below n, which both have.
            _ => unsafe { self.step.launch(args![N as i32, &self.x, &self.y]) }.expect("a launch"),
        };
        call();
        self.device.synchronize().expect("a device that works");
        let seconds = each(COUNT, call);
        self.device.synchronize().expect("a device that works");
        seconds
    }
}

fn launches(
    own: &mut Process,
    mut theirs: Option<Process>,
    rust: &Rust<'_>,
    mode: &str,
    table: &mut Table,
) {
    let mut measure = |what: &str| own.measure(what).expect("occa.cpp has it");
    for (what, arguments) in [("two", "two arguments"), ("three", "three arguments")] {
        let above = pairs(|| measure(what), || rust.measure(what));
        let seconds = Median::of(&scaled(&above.0, 1e9));
        table.add(
            &format!("occa::kernel, {arguments}"),
            mode,
            seconds,
            "ns",
            None,
        );
        table.add(
            &format!("occa::kernel above Rust, {arguments}"),
            mode,
            difference(&above, 1e9),
            "ns",
            Some((false, 100.0)),
        );
        let Some(theirs) = &mut theirs else { continue };
        let both = pairs(
            || measure(what),
            || theirs.measure(what).expect("occa.cpp has it"),
        );
        let seconds = Median::of(&scaled(&both.1, 1e9));
        table.add(
            &format!("OCCA's own, {arguments}"),
            mode,
            seconds,
            "ns",
            None,
        );
        table.add(
            &format!("occa::kernel / OCCA's own, {arguments}"),
            mode,
            ratio(&both),
            "",
            Some((false, 1.0)),
        );
    }
    let Some(theirs) = &mut theirs else { return };
    for (what, called) in INLINE {
        let Some(_) = theirs.measure(what) else {
            continue;
        };
        let seconds: Vec<f64> = (0..9).filter_map(|_| theirs.measure(what)).collect();
        let seconds = Median::of(&scaled(&seconds, 1e6));
        table.add(&format!("OCCA's own {called}"), mode, seconds, "µs", None);
    }
}

/// Kernels that are written where they are run.
const INLINE: [(&str, &str); 3] = [
    ("jit", "OCCA_JIT"),
    ("loop", "occa::forLoop"),
    ("max", "occa::array::max"),
];

/// What such kernels cost above what they launch, or do otherwise.
fn inline(own: &mut Process, mode: &str, table: &mut Table) {
    for (what, called) in INLINE {
        let plain = if what == "max" { "parts" } else { "three" };
        let mut both = (Vec::new(), Vec::new());
        for _ in 0..=super::PAIRS {
            both.0.push(own.measure(what).expect("occa.cpp has it"));
            both.1.push(own.measure(plain).expect("occa.cpp has it"));
        }
        let called = format!("{called} above its launch");
        table.add(
            &called,
            mode,
            difference(&both, 1e6),
            "µs",
            Some((false, 2.0)),
        );
    }
}
