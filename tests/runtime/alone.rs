//! What needs a process of its own: other environments, other limits, forks.
//!
//! This program runs itself, with `BROOK_TEST_ALONE` naming what to do.

use crate::fused_reductions::fused_reductions;
use crate::fused_sequences::fused_sequences;
use crate::support::Trial;
use crate::support::columns::Column;
use crate::support::need::Need;
use crate::support::process;
use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build, packages, pages};
use brook::runtime::{BuildOptions, Device, Package, Program};
use brook::{Source, args};
use libtest_mimic::Failed;
use std::process::Command;

const ASK: &str = "BROOK_TEST_ALONE";
const DEVICE: &str = "BROOK_TEST_DEVICE";
const PACKAGE: &str = "BROOK_TEST_PACKAGE";

/// Each runs for every device.
const EACH: &[Test] = &[
    ("alone::fork_after_use", fork_after_use),
    ("alone::builds_do_not_grow", builds_do_not_grow),
    ("alone::detected_by_name", detected_by_name),
    ("alone::loads_without_compilers", loads_without_compilers),
    // Whether calls wait is said of a device for all that have it open.
    ("alone::fused_sequences", fused_sequences),
    ("alone::fused_reductions", fused_reductions),
];

/// And these for every GPU: on a processor such a kernel may end the process.
const EACH_GPU: &[Test] = &[("alone::writes_out_of_bounds", writes_out_of_bounds)];

/// Does what the environment asks for instead of the tests, if it does.
pub fn run_if_asked() {
    let Ok(name) = std::env::var(ASK) else {
        return;
    };
    if name == "build" {
        build_through_cache();
    } else if name == "fill" {
        let device = Device::open("openmp").unwrap();
        let source = Source::new("cached.okl", KERNELS);
        device.build(source, &BuildOptions::new()).unwrap();
    } else if name == "warm" {
        build_warm();
    } else if name == "detect" {
        let error = Device::detect().unwrap_err();
        eprint!("{error}");
    } else if name == "load" {
        let device = Device::open(&std::env::var(DEVICE).unwrap()).unwrap();
        load(&device, &std::env::var(PACKAGE).unwrap());
    } else if name == "devices" {
        two_opencl_devices();
    } else if name == "pages" {
        let scratch = brook_driver::ScratchDirectory::new().unwrap();
        pages::run(scratch.path());
        // What follows ends the process, and drops nothing.
        drop(scratch);
    } else {
        let mut all = EACH.iter().chain(EACH_GPU);
        let test = all.find(|(n, _)| *n == name).unwrap().1;
        let device = std::env::var(DEVICE).unwrap();
        test(&Device::open(&device).unwrap());
    }
    std::process::exit(0);
}

fn myself(what: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // A usual run's environment would decide what is tested.
    for name in ["BROOK_DEVICE", "BRT_RUNTIME", "BRT_ADAPTER"] {
        command.env_remove(name);
    }
    if let Some(names) = process::opencl_libraries() {
        command.env("OCL_ICD_FILENAMES", names);
    }
    command.env(ASK, what);
    command
}

fn run(command: &mut Command) -> Result<process::Finished, Failed> {
    let finished = process::run(command, b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(finished),
        code => Err(format!("it ended with {code:?}:\n{}", finished.stderr).into()),
    }
}

pub fn device_trials(column: &Column) -> Vec<Trial> {
    let trial = |name: &'static str| {
        let devices = column.devices.clone();
        column
            .need
            .trial(format!("{name}::{}", column.need.name), move || {
                let device = devices.first().ok_or("there is no device")?;
                run(myself(name).env(DEVICE, device)).map(drop)
            })
    };
    let gpu = ["cuda", "opencl-gpu", "hip", "hip-on-cuda"].contains(&column.need.name);
    let tests = EACH.iter().chain(if gpu { EACH_GPU } else { &[] });
    tests.map(|(name, _)| trial(name)).collect()
}

/// Those that need no device, or choose their own.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("alone::missing_device", missing_device)];
    let openmp = Device::open("openmp").map_err(|e| e.to_string());
    let openmp = openmp.and_then(|d| d.info().compiler.clone().map(drop));
    let mounts = openmp.clone().and_then(|()| {
        let status = Command::new("unshare").args(["-rm", "true"]).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err("this user may not mount anything (unshare -rm)".to_string()),
        }
    });
    let mounts = Need::new("mounts", &mounts);
    mounts.announce();
    for (name, options) in [
        ("alone::read_only_cache", "ro"),
        // Room for a folder or two, and for no binary.
        ("alone::full_cache", "size=12k,mode=700"),
    ] {
        let test = move || cache_on(options);
        trials.push(mounts.trial(name.to_string(), test));
    }
    trials.push(
        mounts.trial("alone::cache_becomes_read_only".to_string(), || {
            cache_becomes_read_only()
        }),
    );
    let openmp = Need::new("openmp", &openmp);
    trials.push(openmp.trial("alone::pages".to_string(), || {
        run(myself("pages").env("BROOK_DEVICE", "openmp")).map(drop)
    }));
    trials.push(openmp.trial("alone::no_cache_directory".to_string(), || {
        run(myself("build").env("BROOK_CACHE_DIR", "/dev/null/cache")).map(drop)
    }));
    let entries = brook::runtime::list();
    let pocl = entries.iter().any(|entry| {
        let info = entry.info.as_ref();
        entry.name.starts_with("opencl")
            && info.is_ok_and(|i| {
                i.compiler
                    .as_ref()
                    .is_ok_and(|c| c.contains("PoCL") || c.contains("Portable"))
            })
    });
    let pocl = match pocl {
        true => Ok(()),
        false => Err("no PoCL, which can be told to have two devices".to_string()),
    };
    let pocl = Need::new("pocl", &pocl);
    pocl.announce();
    trials.push(pocl.trial("alone::two_opencl_devices".to_string(), || {
        run(myself("devices").env("POCL_DEVICES", "pthread basic")).map(drop)
    }));
    trials
}

fn missing_device() -> Result<(), Failed> {
    for (variable, value, expected) in [
        ("BROOK_DEVICE", "cuda:77", "cuda:77"),
        (
            "BROOK_DEVICE",
            "abacus",
            "no device is called 'abacus'; there are: ",
        ),
        ("BRT_RUNTIME", "gpu", "it must be 'cpu' or 'cal'"),
        ("BRT_ADAPTER", "x", "BRT_ADAPTER is 'x'"),
        ("BRT_ADAPTER", "999", "there is no GPU"),
    ] {
        let finished = run(myself("detect").env(variable, value))?;
        assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    }
    Ok(())
}

/// A kernel that writes where no memory is: the GPU says so, and whoever goes on is told again.
fn writes_out_of_bounds(device: &Device) {
    let source = "@kernel void wild(const long at, float *a) {\n  \
        for (int i = 0; i < 64; ++i; @tile(64, @outer, @inner)) a[at + 1048576L * i] = 1;\n}\n";
    let program = device
        .build(
            Source::new("wild.okl", source),
            &BuildOptions::new().cache(false),
        )
        .unwrap();
    let wild = program.kernel("wild").unwrap();
    let memory = device.upload(&[0.0f32; 16]).unwrap();
    let launched = wild.run(args![1i64 << 44, &memory]);
    let waited = device.synchronize();
    let read = memory.to_vec();
    let error = launched.err().or(waited.err()).or(read.err());
    assert!(error.is_some(), "nobody noticed");
    // Nothing of this device can be used any more, and all of it says so instead of going on.
    assert!(device.upload(&[1.0f32]).and_then(|m| m.to_vec()).is_err());
}

fn detected_by_name(device: &Device) {
    // SAFETY: this process has one thread that reads the environment, this one.
    unsafe { std::env::set_var("BROOK_DEVICE", device.name()) };
    let detected = Device::detect().unwrap();
    assert_eq!(detected.name(), device.name());
}

/// What was compiled here, for this device and for its like, is loaded where no compiler is to be found.
fn loads_without_compilers(device: &Device) {
    // The emulation calls one to find out whether it has devices.
    if device.name().starts_with("emulated") {
        return;
    }
    let scratch = brook_driver::ScratchDirectory::new().unwrap();
    let tools = scratch.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    // PoCL's driver holds a compiler and no linker, and compiles again for the sizes of a launch.
    if device.name().starts_with("opencl")
        && let Some(linker) = brook_driver::find_program("ld")
    {
        std::os::unix::fs::symlink(linker, tools.join("ld")).unwrap();
    }
    for (index, target) in packages::targets(device).iter().enumerate() {
        let path = scratch.path().join(format!("{index}.brk"));
        let source = Source::new("axpy.okl", KERNELS);
        let package = Package::compile(source, &[target], &BuildOptions::new()).unwrap();
        package.write(&path).unwrap();
        let mut command = myself("load");
        command.env(DEVICE, device.name()).env(PACKAGE, &path);
        command.env("PATH", &tools).env("BROOK_CACHE", "off");
        // What other tests launched is not at hand.
        command.env("POCL_CACHE_DIR", scratch.path().join("pocl"));
        for name in ["CUDA_HOME", "CUDA_PATH", "CXX", "BROOK_CXX"] {
            command.env_remove(name);
        }
        command.env("BROOK_NVRTC", "/nonexistent/libnvrtc.so");
        run(&mut command).unwrap();
    }
}

fn load(device: &Device, path: &str) {
    let options = BuildOptions::new().cache(false);
    let built = device.build(Source::new("axpy.okl", KERNELS), &options);
    // OpenCL's compiler is in its driver; HIP's is found without a path.
    if ["openmp:0", "cuda:0", "hip-on-cuda:0"].contains(&device.name()) {
        assert_eq!(built.unwrap_err().exit_code(), 3);
        assert!(device.info().compiler.is_err());
    }
    packages::axpy_works(&Program::load(device, path).unwrap());
}

/// The first build writes the cache if it can; the second finds something or not, and works anyway.
fn build_through_cache() {
    let device = Device::open("openmp").unwrap();
    for _ in 0..2 {
        let source = Source::new("cached.okl", KERNELS);
        let program = device.build(source, &BuildOptions::new()).unwrap();
        let axpy = program.kernel("axpy").unwrap();
        let x = device.upload(&[1.0f32; 10]).unwrap();
        axpy.run(args![10, 1.0, &x, &x]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [2.0; 10]);
        assert!(!program.from_cache());
    }
}

/// What is in the cache is read from there; what is not is built.
fn build_warm() {
    let device = Device::open("openmp").unwrap();
    let build = |options: BuildOptions| {
        let source = Source::new("cached.okl", KERNELS);
        device.build(source, &options).unwrap().from_cache()
    };
    assert!(build(BuildOptions::new()));
    let other = || BuildOptions::new().define("OTHER", 1);
    assert!(!build(other()) && !build(other()));
}

/// A cache that a system's image may bring along: it was filled, and cannot be written any more. Its files are old, so
/// that each use would be noted.
fn cache_becomes_read_only() -> Result<(), Failed> {
    let scratch = brook_driver::ScratchDirectory::new().map_err(|e| e.to_string())?;
    let place = scratch.path().join("cache");
    std::fs::create_dir(&place)?;
    let script = format!(
        "export BROOK_CACHE_DIR='{0}'; unset BROOK_CACHE\n\
         mount -t tmpfs -o mode=700 none \"$BROOK_CACHE_DIR\" && {ASK}=fill '{1}' && \
         find \"$BROOK_CACHE_DIR\" -type f -exec touch -d '3 days ago' {{}} + && \
         mount -o remount,ro \"$BROOK_CACHE_DIR\" && exec '{1}'",
        place.display(),
        std::env::current_exe()?.display()
    );
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &script]).env(ASK, "warm");
    run(&mut command).map(drop)
}

/// Builds with a cache directory on a file system of its own, mounted with those options.
fn cache_on(options: &str) -> Result<(), Failed> {
    let scratch = brook_driver::ScratchDirectory::new().map_err(|e| e.to_string())?;
    let place = scratch.path().join("cache");
    std::fs::create_dir(&place)?;
    let script = format!(
        "mount -t tmpfs -o {options} none '{0}' && BROOK_CACHE_DIR='{0}' exec '{1}'",
        place.display(),
        std::env::current_exe()?.display()
    );
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &script]).env(ASK, "build");
    run(&mut command).map(drop)
}

fn axpy_works(device: &Device) -> Result<(), String> {
    let text = |e: brook::runtime::Error| e.to_string();
    let options = BuildOptions::new().cache(false);
    let program = device
        .build(Source::new("fork.okl", KERNELS), &options)
        .map_err(text)?;
    let axpy = program.kernel("axpy").map_err(text)?;
    let x = device.upload(&[1.0f32; 100]).map_err(text)?;
    axpy.run(args![100, 1.0, &x, &x]).map_err(text)?;
    match x.to_vec().map_err(text)? == [2.0; 100] {
        true => Ok(()),
        false => Err("wrong numbers".to_string()),
    }
}

/// After a fork, a child either works or says why not; it neither hangs nor crashes, whatever it has
/// of its parent's. The parent goes on.
fn fork_after_use(device: &Device) {
    unsafe extern "C" {
        safe fn fork() -> i32;
        safe fn _exit(status: i32) -> !;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        safe fn alarm(seconds: u32) -> u32;
    }
    axpy_works(device).unwrap();
    let x = device.upload(&[3.0f32; 4]).unwrap();
    let queue = device.queue().unwrap();
    let event = queue.record().unwrap();
    queue.wait().unwrap();
    let child = fork();
    if child == 0 {
        alarm(60);
        let works = axpy_works(device);
        let on_queue = queue.wait();
        let sound = match (&works, device.name().split(':').next()) {
            (Ok(()), Some("openmp")) => on_queue.is_err() && x.to_vec().is_ok(),
            (Ok(()), _) => device.name().starts_with("emulated"),
            (Err(error), _) => error.contains("before this process was forked"),
        };
        eprintln!("in the child: {works:?}, {on_queue:?}");
        // Nor must dropping what came from the parent hang.
        drop((x, event, queue));
        _exit(i32::from(!sound));
    }
    let mut status = 0;
    // SAFETY: the pointer is to a live integer.
    let ended = unsafe { waitpid(child, &raw mut status, 0) };
    assert_eq!((ended, status), (child, 0), "the child");
    assert_eq!(x.to_vec().unwrap(), [3.0; 4]);
    axpy_works(device).unwrap();
}

/// Many builds of one program, through the cache: neither memory nor file handles grow.
fn builds_do_not_grow(device: &Device) {
    // The emulation, which is for tests only, unloads nothing.
    if device.name().starts_with("emulated") {
        return;
    }
    let builds = std::env::var("BROOK_BUILDS").ok();
    let builds: usize = builds.map_or(10_000, |n| n.parse().unwrap());
    let scratch = brook_driver::ScratchDirectory::new().unwrap();
    // SAFETY: this process has one thread that reads the environment, this one.
    unsafe {
        std::env::set_var("BROOK_CACHE_DIR", scratch.path().join("cache"));
        std::env::remove_var("BROOK_CACHE");
    }
    let source = Source::new("grow.okl", KERNELS);
    let x = device.upload(&[0.0f32; 8]).unwrap();
    let build = || {
        let program = device.build(&source, &BuildOptions::new()).unwrap();
        let axpy = program.kernel("axpy").unwrap();
        axpy.run(args![8, 1.0, &x, &x]).unwrap();
    };
    let warm = (builds / 10).max(20);
    (0..warm).for_each(|_| build());
    let (memory, handles) = (resident(), open_files());
    (warm..builds).for_each(|_| build());
    let (after, handles_after) = (resident(), open_files());
    eprintln!("{memory} -> {after} KiB, {handles} -> {handles_after} files");
    assert_eq!(handles, handles_after);
    let growth = after.saturating_sub(memory);
    assert!(growth < 16 << 10, "{memory} KiB have become {after} KiB");
}

/// KiB of this process in memory.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    let words = line.unwrap().split_whitespace().next();
    words.unwrap().parse().unwrap()
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Two OpenCL devices in one process: copies between them, and both at work.
fn two_opencl_devices() {
    let entries = brook::runtime::list();
    let names: Vec<_> = entries
        .iter()
        .filter(|e| e.name.starts_with("opencl") && e.info.is_ok())
        .collect();
    assert!(names.len() > 1, "{names:?}");
    let devices: Vec<Device> = names
        .iter()
        .map(|e| Device::open(&e.name).unwrap())
        .collect();
    let n = 1 << 20;
    let x = devices[0].upload(&vec![1.0f32; n]).unwrap();
    let there = devices[1].zeros::<f32>(n).unwrap();
    there.copy_from(&x).unwrap();
    std::thread::scope(|scope| {
        for (device, x) in devices.iter().zip([&x, &there]) {
            scope.spawn(move || {
                let axpy = build(device, KERNELS).kernel("axpy").unwrap();
                for _ in 0..3 {
                    axpy.run(args![n, 1.0, x, x]).unwrap();
                }
            });
        }
    });
    for memory in [x, there] {
        assert_eq!(memory.to_vec().unwrap(), vec![8.0; n]);
    }
}
