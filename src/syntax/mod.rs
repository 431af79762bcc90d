//! The syntax tree, and typed views of what the analysis asks of it.
//!
//! tree-sitter parses; its tree is copied once, iteratively, into a compact arena of the nodes that
//! carry meaning ([`Tree`]). What both grammars call by different names has one [`Kind`] here.
//!
//! - `kinds.rs`: the tables from grammar names to [`Kind`] and [`Field`].
//! - `depth.rs`: how deep trees may be.
//! - `parse.rs`: text to [`Tree`], with syntax errors as diagnostics.
//! - `memory.rs`: the tree of the text before, of which most is that of the next one, for who types.
//! - `copy.rs`: from tree-sitter's tree to ours, attributes put in their places.
//! - `marks.rs`: our attributes, which the grammars do not get to see; `array_pointers.rs`: declarations that they would
//!   take for calls; `stand_ins.rs`: what they cannot read.
//! - `tree.rs`: the arena.
//! - `attributes.rs`: `[[okl_…("…")]]` and `[[brook_…("…")]]` on statements and declarations.
//! - `conditionals.rs`: assignments in the last operands of conditionals.
//! - `declarations.rs`: names, types and array sizes of declarations and parameters; `specifiers.rs`: what stands beside
//!   the types.

mod array_pointers;
mod attributes;
mod conditionals;
mod copy;
mod declarations;
mod depth;
mod kinds;
mod marks;
mod memory;
mod parse;
mod specifiers;
mod stand_ins;
mod tree;

pub use attributes::{AttributeUse, attributes_of, decorated};
pub(crate) use attributes::{attribute, is_of_the_language};
pub(crate) use declarations::function_declarator;
pub use declarations::{
    Declarator, declarators, function_name, has_scoped_enumerators, outlines, parameters,
    type_span, type_words, words_of,
};
pub(crate) use depth::deeply;
pub use kinds::{Field, Kind, is_declarator, is_name, is_record};
pub(crate) use marks::attribute_names;
pub(crate) use memory::{apart, giving_up, remembering, remembers};
pub(crate) use parse::parse_as;
pub use parse::{Grammar, parser_input};
pub use specifiers::specifiers;
pub(crate) use specifiers::type_words_without;
pub use tree::{NodeId, Tree};
