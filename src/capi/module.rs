use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::memory::bytes_given;
use super::{device, text};
use crate::runtime::{BuildOptions, Kernel, Program, Result, is_switched_on};
use crate::{Checking, Source};
use std::ffi::{c_char, c_int};
use std::sync::{Arc, Mutex, PoisonError};

/// `brook_module`: a source, and what was built of it.
pub struct Module {
    source: Source,
    options: BuildOptions,
    /// The program for each device, once a kernel was called there. Devices do not wait for each
    /// other's compilers.
    programs: Mutex<Vec<(String, Arc<Slot>)>>,
}

type Slot = Mutex<Option<Program>>;

static MODULES: Table<Module> = Table::new();

impl Handled for Module {
    const KIND: usize = 2;

    fn table() -> &'static Table<Self> {
        &MODULES
    }
}

/// For a debugger: one thread, every variable where it is declared.
const DEBUG_FLAGS: [&str; 3] = ["-g", "-O0", "-fno-openmp"];

/// Whether `BROOK_DEBUG` asks for kernels that a debugger can step through.
fn is_debugged() -> bool {
    is_switched_on("BROOK_DEBUG")
}

impl Module {
    /// A kernel, built for the current device.
    pub(super) fn kernel(&self, name: &str) -> Result<Kernel> {
        let program = self
            .program()
            .map_err(|error| error.context("Kernel Execution: Failed to create Program"))?;
        program.kernel(name)
    }

    fn program(&self) -> Result<Program> {
        let device = device::current()?;
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match programs.iter().find(|(name, _)| name == device.name()) {
            Some((_, slot)) => Arc::clone(slot),
            None => {
                let slot = Arc::<Slot>::default();
                programs.push((device.name().to_string(), Arc::clone(&slot)));
                slot
            }
        };
        drop(programs);
        let mut program = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = &*program {
            return Ok(program.clone());
        }
        let mut options = self.options.clone();
        if is_debugged() && device.backend().name == "openmp" {
            for flag in DEBUG_FLAGS {
                options = options.flag(flag);
            }
        }
        let built = device.build(&self.source, &options)?;
        *program = Some(built.clone());
        Ok(built)
    }
}

/// Keeps a source for later calls.
///
/// # Safety
/// A line of `defines` is a macro, or the flags of Brook+'s checker behind a `-`. `name` and `defines`
/// are null or strings; `source` is null or points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_module_create(
    name: *const c_char,
    source: *const c_char,
    length: usize,
    defines: *const c_char,
) -> *mut Module {
    guard(std::ptr::null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let name = unsafe { text(name, "the module's name") }?;
        // SAFETY: the caller promises the length.
        let bytes = unsafe { bytes_given(source.cast(), length, "the module's source") }?;
        let mut options = BuildOptions::new().from_environment();
        if !defines.is_null() {
            // SAFETY: the caller passes a string.
            for line in unsafe { text(defines, "the list of macros") }?.lines() {
                if let Some(flags) = line.strip_prefix('-') {
                    options = options
                        .checking(Checking::from_flags(flags))
                        .line_directives(flags.contains('l'));
                } else if !line.trim().is_empty() {
                    let (name, value) = line.split_once('=').unwrap_or((line, "1"));
                    options = options.define(name, value);
                }
            }
        }
        handle::give(Module {
            source: Source::new(name, bytes),
            options,
            programs: Mutex::default(),
        })
    })
}

/// Frees a module.
///
/// # Safety
/// `module` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_module_release(module: *mut Module) {
    handle::released(module);
}

/// Waits for every kernel called so far on the current device.
#[unsafe(no_mangle)]
pub extern "C" fn brook_finish() -> c_int {
    status(|| device::current()?.synchronize())
}
