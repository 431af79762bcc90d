//! What is known of bodies: one question a file, with the field's names. All are functions of a body alone; where a body has
//! something that is not modelled, the answer is that nothing is known.
//!
//! - `definitions.rs`: where variables get their values, and which of them are names of a value.
//! - `affine.rs`: integers as sums of products of variables, and where accesses lead.
//! - `alias.rs`: what memory two accesses cannot have in common.
//! - `ranges/`: in which intervals the indices of arrays are.
//! - `dependence.rs`: which iterations of a loop come to one element.
//! - `escapes.rs`: which variables something may point to.
//! - `liveness.rs`: of which variables somebody may still read what they hold.
//! - `uniformity.rs`: what is the same for all items of a group.
//! - `jumps.rs`: by which conditions items leave loops, iterations and functions where others go on.
//! - `convergence.rs`: barriers and functions of the group that not all items reach.

mod affine;
mod alias;
mod convergence;
mod definitions;
mod dependence;
mod escapes;
mod jumps;
mod liveness;
mod ranges;
#[cfg(test)]
mod tests;
mod uniformity;

pub(crate) use affine::{Affine, Object, Sum};
pub(crate) use alias::Aliases;
pub(crate) use convergence::divergences;
pub(crate) use definitions::Definitions;
pub(crate) use dependence::{Distance, distance};
pub(crate) use escapes::{Kept, may_hold};
pub(crate) use liveness::Liveness;
pub(crate) use ranges::{Range, Ranges};
pub(crate) use uniformity::Uniformity;
