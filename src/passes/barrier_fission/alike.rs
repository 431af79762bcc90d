//! Ordinary loops that all items of a group run through alike.

use super::Phases;
use crate::body::{
    Body, ExpressionKind, Memory, Root, StatementId, StatementKind, Step, VariableId,
};
use foldhash::{HashSet, HashSetExt};

impl Phases<'_, '_> {
    /// The variable of a loop that all items run through alike.
    pub(super) fn runs_alike(&self, id: StatementId) -> Option<VariableId> {
        let body = self.body;
        let StatementKind::Loop {
            initial,
            condition: Some(condition),
            step: Some(step),
            body: inside,
            late: false,
        } = &body.statement(id).kind
        else {
            return None;
        };
        let [declared, first] = initial.as_slice() else {
            return None;
        };
        let StatementKind::Declare { variable, .. } = body.statement(*declared).kind else {
            return None;
        };
        let StatementKind::Expression(first) = body.statement(*first).kind else {
            return None;
        };
        let (begun, begins) = body.assigned(first)?;
        let (ExpressionKind::Update { place, value, .. } | ExpressionKind::Assign { place, value }) =
            body.expression(*step).kind
        else {
            return None;
        };
        let own = begun == variable && body.whole(place) == Some(variable);
        let steady = own && self.definitions.is_steady(body, variable);
        // A field is as common as its variable; what lies in memory is not.
        let alike = |place| {
            let place = body.place(place);
            let fields = place.path.iter().all(|s| !matches!(s, Step::Index(_)));
            let common = |v| v == variable || self.is_common(v);
            fields && matches!(place.root, Root::Variable(v) if common(v))
        };
        let alike = [begins, *condition, value]
            .into_iter()
            .all(|e| body.is_computed_from(e, &alike));
        (steady && alike && !leaves(body, inside, true)).then_some(variable)
    }

    /// Whether a variable has one value for all items of a group while the loop runs.
    fn is_common(&self, id: VariableId) -> bool {
        if self.counters.contains(&id) {
            return true;
        }
        let theirs = match id {
            VariableId::Local(index) => matches!(
                self.body.variables[index as usize].memory,
                Memory::Private | Memory::Exclusive | Memory::Shared
            ),
            VariableId::Global(_) => false,
        };
        !theirs && !self.written.contains(&id) && !self.definitions.escapes(id)
    }
}

/// Whether anything in the body of a loop leaves that, or an iteration of it.
fn leaves(body: &Body, list: &[StatementId], own: bool) -> bool {
    list.iter().any(|&id| match &body.statement(id).kind {
        StatementKind::Return(_) => true,
        StatementKind::Break | StatementKind::Continue => own,
        StatementKind::Loop { body: inside, .. } => leaves(body, inside, false),
        // `continue` in it goes on with the loop around.
        StatementKind::Switch { cases, .. } => cases.iter().any(|case| {
            let mut found = leaves(body, &case.body, false);
            if own {
                found |= continues(body, &case.body);
            }
            found
        }),
        _ => body.lists_of(id).into_iter().any(|l| leaves(body, l, own)),
    })
}

/// Whether a list goes on with the next iteration of the loop around it.
fn continues(body: &Body, list: &[StatementId]) -> bool {
    list.iter().any(|&id| match &body.statement(id).kind {
        StatementKind::Continue => true,
        StatementKind::Loop { .. } => false,
        _ => body.lists_of(id).into_iter().any(|l| continues(body, l)),
    })
}

/// The variables that a list writes, or that what is not modelled names.
pub(super) fn written(body: &Body, list: &[StatementId]) -> HashSet<VariableId> {
    let mut found = HashSet::new();
    body.each_statement(list, &mut |id| {
        found.extend(body.mentions.get(&id).into_iter().flatten());
        for value in body.values_of(id) {
            body.each_value(value, &mut |e| {
                let place = body.written(e).map(|p| body.place(p).root);
                if let Some(Root::Variable(variable)) = place {
                    found.insert(variable);
                }
            });
        }
    });
    found
}
