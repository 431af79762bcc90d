//! What kernels of Brook+ do, with those that they call.

use super::FEW_OPERATIONS;
use crate::module::{FUSED, Kernel, KernelForm, Module, Parameter, ParameterKind, Work};

/// What a kernel does with those that it calls, each as often as it is inlined: one that is called twice counts twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Doing {
    /// Operations and loops; a kernel that is made of others only passes values on.
    pub(crate) work: Work,
    /// Reads of arrays.
    pub(super) gathers: usize,
    /// The place of an element means anything.
    pub(crate) placed: bool,
    /// Functions are called that compilers may have for whole vectors.
    pub(crate) vector_functions: bool,
    /// Items meet: they share memory, wait for each other, or call functions of the group.
    meets: bool,
}

impl Doing {
    fn of(module: &Module, kernel: &Kernel) -> Self {
        Self {
            work: match is_fused(module, kernel) {
                true => Work::default(),
                false => kernel.work,
            },
            gathers: kernel.gathers,
            placed: kernel.placed || kernel.parameters.iter().any(|p| p.indexed),
            vector_functions: kernel.vector_functions,
            meets: !kernel.shared.is_empty() || kernel.waits || kernel.collectives,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            work: self.work.and(other.work),
            gathers: self.gathers.saturating_add(other.gathers),
            placed: self.placed || other.placed,
            vector_functions: self.vector_functions || other.vector_functions,
            meets: self.meets || other.meets,
        }
    }

    /// The operations; `None` if there are loops.
    pub(super) fn straight(&self) -> Option<usize> {
        self.work.straight()
    }

    /// What an element takes on a processor, in operations; `None` if there are loops.
    pub(super) fn operations(&self) -> Option<usize> {
        self.work.straight_on_processor()
    }
}

/// What all kernels of a module do, by number. Each is looked at once: those that call another one twice, which calls another one
/// twice, would be as many as there are numbers of that many bits.
pub(crate) fn doings(module: &Module) -> Vec<Doing> {
    let kernels = &module.kernels;
    let mut all: Vec<Option<Doing>> = vec![None; kernels.len()];
    let mut begun = vec![false; kernels.len()];
    for first in 0..kernels.len() {
        let mut left = vec![first];
        while let Some(&at) = left.last() {
            let Some(kernel) = kernels.get(at).filter(|_| all[at].is_none()) else {
                left.pop();
                continue;
            };
            let called = kernel.calls.iter().filter(|&&c| c < kernels.len());
            if !std::mem::replace(&mut begun[at], true) {
                left.extend(called.filter(|&&c| !begun[c]));
                continue;
            }
            let own = Doing::of(module, kernel);
            let with = called.filter_map(|&c| all[c]).fold(own, Doing::and);
            all[at] = Some(with);
            left.pop();
        }
    }
    all.into_iter().map(Option::unwrap_or_default).collect()
}

/// Whether elements may be lanes of a vector: the kernel runs straight on, and no two elements meet.
pub(super) fn vectorizes(kernel: &Kernel, doing: &Doing) -> bool {
    let mut kinds = kernel.parameters.iter().map(|p| &p.kind);
    !kinds.any(|k| matches!(k, ParameterKind::Scatter(_))) && doing.straight().is_some()
}

/// Bytes of an element that is a number or a vector, and lies in streams as it does in variables.
pub(crate) fn plain_size(p: &Parameter) -> Option<usize> {
    // Vectors of three are no power of two, and OpenCL's are as large as those of four.
    let plain = p.structure.is_none() && p.element_sizes.is_empty() && p.ty.width != 3;
    let size = p.ty.base.scalar()?.size() * usize::from(p.ty.width);
    (plain && size.is_power_of_two()).then_some(size)
}

/// Whether a kernel is made of several others.
fn is_fused(module: &Module, kernel: &Kernel) -> bool {
    module.host.as_ref().is_some_and(|h| h.checking.fused) && kernel.name == FUSED
}

/// Operations of a kernel that does little else.
pub(super) const LITTLE: usize = 24;

/// Whether a reduction's kernel needs few registers itself.
pub(super) fn folds_little(kernel: &Kernel, doing: &Doing) -> bool {
    let plain = kernel.parameters.iter().all(|p| p.structure.is_none());
    plain && doing.straight().is_some_and(|n| n <= LITTLE)
}

/// With how many elements a kernel has so little to do that one thread is left alone; 0 where nobody knows.
pub(super) fn few_elements(kernel: &Kernel, doing: &Doing) -> u64 {
    let streams = kernel.parameters.len();
    let few = |n: usize| FEW_OPERATIONS / n.saturating_add(streams).max(1) as u64;
    doing.operations().map_or(0, few)
}

/// Whether elements of outputs depend on nothing but the same elements of inputs, values, what is gathered, and their place:
/// what one such kernel makes may go to the next without being stored.
pub(crate) fn elementwise(kernel: &Kernel, doing: &Doing) -> bool {
    let suits = |kind: &ParameterKind| match kind {
        ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Gather(_) => true,
        ParameterKind::StreamOut { reads } => !reads,
        _ => false,
    };
    matches!(kernel.form, KernelForm::Map { group_size: None })
        && is_of_elements(kernel, doing, suits)
}

/// Whether all parameters are numbers of these kinds, and items do not meet.
fn is_of_elements(kernel: &Kernel, doing: &Doing, suits: fn(&ParameterKind) -> bool) -> bool {
    let plain =
        |p: &Parameter| suits(&p.kind) && p.structure.is_none() && p.element_sizes.is_empty();
    !doing.meets && kernel.parameters.iter().all(plain)
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
    let [map, fold] = made_of(module, kernel)?;
    Some(Made {
        map: module.kernels.get(map)?,
        fold: module.kernels.get(fold)?,
    })
}

/// Their numbers.
pub(super) fn made_of(module: &Module, kernel: &Kernel) -> Option<[usize; 2]> {
    let reduces = matches!(kernel.form, KernelForm::Reduce { .. });
    match (is_fused(module, kernel) && reduces, kernel.calls.as_slice()) {
        (true, &[map, fold]) => Some([map, fold]),
        _ => None,
    }
}

/// Whether a reduction may be called for elements that are made just then: it folds one stream of numbers, with values
/// that do not change.
pub(crate) fn folds_alone(kernel: &Kernel, doing: &Doing) -> bool {
    let suits = |kind: &ParameterKind| {
        matches!(
            kind,
            ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Reduce
        )
    };
    matches!(kernel.form, KernelForm::Reduce { .. })
        && is_of_elements(kernel, doing, suits)
        && doing.straight().is_some()
        && doing.gathers == 0
        && !doing.placed
}
