//! Streams that kernels only write, where loops stay loops: past the caches, line by line, where they are larger than these
//! (`rewrite/okl/streamed.rs` says what is gained).

use super::width::operations;
use super::{one_by_one, placed, plain_size, vectorizes};
use crate::backend::{Backend, Model};
use crate::module::{Kernel, KernelForm, Module, Parameter, ParameterKind};
use crate::options::Options;
use crate::rewrite::{LINE, MOST_STREAMING};

/// Whether a parameter is such a stream: each element is written, and none is read.
pub(crate) fn is_streamed(p: &Parameter) -> bool {
    p.kind == ParameterKind::StreamOut { reads: false } && plain_size(p).is_some()
}

/// How many elements are written so at once; 0 if the kernel has no such streams, or has more to do than to write them.
pub(crate) fn line(
    module: &Module,
    kernel: &Kernel,
    backend: &Backend,
    options: &Options,
) -> usize {
    let suits = backend.lowering.streams
        && backend.model == Model::Loops
        && !options.no_widen
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && vectorizes(module, kernel)
        && !placed(module, kernel)
        && !one_by_one(module, kernel, backend)
        && operations(module, kernel).is_some_and(|n| n <= MOST_STREAMING);
    let streamed = kernel.parameters.iter().filter(|p| is_streamed(p));
    let smallest = streamed.filter_map(plain_size).min();
    match smallest.filter(|_| suits) {
        Some(size) => LINE / size,
        None => 0,
    }
}
