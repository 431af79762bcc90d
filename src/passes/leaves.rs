//! What passes say of innermost loops over items.

use crate::body::{Body, StatementId, StatementKind};
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
