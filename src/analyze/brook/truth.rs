//! Comparisons, `&&`, `||` and `!` of scalars: their values are 0 and 1 of the operands' type, while C has `int`, C++
//! `bool`, and that matters to whoever computes with them. So it does what `?:` and unary `+` make of small integers:
//! C promotes them.

use super::body::Body;
use crate::module::{Base, ConstructKind};
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    /// Notes a comparison that is used as a number.
    pub(super) fn truth(&mut self, node: NodeId) {
        let ty = self.facts.number(node);
        let small = ty.is_some_and(|t| t.base.is_small());
        if !(self.is_truth(node) || small && self.is_promoted(node)) || !self.is_counted(node) {
            return;
        }
        if let Some(ty) = ty.filter(|t| !t.is_vector() && t.base != Base::Bool) {
            let tree = self.context.tree;
            let around = tree.parent(node);
            let brackets = around.filter(|&p| tree.kind(p) == Kind::ParenthesizedExpression);
            let what = ConstructKind::Truth {
                ty,
                closed: brackets.is_some() || tree.kind(node) == Kind::UnaryExpression,
            };
            let span = self.span(brackets.unwrap_or(node));
            self.unit.push(span, what);
        }
    }

    fn is_truth(&self, node: NodeId) -> bool {
        match self.context.tree.kind(node) {
            Kind::BinaryExpression => matches!(
                self.operator(node),
                "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||"
            ),
            Kind::UnaryExpression => self.operator(node) == "!",
            _ => false,
        }
    }

    fn is_promoted(&self, node: NodeId) -> bool {
        match self.context.tree.kind(node) {
            Kind::ConditionalExpression => true,
            Kind::UnaryExpression => self.operator(node) == "+",
            _ => false,
        }
    }

    /// Whether the type of a comparison's value matters where it stands: it does not to conditions, nor where the
    /// value is converted.
    fn is_counted(&self, mut node: NodeId) -> bool {
        let tree = self.context.tree;
        let own = self.facts.number(node);
        loop {
            if self.facts.conversion(node).is_some() {
                return false;
            }
            let Some(parent) = tree.parent(node) else {
                return false;
            };
            let is = |field| tree.child(parent, field) == Some(node);
            return match tree.kind(parent) {
                Kind::ParenthesizedExpression | Kind::ConditionClause => {
                    node = parent;
                    continue;
                }
                Kind::IfStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::ForStatement
                | Kind::ExpressionStatement
                | Kind::ReturnStatement
                | Kind::InitDeclarator => false,
                Kind::ConditionalExpression => !is(Field::Condition),
                Kind::BinaryExpression => !matches!(self.operator(parent), "&&" | "||"),
                Kind::UnaryExpression => self.operator(parent) != "!",
                Kind::AssignmentExpression => self.operator(parent) != "=",
                // What is cast to the type that it has already stays as it is.
                Kind::CastExpression => self.facts.number(parent) == own,
                _ => true,
            };
        }
    }
}
