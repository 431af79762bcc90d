//! What the end of a loop depends on. Where it is the same for all items, these run it alike, and compilers make
//! lanes of them by themselves.

use crate::body::{Body, ExpressionId, ExpressionKind, Root, StatementId, Step, VariableId};
use crate::module::BY_ITEM;
use foldhash::HashMap;

/// What happens in a loop as far as it is asked for here.
#[derive(Default)]
pub(super) struct Flow {
    /// Assignments: the variable, the value, and the conditions around it.
    pub(super) given: Vec<(VariableId, Option<ExpressionId>, Vec<ExpressionId>)>,
    /// The conditions under which the loop ends.
    pub(super) exits: Vec<ExpressionId>,
    /// The conditions around each `continue`.
    pub(super) skips: Vec<ExpressionId>,
}

/// What variables depend on: see [`super::MaskedLoop::exits`].
pub(super) struct Depends<'b> {
    pub(super) body: &'b Body,
    pub(super) items: &'b [VariableId],
    pub(super) known: HashMap<VariableId, u64>,
}

impl Depends<'_> {
    /// What the end of a loop depends on.
    pub(super) fn exits(mut self, flow: &Flow) -> u64 {
        // Each round but the last adds something to one of finitely many sets.
        loop {
            let mut changed = false;
            for (variable, value, conditions) in &flow.given {
                let parts = value.iter().chain(conditions).chain(&flow.skips);
                let depends = parts.fold(0, |all, &e| all | self.of_value(e));
                let entry = self.known.entry(*variable).or_default();
                changed |= *entry | depends != *entry;
                *entry |= depends;
            }
            if !changed {
                break;
            }
        }
        let all = flow.exits.iter();
        all.fold(0, |all, &e| all | self.of_value(e))
    }

    /// Functions are known by their arguments, and memory by nothing.
    pub(super) fn of_value(&self, id: ExpressionId) -> u64 {
        let body = self.body;
        let mut all = 0;
        body.each_value(id, &mut |e| {
            if let Some(place) = body.place_of(e) {
                let place = body.place(place);
                all |= match place.root {
                    Root::Variable(id) if self.items.contains(&id) => BY_ITEM,
                    Root::Variable(id) => self.known.get(&id).copied().unwrap_or(0),
                    Root::Pointer(_) => BY_ITEM,
                };
                let memory = place.path.iter().any(|s| matches!(s, Step::Index(_)));
                all |= if memory { BY_ITEM } else { 0 };
            }
            let other = matches!(body.expression(e).kind, ExpressionKind::Collective(..));
            all |= if other { BY_ITEM } else { 0 };
        });
        all
    }

    /// All that a statement names.
    pub(super) fn of_statement(&self, id: StatementId) -> u64 {
        let body = self.body;
        let mut all = 0;
        body.each_statement(&[id], &mut |inside| {
            for value in body.values_of(inside) {
                all |= self.of_value(value);
            }
        });
        all
    }
}
