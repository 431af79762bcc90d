//! A device that runs out of memory or fails: what streams say then (specification, section 8).

use super::fault::Code;
use super::tests::of;
use super::*;
use crate::runtime::{self, tests::processor};
use brook_driver::{
    Argument as DeviceArgument, Buffer, CompileOptions, DeviceInfo, Error, ErrorKind, Kernel,
    Program,
};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null;
use std::sync::Arc;

thread_local! {
    static NO_MEMORY: Cell<bool> = const { Cell::new(false) };
    static BUSY: Cell<bool> = const { Cell::new(false) };
    static NO_LAUNCH: Cell<bool> = const { Cell::new(false) };
}

/// The processor, as long as nothing is broken.
struct Broken(brook_openmp::OpenMp);
struct BrokenDevice(Arc<dyn brook_driver::Device>);
struct BrokenProgram(Arc<dyn Program>);
struct BrokenKernel(Arc<dyn Kernel>);

impl brook_driver::Driver for Broken {
    fn backend(&self) -> &'static str {
        "broken"
    }

    fn devices(&self) -> brook_driver::Result<Vec<DeviceInfo>> {
        self.0.devices()
    }

    fn open(&self, ordinal: usize) -> brook_driver::Result<Arc<dyn brook_driver::Device>> {
        Ok(Arc::new(BrokenDevice(self.0.open(ordinal)?)))
    }
}

impl brook_driver::Device for BrokenDevice {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> brook_driver::Result<Vec<u8>> {
        self.0.compile(source, options)
    }

    fn load(&self, binary: &[u8]) -> brook_driver::Result<Arc<dyn Program>> {
        Ok(Arc::new(BrokenProgram(self.0.load(binary)?)))
    }

    fn allocate(&self, bytes: usize) -> brook_driver::Result<Arc<dyn Buffer>> {
        match NO_MEMORY.get() {
            true => Err(Error::new(ErrorKind::Memory, "there is no memory left")),
            false => self.0.allocate(bytes),
        }
    }

    fn synchronize(&self) -> brook_driver::Result<()> {
        self.0.synchronize()
    }

    fn is_idle(&self) -> brook_driver::Result<bool> {
        Ok(!BUSY.get())
    }
}

impl Program for BrokenProgram {
    fn kernel(&self, name: &str) -> brook_driver::Result<Arc<dyn Kernel>> {
        Ok(Arc::new(BrokenKernel(self.0.kernel(name)?)))
    }
}

impl Kernel for BrokenKernel {
    fn launch(
        &self,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[DeviceArgument<'_>],
    ) -> brook_driver::Result<()> {
        match NO_LAUNCH.get() {
            true => Err(Error::new(
                ErrorKind::Device,
                "the device has fallen off the bus",
            )),
            false => self.0.launch(grid, group, arguments),
        }
    }
}

const KERNELS: &str = "kernel void copy(float a<>, out float b<>) { b = a; }\n\
    kernel void first(float a[3], out float b<>) { b = a[0]; }\n\
    reduce void sum(float a<>, reduce float r<>) { r += a; }\n";

fn stream() -> *mut Stream {
    let extent = 4;
    // SAFETY: one number for one dimension.
    let stream = unsafe { brook_stream_declare(c"float".as_ptr(), 1, &raw const extent, null()) };
    assert!(!stream.is_null());
    stream
}

/// The code and the messages of a stream, which are then forgotten with it.
fn told(stream: *mut Stream) -> (c_int, String) {
    // SAFETY: a live handle, which is given up.
    unsafe {
        let code = brook_stream_error(stream);
        let log = CStr::from_ptr(brook_stream_error_log(stream));
        let log = log.to_string_lossy().into_owned();
        brook_stream_release(stream);
        (code, log)
    }
}

/// What calling a kernel with one input and one output says of the output.
fn call(module: *mut Module, kernel: &CStr, input: Argument) -> (c_int, String) {
    let output = stream();
    let arguments = [input, of(1, 0, output.cast(), 0)];
    // SAFETY: live handles.
    unsafe { brook_call(module, kernel.as_ptr(), null(), arguments.as_ptr(), 2) };
    told(output)
}

#[test]
fn a_device_that_fails_is_told_of() {
    if processor().is_none() {
        return;
    }
    runtime::register(Box::new(Broken(brook_openmp::OpenMp::new())), "openmp");
    let broken = runtime::Device::open("broken").unwrap();
    let elsewhere = runtime::Device::open("openmp").unwrap();
    // SAFETY: handles live as long as the process; every other pointer is to what the header says.
    unsafe {
        brook_use_device(device::handle(&elsewhere));
        let foreign = stream();
        brook_use_device(device::handle(&broken));
        let (name, source) = (c"kernels.br".as_ptr(), KERNELS.as_ptr().cast());
        let module = brook_module_create(name, source, KERNELS.len(), null());
        let input = stream();
        let (mut values, mut total) = ([0f32; 3], 0f32);
        let mut constants = of(3, 9, (&raw mut values).cast(), 12);
        (constants.rank, constants.extents) = (1, [3, 0, 0, 0]);
        let sum = [
            of(1, 0, input.cast(), 0),
            of(2, 9, (&raw mut total).cast::<c_void>(), 4),
        ];
        let reduce = || {
            brook_call(module, c"sum".as_ptr(), null(), sum.as_ptr(), 2);
            CStr::from_ptr(brook_last_error())
                .to_string_lossy()
                .into_owned()
        };

        let (code, log) = call(module, c"copy", of(1, 0, foreign.cast(), 0));
        assert_eq!(code, Code::Kernel as c_int);
        let what = "Kernel Execution: Input stream device is different from current device";
        assert!(log.starts_with(what), "{log}");

        // The output is there before memory runs out.
        let output = stream();
        NO_MEMORY.set(true);
        let what = "Stream Allocation: Failed to create buffer: there is no memory left\n";
        assert_eq!(
            told(stream()),
            (Code::Declaration as c_int, what.to_string())
        );
        let arguments = [constants, of(1, 0, output.cast(), 0)];
        brook_call(module, c"first".as_ptr(), null(), arguments.as_ptr(), 2);
        let (_, log) = told(output);
        let what = "Kernel Execution: Input streams Allocation failed";
        assert!(log.starts_with(what), "{log}");
        let what = "Kernel Execution: Unable to create temporary stream required for reduction";
        let log = reduce();
        assert!(log.starts_with(what), "{log}");
        NO_MEMORY.set(false);

        NO_LAUNCH.set(true);
        let (_, log) = call(module, c"copy", of(1, 0, input.cast(), 0));
        let what = "Kernel Execution: Failed to run kernel: the device has fallen off the bus\n";
        // Behind what the reduction before has left with its input.
        assert!(log.ends_with(what), "{log}");
        let log = reduce();
        let what = "Kernel Execution: Failed to execute a reduction pass";
        assert!(log.starts_with(what), "{log}");
        NO_LAUNCH.set(false);

        let output = stream();
        assert_ne!(brook_stream_assign(output, null()), 0);
        let what = "Stream Assign: Invalid input stream\n".to_string();
        assert_eq!(told(output), (Code::Assign as c_int, what));

        // Copies that others begin are nothing to a stream that was waited for; kernels are.
        let (output, other) = (stream(), stream());
        let arguments = [of(1, 0, input.cast(), 0), of(1, 0, output.cast(), 0)];
        let copy = || brook_call(module, c"copy".as_ptr(), null(), arguments.as_ptr(), 2);
        copy();
        BUSY.set(true);
        assert_eq!(brook_stream_is_sync(output), 0);
        assert_eq!(brook_stream_finish(output), 0);
        assert_eq!(
            (brook_stream_is_sync(output), brook_stream_is_sync(other)),
            (1, 0)
        );
        copy();
        assert_eq!(brook_stream_is_sync(output), 0);
        BUSY.set(false);
        assert_eq!(brook_stream_is_sync(output), 1);
        told(output);
        told(other);

        told(input);
        told(foreign);
        brook_module_release(module);
    }
}
