//! Gathers that read at an element's place along its row, plus a constant: but for the ends of the row they are
//! inside, and lie side by side. Loops over rows are cut there.

use super::{Pass, vectorizes};
use crate::backend::{Backend, Model};
use crate::module::{Base, IndexedAccess, Kernel, KernelForm, Module, Type};

/// Whether rows of a kernel's elements are run in parts: where all such gathers are inside, and the ends.
pub(crate) fn cut(module: &Module, kernel: &Kernel, backend: &Backend) -> bool {
    backend.model == Model::Loops
        && !kernel.reach.arrays.is_empty()
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && vectorizes(module, kernel)
}

/// Whether C makes an int of each index.
fn is_int(access: &IndexedAccess) -> bool {
    let int = |ty: &Type| {
        use Base::{Bool, Char, Int, Short, UChar, UShort};
        !ty.is_vector() && matches!(ty.base, Bool | Char | UChar | Short | UShort | Int)
    };
    access.types.iter().all(int)
}

impl Pass<'_> {
    /// What says where a gather reads, up to its indices.
    pub(super) fn gather_head(&self, access: &IndexedAccess) -> String {
        let array = self.backend.safe_name(&access.array);
        let cut = |kernel: usize| self.cut.get(kernel) == Some(&true);
        match access.beside.filter(|b| cut(b.kernel)) {
            Some(beside) => {
                let offset = beside.offset;
                format!("brook_beside(brook_spot, {array}_shape, {offset}")
            }
            // C has no templates that would see to it.
            None if !self.cpp() && is_int(access) => format!("brook_at_int({array}_shape"),
            None => format!("brook_at({array}_shape"),
        }
    }
}
