//! An opened device, and its compiler.

use crate::commands::{Commands, library};
use crate::detect::Found;
use crate::handle::Handle;
use crate::host_memory::MappedMemory;
use crate::image;
use crate::memory::ClBuffer;
use crate::pieces::Pieces;
use crate::program::ClProgram;
use crate::queue::ClQueue;
use crate::session::Session;
use crate::status::{failed, name};
use brook_driver::{
    Buffer, CompileOptions, Device, DeviceInfo, Error, ErrorKind, HostMemory, ImageKind, Math,
    NativeDevice, NativeMemory, NativeQueue, Process, Program, Queue, Result, SOURCE,
};
use cl3::types::{cl_device_id, cl_uint};
use cl3::{context, program};
use std::ffi::{CStr, CString};
use std::sync::Arc;

/// What [`crate::OpenCL`] opens.
pub(crate) struct OpenClDevice {
    session: Arc<Session>,
    info: DeviceInfo,
    correctly_rounded: bool,
    compute_capability: Option<u64>,
    collectives: Option<&'static str>,
}

/// What OpenCL C without anything newer is told to be.
const STANDARD: &str = "CL1.2";

/// Functions of a whole group, as OpenCL C 2.0 calls them.
const COLLECTIVES: [&str; 5] = [
    "work_group_reduce_",
    "work_group_scan_",
    "work_group_all",
    "work_group_any",
    "work_group_broadcast",
];

impl OpenClDevice {
    pub(crate) fn open(found: &Found) -> Result<Self> {
        let null = std::ptr::null_mut();
        let context = context::create_context(&[found.id], std::ptr::null(), None, null)
            .map_err(|s| failed("creating an OpenCL context", s))?;
        // SAFETY: the call above returned the one reference to a new context.
        let context = unsafe { Handle::new(context, context::release_context) };
        let queue = Commands::create(&context, found.id, found.lies, true)?;
        Ok(Self {
            session: Arc::new(Session {
                pieces: Pieces::default(),
                queue,
                context,
                device: found.id,
                apart: found.apart,
                lies: found.lies,
                process: Process::current(),
                room: found.info.memory,
                alignment: alignment(found.id),
            }),
            info: found.info.clone(),
            correctly_rounded: found.correctly_rounded,
            compute_capability: found.compute_capability,
            collectives: found.collectives,
        })
    }

    /// Refuses devices with memory of their own, where what is mapped is a copy.
    fn check_unified(&self) -> Result<()> {
        match self.session.apart {
            false => Ok(()),
            true => Err(Error::invalid(
                "this OpenCL device has memory of its own: kernels use none of the host's",
            )),
        }
    }

    /// What its buffers and programs share.
    #[cfg(test)]
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// The standard that has the functions of a whole group which a source calls, where nobody names another.
    fn newer_standard(&self, source: &str, options: &CompileOptions) -> Option<&'static str> {
        let named = options.standard.is_some() || names_standard(options);
        let calls = || COLLECTIVES.iter().any(|name| source.contains(name));
        self.collectives.filter(|_| !named && calls())
    }

    /// `-cl-std`, arithmetic, what the device can do, include directories, and the caller's own flags.
    fn options(&self, standard: &str, options: &CompileOptions) -> Result<CString> {
        let mut words: Vec<String> = Vec::new();
        if !names_standard(options) {
            words.push(format!("-cl-std={standard}"));
        }
        match options.math {
            Math::Fast => words.push("-cl-fast-relaxed-math".to_string()),
            Math::Default | Math::Strict if self.correctly_rounded => {
                words.push("-cl-fp32-correctly-rounded-divide-sqrt".to_string());
            }
            Math::Default | Math::Strict => {}
        }
        if let Some(capability) = self.compute_capability {
            words.push(format!("-DBROOK_COMPUTE_CAPABILITY={capability}"));
        }
        // One string holds all options; quotes are the only way to keep a blank, and not every
        // vendor understands them, so they are left out where they can be.
        words.extend(options.include_directories.iter().map(|directory| {
            if directory.contains(' ') {
                format!("-I \"{directory}\"")
            } else {
                format!("-I {directory}")
            }
        }));
        words.extend(options.flags.iter().cloned());
        CString::new(words.join(" "))
            .map_err(|_| Error::invalid("a compiler option contains a zero byte"))
    }

    /// The binary of a source that is to be of a standard.
    fn compile_as(
        &self,
        standard: &str,
        source: &str,
        options: &CompileOptions,
    ) -> Result<Vec<u8>> {
        let program = program::create_program_with_source(self.session.context.raw(), &[source])
            .map_err(|s| failed("creating an OpenCL program", s))?;
        // SAFETY: the call above returned the one reference to a new program.
        let program = unsafe { Handle::new(program, program::release_program) };
        let options = self.options(standard, options)?;
        self.build(
            &program,
            &options,
            "the OpenCL compiler",
            ErrorKind::Compile,
        )?;
        binary(&program)
    }

    /// Builds a program; a failure carries the build log.
    fn build(&self, program: &Handle, options: &CStr, what: &str, kind: ErrorKind) -> Result<()> {
        let device = self.session.device;
        let null = std::ptr::null_mut();
        program::build_program(program.raw(), &[device], options, None, null).map_err(|status| {
            let message = format!("{what} failed: {}", name(status));
            let log = program::get_program_build_data(
                program.raw(),
                device,
                program::CL_PROGRAM_BUILD_LOG,
            )
            .unwrap_or_default();
            let log = String::from_utf8_lossy(&log)
                .trim_matches(['\0', '\n', ' '])
                .to_string();
            Error::new(kind, message).with_log(log)
        })
    }
}

/// Whether the caller's own flags name a standard.
fn names_standard(options: &CompileOptions) -> bool {
    options.flags.iter().any(|f| f.starts_with("-cl-std="))
}

/// Where parts of buffers may begin on a device.
fn alignment(device: cl_device_id) -> usize {
    let bits = cl3::device::get_device_info(device, cl3::device::CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    // The most that any device asks for, where one does not say.
    bits.map_or(4096, |bits| (cl_uint::from(bits) as usize / 8).max(1))
}

/// The source with contraction switched off where the caller wants it; lines keep their numbers.
fn with_contract(source: &str, options: &CompileOptions) -> String {
    match options.contracts() {
        true => source.to_string(),
        false => format!("#pragma OPENCL FP_CONTRACT OFF\n#line 1\n{source}"),
    }
}

/// The binary for the program's one device.
fn binary(program: &Handle) -> Result<Vec<u8>> {
    let failed = |status| failed("reading the OpenCL program's binary", status);
    let sizes = program::get_program_data(program.raw(), program::CL_PROGRAM_BINARY_SIZES)
        .map_err(failed)?;
    let size = sizes
        .first_chunk()
        .map(|bytes| usize::from_ne_bytes(*bytes))
        .filter(|size| *size > 0)
        .ok_or_else(|| {
            Error::new(
                ErrorKind::Compile,
                "OpenCL gives no binary for this program",
            )
        })?;
    let mut binary = vec![0u8; size];
    // `cl3` reads binaries through pointers that must not be written through; hence the plain call.
    let library = library().map_err(failed)?;
    let mut pointer = binary.as_mut_ptr();
    // The program was built for one device, so one pointer to `size` bytes is what the call fills.
    let status = library.clGetProgramInfo(
        program.raw(),
        program::CL_PROGRAM_BINARIES,
        size_of_val(&pointer),
        (&raw mut pointer).cast(),
        std::ptr::null_mut(),
    );
    match status {
        Some(0) => Ok(binary),
        Some(status) => Err(failed(status)),
        None => Err(Error::new(
            ErrorKind::Device,
            "the OpenCL loader has no clGetProgramInfo",
        )),
    }
}

impl Device for OpenClDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.session.check()?;
        let source = with_contract(source, options);
        // Sources that are well without it are not to fail because of what a newer standard forbids.
        if let Some(newer) = self.newer_standard(&source, options)
            && let Ok(binary) = self.compile_as(newer, &source, options)
        {
            return Ok(binary);
        }
        let standard = options.standard.as_deref().unwrap_or(STANDARD);
        self.compile_as(standard, &source, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        let session = &self.session;
        session.check()?;
        // SAFETY: the device is the context's.
        let program = unsafe {
            program::create_program_with_binary(session.context.raw(), &[session.device], &[binary])
        }
        .map_err(|s| failed("loading an OpenCL program", s))?;
        // SAFETY: the call above returned the one reference to a new program.
        let program = unsafe { Handle::new(program, program::release_program) };
        self.build(
            &program,
            c"",
            "loading an OpenCL program",
            ErrorKind::Device,
        )?;
        Ok(Arc::new(ClProgram {
            session: session.clone(),
            program,
        }))
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        image::fit(&self.info, kind)
    }

    fn load_image(&self, kind: &ImageKind, bytes: &[u8]) -> Result<Arc<dyn Program>> {
        if kind.format != SOURCE {
            return self.load(bytes);
        }
        let source = std::str::from_utf8(bytes)
            .map_err(|_| Error::new(ErrorKind::Device, "the OpenCL source is no text"))?;
        self.load(&self.compile(source, &image::options(kind))?)
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(ClBuffer::new(self.session.clone(), bytes)?))
    }

    fn synchronize(&self) -> Result<()> {
        self.session.check()?;
        self.session.queue.finish("waiting for the OpenCL device")
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.check()?;
        self.session.queue.is_idle()
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(ClQueue::default(self.session.clone())))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(ClQueue::create(self.session.clone())?))
    }

    /// A read of some thousand bytes takes NVIDIA's as long as one of four, and another launch before it a quarter more.
    fn has_near_results(&self) -> bool {
        true
    }

    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        Ok(Box::new(MappedMemory::new(self.session.clone(), bytes)?))
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let session = self.session.clone();
        match memory {
            // SAFETY: by this function's contract.
            NativeMemory::OpenCl { object, offset } => Ok(Arc::new(unsafe {
                ClBuffer::import(session, object, offset, bytes)
            }?)),
            NativeMemory::Host(host) if !host.is_null() && bytes > 0 => {
                self.check_unified()?;
                // SAFETY: by this function's contract.
                let host = unsafe { MappedMemory::over(session.clone(), host, bytes) }?;
                Ok(Arc::new(ClBuffer::of_host(session, host, bytes)))
            }
            other => Err(Error::invalid(format!(
                "an OpenCL device takes buffer objects, not {other:?}"
            ))),
        }
    }

    unsafe fn import_queue(&self, queue: NativeQueue) -> Result<Arc<dyn Queue>> {
        let NativeQueue::OpenCl(queue) = queue else {
            return Err(Error::invalid(format!(
                "an OpenCL device takes OpenCL queues, not {queue:?}"
            )));
        };
        // SAFETY: by this function's contract.
        let queue = unsafe { ClQueue::import(self.session.clone(), queue) };
        Ok(Arc::new(queue?))
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.check_unified()?;
        let host = MappedMemory::new(self.session.clone(), bytes)?;
        let buffer = ClBuffer::of_host(self.session.clone(), host, bytes);
        Ok(Arc::new(buffer))
    }

    fn native(&self) -> NativeDevice {
        NativeDevice::OpenCl {
            context: self.session.context.raw(),
            device: self.session.device,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_keeps_line_numbers() {
        let strict = CompileOptions {
            math: Math::Strict,
            ..CompileOptions::default()
        };
        let strict = with_contract("first\n", &strict);
        assert!(strict.starts_with("#pragma OPENCL FP_CONTRACT OFF\n"));
        assert!(strict.ends_with("#line 1\nfirst\n"));
        let plain = with_contract("first\n", &CompileOptions::default());
        assert_eq!(plain, "first\n");
    }
}
