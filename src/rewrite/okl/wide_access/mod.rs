//! Items that run several neighbouring iterations along x, where each has elements of its own side by side: these are read
//! and written at once, and neighbours of them that several of the iterations read are read once.
//!
//! Iterations along x are counted through all groups of the program. An item of the launch runs a few that follow each other,
//! its chunk, and begins where addresses are aligned: the first chunk may begin before the first iteration of all (`shift`). Where
//! all iterations of a chunk happen and all its elements are aligned, its accesses are wide; otherwise its iterations
//! run one by one. So the body stands twice. Where a row is not aligned, the items along x share the iterations of their
//! chunks out by turns, so that neighbours access neighbouring elements as they would without all this. If items run several
//! iterations of an outer loop besides (`coarsening.rs`), these stand in both bodies, so that a compiler sees all reads of them
//! together.
//!
//! In the names of the generated code: `brook_e` counts the iterations of a chunk, `brook_own` is the chunk's number among
//! those that have as many iterations together as a group of the program, `brook_of` says which of the item's group these
//! are. `brook_group_x` is the program's group, `brook_item_x` the item in it; where the two are those of a tile,
//! `brook_iteration_x` is the iteration of the loop, and no tile is left.
//!
//! Which nests run so, how many iterations a chunk has, and which elements of an array it needs, its schedule says
//! (`schedule/wide_access.rs`).
//!
//! - `levels.rs`: what the loops of a nest compute, line by line.
//! - `bodies.rs`: the two bodies; `accesses.rs`: how elements are read and written in them; `lines.rs`: their text.
//! - `kept.rs`: what iterations of an outer loop have of each other.

mod accesses;
mod bodies;
mod kept;
mod levels;
mod lines;

use crate::expr::Scalar;

/// The prelude's type of several numbers that are aligned as a whole.
pub(crate) fn wide_name(scalar: Scalar, count: usize) -> String {
    format!("brook_wide_{}_{count}", scalar.c_name().replace(' ', "_"))
}
