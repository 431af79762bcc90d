//! OKL: kernels, device functions, constants, and the attributed loops.
//!
//! - `unit.rs`: a file, and what is known of it; `file_scope.rs`: what it declares; `types.rs`: typedefs, aliases, structures; `classes.rs`: what stands in classes.
//! - `enumerators.rs`: enumerations within nests.
//! - `fields.rs`: what is known of fields.
//! - `parameters.rs`: parameters and results of functions.
//! - `kernel.rs`: one kernel: parameters, nests, and their check.
//! - `locals.rs`: types and constants it declares around its nests.
//! - `walk.rs`: the one walk over a function that finds every [`Construct`].
//! - `nest.rs`, `memory.rs`, `atomic/`: what it does at attributed loops, at declarations and uses of
//!   memory, at atomics.
//! - `shared_arrays.rs`: arrays of several dimensions that a group shares, and how the passes say that they lie.
//! - `cpp_to_c.rs`: C++ that C writes otherwise, or cannot; `c_values.rs`: values of declarations and types among it;
//!   `c_tags.rs`: types with a keyword.
//! - `c_calls.rs`: calls and conditions that OpenCL C does not take as they are.
//! - `references.rs`, `components.rs`: references and addresses of vectors' components, which C has not got.
//! - `pointers.rs`, `initialisers.rs`: where the values of pointers come from.
//! - `accesses.rs`: what is read and written through them.
//! - `designators.rs`: initialisers that name what they initialise.
//! - `dimensions.rs`: extents of `@dim` that have to be kept.
//! - `jumps.rs`: what jumps leave.
//! - `group.rs`: what happens once for a group; `once.rs`: what happens once between loops.
//! - `phases.rs`: barriers in the bodies of inner loops; `fission.rs`: where these are cut; `collectives.rs`: functions of a whole group there;
//!   `convergence.rs`: whether all items come by.
//! - `masked_loops.rs`: loops that items leave at different times.
//! - `symbols.rs`: names by scope; `names.rs`: those that targets spell in their own way.
//! - `constants.rs`: constants of the file, `fold.rs`: their initialisers, `pointed.rs`: those with an address;
//!   `declared.rs`: the names that the program declares; `undeclared.rs`, `undeclared_messages.rs`: those that it uses and does not declare; `malformed.rs`: expressions that no compiler takes.
//! - `intrinsics.rs`: functions that each backend spells in its own way.
//! - `passes.rs`: asks the passes over bodies; `wide_access.rs`, `coarsening.rs`: which nests they are asked about, and what
//!   they say in terms of the text.
//! - `several_types.rs`: names of types that mean another one elsewhere.
//! - `several_ways.rs`: conditions from which items come to one place by several ways.
//! - `truths/`: truth values that indices are computed from.
//! - `sites.rs`: uses of the attributes that extensions add.
//! - `stand_ins.rs`: what the grammar reads where it could not tell names from types.
//! - `header.rs`: the header of a `for` loop as start, bound and step.
//! - `loop_facts.rs`: what loops are made of, as far as lowerings ask.
//! - `extents.rs`: axes, trip counts and launch extents; `implied_barriers.rs`: where items wait between loops.
//! - `host.rs`, `host_flow.rs`: host code around `@outer` loops; `host_arrays.rs`: arrays of the functions it calls.
//! - `expressions.rs`, `effects.rs`, `functions.rs`: the expressions in it, those that change variables,
//!   and the functions it calls; `sizes.rs`: `sizeof`.
//! - `records.rs`: layouts of structs, unions and enumerations.
//!
//! [`Construct`]: crate::module::Construct

mod accesses;
mod accumulation;
mod addressed;
mod atomic;
mod c_calls;
mod c_declarations;
mod c_edits;
mod c_lists;
mod c_tags;
mod c_values;
mod classes;
mod coarsening;
mod collectives;
mod components;
mod constants;
mod convergence;
mod cpp_to_c;
mod declared;
mod designators;
mod dimensions;
mod effects;
mod enumerators;
mod expressions;
mod extents;
mod fields;
mod file_scope;
mod fission;
mod fold;
mod functions;
mod group;
mod header;
mod host;
mod host_arrays;
mod host_flow;
mod implied_barriers;
mod initialisers;
mod intrinsics;
mod jumps;
mod kernel;
mod locals;
mod loop_facts;
mod malformed;
mod masked_loops;
#[cfg(test)]
mod masked_loops_tests;
mod memory;
mod names;
mod nest;
mod once;
mod parameters;
mod passes;
mod phases;
mod pointed;
mod pointers;
mod records;
mod references;
mod several_types;
mod several_ways;
mod shared_arrays;
#[cfg(test)]
mod shared_arrays_tests;
mod sites;
mod sizes;
pub(super) mod stand_ins;
mod symbols;
mod told;
mod truths;
mod types;
mod undeclared;
mod undeclared_messages;
mod unit;
mod walk;
mod wide_access;

pub(crate) use header::{bound as loop_bound, change as loop_change, count as loop_count};
pub(super) use unit::{analyze, syntax_errors};
