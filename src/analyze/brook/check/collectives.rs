use super::Checker;
use super::calls::POSITIONS;
use super::symbols::Role;
use super::types::{INT, Ty};
use super::values::Value;
use crate::diagnostics::codes;
use crate::module::{Base, CollectiveFunction, CollectiveKind, Type};
use crate::syntax::{Field, Kind, NodeId};

impl Checker<'_, '_> {
    /// A function of all items of a group.
    pub(super) fn group_function(
        &mut self,
        function: CollectiveFunction,
        node: NodeId,
        values: &[Value],
    ) -> Value {
        let span = self.span(node);
        let name = function.name();
        let types: Option<Vec<Type>> = values.iter().map(|v| v.ty.arithmetic()).collect();
        let number = |t: &Type| {
            t.width == 1 && matches!(t.base, Base::Int | Base::UInt | Base::Float | Base::Double)
        };
        let whole = |t: &Type| t.width == 1 && matches!(t.base, Base::Int | Base::UInt);
        let found = match (types.as_deref(), function.kind) {
            (Some([value, place]), CollectiveKind::Broadcast) => number(value) && whole(place),
            (Some([_, ..]), CollectiveKind::Broadcast) => false,
            (Some([value]), _) => number(value),
            _ => false,
        };
        if !found {
            let shown: Vec<String> = values.iter().map(|v| self.show(v.ty)).collect();
            let shown = shown.join(", ");
            self.report(&codes::BROOK_BUILTIN, span, &[&name, &shown]);
            return Value::guess(INT);
        }
        if self.here.group.is_none() {
            self.report(&codes::BROOK_GROUP_FUNCTION, span, &[&name]);
        } else if let Some(word) = self.divides_items(node) {
            let code = &codes::BROOK_GROUP_FUNCTION_DIVERGES;
            self.report(code, span, &[&name, &word]);
        }
        match (types.as_deref(), function.is_vote()) {
            (Some([value, ..]), false) => Value::of(Ty::Number(*value)),
            _ => Value::of(INT),
        }
    }

    /// What the way to a call depends on, where that differs by item: the item's place, or an element.
    fn divides_items(&self, call: NodeId) -> Option<String> {
        let tree = self.context.tree;
        let mut child = call;
        while let Some(around) = tree.parent(child) {
            let condition = match tree.kind(around) {
                Kind::IfStatement | Kind::ConditionalExpression
                    if tree.field(child) != Field::Condition =>
                {
                    tree.child(around, Field::Condition)
                }
                Kind::WhileStatement | Kind::DoStatement | Kind::ForStatement => {
                    tree.child(around, Field::Condition)
                }
                Kind::BinaryExpression if tree.field(child) == Field::Right => {
                    let operator = tree.child(around, Field::Operator);
                    let logical = operator.is_some_and(|o| matches!(self.word(o), "&&" | "||"));
                    tree.child(around, Field::Left).filter(|_| logical)
                }
                _ => None,
            };
            let names = condition.into_iter().flat_map(|c| tree.descendants(c));
            let mut names = names.filter(|&n| tree.kind(n) == Kind::Identifier);
            let differs = names.find(|&n| {
                let streams = matches!(self.role(n), Some(Role::StreamIn));
                POSITIONS[..3].contains(&self.word(n)) || streams
            });
            if let Some(name) = differs {
                return Some(self.word(name).to_string());
            }
            child = around;
        }
        None
    }
}
