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
    // Whatever the statement changes besides its target is not covered by the atomic.
    if tree
        .children(expression)
        .any(|part| has_effect(context, part))
    {
        return None;
    }
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

/// `v = x` reads memory, `x = v` writes it, where nothing else happens in the same statement: a value
/// that is computed from the memory it goes to would be read and written in two steps.
fn assignment(
    context: &Context<'_>,
    left: NodeId,
    right: NodeId,
) -> Option<(AtomicOperation, NodeId)> {
    let tree = context.tree;
    let right = tree.unparenthesized(right);
    let is_memory = |node| {
        matches!(
            tree.kind(tree.unparenthesized(node)),
            Kind::SubscriptExpression | Kind::PointerExpression | Kind::FieldExpression
        )
    };
    if !is_memory(left) && is_memory(right) {
        let target = tree.span(left);
        return Some((AtomicOperation::Read { target }, right));
    }
    let memory = tree.text(tree.unparenthesized(left), context.text);
    let reads_it = tree
        .descendants(right)
        .any(|n| tree.text(n, context.text) == memory);
    let value = tree.span(right);
    (is_memory(left) && !reads_it).then_some((AtomicOperation::Write { value }, left))
}

/// Whether evaluating the expression changes something.
fn has_effect(context: &Context<'_>, expression: NodeId) -> bool {
    let tree = context.tree;
    let changes = |n| {
        matches!(
            tree.kind(n),
            Kind::UpdateExpression | Kind::AssignmentExpression
        )
    };
    tree.descendants(expression).any(changes)
}
