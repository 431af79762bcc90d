//! Interchange: where loops over items stay loops, one changes places with the loops that are all its body consists of.
//!
//! **Legality.** An item's rounds of these loops are as many as any other item's, since they are counted from numbers to
//! numbers; nothing leaves them or the item, nobody waits, and everything in them is modelled. Items are independent, and
//! each one's rounds keep their order. That the loops have constant bounds means that there is nothing to compute between
//! them either.
//!
//! **Gain.** Items that copy several rows each write them one after the other then, as far as the group is wide. Where something
//! is added up, each item does all of it at once, in a register: such loops stay where they are.

use super::leaves::{Inside, only};
use crate::body::{
    Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, PlaceId, Root, StatementId,
    StatementKind, VariableId,
};
use crate::source::Span;

/// The loops of a kernel that are worth it.
pub(crate) fn interchanges(body: &Body) -> Vec<Inside> {
    let mut found = Vec::new();
    body.each_statement(&body.root, &mut |id| {
        if let StatementKind::Distributed(this) = &body.statement(id).kind
            && let Some(loops) = loops(body, this)
        {
            let leaf = body.statement(id).span;
            found.push(Inside { leaf, loops });
        }
    });
    found
}

/// The loops that a body consists of, if they may stand around it.
fn loops(body: &Body, this: &Distributed) -> Option<Vec<Span>> {
    if this.kind != DistributedKind::Inner || this.guard.is_some() {
        return None;
    }
    let mut loops = Vec::new();
    let mut counters = Vec::new();
    let mut list = this.body.as_slice();
    while let Some(id) = only(body, list) {
        let StatementKind::Loop {
            initial,
            condition: Some(condition),
            step: Some(step),
            body: inside,
            late: false,
        } = &body.statement(id).kind
        else {
            break;
        };
        counters.push(counter(body, initial, *condition, *step)?);
        loops.push(body.statement(id).span);
        list = inside;
    }
    let copies = !loops.is_empty() && list.iter().all(|&id| is_copied(body, id, &counters));
    copies.then_some(loops)
}

/// What counts the rounds of a loop, if that hangs on nothing else.
fn counter(
    body: &Body,
    initial: &[StatementId],
    condition: ExpressionId,
    step: ExpressionId,
) -> Option<VariableId> {
    let [declare, begin] = initial else {
        return None;
    };
    let StatementKind::Declare { variable, .. } = body.statement(*declare).kind else {
        return None;
    };
    let StatementKind::Expression(begin) = body.statement(*begin).kind else {
        return None;
    };
    let is_whole = |place: PlaceId| {
        let place = body.place(place);
        place.root == Root::Variable(variable) && place.path.is_empty()
    };
    let own = |value, of: &dyn Fn(VariableId) -> bool| body.is_computed_of(value, of);
    let begins = match body.expression(begin).kind {
        ExpressionKind::Assign { place, value } => is_whole(place) && own(value, &|_| false),
        _ => false,
    };
    let steps = match body.expression(step).kind {
        ExpressionKind::Update { place, value, .. } => is_whole(place) && own(value, &|_| false),
        ExpressionKind::Assign { place, value } => {
            is_whole(place) && own(value, &|v| v == variable)
        }
        _ => false,
    };
    (begins && steps && own(condition, &|v| v == variable)).then_some(variable)
}

/// Whether a statement runs straight on, and writes what it has not read.
fn is_copied(body: &Body, id: StatementId, counters: &[VariableId]) -> bool {
    let straight = matches!(
        body.statement(id).kind,
        StatementKind::Expression(_)
            | StatementKind::Declare { .. }
            | StatementKind::Block(_)
            | StatementKind::If { .. }
    );
    straight && { body.values_of(id).into_iter() }.all(|value| is_copy(body, value, counters)) && {
        body.lists_of(id).into_iter().flatten()
    }
    .all(|&s| is_copied(body, s, counters))
}

fn is_copy(body: &Body, value: ExpressionId, counters: &[VariableId]) -> bool {
    let counts = |place: PlaceId| matches!(body.place(place).root, Root::Variable(v) if counters.contains(&v));
    let mut copies = true;
    body.each_value(value, &mut |e| {
        copies &= match body.expression(e).kind {
            ExpressionKind::Update { .. } | ExpressionKind::Collective(..) => false,
            ExpressionKind::AddressOf(place) => !counts(place),
            ExpressionKind::Assign { place, value } => !counts(place) && !reads(body, value, place),
            _ => true,
        };
    });
    copies
}

/// Whether a value is computed of what a variable holds or points to.
fn reads(body: &Body, value: ExpressionId, of: PlaceId) -> bool {
    let Some(variable) = variable(body, of) else {
        return true;
    };
    let mut found = false;
    body.each_value(value, &mut |e| {
        if let ExpressionKind::Load(place) = body.expression(e).kind {
            let pointed = matches!(body.place(place).root, Root::Pointer(_));
            let same = pointed == matches!(body.place(of).root, Root::Pointer(_));
            found |= same && self::variable(body, place) == Some(variable);
        }
    });
    found
}

/// The variable that a place is a part of, or that is the pointer to it.
fn variable(body: &Body, place: PlaceId) -> Option<VariableId> {
    match body.place(place).root {
        Root::Variable(variable) => Some(variable),
        Root::Pointer(pointer) => match body.expression(pointer).kind {
            ExpressionKind::Load(place) => variable(body, place),
            ExpressionKind::Offset(pointer, _) => match body.expression(pointer).kind {
                ExpressionKind::Load(place) => variable(body, place),
                _ => None,
            },
            _ => None,
        },
    }
}
