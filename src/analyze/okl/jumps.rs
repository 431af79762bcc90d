//! Jumps: what they leave, and what must not be left.

use super::walk::{Jump, Walk};
use crate::diagnostics::codes;
use crate::module::{ConstructKind, Function};
use crate::syntax::{Kind, NodeId, attributes_of, decorated};

impl Walk<'_, '_> {
    /// `continue` or `break`.
    pub(super) fn jump(&mut self, node: NodeId, is_continue: bool) {
        let target = match is_continue {
            true => self.jumps.iter().rev().find(|j| **j != Jump::Switch),
            false => self.jumps.last(),
        };
        let span = self.context.tree.span(node);
        if let Some(Jump::Attributed(id)) = target.copied() {
            if is_continue {
                let this = &mut self.unit.loops[id.0 as usize];
                this.has_continue = true;
                if this.waits {
                    let early = ConstructKind::Continue {
                        ends: id,
                        early: true,
                    };
                    self.unit.push(span, early);
                }
            } else {
                self.context.error(&codes::BREAK_IN_NEST, span, &[]);
            }
        }
    }

    /// `goto`, to a label around which the same attributed loops stand.
    pub(super) fn goto(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let label = |n: NodeId| tree.children(n).next().map(|l| tree.text(l, text));
        let mut ancestors = std::iter::successors(Some(node), |&n| tree.parent(n));
        let Some(function) = ancestors.find(|&n| tree.kind(n) == Kind::FunctionDefinition) else {
            return;
        };
        let target = tree
            .descendants(function)
            .find(|&n| tree.kind(n) == Kind::LabeledStatement && label(n) == label(node));
        if target.is_some_and(|t| self.loop_around(t) != self.loop_around(node)) {
            let span = tree.span(node);
            self.context.error(&codes::GOTO_OF_NEST, span, &[]);
        }
    }

    /// The innermost attributed loop around a statement.
    fn loop_around(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let is_loop = |&n: &NodeId| {
            tree.kind(n) == Kind::AttributedStatement
                && tree.kind(decorated(tree, n)) == Kind::ForStatement
                && attributes_of(tree, n, self.context.text)
                    .iter()
                    .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"))
        };
        std::iter::successors(tree.parent(node), |&n| tree.parent(n)).find(is_loop)
    }

    /// `return` in a nest: the end of an iteration, if nothing of the kernel follows.
    pub(super) fn returns(&mut self, node: NodeId) {
        let Some(ends) = self.current else { return };
        let span = self.context.tree.span(node);
        let direct = !self
            .jumps
            .iter()
            .rev()
            .take_while(|j| !matches!(j, Jump::Attributed(_)))
            .any(|j| *j == Jump::Loop);
        self.found.returns.push((span, ends));
        self.unit.push(span, ConstructKind::Return { ends, direct });
        self.unit.loops[ends.0 as usize].has_return = true;
        self.not_plain();
    }

    /// A function of a class within the function: it runs where that does, and its jumps are its own.
    pub(super) fn method(&mut self, node: NodeId) {
        let tree = self.context.tree;
        // What the compiler writes itself needs no marker.
        if tree.child_of_kind(node, Kind::DefaultMethod).is_some() {
            return;
        }
        let jumps = std::mem::take(&mut self.jumps);
        let root = self.root.take();
        let result = self.result.take();
        self.unit.enter();
        self.children(node);
        self.unit.leave();
        self.result = result;
        self.root = root;
        self.jumps = jumps;
        let first = tree
            .children(node)
            .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
        let end = self.unit.constructs.len();
        self.methods.push(Function {
            name: String::new(),
            marker: first.map_or(tree.span(node).start, |f| tree.span(f).start),
            span: tree.span(node),
            internal: false,
            pointers: Vec::new(),
            result: None,
            constructs: (end, end),
            masked_loop: None,
        });
    }
}
