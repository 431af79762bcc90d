//! What is compiled ahead of time, on the device it was compiled for.

use crate::memory::{self, PARTS};
use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build};
use brook::runtime::{BuildOptions, Device, KernelArgument, Package, Program};
use brook::{Options, Source, args};

pub const TESTS: &[Test] = &[
    ("packages::compute_as_built", compute_as_built),
    ("packages::check_arguments_as_built", check_arguments),
    ("packages::for_others_are_refused", others_are_refused),
    ("packages::take_parts_at_any_element", take_parts),
    ("packages::instances_take_parts", instances_take_parts),
];

/// What the device takes: what is compiled for it by its name, and what is compiled for its like.
pub fn targets(device: &Device) -> Vec<String> {
    let mut targets = vec![device.name().to_string()];
    let driver = device.name().split(':').next().unwrap();
    let architecture = &device.info().architecture;
    let more: &[&str] = match driver {
        "cuda" => &["cuda:compute_75", "cuda:compute_80", architecture],
        "hip" => &[architecture],
        "opencl" => &["opencl"],
        "openmp" if cfg!(target_arch = "x86_64") => &["openmp", "openmp:native", "openmp:x86-64"],
        "openmp" => &["openmp"],
        _ => &[],
    };
    targets.extend(more.iter().map(|t| match t.contains(driver) {
        true => t.to_string(),
        false => format!("{driver}:{t}"),
    }));
    targets
}

fn packed(targets: &[String]) -> Package {
    let source = Source::new("axpy.okl", KERNELS);
    let package = Package::compile(source, targets, &BuildOptions::new()).unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// Whether 2 + 3 * 2 is 8, everywhere.
pub fn axpy_works(program: &Program) {
    let axpy = program.kernel("axpy").unwrap();
    for n in [0usize, 1, 63, 64, 1000] {
        let x = program.device().upload(&vec![2.0f32; n]).unwrap();
        let y = program.device().upload(&vec![2.0f32; n]).unwrap();
        axpy.run(args![n, 3.0f32, &x, &y]).unwrap();
        assert_eq!(y.to_vec().unwrap(), vec![8.0; n]);
    }
}

fn compute_as_built(device: &Device) {
    for target in targets(device) {
        axpy_works(&Program::load(device, packed(&[target])).unwrap());
    }
    axpy_works(&Program::load(device, packed(&targets(device))).unwrap());
}

fn check_arguments(device: &Device) {
    let built = build(device, KERNELS);
    let loaded = Program::load(device, packed(&targets(device)[..1])).unwrap();
    let x = device.upload(&[0.0f32; 4]).unwrap();
    let doubles = device.upload(&[0.0f64; 4]).unwrap();
    let wrong: [&[KernelArgument<'_>]; 5] = [
        args![4, 1.0f32, &x],
        args![1u64 << 40, 1.0f32, &x, &x],
        args![4, 1, &x, &x],
        args![4, 1.0f32, &doubles, &x],
        args![4, 1.0f32, &x, x.read_only()],
    ];
    for arguments in wrong {
        let error = |program: &Program| {
            let kernel = program.kernel("axpy").unwrap();
            kernel.run(arguments).unwrap_err().to_string()
        };
        assert_eq!(error(&loaded), error(&built));
    }
    let error = |program: &Program| program.kernel("axpi").unwrap_err().to_string();
    assert_eq!(error(&loaded), error(&built));
    assert!(!loaded.from_cache() && loaded.warnings().is_none());
}

fn take_parts(device: &Device) {
    let source = Source::new("parts.okl", PARTS);
    let package = Package::compile(source, &targets(device), &BuildOptions::new()).unwrap();
    let file = package.to_bytes().unwrap();
    // Taken over, as `brook compile here.brk there.brk` does.
    let mut all = packed(&targets(device));
    all.add(Package::from_bytes(file.clone()).unwrap()).unwrap();
    let program = all.program("parts.okl").unwrap().load(device).unwrap();
    memory::take_parts(&program);
    for target in targets(device) {
        let source = Source::new("parts.okl", PARTS);
        let package = Package::compile(source, &[target], &BuildOptions::new()).unwrap();
        memory::take_parts(&Program::load(device, package).unwrap());
    }
    let again = Program::load(device, file).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| memory::take_parts(&again));
        }
    });
}

fn instances_take_parts(device: &Device) {
    let text = "
template <typename T, int N>
@kernel void add(const int n, const T *x, T *y) {
  for (int i = 0; i < n; ++i; @tile(32, @outer, @inner)) y[i] = x[i] + N;
}
";
    let translate = Options {
        instantiate: vec!["add<int, 3>".into(), "add<float, 5>".into()],
        ..Options::default()
    };
    let options = BuildOptions::new().translate(translate);
    let source = Source::new("add.okl", text);
    let package = Package::compile(source, &targets(device), &options).unwrap();
    let program = Program::load(device, package).unwrap();
    let x = device.upload(&[1i32, 2, 3, 4, 5]).unwrap();
    let y = device.zeros::<i32>(5).unwrap();
    let add = program.kernel("add").unwrap().with("N", 3).unwrap();
    let (from, to) = (x.slice(1..4).unwrap(), y.slice(2..5).unwrap());
    add.run(args![3, from.read_only(), &to]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 0, 5, 6, 7]);
}

fn others_are_refused(device: &Device) {
    let foreign = match device.name().starts_with("opencl") {
        true => "openmp",
        false => "opencl",
    };
    let error = Program::load(device, packed(&[foreign.to_string()])).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(device.name()), "{text}");
    assert!(text.contains(&device.info().architecture), "{text}");
    assert!(
        text.contains(&format!("it is for devices of '{foreign}'")),
        "{text}"
    );
}
