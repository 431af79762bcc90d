//! How many elements an item takes where item i has element i of every stream.

use super::cut;
use crate::backend::{Backend, Model};
use crate::module::{
    FUSED, Kernel, KernelForm, MOST_OPERATIONS, Module, Parameter, ParameterKind, Work,
};
use crate::options::Options;
use crate::rewrite::{FEW_OPERATIONS, WIDE};

/// The most rows that an item goes through.
const MOST_ROWS: usize = 4;

/// Gathers that an item may make.
const MOST_GATHERS: usize = 4;

/// Elements that an item of a GPU takes, a power of two.
pub(crate) fn width(module: &Module, kernel: &Kernel, options: &Options) -> usize {
    // Which elements of a reduction are folded together does not depend on where they come from.
    if let Some(Made { fold, .. }) = made(module, kernel) {
        return width(module, fold, options);
    }
    if options.no_widen {
        return 1;
    }
    let streams = kernel.parameters.iter().filter(|p| {
        matches!(
            p.kind,
            ParameterKind::StreamIn | ParameterKind::StreamOut { .. }
        )
    });
    let largest = streams.filter_map(plain_size).max();
    let (Some(largest), Some(operations)) = (largest, straight(module, kernel)) else {
        return 1;
    };
    let mut width = (WIDE / largest).max(1);
    let chosen = options.choices_of(module.asked_name(&kernel.name)).elements;
    // Neighbouring items no longer gather neighbouring elements: that pays for few of them only.
    let gathers = gathers(module, kernel);
    let too_many = |width: usize| match chosen {
        Some(most) => width > usize::from(most),
        None => width * operations > MOST_OPERATIONS || width * gathers > MOST_GATHERS,
    };
    while width > 1 && too_many(width) {
        width /= 2;
    }
    width
}

/// The same of a kernel where a backend has it: an item of others takes one element.
pub(crate) fn width_on(
    module: &Module,
    kernel: &Kernel,
    backend: &Backend,
    options: &Options,
) -> usize {
    let narrow = backend.model == Model::Simt && !backend.lowering.wide;
    match kernel.form {
        KernelForm::Map { .. } if narrow => 1,
        _ => width(module, kernel, options),
    }
}

/// How many rows an item of a GPU goes through, where a launch may give rows groups of their own: places are asked for,
/// and would take a division each. 0 where it may not. Elements below each other are read side by side by neighbouring
/// items, whatever they gather, so that many accesses are on their way at once.
pub(crate) fn rows_of_item(
    module: &Module,
    kernel: &Kernel,
    backend: &Backend,
    options: &Options,
) -> usize {
    let suits = backend.model == Model::Simt
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && placed(module, kernel)
        && width(module, kernel, options) == 1;
    if !suits {
        return 0;
    }
    match straight(module, kernel) {
        Some(operations) if !options.no_widen => match MOST_OPERATIONS / operations.max(1) {
            0 | 1 => 1,
            2 | 3 => 2,
            _ => MOST_ROWS,
        },
        _ => 1,
    }
}

/// Whether elements may be lanes of a vector: the kernel runs straight on, and no two elements meet.
pub(crate) fn vectorizes(module: &Module, kernel: &Kernel) -> bool {
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
fn gathers(module: &Module, kernel: &Kernel) -> usize {
    let all = with_callees(module, kernel);
    all.iter().map(|k| k.gathers).sum()
}

/// What a kernel does with those that it calls; one that is made of others only passes values on.
fn work(module: &Module, kernel: &Kernel) -> Work {
    let own = usize::from(is_fused(module, kernel));
    let all = with_callees(module, kernel).into_iter().skip(own);
    all.map(|k| k.work).fold(Work::default(), Work::and)
}

/// Whether a kernel is made of several others.
fn is_fused(module: &Module, kernel: &Kernel) -> bool {
    module.host.as_ref().is_some_and(|h| h.checking.fused) && kernel.name == FUSED
}

/// The operations of a kernel with those of the kernels it calls; `None` if there are loops.
fn straight(module: &Module, kernel: &Kernel) -> Option<usize> {
    work(module, kernel).straight()
}

/// The most reads of arrays with which elements are faster one by one.
const FEW_GATHERS: usize = 2;

/// Operations of a kernel that does little else.
const LITTLE: usize = 24;

/// Whether a processor is better off with one element after the other: it reads from computed places, and has little
/// else to do. Instructions that gather take longer than as many that read, unless more reads lie side by side.
pub(crate) fn one_by_one(module: &Module, kernel: &Kernel, backend: &Backend) -> bool {
    let side_by_side = match cut(module, kernel, backend) {
        true => kernel.gather_offsets.in_one_row,
        false => 0,
    };
    let computed = gathers(module, kernel) - side_by_side;
    let few = (1..=FEW_GATHERS).contains(&computed);
    work(module, kernel).operations <= LITTLE && few && computed >= side_by_side
}

/// Whether a reduction's kernel needs few registers itself.
pub(crate) fn folds_little(module: &Module, kernel: &Kernel) -> bool {
    let plain = kernel.parameters.iter().all(|p| p.structure.is_none());
    plain && straight(module, kernel).is_some_and(|n| n <= LITTLE)
}

/// What an element takes on a processor, in operations; `None` if there are loops.
pub(super) fn operations(module: &Module, kernel: &Kernel) -> Option<usize> {
    work(module, kernel).straight_on_processor()
}

/// With how many elements a kernel has so little to do that one thread is left alone; 0 where nobody knows.
pub(crate) fn few_elements(module: &Module, kernel: &Kernel) -> u64 {
    let streams = kernel.parameters.len();
    operations(module, kernel).map_or(0, |n| FEW_OPERATIONS / (n + streams).max(1) as u64)
}

/// Whether elements may take very different times: there are loops that end when a condition says so.
pub(crate) fn uneven(module: &Module, kernel: &Kernel) -> bool {
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
