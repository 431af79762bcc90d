//! Many at once, and several devices.

use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build};
use brook::runtime::{self, BuildOptions, Device};
use brook::{Source, args};

pub const TESTS: &[Test] = &[
    ("threads::build_and_launch", build_and_launch),
    ("threads::one_kernel", one_kernel),
    ("threads::devices", devices),
];

/// Threads that build and launch, each a program of its own and one that all have.
fn build_and_launch(device: &Device) {
    std::thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || {
                for round in 0..2 {
                    let common = format!("#define NUMBER {}\n{KERNELS}", thread * round);
                    let axpy = build(device, &common).kernel("axpy").unwrap();
                    let x = device.upload(&[thread as f32; 500]).unwrap();
                    let y = device.zeros::<f32>(500).unwrap();
                    for _ in 0..20 {
                        axpy.run(args![500, 1.0, &x, &y]).unwrap();
                    }
                    assert_eq!(y.to_vec().unwrap(), vec![20.0 * thread as f32; 500]);
                }
            });
        }
    });
}

/// One kernel, launched by many threads with arguments of their own, on queues of their own.
fn one_kernel(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let axpy = &axpy;
            scope.spawn(move || {
                let queue = device.queue().unwrap();
                let x = device.upload(&[thread as f32; 300]).unwrap();
                let y = device.zeros::<f32>(300).unwrap();
                for round in 0..50 {
                    let a = round as f32;
                    axpy.run_on(&queue, args![300, a, &x, &y]).unwrap();
                    axpy.run(args![0, a, &x, &y]).unwrap();
                }
                queue.wait().unwrap();
                assert_eq!(y.to_vec().unwrap(), vec![1225.0 * thread as f32; 300]);
            });
        }
    });
}

/// Memory of this device and every other: copies in both directions, and both at work at once.
fn devices(device: &Device) {
    let usable = runtime::list().into_iter().filter(|entry| {
        let compiler = entry.info.as_ref().map(|info| info.compiler.is_ok());
        compiler.unwrap_or(false) && entry.name != device.name()
    });
    for entry in usable {
        let other = Device::open(&entry.name).unwrap();
        let options = BuildOptions::new().cache(false);
        let source = Source::new("devices.okl", KERNELS);
        let kernels = [device, &other].map(|d| {
            let program = d.build(&source, &options).unwrap();
            program.kernel("axpy").unwrap()
        });
        let host: Vec<f32> = (0..5000).map(|i| i as f32).collect();
        let (x, x_there) = (
            device.upload(&host).unwrap(),
            other.zeros::<f32>(5000).unwrap(),
        );
        x_there.copy_from(&x).unwrap();
        let (y, y_there) = (
            device.zeros::<f32>(5000).unwrap(),
            other.zeros::<f32>(5000).unwrap(),
        );
        let (queue, queue_there) = (device.queue().unwrap(), other.queue().unwrap());
        kernels[0].run_on(&queue, args![5000, 2.0, &x, &y]).unwrap();
        kernels[1]
            .run_on(&queue_there, args![5000, 3.0, &x_there, &y_there])
            .unwrap();
        // One device's event orders the other's queue.
        queue.wait_for(&queue_there.record().unwrap()).unwrap();
        queue.wait().unwrap();
        let (first, second) = (y_there.slice(..2500).unwrap(), y.slice(2500..).unwrap());
        second.copy_from(&first).unwrap();
        let result = y.to_vec().unwrap();
        assert!(
            (0..2500).all(|i| result[i] == 2.0 * host[i]),
            "{}",
            entry.name
        );
        assert!(
            (0..2500).all(|i| result[2500 + i] == 3.0 * host[i]),
            "{}",
            entry.name
        );
    }
}
