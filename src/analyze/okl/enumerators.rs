//! Enumerations within nests: their enumerators hide constants of the file, and are some.

use super::symbols::Symbol;
use super::walk::Walk;
use crate::expr::Scalar;
use crate::syntax::{Field, Kind, NodeId, has_scoped_enumerators};

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
        let mut next = Some(0i64);
        for enumerator in tree.children(body) {
            let Some(name) = tree.child(enumerator, Field::Name) else {
                continue;
            };
            if let Some(value) = tree.child(enumerator, Field::Value) {
                next = self.unit.constant(tree.text(value, text));
            }
            let scalar = match next.map(i32::try_from) {
                Some(Ok(_)) => Scalar::Int,
                _ => Scalar::Long,
            };
            let value = next.map(|n| n.to_string());
            let definition = value.and_then(|v| self.unit.definition(&v, scalar));
            let symbol = Symbol {
                definition,
                ..Symbol::default()
            };
            self.unit.scopes.declare(tree.text(name, text), symbol);
            next = next.and_then(|n| n.checked_add(1));
        }
    }

    /// The enumeration that a declaration defines.
    pub(super) fn enumeration_in(&self, declaration: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        tree.child_of_kind(declaration, Kind::EnumSpecifier)
    }
}
