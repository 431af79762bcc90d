//! Memory of others, and native handles.

use crate::support::trusted::{Trusted, TrustedRecorder};
use crate::{KERNELS, Test, build};
use brook::args;
use brook::runtime::{Device, NativeDevice, NativeMemory, NativeQueue};
use std::ffi::{c_int, c_uint, c_void};

pub const TESTS: &[Test] = &[
    ("foreign::memory", memory),
    ("foreign::handles", handles),
    ("foreign::contexts", contexts),
    ("foreign::wrong_memory", wrong_memory),
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
