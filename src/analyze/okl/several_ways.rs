//! Conditions from which items come to one place by several ways.
//!
//! After `if (n > 3 || x[i] > 0) k = 1;` and a barrier, PoCL gives all items of a group one `k`: it takes the assignment for
//! one that all of them make, or none, because something that is the same for all leads there, and does not look at what
//! else does (`VariableUniformityAnalysis.cc`). Loops there are run by all items, too. Conditions of this kind are marked,
//! so that a backend can say something in front of them that differs by item.
//!
//! `a || b` leads to its branch by two ways, `a && b` to what is done otherwise, which may be what follows a jump; and what
//! follows a statement has another way to it where something inside jumps under a condition of its own. What compilers know of
//! `c` behind `c = a || b` is as good as asking for it there.

use super::walk::Walk;
use crate::module::{ConstructKind, LoopKind};
use crate::syntax::{Field, Kind, NodeId};

/// How many jumps there were so far, but for those that left nothing but a loop or `switch` that has ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Left {
    jumps: usize,
    /// Those that leave nothing but the innermost loop or `switch`.
    own: usize,
}

impl Left {
    /// A jump, which may leave only the innermost loop or `switch`.
    pub(super) fn jump(&mut self, own: bool) {
        self.jumps += 1;
        self.own += usize::from(own);
    }

    /// At the beginning of a loop or `switch`. What is returned belongs to `leave`.
    pub(super) fn enter(&mut self) -> usize {
        std::mem::take(&mut self.own)
    }

    /// At its end.
    pub(super) fn leave(&mut self, around: usize) {
        self.jumps -= self.own;
        self.own = around;
    }
}

impl Walk<'_, '_> {
    /// An `if`.
    pub(super) fn branches(&mut self, node: NodeId) {
        let (left, waits) = (self.left.jumps, self.waits);
        self.children(node);
        let tree = self.context.tree;
        let jumps = self.left.jumps - left;
        let parts = [Field::Consequence, Field::Alternative].map(|f| tree.child(node, f));
        let direct: usize = parts.iter().flatten().map(|p| self.direct_jumps(*p)).sum();
        let otherwise = jumps > 0 || parts[1].is_some();
        self.several_ways(node, jumps > direct, otherwise, waits);
    }

    /// A `while` or `for`, in which items waited so often before.
    pub(super) fn again(&mut self, node: NodeId, waits: usize) {
        self.several_ways(node, false, false, waits);
    }

    /// A value of `&&` or `||` that is kept: whoever asks for it later may be taken there from each of its parts.
    pub(super) fn kept_truth(&mut self, node: NodeId) {
        let (tree, text) = (self.context.tree, self.context.text);
        let operator = tree.child(node, Field::Operator);
        let operator = operator.map_or("", |o| tree.text(o, text));
        if !matches!(operator, "||" | "or" | "&&" | "and") || !self.is_of_items() {
            return;
        }
        let mut value = node;
        while let Some(around) = tree.parent(value) {
            let kept = match tree.kind(around) {
                Kind::ParenthesizedExpression | Kind::UnaryExpression => {
                    value = around;
                    continue;
                }
                Kind::InitDeclarator => {
                    let declaration = tree.parent(around);
                    let mut parts = declaration.into_iter().flat_map(|d| tree.children(d));
                    // What is computed before anything runs.
                    let constant = |n| {
                        tree.kind(n) == Kind::StorageClass
                            || tree.kind(n) == Kind::TypeQualifier
                                && tree.text(n, text) == "constexpr"
                    };
                    tree.field(value) == Field::Value && !parts.any(constant)
                }
                Kind::AssignmentExpression => tree.field(value) == Field::Right,
                Kind::ReturnStatement => true,
                _ => false,
            };
            if kept {
                self.unit
                    .push(tree.span(node), ConstructKind::SeveralWays { cases: false });
            }
            return;
        }
    }

    /// Whether items come by, each for itself.
    fn is_of_items(&self) -> bool {
        match self.current {
            Some(id) => self.unit.loops[id.0 as usize].kind == LoopKind::Inner,
            None => self.function.is_some(),
        }
    }

    /// A `switch`, in which items waited so often before: some leave it where others go on.
    pub(super) fn cases(&mut self, node: NodeId, waits: usize) {
        let tree = self.context.tree;
        let Some(body) = tree.child(node, Field::Body) else {
            return;
        };
        let mut direct = 0;
        for case in tree.children(body) {
            direct += self.direct_jumps(case);
            for inside in tree.children(case) {
                direct += match tree.kind(inside) {
                    Kind::CompoundStatement | Kind::BreakStatement => self.direct_jumps(inside),
                    _ => 0,
                };
            }
        }
        if self.left.own > direct
            && self.is_of_items()
            && self.waits == waits
            && let Some(value) = self.plain_condition(node)
        {
            let what = ConstructKind::SeveralWays { cases: true };
            self.unit.push(tree.span(value), what);
        }
    }

    /// Marks a statement's condition, if it has several ways; `always` says that it has in any case, `otherwise` that
    /// something is done where it does not hold.
    fn several_ways(&mut self, node: NodeId, always: bool, otherwise: bool, waits: usize) {
        // What has barriers inside is the same for all items.
        if !self.is_of_items() || self.waits > waits {
            return;
        }
        let Some(condition) = self.plain_condition(node) else {
            return;
        };
        if always
            || self.has_several_ways(condition, true)
            || otherwise && self.has_several_ways(condition, false)
        {
            let span = self.context.tree.span(condition);
            self.unit
                .push(span, ConstructKind::SeveralWays { cases: false });
        }
    }

    /// A statement's condition, unless it declares something.
    fn plain_condition(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let condition = tree.child(node, Field::Condition)?;
        if tree.kind(condition) != Kind::ConditionClause {
            return Some(condition);
        }
        let mut parts = tree.children(condition);
        match (parts.next(), parts.next()) {
            (Some(only), None) => Some(only).filter(|n| tree.kind(*n) != Kind::Declaration),
            _ => None,
        }
    }

    /// How many jumps a branch makes whenever it is come to.
    fn direct_jumps(&self, branch: NodeId) -> usize {
        let tree = self.context.tree;
        let is_jump = |node: NodeId| {
            matches!(
                tree.kind(node),
                Kind::ContinueStatement
                    | Kind::BreakStatement
                    | Kind::GotoStatement
                    | Kind::ReturnStatement
            )
        };
        match tree.kind(branch) {
            Kind::CompoundStatement => tree.children(branch).filter(|n| is_jump(*n)).count(),
            _ => usize::from(is_jump(branch)),
        }
    }

    /// Whether more than one of a condition's parts decides by itself that it is as asked.
    fn has_several_ways(&self, condition: NodeId, mut holds: bool) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let mut node = condition;
        loop {
            let operator = tree.child(node, Field::Operator);
            let operator = operator.map_or("", |o| tree.text(o, text));
            let operand = match tree.kind(node) {
                Kind::ParenthesizedExpression => tree.children(node).next(),
                Kind::UnaryExpression if matches!(operator, "!" | "not") => {
                    holds = !holds;
                    tree.child(node, Field::Argument)
                }
                Kind::BinaryExpression => {
                    let decides = match operator {
                        "||" | "or" => holds,
                        "&&" | "and" => !holds,
                        _ => return false,
                    };
                    let right = tree.child(node, Field::Right);
                    if decides || right.is_some_and(|r| self.has_several_ways(r, holds)) {
                        return true;
                    }
                    tree.child(node, Field::Left)
                }
                kind => return kind == Kind::ConditionalExpression,
            };
            match operand {
                Some(operand) => node = operand,
                None => return false,
            }
        }
    }
}
