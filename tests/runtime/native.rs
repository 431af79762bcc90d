//! Programs in a device's own language.

use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build};
use brook::args;
use brook::runtime::{BuildOptions, Device, KernelArgument, NativeKernel, Result};

pub const TESTS: &[Test] = &[("native::kernels", kernels), ("native::errors", errors)];

const CPP: &str = r#"
extern "C" __global__ void shift(const int n, const float by, const float *x, float *y, const double *none) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (none == 0 && i < n) y[i] += FACTOR * x[n - 1 - i] + by;
}
extern "C" __global__ void place(int *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = 100 * x + 10 * y + z;
}
"#;

const OPENCL: &str = r"
__kernel void shift(const int n, const float by, __global const float *x, __global float *y, __global const double *none) {
  const int i = get_global_id(0);
  if (none == 0 && i < n) y[i] += FACTOR * x[n - 1 - i] + by;
}
__kernel void place(__global int *out) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int width = get_global_size(0), height = get_global_size(1);
  out[(z * height + y) * width + x] = 100 * x + 10 * y + z;
}
";

/// The text in the device's language; none for the processor, and for the emulation, which knows our own kernels only.
fn source(device: &Device) -> Option<&'static str> {
    match device.backend().name.as_str() {
        _ if device.name().starts_with("emulated") => None,
        "opencl" => Some(OPENCL),
        "openmp" => None,
        _ => Some(CPP),
    }
}

fn run(
    kernel: &NativeKernel,
    groups: [u64; 3],
    items: [u32; 3],
    arguments: &[KernelArgument<'_>],
) -> Result<()> {
    // SAFETY: the tests' arguments are those of the kernels above, over as much memory as they touch.
    unsafe { kernel.launch(groups, items, arguments) }
}

fn kernels(device: &Device) {
    let Some(text) = source(device) else {
        let error = device.build_native("a", CPP, &BuildOptions::new());
        if device.backend().name == "openmp" {
            let error = error.unwrap_err().to_string();
            assert!(
                error.ends_with("what it runs are functions of the host"),
                "{error}"
            );
        }
        return;
    };
    let options = BuildOptions::new().define("FACTOR", "2.0f");
    let program = device.build_native("native", text, &options).unwrap();
    assert_eq!(program.device().name(), device.name());
    let shift = program.kernel("shift").unwrap();
    assert_eq!(shift.name(), "shift");
    let host: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let (x, y) = (
        device.upload(&host).unwrap(),
        device.zeros::<f32>(1100).unwrap(),
    );
    let arguments: &[KernelArgument<'_>] = &[
        1000.into(),
        0.5f32.into(),
        x.read_only().into(),
        (&y).into(),
        KernelArgument::null(),
    ];
    run(&shift, [8, 1, 1], [128, 1, 1], arguments).unwrap();
    let queue = device.queue().unwrap();
    device.synchronize().unwrap();
    // SAFETY: as above.
    unsafe { shift.launch_on(&queue, [8, 1, 1], [128, 1, 1], arguments) }.unwrap();
    queue.wait().unwrap();
    // Nothing is launched.
    run(&shift, [0, 1, 1], [128, 1, 1], arguments).unwrap();
    run(&shift, [8, 1, 1], [128, 0, 1], arguments).unwrap();
    let mut expected: Vec<f32> = host.iter().rev().map(|x| 4.0 * x + 1.0).collect();
    expected.resize(1100, 0.0);
    assert_eq!(y.to_vec().unwrap(), expected);

    let out = device.zeros::<i32>(6 * 4 * 2).unwrap();
    let place = program.kernel("place").unwrap();
    run(&place, [3, 2, 1], [2, 2, 2], args![&out]).unwrap();
    let at = |i: i32| 100 * (i % 6) + 10 * (i / 6 % 4) + i / 24;
    assert_eq!(out.to_vec().unwrap(), (0..48).map(at).collect::<Vec<_>>());
    // Beside kernels of OKL.
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    axpy.run(args![1000, 1.0, &x, &y.slice(1..1001).unwrap()])
        .unwrap();
    assert_eq!(y.to_vec().unwrap()[1000], 999.0);
}

fn errors(device: &Device) {
    let Some(text) = source(device) else { return };
    let options = BuildOptions::new().define("FACTOR", 2);
    let error = device
        .build_native("native", "kernel\n nonsense", &options)
        .unwrap_err();
    assert!(error.to_string().contains("rror"), "{error}");
    let program = device.build_native("native", text, &options).unwrap();
    let error = program.kernel("absent").unwrap_err().to_string();
    assert!(error.contains("'absent'"), "{error}");
    let place = program.kernel("place").unwrap();
    let out = device.zeros::<i32>(64).unwrap();
    let huge = device.info().limits.threads_per_group + 1;
    let error = run(&place, [1, 1, 1], [huge, 1, 1], args![&out]).unwrap_err();
    assert!(error.to_string().contains("group"), "{error}");
    if device.name().starts_with("opencl") {
        let part = out.slice(3..).unwrap();
        let error = run(&place, [1, 1, 1], [1, 1, 1], args![&part]).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("argument 1 of kernel 'place' begins at byte 12 of its memory"),
            "{error}"
        );
    }
    let other = Device::open("openmp").unwrap();
    let there = other.zeros::<i32>(4).unwrap();
    let error = run(&place, [1, 1, 1], [1, 1, 1], args![&there]).unwrap_err();
    assert!(
        error.to_string().contains("is memory of device openmp"),
        "{error}"
    );
    let queue = other.queue().unwrap();
    // SAFETY: nothing is launched.
    let error = unsafe { place.launch_on(&queue, [1; 3], [1; 3], args![&out]) }.unwrap_err();
    assert!(error.to_string().contains("queue"), "{error}");
}
