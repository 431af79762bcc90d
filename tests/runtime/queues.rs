//! Queues, events, asynchronous copies and launches, pinned memory.

use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build, is_asynchronous, lingering};
use brook::args;
use brook::runtime::Device;
use std::time::{Duration, Instant};

pub const TESTS: &[Test] = &[
    (
        "queues::launches_are_asynchronous",
        launches_are_asynchronous,
    ),
    ("queues::copies_are_in_order", copies_are_in_order),
    ("queues::transfers", transfers),
    ("queues::borrowed_memory", borrowed_memory),
    ("queues::events_order_queues", events_order_queues),
    ("queues::events_tell_time", events_tell_time),
    ("queues::memory_may_go_first", memory_may_go_first),
    ("queues::devices_wait_for_queues", devices_wait_for_queues),
    ("queues::pinned_memory", pinned_memory),
    ("queues::mistakes", mistakes),
];

/// What `linger` makes of a number.
fn lingered(steps: i32, a: f32, mut x: f32) -> f32 {
    for _ in 0..steps {
        x = a * x + 1.0;
    }
    x
}

/// Does work of more and more steps until `seen` says that the host saw it unfinished. How long a step takes, and how
/// long the host is kept from looking, is the machine's affair; that there is work enough is not.
fn until_seen(device: &Device, mut seen: impl FnMut(i32) -> bool) {
    let (_, first) = lingering(device);
    let mut steps = first;
    while !seen(steps) && is_asynchronous(device) {
        steps = steps.checked_mul(2).unwrap();
    }
}

fn launches_are_asynchronous(device: &Device) {
    let linger = build(device, KERNELS).kernel("linger").unwrap();
    let (n, _) = lingering(device);
    let queue = device.queue().unwrap();
    assert!(queue.is_done().unwrap());
    until_seen(device, |steps| {
        let y = device.zeros::<f32>(n).unwrap();
        let event = linger
            .run_async(&queue, args![n, steps, 0.5f32, &y])
            .unwrap();
        let seen_busy = !queue.is_done().unwrap() && !event.is_done().unwrap();
        event.wait().unwrap();
        assert!(event.is_done().unwrap() && queue.is_done().unwrap());
        assert_eq!(y.to_vec().unwrap(), vec![lingered(100, 0.5, 0.0); n]);
        seen_busy
    });
}

fn copies_are_in_order(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let queue = device.queue().unwrap();
    let n = 1000;
    let (x, y, z) = (
        device.zeros::<f32>(n).unwrap(),
        device.zeros::<f32>(n).unwrap(),
        device.zeros::<f32>(n).unwrap(),
    );
    let host: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let up = queue.upload(host, &x).unwrap();
    for _ in 0..10 {
        axpy.run_on(&queue, args![n, 1.0, &x, &y]).unwrap();
    }
    queue.copy(&y, &z).unwrap();
    axpy.run_on(&queue, args![n, 1.0, &x, &y]).unwrap();
    let down = queue.download(&z, vec![0.0; n]).unwrap();
    let (host, down) = (up.wait().unwrap(), down.wait().unwrap());
    assert!((0..n).all(|i| down[i] == 10.0 * host[i]));
    queue.wait().unwrap();
}

fn transfers(device: &Device) {
    let linger = build(device, KERNELS).kernel("linger").unwrap();
    let (n, _) = lingering(device);
    let y = device.zeros::<f32>(n).unwrap();
    let queue = device.queue().unwrap();
    until_seen(device, |steps| {
        y.zero().unwrap();
        linger.run_on(&queue, args![n, steps, 0.5f32, &y]).unwrap();
        let pinned = queue.download(&y, device.pinned(n).unwrap()).unwrap();
        let seen_busy = !pinned.is_done().unwrap();
        // Dropped before the copy has been made: it waits, and gives the memory back.
        drop(queue.upload(vec![4.0; n], &y).unwrap());
        assert_eq!(pinned.wait().unwrap()[n - 1], lingered(100, 0.5, 0.0));
        assert_eq!(y.to_vec().unwrap(), vec![4.0; n]);
        seen_busy
    });
    let mut pinned = device.pinned::<f32>(n).unwrap();
    pinned.fill(5.0);
    let back = queue.upload(pinned, &y).unwrap().wait().unwrap();
    assert_eq!(y.to_vec().unwrap(), *back);
}

fn borrowed_memory(device: &Device) {
    let (x, y) = (
        device.zeros::<f64>(5).unwrap(),
        device.zeros::<f64>(5).unwrap(),
    );
    let queue = device.queue().unwrap();
    let input = [1.0, 2.0, 3.0, 4.0, 5.0];
    let (mut one, mut two) = ([0.0; 5], [0.0; 2]);
    let n = queue
        .scope(|scope| {
            scope.upload(&input, &x).unwrap();
            queue.copy(&x, &y).unwrap();
            scope.download(&y, &mut one).unwrap();
            scope.download(&y.slice(1..3).unwrap(), &mut two).unwrap();
            7
        })
        .unwrap();
    assert_eq!((n, one, two), (7, input, [2.0, 3.0]));
    // A panic in the scope waits as well, or the memory would be gone while it is copied.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        queue.scope(|scope| {
            scope.upload(&[9.0; 5], &x).unwrap();
            std::panic::resume_unwind(Box::new("on purpose"));
        })
    }));
    assert!(caught.is_err() && queue.is_done().unwrap());
    assert_eq!(x.to_vec().unwrap(), [9.0; 5]);
}

fn events_order_queues(device: &Device) {
    let program = build(device, KERNELS);
    let (linger, axpy) = (
        program.kernel("linger").unwrap(),
        program.kernel("axpy").unwrap(),
    );
    let (n, steps) = lingering(device);
    let (x, y) = (
        device.zeros::<f32>(n).unwrap(),
        device.zeros::<f32>(n).unwrap(),
    );
    let (one, other) = (device.queue().unwrap(), device.queue().unwrap());
    let event = linger.run_async(&one, args![n, steps, 0.5f32, &x]).unwrap();
    other.wait_for(&event).unwrap();
    axpy.run_on(&other, args![n, 3.0f32, &x, &y]).unwrap();
    let after = other.record().unwrap();
    // The device's own queue waits as well.
    device.default_queue().unwrap().wait_for(&after).unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![3.0 * lingered(100, 0.5, 0.0); n]);
    assert!(event.is_done().unwrap() && after.clone().is_done().unwrap());
}

fn events_tell_time(device: &Device) {
    let linger = build(device, KERNELS).kernel("linger").unwrap();
    let (n, steps) = lingering(device);
    let y = device.zeros::<f32>(n).unwrap();
    for queue in [device.queue().unwrap(), device.default_queue().unwrap()] {
        let start = Instant::now();
        let before = queue.record().unwrap();
        linger.run_on(&queue, args![n, steps, 0.5f32, &y]).unwrap();
        let after = queue.record().unwrap();
        let elapsed = after.elapsed_since(&before).unwrap();
        let all = start.elapsed();
        if is_asynchronous(device) {
            assert!(elapsed > Duration::ZERO);
        }
        // Clocks differ a little.
        let most = all + all / 10 + Duration::from_millis(1);
        assert!(elapsed <= most, "{elapsed:?} of {all:?}");
    }
}

fn memory_may_go_first(device: &Device) {
    let program = build(device, KERNELS);
    let (linger, axpy) = (
        program.kernel("linger").unwrap(),
        program.kernel("axpy").unwrap(),
    );
    let (n, steps) = lingering(device);
    let y = device.zeros::<f32>(n).unwrap();
    let queue = device.queue().unwrap();
    {
        let x = device.zeros::<f32>(n).unwrap();
        linger.run_on(&queue, args![n, steps, 0.5f32, &x]).unwrap();
        axpy.run_on(&queue, args![n, 1.0, &x, &y]).unwrap();
    }
    // Programs and kernels may go, too; and so may the queue.
    drop((program, linger, axpy, queue));
    let other = device.upload(&vec![77.0f32; n]).unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![lingered(100, 0.5, 0.0); n]);
    drop(other);
}

fn devices_wait_for_queues(device: &Device) {
    let linger = build(device, KERNELS).kernel("linger").unwrap();
    let (n, _) = lingering(device);
    let y = device.zeros::<f32>(n).unwrap();
    let queue = device.queue().unwrap();
    until_seen(device, |steps| {
        linger.run_on(&queue, args![n, steps, 0.5f32, &y]).unwrap();
        let seen_busy = !device.is_idle().unwrap();
        device.synchronize().unwrap();
        assert!(queue.is_done().unwrap() && device.is_idle().unwrap());
        seen_busy
    });
}

fn pinned_memory(device: &Device) {
    let mut pinned = device.pinned::<u32>(1000).unwrap();
    assert!(pinned.iter().all(|n| *n == 0));
    for (i, n) in pinned.iter_mut().enumerate() {
        *n = i as u32;
    }
    let x = device.upload(&pinned).unwrap();
    pinned.fill(0);
    x.download(&mut pinned).unwrap();
    assert_eq!(pinned[999], 999);
}

fn mistakes(device: &Device) {
    let queue = device.queue().unwrap();
    let x = device.zeros::<f32>(8).unwrap();
    let error = queue.upload(vec![1.0f32; 7], &x).unwrap_err().to_string();
    assert!(error.ends_with("the other side of the copy 7"));
    assert!(queue.download(&x, vec![1.0f32; 9]).is_err());
    let (one, other) = (x.slice(..5).unwrap(), x.slice(3..).unwrap());
    if is_asynchronous(device) {
        let error = queue.copy(&one, &other).unwrap_err().to_string();
        assert_eq!(error, "the two sides of the copy overlap");
    }
    let elsewhere = match device.name().starts_with("openmp") {
        true => "emulated-cuda",
        false => "openmp",
    };
    if let Ok(elsewhere) = Device::open(elsewhere) {
        let foreign = elsewhere.zeros::<f32>(8).unwrap();
        if is_asynchronous(device) {
            assert!(queue.copy(&foreign, &x).is_err());
            assert!(queue.upload(vec![0.0f32; 8], &foreign).is_err());
        }
        let (one, other) = (
            queue.record().unwrap(),
            elsewhere.queue().unwrap().record().unwrap(),
        );
        // Events of other devices can be waited for, but not compared.
        queue.wait_for(&other).unwrap();
        elsewhere.queue().unwrap().wait_for(&one).unwrap();
    }
}
