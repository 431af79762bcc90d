//! Which outputs a kernel gives a value on every way through it, before it looks at them: what those held before need not be read.

use super::body::{Body, Meaning};
use crate::module::ParameterKind;
use crate::sema::DefinitionId;
use crate::syntax::{Field, Kind, NodeId};
use foldhash::HashMap;
use std::collections::BTreeSet;

/// Outputs that have been given a value on the way to some place.
type Written<'t> = BTreeSet<&'t str>;

/// What is found on all ways through a body. The state at a place is `None` where nobody comes.
struct Ways<'b, 't> {
    body: &'b Body<'b, 't>,
    /// The outputs; no other names are followed.
    outputs: HashMap<DefinitionId, &'t str>,
    /// Those that are looked at, or changed in part, before they are given a value.
    read: BTreeSet<&'t str>,
    /// What has been given a value wherever the kernel has been left so far.
    left: Option<Written<'t>>,
}

impl<'t> Body<'_, 't> {
    /// Outputs that are certainly given a value before anything else happens to them.
    pub(super) fn definite_writes(&self, body: NodeId) -> Vec<String> {
        let tree = self.context.tree;
        // Whoever jumps may leave out whatever stands between.
        let jumps = |n| tree.kind(n) == Kind::GotoStatement;
        if tree.descendants(body).any(jumps) {
            return Vec::new();
        }
        let outputs = self
            .meanings
            .iter()
            .filter_map(|(&id, meaning)| match meaning {
                Meaning::Parameter(p) if matches!(p.kind, ParameterKind::StreamOut { .. }) => {
                    Some((id, self.context.sema.name(id)))
                }
                _ => None,
            });
        let mut ways = Ways {
            body: self,
            outputs: outputs.collect(),
            read: BTreeSet::new(),
            left: None,
        };
        let end = ways.statement(body, Some(Written::new()));
        let written = either(ways.left.take(), end).unwrap_or_default();
        written
            .difference(&ways.read)
            .map(ToString::to_string)
            .collect()
    }
}

/// What holds behind two ways that meet.
fn either<'t>(a: Option<Written<'t>>, b: Option<Written<'t>>) -> Option<Written<'t>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

impl<'t> Ways<'_, 't> {
    /// The state behind a statement.
    fn statement(&mut self, node: NodeId, before: Option<Written<'t>>) -> Option<Written<'t>> {
        let mut here = before?;
        let tree = self.body.context.tree;
        match tree.kind(node) {
            Kind::CompoundStatement | Kind::ElseClause => {
                let mut all = tree.children(node);
                all.try_fold(here, |here, child| self.statement(child, Some(here)))
            }
            Kind::IfStatement => {
                if let Some(condition) = tree.child(node, Field::Condition) {
                    self.look(condition, &here);
                }
                let [then, otherwise] =
                    [Field::Consequence, Field::Alternative].map(|field| tree.child(node, field));
                let without = Some(here);
                let [then, otherwise] = [then, otherwise].map(|branch| match branch {
                    Some(branch) => self.statement(branch, without.clone()),
                    None => without.clone(),
                });
                either(then, otherwise)
            }
            // Nobody knows whether their bodies run at all.
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement => {
                let body = tree.child(node, Field::Body);
                for child in tree.children(node).filter(|&child| Some(child) != body) {
                    self.look(child, &here);
                }
                if let Some(body) = body {
                    self.statement(body, Some(here.clone()));
                }
                Some(here)
            }
            Kind::ReturnStatement => {
                self.look(node, &here);
                self.left = either(self.left.take(), Some(here));
                None
            }
            Kind::BreakStatement | Kind::ContinueStatement => None,
            Kind::ExpressionStatement => {
                for child in tree.children(node) {
                    self.expression(child, &mut here);
                }
                Some(here)
            }
            // Declarations; there is nothing else in kernels.
            _ => {
                self.look(node, &here);
                Some(here)
            }
        }
    }

    /// An expression that is a statement: a plain assignment, or a call that gives its outputs a value.
    fn expression(&mut self, node: NodeId, here: &mut Written<'t>) {
        let tree = self.body.context.tree;
        let mut given: Vec<NodeId> = Vec::new();
        match tree.kind(node) {
            Kind::AssignmentExpression if self.body.operator(node) == "=" => {
                given.extend(tree.child(node, Field::Left));
            }
            Kind::CallExpression => given.extend(self.given(node)),
            _ => {}
        }
        given.retain(|&node| self.output(node).is_some());
        self.look_beside(node, &given, here);
        here.extend(given.into_iter().filter_map(|node| self.output(node)));
    }

    /// The arguments that a kernel that is called gives a value.
    fn given(&self, call: NodeId) -> Vec<NodeId> {
        let (tree, unit) = (self.body.context.tree, &self.body.unit);
        let callee = tree
            .child(call, Field::Function)
            .and_then(|function| unit.numbers.get(self.text(function)));
        let (Some(&callee), Some(list)) = (callee, tree.child(call, Field::Arguments)) else {
            return Vec::new();
        };
        let parameters = unit.kernels[callee].parameters.iter();
        let arguments = tree.children(list).zip(parameters);
        arguments
            .filter(|(_, p)| p.kind == ParameterKind::StreamOut { reads: false })
            .map(|(argument, _)| argument)
            .collect()
    }

    fn look(&mut self, node: NodeId, here: &Written<'t>) {
        self.look_beside(node, &[], here);
    }

    /// Notes the names that are mentioned and have no value yet, but for some.
    fn look_beside(&mut self, node: NodeId, given: &[NodeId], here: &Written<'t>) {
        let tree = self.body.context.tree;
        for name in tree.descendants(node) {
            let Some(text) = self.output(name) else {
                continue;
            };
            let looks = !given.contains(&name) && !self.is_indexof_argument(name);
            if looks && !here.contains(text) {
                self.read.insert(text);
            }
        }
    }

    /// The output that a node is the name of.
    fn output(&self, node: NodeId) -> Option<&'t str> {
        let id = self.body.context.sema.definition(node)?;
        self.outputs.get(&id).copied()
    }

    fn text(&self, node: NodeId) -> &'t str {
        let context = &self.body.context;
        context.tree.text(node, context.text)
    }

    /// `indexof(c)` asks where, not what.
    fn is_indexof_argument(&self, node: NodeId) -> bool {
        let tree = self.body.context.tree;
        let list = tree
            .parent(node)
            .filter(|&p| tree.kind(p) == Kind::ArgumentList);
        let call = list.and_then(|l| tree.parent(l));
        let function = call.and_then(|c| tree.child(c, Field::Function));
        function.is_some_and(|f| self.text(f) == "indexof")
    }
}
