//! How many elements an item takes where item i has element i of every stream.

use crate::module::{Kernel, Module, Parameter, ParameterKind};
use crate::transpile::Options;

/// Bytes that a GPU reads and writes best at once.
const WIDE: usize = 16;

/// Bytes of source that an item's copies of the kernel may come to: what goes beyond computes enough to
/// hide its accesses, and would only take registers.
const MOST_TEXT: usize = 4000;

/// Elements that an item of a GPU takes, a power of two.
pub(crate) fn width(module: &Module, kernel: &Kernel, options: &Options) -> usize {
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
    let (Some(largest), Some(text)) = (largest, straight(module, kernel)) else {
        return 1;
    };
    let mut width = (WIDE / largest).max(1);
    while width > 1 && width * text > MOST_TEXT {
        width /= 2;
    }
    width
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

/// The length of a kernel's text, with that of the kernels it calls; `None` if there are loops.
fn straight(module: &Module, kernel: &Kernel) -> Option<usize> {
    let text = kernel.body.of(&module.text);
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    if words
        .into_iter()
        .any(|w| matches!(w, "for" | "while" | "do" | "goto"))
    {
        return None;
    }
    let called = kernel.calls.iter().filter_map(|&c| module.kernels.get(c));
    called
        .map(|callee| straight(module, callee))
        .try_fold(text.len(), |sum, part| Some(sum + part?))
}
