//! By which conditions items leave loops, iterations and functions where others go on.

use crate::body::{Body, ExpressionId, StatementId, StatementKind};

/// By which conditions items have left: the innermost loop or switch, its iteration, all of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    pub(super) loops: Option<ExpressionId>,
    pub(super) iteration: Option<ExpressionId>,
    pub(super) all: Option<ExpressionId>,
}

impl Left {
    pub(super) fn any(self) -> Option<ExpressionId> {
        self.loops.or(self.iteration).or(self.all)
    }

    /// By what items have ended the iteration of the inner loop, and by what they are elsewhere in it.
    pub(super) fn ended(self, in_loop: bool) -> (Option<ExpressionId>, Option<ExpressionId>) {
        match in_loop {
            true => (self.all, self.loops.or(self.iteration)),
            false => (self.iteration.or(self.all), self.loops),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            loops: self.loops.or(other.loops),
            iteration: self.iteration.or(other.iteration),
            all: self.all.or(other.all),
        }
    }
}

/// The jumps of a body, and which of its conditions differ by item.
pub(super) struct Jumps<'b, F> {
    pub(super) body: &'b Body,
    /// The condition itself, if it does.
    pub(super) varying: F,
}

impl<F: Fn(ExpressionId) -> Option<ExpressionId>> Jumps<'_, F> {
    /// By what items have left once a list is through, which only some run if there is a condition.
    pub(super) fn of_list(&self, list: &[StatementId], under: Option<ExpressionId>) -> Left {
        let mut left = Left::default();
        for id in list {
            left = left.or(self.of(*id, under.or(left.any())));
        }
        left
    }

    /// The same of one statement.
    pub(super) fn of(&self, id: StatementId, under: Option<ExpressionId>) -> Left {
        let inside = |under| {
            let lists = self.body.lists_of(id).into_iter();
            let each = lists.map(|list| self.of_list(list, under));
            each.fold(Left::default(), Left::or)
        };
        let none = Left::default();
        match &self.body.statement(id).kind {
            StatementKind::Break => Left {
                loops: under,
                ..none
            },
            StatementKind::Continue => Left {
                iteration: under,
                ..none
            },
            StatementKind::Return(_) => Left { all: under, ..none },
            StatementKind::If { condition, .. } => inside(under.or((self.varying)(*condition))),
            StatementKind::Switch { value, .. } => Left {
                loops: None,
                ..inside(under.or((self.varying)(*value)))
            },
            StatementKind::Loop { condition, .. } => {
                let ends = condition.and_then(|c| (self.varying)(c));
                Left {
                    all: inside(under.or(ends)).all,
                    ..none
                }
            }
            // `return` in it ends its iteration.
            StatementKind::Distributed(_) => none,
            _ => inside(under),
        }
    }
}
