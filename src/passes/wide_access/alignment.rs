//! Of which elements it has to be asked whether they are aligned, so that it is known of all.
//!
//! Addresses are aligned to as many elements as there are iterations, a power of two. Where two of an array are, so is what they are
//! apart: a sum of products that are the same for the whole kernel. What other elements are apart is no question then
//! if it is a multiple of that, or each of its products has one of these among its factors: in a cube of `n * n * n`,
//! neighbours are `n` and `n * n` apart.

use crate::body::VariableId;
use crate::facts::Sum;
use crate::module::{Asked, ElementAccess};
use crate::source::Span;

/// What is to be asked. `fixed` says of a variable whether it is the same for the whole kernel. Each outer loop comes with its
/// variable and its step: of all that indices are computed of, nothing else is another number in its next iteration.
pub(super) fn asked(
    elements: &[(ElementAccess, Sum)],
    fixed: &dyn Fn(VariableId) -> bool,
    loops: &[(Span, VariableId, i64)],
) -> Asked {
    let mut known: Vec<Sum> = Vec::new();
    let mut asked = Asked::default();
    let mut seen: Vec<(&str, &Sum)> = Vec::new();
    let mut left: Vec<(usize, Sum)> = Vec::new();
    for (number, (element, index)) in elements.iter().enumerate() {
        let first = seen.iter().find(|(array, _)| *array == element.array);
        let apart = first.map(|(_, first)| index.clone().minus(first));
        match apart {
            // Constants are what pieces are chosen by.
            Some(Some(apart)) if apart.variables().all(fixed) => {
                left.push((number, apart.without_constant()));
            }
            Some(_) => asked.elements.push(number),
            None => {
                seen.push((&element.array, index));
                asked.elements.push(number);
            }
        }
    }
    // Factors before what they are factors of.
    left.sort_by_key(|(number, apart)| (apart.variables().count(), *number));
    for (number, apart) in left {
        if !follows(&apart, &known) {
            asked.elements.push(number);
            known.push(apart);
        }
    }
    asked.elements.sort_unstable();
    for &(at, variable, step) in loops {
        let step = Sum::constant(step);
        let further = |index: &Sum| index.slope(variable)?.times(&step);
        let same = elements.iter().all(|(_, index)| {
            further(index).is_some_and(|by| by.variables().all(fixed) && follows(&by, &known))
        });
        if same {
            asked.loops.push(at);
        }
    }
    asked
}

/// Whether a sum is a multiple of a power of two if others are.
fn follows(sum: &Sum, known: &[Sum]) -> bool {
    let multiple = |of: &Sum| sum.divided(of).is_some();
    sum.as_constant() == Some(0) || known.iter().any(multiple) || sum.has_factors(known)
}
