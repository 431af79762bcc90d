//! Whether a part of an atomic may be evaluated more than once: it has no effect but its value.

use super::places::Reader;
use crate::analyze::okl::scalar_types::REAL_FUNCTIONS;
use crate::analyze::okl::types::type_word;
use crate::lex::mentions;
use crate::syntax::{Field, Kind, NodeId, declarators, function_name, parameters, type_words};

/// Beginnings of the names of functions that do more than to compute a value.
const EFFECTS: [&str; 16] = [
    "atom_",
    "atomic",
    "Atomic",
    "barrier",
    "curand",
    "mem_fence",
    "okl_memcpy",
    "okl_pipeline",
    "okl_shfl",
    "printf",
    "rand",
    "work_group",
    "__atomic",
    "__shfl",
    "__sync",
    "__threadfence",
];

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
        if tree.kind(function) == Kind::FieldExpression {
            let field = tree.child(function, Field::FieldName);
            let name = field.map_or("", |f| tree.text(f, text));
            return !self.unit.fields.contains_key(name) && self.method_acts(name);
        }
        let name = tree.text(function, text);
        let symbol = self.unit.scopes.get(name);
        if symbol.is_some_and(|s| s.dimensions.is_some()) {
            return false;
        }
        if let Some(lambda) = self.lambda(name) {
            let captures = tree.children(lambda).next();
            return captures.is_none_or(|c| tree.text(c, text).contains('&'))
                || mentions(tree.text(lambda, text), &["mutable"])
                || self.takes_places(lambda);
        }
        if let Some(own) = self.unit.host.nodes.get(name) {
            return own.iter().any(|&f| self.takes_places(f));
        }
        let plain = name.strip_prefix("std::").unwrap_or(name);
        let real = plain.strip_suffix('f').unwrap_or(plain);
        if REAL_FUNCTIONS.contains(&plain) || REAL_FUNCTIONS.contains(&real) {
            return false;
        }
        let arguments = tree.child(call, Field::Arguments);
        let mut arguments = arguments.into_iter().flat_map(|list| tree.children(list));
        EFFECTS.iter().any(|e| plain.starts_with(e)) || arguments.any(|a| self.is_place(a))
    }

    /// Whether a method of the name may change its object, or what it is given. Of what is not seen, nobody knows.
    fn method_acts(&self, name: &str) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
        let mut own = all
            .filter(|&n| tree.kind(n) == Kind::FunctionDefinition)
            .filter(|&n| function_name(tree, n, text).is_some_and(|(found, _)| found == name))
            .peekable();
        let constant = |f: NodeId| {
            let head = tree.child(f, Field::Declarator);
            let last = head.and_then(|h| tree.children(h).last());
            last.is_some_and(|l| tree.text(l, text) == "const")
        };
        own.peek().is_none() || own.any(|f| !constant(f) || self.takes_places(f))
    }

    /// The lambda that a variable is.
    fn lambda(&self, name: &str) -> Option<NodeId> {
        let (tree, text) = (self.context.tree, self.context.text);
        let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
        let mut lambdas = all.filter(|&n| tree.kind(n) == Kind::LambdaExpression);
        lambdas.find(|&n| {
            let variable = tree
                .parent(n)
                .and_then(|p| tree.child(p, Field::Declarator));
            variable.is_some_and(|v| tree.text(v, text) == name)
        })
    }

    /// Whether a function takes pointers or references through which it may write.
    fn takes_places(&self, function: NodeId) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let list = match tree.kind(function) {
            Kind::LambdaExpression => {
                let head = tree.child(function, Field::Declarator);
                let list = head.and_then(|h| tree.child(h, Field::Parameters));
                let parts = list.into_iter().flat_map(|l| tree.children(l));
                let declared = |p: &NodeId| tree.kind(*p) == Kind::ParameterDeclaration;
                parts.filter(declared).collect()
            }
            _ => match parameters(tree, function) {
                Some((list, _)) => list,
                None => return true,
            },
        };
        list.iter().any(|&p| {
            let words = type_words(tree, p, text);
            let constant = words.split_ascii_whitespace().any(|w| w == "const");
            let facts = self.unit.types.get(type_word(&words));
            let points = declarators(tree, p, text)
                .iter()
                .any(|d| d.pointers > 0 || d.reference || !d.sizes.is_empty());
            (points || facts.is_some_and(|f| f.pointers > 0)) && !constant
        })
    }

    /// Whether an argument leads a function to memory.
    fn is_place(&self, argument: NodeId) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let argument = tree.unparenthesized(argument);
        match tree.kind(argument) {
            Kind::PointerExpression => tree.text(argument, text).starts_with('&'),
            Kind::Identifier => {
                let symbol = self.unit.scopes.get(tree.text(argument, text));
                symbol.is_some_and(|s| s.pointer.is_some() && s.levels > 0)
            }
            _ => false,
        }
    }
}
