//! From facts to a backend's source, by edits on the user's own text.
//!
//! Every construct of the module is turned into edits of its span; inner constructs come first, and
//! an outer one takes the text of its parts with their edits already made. What no edit touches
//! survives byte for byte.
//!
//! - `okl/`: loops, memory, barriers, atomics, for both execution models.
//! - `text.rs`: questions about text; `uses.rs`: what the rewritten text relies on.
//! - `directives.rs`: lines that are for the vendor's compiler.
//! - `masked_loops/`: loops that items leave at different times, over lanes.
//! - `device_kernels.rs`: what is launched of it, and with what; `dtype.rs`: types for whoever reads that.
//! - `names.rs`: names of OKL programs that the target reserves, or does not know.
//! - `tags.rs`: names of structures, where the target wants them.
//! - `brook/`: Brook+ kernels: types, vectors, and the functions that map them over streams.

mod brook;
mod device_kernels;
mod directives;
mod dtype;
mod masked_loops;
mod missing;
mod names;
mod okl;
mod tags;
mod text;
mod uses;

#[cfg(feature = "runtime")]
pub(crate) use brook::{ACROSS, ONE_ROW};
pub(crate) use brook::{
    GROUP, Made, Memory, cut, elementwise, few_elements, folds_alone, folds_little, gathers_beside,
    group_bounds, has_in_bounds, is_streamed, joined, line, loops, made, memory_of_group, offset,
    one_by_one, placed, plain_size, pointer, reads_apart, rows_of_item, spell, stored_type, told,
    uneven, vector_functions, vectorizes, width, width_on,
};
pub(crate) use device_kernels::arguments;
pub use device_kernels::{ArgumentMetadata, DeviceKernel, Frame};
pub use dtype::{Dtype, EnumeratorMetadata, FieldMetadata};
pub(crate) use masked_loops::{runs_masked_loop, width as lanes};
pub(crate) use okl::wide_name;
pub use uses::{Part, Use};

use crate::backend::Backend;
use crate::diagnostics::Sink;
use crate::grammar::Dialect;
use crate::module::{Module, Statement};
use crate::options::Options;
use crate::source::{EditMap, Overlap};
use std::collections::BTreeSet;

/// What a processor does in about the time that it takes to wake its other threads, in operations: with fewer, one thread is left
/// alone.
pub(crate) const FEW_OPERATIONS: u64 = 8192;

/// Bytes of a processor's cache line.
pub(crate) const LINE: usize = 64;

/// Who writes an array past the caches does no more than that, in operations, besides: others have something else to wait for, and
/// their bodies would stand there several times for nothing.
pub(crate) const MOST_STREAMING: usize = 64;

/// Bytes that a GPU reads and writes best at once.
pub(crate) const WIDE: usize = 16;

/// A module's text as a backend wants it, without prelude.
#[derive(Debug)]
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// From `text` back to the module's text.
    pub map: EditMap,
    /// The functions that are launched.
    pub device_kernels: Vec<DeviceKernel>,
    /// What is said of each of them besides.
    pub frames: Vec<Frame>,
    /// The host's part of each kernel.
    pub host: Vec<Vec<Statement>>,
    /// What the text relies on, for the prelude.
    pub uses: BTreeSet<Use>,
}

/// Rewrites a module for a backend. What the backend cannot express goes to the sink as an error.
///
/// # Errors
/// Two edits wanted the same bytes: a defect of a lowering.
pub fn rewrite(
    module: &Module,
    backend: &Backend,
    options: &Options,
    sink: &mut Sink,
) -> Result<Rewritten, Overlap> {
    match module.dialect {
        Dialect::Okl => {
            let mut rewritten = okl::rewrite(module, backend, options, sink)?;
            names::settle(module, backend, &mut rewritten)?;
            missing::types(module, backend, &rewritten, sink);
            if backend.lowering.tags {
                tags::settle(&mut rewritten)?;
            }
            Ok(rewritten)
        }
        Dialect::Brook => {
            let rewritten = brook::rewrite(module, backend, options)?;
            missing::types(module, backend, &rewritten, sink);
            Ok(rewritten)
        }
    }
}
