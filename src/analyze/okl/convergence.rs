//! Whether all items of a group reach a place, as far as that can be seen.

use super::walk::Walk;
use crate::module::LoopKind;
use crate::sema::DefinitionId;
use crate::syntax::{Field, Kind, NodeId, declarators};
use foldhash::HashSet;

/// Variables that have different values for different items.
#[derive(Default)]
struct Varying {
    known: HashSet<DefinitionId>,
    /// Those of the items' loops, and what nobody knows the declaration of.
    names: HashSet<String>,
}

impl Varying {
    fn add(&mut self, known: Option<DefinitionId>, name: &str) {
        match known {
            Some(id) => self.known.insert(id),
            None => self.names.insert(name.to_string()),
        };
    }
}

impl Walk<'_, '_> {
    /// What keeps some items of a group from a call that others reach, as far as that can be seen.
    pub(super) fn divides_items(&self, call: NodeId, scope: NodeId) -> Option<String> {
        let tree = self.context.tree;
        let varying = self.varying(scope);
        if let Some(name) = self.condition_between(call, scope, &varying) {
            return Some(name);
        }
        let start = tree.span(call).start;
        for jump in tree.descendants(scope) {
            let kind = tree.kind(jump);
            let before = tree.span(jump).start < start;
            let is_jump = matches!(
                kind,
                Kind::BreakStatement | Kind::ContinueStatement | Kind::ReturnStatement
            );
            if !is_jump || (kind == Kind::ContinueStatement && !before) {
                continue;
            }
            let Some(left) = self.left_by(jump, scope) else {
                continue;
            };
            let again = left != scope && kind != Kind::ContinueStatement;
            if tree.is_within(call, left)
                && (before || again)
                && let Some(name) = self.condition_between(jump, left, &varying)
            {
                return Some(name);
            }
        }
        None
    }

    /// The loop that a jump leaves, or ends an iteration of; the scope for `return`.
    fn left_by(&self, jump: NodeId, scope: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let kind = tree.kind(jump);
        let mut at = tree.parent(jump);
        while let Some(around) = at.filter(|&a| a != scope) {
            match tree.kind(around) {
                Kind::LambdaExpression => return None,
                Kind::SwitchStatement if kind == Kind::BreakStatement => return None,
                Kind::ForStatement
                | Kind::ForRangeLoop
                | Kind::WhileStatement
                | Kind::DoStatement
                    if kind != Kind::ReturnStatement =>
                {
                    return Some(around);
                }
                _ => at = tree.parent(around),
            }
        }
        Some(scope)
    }

    /// A name that the way from `around` to a node depends on and that differs by item: the outermost one, which others depend on.
    fn condition_between(&self, node: NodeId, around: NodeId, varying: &Varying) -> Option<String> {
        let tree = self.context.tree;
        let mut child = node;
        let mut outermost = None;
        while child != around {
            let parent = tree.parent(child)?;
            let attributed = tree
                .parent(parent)
                .is_some_and(|p| tree.kind(p) == Kind::AttributedStatement);
            let condition = match tree.kind(parent) {
                Kind::IfStatement | Kind::SwitchStatement | Kind::ConditionalExpression
                    if tree.field(child) != Field::Condition =>
                {
                    tree.child(parent, Field::Condition)
                }
                Kind::WhileStatement | Kind::DoStatement => tree.child(parent, Field::Condition),
                Kind::ForStatement if !attributed && tree.field(child) != Field::Initializer => {
                    tree.child(parent, Field::Condition)
                }
                Kind::BinaryExpression if tree.field(child) == Field::Right => {
                    let operator = tree.child(parent, Field::Operator);
                    let operator = operator.map_or("", |o| tree.text(o, self.context.text));
                    matches!(operator, "&&" | "||")
                        .then(|| tree.child(parent, Field::Left))
                        .flatten()
                }
                _ => None,
            };
            let found = condition.and_then(|c| self.differs(c, varying));
            outermost = found.or(outermost);
            child = parent;
        }
        outermost
    }

    /// A name in an expression that has different values for different items.
    fn differs(&self, expression: NodeId, varying: &Varying) -> Option<String> {
        let tree = self.context.tree;
        let (text, calls) = (self.context.text, &self.unit.collectives);
        let function = calls.get(&expression.index()).map(|(f, _)| *f);
        match function {
            Some(f) if f.is_uniform() => return None,
            Some(f) => return Some(f.name()),
            None => {}
        }
        if tree.kind(expression) == Kind::Identifier {
            let name = tree.text(expression, text);
            let symbol = self.unit.scopes.get(name);
            let exclusive = symbol
                .and_then(|s| self.item_variables.get(s.item_variable?))
                .is_some_and(|v| v.local.is_none());
            let known = self.context.sema.definition(expression);
            let varies = known.is_some_and(|id| varying.known.contains(&id));
            return (exclusive || varies || varying.names.contains(name)).then(|| name.to_string());
        }
        let mut parts = tree.children(expression);
        parts.find_map(|part| self.differs(part, varying))
    }

    /// The variables of the items' loops, and those within that are given values that depend on them.
    fn varying(&self, scope: NodeId) -> Varying {
        let tree = self.context.tree;
        let (text, sema) = (self.context.text, &self.context.sema);
        let mut varying = Varying::default();
        let mut at = self.current;
        while let Some(id) = at {
            let this = &self.unit.loops[id.0 as usize];
            if this.kind == LoopKind::Outer {
                break;
            }
            varying.names.insert(this.header.variable.clone());
            at = this.parent;
        }
        loop {
            let known = (varying.known.len(), varying.names.len());
            for node in tree.descendants(scope) {
                match tree.kind(node) {
                    Kind::Declaration => {
                        let nodes = tree.children(node);
                        let nodes = nodes.filter(|&c| tree.field(c) == Field::Declarator);
                        for (declared, at) in declarators(tree, node, text).iter().zip(nodes) {
                            let value = declared.value.and_then(|v| self.differs(v, &varying));
                            if value.is_some() {
                                varying.add(sema.declared_by(at), declared.name);
                            }
                        }
                    }
                    Kind::AssignmentExpression | Kind::UpdateExpression => {
                        let target = tree
                            .child(node, Field::Left)
                            .or_else(|| tree.child(node, Field::Argument));
                        let target = target.map(|t| tree.unparenthesized(t));
                        let Some(target) = target.filter(|&t| tree.kind(t) == Kind::Identifier)
                        else {
                            continue;
                        };
                        let value = tree.child(node, Field::Right);
                        let differs = value.and_then(|v| self.differs(v, &varying)).is_some()
                            || self.condition_between(node, scope, &varying).is_some();
                        if differs {
                            varying.add(sema.definition(target), tree.text(target, text));
                        }
                    }
                    _ => {}
                }
            }
            if (varying.known.len(), varying.names.len()) == known {
                return varying;
            }
        }
    }
}
