//! Variables of functions that last: whether anybody may know where they are when their function is over.

use super::{DefinitionId, Sema, TypeKind};
use crate::syntax::{Field, Kind, NodeId, Tree, function_declarator};

impl Sema<'_> {
    /// Whether the address of one of the `static` variables of a declaration may outlive its function, as that of a variable
    /// which each call has anew would not.
    pub(crate) fn address_may_leave(&self, declaration: NodeId) -> bool {
        let tree = self.tree;
        let gives_addresses = self.gives_addresses(declaration);
        let declarators = tree.children(declaration);
        let mut declarators = declarators.filter(|&c| tree.field(c) == Field::Declarator);
        declarators.any(|declarator| {
            let Some(id) = self.declared_by(declarator) else {
                return true;
            };
            let own = self.name_span(id);
            let uses = self.uses(id).iter();
            let mut addresses = uses.filter(|&&n| tree.span(n) != own && self.is_address(n));
            addresses.any(|&n| gives_addresses || is_stored(tree, n))
        })
    }

    /// The variable that a declarator declares.
    pub(crate) fn declared_by(&self, declarator: NodeId) -> Option<DefinitionId> {
        let mut inside = self.tree.descendants(declarator);
        let name = inside.find(|&n| self.tree.kind(n) == Kind::Identifier);
        name.and_then(|n| self.definition(n))
    }

    /// Whether the function around a node may return an address.
    fn gives_addresses(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let mut around = std::iter::successors(Some(node), |&n| tree.parent(n));
        let function = around.find(|&n| tree.kind(n) == Kind::FunctionDefinition);
        let declarator = function.and_then(|f| function_declarator(tree, f));
        let name = declarator.and_then(|d| tree.child(d, Field::Declarator));
        let id = name.and_then(|n| self.definition(n));
        let ty = id.map_or(TypeKind::Unknown, |id| self.kind(self.defined(id).ty));
        let TypeKind::Function(result) = ty else {
            return true;
        };
        !matches!(
            self.kind(result),
            TypeKind::Void | TypeKind::Scalar(_) | TypeKind::Vector(_) | TypeKind::Enumeration(_)
        )
    }

    /// Whether a use of a variable is one of its address: of an array that is not gone through to an element, or behind `&`.
    fn is_address(&self, name: NodeId) -> bool {
        let tree = self.tree;
        let mut node = name;
        while let Some(parent) = tree.parent(node) {
            match tree.kind(parent) {
                Kind::SubscriptExpression if tree.child(parent, Field::Argument) != Some(node) => {
                    break;
                }
                Kind::PointerExpression => return true,
                Kind::SizeofExpression => return false,
                Kind::ParenthesizedExpression
                | Kind::SubscriptExpression
                | Kind::FieldExpression => {}
                _ => break,
            }
            node = parent;
        }
        self.scalar(node).is_none() && self.vector(node).is_none()
    }
}

/// Whether what stands at a node is assigned to something else than a variable.
fn is_stored(tree: &Tree, node: NodeId) -> bool {
    let around = std::iter::successors(Some(node), |&n| tree.parent(n));
    let mut around = around.take_while(|&n| tree.kind(n) != Kind::CompoundStatement);
    around.any(|n| {
        let to = tree.child(n, Field::Left);
        tree.kind(n) == Kind::AssignmentExpression
            && to.is_some_and(|to| tree.kind(to) != Kind::Identifier)
    })
}
