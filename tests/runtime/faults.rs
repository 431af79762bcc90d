//! What goes wrong, done for real.

use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build};
use brook::runtime::{BuildOptions, Device, DeviceKind, Error};
use brook::{Source, args};

pub const TESTS: &[Test] = &[
    ("faults::out_of_memory", out_of_memory),
    (
        "faults::compiler_errors_name_the_users_line",
        compiler_errors,
    ),
    ("faults::missing_files", missing_files),
    ("faults::missing_devices", missing_devices),
];

fn out_of_memory(device: &Device) {
    let error = device.zeros::<f64>(1 << 50).unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error}");
    assert_eq!(error.exit_code(), 3);
    let error = device.zeros::<f64>(usize::MAX).unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error}");
    assert!(device.pool().zeros::<f64>(1 << 50).is_err());
    let info = device.info();
    if let (DeviceKind::Gpu, Some(memory)) = (info.kind, info.memory) {
        // All of it, in pieces, and the pool gives back what it kept.
        let pool = device.pool();
        let piece = (memory / 8) as usize;
        let pieces: Vec<_> = (0..9).map_while(|_| pool.zeros::<u8>(piece).ok()).collect();
        // OpenCL may allocate late, and move what is not in use to the host.
        let lazy = device.name().starts_with("opencl");
        let most = if lazy { 10 } else { 9 };
        assert!((4..most).contains(&pieces.len()), "{}", pieces.len());
        drop(pieces);
        let wanted = if lazy { piece } else { 2 * piece };
        assert!(pool.zeros::<u8>(wanted).is_ok());
    }
    // And the device goes on.
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.upload(&[1.0f32; 10]).unwrap();
    axpy.run(args![10, 1.0, &x, &x]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [2.0; 10]);
}

/// What the translator lets pass and the device's compiler does not.
fn compiler_errors(device: &Device) {
    let source = "// one\n#define MORE(x) x\n@kernel void f(const int n, float *a) {\n  \
        for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {\n    a[i] = 1;\n    \
        a[i] = __nowhere_declared;\n  }\n}\n";
    let options = BuildOptions::new().cache(false);
    let error = device
        .build(Source::new("mistake.okl", source), &options)
        .unwrap_err();
    assert!(matches!(error, Error::Toolchain(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("__nowhere_declared"), "{text}");
    let places = ["mistake.okl:6", "mistake.okl(6)"];
    assert!(places.iter().any(|place| text.contains(place)), "{text}");
}

fn missing_files(device: &Device) {
    let options = BuildOptions::new();
    let file = Source::file("/nonexistent/axpy.okl");
    let error = device.build(&file, &options).unwrap_err().to_string();
    assert!(error.starts_with("/nonexistent/axpy.okl: "), "{error}");
    let source = Source::new("include.okl", "#include \"nowhere.h\"\n");
    let error = device.build(source, &options).unwrap_err();
    assert!(matches!(error, Error::Source(_)), "{error}");
}

fn missing_devices(device: &Device) {
    let driver = device.name().split(':').next().unwrap();
    let error = Device::open(&format!("{driver}:99")).unwrap_err();
    assert!(matches!(error, Error::NoDevice(_)), "{error}");
    let text = error.to_string();
    // Test devices may stand on others, which it is about then.
    assert!(
        text.contains(":99") && text.contains(device.name()),
        "{text}"
    );
}
