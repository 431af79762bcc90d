//! Compiles, loads and launches on every OpenCL device of this machine.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use brook_driver::{
    Argument, Buffer, CompileOptions, Device, Driver, ErrorKind, Kernel, Math, NativeDevice,
};
use brook_opencl::OpenCL;
use cl3::device::{
    CL_DEVICE_VERSION, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, get_device_data,
};
use std::sync::Arc;

/// The devices, or none when there is no OpenCL; under `BROOK_REQUIRE=all` that is a failure.
fn devices() -> Vec<Arc<dyn Device>> {
    let driver = OpenCL::new();
    match driver.devices() {
        Ok(infos) => (0..infos.len()).map(|i| driver.open(i).unwrap()).collect(),
        Err(e) if std::env::var("BROOK_REQUIRE").as_deref() == Ok("all") => panic!("{e}"),
        Err(e) => {
            assert_eq!(e.kind, ErrorKind::Missing);
            eprintln!("ignored: {e}");
            Vec::new()
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
typedef struct { float scale; float shift[3]; } Pair;
__kernel void saxpy(int n, Pair p, __global const float *x, __global float *y) {
  __local float tile[64];
  int i = get_group_id(0) * 64 + get_local_id(0);
  tile[get_local_id(0)] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] += p.scale * tile[get_local_id(0)] + p.shift[2];
}
__kernel void is_null(__global float *p, __global int *answer) { *answer = p == 0; }
"#;

#[test]
fn describes_itself() {
    let driver = OpenCL::new();
    for device in devices() {
        let info = device.info();
        eprintln!(
            "{} | {} | {:?}",
            info.name, info.architecture, info.compiler
        );
        assert!(!info.name.is_empty());
        assert!(info.limits.threads_per_group >= 1 && info.limits.shared_memory > 0);
        assert!(info.memory.unwrap() > 1 << 20);
        assert_eq!(driver.open(1000).err().unwrap().kind, ErrorKind::Invalid);
    }
    assert_eq!(driver.backend(), "opencl");
}

#[test]
fn launches_with_buffers_and_values() {
    for device in devices() {
        let n = 10_000;
        let x = upload(&*device, &(0..n).map(|i| i as f32).collect::<Vec<_>>());
        let y = upload(&*device, &vec![1.0; n]);
        let pair: Vec<u8> = [2f32, 0.0, 0.0, 0.5]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        let kernel = build(&*device, SAXPY, "saxpy", &CompileOptions::default());
        let count = (n as i32).to_ne_bytes();
        let arguments = [
            Argument::Value(&count),
            Argument::Value(&pair),
            Argument::Buffer(&*x),
            Argument::Buffer(&*y),
        ];
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

        let invalid = |grid, group, arguments: &[Argument<'_>]| {
            let error = kernel.launch(grid, group, arguments).unwrap_err();
            eprintln!("{error}");
            assert_eq!(error.kind, ErrorKind::Invalid);
        };
        invalid(grid, [64, 1, 1], &arguments[..3]);
        invalid(grid, [1 << 20, 1, 1], &arguments);
        invalid([u64::MAX, 1, 1], [64, 1, 1], &arguments);
        let mut wrong = arguments;
        wrong[0] = Argument::Value(&pair);
        invalid(grid, [64, 1, 1], &wrong);
    }
}

#[test]
fn null_and_zero_sized_buffers() {
    for device in devices() {
        let kernel = build(&*device, SAXPY, "is_null", &CompileOptions::default());
        let answer = device.allocate(4).unwrap();
        let empty = device.allocate(0).unwrap();
        assert!(empty.is_empty());
        empty.write(0, &[]).unwrap();
        empty.read(0, &mut []).unwrap();
        empty.zero().unwrap();
        for (argument, expected) in [(Argument::Null, 1), (Argument::Buffer(&*empty), 0)] {
            kernel
                .launch([1; 3], [1; 3], &[argument, Argument::Buffer(&*answer)])
                .unwrap();
            let mut bytes = [9; 4];
            answer.read(0, &mut bytes).unwrap();
            assert_eq!(i32::from_ne_bytes(bytes), expected);
        }
    }
}

#[test]
fn ranges_are_checked() {
    for device in devices() {
        for bytes in [16, 17] {
            let buffer = device.allocate(bytes).unwrap();
            buffer.zero().unwrap();
            buffer.write(12, &[1; 4]).unwrap();
            assert_eq!(
                buffer.write(bytes - 3, &[1; 4]).unwrap_err().kind,
                ErrorKind::Invalid
            );
            assert_eq!(
                buffer.read(usize::MAX, &mut [0; 2]).unwrap_err().kind,
                ErrorKind::Invalid
            );
            assert_eq!(download(&*buffer)[..3], [0.0; 3]);
        }
        assert_eq!(
            device.allocate(usize::MAX).err().unwrap().kind,
            ErrorKind::Memory
        );
        // Memory of another context is refused, not handed to the device.
        let stranger = OpenCL::new().open(0).unwrap().allocate(4).unwrap();
        let kernel = build(&*device, SAXPY, "is_null", &CompileOptions::default());
        let error = kernel.launch(
            [1; 3],
            [1; 3],
            &[Argument::Null, Argument::Buffer(&*stranger)],
        );
        assert_eq!(error.unwrap_err().kind, ErrorKind::Invalid);
    }
}

#[test]
fn errors_carry_their_reason() {
    for device in devices() {
        for math in [Math::Default, Math::Strict] {
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            let error = device
                .compile("\n__kernel void f( {\n}\n", &options)
                .unwrap_err();
            assert_eq!(error.kind, ErrorKind::Compile);
            let log = error.log.as_deref().unwrap();
            eprintln!("{error}");
            assert!(log.contains("2:"), "the second line is at fault: {log}");
        }
        let error = device.load(b"not a program").err().unwrap();
        assert_eq!(error.kind, ErrorKind::Device);
        let binary = device.compile(SAXPY, &CompileOptions::default()).unwrap();
        let error = device
            .load(&binary)
            .unwrap()
            .kernel("missing")
            .err()
            .unwrap();
        assert_eq!(error.message, "no kernel named 'missing' in this program");
    }
}

/// `a * b - c` is zero when rounded twice and the product's rounding error when contracted.
#[test]
fn math_modes_do_what_they_say() {
    for device in devices() {
        let source = "__kernel void f(__global float *v) {\n\
                      v[3] = v[0] * v[1] - v[2];\n\
                      v[4] = v[5] / v[6];\n\
                      v[7] = sqrt(v[5]); }";
        let a = 1.0f32 + f32::EPSILON;
        for math in [Math::Default, Math::Strict, Math::Fast] {
            let options = CompileOptions {
                math,
                ..CompileOptions::default()
            };
            let kernel = build(&*device, source, "f", &options);
            let buffer = upload(&*device, &[a, a, a * a, 9.0, 0.0, 1.1, 7.3, 0.0]);
            kernel
                .launch([1; 3], [1; 3], &[Argument::Buffer(&*buffer)])
                .unwrap();
            let result = download(&*buffer);
            eprintln!("{math:?}: {:e}", result[3]);
            let contracted = f32::mul_add(a, a, -(a * a));
            assert!(result[3] == 0.0 || (math != Math::Strict && result[3] == contracted));
            if math != Math::Fast {
                assert_eq!((result[4], result[7]), (1.1f32 / 7.3, 1.1f32.sqrt()));
            }
        }
    }
}

#[test]
fn options_reach_the_compiler() {
    for device in devices() {
        let scratch = brook_driver::ScratchDirectory::new().unwrap();
        std::fs::write(scratch.path().join("answer.h"), "#define FROM_HEADER 40").unwrap();
        let options = CompileOptions {
            include_directories: vec![scratch.path().display().to_string()],
            flags: vec!["-DTWO=2".to_string()],
            ..CompileOptions::default()
        };
        let source = "#include \"answer.h\"\n\
                      __kernel void f(__global int *a) { *a = FROM_HEADER + TWO; }";
        let kernel = build(&*device, source, "f", &options);
        let buffer = device.allocate(4).unwrap();
        kernel
            .launch([1; 3], [1; 3], &[Argument::Buffer(&*buffer)])
            .unwrap();
        let mut bytes = [0; 4];
        buffer.read(0, &mut bytes).unwrap();
        assert_eq!(i32::from_ne_bytes(bytes), 42);
    }
}

/// A kernel that says what it was compiled as, and calls what a newer standard has if it has it.
const GROUPS: &str = r#"
__kernel void groups(__global float *y) {
  y[0] = __OPENCL_C_VERSION__;
#if __OPENCL_C_VERSION__ < 200 || __OPENCL_C_VERSION__ >= 300 && !defined(__opencl_c_work_group_collective_functions)
  y[1] = 28;
#else
  y[1] = work_group_reduce_add((int)get_local_id(0));
#endif
}
"#;

/// The version that `groups` says and its sum.
fn run_groups(device: &dyn Device, source: &str, options: &CompileOptions) -> Vec<f32> {
    let kernel = build(device, source, "groups", options);
    let y = upload(device, &[0.0, 0.0]);
    kernel
        .launch([1, 1, 1], [8, 1, 1], &[Argument::Buffer(&*y)])
        .unwrap();
    device.synchronize().unwrap();
    download(&*y)
}

#[test]
fn functions_of_a_group_are_the_devices_own_where_it_has_them() {
    for device in devices() {
        let NativeDevice::OpenCl { device: id, .. } = device.native() else {
            panic!("an OpenCL device has an identifier");
        };
        let version = get_device_data(id, CL_DEVICE_VERSION).unwrap();
        let reports = get_device_data(id, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT)
            .is_ok_and(|answer| answer.first() == Some(&1));
        let has = version.starts_with(b"OpenCL 2") || reports;
        let usual = CompileOptions::default();
        let found = run_groups(&*device, GROUPS, &usual);
        assert_eq!(
            (found[0] >= 200.0, found[1]),
            (has, 28.0),
            "{:?}",
            device.info()
        );
        // Whoever names a standard gets that.
        let named = CompileOptions {
            standard: Some("CL1.2".into()),
            ..CompileOptions::default()
        };
        assert_eq!(run_groups(&*device, GROUPS, &named), [120.0, 28.0]);
        let flagged = CompileOptions {
            flags: vec!["-cl-std=CL1.2".into()],
            ..CompileOptions::default()
        };
        assert_eq!(run_groups(&*device, GROUPS, &flagged), [120.0, 28.0]);
        // What the newer standard refuses still compiles, and so does what needs nothing newer.
        let older = format!("#if __OPENCL_C_VERSION__ >= 200\n#error newer\n#endif\n{GROUPS}");
        assert_eq!(run_groups(&*device, &older, &usual), [120.0, 28.0]);
        let plain = GROUPS.replace("work_group_reduce_add", "");
        assert_eq!(run_groups(&*device, &plain, &usual), [120.0, 28.0]);
    }
}

#[test]
fn many_threads_share_one_kernel() {
    for device in devices() {
        let source = "__kernel void add(__global int *v, int by) { v[get_global_id(0)] += by; }";
        let kernel = build(&*device, source, "add", &CompileOptions::default());
        let buffers: Vec<_> = (0..4).map(|_| device.allocate(4000).unwrap()).collect();
        std::thread::scope(|scope| {
            for (by, buffer) in buffers.iter().enumerate() {
                let kernel = &kernel;
                scope.spawn(move || {
                    buffer.zero().unwrap();
                    let by = (by as i32).to_ne_bytes();
                    for _ in 0..25 {
                        let arguments = [Argument::Buffer(&**buffer), Argument::Value(&by)];
                        kernel.launch([10, 1, 1], [100, 1, 1], &arguments).unwrap();
                    }
                });
            }
        });
        for (by, buffer) in buffers.iter().enumerate() {
            let mut bytes = vec![0; 4000];
            buffer.read(0, &mut bytes).unwrap();
            let expected = 25 * by as i32;
            assert!(bytes.chunks_exact(4).all(|c| c == expected.to_ne_bytes()));
        }
    }
}

/// Whoever waited, for an event or for bytes, is not told a moment later that something is still to be done.
#[test]
fn queues_are_idle_after_waiting() {
    for device in devices() {
        let kernel = build(&*device, SAXPY, "is_null", &CompileOptions::default());
        let answer = device.allocate(4).unwrap();
        let arguments = [Argument::Null, Argument::Buffer(&*answer)];
        let queue = device.create_queue().unwrap();
        for round in 0..500 {
            kernel
                .launch_on(&*queue, [1; 3], [1; 3], &arguments)
                .unwrap();
            let event = queue.record().unwrap();
            // Asks with a marker of its own, or does not.
            if round % 2 == 0 {
                queue.is_idle().unwrap();
            }
            event.wait().unwrap();
            assert!(
                queue.is_idle().unwrap(),
                "after waiting for an event, round {round}"
            );
            kernel.launch([1; 3], [1; 3], &arguments).unwrap();
            if round % 2 == 0 {
                device.is_idle().unwrap();
            }
            answer.read(0, &mut [0; 4]).unwrap();
            assert!(device.is_idle().unwrap(), "after reading, round {round}");
        }
    }
}
