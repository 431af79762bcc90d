//! Calls of functions that each backend spells in its own way.

use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::intrinsics::Intrinsics;
use crate::module::{ConstructKind, Declared, Declares};
use crate::syntax::{Field, Kind, NodeId};

/// A call of such a function: its name, and which arguments are pointers.
pub(super) type Call = (String, Vec<bool>);

/// Finds the calls of those that the program does not declare itself.
pub(super) fn intrinsics(
    context: &mut Context<'_>,
    unit: &mut Unit,
    declared: &Declared,
    table: &Intrinsics,
) {
    let (tree, text) = (context.tree, context.text);
    let Some(root) = tree.root() else { return };
    for node in tree.descendants(root) {
        let function = (tree.kind(node) == Kind::CallExpression)
            .then(|| tree.child(node, Field::Function))
            .flatten()
            .filter(|&f| tree.kind(f) == Kind::Identifier);
        let Some(name) = function.map(|f| tree.text(f, text)) else {
            continue;
        };
        let Some(row) = table.get(name) else { continue };
        // Calls of functions of the group are found as such.
        if unit.collectives.contains_key(&node.index()) {
            continue;
        }
        if declared
            .get(name)
            .is_some_and(|d| !Declares::leaves_device_code(d))
        {
            continue;
        }
        let list = tree.child(node, Field::Arguments);
        let given: Vec<NodeId> = list.map_or(Vec::new(), |l| tree.children(l).collect());
        if given.len() != row.arguments {
            let wanted = row.arguments;
            let span = tree.span(node);
            context.error(
                &codes::INTRINSIC_ARGUMENTS,
                span,
                &[&name, &wanted, &given.len()],
            );
            continue;
        }
        let sema = context.sema;
        let pointers = given.iter().map(|&a| sema.is_pointer(a) == Some(true));
        unit.intrinsics
            .insert(node.index(), (name.to_string(), pointers.collect()));
    }
}

impl Walk<'_, '_> {
    /// A call, if it is one of such a function.
    pub(super) fn intrinsic(&mut self, call: NodeId) {
        let Some((name, pointers)) = self.unit.intrinsics.remove(&call.index()) else {
            return;
        };
        let tree = self.context.tree;
        let list = tree.child(call, Field::Arguments);
        let arguments = list.into_iter().flat_map(|l| tree.children(l));
        let arguments = arguments.map(|a| tree.span(a)).zip(pointers).collect();
        self.not_plain();
        self.unit.push(
            tree.span(call),
            ConstructKind::Intrinsic { name, arguments },
        );
    }
}
