//! Which variables are more than indices.

use super::elements::each_value;
use super::nest::Nest;
use crate::body::{Body, ExpressionId, ExpressionKind, StatementId, StatementKind, VariableId};
use foldhash::{HashSet, HashSetExt};
use std::collections::BTreeSet;

/// The variables whose values are computed with, but for indices and conditions on iterations.
pub(super) fn needed(body: &Body, nest: &Nest<'_>) -> BTreeSet<VariableId> {
    let mut indices = HashSet::new();
    let mut found = BTreeSet::new();
    // What leads to a place is no value.
    let mut note = |value: ExpressionId, open: &mut Vec<VariableId>| {
        indices.clear();
        body.each_value(value, &mut |id| {
            if let Some(place) = body.place_of(id) {
                for way in body.way(place) {
                    body.each_value(way, &mut |inside| {
                        indices.insert(inside);
                    });
                }
            }
            if indices.contains(&id) {
                return;
            }
            let place = body.place_of(id).and_then(|place| body.whole(place));
            open.extend(place);
        });
    };
    let mut open = Vec::new();
    each_value(body, &nest.rest, &mut |id| {
        // Each value once: those in it come by themselves.
        if let ExpressionKind::Assign { .. } | ExpressionKind::Update { .. } =
            body.expression(id).kind
        {
            note(id, &mut open);
        }
    });
    for &id in &nest.rest {
        conditions(body, id, &mut |condition| note(condition, &mut open));
    }
    while let Some(variable) = open.pop() {
        if !found.insert(variable) {
            continue;
        }
        for &id in &nest.before {
            if let StatementKind::Expression(value) = body.statement(id).kind
                && let Some((to, value)) = body.assigned(value)
                && to == variable
            {
                note(value, &mut open);
            }
        }
    }
    found
}

/// Calls a visitor with the conditions of a statement, and of those in it.
fn conditions(body: &Body, id: StatementId, visit: &mut dyn FnMut(ExpressionId)) {
    match &body.statement(id).kind {
        StatementKind::Block(inside) => {
            inside.iter().for_each(|&id| conditions(body, id, visit));
        }
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => {
            visit(*condition);
            let inside = then.iter().chain(otherwise);
            inside.for_each(|&id| conditions(body, id, visit));
        }
        _ => {}
    }
}
