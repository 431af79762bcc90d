//! Which variables of a function change after they were declared, or may.

use super::walk::Walk;
use crate::expr;
use crate::syntax::{Field, Kind, NodeId, declarators};
use std::collections::HashSet;

impl Walk<'_, '_> {
    /// Whether a name is that of a variable that changes after it was declared, or may, in the function around a node.
    /// The step of a loop's own variable is no change in its body.
    pub(super) fn may_change(&mut self, name: &str, node: NodeId) -> bool {
        // Operators may take references.
        if self.unit.declared.has_operators() && self.unit.references.any {
            return true;
        }
        if self.changed.is_none() {
            self.changed = Some(changed(self, node));
        }
        self.changed.as_ref().is_none_or(|c| c.contains(name))
    }
}

/// The names of all variables of the function around a node that change after they were declared.
fn changed(walk: &Walk<'_, '_>, node: NodeId) -> HashSet<String> {
    let tree = walk.context.tree;
    let text = walk.context.text;
    let mut function = node;
    while let Some(around) = tree.parent(function).filter(|&p| Some(p) != tree.root()) {
        function = around;
    }
    let mut names = HashSet::new();
    let mut add = |node: NodeId| {
        let below = tree.descendants(node);
        let is_name = |n: &NodeId| matches!(tree.kind(*n), Kind::Identifier | Kind::TypeIdentifier);
        for name in below.filter(is_name) {
            names.insert(tree.text(name, text).to_string());
        }
    };
    for node in tree.descendants(function) {
        match tree.kind(node) {
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                let target = tree.child(node, Field::Left);
                let target = target.or_else(|| tree.child(node, Field::Argument));
                let Some(target) = target.map(|t| tree.unparenthesized(t)) else {
                    continue;
                };
                // `int (&q) = p;`, or a function that returns a reference.
                if tree.kind(target) == Kind::CallExpression {
                    add(node);
                    continue;
                }
                // Elements and what pointers lead to: a variable's address is asked for elsewhere.
                let memory = matches!(
                    tree.kind(target),
                    Kind::SubscriptExpression | Kind::PointerExpression
                );
                let own_step = tree.field(node) == Field::Update
                    && tree.kind(target) == Kind::Identifier
                    && tree.parent(node).is_some_and(|f| declares(walk, f, target));
                if !memory && !own_step {
                    add(target);
                }
            }
            Kind::PointerExpression => {
                let operator = tree.child(node, Field::Operator);
                if operator.is_some_and(|o| tree.text(o, text) == "&") {
                    add(node);
                }
            }
            // What else may bind a reference, or give a name another meaning.
            Kind::Declaration => {
                let below = || tree.children(node).flat_map(|c| tree.descendants(c));
                let binds = |n| {
                    matches!(
                        tree.kind(n),
                        Kind::ReferenceDeclarator | Kind::StructuredBinding
                    )
                };
                let parent = tree.parent(node).map(|p| tree.kind(p));
                let condition = matches!(
                    parent,
                    Some(Kind::ConditionClause | Kind::InitStatement | Kind::ForRangeLoop)
                );
                // A type with a name may be a reference, or have a constructor that takes one.
                let plain = tree
                    .child(node, Field::Type)
                    .is_some_and(|t| matches!(tree.kind(t), Kind::PrimitiveType | Kind::SizedType));
                if condition || below().any(binds) || !plain && walk.unit.references.any {
                    add(node);
                }
            }
            Kind::ForRangeLoop => {
                if let Some(declared) = tree.child(node, Field::Declarator) {
                    add(declared);
                }
            }
            // A constructor may take a reference.
            Kind::CompoundLiteral if walk.unit.references.any => add(node),
            // What it captures may have another value under that name.
            Kind::LambdaExpression => {
                if let Some(captures) = tree.children(node).next() {
                    add(captures);
                }
            }
            Kind::CallExpression => {
                let function = tree.child(node, Field::Function);
                let name = function.map_or("", |f| tree.text(f, text).trim_start_matches("::"));
                let by_value = match walk.unit.declared.get(name) {
                    None => expr::is_function(name),
                    Some(own) => {
                        let references = &walk.unit.references;
                        !references.any || own.function && !own.local && !references.takes(name)
                    }
                };
                if by_value {
                    continue;
                }
                let list = tree.child(node, Field::Arguments);
                for argument in list.into_iter().flat_map(|l| tree.children(l)) {
                    let argument = tree.unparenthesized(argument);
                    if matches!(
                        tree.kind(argument),
                        Kind::Identifier | Kind::ConditionalExpression | Kind::CommaExpression
                    ) {
                        add(argument);
                    }
                }
            }
            _ => {}
        }
    }
    names
}

/// Whether a loop's head declares the variable.
fn declares(walk: &Walk<'_, '_>, statement: NodeId, variable: NodeId) -> bool {
    let tree = walk.context.tree;
    let text = walk.context.text;
    let Some(initial) = tree.child(statement, Field::Initializer) else {
        return false;
    };
    let names = declarators(tree, initial, text);
    names.iter().any(|d| d.name == tree.text(variable, text))
}
