//! Libraries and compute pipelines.

use crate::memory::MetalBuffer;
use crate::objects::Raw;
use crate::queue::MetalQueue;
use brook_driver::{
    Argument, CompileOptions, Error, ErrorKind, Kernel, Math, Program, Queue, Result,
};
use objc2::rc::{Retained, autoreleasepool};
use objc2::runtime::ProtocolObject;
use objc2_foundation::NSString;
use objc2_metal::{
    MTLCommandBuffer, MTLCommandEncoder, MTLCompileOptions, MTLComputeCommandEncoder,
    MTLComputePipelineState, MTLDevice, MTLLanguageVersion, MTLLibrary, MTLSize,
};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

/// Compiled kernels, as Metal has them.
pub(crate) type Library = Retained<ProtocolObject<dyn MTLLibrary>>;

/// Most bytes that an encoder takes as a value.
const MOST_BYTES: usize = 4096;

/// What loading needs: how fast, a line end, definitions of macros, and the source.
pub(crate) fn packed(source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
    let mut text = String::from(match options.math {
        Math::Fast => "fast\n",
        Math::Default | Math::Strict => "exact\n",
    });
    if !options.contracts() {
        text.push_str("#pragma clang fp contract(off)\n");
    }
    for flag in &options.flags {
        let Some(definition) = flag.strip_prefix("-D") else {
            let why = format!("Metal's compiler takes -D alone, not '{flag}'");
            return Err(Error::invalid(why));
        };
        let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
        text.push_str(&format!("#define {name} {value}\n"));
    }
    text.push_str("#line 1\n");
    text.push_str(source);
    Ok(text.into_bytes())
}

/// Compiles what was packed.
pub(crate) fn built(device: &Raw, packed: &[u8]) -> Result<Library> {
    let text = std::str::from_utf8(packed).ok();
    let Some((math, source)) = text.and_then(|t| t.split_once('\n')) else {
        return Err(Error::invalid("this is no Metal program of brook's"));
    };
    autoreleasepool(|_| {
        let options = MTLCompileOptions::new();
        options.setLanguageVersion(MTLLanguageVersion::Version3_0);
        // Its successor is there from macOS 15 on.
        #[allow(deprecated)]
        options.setFastMathEnabled(math == "fast");
        let source = NSString::from_str(source);
        let library = device.newLibraryWithSource_options_error(&source, Some(&options));
        library.map_err(|e| {
            let mut error = Error::new(ErrorKind::Compile, "Metal's compiler refused the source");
            error.log = Some(e.localizedDescription().to_string());
            error
        })
    })
}

pub(crate) struct MetalProgram {
    device: Raw,
    library: Library,
    own: Arc<MetalQueue>,
}

impl MetalProgram {
    pub(crate) fn new(device: Raw, library: Library, own: Arc<MetalQueue>) -> Self {
        Self {
            device,
            library,
            own,
        }
    }
}

impl Program for MetalProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        autoreleasepool(|_| {
            let function = self.library.newFunctionWithName(&NSString::from_str(name));
            let missing = || Error::invalid(format!("no kernel named '{name}' in this program"));
            let function = function.ok_or_else(missing)?;
            let pipeline = self
                .device
                .newComputePipelineStateWithFunction_error(&function);
            let pipeline = pipeline.map_err(|e| {
                let why = e.localizedDescription().to_string();
                Error::new(ErrorKind::Compile, format!("kernel '{name}': {why}"))
            })?;
            Ok(Arc::new(MetalKernel {
                name: name.to_string(),
                device: self.device.clone(),
                pipeline,
                own: self.own.clone(),
            }) as Arc<dyn Kernel>)
        })
    }
}

struct MetalKernel {
    name: String,
    device: Raw,
    pipeline: Retained<ProtocolObject<dyn MTLComputePipelineState>>,
    own: Arc<MetalQueue>,
}

impl MetalKernel {
    fn enqueue(
        &self,
        queue: &MetalQueue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let items: usize = group.iter().map(|n| *n as usize).product();
        let most = self.pipeline.maxTotalThreadsPerThreadgroup();
        if items > most {
            let name = &self.name;
            let why =
                format!("kernel '{name}': groups of {items} items; the GPU runs at most {most}");
            return Err(Error::invalid(why));
        }
        let large = self.large_values(arguments)?;
        queue.encode(|buffer| {
            let failed = || Error::new(ErrorKind::Device, "Metal makes no command encoder");
            let encoder = buffer.computeCommandEncoder().ok_or_else(failed)?;
            encoder.setComputePipelineState(&self.pipeline);
            let set = arguments.iter().zip(&large).enumerate();
            let set: Result<()> = set.into_iter().try_for_each(|(index, (argument, large))| {
                set_argument(&encoder, index, argument, large.as_ref())
            });
            if set.is_ok() {
                let size = |n: [usize; 3]| MTLSize {
                    width: n[0],
                    height: n[1],
                    depth: n[2],
                };
                let grid = size(grid.map(|n| n as usize));
                let group = size(group.map(|n| n as usize));
                encoder.dispatchThreadgroups_threadsPerThreadgroup(grid, group);
            }
            encoder.endEncoding();
            set
        })
    }

    /// Memory for values that are too large for an encoder. Command buffers keep it until they are done.
    fn large_values(&self, arguments: &[Argument<'_>]) -> Result<Vec<Option<MetalBuffer>>> {
        let one = |argument: &Argument<'_>| match argument {
            Argument::Value(bytes) if bytes.len() > MOST_BYTES => {
                let no_room = || Error::new(ErrorKind::Memory, "no memory for an argument");
                let buffer = MetalBuffer::new(&self.device, self.own.clone(), bytes.len());
                let buffer = buffer.ok_or_else(no_room)?;
                buffer.put(0, bytes)?;
                Ok(Some(buffer))
            }
            _ => Ok(None),
        };
        arguments.iter().map(one).collect()
    }
}

fn set_argument(
    encoder: &ProtocolObject<dyn MTLComputeCommandEncoder>,
    index: usize,
    argument: &Argument<'_>,
    large: Option<&MetalBuffer>,
) -> Result<()> {
    let own = |buffer: &MetalBuffer| {
        let (raw, offset) = buffer.place();
        // SAFETY: the offset is within the buffer.
        unsafe { encoder.setBuffer_offset_atIndex(Some(raw), offset, index) };
    };
    match (argument, large) {
        (_, Some(buffer)) => own(buffer),
        (Argument::Buffer(buffer) | Argument::Whole(buffer), None) => {
            let found = buffer.as_any().downcast_ref::<MetalBuffer>();
            let other = || {
                let number = index + 1;
                Error::invalid(format!("argument {number} is memory of another backend"))
            };
            own(found.ok_or_else(other)?);
        }
        // SAFETY: no buffer has no offset.
        (Argument::Null, None) => unsafe { encoder.setBuffer_offset_atIndex(None, 0, index) },
        (Argument::Value(bytes), None) => {
            let pointer = bytes.as_ptr().cast_mut().cast::<c_void>();
            let pointer = NonNull::new(pointer).unwrap_or(NonNull::dangling());
            // SAFETY: the bytes are copied before the call returns.
            unsafe { encoder.setBytes_length_atIndex(pointer, bytes.len(), index) };
        }
    }
    Ok(())
}

impl Kernel for MetalKernel {
    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        self.enqueue(&self.own, grid, group, arguments)
    }

    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        match queue.as_any().downcast_ref::<MetalQueue>() {
            Some(queue) => self.enqueue(queue, grid, group, arguments),
            None => Err(Error::invalid("the queue is another device's")),
        }
    }
}
