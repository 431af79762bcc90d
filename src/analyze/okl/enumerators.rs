//! What enumerations declare. Within nests their enumerators hide constants of the file, and are some.

use super::symbols::Symbol;
use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::syntax::{Field, NodeId, has_scoped_enumerators};

/// Calls a visitor with each name of an enumeration's body and its value, as far as that is known; values behind may be made
/// of what it makes known.
pub(super) fn each_enumerator(
    context: &Context<'_>,
    unit: &mut Unit,
    body: NodeId,
    mut visit: impl FnMut(&mut Unit, &str, Option<i64>),
) {
    let (tree, text) = (context.tree, context.text);
    let mut next = Some(0i64);
    for enumerator in tree.children(body) {
        let Some(name) = tree.child(enumerator, Field::Name) else {
            continue;
        };
        if let Some(value) = tree.child(enumerator, Field::Value) {
            next = unit.constant(tree.text(value, text));
        }
        visit(unit, tree.text(name, text), next);
        next = next.and_then(|n| n.checked_add(1));
    }
}

impl Walk<'_, '_> {
    /// Makes known what an enumeration within a nest declares.
    pub(super) fn enumerators(&mut self, specifier: NodeId) {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some(body) = tree.child(specifier, Field::Body) else {
            return;
        };
        if has_scoped_enumerators(tree, specifier, text) {
            return;
        }
        each_enumerator(self.context, self.unit, body, |unit, name, value| {
            let scalar = match value.map(i32::try_from) {
                Some(Ok(_)) => Scalar::Int,
                _ => Scalar::Long,
            };
            let definition = value.and_then(|v| unit.definition(&v.to_string(), scalar));
            let symbol = Symbol {
                definition,
                ..Symbol::default()
            };
            unit.scopes.declare(name, symbol);
        });
    }
}
