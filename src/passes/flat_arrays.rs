//! Flat arrays: an array of several dimensions that a group shares lies in one piece where some access may leave its row, as
//! solvers run over all rows as if they were one. Compilers of C++ take it that no row is left.
//!
//! **Legality.** It always is: this says which arrays need it.
//!
//! **Gain.** Of arrays whose accesses stay in their rows compilers know more: they stay as they are.

use crate::body::{Body, Memory, Program, Root};
use crate::facts::Ranges;
use foldhash::{HashMap, HashMapExt};

/// Where elements of the group's arrays are accessed, by where that begins in the text: whether that stays in its row.
pub(crate) fn rows_kept(program: &Program, body: &Body, ranges: &Ranges) -> HashMap<u32, bool> {
    let mut kept = HashMap::new();
    for place in body.place_ids() {
        let at = body.place(place);
        let Root::Variable(variable) = at.root else {
            continue;
        };
        if program.variable(body, variable).memory == Memory::Shared
            && let Some(stays) = ranges.stays_in_rows(program, body, place)
        {
            *kept.entry(at.span.start).or_insert(true) &= stays;
        }
    }
    kept
}
