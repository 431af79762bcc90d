//! Components of vectors whose address is taken, which C does not do: it is computed from the vector's.

use super::walk::Walk;
use crate::analyze::Context;
use crate::module::{ConstructKind, VectorType};
use crate::sema::TypeKind;
use crate::syntax::{Field, Kind, NodeId};

/// A component of a vector.
pub(super) struct Component {
    pub(super) vector: VectorType,
    pub(super) index: usize,
    /// The vector, or, before `->`, the pointer to it.
    pub(super) base: NodeId,
    pub(super) arrow: bool,
}

/// The component of a vector that an expression names.
pub(super) fn component(context: &Context<'_>, node: NodeId) -> Option<Component> {
    let (tree, sema) = (context.tree, context.sema);
    let node = tree.unparenthesized(node);
    if tree.kind(node) != Kind::FieldExpression {
        return None;
    }
    let TypeKind::Vector(vector) = sema.kind(sema.object(node)?) else {
        return None;
    };
    let field = tree.text(tree.child(node, Field::FieldName)?, context.text);
    let operator = tree.child(node, Field::Operator);
    Some(Component {
        vector,
        index: vector.component(field)?,
        base: tree.child(node, Field::Argument)?,
        arrow: operator.is_some_and(|o| tree.text(o, context.text) == "->"),
    })
}

impl Walk<'_, '_> {
    /// The address of what an expression names, if that is a component.
    pub(super) fn component(&mut self, node: NodeId) -> Option<ConstructKind> {
        let found = component(self.context, node)?;
        let origins = self.place(node);
        let span = self.context.tree.span(node);
        Some(ConstructKind::ComponentAddress {
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
