use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::module::{AtomicOperation, What};
use crate::syntax::{AttributeUse, Field, Kind, NodeId};

/// Reads what an `@atomic` statement does. Its parts have been visited.
pub(super) fn statement(
    context: &mut Context<'_>,
    unit: &mut Unit,
    statement: NodeId,
    attribute: &AttributeUse,
) {
    let tree = context.tree;
    if tree.kind(statement) == Kind::CompoundStatement {
        context.error(&codes::ATOMIC_BLOCK, attribute.span, &[]);
        return;
    }
    let inner = tree.children(statement).next();
    let expression = inner.filter(|_| tree.kind(statement) == Kind::ExpressionStatement);
    let expression = expression.map(|e| tree.unparenthesized(e));
    match expression.and_then(|e| operation(context, e)) {
        Some((operation, target)) => {
            unit.push(attribute.span, What::Attribute);
            let span = expression.map_or(attribute.span, |e| tree.span(e));
            unit.push(
                span,
                What::Atomic {
                    operation,
                    target: tree.span(target),
                },
            );
        }
        None => context.error(&codes::ATOMIC_FORM, tree.span(statement), &[]),
    }
}

fn operation(context: &Context<'_>, expression: NodeId) -> Option<(AtomicOperation, NodeId)> {
    let tree = context.tree;
    let operator = tree.child(expression, Field::Operator)?;
    let operator = tree.text(operator, context.text);
    match tree.kind(expression) {
        Kind::UpdateExpression => {
            let target = tree.child(expression, Field::Argument)?;
            let operation = match operator {
                "++" => AtomicOperation::Increment,
                _ => AtomicOperation::Decrement,
            };
            Some((operation, target))
        }
        Kind::AssignmentExpression => {
            let left = tree.child(expression, Field::Left)?;
            let right = tree.child(expression, Field::Right)?;
            let value = tree.span(right);
            let operator = match operator {
                "+=" => "+",
                "-=" => "-",
                "*=" => "*",
                "/=" => "/",
                "&=" => "&",
                "|=" => "|",
                "^=" => "^",
                "=" => return assignment(context, left, right),
                _ => return None,
            };
            Some((AtomicOperation::Update { operator, value }, left))
        }
        _ => None,
    }
}

/// `v = x` reads memory if the left side is a plain name and the right side is memory; everything
/// else writes.
fn assignment(
    context: &Context<'_>,
    left: NodeId,
    right: NodeId,
) -> Option<(AtomicOperation, NodeId)> {
    let tree = context.tree;
    let is_memory = |node| {
        matches!(
            tree.kind(tree.unparenthesized(node)),
            Kind::SubscriptExpression | Kind::PointerExpression | Kind::FieldExpression
        )
    };
    if !is_memory(left) && is_memory(right) {
        return Some((
            AtomicOperation::Read {
                target: tree.span(left),
            },
            right,
        ));
    }
    Some((
        AtomicOperation::Write {
            value: tree.span(right),
        },
        left,
    ))
}
