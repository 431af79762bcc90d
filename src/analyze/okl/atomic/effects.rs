//! Whether a part of an atomic may be evaluated more than once: it has no effect but its value.

use super::bodies::{Bodies, Reach};
use super::places::Reader;
use crate::syntax::{Field, Kind, NodeId, declarators, parameters};

impl Reader<'_, '_> {
    /// The part of the value of an assignment that has an effect.
    pub(super) fn repeated_effect(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let node = match tree.kind(node) {
            Kind::ExpressionStatement => tree.children(node).next()?,
            _ => node,
        };
        let node = tree.unparenthesized(node);
        match tree.child(node, Field::Right) {
            Some(value) if tree.kind(node) == Kind::AssignmentExpression => {
                let inner = tree.unparenthesized(value);
                match tree.kind(inner) {
                    Kind::AssignmentExpression => self.repeated_effect(inner),
                    _ => self.effect(value),
                }
            }
            _ => None,
        }
    }

    /// The part of an expression that may change something.
    pub(super) fn effect(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let acts = |n: &NodeId| match tree.kind(*n) {
            Kind::UpdateExpression
            | Kind::AssignmentExpression
            | Kind::NewExpression
            | Kind::DeleteExpression
            | Kind::LambdaExpression => true,
            Kind::CallExpression => self.call_acts(*n),
            _ => false,
        };
        tree.descendants(node).find(acts)
    }

    /// Whether a call may do more than to compute a value.
    fn call_acts(&self, call: NodeId) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some(function) = tree.child(call, Field::Function) else {
            return true;
        };
        let name = match tree.kind(function) {
            Kind::FieldExpression => tree.child(function, Field::FieldName),
            _ => Some(function),
        };
        let name = name.map_or("", |n| tree.text(n, text));
        if tree.kind(function) == Kind::FieldExpression {
            let bodies = self.bodies();
            return self.unit.fields.named(self.context, function).is_none()
                && (bodies.is_unseen(name) || bodies.function(name) != Reach::Local);
        }
        let symbol = self.unit.scopes.get(name);
        if symbol.is_some_and(|s| s.dimensions.is_some()) {
            return false;
        }
        if tree.kind(function) == Kind::Identifier
            && let Some(value) = self.variable(function)
        {
            let lambda = value.filter(|&v| tree.kind(v) == Kind::LambdaExpression);
            let reach = lambda.map(|l| self.bodies().lambda(tree, text, self.unit, l));
            return reach != Some(Reach::Local);
        }
        self.bodies().function(name) != Reach::Local
    }

    fn bodies(&self) -> &Bodies {
        let (tree, text) = (self.context.tree, self.context.text);
        let make = || Bodies::new(tree, text, self.unit);
        self.unit.bodies.get_or_init(make)
    }

    /// The value of the variable that a name means, if it means one.
    fn variable(&self, name: NodeId) -> Option<Option<NodeId>> {
        let (tree, text) = (self.context.tree, self.context.text);
        let words = tree.text(name, text);
        let mut at = name;
        while let Some(around) = tree.parent(at) {
            let parameters = parameters(tree, around).map_or(Vec::new(), |(list, _)| list);
            let before = tree.children(around).take_while(|&c| c != at);
            let declarations = before.filter(|&c| tree.kind(c) == Kind::Declaration);
            for declaration in parameters.into_iter().chain(declarations) {
                let names = declarators(tree, declaration, text).into_iter();
                let mut variables = names.filter(|d| !d.function);
                if let Some(found) = variables.find(|d| d.name == words) {
                    return Some(found.value.map(|v| tree.unparenthesized(v)));
                }
            }
            at = around;
        }
        None
    }
}
