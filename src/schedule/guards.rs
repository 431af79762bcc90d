//! Which loops leave their conditions to the loops in them (`passes/guard_sinking.rs` says which may).

use super::barriers::Barriers;
use super::nests::NestSchedule;
use crate::module::{Loop, LoopId, Module};
use crate::source::Span;
use foldhash::{HashMap, HashSet};

/// What is decided before it: nests whose items are a target's own, bodies whose items wait, and where constructs stand.
pub(super) struct Before<'a, 'm> {
    pub(super) nests: &'a HashMap<LoopId, NestSchedule>,
    pub(super) barriers: &'a Barriers<'m>,
    pub(super) constructs: &'a [Span],
}

/// All of them, which may be tiles, too.
pub(super) fn sinking(module: &Module, before: &Before<'_, '_>) -> HashSet<LoopId> {
    let all = module.nests().flat_map(|nest| {
        // Such items check all conditions before they begin.
        let wide = { before.nests.get(&nest.root) }.is_some_and(|s| s.wide.is_some());
        nest.legal.sinking.iter().filter(move |_| !wide)
    });
    all.copied()
        .filter(|id| passes_on(module, before, *id))
        .collect()
}

fn passes_on(module: &Module, before: &Before<'_, '_>, id: LoopId) -> bool {
    let first = module.loop_(id);
    let last = module.last_part(first);
    let [child] = last.children.as_slice() else {
        return false;
    };
    let inner = module.loop_(*child);
    // What stands in the loop's own lines may need the conditions.
    let lines = !last.constants.is_empty() || !inner.constants.is_empty();
    let kinds = [first, last, inner, module.last_part(inner)];
    !lines
        && !before.barriers.is_deferred(id)
        && !before.barriers.is_deferred(*child)
        && kinds.iter().all(|l| is_repeatable(before.constructs, l))
        && !hides(module, inner, first)
        && last.holds_only(&module.text, inner.span)
}

/// Whether the variable of a loop from `inner` on inwards hides a name that the conditions of another use.
fn hides(module: &Module, inner: &Loop, outer: &Loop) -> bool {
    let h = &outer.header;
    let used = |name: &String| *name == h.variable || h.names.contains(name);
    let mut deeper = inner.children.iter();
    used(&inner.header.variable) || deeper.any(|c| hides(module, module.loop_(*c), outer))
}

/// Whether no backend spells bounds and step in another way than the program.
fn is_repeatable(all: &[Span], this: &Loop) -> bool {
    let h = &this.header;
    let spans = [Some(h.start_span), Some(h.end_span), h.step_span];
    let mut spans = spans.into_iter().flatten();
    spans.all(|span| {
        let from = all.partition_point(|s| s.start < span.start);
        let mut behind = all.iter().skip(from).take_while(|s| s.start <= span.end);
        !behind.any(|s| span.contains(*s))
    })
}
