//! Barriers that the language implies between loops over items.

use super::extents::repeats;
use super::unit::Unit;
use super::walk::Found;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::module::{Loop, LoopId, LoopKind};

/// A barrier follows an inner loop when another one comes after it; only where group memory is used, and not where the
/// source says otherwise.
pub(super) fn set(
    context: &mut Context<'_>,
    unit: &mut Unit,
    found: &Found,
    root: LoopId,
    inner: &[LoopId],
) {
    let (top, nested): (Vec<LoopId>, Vec<LoopId>) = inner
        .iter()
        .copied()
        .partition(|id| around(unit, *id).next().is_none());
    let memory = found.with_memory.contains(&root);
    for (index, &id) in top.iter().enumerate() {
        // On the back edge of an ordinary loop, too.
        let again = repeats(unit, found, id);
        let wanted = memory && (index + 1 < top.len() || again) && !found.no_barrier.contains(&id);
        let this = &mut unit.loops[id.0 as usize];
        this.barrier_after = wanted;
        this.in_condition &= memory && top.len() > 1;
        this.barrier_before = found.read_outside.contains(&root) && (index > 0 || again);
    }
    for &id in &nested {
        if !memory || !has_next(unit, id) || found.no_barrier.contains(&id) {
            continue;
        }
        let reached = is_reached(unit, found, id);
        let this = &mut unit.loops[id.0 as usize];
        this.barrier_after = reached;
        if !reached {
            context.error(&codes::BARRIER_BETWEEN_SIBLINGS, this.head, &[]);
        }
    }
    // A condition inside of an inner loop may differ from item to item: none but those with barriers of their own, to
    // which all items have to come, may end with one.
    for id in nested {
        let this = &mut unit.loops[id.0 as usize];
        this.in_condition &= this.waits;
    }
}

/// The inner loops around one, from the inside out.
fn around(unit: &Unit, id: LoopId) -> impl Iterator<Item = LoopId> + '_ {
    let parent = |id: &LoopId| unit.loops[id.0 as usize].parent;
    let chain = std::iter::successors(parent(&id), parent);
    chain.filter(|id| unit.loops[id.0 as usize].kind == LoopKind::Inner)
}

/// Whether another inner loop stands behind it in the body of the same loop.
fn has_next(unit: &Unit, id: LoopId) -> bool {
    let parent = unit.loops[id.0 as usize].parent;
    let children = parent.map_or(&[][..], |p| &unit.loops[p.0 as usize].children);
    let behind = children.iter().skip_while(|c| **c != id).skip(1);
    behind
        .into_iter()
        .any(|c| unit.loops[c.0 as usize].kind == LoopKind::Inner)
}

/// Whether all items of the group come by a loop's end: a barrier there would hold up some for ever otherwise.
fn is_reached(unit: &Unit, found: &Found, id: LoopId) -> bool {
    let this = &unit.loops[id.0 as usize];
    let passes = |l: &Loop| {
        l.kind == LoopKind::Inner
            && !l.guarded
            && l.absent.is_empty()
            && l.tile.is_none()
            && !l.has_continue
            && !l.has_return
    };
    let direct =
        |id: LoopId| !unit.loops[id.0 as usize].in_condition && !found.in_ordinary.contains(&id);
    let parent = |id: &LoopId| unit.loops[id.0 as usize].parent;
    let chain: Vec<LoopId> = std::iter::successors(parent(&id), parent)
        .take_while(|id| unit.loops[id.0 as usize].kind != LoopKind::Outer)
        .collect();
    // Conditions and loops around all items of a group are the same for all of them.
    let inside = chain.iter().copied().take(chain.len().saturating_sub(1));
    this.tile.is_none()
        && chain.iter().all(|l| passes(&unit.loops[l.0 as usize]))
        && std::iter::once(id).chain(inside).all(direct)
}
