//! Barriers in the bodies of inner loops: where a body can be split, and what has to outlive a split.

use super::walk::Walk;
use crate::diagnostics::codes;
use crate::module::{Barriers, LoopId, LoopKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, declarators, decorated, type_words};
use std::collections::HashMap;

impl Walk<'_, '_> {
    /// Finds the barriers that belong to the inner loop `id` and decides whether they cut its body
    /// into phases. Locals that live across a cut are noted in [`Walk::carried`].
    pub(super) fn phases(&mut self, id: LoopId, body: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        if !tree.text(body, text).contains("okl_barrier") || !self.has_inner_around(id) {
            return;
        }
        let mut nested = false;
        let mut barriers = Vec::new();
        for node in tree.descendants(body) {
            if tree.kind(node) != Kind::AttributedStatement {
                continue;
            }
            let attributes = attributes_of(tree, node, text);
            let is = |names: &[&str]| attributes.iter().any(|a| names.contains(&a.name.as_str()));
            if is(&["outer", "inner", "tile"]) {
                nested = true;
            } else if is(&["barrier"]) && self.belongs(node, body) {
                barriers.push(node);
            }
        }
        if barriers.is_empty() {
            return;
        }
        let cuts = (!nested && self.can_be_cut(id, body, &barriers))
            .then(|| self.carry(id, body, &barriers))
            .flatten();
        self.unit.loops[id.0 as usize].barriers = match cuts {
            Some(cuts) => Barriers::Cuts(cuts),
            None => Barriers::Anywhere,
        };
    }

    /// The loop is an inner one or stands in one.
    fn has_inner_around(&self, id: LoopId) -> bool {
        let mut at = Some(id);
        while let Some(this) = at {
            let this = &self.unit.loops[this.0 as usize];
            if this.kind == LoopKind::Inner {
                return true;
            }
            at = this.parent;
        }
        false
    }

    /// No other attributed loop, and no lambda, stands between the node and the body.
    fn belongs(&self, node: NodeId, body: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.parent(node);
        while let Some(around) = at.filter(|&a| a != body) {
            let attributed = tree.kind(around) == Kind::AttributedStatement
                && tree.kind(decorated(tree, around)) == Kind::ForStatement;
            let is_loop = attributed
                && attributes_of(tree, around, self.context.text)
                    .iter()
                    .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"));
            if is_loop || tree.kind(around) == Kind::LambdaExpression {
                return false;
            }
            at = tree.parent(around);
        }
        true
    }

    /// All barriers are statements of the body itself, nothing jumps across them, and the inner
    /// loops around it hold nothing but each other.
    fn can_be_cut(&self, id: LoopId, body: NodeId, barriers: &[NodeId]) -> bool {
        let tree = self.context.tree;
        let own = barriers.iter().all(|&b| tree.parent(b) == Some(body));
        let jumps = |n| matches!(tree.kind(n), Kind::GotoStatement | Kind::LabeledStatement);
        if !own || tree.descendants(body).any(jumps) {
            return false;
        }
        let mut child = &self.unit.loops[id.0 as usize];
        if child.kind != LoopKind::Inner {
            return false;
        }
        while let Some(parent) = child.parent {
            let parent = &self.unit.loops[parent.0 as usize];
            match parent.kind {
                LoopKind::Outer => return true,
                LoopKind::Inner if parent.span == child.span => {}
                LoopKind::Inner => {
                    let before = Span::new(parent.body.start, child.span.start);
                    let behind = Span::new(child.span.end, parent.body.end);
                    let (open, close) = if parent.block { (1, 1) } else { (0, 0) };
                    let alone = |span: Span, words: usize| {
                        crate::lex::lex(span.of(self.context.text)).len() == words
                    };
                    if !alone(before, open) || !alone(behind, close) {
                        return false;
                    }
                }
                // An ordinary loop around the inner ones repeats them as a whole.
                LoopKind::Sequential if !self.has_inner_around_loop(parent.parent) => return true,
                LoopKind::Sequential => return false,
            }
            child = parent;
        }
        true
    }

    fn has_inner_around_loop(&self, id: Option<LoopId>) -> bool {
        id.is_some_and(|id| self.has_inner_around(id))
    }

    /// The spans of the barriers, if everything that lives across them can be carried.
    fn carry(&mut self, id: LoopId, body: NodeId, barriers: &[NodeId]) -> Option<Vec<Span>> {
        let tree = self.context.tree;
        let text = self.context.text;
        let phase = |node: NodeId| {
            let at = tree.span(node).start;
            barriers
                .iter()
                .filter(|&&b| tree.span(b).start < at)
                .count()
        };
        let mut last_use: HashMap<&str, usize> = HashMap::new();
        for node in tree.descendants(body) {
            if tree.kind(node) == Kind::Identifier {
                last_use.insert(tree.text(node, text), phase(node));
            }
        }
        let mut carried = Vec::new();
        for node in tree.children(body) {
            if tree.kind(node) != Kind::Declaration {
                continue;
            }
            let declared_in = phase(node);
            let names = declarators(tree, node, text);
            let lives_on = names.iter().any(|n| {
                last_use
                    .get(n.name.as_str())
                    .is_some_and(|&last| last > declared_in)
            });
            if lives_on {
                let plain = names
                    .iter()
                    .all(|n| !n.reference && !n.function && n.sizes.iter().all(Option::is_some))
                    && self.is_plain(node);
                if !plain {
                    return None;
                }
                carried.push(node);
            }
        }
        for node in carried {
            self.carried.insert(node.index(), id);
        }
        Some(barriers.iter().map(|&b| tree.span(b)).collect())
    }

    /// A declaration whose type is plain data that can be assigned after it is declared.
    fn is_plain(&self, declaration: NodeId) -> bool {
        let tree = self.context.tree;
        let words = &*type_words(tree, declaration, self.context.text);
        let ty = tree.child(declaration, Field::Type);
        let named = matches!(
            ty.map(|t| tree.kind(t)),
            Some(
                Kind::PrimitiveType
                    | Kind::SizedType
                    | Kind::TypeIdentifier
                    | Kind::StructSpecifier
            )
        );
        let forbidden = words
            .split_ascii_whitespace()
            .any(|w| matches!(w, "auto" | "static" | "constexpr" | "volatile" | "decltype"));
        let name = words.split_ascii_whitespace().last().unwrap_or("");
        let atomic = attributes_of(tree, declaration, self.context.text)
            .iter()
            .any(|a| a.name == "atomic");
        let class = self.unit.types.get(name).is_some_and(|t| t.methods);
        named && !forbidden && !class && !atomic
    }

    /// Warns of a barrier that not all items of a group may reach together.
    pub(super) fn divergence(&mut self, barrier: NodeId) {
        let tree = self.context.tree;
        let mut at = tree.parent(barrier);
        while let Some(around) = at {
            let condition = match tree.kind(around) {
                Kind::IfStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::SwitchStatement
                | Kind::ForStatement => tree.child(around, Field::Condition),
                Kind::FunctionDefinition => return,
                _ => None,
            };
            let attributed = tree
                .parent(around)
                .is_some_and(|p| tree.kind(p) == Kind::AttributedStatement);
            if let Some(condition) = condition.filter(|_| !attributed) {
                let names = tree
                    .descendants(condition)
                    .filter(|&n| tree.kind(n) == Kind::Identifier);
                for name in names {
                    let name = tree.text(name, self.context.text);
                    let by_item = self.unit.scopes.get(name).is_some_and(|s| {
                        s.item_variable.is_some()
                            || s.loop_variable.is_some_and(|l| {
                                self.unit.loops[l.0 as usize].kind == LoopKind::Inner
                            })
                    });
                    if by_item {
                        let span = tree.span(barrier);
                        self.context.error(&codes::BARRIER_DIVERGES, span, &[&name]);
                        return;
                    }
                }
            }
            at = tree.parent(around);
        }
    }
}
