//! Memory of others, and native handles.

use crate::support::trusted::{Trusted, TrustedRecorder};
use crate::{KERNELS, Test, build};
use brook::args;
use brook::runtime::{Device, DeviceKind, NativeDevice, NativeEvent, NativeMemory, NativeQueue};
use std::ffi::{c_int, c_uint, c_void};

pub const TESTS: &[Test] = &[
    ("foreign::memory", memory),
    ("foreign::handles", handles),
    ("foreign::contexts", contexts),
    ("foreign::wrong_memory", wrong_memory),
    ("foreign::queues", queues),
    ("foreign::shared_memory", shared_memory),
    ("foreign::memory_of_the_host", memory_of_the_host),
];

fn memory(device: &Device) {
    // The emulation takes no memory of others.
    if device.name().starts_with("emulated") {
        return;
    }
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.upload(&[1.0f32; 100]).unwrap();
    // Memory that something else allocated: a vector of this program for the processor, else memory
    // whose owner is `whole`.
    let mut host = vec![2.0f32; 2048];
    let whole = device.upload(&host).unwrap();
    let native = match device.native() {
        NativeDevice::Host => NativeMemory::Host(host.as_mut_ptr().cast()),
        _ => whole.native(),
    };
    // SAFETY: there is as much memory, and it outlives the import.
    let foreign = unsafe { device.import::<f32>(native, 2048) }.unwrap();
    let part = foreign.slice(1024..1124).unwrap();
    axpy.run(args![100, 5.0, &x, &part]).unwrap();
    assert_eq!(
        foreign.to_vec().unwrap()[1020..1026],
        [2.0, 2.0, 2.0, 2.0, 7.0, 7.0]
    );
    drop((foreign, part));
    // It is still there, and has been written.
    let after = match device.native() {
        NativeDevice::Host => host,
        _ => whole.to_vec().unwrap(),
    };
    assert_eq!((after[1023], after[1024]), (2.0, 7.0));
}

fn handles(device: &Device) {
    let (queue, default) = (device.queue().unwrap(), device.default_queue().unwrap());
    match device.native() {
        NativeDevice::Cuda { ordinal, context } => {
            assert!(ordinal >= 0 && !context.is_null());
            let NativeQueue::Cuda(stream) = queue.native() else {
                unreachable!("a CUDA device has CUDA streams")
            };
            assert!(!stream.is_null() && default.native() != queue.native());
        }
        NativeDevice::OpenCl { context, device } => {
            assert!(!context.is_null() && !device.is_null());
            let NativeQueue::OpenCl(raw) = queue.native() else {
                unreachable!("an OpenCL device has OpenCL queues")
            };
            assert!(!raw.is_null() && default.native() != queue.native());
        }
        NativeDevice::Hip { ordinal } => assert!(ordinal >= 0),
        _ => assert_eq!(queue.native(), NativeQueue::Host),
    }
    let x = device.zeros::<u16>(64).unwrap();
    let (whole, part) = (x.native(), x.slice(3..).unwrap().native());
    match (whole, part) {
        (NativeMemory::Address(whole), NativeMemory::Address(part)) => assert_eq!(part, whole + 6),
        (NativeMemory::Host(whole), NativeMemory::Host(part)) => {
            assert_eq!(part.addr(), whole.addr() + 6);
        }
        (
            NativeMemory::OpenCl { object, offset: 0 },
            NativeMemory::OpenCl {
                object: same,
                offset: 6,
            },
        ) => assert_eq!(object, same),
        other => unreachable!("{other:?}"),
    }
}

fn wrong_memory(device: &Device) {
    let wrong = match device.native() {
        NativeDevice::Host => NativeMemory::Address(64),
        _ => NativeMemory::Host(std::ptr::null_mut()),
    };
    // SAFETY: the device refuses memory of that kind.
    let error = unsafe { device.import::<f32>(wrong, 1) }.unwrap_err();
    assert!(error.to_string().contains("take"), "{error}");
    if let NativeDevice::OpenCl { .. } = device.native() {
        let x = device.zeros::<f32>(10).unwrap();
        // SAFETY: the memory is there; it is too small, which OpenCL knows.
        let error = unsafe { device.import::<f32>(x.native(), 11) }.unwrap_err();
        assert!(
            error.to_string().contains("the buffer has 40 bytes"),
            "{error}"
        );
    }
    if let (NativeDevice::Host, Ok("openmp")) =
        (device.native(), device.name().split(':').next().ok_or(()))
    {
        let null = NativeMemory::Host(std::ptr::null_mut());
        // SAFETY: the device refuses null pointers.
        assert!(unsafe { device.import::<f32>(null, 1) }.is_err());
    }
}

/// Other code may make no context current on a thread, or one of its own.
fn contexts(device: &Device) {
    let NativeDevice::Cuda { ordinal, context } = device.native() else {
        return;
    };
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.upload(&[1.0f32; 100]).unwrap();
    let y = device.zeros::<f32>(100).unwrap();
    let sequence = device
        .record(|r| r.run(&axpy, args![100, 1.0f32, &x, &y]))
        .unwrap();
    let launch = || axpy.run(args![100, 1.0f32, &x, &y]).unwrap();
    type Set = unsafe extern "C" fn(*mut c_void) -> c_int;
    type Create = unsafe extern "C" fn(*mut *mut c_void, c_uint, c_int) -> c_int;
    // SAFETY: types are those of `cuda.h`; the context that is made is destroyed after it was used.
    unsafe {
        let driver = libloading::Library::new("libcuda.so.1").unwrap();
        let set = driver.get::<Set>(b"cuCtxSetCurrent").unwrap();
        let create = driver.get::<Create>(b"cuCtxCreate_v2").unwrap();
        let destroy = driver.get::<Set>(b"cuCtxDestroy_v2").unwrap();
        assert_eq!(set(std::ptr::null_mut()), 0);
        launch();
        assert_eq!(set(std::ptr::null_mut()), 0);
        sequence.launch().unwrap();
        let mut other = std::ptr::null_mut();
        assert_eq!(create(&raw mut other, 0, ordinal), 0);
        assert!(other != context);
        launch();
        assert_eq!(set(other), 0);
        sequence.launch().unwrap();
        assert_eq!(set(other), 0);
        assert_eq!(y.to_vec().unwrap(), [4.0; 100]);
        assert_eq!(destroy(other), 0);
    }
    launch();
    assert_eq!(y.to_vec().unwrap(), [5.0; 100]);
}

fn queues(device: &Device) {
    let own = device.queue().unwrap();
    // SAFETY: the queue outlives what is made of it; what is none is refused.
    let import = |queue: NativeQueue| unsafe { device.import_queue(queue) };
    if own.native() == NativeQueue::Host {
        for queue in [
            NativeQueue::Host,
            NativeQueue::Cuda(std::ptr::null_mut()),
            NativeQueue::OpenCl(std::ptr::null_mut()),
        ] {
            let error = import(queue).unwrap_err().to_string();
            assert!(error.contains("takes no queues of others"), "{error}");
        }
        assert_eq!(own.record().unwrap().native(), NativeEvent::Host);
        return;
    }
    assert!(import(NativeQueue::Host).is_err());
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.upload(&vec![1.0f32; 100_000]).unwrap();
    let y = device.zeros::<f32>(100_000).unwrap();
    device.synchronize().unwrap();
    let same = import(own.native()).unwrap();
    assert_eq!(same.native(), own.native());
    let start = same.record().unwrap();
    // In order, whoever enqueues.
    for i in 0..20 {
        let queue = if i % 2 == 0 { &own } else { &same };
        axpy.run_on(queue, args![100_000, 1.0f32, &x, &y]).unwrap();
    }
    let end = same.record().unwrap();
    let mut host = vec![0.0f32; 100_000];
    same.scope(|scope| scope.download(&y, &mut host))
        .unwrap()
        .unwrap();
    assert_eq!(host, [20.0; 100_000]);
    assert!(end.is_done().unwrap());
    assert!(end.elapsed_since(&start).is_ok());
    match end.native() {
        NativeEvent::Cuda(event) | NativeEvent::Hip(event) | NativeEvent::OpenCl(event) => {
            assert!(!event.is_null());
        }
        other => unreachable!("{other:?}"),
    }
    // What somebody else has put into it is waited for, too.
    own.wait_for(&end).unwrap();
    axpy.run_on(&own, args![100_000, 1.0f32, &x, &y]).unwrap();
    same.wait().unwrap();
    // Each asks the device for itself, which may take it a moment to answer.
    while !own.is_done().unwrap() {
        std::thread::yield_now();
    }
    axpy.run_on(&own, args![100_000, 1.0f32, &x, &y]).unwrap();
    while !same.is_done().unwrap() {
        std::thread::yield_now();
    }
    assert_eq!(y.slice(..1).unwrap().to_vec().unwrap(), [22.0]);
    drop(same);
    // It is still there.
    axpy.run_on(&own, args![100_000, 1.0f32, &x, &y]).unwrap();
    own.wait().unwrap();
    assert_eq!(y.slice(99_999..).unwrap().to_vec().unwrap(), [23.0]);
}

/// Whether kernels of a device reach the host's memory; checks that it is refused otherwise.
fn shares(device: &Device) -> bool {
    let apart = device.name().starts_with("opencl") && device.info().kind == DeviceKind::Gpu;
    match device.shared::<f32>(1) {
        Ok(_) => true,
        Err(error) => {
            assert!(apart || device.name().starts_with("emulated"), "{error}");
            false
        }
    }
}

fn shared_memory(device: &Device) {
    let own = device.zeros::<f32>(4).unwrap();
    assert_eq!(
        own.host().is_some(),
        device.name().starts_with("openmp") && device.native() == NativeDevice::Host
    );
    if !shares(device) {
        return;
    }
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.shared::<f32>(1000).unwrap();
    let y = device.shared::<f32>(1000).unwrap();
    let (x_host, y_host) = (x.host().unwrap(), y.host().unwrap());
    // SAFETY: there are as many elements, and no kernel runs meanwhile.
    unsafe {
        for i in 0..1000 {
            assert_eq!(*x_host.add(i), 0.0);
            *x_host.add(i) = i as f32;
        }
    }
    axpy.run(args![1000, 2.0f32, &x, &y]).unwrap();
    axpy.run(args![
        10,
        1.0f32,
        &x.slice(3..13).unwrap(),
        &y.slice(990..).unwrap()
    ])
    .unwrap();
    device.synchronize().unwrap();
    let expected = |i: usize| 2.0 * i as f32 + if i < 990 { 0.0 } else { (i - 987) as f32 };
    for i in 0..1000 {
        // SAFETY: as above.
        assert_eq!(unsafe { *y_host.add(i) }, expected(i));
    }
    assert_eq!(y.slice(7..).unwrap().host(), Some(y_host.wrapping_add(7)));
    // Copies of all kinds.
    let all: Vec<f32> = (0..1000).map(expected).collect();
    assert_eq!(y.to_vec().unwrap(), all);
    let device_memory = device.zeros::<f32>(1000).unwrap();
    device_memory.copy_from(&y).unwrap();
    assert_eq!(device_memory.to_vec().unwrap(), all);
    y.zero().unwrap();
    x.copy_from(&device_memory).unwrap();
    y.slice(5..6).unwrap().write(&[3.0]).unwrap();
    device.synchronize().unwrap();
    // SAFETY: as above.
    unsafe {
        assert_eq!((*y_host.add(4), *y_host.add(5)), (0.0, 3.0));
        assert_eq!((*x_host.add(1), *x_host.add(999)), (2.0, expected(999)));
    }
    let queue = device.queue().unwrap();
    axpy.run_on(&queue, args![1000, 1.0f32, &x, &y]).unwrap();
    queue.wait().unwrap();
    // SAFETY: as above.
    assert_eq!(unsafe { *y_host.add(5) }, 13.0);
    // A part keeps it.
    let part = y.slice(5..).unwrap();
    drop(y);
    // SAFETY: as above.
    assert_eq!(unsafe { *part.host().unwrap() }, 13.0);
    assert_eq!(device.shared::<f64>(0).unwrap().len(), 0);
}

fn memory_of_the_host(device: &Device) {
    if !shares(device) {
        return;
    }
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.upload(&vec![1.0f32; 3000]).unwrap();
    let mut host = vec![2.0f32; 3000];
    let first = host.as_mut_ptr();
    for times in 1..=2 {
        // SAFETY: the vector outlives the import, and is left alone meanwhile.
        let y = unsafe { device.import::<f32>(NativeMemory::Host(first.cast()), 3000) }.unwrap();
        assert_eq!(y.host(), Some(first));
        axpy.run(args![3000, 3.0f32, &x, &y]).unwrap();
        assert_eq!(
            y.slice(2999..).unwrap().to_vec().unwrap()[0],
            2.0 + 3.0 * times as f32
        );
    }
    assert_eq!(host, [8.0; 3000]);
}
