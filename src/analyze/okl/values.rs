//! Whether an element's value is all that is used of it.

use super::walk::Walk;
use crate::expr;
use crate::sema::TypeKind;
use crate::syntax::{Field, Kind, NodeId};

impl Walk<'_, '_> {
    /// Whether an element's value is all that is used, so that nobody knows where it lies.
    pub(super) fn is_value(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let text = self.context.text;
        // Operators and constructors of the program may take references.
        let plain = !self.unit.declared.has_operators();
        let mut at = node;
        while let Some(around) = tree.parent(at) {
            let field = tree.field(at);
            return match tree.kind(around) {
                Kind::ParenthesizedExpression => {
                    at = around;
                    continue;
                }
                Kind::ConditionalExpression if field != Field::Condition => {
                    at = around;
                    continue;
                }
                Kind::BinaryExpression
                | Kind::UnaryExpression
                | Kind::ConditionalExpression
                | Kind::ConditionClause
                | Kind::SubscriptArguments => plain,
                Kind::AssignmentExpression => plain && field == Field::Right,
                Kind::InitDeclarator => self.declares_number(around),
                Kind::CastExpression => tree
                    .child(around, Field::Type)
                    .is_some_and(|t| self.unit.scalar_of(self.context.sema, t).is_some()),
                Kind::ArgumentList => {
                    let function = tree
                        .parent(around)
                        .filter(|&call| tree.kind(call) == Kind::CallExpression)
                        .and_then(|call| tree.child(call, Field::Function));
                    let name = function.map_or("", |f| tree.text(f, text).trim_start_matches("::"));
                    // Functions of others may take references.
                    expr::is_function(name) && self.unit.declared.get(name).is_none()
                }
                _ => false,
            };
        }
        false
    }

    /// Whether what is initialised is a number of its own, and no reference.
    fn declares_number(&self, initialised: NodeId) -> bool {
        let tree = self.context.tree;
        let sema = self.context.sema;
        let name = tree.child(initialised, Field::Declarator);
        let id = name.and_then(|n| sema.definition(n));
        id.map(|id| sema.defined(id)).is_some_and(|d| {
            d.is_deduced()
                || matches!(
                    sema.kind(d.ty),
                    TypeKind::Scalar(_) | TypeKind::Enumeration(_)
                )
        })
    }
}
