//! Barriers and functions of the group that not all items reach, as far as conditions say.
//!
//! Who ends an iteration of an inner loop early still comes to its barriers, as the language says; but not to functions of
//! the group, which want a value of it.

use super::jumps::{Jumps, Left};
use super::uniformity::Uniformity;
use crate::body::{
    Body, DistributedKind, ExpressionId, ExpressionKind, StatementId, StatementKind,
};
use crate::module::BarrierScope;
use crate::source::Span;

/// What some items do not reach, and the condition by which they part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    /// The barrier, or the call.
    pub(crate) at: Span,
    /// What differs by item.
    pub(crate) by: ExpressionId,
}

/// All of a body, in source order. Barriers of warps are not looked at: whole warps may part.
pub(crate) fn divergences(body: &Body, uniformity: &Uniformity<'_>) -> Vec<Divergence> {
    let mut this = Convergence {
        body,
        uniformity,
        found: Vec::new(),
        ended: None,
        in_loop: false,
    };
    this.list(&body.root, None);
    this.found
}

struct Convergence<'b> {
    body: &'b Body,
    uniformity: &'b Uniformity<'b>,
    found: Vec<Divergence>,
    /// By what items have ended the iteration of the inner loop around.
    ended: Option<ExpressionId>,
    /// An ordinary loop stands between that and the statement.
    in_loop: bool,
}

impl Convergence<'_> {
    fn varying(&self, id: ExpressionId) -> Option<ExpressionId> {
        self.uniformity.varies(id).then_some(id)
    }

    fn jumps(&self) -> Jumps<'_, impl Fn(ExpressionId) -> Option<ExpressionId>> {
        Jumps {
            body: self.body,
            varying: |id| self.varying(id),
        }
    }

    /// Looks through a list that only some items run, if there is a condition.
    fn list(&mut self, list: &[StatementId], under: Option<ExpressionId>) {
        let before = self.ended;
        let mut left = Left::default();
        for &id in list {
            let (ended, elsewhere) = left.ended(self.in_loop);
            self.ended = before.or(ended);
            self.statement(id, under.or(elsewhere));
            left = left.or(self.jumps().of(id, None));
        }
        self.ended = before;
    }

    fn statement(&mut self, id: StatementId, under: Option<ExpressionId>) {
        let body = self.body;
        for value in body.values_of(id) {
            self.value(value, under);
        }
        let around = (self.ended, self.in_loop);
        let inside = match &body.statement(id).kind {
            StatementKind::Barrier(BarrierScope::Group) => {
                let at = body.statement(id).span;
                self.found.extend(under.map(|by| Divergence { at, by }));
                None
            }
            StatementKind::If { condition, .. } => self.varying(*condition),
            StatementKind::Switch { value, .. } => self.varying(*value),
            StatementKind::Loop {
                condition,
                body: list,
                ..
            } => {
                let left = self.jumps().of_list(list, None);
                let ends = condition.and_then(|c| self.varying(c));
                // Who has left does not come again.
                self.ended = self.ended.or(left.all);
                self.in_loop = true;
                ends.or(left.loops)
            }
            // All items begin it.
            StatementKind::Distributed(this) if this.kind == DistributedKind::Inner => {
                (self.ended, self.in_loop) = (None, false);
                self.list(&this.body, None);
                (self.ended, self.in_loop) = around;
                return;
            }
            _ => None,
        };
        for list in body.lists_of(id) {
            self.list(list, under.or(inside));
        }
        (self.ended, self.in_loop) = around;
    }

    fn value(&mut self, id: ExpressionId, under: Option<ExpressionId>) {
        let expression = self.body.expression(id);
        if let ExpressionKind::Collective(..) = expression.kind {
            let (at, by) = (expression.span, under.or(self.ended));
            self.found.extend(by.map(|by| Divergence { at, by }));
        }
        let first = self.body.decides(id);
        let parts = first.and_then(|a| self.varying(a));
        for operand in self.body.operands(id) {
            let skipped = if Some(operand) == first { None } else { parts };
            self.value(operand, under.or(skipped));
        }
    }
}
