//! What kernels of Brook+ do, with those that they call.

use super::FEW_OPERATIONS;
use crate::module::{FUSED, Kernel, KernelForm, Module, Parameter, ParameterKind, Work};

/// Whether elements may be lanes of a vector: the kernel runs straight on, and no two elements meet.
pub(super) fn vectorizes(module: &Module, kernel: &Kernel) -> bool {
    let mut kinds = kernel.parameters.iter().map(|p| &p.kind);
    !kinds.any(|k| matches!(k, ParameterKind::Scatter(_))) && straight(module, kernel).is_some()
}

/// Bytes of an element that is a number or a vector, and lies in streams as it does in variables.
pub(crate) fn plain_size(p: &Parameter) -> Option<usize> {
    // Vectors of three are no power of two, and OpenCL's are as large as those of four.
    let plain = p.structure.is_none() && p.element_sizes.is_empty() && p.ty.width != 3;
    let size = p.ty.base.scalar()?.size() * usize::from(p.ty.width);
    (plain && size.is_power_of_two()).then_some(size)
}

/// Reads of arrays in a kernel and in those it calls.
pub(super) fn gathers(module: &Module, kernel: &Kernel) -> usize {
    let all = with_callees(module, kernel);
    all.iter().map(|k| k.gathers).sum()
}

/// What a kernel does with those that it calls; one that is made of others only passes values on.
pub(super) fn work(module: &Module, kernel: &Kernel) -> Work {
    let own = usize::from(is_fused(module, kernel));
    let all = with_callees(module, kernel).into_iter().skip(own);
    all.map(|k| k.work).fold(Work::default(), Work::and)
}

/// Whether a kernel is made of several others.
fn is_fused(module: &Module, kernel: &Kernel) -> bool {
    module.host.as_ref().is_some_and(|h| h.checking.fused) && kernel.name == FUSED
}

/// The operations of a kernel with those of the kernels it calls; `None` if there are loops.
pub(super) fn straight(module: &Module, kernel: &Kernel) -> Option<usize> {
    work(module, kernel).straight()
}

/// Operations of a kernel that does little else.
pub(super) const LITTLE: usize = 24;

/// Whether a reduction's kernel needs few registers itself.
pub(super) fn folds_little(module: &Module, kernel: &Kernel) -> bool {
    let plain = kernel.parameters.iter().all(|p| p.structure.is_none());
    plain && straight(module, kernel).is_some_and(|n| n <= LITTLE)
}

/// What an element takes on a processor, in operations; `None` if there are loops.
pub(super) fn operations(module: &Module, kernel: &Kernel) -> Option<usize> {
    work(module, kernel).straight_on_processor()
}

/// With how many elements a kernel has so little to do that one thread is left alone; 0 where nobody knows.
pub(super) fn few_elements(module: &Module, kernel: &Kernel) -> u64 {
    let streams = kernel.parameters.len();
    operations(module, kernel).map_or(0, |n| FEW_OPERATIONS / (n + streams).max(1) as u64)
}

/// Whether elements may take very different times: there are loops that end when a condition says so.
pub(super) fn uneven(module: &Module, kernel: &Kernel) -> bool {
    work(module, kernel).leaves
}

/// Whether the place of an element means anything to a kernel.
pub(crate) fn placed(module: &Module, kernel: &Kernel) -> bool {
    let all = with_callees(module, kernel);
    all.iter()
        .any(|k| k.placed || k.parameters.iter().any(|p| p.indexed))
}

/// Whether elements of outputs depend on nothing but the same elements of inputs, values, what is gathered, and their place:
/// what one such kernel makes may go to the next without being stored.
pub(crate) fn elementwise(module: &Module, kernel: &Kernel) -> bool {
    let suits = |kind: &ParameterKind| match kind {
        ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Gather(_) => true,
        ParameterKind::StreamOut { reads } => !reads,
        _ => false,
    };
    matches!(kernel.form, KernelForm::Map { group_size: None })
        && is_of_elements(module, kernel, suits)
}

/// Whether all parameters are numbers of these kinds, and items do not meet.
fn is_of_elements(module: &Module, kernel: &Kernel, suits: fn(&ParameterKind) -> bool) -> bool {
    let plain =
        |p: &Parameter| suits(&p.kind) && p.structure.is_none() && p.element_sizes.is_empty();
    let alone = with_callees(module, kernel)
        .iter()
        .all(|k| k.shared.is_empty() && !k.waits && !k.collectives);
    alone && kernel.parameters.iter().all(plain)
}

/// Whether there are loops in a kernel or in those that it calls.
pub(crate) fn loops(module: &Module, kernel: &Kernel) -> bool {
    work(module, kernel).loops
}

/// Whether a kernel gathers beside the place of its element: processors read that side by side, as long as it is all that they do.
pub(crate) fn gathers_beside(kernel: &Kernel) -> bool {
    !kernel.gather_offsets.arrays.is_empty()
}

/// What a reduction consists of that folds what another kernel makes.
#[derive(Clone, Copy)]
pub(crate) struct Made<'m> {
    /// Makes an element, its last parameter, from the reduction's first parameters.
    pub(crate) map: &'m Kernel,
    /// Folds it, with those values among the reduction's parameters that follow.
    pub(crate) fold: &'m Kernel,
}

/// The same of a kernel, if it is one.
pub(crate) fn made<'m>(module: &'m Module, kernel: &Kernel) -> Option<Made<'m>> {
    let reduces = matches!(kernel.form, KernelForm::Reduce { .. });
    match (is_fused(module, kernel) && reduces, kernel.calls.as_slice()) {
        (true, [map, fold]) => Some(Made {
            map: module.kernels.get(*map)?,
            fold: module.kernels.get(*fold)?,
        }),
        _ => None,
    }
}

/// Whether a reduction may be called for elements that are made just then: it folds one stream of numbers, with values
/// that do not change.
pub(crate) fn folds_alone(module: &Module, kernel: &Kernel) -> bool {
    let suits = |kind: &ParameterKind| {
        matches!(
            kind,
            ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Reduce
        )
    };
    matches!(kernel.form, KernelForm::Reduce { .. })
        && is_of_elements(module, kernel, suits)
        && straight(module, kernel).is_some()
        && gathers(module, kernel) == 0
        && !placed(module, kernel)
}

/// Whether a kernel calls functions that compilers may have for whole vectors, or one that it calls does.
pub(crate) fn vector_functions(module: &Module, kernel: &Kernel) -> bool {
    let all = with_callees(module, kernel);
    all.iter().any(|k| k.vector_functions)
}

/// The kernel once for each path that leads from it to a kernel that is called, itself first: a kernel that is
/// called twice is inlined twice.
fn with_callees<'m>(module: &'m Module, kernel: &'m Kernel) -> Vec<&'m Kernel> {
    let mut all = vec![kernel];
    let called = kernel.calls.iter().filter_map(|&c| module.kernels.get(c));
    for callee in called {
        all.extend(with_callees(module, callee));
    }
    all
}
