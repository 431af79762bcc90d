//! What the end of a loop depends on. Where it is the same for all items, these run it alike, and compilers make
//! lanes of them by themselves.

use super::{Outer, Surroundings};
use crate::module::BY_ITEM;
use crate::syntax::{Kind, NodeId};
use std::collections::HashMap;

/// What happens in a loop as far as it is asked for here.
#[derive(Default)]
pub(super) struct Flow {
    /// Assignments: the variable, the value, and the conditions around it.
    pub(super) given: Vec<(String, Option<NodeId>, Vec<NodeId>)>,
    /// The conditions under which the loop ends.
    pub(super) exits: Vec<NodeId>,
    /// The conditions around each `continue`.
    pub(super) skips: Vec<NodeId>,
}

impl Flow {
    /// What the end of the loop depends on: see [`crate::module::Lockstep::exits`].
    pub(super) fn exits(&self, surroundings: &Surroundings<'_>, outer: &[Outer]) -> u64 {
        let mut known: HashMap<&str, u64> =
            outer.iter().map(|o| (o.name.as_str(), o.depends)).collect();
        let of = |node: NodeId, known: &HashMap<&str, u64>| {
            total(surroundings, node, &|name| known.get(name).copied())
        };
        // Each round but the last adds something to one of finitely many sets.
        loop {
            let mut changed = false;
            for (name, value, conditions) in &self.given {
                let parts = value.iter().chain(conditions).chain(&self.skips);
                let depends = parts.fold(0, |all, &n| all | of(n, &known));
                let entry = known.entry(name.as_str()).or_default();
                changed |= *entry | depends != *entry;
                *entry |= depends;
            }
            if !changed {
                break;
            }
        }
        self.exits.iter().fold(0, |all, &n| all | of(n, &known))
    }
}

/// What an expression or statement depends on: see [`crate::module::Lockstep::exits`].
pub(in crate::analyze) fn depends(
    surroundings: &Surroundings<'_>,
    node: NodeId,
    outer: &[Outer],
) -> u64 {
    let of = |name: &str| {
        let found = outer.iter().rev().find(|o| o.name == name);
        found.map(|o| o.depends)
    };
    total(surroundings, node, &of)
}

fn total(surroundings: &Surroundings<'_>, node: NodeId, of: &dyn Fn(&str) -> Option<u64>) -> u64 {
    let tree = surroundings.tree;
    let one = |n: NodeId| match tree.kind(n) {
        Kind::Identifier => {
            let name = tree.text(n, surroundings.text);
            match of(name) {
                Some(depends) => depends,
                None if (surroundings.varies)(name) => BY_ITEM,
                None => 0,
            }
        }
        // Functions are known by their arguments, but for those that say where the item is, and memory by nothing.
        Kind::SubscriptExpression | Kind::PointerExpression | Kind::LambdaExpression => BY_ITEM,
        _ => 0,
    };
    tree.descendants(node).fold(0, |all, n| all | one(n))
}
