use super::{Choice, Definition, Key, Source, Truths};
use crate::expr::Scalar;
use crate::syntax::{Field, Kind, NodeId, outlines};

impl<'t> Truths<'t> {
    /// What a function defines.
    pub(super) fn function_body(&mut self, function: NodeId, name: &'t str) {
        let tree = self.tree;
        let mut returned = Vec::new();
        for node in tree.descendants(function) {
            match tree.kind(node) {
                Kind::Declaration | Kind::ParameterDeclaration | Kind::ForRangeLoop => {
                    self.declared(node, function);
                }
                Kind::AssignmentExpression => {
                    let (target, value) = (
                        tree.child(node, Field::Left),
                        tree.child(node, Field::Right),
                    );
                    if let (Some(target), Some(value)) = (target, value) {
                        self.assigned((node, target), Some(value), function);
                    }
                }
                Kind::UpdateExpression => {
                    if let Some(target) = tree.child(node, Field::Argument) {
                        self.assigned((node, target), None, function);
                    }
                }
                Kind::ForStatement => {
                    if let Some(header) = tree.child(node, Field::Initializer) {
                        let declared = outlines(tree, header);
                        let names: Vec<&str> = declared.map(|d| d.name.of(self.text)).collect();
                        let attributed = tree.parent(node).map(|p| tree.kind(p));
                        if attributed == Some(Kind::AttributedStatement) {
                            let places = names.iter().map(|n| (Some(function), *n));
                            self.unsteady.extend(places);
                        }
                        self.counters.insert(node, names);
                    }
                }
                Kind::ReturnStatement => returned.extend(tree.children(node).next()),
                Kind::CallExpression => self.called(node, function),
                _ => {}
            }
        }
        let several = returned.len() > 1;
        for value in returned {
            let target = (None, name);
            self.define(target, Some(function), Source::Value(value));
            if several {
                self.choices.push(Choice {
                    target,
                    function,
                    value,
                    assignment: None,
                });
            }
        }
    }

    fn define(&mut self, target: Key<'t>, function: Option<NodeId>, source: Source<'t>) {
        self.definitions.push(Definition {
            target,
            function,
            source,
        });
    }

    fn declared(&mut self, node: NodeId, function: NodeId) {
        let (tree, text) = (self.tree, self.text);
        let is_parameter = tree.kind(node) == Kind::ParameterDeclaration;
        let of_kernel = is_parameter && self.kernels.contains(&function);
        let is_bool = self.sema.described_scalar(node) == Some(Scalar::Bool);
        for declared in outlines(tree, node) {
            let key = (Some(function), declared.name.of(text));
            let is_array = declared.pointers > 0 || declared.array;
            if is_array {
                self.arrays.insert(key);
                if of_kernel {
                    self.unsteady.insert(key);
                }
            }
            if !of_kernel || is_array {
                self.varying.insert(key);
            }
            // What a pointer leads to lies in memory, and is read from there as a number.
            if is_bool && !of_kernel && declared.pointers == 0 {
                self.known.insert(key);
            }
            let Some(value) = declared.value else {
                continue;
            };
            self.define(key, Some(function), Source::Value(value));
            // What is assigned to a part of a variable, or through a pointer to it, is the variable's.
            if (declared.reference || declared.pointers > 0)
                && let Some(of) = self.base(value)
            {
                self.define((Some(function), of), Some(function), Source::Name(key));
            }
            if tree.kind(value) == Kind::LambdaExpression {
                let names = self.lambda_parameters(value);
                self.lambdas.insert(key, names);
            }
        }
    }

    fn lambda_parameters(&self, lambda: NodeId) -> Vec<&'t str> {
        let (tree, text) = (self.tree, self.text);
        let declarator = tree.child(lambda, Field::Declarator);
        let list = declarator.and_then(|d| tree.child(d, Field::Parameters));
        let parameters = list.into_iter().flat_map(|l| tree.children(l));
        let names = parameters.flat_map(|p| outlines(tree, p).map(|d| d.name.of(text)));
        names.collect()
    }

    /// An assignment, or `++` and `--`, which have no value.
    fn assigned(
        &mut self,
        (node, target): (NodeId, NodeId),
        value: Option<NodeId>,
        function: NodeId,
    ) {
        let Some(name) = self.base(target) else {
            return;
        };
        let key = (Some(function), name);
        self.varying.insert(key);
        match value {
            Some(value) => {
                self.define(key, Some(function), Source::Value(value));
                self.choices.push(Choice {
                    target: key,
                    function,
                    value,
                    assignment: Some(node),
                });
            }
            None if self.is_conditional(node, name, function) => {
                self.known.insert(key);
            }
            None => {}
        }
    }

    /// The variable that an lvalue is, or is a part of, or is reached from.
    pub(super) fn base(&self, mut at: NodeId) -> Option<&'t str> {
        let tree = self.tree;
        loop {
            match tree.kind(at) {
                Kind::Identifier => return Some(tree.text(at, self.text)),
                Kind::ParenthesizedExpression | Kind::CastExpression => {
                    at = match tree.child(at, Field::Value) {
                        Some(value) => value,
                        None => tree.children(at).last()?,
                    };
                }
                Kind::BinaryExpression => at = tree.child(at, Field::Left)?,
                _ => at = tree.child(at, Field::Argument)?,
            }
        }
    }

    /// Arguments become parameters, and parameters that lead back become arguments.
    fn called(&mut self, node: NodeId, function: NodeId) {
        let (tree, text) = (self.tree, self.text);
        let name = tree
            .child(node, Field::Function)
            .map(|f| tree.text(f, text));
        let name = name.map(|n| n.split('<').next().unwrap_or(n).trim());
        let name = name.and_then(|n| n.rsplit("::").next());
        let Some(list) = tree.child(node, Field::Arguments) else {
            return;
        };
        let mut found = Vec::new();
        let called = tree.child(node, Field::Function);
        let lambda = match called.filter(|&c| tree.kind(c) == Kind::LambdaExpression) {
            Some(lambda) => self.lambda_parameters(lambda),
            None => {
                let known = name.and_then(|n| self.lambdas.get(&(Some(function), n)));
                known.cloned().unwrap_or_default()
            }
        };
        for (argument, parameter) in tree.children(list).zip(lambda) {
            let inside = (Some(function), parameter);
            found.push((inside, Source::Value(argument)));
            if let Some(outside) = self.base(argument) {
                found.push(((Some(function), outside), Source::Name(inside)));
            }
        }
        for (callee, parameters) in name
            .and_then(|n| self.functions.get(n))
            .into_iter()
            .flatten()
        {
            for (argument, parameter) in tree.children(list).zip(parameters) {
                let inside = (Some(*callee), parameter.name);
                found.push((inside, Source::Value(argument)));
                if parameter.shared
                    && let Some(outside) = self.base(argument)
                {
                    found.push(((Some(function), outside), Source::Name(inside)));
                }
            }
        }
        for (target, source) in found {
            self.define(target, Some(function), source);
        }
    }

    /// Whether it depends on a condition that a name is given a value there.
    pub(super) fn is_conditional(&mut self, node: NodeId, name: &str, function: NodeId) -> bool {
        let tree = self.tree;
        let mut from = node;
        while let Some(around) = tree.parent(from).filter(|_| from != function) {
            let condition = match tree.kind(around) {
                Kind::IfStatement | Kind::SwitchStatement | Kind::ConditionalExpression => {
                    tree.child(around, Field::Condition)
                }
                Kind::BinaryExpression => {
                    let operator = tree.child(around, Field::Operator);
                    let operator = operator.map(|o| tree.text(o, self.text));
                    let left = tree.child(around, Field::Left);
                    left.filter(|_| matches!(operator, Some("&&" | "||")))
                }
                _ => None,
            };
            if let Some(condition) = condition.filter(|&c| c != from)
                && !self.is_constant(condition)
            {
                return true;
            }
            if self.is_loop(around) {
                // What stands around a loop is no choice between values of its counter, which is nothing outside of it.
                if self.declares(around, name) {
                    return false;
                }
                if self.ends_by_data(around, function) {
                    return true;
                }
            }
            from = around;
        }
        false
    }

    fn is_loop(&self, node: NodeId) -> bool {
        matches!(
            self.tree.kind(node),
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement
        )
    }

    /// Whether the header of a loop declares a name.
    fn declares(&self, node: NodeId, name: &str) -> bool {
        let (tree, text) = (self.tree, self.text);
        let initializer = tree.child(node, Field::Initializer);
        initializer.is_some_and(|i| outlines(tree, i).any(|d| d.name.of(text) == name))
    }

    /// Whether how often a loop runs depends on more than a bound. Such loops are no vectors, but once one is unrolled
    /// what counted its rounds is a sum of truth values.
    fn ends_by_data(&mut self, node: NodeId, function: NodeId) -> bool {
        if let Some(&known) = self.irregular.get(&node) {
            return known;
        }
        let tree = self.tree;
        let condition = tree.child(node, Field::Condition);
        let data = condition.is_some_and(|c| {
            tree.descendants(c).any(|n| match tree.kind(n) {
                Kind::SubscriptExpression | Kind::CallExpression | Kind::PointerExpression => true,
                Kind::BinaryExpression => {
                    let operator = tree.child(n, Field::Operator);
                    operator.is_some_and(|o| matches!(tree.text(o, self.text), "&&" | "||"))
                }
                _ => false,
            }) && !self.is_uniform(c, Some(function))
        });
        let leaves = |n| {
            matches!(
                tree.kind(n),
                Kind::BreakStatement | Kind::ReturnStatement | Kind::GotoStatement
            )
        };
        let ends = data || tree.descendants(node).any(leaves);
        self.irregular.insert(node, ends);
        ends
    }
}
