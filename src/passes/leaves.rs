//! What passes say of innermost loops over items, and ask of loops in them.

use crate::body::{BinaryOperator, Body, ExpressionId, ExpressionKind, StatementId, StatementKind};
use crate::facts::Affine;
use crate::source::Span;

/// An innermost loop over items, and ordinary loops in it, by their statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inside {
    pub(crate) leaf: Span,
    /// In source order.
    pub(crate) loops: Vec<Span>,
}

/// The statement that a list consists of, whatever braces there are.
pub(super) fn only(body: &Body, list: &[StatementId]) -> Option<StatementId> {
    let [statement] = list else {
        return None;
    };
    match &body.statement(*statement).kind {
        StatementKind::Block(inside) => only(body, inside),
        _ => Some(*statement),
    }
}

/// Where a loop's counter begins and what is added to it, if both are numbers.
pub(super) fn counts_up(
    body: &Body,
    affine: &Affine<'_>,
    initial: &[StatementId],
    step: ExpressionId,
) -> Option<(i64, i64)> {
    let number = |value: ExpressionId| affine.sum(value)?.as_constant();
    let StatementKind::Expression(begin) = body.statement(*initial.last()?).kind else {
        return None;
    };
    let (_, first) = body.assigned(begin)?;
    match body.expression(step).kind {
        ExpressionKind::Update {
            operator: BinaryOperator::Add,
            value,
            ..
        } => Some((number(first)?, number(value)?)),
        _ => None,
    }
}
