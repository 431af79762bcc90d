//! A case's host expectation: `NAME.reference.cpp`, compiled and called.

use super::cases::{About, Case};
use super::kept;
use super::streams::{Argument, View};
use super::toolchains::host_compiler;
use super::values::Value;
use brook_driver::{ScratchDirectory, run_compiler};
use libloading::Library;
use std::collections::{BTreeSet, HashMap};
use std::ffi::c_void;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// What references of Brook+ kernels take.
const STREAMS: &str = include_str!("streams.hpp");

/// Calls a function of any parameters with pointers to its arguments.
const CALLER: &str = r#"
#include <cstddef>
#include <utility>
template <class... P, std::size_t... I>
static void brook_call(void (*function)(P...), void **arguments, std::index_sequence<I...>) {
  function(*static_cast<P *>(arguments[I])...);
}
template <class... P> static void brook_call(void (*function)(P...), void **arguments) {
  brook_call(function, arguments, std::index_sequence_for<P...>());
}
"#;

/// The functions of a reference.
pub struct Reference(Library);

impl Reference {
    /// Compiles it, unless another device's test has. Each has its own copy, with its own globals.
    pub fn build(case: &Case, about: &About) -> Result<Self, String> {
        let mut text = format!(
            "{}\n#include \"{}\"\n{CALLER}",
            if case.relative.ends_with(".br") {
                STREAMS
            } else {
                ""
            },
            case.sibling("reference.cpp").display()
        );
        let kernels: BTreeSet<&str> = about.launch.iter().map(|l| l.kernel.as_str()).collect();
        for name in kernels {
            text.push_str(&format!(
                "extern \"C\" void {}(void **arguments) {{ brook_call({name}, arguments); }}\n",
                symbol(name)
            ));
        }
        // What is kept belongs to what the file says now.
        let own = std::fs::read_to_string(case.sibling("reference.cpp"));
        let own = own.map_err(|e| e.to_string())?;
        let defines = about.defines.iter();
        let defines = defines.map(|(name, value)| format!("-D{name}={value}"));
        let bytes = compiled(text, own, defines.collect())?;
        let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
        let output = scratch.path().join("reference.so");
        std::fs::write(&output, bytes.as_slice()).map_err(|e| e.to_string())?;
        // SAFETY: loading runs the initialisers of a reference's own globals.
        let library = unsafe { Library::new(&output) };
        let library = library.map_err(|e| {
            // The loader's own words are one level below.
            let cause = std::error::Error::source(&e).map(ToString::to_string);
            format!("the reference: {e}: {}", cause.unwrap_or_default())
        });
        Ok(Self(library?))
    }

    /// Calls an OKL kernel's reference on arguments that fit its parameters.
    pub fn call(&self, kernel: &str, arguments: &mut [Value]) -> Result<(), String> {
        // A buffer's parameter is a pointer, so its argument is the place of one.
        let mut addresses: Vec<*mut c_void> = arguments
            .iter_mut()
            .map(|value| value.bytes_mut().as_mut_ptr().cast())
            .collect();
        let mut places: Vec<*mut c_void> = addresses
            .iter_mut()
            .zip(arguments.iter())
            .map(|(address, value)| match value.buffer {
                true => std::ptr::from_mut(address).cast(),
                false => *address,
            })
            .collect();
        self.enter(kernel, &mut places)
    }

    /// Calls a Brook+ kernel's reference.
    pub fn call_streams(&self, kernel: &str, arguments: &mut [Argument]) -> Result<(), String> {
        let mut views: Vec<View> = arguments.iter_mut().map(Argument::view).collect();
        let mut addresses: Vec<*mut c_void> = arguments
            .iter_mut()
            .map(|argument| argument.value.bytes_mut().as_mut_ptr().cast())
            .collect();
        let mut places: Vec<*mut c_void> = Vec::new();
        for ((argument, view), address) in arguments.iter().zip(&mut views).zip(&mut addresses) {
            places.push(if argument.is_value() {
                *address
            } else if argument.is_variable() {
                std::ptr::from_mut(address).cast()
            } else {
                std::ptr::from_mut(view).cast()
            });
        }
        self.enter(kernel, &mut places)
    }

    fn enter(&self, kernel: &str, places: &mut [*mut c_void]) -> Result<(), String> {
        type Entry = unsafe extern "C" fn(*mut *mut c_void);
        // SAFETY: the symbol was generated with this type.
        let entry = unsafe {
            self.0
                .get::<Entry>(format!("{}\0", symbol(kernel)).as_bytes())
        };
        let entry = entry.map_err(|e| e.to_string())?;
        // SAFETY: the case gives arguments of the parameters' types; all live until the call ends.
        unsafe { entry(places.as_mut_ptr()) };
        Ok(())
    }
}

/// A shared object, or why there is none.
type Compiled = Arc<OnceLock<Result<Arc<Vec<u8>>, String>>>;

/// The shared object of a text with some macros, compiled when it is first asked for; `own` is what the text includes.
fn compiled(text: String, own: String, defines: Vec<String>) -> Result<Arc<Vec<u8>>, String> {
    type Slots = HashMap<(String, Vec<String>), Compiled>;
    static ALL: OnceLock<Mutex<Slots>> = OnceLock::new();
    let all = ALL.get_or_init(Mutex::default).lock();
    let key = (text.clone(), defines.clone());
    let slot = all.unwrap().entry(key).or_default().clone();
    let kept = kept::file((&text, own, &defines));
    slot.get_or_init(|| match kept.as_deref().map(std::fs::read) {
        Some(Ok(bytes)) => Ok(Arc::new(bytes)),
        _ => {
            let bytes = compile(&text, &defines)?;
            if let Some(kept) = kept {
                kept::leave(&kept, &bytes);
            }
            Ok(bytes)
        }
    })
    .clone()
}

/// No contraction: what it computes is what it says.
fn compile(text: &str, defines: &[String]) -> Result<Arc<Vec<u8>>, String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let (input, output) = (
        scratch.path().join("reference.cpp"),
        scratch.path().join("reference.so"),
    );
    std::fs::write(&input, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(host_compiler()?);
    command.args(["-std=c++17", "-O1", "-fPIC", "-shared"]);
    command.args(["-ffp-contract=off", "-fwrapv"]);
    command.args(defines);
    command.arg("-o").arg(&output).arg(&input);
    run_compiler(&mut command).map_err(|e| format!("the reference: {e}"))?;
    let bytes = std::fs::read(&output).map_err(|e| e.to_string())?;
    Ok(Arc::new(bytes))
}

/// What the caller of a reference is called; a kernel's name may be `f<float, 4>`.
fn symbol(kernel: &str) -> String {
    let plain = kernel.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    format!("brook_reference_{plain}")
}
