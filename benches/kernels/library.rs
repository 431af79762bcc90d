//! Functions of vendors' libraries (CUB, cuBLAS), where the vendor's own compiler is there to build them.

use super::work::Work;
use brook::Device;
use brook_driver::{
    Argument, NativeMemory, NativeQueue, ScratchDirectory, find_program, run_compiler,
};
use std::ffi::c_void;
use std::process::Command;

/// What `library.cu` exports: pointers to the arguments, as kernels are launched with, and a stream. The
/// result is an error code.
type Function = unsafe extern "C" fn(*const *const c_void, *mut c_void) -> i32;

/// A folder's `library.cu`, compiled and loaded. It is never unloaded: the CUDA runtime in it has registered
/// its kernels for good.
pub struct Library(&'static libloading::Library);

impl Library {
    /// Compiles the folder's `library.cu` with `nvcc`.
    pub fn build(
        device: &Device,
        work: &Work,
        defines: &[(String, String)],
    ) -> Result<Self, String> {
        let source = work.source("library.cu").ok_or("there is no library.cu")?;
        let in_toolkit = || find_program("/usr/local/cuda/bin/nvcc");
        let nvcc = find_program("nvcc").or_else(in_toolkit);
        let nvcc = nvcc.ok_or("no nvcc on PATH or in /usr/local/cuda")?;
        let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
        let library = scratch.path().join("library.so");
        let mut command = Command::new(nvcc);
        command.args([
            "-O3",
            "-std=c++17",
            "-shared",
            "-Xcompiler",
            "-fPIC",
            "-lineinfo",
        ]);
        command.arg(format!("-arch={}", device.info().architecture));
        command.args(
            defines
                .iter()
                .map(|(name, value)| format!("-D{name}={value}")),
        );
        command.arg("-o").arg(&library).arg(&source);
        command.args(work.links.iter().map(|name| format!("-l{name}")));
        run_compiler(&mut command)
            .map_err(|e| format!("{e}: {}", e.log.clone().unwrap_or_default()))?;
        // SAFETY: its initialisers register kernels with the CUDA runtime, and do nothing else.
        let library = unsafe { libloading::Library::new(&library) };
        let library = library.map_err(|e| e.to_string())?;
        Ok(Self(Box::leak(Box::new(library))))
    }

    /// A call of one of its functions on the device's own stream.
    pub fn call<'a>(
        &self,
        device: &Device,
        name: &str,
        arguments: &[Argument<'a>],
    ) -> Result<Box<dyn FnMut() -> Result<(), String> + 'a>, String> {
        // SAFETY: functions of `library.cu` have this type.
        let function = unsafe { self.0.get::<Function>(name.as_bytes()) };
        let function = *function.map_err(|e| e.to_string())?;
        let queue = device.default_queue().map_err(|e| e.to_string())?;
        let NativeQueue::Cuda(stream) = queue.native() else {
            return Err("the device is not one of CUDA's".to_string());
        };
        let mut values: Vec<[u8; 8]> = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Buffer(buffer) | Argument::Whole(buffer) => match buffer.native() {
                    NativeMemory::Address(address) => address.to_ne_bytes(),
                    _ => return Err("the memory has no address".to_string()),
                },
                Argument::Value(bytes) => {
                    let mut value = [0; 8];
                    value[..bytes.len()].copy_from_slice(bytes);
                    value
                }
                Argument::Null => [0; 8],
            });
        }
        Ok(Box::new(move || {
            let _alive = &queue;
            let pointers: Vec<_> = values.iter().map(|v| v.as_ptr().cast::<c_void>()).collect();
            // SAFETY: the arguments that the function reads, in their order, and the device's stream.
            match unsafe { function(pointers.as_ptr(), stream) } {
                0 => Ok(()),
                code => Err(format!("the library failed with error {code}")),
            }
        }))
    }
}
