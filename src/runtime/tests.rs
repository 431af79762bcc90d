//! Building and launching for real, on the processor.

use super::*;
use crate::args;
use crate::source_text::Source;

const AXPY: &str = r"
@kernel void axpy(const int n, const float alpha, const float *x, float *y) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
    y[i] = alpha * x[i] + y[i];
  }
}
@kernel void scale(const unsigned long n, double *x) {
  for (unsigned long b = 0; b < n; b += 32; @outer) {
    for (unsigned long i = b; i < b + 32; ++i; @inner) {
      if (i < n) x[i] *= FACTOR;
    }
  }
}
";

/// Launches of kernels whose text the tests know.
pub(crate) trait Trusted {
    /// [`Kernel::launch`].
    fn run(&self, arguments: &[KernelArgument<'_>]) -> Result<()>;
}

impl Trusted for Kernel {
    fn run(&self, arguments: &[KernelArgument<'_>]) -> Result<()> {
        // SAFETY: the kernels of these tests keep to the memory that they are given.
        unsafe { self.launch(arguments) }
    }
}

/// The processor as a device; `None`, said by name, where there is no compiler.
pub(crate) fn processor() -> Option<Device> {
    let opened = Device::open("openmp").map_err(|e| e.to_string());
    match opened.and_then(|d| d.info().compiler.clone().map(|_| d)) {
        Ok(device) => Some(device),
        Err(error) => {
            assert!(
                std::env::var("BROOK_REQUIRE").as_deref() != Ok("all"),
                "{error}"
            );
            eprintln!("ignored, since there is no OpenMP: {error}");
            None
        }
    }
}

pub(super) fn build(device: &Device, text: &str) -> Program {
    let options = BuildOptions::new().define("FACTOR", 3).cache(false);
    device
        .build(Source::new("test.okl", text), &options)
        .unwrap()
}

#[test]
fn a_kernel_computes() {
    let Some(device) = processor() else { return };
    let program = build(&device, AXPY);
    let axpy = program.kernel("axpy").unwrap();
    for n in [0usize, 1, 64, 1000] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let x = device.upload(&x).unwrap();
        let mut y = device.upload(&vec![1.0f32; n]).unwrap();
        axpy.run(args![n, 2.0, &x, &mut y]).unwrap();
        let expected: Vec<f32> = (0..n).map(|i| 2.0 * i as f32 + 1.0).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
    }
    let scale = program.kernel("scale").unwrap();
    let mut x = device.upload(&[1.0, 2.0, 3.0]).unwrap();
    scale.run(args![2, &mut x]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [3.0, 6.0, 3.0]);
}

#[test]
fn wrong_arguments_are_named() {
    let Some(device) = processor() else { return };
    let axpy = build(&device, AXPY).kernel("axpy").unwrap();
    let floats = device.zeros::<f32>(4).unwrap();
    let doubles = device.zeros::<f64>(4).unwrap();
    let mut out = device.zeros::<f32>(4).unwrap();
    let error = |list: &[KernelArgument<'_>]| axpy.run(list).unwrap_err().to_string();
    assert_eq!(
        error(args![1, 2.0f32, &floats]),
        "kernel 'axpy' takes 4 arguments (n, alpha, x, y); got 3"
    );
    assert_eq!(
        error(args![&floats, 2.0f32, &floats, &mut out]),
        "argument 1 'n' of kernel 'axpy' is an int; got a float buffer"
    );
    assert_eq!(
        error(args![1u64 << 40, 2.0f32, &floats, &mut out]),
        "argument 1 'n' of kernel 'axpy' is an int, which cannot hold 1099511627776"
    );
    assert_eq!(
        error(args![1, 2, &floats, &mut out]),
        "argument 2 'alpha' of kernel 'axpy' is a float; got an int"
    );
    assert_eq!(
        error(args![1, 2.0, &doubles, &mut out]),
        "argument 3 'x' of kernel 'axpy' is a float buffer; got a double buffer"
    );
    assert_eq!(
        error(args![1, 2.0, 5, &mut out]),
        "argument 3 'x' of kernel 'axpy' is a float buffer; got an int"
    );
    assert_eq!(
        error(args![1, 2.0, floats.read_only(), floats.read_only()]),
        "argument 4 'y' of kernel 'axpy' is not declared const, so the kernel may write it; got memory that is read only"
    );
    axpy.run(args![
        1,
        2.0f64,
        KernelArgument::buffer(floats.buffer()),
        &mut out
    ])
    .unwrap();
    axpy.run(args![
        0,
        2.0f64,
        KernelArgument::null(),
        KernelArgument::null()
    ])
    .unwrap();
}

#[test]
fn what_is_not_there_is_said() {
    let Some(device) = processor() else { return };
    let error = build(&device, AXPY).kernel("axpi").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no kernel 'axpi' (did you mean 'axpy'?); the source has: axpy, scale"
    );
    let error = Device::open("abacus:0").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no device is called 'abacus:0'; there are: "),
        "{error}"
    );
    assert!(error.to_string().contains("openmp:0"));
    assert_eq!(error.exit_code(), 3);
    assert!(
        Device::open("openmp:7")
            .unwrap_err()
            .to_string()
            .contains("openmp:7")
    );
    assert!(
        Device::open("openmp:x")
            .unwrap_err()
            .to_string()
            .contains("openmp:x")
    );
    let options = BuildOptions::new().cache(false);
    let error = device.build(
        Source::new("a.okl", "@kernel void f(int *a) { oops }"),
        &options,
    );
    assert_eq!(error.unwrap_err().exit_code(), 1);
    let source = "@kernel void f(int *a) { for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) a[i] = __nothing; }";
    let error = device
        .build(Source::new("a.okl", source), &options)
        .unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("nothing"), "{error}");
}

#[test]
fn the_compiler_names_the_users_lines() {
    let Some(device) = processor() else { return };
    let text = "// Not here.\n#define F(x) \\\n  (x)\n@kernel void k(int *a) {\n  \
                for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) {\n    a[i] = F(1 +\n      \
                2);\n    a[i] += __undeclared;\n  }\n}\n";
    let build = |options: BuildOptions| {
        let built = device.build(Source::new("dir/k.okl", text), &options.cache(false));
        built.unwrap_err().to_string()
    };
    let error = build(BuildOptions::new().line_directives(true));
    assert!(error.contains("dir/k.okl:8:"), "{error}");
    // They are named, too, where nobody asked for it, once something is wrong.
    assert!(build(BuildOptions::new()).contains("dir/k.okl:8:"));
    // The compiler sees what it is told of.
    let error = build(
        BuildOptions::new()
            .flag("-D__undeclared=unknown")
            .standard("c++20"),
    );
    assert!(error.contains("unknown"), "{error}");
    assert!(build(BuildOptions::new().standard("c++1900")).contains("c++1900"));
}

/// GCC counts columns of a terminal, clang bytes; what stands before a word is shorter or longer than in the source.
#[test]
fn the_compiler_names_the_users_columns() {
    let Some(device) = processor() else { return };
    let text = "@kernel void k(int *a) {\n\
                \t@outer for (int i = 0; i < 4; ++i) { @inner for (int j = 0; j < 4; ++j) { a[j] = 1 + __first(j); } }\n\
                \t@outer for (int i = 0; i < 4; ++i)\n\t\t@inner for (int j = 0; j < 4; ++j) { a[j] = __äther; a[j] += __third(j); }\n\
                }\n";
    let options = BuildOptions::new().cache(false);
    let built = device.build(Source::new("dir/k.okl", text), &options);
    let error = built.unwrap_err().to_string();
    let column = |row: usize, word: &str| {
        let line = text.lines().nth(row - 1).unwrap();
        line.find(word).unwrap() + 1
    };
    for (row, word) in [(2, "__first"), (4, "__äther"), (4, "__third")] {
        let place = format!("dir/k.okl:{row}:{}: error", column(row, word));
        assert!(error.contains(&place), "{place}\n{error}");
    }
}

#[test]
fn memory_copies_check_lengths() {
    let Some(device) = processor() else { return };
    let memory = device.upload(&[1i16, 2, 3]).unwrap();
    memory.write(&[4, 5, 6]).unwrap();
    assert!(memory.write(&[1]).is_err());
    assert!(memory.download(&mut [0; 4]).is_err());
    let other = device.zeros(3).unwrap();
    other.copy_from(&memory).unwrap();
    assert_eq!(other.to_vec().unwrap(), [4, 5, 6]);
    assert_eq!(format!("{other:?}"), "Memory<short>[3] on openmp:0");
    assert!(device.zeros::<u64>(usize::MAX / 4).is_err());
    assert!(device.zeros::<u8>(0).unwrap().is_empty());
}

#[cfg(feature = "openmp")]
mod added {
    use super::*;

    /// A driver of somebody else's, whose kernels are translated for a built-in backend.
    struct Emulated(brook_openmp::OpenMp);

    impl brook_driver::Driver for Emulated {
        fn backend(&self) -> &'static str {
            "emulated"
        }

        fn devices(&self) -> brook_driver::Result<Vec<DeviceInfo>> {
            self.0.devices()
        }

        fn open(
            &self,
            ordinal: usize,
        ) -> brook_driver::Result<std::sync::Arc<dyn brook_driver::Device>> {
            self.0.open(ordinal)
        }
    }

    #[test]
    fn drivers_can_be_added() {
        let Some(processor) = processor() else { return };
        register(Box::new(Emulated(brook_openmp::OpenMp::new())), "openmp");
        let device = Device::open("emulated").unwrap();
        assert_eq!(
            (device.name(), device.backend().name.as_str()),
            ("emulated:0", "openmp")
        );
        assert!(
            list()
                .iter()
                .any(|e| e.name == "emulated:0" && e.info.is_ok())
        );
        let kernel = build(&device, AXPY).kernel("axpy").unwrap();
        let x = device.upload(&[1.0f32]).unwrap();
        let mut y = device.upload(&[2.0f32]).unwrap();
        kernel.run(args![1, 3.0, &x, &mut y]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [5.0]);
        let elsewhere = processor.upload(&[1.0f32]).unwrap();
        assert_eq!(
            kernel
                .run(args![1, 3.0, &elsewhere, &mut y])
                .unwrap_err()
                .to_string(),
            "argument 3 'x' of kernel 'axpy' is memory of device openmp:0; the kernel runs on emulated:0"
        );
    }
}

/// Not a test of its own: says which device the environment chooses.
#[test]
#[ignore = "run by another test, in processes of their own"]
fn detected() {
    match Device::detect() {
        Ok(device) => println!("detected {}", device.name()),
        Err(error) => println!("error {error}"),
    }
}

#[test]
fn the_environment_chooses_the_device() {
    if processor().is_none() {
        return;
    }
    let detect = |variables: &[(&str, &str)]| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "runtime::tests::detected",
            "--ignored",
            "--nocapture",
        ]);
        for name in ["BROOK_DEVICE", "BRT_RUNTIME", "BRT_ADAPTER"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let is = |variables: &[(&str, &str)], wanted: &str| {
        let said = detect(variables);
        assert!(said.contains(wanted), "{variables:?}: {said}");
    };
    is(&[("BROOK_DEVICE", "openmp")], "detected openmp:0");
    is(
        &[("BROOK_DEVICE", "openmp:0"), ("BRT_RUNTIME", "cal")],
        "detected openmp:0",
    );
    is(&[("BRT_RUNTIME", "cpu")], "detected openmp:0");
    is(
        &[("BROOK_DEVICE", ""), ("BRT_RUNTIME", "cpu")],
        "detected openmp:0",
    );
    is(
        &[("BROOK_DEVICE", "abacus")],
        "error no device is called 'abacus'; there are: ",
    );
    is(
        &[("BRT_RUNTIME", "dsp")],
        "error BRT_RUNTIME is 'dsp'; it must be 'cpu' or 'cal'",
    );
    is(
        &[("BRT_ADAPTER", "one")],
        "error BRT_ADAPTER is 'one'; it must be the number of a GPU",
    );
    is(&[("BRT_ADAPTER", "99")], "error there is no GPU");
    is(&[], "detected ");
}

#[test]
fn handles_may_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Device>();
    shared::<Program>();
    shared::<Kernel>();
    shared::<Memory<f32>>();
    shared::<DynStream>();
    let Some(device) = processor() else { return };
    let axpy = build(&device, AXPY).kernel("axpy").unwrap();
    std::thread::scope(|scope| {
        for n in 1..9i32 {
            let (device, axpy) = (&device, &axpy);
            scope.spawn(move || {
                let x = device.upload(&vec![n as f32; 1000]).unwrap();
                let mut y = device.zeros::<f32>(1000).unwrap();
                for _ in 0..20 {
                    axpy.run(args![1000, 1.0, &x, &mut y]).unwrap();
                }
                assert_eq!(y.to_vec().unwrap(), vec![20.0 * n as f32; 1000]);
            });
        }
    });
}
