//! Compiles, loads and launches with the real system compiler.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use brook_driver::{Argument, Buffer, CompileOptions, Device, Driver, ErrorKind, Kernel, Math};
use brook_openmp::OpenMp;
use std::sync::Arc;

const NONE: [u64; 3] = [1, 1, 1];
const ONE: [u32; 3] = [1, 1, 1];

/// The device, or none when there is no compiler; under `BROOK_REQUIRE=all` that is a failure.
fn device() -> Option<Arc<dyn Device>> {
    let device = OpenMp::new().open(0).unwrap();
    match device.info().compiler.clone() {
        Ok(_) => Some(device),
        Err(e) if std::env::var("BROOK_REQUIRE").as_deref() == Ok("all") => panic!("{e}"),
        Err(e) => {
            eprintln!("ignored: {e}");
            None
        }
    }
}

fn build(
    device: &dyn Device,
    source: &str,
    name: &str,
    options: &CompileOptions,
) -> Arc<dyn Kernel> {
    let binary = device.compile(source, options).unwrap();
    device.load(&binary).unwrap().kernel(name).unwrap()
}

fn upload(device: &dyn Device, values: &[f32]) -> Arc<dyn Buffer> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    let buffer = device.allocate(bytes.len()).unwrap();
    buffer.write(0, &bytes).unwrap();
    buffer
}

fn download(buffer: &dyn Buffer) -> Vec<f32> {
    let mut bytes = vec![0; buffer.len()];
    buffer.read(0, &mut bytes).unwrap();
    bytes
        .chunks_exact(4)
        .map(|c| f32::from_ne_bytes(c.try_into().unwrap()))
        .collect()
}

const SAXPY: &str = r#"
struct Pair { float scale; double shift; };
extern "C" void saxpy(int n, Pair p, const float *x, float *y) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) y[i] += p.scale * x[i] + (float)p.shift;
}
extern "C" void brook_launch_saxpy(void **a) {
  saxpy(*(int *)a[0], *(Pair *)a[1], *(const float **)a[2], *(float **)a[3]);
}
extern "C" void brook_launch_is_null(void **a) {
  **(int **)a[1] = *(float **)a[0] == nullptr;
}
"#;

#[test]
fn describes_itself() {
    let Some(device) = device() else { return };
    let info = device.info();
    assert!(!info.name.is_empty() && info.architecture.starts_with(&info.name));
    assert!(info.memory.unwrap() > 1 << 20);
    let compiler = info.compiler.as_ref().unwrap();
    eprintln!("{} / {compiler}", info.architecture);
    assert!(compiler.ends_with(')') && compiler.contains(" ("));
    assert_eq!(
        OpenMp::new().open(1).err().unwrap().kind,
        ErrorKind::Invalid
    );
    assert_eq!(OpenMp::new().backend(), "openmp");
}

#[test]
fn launches_with_buffers_and_values() {
    let Some(device) = device() else { return };
    let n = 10_000;
    let x = upload(&*device, &(0..n).map(|i| i as f32).collect::<Vec<_>>());
    let y = upload(&*device, &vec![1.0; n]);
    let mut pair = [0; 16];
    pair[..4].copy_from_slice(&2f32.to_ne_bytes());
    pair[8..].copy_from_slice(&0.5f64.to_ne_bytes());
    let kernel = build(&*device, SAXPY, "saxpy", &CompileOptions::default());
    let count = (n as i32).to_ne_bytes();
    let arguments = [
        Argument::Value(&count),
        Argument::Value(&pair),
        Argument::Buffer(&*x),
        Argument::Buffer(&*y),
    ];
    kernel.launch(NONE, ONE, &arguments).unwrap();
    device.synchronize().unwrap();
    assert!(
        download(&*y)
            .iter()
            .enumerate()
            .all(|(i, v)| *v == 1.5 + 2.0 * i as f32)
    );
}

#[test]
fn null_and_zero_sized_buffers() {
    let Some(device) = device() else { return };
    let kernel = build(&*device, SAXPY, "is_null", &CompileOptions::default());
    let answer = device.allocate(4).unwrap();
    let empty = device.allocate(0).unwrap();
    assert!(empty.is_empty());
    empty.write(0, &[]).unwrap();
    empty.read(0, &mut []).unwrap();
    empty.zero().unwrap();
    for (argument, expected) in [(Argument::Null, 1), (Argument::Buffer(&*empty), 0)] {
        kernel
            .launch(NONE, ONE, &[argument, Argument::Buffer(&*answer)])
            .unwrap();
        let mut bytes = [9; 4];
        answer.read(0, &mut bytes).unwrap();
        assert_eq!(i32::from_ne_bytes(bytes), expected);
    }
}

#[test]
fn ranges_are_checked() {
    let Some(device) = device() else { return };
    let buffer = device.allocate(16).unwrap();
    buffer.zero().unwrap();
    buffer.write(12, &[1; 4]).unwrap();
    assert_eq!(
        buffer.write(13, &[1; 4]).unwrap_err().kind,
        ErrorKind::Invalid
    );
    assert_eq!(
        buffer.read(usize::MAX, &mut [0; 2]).unwrap_err().kind,
        ErrorKind::Invalid
    );
    assert_eq!(
        buffer.read(17, &mut []).unwrap_err().kind,
        ErrorKind::Invalid
    );
    assert_eq!(download(&*buffer)[..3], [0.0; 3]);
    assert_eq!(
        device.allocate(usize::MAX).err().unwrap().kind,
        ErrorKind::Memory
    );
}

#[test]
fn errors_carry_their_reason() {
    let Some(device) = device() else { return };
    let error = device
        .compile("int f( {\n}\n", &CompileOptions::default())
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Compile);
    let log = error.log.unwrap();
    assert!(log.starts_with("kernel.cpp:"), "{log}");

    assert_eq!(
        device.load(b"not an object").err().unwrap().kind,
        ErrorKind::Device
    );
    let binary = device.compile(SAXPY, &CompileOptions::default()).unwrap();
    let program = device.load(&binary).unwrap();
    let error = program.kernel("missing").err().unwrap();
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert_eq!(error.message, "no kernel named 'missing' in this program");
}

/// `a * b - c` is zero when rounded twice and the product's rounding error when contracted.
#[test]
fn math_modes_do_what_they_say() {
    let Some(device) = device() else { return };
    let source = r#"
        extern "C" void brook_launch_f(void **a) {
          float *v = *(float **)a[0];
          v[3] = v[0] * v[1] - v[2];
        }"#;
    let a = 1.0f32 + f32::EPSILON;
    for math in [Math::Default, Math::Strict, Math::Fast] {
        let options = CompileOptions {
            math,
            ..CompileOptions::default()
        };
        let kernel = build(&*device, source, "f", &options);
        let buffer = upload(&*device, &[a, a, a * a, 9.0]);
        kernel
            .launch(NONE, ONE, &[Argument::Buffer(&*buffer)])
            .unwrap();
        let contracted = f32::mul_add(a, a, -(a * a));
        let result = download(&*buffer)[3];
        eprintln!("{math:?}: {result:e}");
        assert!(result == 0.0 || (math != Math::Strict && result == contracted));
    }
    // Loading a fast kernel leaves the host's own arithmetic alone.
    assert!(std::hint::black_box(f32::MIN_POSITIVE) / std::hint::black_box(2.0) > 0.0);
}

#[test]
fn options_reach_the_compiler() {
    let Some(device) = device() else { return };
    let scratch = brook_driver::ScratchDirectory::new().unwrap();
    std::fs::write(
        scratch.path().join("answer.h"),
        "enum { FROM_HEADER = 40 };",
    )
    .unwrap();
    let options = CompileOptions {
        include_directories: vec![scratch.path().display().to_string()],
        flags: vec!["-DTWO=2".to_string()],
        ..CompileOptions::default()
    };
    let source = "#include \"answer.h\"\n\
                  extern \"C\" void brook_launch_f(void **a) { **(int **)a[0] = FROM_HEADER + TWO; }";
    let kernel = build(&*device, source, "f", &options);
    let buffer = device.allocate(4).unwrap();
    kernel
        .launch(NONE, ONE, &[Argument::Buffer(&*buffer)])
        .unwrap();
    let mut bytes = [0; 4];
    buffer.read(0, &mut bytes).unwrap();
    assert_eq!(i32::from_ne_bytes(bytes), 42);
}

#[test]
fn many_threads_share_one_kernel() {
    let Some(device) = device() else { return };
    let source = r#"
        extern "C" void brook_launch_increment(void **a) {
          int *v = *(int **)a[0];
        #pragma omp parallel for
          for (int i = 0; i < 1000; ++i) ++v[i];
        }"#;
    let kernel = build(&*device, source, "increment", &CompileOptions::default());
    let buffer = device.allocate(4000).unwrap();
    buffer.zero().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    kernel
                        .launch(NONE, ONE, &[Argument::Buffer(&*buffer)])
                        .unwrap();
                }
            });
        }
    });
    let mut bytes = vec![0; 4000];
    buffer.read(0, &mut bytes).unwrap();
    assert!(
        bytes
            .chunks_exact(4)
            .all(|c| i32::from_ne_bytes(c.try_into().unwrap()) == 100)
    );
}
