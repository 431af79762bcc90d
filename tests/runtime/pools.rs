//! Memory that is kept.

use crate::support::trusted::Trusted;
use crate::{KERNELS, Test, build, lingering};
use brook::args;
use brook::runtime::Device;

pub const TESTS: &[Test] = &[
    ("pools::memory_is_used_again", memory_is_used_again),
    (
        "pools::queues_keep_what_they_use",
        queues_keep_what_they_use,
    ),
    ("pools::threads", threads),
];

fn memory_is_used_again(device: &Device) {
    let pool = device.pool();
    let x = pool.upload(&[1.0f32; 1000]).unwrap();
    let place = x.native();
    let size = pool.used_bytes();
    assert!((4000..=4500).contains(&size) && pool.idle_bytes() == 0);
    let part = x.slice(10..20).unwrap();
    drop(x);
    // A part holds the whole.
    assert_eq!((pool.used_bytes(), pool.idle_bytes()), (size, 0));
    assert_eq!(part.to_vec().unwrap(), [1.0; 10]);
    drop(part);
    assert_eq!((pool.used_bytes(), pool.idle_bytes()), (0, size));
    // Of another type and a little smaller, and zero though it was not.
    let y = pool.zeros::<i64>(499).unwrap();
    assert_eq!((y.native(), pool.idle_bytes()), (place, 0));
    assert_eq!(y.to_vec().unwrap(), [0; 499]);
    drop(y);
    let larger = pool.clone().zeros::<f32>(100_000).unwrap();
    assert!(larger.native() != place && pool.idle_bytes() == size);
    pool.trim();
    assert_eq!(pool.idle_bytes(), 0);
    drop(larger);
    assert!(pool.zeros::<u8>(0).unwrap().is_empty());
    assert!(format!("{pool:?}").starts_with("Pool on "));
}

fn queues_keep_what_they_use(device: &Device) {
    let program = build(device, KERNELS);
    let (linger, axpy) = (
        program.kernel("linger").unwrap(),
        program.kernel("axpy").unwrap(),
    );
    let (n, steps) = lingering(device);
    let (pool, queue) = (device.pool(), device.queue().unwrap());
    let y = device.zeros::<f32>(n).unwrap();
    {
        let x = pool.zeros::<f32>(n).unwrap();
        linger.run_on(&queue, args![n, steps, 0.5f32, &x]).unwrap();
        axpy.run_on(&queue, args![n, 1.0, &x, &y]).unwrap();
    }
    // Whether it is the same memory or other: the queue's kernels come first.
    let other = pool.upload(&vec![55.0f32; n]).unwrap();
    queue.wait().unwrap();
    let expected = (0..100).fold(0.0f32, |x, _| 0.5 * x + 1.0);
    assert_eq!(y.to_vec().unwrap(), vec![expected; n]);
    assert_eq!(other.to_vec().unwrap(), vec![55.0; n]);
}

fn threads(device: &Device) {
    let pool = device.pool();
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let pool = pool.clone();
            scope.spawn(move || {
                for round in 0..50 {
                    let number = thread * 1000 + round;
                    let x = pool.upload(&vec![number; 300]).unwrap();
                    assert_eq!(x.to_vec().unwrap(), vec![number; 300]);
                }
            });
        }
    });
    assert_eq!(pool.used_bytes(), 0);
}
