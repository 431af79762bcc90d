use super::Truths;
use crate::library;
use crate::syntax::{Field, Kind, NodeId};

impl Truths<'_> {
    /// Whether an expression may be a truth value, or be computed from one in a way that leaves it visible. One that is
    /// the same for all items may be: what is compared in a branch stays in the loop.
    pub(super) fn is_truth(&self, mut node: NodeId, function: Option<NodeId>) -> bool {
        let tree = self.tree;
        loop {
            let child = |field| tree.child(node, field);
            match tree.kind(node) {
                Kind::Identifier => {
                    return self.known.contains(&(function, tree.text(node, self.text)));
                }
                Kind::NumberLiteral
                | Kind::SizeofExpression
                | Kind::LambdaExpression
                | Kind::True
                | Kind::False => return false,
                Kind::UnaryExpression if tree.text(node, self.text).starts_with(['!', 'n']) => {
                    return !self.is_constant(node);
                }
                Kind::BinaryExpression => return self.is_truth_of_two(node, function),
                Kind::ConditionalExpression => {
                    let parts = (
                        child(Field::Condition),
                        child(Field::Consequence),
                        child(Field::Alternative),
                    );
                    let (Some(condition), Some(then), Some(other)) = parts else {
                        return false;
                    };
                    let constants =
                        self.is_steady(then, function) && self.is_steady(other, function);
                    if constants && !self.is_constant(condition) || self.is_truth(then, function) {
                        return true;
                    }
                    node = other;
                }
                Kind::SubscriptExpression | Kind::FieldExpression => match child(Field::Argument) {
                    Some(base) => node = base,
                    None => return false,
                },
                Kind::CallExpression => return self.is_truth_of_call(node, function),
                _ => return tree.children(node).any(|c| self.is_truth(c, function)),
            }
        }
    }

    fn is_truth_of_two(&self, mut node: NodeId, function: Option<NodeId>) -> bool {
        let tree = self.tree;
        let (mut truth, mut plain) = (false, false);
        // A sum of many terms is deep on its left side only.
        while tree.kind(node) == Kind::BinaryExpression {
            let parts = (
                tree.child(node, Field::Left),
                tree.child(node, Field::Operator),
                tree.child(node, Field::Right),
            );
            let (Some(left), Some(operator), Some(right)) = parts else {
                return false;
            };
            match tree.text(operator, self.text) {
                "+" | "-" => match self.is_truth(right, function) {
                    true => truth = true,
                    false => plain |= self.is_place_of_all_loops(right),
                },
                "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "and" | "or" | "not_eq" => {
                    truth |= !self.is_constant(node);
                    return truth && !plain;
                }
                _ => {
                    truth |= self.is_truth(left, function) || self.is_truth(right, function);
                    plain |= !truth && self.is_place_of_all_loops(node);
                    return truth && !plain;
                }
            }
            node = left;
        }
        match self.is_truth(node, function) {
            true => truth = true,
            false => plain |= self.is_place_of_all_loops(node),
        }
        // What is added to something else that every loop changes is no offset of its own.
        truth && !plain
    }

    fn is_truth_of_call(&self, node: NodeId, function: Option<NodeId>) -> bool {
        let (tree, text) = (self.tree, self.text);
        let Some(called) = tree.child(node, Field::Function) else {
            return false;
        };
        if tree.kind(called) == Kind::LambdaExpression {
            return true;
        }
        let name = tree.text(called, text);
        let name = name.split('<').next().unwrap_or(name).trim();
        let name = name.rsplit("::").next().unwrap_or(name);
        if self.functions.contains_key(name) {
            return self.known.contains(&(None, name));
        }
        // An object that is called is a lambda.
        let is_local = self.varying.contains(&(function, name));
        if is_local && !self.arrays.contains(&(function, name)) {
            return true;
        }
        let plain = name.trim_start_matches("__builtin_");
        if library::is_test(plain) {
            return !self.is_constant(node);
        }
        let Some(list) = tree.child(node, Field::Arguments) else {
            return false;
        };
        // The least of an unsigned number and 1 is a comparison.
        let bounds = matches!(plain, "min" | "max" | "clamp");
        tree.children(list)
            .any(|a| self.is_truth(a, function) || bounds && self.is_uniform(a, function))
    }

    /// Whether an expression is made of nothing but numbers.
    pub(super) fn is_constant(&self, node: NodeId) -> bool {
        let tree = self.tree;
        tree.descendants(node).all(|n| {
            !matches!(
                tree.kind(n),
                Kind::Identifier
                    | Kind::QualifiedIdentifier
                    | Kind::CallExpression
                    | Kind::LambdaExpression
                    | Kind::This
            )
        })
    }

    /// Whether all items of a launch have the same value of an expression, as far as names tell.
    pub(super) fn is_uniform(&self, node: NodeId, function: Option<NodeId>) -> bool {
        let tree = self.tree;
        tree.descendants(node).all(|n| match tree.kind(n) {
            Kind::CallExpression
            | Kind::SubscriptExpression
            | Kind::PointerExpression
            | Kind::LambdaExpression
            | Kind::AssignmentExpression
            | Kind::UpdateExpression => false,
            Kind::Identifier => !self.varying.contains(&(function, tree.text(n, self.text))),
            _ => true,
        })
    }

    /// Whether all that an expression reads may be known to the compiler: constants, and what is the same for all items.
    pub(super) fn is_steady(&self, node: NodeId, function: Option<NodeId>) -> bool {
        let tree = self.tree;
        let is_unsteady = |function, name| self.unsteady.contains(&(function, name));
        match tree.kind(node) {
            Kind::LambdaExpression => false,
            Kind::Identifier => {
                let name = tree.text(node, self.text);
                !is_unsteady(function, name) && !is_unsteady(None, name)
            }
            kind => {
                // What a choice depends on is no part of the value.
                let condition = match kind {
                    Kind::ConditionalExpression => tree.child(node, Field::Condition),
                    _ => None,
                };
                let mut parts = tree.children(node).filter(|p| Some(*p) != condition);
                parts.all(|p| self.is_steady(p, function))
            }
        }
    }

    /// Whether an expression names the variables of all loops around it, so that it changes whichever of them becomes
    /// a vector.
    fn is_place_of_all_loops(&self, node: NodeId) -> bool {
        let (tree, text) = (self.tree, self.text);
        let mut from = node;
        let mut any = false;
        while let Some(around) = tree.parent(from) {
            match tree.kind(around) {
                Kind::ForStatement => {
                    let Some(names) = self.counters.get(&around) else {
                        return false;
                    };
                    let named = |n: NodeId| {
                        tree.kind(n) == Kind::Identifier && names.contains(&tree.text(n, text))
                    };
                    if !tree.descendants(node).any(named) {
                        return false;
                    }
                    any = true;
                }
                Kind::WhileStatement | Kind::DoStatement | Kind::LambdaExpression => return false,
                Kind::FunctionDefinition => return any,
                _ => {}
            }
            from = around;
        }
        false
    }
}
