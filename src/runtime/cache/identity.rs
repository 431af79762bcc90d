use super::super::Device;
use super::super::embedded::{EmbeddedFiles, is_nowhere};
use crate::backend::Backend;
use crate::grammar::Dialect;
use crate::options::Options;
use crate::source_text::Source;
use brook_driver::CompileOptions;
use std::path::Path;
use std::sync::OnceLock;

/// A digest under construction. Every field goes in with its name and length, so that no two lists
/// of fields run into the same bytes.
#[derive(Clone)]
pub(super) struct Identity(blake3::Hasher);

impl Default for Identity {
    fn default() -> Self {
        let mut this = Self(blake3::Hasher::new());
        this.field("format", b"1");
        this
    }
}

impl Identity {
    pub(super) fn field(&mut self, name: &str, value: &[u8]) -> &mut Self {
        for bytes in [name.as_bytes(), value] {
            self.0.update(&(bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
        self
    }

    fn list<'a>(
        &mut self,
        name: &str,
        values: impl ExactSizeIterator<Item = &'a str>,
    ) -> &mut Self {
        self.field(name, &(values.len() as u64).to_le_bytes());
        for value in values {
            self.field("", value.as_bytes());
        }
        self
    }

    pub(super) fn device(&mut self, device: &Device) -> &mut Self {
        let info = device.info();
        let compiler = info.compiler.as_deref().unwrap_or("");
        self.field("driver", device.driver_name().as_bytes())
            .field("architecture", info.architecture.as_bytes())
            .field("compiler", compiler.as_bytes())
    }

    pub(super) fn compile_options(&mut self, options: &CompileOptions) -> &mut Self {
        self.field("math", format!("{:?}", options.math).as_bytes())
            .field("wrapping", &[u8::from(options.wrapping)])
            .field("contracted", &[u8::from(options.contracted)])
            .list("standard", options.standard.as_deref().into_iter())
            .list("flags", options.flags.iter().map(String::as_str));
        self.directories(
            "compiler's include directories",
            &options.include_directories,
        )
    }

    /// The directories themselves, not what they are called from here.
    fn directories(&mut self, name: &str, directories: &[String]) -> &mut Self {
        let absolute: Vec<String> = directories.iter().map(|d| absolute(d)).collect();
        self.list(name, absolute.iter().map(String::as_str))
    }

    /// This build of brook.
    pub(super) fn build(&mut self) -> &mut Self {
        self.field("version", env!("CARGO_PKG_VERSION").as_bytes())
            .field("build", build().as_bytes())
    }

    /// Who translates: this build of the transpiler, with the backend's data.
    pub(super) fn generator(&mut self, backend: &Backend) -> &mut Self {
        self.build()
            .field("backend", backend.name.as_bytes())
            .field("backend's data", &backend.digest.to_le_bytes())
    }

    pub(super) fn source(&mut self, source: &Source) -> &mut Self {
        let dialect = match source.dialect {
            Dialect::Okl => "okl",
            Dialect::Brook => "brook",
        };
        // The name decides where quoted includes are looked for, and what `__FILE__` is.
        self.field("name", source.name.as_bytes())
            .field("place", absolute(&source.name).as_bytes())
            .field("dialect", dialect.as_bytes())
            .field("text", &source.text)
    }

    pub(super) fn translate_options(&mut self, options: &Options) -> &mut Self {
        // Written out field by field so that a new option is not forgotten here.
        let Options {
            defines,
            include_directories,
            forced_includes,
            no_auto_barriers,
            no_widen,
            choices,
            contract,
            buffer_offsets,
            // Programs are launched without it.
            no_launcher: _,
            instantiate,
            templates_later,
            undeclared_later,
            only_instances,
            extensions,
            intrinsics,
            checking,
            line_directives,
            unexpanded,
            exported_kernels,
            c_functions,
            scatter_order_runtime,
        } = options;
        let versions: Vec<String> = extensions.iter().map(|e| e.version()).collect();
        self.list("macros", defines.iter().map(|d| d.name.as_str()))
            .list("values", defines.iter().map(|d| d.value.as_str()))
            .directories("include directories", include_directories)
            .list(
                "forced includes",
                forced_includes.iter().map(String::as_str),
            )
            .list("extensions", extensions.iter().map(|e| e.name()))
            .list("their versions", versions.iter().map(String::as_str))
            .list("instances", instantiate.iter().map(String::as_str))
            .field("intrinsics", intrinsics.text().as_bytes())
            .field("checking", format!("{checking:?}").as_bytes())
            .field("choices", format!("{choices:?}").as_bytes())
            .field(
                "flags",
                &[
                    u8::from(*no_auto_barriers),
                    u8::from(*no_widen),
                    u8::from(*contract),
                    u8::from(*buffer_offsets),
                    u8::from(*templates_later),
                    u8::from(*undeclared_later),
                    u8::from(*only_instances),
                    u8::from(*line_directives),
                    u8::from(*unexpanded),
                    u8::from(*exported_kernels),
                    u8::from(*c_functions),
                    u8::from(*scatter_order_runtime),
                ],
            )
    }

    /// Files that are not on the disk stand for themselves: the list of what was looked for there lacks them.
    pub(super) fn embedded_files(&mut self, files: &EmbeddedFiles) -> &mut Self {
        for (path, text) in files.iter() {
            self.field("embedded file", path.as_bytes())
                .field("its text", text);
        }
        self
    }

    pub(super) fn finish(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

pub(super) fn absolute(path: &str) -> String {
    if is_nowhere(path) {
        return path.to_string();
    }
    std::path::absolute(Path::new(path))
        .map_or_else(|_| path.to_string(), |p| p.to_string_lossy().into_owned())
}

/// Tells builds of this library apart that share a version number: the file this code was loaded
/// from (a program, or the shared library), its size and the time it was written.
fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        let path = own_file().or_else(|| std::env::current_exe().ok());
        let metadata = path.and_then(|p| std::fs::metadata(p).ok());
        let written = metadata.as_ref().and_then(|m| m.modified().ok());
        let since = written.and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        format!(
            "{:?} {:?}",
            metadata.map(|m| m.len()),
            since.map(|d| d.as_nanos())
        )
    })
}

#[cfg(unix)]
fn own_file() -> Option<std::path::PathBuf> {
    use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
    use std::os::unix::ffi::OsStrExt;

    #[repr(C)]
    struct Information {
        file: *const c_char,
        base: *mut c_void,
        symbol: *const c_char,
        address: *mut c_void,
    }
    unsafe extern "C" {
        fn dladdr(address: *const c_void, information: *mut Information) -> c_int;
    }
    let mut found = Information {
        file: std::ptr::null(),
        base: std::ptr::null_mut(),
        symbol: std::ptr::null(),
        address: std::ptr::null_mut(),
    };
    // SAFETY: any address may be asked for, and `found` has the layout of POSIX's `Dl_info`.
    let status = unsafe { dladdr((own_file as fn() -> _ as *const ()).cast(), &raw mut found) };
    if status == 0 || found.file.is_null() {
        return None;
    }
    // SAFETY: after success the name is a string that lives as long as the file stays loaded, and
    // this code is in it.
    let name = unsafe { CStr::from_ptr(found.file) };
    Some(OsStr::from_bytes(name.to_bytes()).into())
}

#[cfg(not(unix))]
fn own_file() -> Option<std::path::PathBuf> {
    None
}
