//! Where the variables of a function are changed, as far as the text says it.

use super::names::Reading;
use crate::expr::Scalar;
use crate::library::{Role, is_known};
use crate::sema::{DefinitionId, DefinitionKind, Place, REAL_FUNCTIONS, TypeKind};
use crate::syntax::{Field, Kind, NodeId};

/// The integer that a variable of a function's own is.
pub(super) fn integer(reading: &Reading<'_>, id: DefinitionId) -> Option<Scalar> {
    let sema = reading.sema;
    let definition = sema.defined(id);
    let storage = definition.storage;
    let own = definition.kind == DefinitionKind::Variable
        && sema.is_local(id)
        && !storage.lasting
        && storage.place == Place::Ordinary
        && !definition.qualified.own.volatile
        && !matches!(sema.kind(definition.ty), TypeKind::Reference(_));
    match sema.kind(sema.type_of_definition(id)) {
        TypeKind::Scalar(scalar) if own && !scalar.is_float() && scalar != Scalar::Bool => {
            Some(scalar)
        }
        _ => None,
    }
}

/// Where variables are changed.
pub(super) struct Changes<'a, 'r> {
    pub(super) reading: &'a Reading<'r>,
}

impl Changes<'_, '_> {
    /// Whether a name is the same in all of a loop.
    pub(super) fn stays(&self, id: DefinitionId, statement: NodeId) -> bool {
        let (tree, sema) = (self.reading.tree, self.reading.sema);
        let definition = sema.defined(id);
        let scalar = matches!(sema.kind(definition.ty), TypeKind::Scalar(_));
        let said = definition.qualified.own;
        match definition.kind {
            DefinitionKind::Enumerator => true,
            DefinitionKind::Variable if scalar && said.constant && !said.volatile => true,
            DefinitionKind::Variable => {
                integer(self.reading, id).is_some()
                    && self.only_where(id, |n| !tree.is_within(n, statement))
            }
            _ => false,
        }
    }

    /// Whether a variable is changed by its name alone, and only where that is `allowed`.
    pub(super) fn only_where(&self, id: DefinitionId, allowed: impl Fn(NodeId) -> bool) -> bool {
        let uses = self.reading.sema.uses(id).iter();
        uses.copied().all(|u| self.is_harmless(u, &allowed))
    }

    fn is_harmless(&self, name: NodeId, allowed: &impl Fn(NodeId) -> bool) -> bool {
        let (tree, text) = (self.reading.tree, self.reading.text);
        let mut at = name;
        while let Some(around) = tree.parent(at) {
            let field = tree.field(at);
            match tree.kind(around) {
                // What stands there is the same variable.
                Kind::ParenthesizedExpression
                | Kind::ConditionalExpression
                | Kind::CommaExpression
                | Kind::CastExpression => at = around,
                Kind::UpdateExpression => return allowed(around) && !self.in_lambda(around),
                Kind::AssignmentExpression if field == Field::Left => {
                    return allowed(around) && !self.in_lambda(around);
                }
                Kind::PointerExpression => {
                    let operator = tree.child(around, Field::Operator);
                    return operator.is_none_or(|o| tree.text(o, text) != "&");
                }
                Kind::ArgumentList => return self.is_by_value(around, at),
                Kind::InitDeclarator if field == Field::Value => {
                    let declarator = tree.child(around, Field::Declarator);
                    let mut parts = declarator.into_iter().flat_map(|d| tree.descendants(d));
                    return parts.all(|n| tree.kind(n) != Kind::ReferenceDeclarator);
                }
                Kind::LambdaCaptures => return tree.kind(at) == Kind::Identifier,
                Kind::InitializerList | Kind::Other => return false,
                _ => return true,
            }
        }
        true
    }

    /// A lambda's body runs wherever it is called.
    fn in_lambda(&self, node: NodeId) -> bool {
        let tree = self.reading.tree;
        let mut around = std::iter::successors(Some(node), |n| tree.parent(*n));
        around.any(|n| tree.kind(n) == Kind::LambdaExpression)
    }

    /// Whether what is called cannot change what it is given, nor keep where it is.
    fn is_by_value(&self, list: NodeId, argument: NodeId) -> bool {
        let (tree, sema) = (self.reading.tree, self.reading.sema);
        let Some(call) = tree
            .parent(list)
            .filter(|&c| tree.kind(c) == Kind::CallExpression)
        else {
            return false;
        };
        let position = tree.children(list).position(|c| c == argument);
        let (Some(position), Some(function)) = (position, tree.child(call, Field::Function)) else {
            return false;
        };
        if matches!(tree.kind(function), Kind::PrimitiveType | Kind::SizedType) {
            return true;
        }
        if !sema.callees(call).is_empty() {
            return !sema.may_bind(call, position);
        }
        let name = tree.text(function, self.reading.text);
        let of_library = REAL_FUNCTIONS.contains(&name) || is_known(name, Role::Function);
        tree.kind(function) == Kind::Identifier && sema.definition(function).is_none() && of_library
    }
}
