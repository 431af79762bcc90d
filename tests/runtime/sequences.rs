//! Launches and copies that are recorded once and replayed.

use crate::counting::allocations;
use crate::support::trusted::{Trusted, TrustedRecorder};
use crate::{KERNELS, Test, build};
use brook::runtime::{Device, ExecutionDomain};
use brook::{BuildOptions, Checking, Program, Source, Stream, args, stream_args};

pub const TESTS: &[Test] = &[
    (
        "sequences::replays_work_on_what_is_there",
        replays_work_on_what_is_there,
    ),
    ("sequences::chains_are_in_order", chains_are_in_order),
    ("sequences::recorded_memory_lives", recorded_memory_lives),
    (
        "sequences::replays_allocate_nothing",
        replays_allocate_nothing,
    ),
    ("sequences::nothing_is_a_sequence", nothing_is_a_sequence),
    ("sequences::mistakes", mistakes),
    ("sequences::streams", streams),
    ("sequences::streams_that_cannot", streams_that_cannot),
];

fn replays_work_on_what_is_there(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let n = 1000;
    let x = device.upload(&vec![1.0f32; n]).unwrap();
    let y = device.zeros::<f32>(n).unwrap();
    let sequence = device
        .record(|r| r.run(&axpy, args![n, 2.0f32, &x, &y]))
        .unwrap();
    assert_eq!(sequence.len(), 1);
    assert_eq!(y.to_vec().unwrap(), vec![0.0; n], "recording does nothing");
    sequence.launch().unwrap();
    sequence.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![4.0; n]);
    x.write(&vec![10.0; n]).unwrap();
    let queue = device.queue().unwrap();
    sequence.launch_on(&queue).unwrap();
    queue.wait().unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![24.0; n]);
}

fn chains_are_in_order(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let n = 65536;
    let host: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
    let a = device.upload(&host).unwrap();
    let b = device.zeros::<f32>(n).unwrap();
    let c = device.zeros::<f32>(n).unwrap();
    // b = 1 a + b, a = 1 b + a, …: Fibonacci's numbers.
    let sequence = device
        .record(|r| {
            for _ in 0..4 {
                r.run(&axpy, args![n, 1.0f32, &a, &b])?;
                r.run(&axpy, args![n, 1.0f32, &b, &a])?;
            }
            r.copy(&a, &c)?;
            r.run(&axpy, args![n, 1.0f32, &c, &c])
        })
        .unwrap();
    assert_eq!(sequence.len(), 10);
    let (mut f, mut g) = (1.0, 0.0);
    for _ in 0..2 {
        sequence.launch().unwrap();
        for _ in 0..4 {
            g += f;
            f += g;
        }
        let expected: Vec<f32> = host.iter().map(|x| 2.0 * f * x).collect();
        assert_eq!(c.to_vec().unwrap(), expected);
    }
}

fn recorded_memory_lives(device: &Device) {
    let n = 5000;
    let y = device.zeros::<f32>(n).unwrap();
    let sequence = {
        let axpy = build(device, KERNELS).kernel("axpy").unwrap();
        let x = device.upload(&vec![3.0f32; n]).unwrap();
        device
            .record(|r| r.run(&axpy, args![n, 1.0f32, &x, &y]))
            .unwrap()
    };
    // Memory that would take the place of what was dropped.
    let others: Vec<_> = (0..4)
        .map(|_| device.upload(&vec![100.0f32; n]).unwrap())
        .collect();
    let again = sequence.clone();
    drop(sequence);
    again.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![3.0; n]);
    drop(others);
}

fn replays_allocate_nothing(device: &Device) {
    // Test devices are not made for speed.
    if !device.name().starts_with("cuda") && !device.name().starts_with("openmp") {
        return;
    }
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.zeros::<f32>(64).unwrap();
    let sequence = device
        .record(|r| r.run(&axpy, args![64usize, 1.0f32, &x, &x]))
        .unwrap();
    sequence.launch().unwrap();
    let counted = allocations(|| {
        for _ in 0..10 {
            sequence.launch().unwrap();
        }
    });
    // A default queue is a handle of its own.
    assert!(counted <= 10, "{counted} allocations in 10 replays");
}

fn nothing_is_a_sequence(device: &Device) {
    let sequence = device.record(|_| Ok(())).unwrap();
    assert!(sequence.is_empty());
    sequence.launch().unwrap();
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let y = device.zeros::<f32>(1).unwrap();
    let none = device
        .record(|r| r.run(&axpy, args![0usize, 1.0f32, &y, &y]))
        .unwrap();
    // Where loops stay loops, the loop has no iterations.
    none.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.0]);
}

fn mistakes(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let (x, y) = (
        device.zeros::<f32>(4).unwrap(),
        device.zeros::<f32>(5).unwrap(),
    );
    let error = device
        .record(|r| r.run(&axpy, args![4usize, &x, &y]))
        .unwrap_err();
    assert!(error.to_string().contains("takes 4 arguments"), "{error}");
    let error = device.record(|r| r.copy(&x, &y)).unwrap_err();
    assert!(error.to_string().contains('5'), "{error}");
    // The device goes on.
    axpy.run(args![4usize, 1.0f32, &x, &x]).unwrap();
    assert_eq!(x.to_vec().unwrap(), vec![0.0; 4]);
}

const STREAMS: &str = "
kernel void add(float a<>, float k, out float b<>) { b = a + k; }
kernel void line(float table[], out float b<>) { b = table[instance().x] * 2.0f; }
reduce void sum(float a<>, reduce float total<>) { total += a; }
";

fn program(device: &Device, source: &str, checking: Checking) -> Program {
    let options = BuildOptions::new().cache(false).checking(checking);
    device
        .build(Source::new("sequence.br", source), &options)
        .unwrap()
}

fn streams(device: &Device) {
    let program = program(device, STREAMS, Checking::default());
    let kernel = |name| program.kernel(name).unwrap();
    let (add, line, sum) = (kernel("add"), kernel("line"), kernel("sum"));
    let (rows, columns) = (3, 5000);
    let shape = [rows, columns];
    let a = Stream::<f32>::new(device, &shape).unwrap();
    let b = Stream::<f32>::new(device, &shape).unwrap();
    let c = Stream::<f32>::new(device, &shape).unwrap();
    let (one, all) = (
        Stream::<f32>::new(device, &[rows, 1]).unwrap(),
        Stream::<f32>::new(device, &[1, 1]).unwrap(),
    );
    let few = Stream::<f32>::new(device, &[4]).unwrap();
    let mut table = [1.0f32, 2.0, 3.0, 4.0];
    let domain = ExecutionDomain {
        offset: Some([1, 2, 0, 0]),
        size: Some([10, 1, 1, 1]),
    };
    let sequence = device
        .record(|r| {
            r.call(&add, stream_args![&a, 1.0f32, &b])?;
            r.call_over(&add, Some(&domain), stream_args![&a, 100.0f32, &b])?;
            r.call(&add, stream_args![&b, 0.0f32, &c])?;
            r.call(&sum, stream_args![&c, &one])?;
            r.call(&sum, stream_args![&c, &all])?;
            let table = brook::runtime::StreamArgument::array(&table, &[4]);
            r.call(&line, &mut [table, (&few).into()])
        })
        .unwrap();
    assert_eq!(few.to_vec().unwrap(), [0.0; 4], "recording does nothing");
    // What the host had then is kept.
    table = [0.0; 4];
    for round in 1..4u16 {
        let host: Vec<f32> = (0..rows * columns)
            .map(|i| (i % 8) as f32 * f32::from(round))
            .collect();
        a.read(&host).unwrap();
        // Other reductions have their scratch memory.
        let mut other = 0.0f32;
        sum.call(stream_args![&a, &mut other]).unwrap();
        sequence.launch().unwrap();
        let mut expected: Vec<f32> = host.iter().map(|x| x + 1.0).collect();
        for column in 1..11 {
            let at = (2 * columns + column) as usize;
            expected[at] = host[at] + 100.0;
        }
        assert_eq!(c.to_vec().unwrap(), expected);
        let row = |r: usize| {
            expected
                .iter()
                .skip(r * columns as usize)
                .take(columns as usize)
        };
        let sums: Vec<f32> = (0..rows as usize).map(|r| row(r).sum()).collect();
        assert_eq!(one.to_vec().unwrap(), sums);
        assert_eq!(all.to_vec().unwrap(), [sums.iter().sum::<f32>()]);
        assert_eq!(few.to_vec().unwrap(), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(other, host.iter().sum::<f32>());
    }
    assert_eq!(table, [0.0; 4]);
}

fn streams_that_cannot(device: &Device) {
    let brookgpu = Checking {
        brookgpu: true,
        ..Checking::default()
    };
    let positive =
        "kernel void keep(float a<>, vout[1] float b<>) { if (a > 0.0) { b = a; push(b); } }";
    let keep = program(device, positive, brookgpu).kernel("keep").unwrap();
    let program = program(device, STREAMS, Checking::default());
    let kernel = |name| program.kernel(name).unwrap();
    let (add, line, sum) = (kernel("add"), kernel("line"), kernel("sum"));
    let a = Stream::<f32>::new(device, &[64]).unwrap();
    let b = Stream::<f32>::new(device, &[64]).unwrap();
    let mut total = 7.0f32;
    let mut grown = b.as_dyn().clone();
    let sequence = device
        .record(|r| {
            let error = r.call(&sum, stream_args![&a, &mut total]).unwrap_err();
            assert!(
                error.to_string().contains("variable of the host's"),
                "{error}"
            );
            let error = r
                .call(&keep, &mut [(&a).into(), (&mut grown).into()])
                .unwrap_err();
            assert!(error.to_string().contains("variable outputs"), "{error}");
            let error = r.call(&line, stream_args![&a, &a]).unwrap_err();
            assert!(error.to_string().contains("cannot be recorded"), "{error}");
            r.call(&add, stream_args![&a, 1.0f32, &b])
        })
        .unwrap();
    assert_eq!((sequence.len(), total), (1, 7.0));
    sequence.launch().unwrap();
    assert_eq!(b.to_vec().unwrap(), [1.0; 64]);
}
