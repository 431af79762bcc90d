//! What runs on devices: `MODULE::…::DEVICE`.
//!
//! - `execution`: every example and case, run on every device there is, compared with its expectation
//! - `gather_scatter`: sums over entries of the same number
//! - `interpreted`: every OKL case, interpreted
//! - `launcher`: generated launchers without this project's runtime
//! - `properties`: random programs
//! - `ranks`: Brook+ on the devices of several processes
//!
//! Of `execution` there are:
//!
//! - `okl::NAME::DEVICE`: `NAME.okl` is built, every launch of `NAME.toml` is run, and all buffers are
//!   compared with what `NAME.reference.cpp` makes of them.
//! - `brook::NAME::DEVICE`: where there is a `NAME.toml` with launches, the kernels of `NAME.br` are
//!   called as it says, and streams compared with what `NAME.reference.cpp` makes of them; where there
//!   is a `NAME.expected.txt`, the program must print that. The command runs it on the processor; for all other devices
//!   it is built once, which is most of the work, and started with the name of each.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod gather_scatter;
mod interpreted;
mod launcher;
mod program;
#[path = "../properties/mod.rs"]
mod properties;
mod ranks;
#[path = "../support/mod.rs"]
mod support;

use crate::support::trusted::Trusted;
use brook::Source;
use brook::runtime::{BuildOptions, Device, Kernel, KernelArgument};
use libtest_mimic::Failed;
use support::Trial;
use support::cases::{self, About, Case, Launch};
use support::columns::{Column, columns_and_warps};
use support::process;
use support::reference::Reference;
use support::streams::{self, Argument};
use support::translate::{first_translation, is_missing, translate_for};
use support::values::{Scalar, Value};

fn main() {
    support::toolchains::name_nvrtc();
    process::opencl_libraries();
    small_caches();
    all_shared_out();
    support::run(&[
        ("execution", trials),
        ("gather_scatter", gather_scatter::trials),
        ("interpreted", interpreted::trials),
        ("launcher", launcher::trials),
        ("properties", properties::trials),
        ("ranks", ranks::trials),
    ])
}

/// On processors, arrays are written past the caches where they are larger: some of those of cases are, and some are not.
fn small_caches() {
    if std::env::var_os("BROOK_LAST_CACHE").is_none() {
        // SAFETY: nothing else runs yet.
        unsafe { std::env::set_var("BROOK_LAST_CACHE", "512") };
    }
}

/// Between the devices of a set, streams of a few elements are shared out, too.
fn all_shared_out() {
    // SAFETY: nothing else runs yet.
    unsafe { std::env::set_var("BROOK_SPREAD_BYTES", "1") };
}

fn trials() -> Vec<Trial> {
    let columns = columns_and_warps();
    let mut trials = Vec::new();
    for column in &columns {
        column.announce();
        let taken = |cases: Vec<Case>| {
            let all = cases.into_iter();
            all.filter(|case| {
                let text = case.source().text;
                column.takes(&case.name, &String::from_utf8_lossy(&text))
            })
        };
        // Of OKL nothing is shared out.
        let okl = match column.is_set() {
            true => Vec::new(),
            false => cases::okl(),
        };
        let okl = taken(okl).map(|case| okl_trial(case, column));
        let brook = taken(cases::brook()).map(|case| brook_trial(case, column));
        trials.extend(okl.chain(brook).collect::<Vec<_>>());
        if column.need.name.starts_with("emulated") && column.flags.is_empty() {
            trials.push(barrier_trial(column));
        }
    }
    trials
}

fn okl_trial(case: Case, column: &Column) -> Trial {
    let name = format!("okl::{}::{}", case.name, column.need.name);
    let column = column.clone();
    column.need.clone().trial(name, move || {
        run_okl(&case, &column, false).map_err(Failed::from)
    })
}

/// The test of the test: without the barriers that the language implies, a kernel that needs them
/// gives a wrong result in at least one order of the items.
fn barrier_trial(column: &Column) -> Trial {
    let column = column.clone();
    let name = format!("a_missing_barrier_shows::{}", column.need.name);
    column.need.clone().trial(name, move || {
        let case = cases::okl()
            .into_iter()
            .find(|case| case.name == "back_edge");
        match run_okl(&case.ok_or("there is no case back_edge")?, &column, true) {
            Ok(()) => Err("a kernel without its barriers gave the right result".into()),
            Err(error) if error.contains("elements differ") => Ok(()),
            Err(error) => Err(error.into()),
        }
    })
}

fn run_okl(case: &Case, column: &Column, no_barriers: bool) -> Result<(), String> {
    let about = case.about()?;
    if about.launch.is_empty() {
        return Err("the case launches nothing".into());
    }
    if is_cuda_again(case, column) {
        return Ok(());
    }
    let reference = Reference::build(case, &about)?;
    let math = about.math()?;
    let translate = brook::Options {
        no_auto_barriers: no_barriers,
        ..about.options()
    };
    let options = told(column, translate).math(math).cache(false);
    // By its full path, so that includes are found wherever the test is started.
    let source = Source::new(case.path.display().to_string(), case.source().text);
    for name in &column.devices {
        let device = Device::open(name).map_err(|e| e.to_string())?;
        let built = device.build(&source, &options);
        if let Some(code) = about.rejection(&device.backend().name) {
            match built {
                Err(error) if error.to_string().contains(code.as_str()) => continue,
                Err(error) if is_missing(device.backend(), &error.to_string()) => continue,
                Err(error) => return Err(format!("{code} is expected; got {error}")),
                Ok(_) => return Err(format!("{code} is expected, but it is accepted")),
            }
        }
        let program = match built {
            Err(error) if about.is_lacking(&error.to_string()) => continue,
            Err(error) if is_missing(device.backend(), &error.to_string()) => continue,
            built => built.map_err(|e| e.to_string())?,
        };
        for (index, launch) in about.launch.iter().enumerate() {
            let kernel = program.kernel(&launch.kernel).map_err(|e| e.to_string())?;
            run_launch(&kernel, launch, &reference, about.tolerance)
                .map_err(|e| format!("launch {} ({}) on {name}: {e}", index + 1, launch.kernel))?;
        }
        if !about.instantiate.is_empty() {
            run_templates(&about, &reference, &device, &source, column, no_barriers)
                .map_err(|e| format!("instantiated at launch on {name}: {e}"))?;
        }
    }
    Ok(())
}

/// The same with a program that has templates, and nothing that was made of them.
fn run_templates(
    about: &About,
    reference: &Reference,
    device: &Device,
    source: &Source,
    column: &Column,
    no_barriers: bool,
) -> Result<(), String> {
    let translate = brook::Options {
        no_auto_barriers: no_barriers,
        instantiate: Vec::new(),
        ..about.options()
    };
    let options = told(column, translate).math(about.math()?);
    let program = device
        .build(source, &options.cache(false))
        .map_err(|e| e.to_string())?;
    for launch in &about.launch {
        let name = launch.deduced.as_ref().unwrap_or(&launch.kernel);
        let mut kernel = program.kernel(name).map_err(|e| e.to_string())?;
        for (parameter, argument) in &launch.with {
            kernel = kernel
                .with(parameter, argument)
                .map_err(|e| e.to_string())?;
        }
        run_launch(&kernel, launch, reference, about.tolerance)
            .map_err(|e| format!("{} as {name}: {e}", launch.kernel))?;
    }
    Ok(())
}

/// Whether the text that a column of HIP would compile is the one that CUDA's column compiles, but for what it begins with: the
/// emulation has one scheduler for both. Functions of warps are asked for where waves have 64 lanes, too.
fn is_cuda_again(case: &Case, column: &Column) -> bool {
    let source = String::from_utf8_lossy(&case.source().text).into_owned();
    let by_warps = ["work_group_", "okl_shfl_", "warpSize", "group", "Group"];
    if column.need.name != "emulated-hip" || by_warps.iter().any(|w| source.contains(w)) {
        return false;
    }
    let [cuda, hip] = ["cuda", "hip"].map(|backend| first_translation(case, backend));
    match (cuda.as_ref(), hip.as_ref()) {
        (Ok(cuda), Ok(hip)) => {
            let head = "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n";
            let behind = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_string());
            let (cuda, hip) = (behind(&cuda.device), behind(&hip.device));
            cuda.is_some() && hip.map(|text| text.replacen(head, "", 1)) == cuda
        }
        _ => false,
    }
}

/// Whether a Brook+ program computes in a type that the target of a device says it lacks, and so is refused when it runs.
fn lacks(case: &Case, device: &str) -> Result<bool, String> {
    let device = Device::open(device).map_err(|e| e.to_string())?;
    let backend = device.backend();
    if backend.names.missing.is_empty() {
        return Ok(false);
    }
    let refused = translate_for(case, backend).is_err_and(|e| is_missing(backend, &e));
    // Kernels of OKL may stand in a text of the program's.
    let text = String::from_utf8_lossy(&case.source().text).into_owned();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    Ok(refused || words.any(|word| word == "double"))
}

/// Options with what a column's compiler is told, and how its items share out work.
fn told(column: &Column, translate: brook::Options) -> BuildOptions {
    let options = BuildOptions::new().translate(translate);
    let flags = column.flags.iter();
    let options = flags.fold(options, |options, flag| options.flag(*flag));
    match column.choices() {
        Some(choices) => options.choose("*", choices),
        None => options,
    }
}

fn run_launch(
    kernel: &Kernel,
    launch: &Launch,
    reference: &Reference,
    tolerance: f64,
) -> Result<(), String> {
    let device = kernel.program().device();
    // With BROOK_PARTS set, memory begins where OpenCL can make no buffer object of it, and vectors are aligned.
    let before = match std::env::var_os("BROOK_PARTS") {
        Some(_) => 32,
        None => 0,
    };
    let mut values = launch.arguments()?;
    let mut expected = launch.arguments()?;
    let mut memory = Vec::new();
    for value in &values {
        let buffer = match value.buffer {
            true => {
                let kind = value.scalar.kind(value.width);
                let (first, length) = (before / kind.size(), value.bytes().len() / kind.size());
                let whole = device.room_for(kind, first + length);
                let part = whole.and_then(|whole| whole.part(first, length));
                let buffer = part.map_err(|e| e.to_string())?;
                buffer.write(0, value.bytes()).map_err(|e| e.to_string())?;
                Some(buffer)
            }
            false => None,
        };
        memory.push(buffer);
    }
    let arguments: Vec<KernelArgument<'_>> = values
        .iter()
        .zip(&memory)
        .map(|(value, buffer)| match buffer {
            // Only a template asks for its type.
            Some(buffer) if kernel.template().is_some() => KernelArgument::memory(buffer, true),
            Some(buffer) => KernelArgument::buffer(buffer.buffer()),
            None if value.structure => KernelArgument::bytes(value.bytes()),
            None => scalar(value),
        })
        .collect();
    kernel.run(&arguments).map_err(|e| e.to_string())?;
    device.synchronize().map_err(|e| e.to_string())?;
    reference.call(&launch.kernel, &mut expected)?;
    let parameters = &kernel.metadata().parameters;
    for (index, buffer) in memory.iter().enumerate() {
        let Some(buffer) = buffer else { continue };
        buffer
            .read(0, values[index].bytes_mut())
            .map_err(|e| e.to_string())?;
        let name = &parameters[index].name;
        values[index]
            .compare(&expected[index], tolerance)
            .map_err(|e| format!("'{name}': {e}"))?;
    }
    Ok(())
}

fn scalar(value: &Value) -> KernelArgument<'_> {
    macro_rules! read {
        ($type:ty) => {
            <$type>::from_ne_bytes(value.bytes().try_into().unwrap()).into()
        };
    }
    match value.scalar {
        Scalar::Char => read!(i8),
        Scalar::UChar => read!(u8),
        Scalar::Short => read!(i16),
        Scalar::UShort => read!(u16),
        Scalar::Int => read!(i32),
        Scalar::UInt => read!(u32),
        Scalar::Long => read!(i64),
        Scalar::ULong => read!(u64),
        Scalar::Float => read!(f32),
        Scalar::Double => read!(f64),
    }
}

fn brook_trial(case: Case, column: &Column) -> Trial {
    let name = format!("brook::{}::{}", case.name, column.need.name);
    let column = column.clone();
    column.need.clone().trial(name, move || {
        let expected = case.sibling("expected.txt");
        let about = case.about()?;
        if about.launch.is_empty() && !expected.is_file() {
            return Err("the case neither launches nor prints anything".into());
        }
        if is_cuda_again(&case, &column) {
            return Ok(());
        }
        for device in &column.devices {
            if !about.launch.is_empty() {
                run_streams(&case, device, &column).map_err(|e| format!("{device}: {e}"))?;
            }
            // A program is a process of its own, and these are the job's already.
            let alone = column.need.name != "ranks-set";
            if expected.is_file() && alone && !lacks(&case, device)? {
                program::run(&case, device, &column, &std::fs::read_to_string(&expected)?)?;
            }
        }
        Ok(())
    })
}

/// Calls the kernels of a Brook+ file on streams.
fn run_streams(case: &Case, device: &str, column: &Column) -> Result<(), String> {
    let about = case.about()?;
    let reference = Reference::build(case, &about)?;
    let device = Device::open(device).map_err(|e| e.to_string())?;
    let options = told(column, about.options())
        .math(about.math()?)
        .cache(column.is_set());
    let source = Source::new(case.path.display().to_string(), case.source().text);
    let built = device.build(&source, &options);
    if let Some(code) = about.rejection(&device.backend().name) {
        return match built {
            Err(error) if error.to_string().contains(code.as_str()) => Ok(()),
            Err(error) => Err(format!("{code} is expected; got {error}")),
            Ok(_) => Err(format!("{code} is expected, but it is accepted")),
        };
    }
    let program = match built {
        Err(error) if is_missing(device.backend(), &error.to_string()) => return Ok(()),
        built => built.map_err(|e| e.to_string())?,
    };
    for (index, launch) in about.launch.iter().enumerate() {
        let kernel = program.kernel(&launch.kernel).map_err(|e| e.to_string())?;
        let (mut ours, mut theirs) = (Argument::all(launch)?, Argument::all(launch)?);
        let called = streams::call(&kernel, &device, &mut ours);
        reference.call_streams(&launch.kernel, &mut theirs)?;
        called
            .and_then(|()| streams::compare(&ours, &theirs, about.tolerance))
            .map_err(|e| format!("launch {} ({}): {e}", index + 1, launch.kernel))?;
    }
    Ok(())
}
