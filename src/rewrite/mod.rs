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
    GROUP, Memory, group_bounds, joined, memory_of_group, offset, pointer, reads_apart, spell,
    stored_type,
};
pub(crate) use device_kernels::arguments;
pub use device_kernels::{ArgumentMetadata, DeviceKernel, Frame};
pub use dtype::{Dtype, EnumeratorMetadata, FieldMetadata};
pub(crate) use okl::wide_name;
pub use uses::{Part, Use};

use crate::backend::Backend;
use crate::diagnostics::Sink;
use crate::grammar::Dialect;
use crate::module::{Module, Statement};
use crate::options::Options;
use crate::schedule::Schedule;
use crate::source::{EditMap, Overlap};
use std::collections::BTreeSet;

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
pub(crate) fn rewrite(
    module: &Module,
    schedule: &Schedule<'_>,
    backend: &Backend,
    options: &Options,
    sink: &mut Sink,
) -> Result<Rewritten, Overlap> {
    match module.dialect {
        Dialect::Okl => {
            let mut rewritten = okl::rewrite(module, schedule, backend, options, sink)?;
            names::settle(module, backend, &mut rewritten)?;
            missing::types(module, backend, &rewritten, sink);
            if backend.lowering.tags {
                tags::settle(&mut rewritten)?;
            }
            Ok(rewritten)
        }
        Dialect::Brook => {
            let rewritten = brook::rewrite(module, schedule, backend, options)?;
            missing::types(module, backend, &rewritten, sink);
            Ok(rewritten)
        }
    }
}
