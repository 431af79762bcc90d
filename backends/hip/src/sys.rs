//! The functions of HIP and hiprtc that are called, and finding the libraries that have them.
//!
//! No crate binds them in a way that survives a machine without ROCm, and the fifty needed here
//! have kept their signatures from ROCm 5 to 7. Handles are plain pointers.

use brook_driver::NcclTicket;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Declares a table of functions and how to fill it from a library.
macro_rules! table {
    ($(#[$meta:meta])* $table:ident { $($name:ident = $symbol:literal: fn($($argument:ty),* $(,)?) -> $result:ty;)* }) => {
        $(#[$meta])*
        pub(crate) struct $table {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) -> $result,)*
            /// Loaded for good: vendors' libraries do not survive being unloaded.
            #[allow(dead_code)]
            library: ManuallyDrop<Library>,
        }

        impl $table {
            fn fill(library: Library) -> Result<Self, String> {
                $(
                    // SAFETY: the type is the function's in the vendor's header.
                    let $name = unsafe { library.get::<unsafe extern "C" fn($($argument),*) -> $result>($symbol) }
                        .map(|symbol| *symbol)
                        .map_err(|_| format!("it has no {}", String::from_utf8_lossy($symbol)))?;
                )*
                Ok(Self { $($name,)* library: ManuallyDrop::new(library) })
            }
        }
    };
}

/// `hipSuccess`, `HIPRTC_SUCCESS`.
pub(crate) const SUCCESS: c_int = 0;
/// `hipErrorOutOfMemory`.
pub(crate) const OUT_OF_MEMORY: c_int = 2;
/// `hipErrorNoDevice`.
pub(crate) const NO_DEVICE: c_int = 100;
/// `hipErrorNotFound`.
pub(crate) const NOT_FOUND: c_int = 500;
/// `hipMemcpyHostToDevice`.
pub(crate) const HOST_TO_DEVICE: c_int = 1;
/// `hipMemcpyDeviceToHost`.
pub(crate) const DEVICE_TO_HOST: c_int = 2;
/// `hipMemcpyDeviceToDevice`.
pub(crate) const DEVICE_TO_DEVICE: c_int = 3;
/// `hipErrorNotReady`.
pub(crate) const NOT_READY: c_int = 600;
/// `hipHostMallocPortable`.
pub(crate) const HOST_PORTABLE: c_uint = 1;
/// `hipHostMallocMapped`, `hipHostRegisterMapped`.
pub(crate) const HOST_MAPPED: c_uint = 2;
/// `hipStreamCaptureModeThreadLocal`: what other threads do meanwhile does not end a capture.
pub(crate) const CAPTURE_OF_THREAD: c_int = 1;
/// `hipStreamNonBlocking`.
pub(crate) const NON_BLOCKING: c_uint = 1;
/// `HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK`.
pub(crate) const FUNCTION_MAX_THREADS: c_int = 0;

/// Numbers of `hipDeviceAttribute_t`. ROCm 5.0 renumbered them; since then removed ones leave a
/// placeholder (compared: the headers of 5.2.3 and of 6 and 7 as other bindings carry them).
pub(crate) mod attribute {
    use std::ffi::c_int;
    pub(crate) const MAX_BLOCK_DIM: [c_int; 3] = [26, 27, 28];
    pub(crate) const MAX_GRID_DIM: [c_int; 3] = [29, 30, 31];
    pub(crate) const MAX_THREADS_PER_BLOCK: c_int = 56;
    pub(crate) const MULTIPROCESSORS: c_int = 63;
    pub(crate) const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 74;
}

table! {
    /// The HIP runtime.
    Hip {
        get_error_name = b"hipGetErrorName": fn(c_int) -> *const c_char;
        get_error_string = b"hipGetErrorString": fn(c_int) -> *const c_char;
        runtime_get_version = b"hipRuntimeGetVersion": fn(*mut c_int) -> c_int;
        get_device_count = b"hipGetDeviceCount": fn(*mut c_int) -> c_int;
        set_device = b"hipSetDevice": fn(c_int) -> c_int;
        device_get_name = b"hipDeviceGetName": fn(*mut c_char, c_int, c_int) -> c_int;
        device_total_mem = b"hipDeviceTotalMem": fn(*mut usize, c_int) -> c_int;
        device_get_attribute = b"hipDeviceGetAttribute": fn(*mut c_int, c_int, c_int) -> c_int;
        malloc = b"hipMalloc": fn(*mut *mut c_void, usize) -> c_int;
        free = b"hipFree": fn(*mut c_void) -> c_int;
        memcpy_async = b"hipMemcpyAsync": fn(*mut c_void, *const c_void, usize, c_int, *mut c_void) -> c_int;
        memcpy_peer_async = b"hipMemcpyPeerAsync": fn(*mut c_void, c_int, *const c_void, c_int, usize, *mut c_void) -> c_int;
        enable_peer_access = b"hipDeviceEnablePeerAccess": fn(c_int, c_uint) -> c_int;
        memset_async = b"hipMemsetAsync": fn(*mut c_void, c_int, usize, *mut c_void) -> c_int;
        stream_create = b"hipStreamCreateWithFlags": fn(*mut *mut c_void, c_uint) -> c_int;
        stream_priorities = b"hipDeviceGetStreamPriorityRange": fn(*mut c_int, *mut c_int) -> c_int;
        stream_create_with_priority = b"hipStreamCreateWithPriority": fn(*mut *mut c_void, c_uint, c_int) -> c_int;
        stream_destroy = b"hipStreamDestroy": fn(*mut c_void) -> c_int;
        stream_synchronize = b"hipStreamSynchronize": fn(*mut c_void) -> c_int;
        stream_query = b"hipStreamQuery": fn(*mut c_void) -> c_int;
        stream_wait_event = b"hipStreamWaitEvent": fn(*mut c_void, *mut c_void, c_uint) -> c_int;
        stream_begin_capture = b"hipStreamBeginCapture": fn(*mut c_void, c_int) -> c_int;
        stream_end_capture = b"hipStreamEndCapture": fn(*mut c_void, *mut *mut c_void) -> c_int;
        graph_instantiate = b"hipGraphInstantiate": fn(*mut *mut c_void, *mut c_void, *mut *mut c_void, *mut c_char, usize) -> c_int;
        graph_launch = b"hipGraphLaunch": fn(*mut c_void, *mut c_void) -> c_int;
        graph_destroy = b"hipGraphDestroy": fn(*mut c_void) -> c_int;
        graph_exec_destroy = b"hipGraphExecDestroy": fn(*mut c_void) -> c_int;
        device_synchronize = b"hipDeviceSynchronize": fn() -> c_int;
        event_create = b"hipEventCreate": fn(*mut *mut c_void) -> c_int;
        event_destroy = b"hipEventDestroy": fn(*mut c_void) -> c_int;
        event_record = b"hipEventRecord": fn(*mut c_void, *mut c_void) -> c_int;
        event_query = b"hipEventQuery": fn(*mut c_void) -> c_int;
        event_synchronize = b"hipEventSynchronize": fn(*mut c_void) -> c_int;
        event_elapsed_time = b"hipEventElapsedTime": fn(*mut f32, *mut c_void, *mut c_void) -> c_int;
        host_malloc = b"hipHostMalloc": fn(*mut *mut c_void, usize, c_uint) -> c_int;
        host_free = b"hipHostFree": fn(*mut c_void) -> c_int;
        host_register = b"hipHostRegister": fn(*mut c_void, usize, c_uint) -> c_int;
        host_unregister = b"hipHostUnregister": fn(*mut c_void) -> c_int;
        host_get_device_pointer = b"hipHostGetDevicePointer": fn(*mut *mut c_void, *mut c_void, c_uint) -> c_int;
        module_load_data = b"hipModuleLoadData": fn(*mut *mut c_void, *const c_void) -> c_int;
        module_unload = b"hipModuleUnload": fn(*mut c_void) -> c_int;
        module_get_function = b"hipModuleGetFunction": fn(*mut *mut c_void, *mut c_void, *const c_char) -> c_int;
        func_get_attribute = b"hipFuncGetAttribute": fn(*mut c_int, c_int, *mut c_void) -> c_int;
        module_launch_kernel = b"hipModuleLaunchKernel": fn(
            *mut c_void, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, *mut c_void,
            *mut *mut c_void, *mut *mut c_void,
        ) -> c_int;
    }
}

table! {
    /// The run-time compiler, a library of its own since ROCm 6.0.
    Hiprtc {
        get_error_string = b"hiprtcGetErrorString": fn(c_int) -> *const c_char;
        version = b"hiprtcVersion": fn(*mut c_int, *mut c_int) -> c_int;
        create_program = b"hiprtcCreateProgram": fn(
            *mut *mut c_void, *const c_char, *const c_char, c_int, *const *const c_char,
            *const *const c_char,
        ) -> c_int;
        destroy_program = b"hiprtcDestroyProgram": fn(*mut *mut c_void) -> c_int;
        compile_program = b"hiprtcCompileProgram": fn(*mut c_void, c_int, *const *const c_char) -> c_int;
        get_program_log_size = b"hiprtcGetProgramLogSize": fn(*mut c_void, *mut usize) -> c_int;
        get_program_log = b"hiprtcGetProgramLog": fn(*mut c_void, *mut c_char) -> c_int;
        get_code_size = b"hiprtcGetCodeSize": fn(*mut c_void, *mut usize) -> c_int;
        get_code = b"hiprtcGetCode": fn(*mut c_void, *mut c_char) -> c_int;
    }
}

table! {
    /// Messages between GPUs of several processes: NCCL's functions.
    Rccl {
        get_error_string = b"ncclGetErrorString": fn(c_int) -> *const c_char;
        get_unique_id = b"ncclGetUniqueId": fn(*mut NcclTicket) -> c_int;
        comm_init_rank = b"ncclCommInitRank": fn(*mut *mut c_void, c_int, NcclTicket, c_int) -> c_int;
        group_start = b"ncclGroupStart": fn() -> c_int;
        group_end = b"ncclGroupEnd": fn() -> c_int;
        send = b"ncclSend": fn(*const c_void, usize, c_int, c_int, *mut c_void, *mut c_void) -> c_int;
        receive = b"ncclRecv": fn(*mut c_void, usize, c_int, c_int, *mut c_void, *mut c_void) -> c_int;
    }
}

const RCCL_NAMES: [&str; 2] = ["librccl.so.1", "librccl.so"];
const HIP_NAMES: [&str; 4] = [
    "libamdhip64.so.6",
    "libamdhip64.so.7",
    "libamdhip64.so.5",
    "libamdhip64.so",
];
const HIPRTC_NAMES: [&str; 4] = [
    "libhiprtc.so.6",
    "libhiprtc.so.7",
    "libhiprtc.so.5",
    "libhiprtc.so",
];

/// The HIP runtime, or why there is none, in one line.
pub(crate) fn hip() -> Result<&'static Hip, String> {
    static HIP: OnceLock<Result<Hip, String>> = OnceLock::new();
    HIP.get_or_init(|| {
        let library = open_hip()?;
        Hip::fill(library).map_err(|e| format!("the HIP runtime is unusable: {e}"))
    })
    .as_ref()
    .map_err(Clone::clone)
}

/// The run-time compiler, or why there is none, in one line.
pub(crate) fn hiprtc() -> Result<&'static Hiprtc, String> {
    static HIPRTC: OnceLock<Result<Hiprtc, String>> = OnceLock::new();
    HIPRTC
        .get_or_init(|| {
            let own = open_first(&HIPRTC_NAMES).map(Hiprtc::fill);
            match own {
                Some(Ok(table)) => Ok(table),
                _ => open_hip()
                    .and_then(Hiprtc::fill)
                    .map_err(|_| "no hiprtc (libhiprtc.so) found: install ROCm".to_string()),
            }
        })
        .as_ref()
        .map_err(Clone::clone)
}

/// RCCL, or why there is none, in one line.
pub(crate) fn rccl() -> Result<&'static Rccl, String> {
    static RCCL: OnceLock<Result<Rccl, String>> = OnceLock::new();
    RCCL.get_or_init(|| {
        let library = open_named("BROOK_RCCL", &RCCL_NAMES)
            .map_err(|said| said.unwrap_or_else(|| "there is no RCCL (librccl.so)".to_string()))?;
        Rccl::fill(library).map_err(|e| format!("RCCL is unusable: {e}"))
    })
    .as_ref()
    .map_err(Clone::clone)
}

/// `BROOK_HIP`, else the names and places of ROCm.
fn open_hip() -> Result<Library, String> {
    open_named("BROOK_HIP", &HIP_NAMES).map_err(|said| match said {
        Some(said) => format!("no HIP runtime: {said}"),
        None => "no HIP runtime (libamdhip64.so) on this machine".to_string(),
    })
}

/// A library that a variable names, else one of those names; what the variable says where it does not lead to one.
fn open_named(variable: &str, names: &[&str]) -> Result<Library, Option<String>> {
    let Some(path) = std::env::var_os(variable).filter(|p| !p.is_empty()) else {
        return open_first(names).ok_or(None);
    };
    let path = PathBuf::from(path);
    // SAFETY: the user names the library; its initialisers are any HIP program's.
    unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) }
        .map_err(|_| Some(format!("{variable} is '{}'", path.display())))
}

fn open_first(names: &[&str]) -> Option<Library> {
    // First as the system's loader finds it, then in ROCm's own directory.
    std::iter::once(PathBuf::new())
        .chain(rocm().into_iter().map(|root| root.join("lib")))
        .flat_map(|directory| names.iter().map(move |name| directory.join(name)))
        // SAFETY: opening a vendor's library runs its initialisers, which any HIP program runs too.
        .find_map(|path| unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.ok())
}

/// Where ROCm may be installed.
pub(crate) fn rocm() -> Vec<PathBuf> {
    ["ROCM_PATH", "HIP_PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from)
        .chain([PathBuf::from("/opt/rocm")])
        .collect()
}

/// The type of both `hipGetDeviceProperties`.
pub(crate) type GetProperties = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;

impl Hip {
    /// The newest function that fills a properties structure: ROCm 6 changed the structure, and kept
    /// the old function under the old name, which a later release may drop.
    pub(crate) fn get_properties(&self) -> Option<GetProperties> {
        let names: [&[u8]; 2] = [b"hipGetDevicePropertiesR0600", b"hipGetDeviceProperties"];
        names.into_iter().find_map(|name| {
            // SAFETY: the type is the function's in the headers of ROCm 5 and 6.
            unsafe { self.library.get::<GetProperties>(name) }
                .ok()
                .map(|symbol| *symbol)
        })
    }
}
