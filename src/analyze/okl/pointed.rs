//! Integer constants whose address is taken: where constants become enumerators, which have none, those have a place
//! besides.

use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::{ConstructKind, PlacedConstant};
use crate::syntax::{Field, Kind, NodeId, Tree};
use std::collections::HashSet;

/// The name of the place.
fn place(name: &str) -> String {
    format!("brook_at_{name}")
}

/// Records a declaration of integer constants of a type, with their values.
pub(super) fn constants(
    context: &Context<'_>,
    unit: &mut Unit,
    declaration: NodeId,
    scalar: Scalar,
    values: Vec<(String, i64)>,
) {
    let (tree, text) = (context.tree, context.text);
    let pointed = unit.pointed.get_or_insert_with(|| names(tree, text));
    // Larger ones are no enumerators, but constants with a place.
    let small = values.iter().all(|(_, n)| i32::try_from(*n).is_ok());
    let placed: Vec<PlacedConstant> = values
        .iter()
        .filter(|(name, _)| small && pointed.contains(name.as_str()))
        .map(|(name, value)| PlacedConstant {
            place: place(name),
            scalar,
            value: *value,
        })
        .collect();
    for (name, _) in values.iter().filter(|_| !placed.is_empty()) {
        unit.placed.insert(name.clone());
    }
    unit.push(
        tree.span(declaration),
        ConstructKind::Constants { values, placed },
    );
}

/// All names that stand behind `&`.
fn names(tree: &Tree, text: &str) -> HashSet<String> {
    let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    all.filter_map(|node| Some(tree.text(pointed(tree, text, node)?, text).to_string()))
        .collect()
}

/// The name in `&name`.
fn pointed(tree: &Tree, text: &str, node: NodeId) -> Option<NodeId> {
    let takes =
        tree.kind(node) == Kind::PointerExpression && tree.text(node, text).starts_with('&');
    let argument = tree.unparenthesized(tree.child(node, Field::Argument).filter(|_| takes)?);
    (tree.kind(argument) == Kind::Identifier).then_some(argument)
}

impl Walk<'_, '_> {
    /// `&c` of a constant that has a place.
    pub(super) fn constant_address(&mut self, node: NodeId) {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some(name) = pointed(tree, text, node) else {
            return;
        };
        let words = tree.text(name, text);
        if self.unit.placed.contains(words)
            && self.unit.scopes.get(words).is_some_and(|s| s.constant)
        {
            self.unit
                .push(tree.span(name), ConstructKind::InC(place(words)));
        }
    }
}
