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
    Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, PlaceId, Program, Root,
    StatementId, StatementKind, VariableId,
};
use crate::facts::{Affine, Definitions};
use crate::source::Span;

/// The loops of a kernel that are worth it.
pub(crate) fn interchanges(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
) -> Vec<Inside> {
    let affine = Affine::new(program, body, definitions);
    let mut found = Vec::new();
    body.each_statement(&body.root, &mut |id| {
        if let StatementKind::Distributed(this) = &body.statement(id).kind
            && let Some(loops) = loops(body, &affine, this)
        {
            let leaf = body.statement(id).span;
            found.push(Inside { leaf, loops });
        }
    });
    found
}

/// The loops that a body consists of, if they may stand around it.
fn loops(body: &Body, affine: &Affine<'_>, this: &Distributed) -> Option<Vec<Span>> {
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
    let copies = !loops.is_empty()
        && list
            .iter()
            .all(|&id| is_copied(body, affine, id, &counters));
    copies.then_some(loops)
}

/// What counts the rounds of a loop, if that hangs on nothing else.
pub(super) fn counter(
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
    let is_whole = |place| body.whole(place) == Some(variable);
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
fn is_copied(body: &Body, affine: &Affine<'_>, id: StatementId, counters: &[VariableId]) -> bool {
    let straight = matches!(
        body.statement(id).kind,
        StatementKind::Expression(_)
            | StatementKind::Declare { .. }
            | StatementKind::Block(_)
            | StatementKind::If { .. }
    );
    straight
        && body
            .values_of(id)
            .all(|value| is_copy(body, affine, value, counters))
        && { body.lists_of(id).into_iter().flatten() }
            .all(|&s| is_copied(body, affine, s, counters))
}

fn is_copy(body: &Body, affine: &Affine<'_>, value: ExpressionId, counters: &[VariableId]) -> bool {
    let counts = |place: PlaceId| matches!(body.place(place).root, Root::Variable(v) if counters.contains(&v));
    let mut copies = true;
    body.each_value(value, &mut |e| {
        copies &= match body.expression(e).kind {
            ExpressionKind::Update { .. } | ExpressionKind::Collective(..) => false,
            ExpressionKind::AddressOf(place) => !counts(place),
            ExpressionKind::Assign { place, value } => {
                !counts(place) && !reads(body, affine, value, place)
            }
            _ => true,
        };
    });
    copies
}

/// Whether a value may be computed of what lies in the memory of a place.
fn reads(body: &Body, affine: &Affine<'_>, value: ExpressionId, of: PlaceId) -> bool {
    let Some(object) = affine.object(of) else {
        return true;
    };
    let mut found = false;
    body.each_value(value, &mut |e| {
        if let ExpressionKind::Load(place) = body.expression(e).kind {
            found |= affine.object(place).is_none_or(|o| o == object);
        }
    });
    found
}
