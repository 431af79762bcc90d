//! Gathers that read at an element's place along its row, or against it, plus what is the same along it: but for the
//! ends of the row they are inside, and lie side by side. Loops over rows are cut there.

use super::Pass;
use crate::backend::Backend;
use crate::module::{Base, IndexedAccess, Kernel, Term, Type};
use crate::source::Span;
use std::borrow::Cow;

/// What is added to the place along a row, or what that is subtracted from.
pub(crate) fn offset(
    kernel: &Kernel,
    backend: &Backend,
    term: Option<Term>,
    constant: i32,
) -> String {
    let Some(term) = term else {
        return constant.to_string();
    };
    let parameter = kernel.parameters.get(term.parameter);
    let name = parameter.map_or(Cow::Borrowed(""), |p| backend.safe_name(&p.name));
    let sign = if term.negative { "-" } else { "" };
    format!("{constant} + {sign}(long long){name}")
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
    pub(super) fn gather_head(&self, span: Span, access: &IndexedAccess) -> String {
        let array = self.backend.safe_name(&access.array);
        let cut = |kernel: usize| self.schedule.maps.get(kernel).is_some_and(|s| s.cut);
        match access.beside.filter(|b| cut(b.kernel)) {
            Some(beside) => {
                let function = match beside.back {
                    true => "brook_against",
                    false => "brook_beside",
                };
                let kernel = self.module.kernels.get(beside.kernel);
                let offset = kernel.map_or(String::new(), |k| {
                    offset(k, self.backend, beside.term, beside.offset)
                });
                format!("{function}(brook_spot, brook_{array}_shape, {offset}")
            }
            None => {
                // C has no templates that would see to it.
                let function = match !self.cpp() && is_int(access) {
                    true => "brook_at_int",
                    false => "brook_at",
                };
                let told = match self.is_told(span) && !self.is_whole(span, access) {
                    true => "brook_in_bounds, ",
                    false => "",
                };
                format!("{function}({told}brook_{array}_shape")
            }
        }
    }
}
