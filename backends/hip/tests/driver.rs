//! Compiles with hiprtc, which needs no GPU, and launches where there is one.
//!
//! `BROOK_REQUIRE=all` makes a missing hiprtc a failure, `BROOK_REQUIRE_GPU=1` a missing device.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use brook_driver::{Argument, CompileOptions, Driver, ErrorKind, Math};
use brook_hip::{Hip, compile_only, compiler_version};

fn hiprtc() -> bool {
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

const SAXPY: &str = r#"
struct Pair { float scale; double shift; };
extern "C" __global__ void saxpy(int n, Pair p, const float *x, float *y) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] += p.scale * tile[threadIdx.x] + (float)p.shift;
}
"#;

#[test]
fn compiles_for_many_architectures() {
    if !hiprtc() {
        return;
    }
    for architecture in ["gfx90a", "gfx906", "gfx1030", "gfx90a:sramecc+:xnack-"] {
        for math in [Math::Default, Math::Strict, Math::Fast] {
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            let code = compile_only(SAXPY, architecture, &options).unwrap();
            assert!(
                code.starts_with(b"\x7fELF") || code.starts_with(b"__CLANG_OFFLOAD_BUNDLE__"),
                "{:?}",
                &code[..16]
            );
            assert!(code.windows(5).any(|w| w == b"saxpy"));
        }
    }
}

#[test]
fn errors_carry_hiprtcs_log() {
    if !hiprtc() {
        return;
    }
    let options = CompileOptions::default();
    let error = compile_only("\n__global__ void f() { x; }", "gfx90a", &options).unwrap_err();
    eprintln!("{error}");
    assert_eq!(error.kind, ErrorKind::Compile);
    assert!(error.log.unwrap().starts_with("kernel.hip:2:"));
    assert_eq!(
        compile_only("\0", "gfx90a", &options).unwrap_err().kind,
        ErrorKind::Invalid
    );
    assert_eq!(
        compile_only("", "sm_90", &options).unwrap_err().kind,
        ErrorKind::Compile
    );
}

/// hiprtc 5.2 ends the process when it is asked for `gfx1100`.
#[test]
fn unknown_architectures_are_errors() {
    if !hiprtc() {
        return;
    }
    match compile_only(SAXPY, "gfx1100", &CompileOptions::default()) {
        Ok(code) => assert!(!code.is_empty()),
        Err(error) => {
            eprintln!("{error}");
            assert_eq!(error.kind, ErrorKind::Compile);
        }
    }
    let error = compile_only(SAXPY, "gfx1", &CompileOptions::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Compile);
}

#[test]
fn options_reach_the_compiler() {
    if !hiprtc() {
        return;
    }
    let scratch = brook_driver::ScratchDirectory::new().unwrap();
    std::fs::write(scratch.path().join("answer.h"), "#define FROM_HEADER 40").unwrap();
    let options = CompileOptions {
        include_directories: vec![scratch.path().display().to_string()],
        flags: vec!["-DTWO=2".to_string()],
        ..CompileOptions::default()
    };
    let source = "#include \"answer.h\"\n\
                  static_assert(FROM_HEADER + TWO == 42 && __cplusplus >= 201703L, \"\");\n\
                  extern \"C\" __global__ void f() {}";
    compile_only(source, "gfx90a", &options).unwrap();
}

#[test]
fn many_threads_compile_at_once() {
    if !hiprtc() {
        return;
    }
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| compile_only(SAXPY, "gfx90a", &CompileOptions::default()).unwrap());
        }
    });
}

#[test]
fn launches_on_every_device() {
    let driver = Hip::new();
    assert_eq!(driver.backend(), "hip");
    let infos = match driver.devices() {
        Ok(infos) => infos,
        Err(e) if std::env::var("BROOK_REQUIRE_GPU").as_deref() == Ok("1") => panic!("{e}"),
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::Missing);
            assert!(!e.message.contains('\n'));
            assert_eq!(driver.open(0).err().unwrap().message, e.message);
            eprintln!("ignored: {e}");
            return;
        }
    };
    for (ordinal, info) in infos.iter().enumerate() {
        eprintln!("{info:?}");
        let device = driver.open(ordinal).unwrap();
        let binary = device.compile(SAXPY, &CompileOptions::default()).unwrap();
        let kernel = device.load(&binary).unwrap().kernel("saxpy").unwrap();
        let n = 1000;
        let x = device.allocate(4 * n).unwrap();
        let ones: Vec<u8> = std::iter::repeat_n(1f32.to_ne_bytes(), n)
            .flatten()
            .collect();
        x.write(0, &ones).unwrap();
        let y = device.allocate(4 * n).unwrap();
        y.zero().unwrap();
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
        kernel
            .launch([(n as u64).div_ceil(64), 1, 1], [64, 1, 1], &arguments)
            .unwrap();
        device.synchronize().unwrap();
        let mut bytes = vec![0; 4 * n];
        y.read(0, &mut bytes).unwrap();
        assert!(bytes.chunks_exact(4).all(|c| c == 2.5f32.to_ne_bytes()));
    }
}
