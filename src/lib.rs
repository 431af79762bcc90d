//! Kernels written once, in OKL or Brook+, become CUDA, HIP, OpenCL or OpenMP source; a runtime
//! compiles and launches that source on whatever hardware is there.
//!
//! # The way of the data
//!
//! ```text
//! source text
//!   → normalize    @attributes and streams become plain C/C++ with [[okl_…("…")]], [[brook_…("…")]]
//!   → preprocess   every byte of the output remembers where it came from
//!   → compat       what existing tools take and no compiler or grammar does is mended
//!   → syntax       tree-sitter's tree, copied into an arena and seen through typed views
//!   → analyze      one Module of facts, or diagnostics
//!   → schedule     how its kernels run on a backend
//!   → rewrite      edits on spans of the user's own text
//!   → render       templates: preludes, launchers, host programs
//!   = Translation  device source, launcher, host source, metadata, source map
//!         ↓
//!   runtime        detect device → compile (cached) → launch → copy back
//! ```
//!
//! One direction: no stage knows of a later one. [`transpile`] is a pure function of its arguments.
//!
//! # The module
//!
//! [`module::Module`] is the centre. It holds the analysed text and the facts about it, all as spans
//! of that text and as small trees, never as nodes of a syntax tree:
//!
//! - **Kernels** ([`module::Kernel`]): parameters with their roles (value, pointer, input stream,
//!   gather array, …), and a form. An OKL kernel is a list of [`module::Nest`]s, one for each
//!   outermost `@outer` loop; a Brook+ kernel is a map or a reduction, or is only called by others.
//! - **Loops** ([`module::Loop`]): every attributed loop with kind, axis, header, trip count, guards,
//!   and whether a barrier follows it. Launch extents of a nest are [`expr::Expr`]essions over the
//!   kernel's scalar arguments.
//! - **The host's part** ([`module::Statement`]): control flow around launches, as data. The runtime
//!   evaluates it; the launcher template prints it.
//! - **Constructs** ([`module::Construct`]): each piece of text that some backend spells differently
//!   (a barrier, an atomic, a gather, a swizzle, …) with all that is needed to spell it: innermost
//!   first, so that rewriting an outer piece can carry the rewritten inner ones.
//!
//! Every backend, the launcher and the metadata read the same module. If a fact is needed twice, it
//! belongs there.
//!
//! # Where things are
//!
//! - [`source`], [`lex`], [`diagnostics`]: text with spans, edits and provenance; tokens; messages.
//! - [`expr`]: the one expression language: conditions, bounds, sizes, host code.
//! - `normalize`, `preprocess`, `compat`, `syntax`, `analyze`, `schedule`, `rewrite`, `render`: the stages, which are nobody's interface;
//!   [`metadata`] is what a translation says of its kernels.
//! - `repair`: what is wrong with a text that cannot be parsed.
//! - `sema`: what names and expressions mean, for the analysis.
//! - `body`: what kernels and functions do, as typed trees.
//! - `facts`: what is known of them; `passes`: what that is good for; `maps`: which kernels of OKL are ones of Brook+, too.
//! - [`interpret`]: runs kernels, and watches what they do: [`sanitize()`].
//! - [`backend`]: targets as data: a folder `templates/NAME/` with a `backend.toml`.
//! - [`intrinsics`]: functions that each backend spells in its own way.
//! - [`extension`]: attributes, checks and stages from outside.
//! - [`stage`]: the stages by name, for whoever measures them.
//! - [`runtime`]: devices, memory, programs, kernels, streams, the kernel cache (feature `runtime`).
//! - `capi`: the C interface under the C++ headers in `include/brook`.
//!
//! Of these, `expr`, `grammar`, `ide`, `interpret`, `lex`, `module` and `capi` are public for the command, the tests and the Python
//! package, and are in no page: they change whenever that suits the rest.
//!
//! ```
//! use brook::{Options, Source, backend::Backend, source::MemoryLoader};
//!
//! let okl = "@kernel void twice(const int n, float *a) {
//!   for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) a[i] *= 2;
//! }";
//! let cuda = Backend::built_in("cuda").unwrap();
//! let source = Source::new("twice.okl", okl);
//! let translation = brook::transpile(&source, &cuda, &Options::default(), &MemoryLoader::new());
//! assert!(translation.unwrap().device.contains("__launch_bounds__(256)"));
//! ```
//!
//! # The runtime
//!
//! ```
//! # #[cfg(feature = "runtime")]
//! # fn main() -> Result<(), brook::runtime::Error> {
//! # if brook::runtime::processor().is_none() { return Ok(()) }
//! # std::env::set_current_dir("examples").unwrap();
//! # let n = 1000;
//! # let (host_x, mut host_y) = (vec![1.5f32; n], vec![0.0f32; n]);
//! use brook::{BuildOptions, Source, args};
//!
//! let device  = brook::Device::detect()?;                    // or Device::open: "cuda:0", "opencl:1", "openmp"
//! let program = device.build(Source::file("axpy.okl"), &BuildOptions::new().define("BLOCK", 256))?;
//! let axpy    = program.kernel("axpy")?;
//! let x = device.upload(&host_x)?;                           // Memory<f32>
//! let y = device.zeros::<f32>(n)?;
//! // SAFETY: the kernel stays below n.
//! unsafe { axpy.launch(args![n as i32, 2.0f32, &x, &y]) }?;  // checked against the kernel's signature
//! y.download(&mut host_y)?;
//! # assert_eq!(host_y, vec![3.0; n]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "runtime"))]
//! # fn main() {}
//! ```
//!
//! [`Queue`]s launch and copy beside that, [`Pool`]s keep memory, [`Stream`]s are Brook+'s; see
//! [`runtime`].

mod analyze;
pub mod backend;
pub(crate) mod body;
#[cfg(feature = "runtime")]
#[doc(hidden)]
pub mod capi;
#[cfg(test)]
mod cases_for_tests;
mod compat;
pub mod diagnostics;
mod digest;
#[doc(hidden)]
pub mod expr;
pub mod extension;
mod facts;
#[doc(hidden)]
pub mod grammar;
#[doc(hidden)]
pub mod ide;
#[doc(hidden)]
pub mod interpret;
pub mod intrinsics;
#[doc(hidden)]
pub mod lex;
mod library;
#[cfg(feature = "runtime")]
mod maps;
#[doc(hidden)]
pub mod module;
mod normalize;
mod options;
mod passes;
mod preprocess;
mod render;
mod repair;
mod rewrite;
#[cfg(feature = "runtime")]
pub mod runtime;
mod sanitize;
mod schedule;
mod sema;
pub mod source;
mod source_text;
pub mod stage;
mod syntax;
#[cfg(test)]
mod text_decisions_tests;
mod transpile;

/// What a launch needs to know of a translation.
pub mod metadata {
    pub use crate::render::{
        ArgumentMetadata, DeviceKernel, Dtype, EnumeratorMetadata, FieldMetadata, Form,
        KernelMetadata, Metadata, ParameterMetadata, Role,
    };
}

/// Stages one by one, for those who measure and test them: no interface.
#[doc(hidden)]
pub mod stages {
    pub use crate::normalize::{normalize, normalize_preprocessed};
    pub use crate::preprocess::{Options as PreprocessOptions, preprocess};
    pub use crate::syntax::parser_input;
}

pub use extension::Extension;
pub use grammar::Dialect;
pub use module::Checking;
pub use normalize::normalize;
pub use options::{Choices, Options};
pub use preprocess::{Define, amd_preprocessed};
pub use render::Word;
#[cfg(feature = "runtime")]
pub use runtime::{
    BuildOptions, Device, Event, Kernel, Memory, Package, Pinned, Pool, Program, Queue, Sequence,
    Stream,
};
pub use sanitize::{Sanitized, Sanitizer, sanitize, sanitize_streams};
pub use source_text::{Source, lexical_errors, not_utf8};
pub use transpile::{Translation, check, transpile, transpile_watched};
