//! Components of vectors whose address is taken, which C does not do: it is computed from the vector's.

use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::module::{VectorType, What};
use crate::syntax::{Field, Kind, NodeId};

/// A component of a vector.
pub(super) struct Component {
    pub(super) vector: VectorType,
    pub(super) index: usize,
    /// The vector, or, before `->`, the pointer to it.
    base: NodeId,
    arrow: bool,
}

/// The component of a vector that an expression names.
pub(super) fn component(context: &Context<'_>, unit: &Unit, node: NodeId) -> Option<Component> {
    let tree = context.tree;
    let node = tree.unparenthesized(node);
    if tree.kind(node) != Kind::FieldExpression {
        return None;
    }
    let field = tree.text(tree.child(node, Field::FieldName)?, context.text);
    let index = ["x", "y", "z", "w"].iter().position(|f| *f == field)?;
    let base = tree.child(node, Field::Argument)?;
    let operator = tree.child(node, Field::Operator);
    let mut at = tree.unparenthesized(base);
    let vector = loop {
        let next = match tree.kind(at) {
            Kind::Identifier => {
                break unit.scopes.get(tree.text(at, context.text))?.vector?;
            }
            Kind::FieldExpression => {
                let field = tree.child(at, Field::FieldName)?;
                break *unit.vector_fields.get(tree.text(field, context.text))?;
            }
            Kind::SubscriptExpression | Kind::PointerExpression => tree.child(at, Field::Argument),
            Kind::BinaryExpression => tree.child(at, Field::Left),
            Kind::CallExpression => tree.child(at, Field::Function),
            _ => None,
        };
        at = tree.unparenthesized(next?);
    };
    (index < usize::from(vector.width)).then_some(Component {
        vector,
        index,
        base,
        arrow: operator.is_some_and(|o| tree.text(o, context.text) == "->"),
    })
}

impl Walk<'_, '_> {
    /// The address of what an expression names, if that is a component.
    pub(super) fn component(&mut self, node: NodeId) -> Option<What> {
        let found = component(self.context, self.unit, node)?;
        let origins = self.place(node);
        let span = self.context.tree.span(node);
        Some(What::ComponentAddress {
            base: self.context.tree.span(found.base),
            arrow: found.arrow,
            vector: found.vector,
            index: found.index,
            pointer: self.unit.pointer(span, origins),
        })
    }

    /// `&v.x`
    pub(super) fn component_address(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let argument = tree.child(node, Field::Argument);
        let takes = tree.text(node, self.context.text).starts_with('&');
        if let Some(argument) = argument.filter(|_| takes)
            && let Some(what) = self.component(tree.unparenthesized(argument))
        {
            self.unit.push(tree.span(node), what);
        }
    }
}
