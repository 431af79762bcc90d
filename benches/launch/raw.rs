//! A launch through the vendor's own interface.

use brook::runtime::{NativeDevice, NativeMemory};
use brook::{Device, Memory};
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// Something that is measured.
pub type Call = Box<dyn FnMut()>;

/// The launch of `tiny` in that generated source by the vendor's call, and what waits for launches where the device does
/// not know of them; `None` where none is known here.
pub fn launch(
    device: &Device,
    source: &str,
    x: &Memory<f32>,
    y: &Memory<f32>,
) -> Option<(Call, Call)> {
    let known = |call: Call| (call, Box::new(|| ()) as Call);
    if let Some(ordinal) = device.name().strip_prefix("sycl:") {
        return super::sycl::launch(ordinal.parse().ok()?, source);
    }
    let call = match device.native() {
        NativeDevice::Cuda { .. } => cuda(device, source, x, y),
        NativeDevice::OpenCl {
            context,
            device: id,
            ..
        } => opencl(device, source, (context, id), x, y),
        NativeDevice::Host => openmp(device),
        _ => None,
    };
    call.map(known)
}

/// A function of a library that is never unloaded.
///
/// # Safety
/// The function has that type.
unsafe fn function<T: Copy>(library: &'static Library, name: &str) -> Option<T> {
    // SAFETY: by this function's contract.
    unsafe { library.get::<T>(name.as_bytes()) }
        .ok()
        .map(|f| *f)
}

fn library(names: &[&str]) -> Option<&'static Library> {
    // SAFETY: the driver has loaded the same library before.
    let found = names
        .iter()
        .find_map(|n| unsafe { Library::new(*n) }.ok())?;
    Some(Box::leak(Box::new(found)))
}

fn cuda(device: &Device, source: &str, x: &Memory<f32>, y: &Memory<f32>) -> Option<Call> {
    let library = library(&["libcuda.so.1"])?;
    type Load = unsafe extern "C" fn(*mut *mut c_void, *const c_void) -> c_int;
    type Find = unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const c_char) -> c_int;
    type Launch = unsafe extern "C" fn(
        *mut c_void,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        *mut c_void,
        *mut *mut c_void,
        *mut *mut c_void,
    ) -> c_int;
    let binary = device.driver().compile(source, &Default::default()).ok()?;
    let (mut module, mut kernel) = (null_mut(), null_mut());
    let name = CString::new("_occa_tiny_0").ok()?;
    // SAFETY: types are those of `cuda.h`; the driver has made a context current.
    let launch = unsafe {
        let load: Load = function(library, "cuModuleLoadData")?;
        let find: Find = function(library, "cuModuleGetFunction")?;
        assert_eq!(
            load(&raw mut module, binary.as_ptr().cast()),
            0,
            "cuModuleLoadData"
        );
        assert_eq!(
            find(&raw mut kernel, module, name.as_ptr()),
            0,
            "cuModuleGetFunction"
        );
        function::<Launch>(library, "cuLaunchKernel")?
    };
    let address = |memory: &Memory<f32>| match memory.native() {
        NativeMemory::Address(address) => Some(address),
        _ => None,
    };
    let addresses = Box::leak(Box::new([address(x)?, address(y)?]));
    let stream = match device.default_queue().ok()?.native() {
        brook::runtime::NativeQueue::Cuda(stream) => stream,
        _ => return None,
    };
    let mut pointers = addresses
        .each_mut()
        .map(|a| std::ptr::from_mut(a).cast::<c_void>());
    Some(Box::new(move || {
        // SAFETY: the kernel takes two pointers.
        let status = unsafe {
            launch(
                kernel,
                1,
                1,
                1,
                32,
                1,
                1,
                0,
                stream,
                pointers.as_mut_ptr(),
                null_mut(),
            )
        };
        assert_eq!(status, 0, "cuLaunchKernel");
    }))
}

fn opencl(
    device: &Device,
    source: &str,
    (context, id): (*mut c_void, *mut c_void),
    x: &Memory<f32>,
    y: &Memory<f32>,
) -> Option<Call> {
    let library = library(&["libOpenCL.so.1"])?;
    type Create = unsafe extern "C" fn(
        *mut c_void,
        c_uint,
        *const *const c_char,
        *const usize,
        *mut c_int,
    ) -> *mut c_void;
    type Build = unsafe extern "C" fn(
        *mut c_void,
        c_uint,
        *const *mut c_void,
        *const c_char,
        *const c_void,
        *mut c_void,
    ) -> c_int;
    type Kernel = unsafe extern "C" fn(*mut c_void, *const c_char, *mut c_int) -> *mut c_void;
    type Set = unsafe extern "C" fn(*mut c_void, c_uint, usize, *const c_void) -> c_int;
    type Enqueue = unsafe extern "C" fn(
        *mut c_void,
        *mut c_void,
        c_uint,
        *const usize,
        *const usize,
        *const usize,
        c_uint,
        *const c_void,
        *mut c_void,
    ) -> c_int;
    let queue = match device.default_queue().ok()?.native() {
        brook::runtime::NativeQueue::OpenCl(queue) => queue,
        _ => return None,
    };
    let memory = |memory: &Memory<f32>| match memory.native() {
        NativeMemory::OpenCl { object, .. } => Some(object),
        _ => None,
    };
    let memories = [memory(x)?, memory(y)?];
    let text = CString::new(source).ok()?;
    let name = CString::new("_occa_tiny_0").ok()?;
    let mut status = 0;
    // SAFETY: types are those of `CL/cl.h`; context, device and queue are live.
    let (set, enqueue, kernel) = unsafe {
        let create: Create = function(library, "clCreateProgramWithSource")?;
        let program = create(context, 1, &text.as_ptr(), null(), &raw mut status);
        let build: Build = function(library, "clBuildProgram")?;
        assert_eq!(
            build(program, 1, &id, null(), null(), null_mut()),
            0,
            "clBuildProgram"
        );
        let find: Kernel = function(library, "clCreateKernel")?;
        let kernel = find(program, name.as_ptr(), &raw mut status);
        (
            function::<Set>(library, "clSetKernelArg")?,
            function::<Enqueue>(library, "clEnqueueNDRangeKernel")?,
            kernel,
        )
    };
    assert_eq!(status, 0, "clCreateKernel");
    Some(Box::new(move || {
        // SAFETY: the kernel takes two buffers.
        unsafe {
            for (index, memory) in memories.iter().enumerate() {
                let size = size_of::<*mut c_void>();
                assert_eq!(
                    set(
                        kernel,
                        index as c_uint,
                        size,
                        std::ptr::from_ref(memory).cast()
                    ),
                    0
                );
            }
            let (global, local) = ([32, 1, 1], [32, 1, 1]);
            let status = enqueue(
                queue,
                kernel,
                3,
                null(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                null(),
                null_mut(),
            );
            assert_eq!(status, 0, "clEnqueueNDRangeKernel");
        }
    }))
}

/// An empty parallel region.
fn openmp(device: &Device) -> Option<Call> {
    let source = "extern \"C\" void brook_launch_empty(void **) {\n#pragma omp parallel\n  { __asm__ volatile(\"\" ::: \"memory\"); }\n}\n";
    let binary = device.driver().compile(source, &Default::default()).ok()?;
    let kernel = device
        .driver()
        .load(&binary)
        .and_then(|p| p.kernel("empty"))
        .ok()?;
    Some(Box::new(move || {
        assert!(kernel.launch([1; 3], [1; 3], &[]).is_ok());
    }))
}
