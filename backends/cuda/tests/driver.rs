//! Compiles with NVRTC, which needs no GPU, and launches where there is one.
//!
//! `BROOK_REQUIRE=all` makes a missing NVRTC a failure, `BROOK_REQUIRE_GPU=1` a missing device.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use brook_cuda::{Cuda, compile_only, compiler_version};
use brook_driver::{Argument, Buffer, CompileOptions, Device, Driver, ErrorKind, Math};
use std::sync::Arc;

fn nvrtc() -> bool {
    match compiler_version() {
        Ok(version) => {
            eprintln!("{version}");
            true
        }
        Err(e) if std::env::var("BROOK_REQUIRE").as_deref() == Ok("all") => panic!("{e}"),
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::Missing);
            eprintln!("ignored: {e}");
            false
        }
    }
}

fn devices() -> Vec<Arc<dyn Device>> {
    let driver = Cuda::new();
    match driver.devices() {
        Ok(infos) => (0..infos.len()).map(|i| driver.open(i).unwrap()).collect(),
        Err(e) if std::env::var("BROOK_REQUIRE_GPU").as_deref() == Ok("1") => panic!("{e}"),
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::Missing);
            assert!(!e.message.contains('\n'));
            eprintln!("ignored: {e}");
            Vec::new()
        }
    }
}

const SAXPY: &str = r#"
struct Pair { float scale; double shift; };
extern "C" __global__ void saxpy(int n, Pair p, const float *x, float *y) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] += p.scale * tile[threadIdx.x] + (float)p.shift;
}
extern "C" __global__ void is_null(float *p, int *answer) { *answer = p == nullptr; }
extern "C" __global__ void crash(int *p) { *p = 1; }
extern "C" __global__ void contract(float *v) {
  v[3] = v[0] * v[1] - v[2];
  v[4] = v[5] / v[6];
}
"#;

#[test]
fn compiles_for_many_architectures() {
    if !nvrtc() {
        return;
    }
    for architecture in ["sm_80", "sm_90", "sm_100"] {
        for math in [Math::Default, Math::Strict, Math::Fast] {
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            let cubin = compile_only(SAXPY, architecture, &options).unwrap();
            assert!(cubin.starts_with(b"\x7fELF"), "a cubin is an ELF file");
            assert!(cubin.windows(5).any(|w| w == b"saxpy"));
        }
    }
}

#[test]
fn errors_carry_nvrtcs_log() {
    if !nvrtc() {
        return;
    }
    let options = CompileOptions::default();
    let error = compile_only("\n__global__ void f() { x; }", "sm_90", &options).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Compile);
    assert_eq!(error.message, "NVRTC failed: NVRTC_ERROR_COMPILATION");
    assert!(error.log.unwrap().starts_with("kernel.cu(2): error:"));

    let error = compile_only(SAXPY, "sm_1", &options).unwrap_err();
    eprintln!("{error}");
    assert_eq!(error.kind, ErrorKind::Compile);
    assert_eq!(
        compile_only("\0", "sm_90", &options).unwrap_err().kind,
        ErrorKind::Invalid
    );
    assert_eq!(
        compile_only("", "compute_90", &options).unwrap_err().kind,
        ErrorKind::Compile
    );
}

#[test]
fn options_reach_the_compiler() {
    if !nvrtc() {
        return;
    }
    let scratch = brook_driver::ScratchDirectory::new().unwrap();
    std::fs::write(scratch.path().join("answer.h"), "#define FROM_HEADER 40").unwrap();
    let options = CompileOptions {
        include_directories: vec![scratch.path().display().to_string()],
        flags: vec!["-DTWO=2".to_string(), "--std=c++20".to_string()],
        ..CompileOptions::default()
    };
    let source = "#include \"answer.h\"\n\
                  static_assert(FROM_HEADER + TWO == 42 && __cplusplus > 201703L, \"\");\n\
                  extern \"C\" __global__ void f() {}";
    compile_only(source, "sm_90", &options).unwrap();
}

/// Runs only where the toolkit's headers are, beside `BROOK_NVRTC` or in a toolkit.
#[test]
fn toolkit_headers_are_found() {
    if !nvrtc() || std::env::var_os("BROOK_NVRTC").is_none() {
        eprintln!("ignored: BROOK_NVRTC is not set");
        return;
    }
    let source =
        "#include <cuda_fp16.h>\nextern \"C\" __global__ void f(__half *h) { *h = *h + *h; }";
    compile_only(source, "sm_90", &CompileOptions::default()).unwrap();
}

#[test]
fn no_device_is_said_in_one_line() {
    let driver = Cuda::new();
    assert_eq!(driver.backend(), "cuda");
    if let Err(error) = driver.devices() {
        assert_eq!(error.kind, ErrorKind::Missing);
        assert_eq!(driver.open(0).err().unwrap().message, error.message);
    }
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

/// Everything on the device in one test: its last step breaks the context for good.
#[test]
fn launches_on_every_device() {
    for device in devices() {
        eprintln!("{:?}", device.info());
        if !nvrtc() {
            return;
        }
        let program = |math| {
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            device
                .load(&device.compile(SAXPY, &options).unwrap())
                .unwrap()
        };
        let default = program(Math::Default);
        let n = 10_000;
        let x = upload(&*device, &(0..n).map(|i| i as f32).collect::<Vec<_>>());
        let y = upload(&*device, &vec![1.0; n]);
        let mut pair = [0; 16];
        pair[..4].copy_from_slice(&2f32.to_ne_bytes());
        pair[8..].copy_from_slice(&0.5f64.to_ne_bytes());
        let count = (n as i32).to_ne_bytes();
        let arguments = [
            Argument::Value(&count),
            Argument::Value(&pair),
            Argument::Buffer(&*x),
            Argument::Buffer(&*y),
        ];
        let kernel = default.kernel("saxpy").unwrap();
        let grid = [(n as u64).div_ceil(64), 1, 1];
        kernel.launch(grid, [64, 1, 1], &arguments).unwrap();
        kernel.launch([0, 1, 1], [64, 1, 1], &arguments).unwrap();
        device.synchronize().unwrap();
        assert!(
            download(&*y)
                .iter()
                .enumerate()
                .all(|(i, v)| *v == 1.5 + 2.0 * i as f32)
        );
        // From another thread, too.
        std::thread::scope(|s| {
            s.spawn(|| kernel.launch(grid, [64, 1, 1], &arguments).unwrap());
        });
        assert_eq!(download(&*y)[1], 1.5 + 2.0 + 2.5);

        let invalid = |grid, group, arguments: &[Argument<'_>]| {
            let error = kernel.launch(grid, group, arguments).unwrap_err();
            eprintln!("{error}");
            assert_eq!(error.kind, ErrorKind::Invalid);
        };
        invalid([1, 1 << 20, 1], [64, 1, 1], &arguments);
        invalid(grid, [2048, 1, 1], &arguments);
        invalid(grid, [64, 1, 1], &arguments[..3]);
        invalid(
            grid,
            [64, 1, 1],
            &[arguments[1], arguments[1], arguments[2], arguments[3]],
        );

        let is_null = default.kernel("is_null").unwrap();
        let answer = device.allocate(4).unwrap();
        let empty = device.allocate(0).unwrap();
        empty.zero().unwrap();
        for (argument, expected) in [(Argument::Null, 1), (Argument::Buffer(&*empty), 0)] {
            is_null
                .launch([1; 3], [1; 3], &[argument, Argument::Buffer(&*answer)])
                .unwrap();
            let mut bytes = [9; 4];
            answer.read(0, &mut bytes).unwrap();
            assert_eq!(i32::from_ne_bytes(bytes), expected);
        }
        answer.zero().unwrap();
        assert_eq!(download(&*answer), [0.0]);
        assert_eq!(
            answer.write(1, &[0; 4]).unwrap_err().kind,
            ErrorKind::Invalid
        );
        assert_eq!(
            device.allocate(usize::MAX).err().unwrap().kind,
            ErrorKind::Memory
        );
        assert_eq!(
            default.kernel("missing").err().unwrap().kind,
            ErrorKind::Invalid
        );
        assert_eq!(
            device.load(b"not a cubin").err().unwrap().kind,
            ErrorKind::Device
        );

        let a = 1.0f32 + f32::EPSILON;
        for (math, expected) in [
            (Math::Default, f32::mul_add(a, a, -(a * a))),
            (Math::Strict, 0.0),
        ] {
            let v = upload(&*device, &[a, a, a * a, 9.0, 0.0, 1.1, 7.3]);
            let kernel = program(math).kernel("contract").unwrap();
            kernel
                .launch([1; 3], [1; 3], &[Argument::Buffer(&*v)])
                .unwrap();
            assert_eq!(download(&*v)[3..5], [expected, 1.1 / 7.3]);
        }

        default
            .kernel("crash")
            .unwrap()
            .launch([1; 3], [1; 3], &[Argument::Null])
            .unwrap();
        let error = device.synchronize().unwrap_err();
        eprintln!("{error}");
        assert_eq!(error.kind, ErrorKind::Device);
        assert!(error.message.contains("CUDA_ERROR_ILLEGAL_ADDRESS"));
    }
}
