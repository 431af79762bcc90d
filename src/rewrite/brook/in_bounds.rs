//! Gathers that need no clamps. Where a call is known to leave none of its arrays, and 32 bits count their elements, a kernel of its
//! own runs, whose indices are what the program says, computed in 32 bits: the device function is told by a constant, which
//! compilers inline. Arrays of one dimension alone are not worth it: a clamp is two instructions.

use crate::backend::{Backend, Model};
use crate::module::{Kernel, KernelForm, Module, ParameterKind};

/// Whether a kernel over streams has such another one.
pub(crate) fn has_in_bounds(kernel: &Kernel, backend: &Backend) -> bool {
    let map = matches!(kernel.form, KernelForm::Map { group_size: None });
    let mut several = false;
    let known = kernel.parameters.iter().all(|p| match p.kind {
        ParameterKind::Gather(rank) => {
            several |= rank > 1;
            p.indices.len() == rank && p.indices.iter().all(|axis| !axis.is_empty())
        }
        // What it writes may be anywhere.
        ParameterKind::Scatter(_) => false,
        _ => true,
    });
    backend.model == Model::Simt && map && several && known
}

/// Kernels by number: whether their functions are told that nothing leaves an array, being of such kernels or called by them.
pub(crate) fn told(module: &Module, backend: &Backend) -> Vec<bool> {
    let kernels = &module.kernels;
    let own = |kernel: &Kernel| has_in_bounds(kernel, backend);
    let mut told: Vec<bool> = kernels.iter().map(own).collect();
    let mut left: Vec<usize> = (0..told.len()).filter(|k| told[*k]).collect();
    while let Some(caller) = left.pop() {
        for &called in &kernels[caller].calls {
            let Some(kernel) = kernels.get(called) else {
                continue;
            };
            let mut parameters = kernel.parameters.iter();
            let gathers = parameters.any(|p| matches!(p.kind, ParameterKind::Gather(_)));
            let plain = matches!(
                kernel.form,
                KernelForm::SubKernel | KernelForm::Map { group_size: None }
            );
            if gathers && plain && !std::mem::replace(&mut told[called], true) {
                left.push(called);
            }
        }
    }
    told
}
