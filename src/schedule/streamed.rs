//! Which loops over items write arrays past a processor's caches (`rewrite/okl/streamed.rs` says what is gained).

use super::MOST_STREAMING;
use super::barriers::Barriers;
use super::extents::times_iterations;
use super::loops::has_lanes;
use crate::backend::Backend;
use crate::module::{Comparison, ElementAccess, Elementwise, LoopId, Module, Nest};
use crate::options::Options;
use foldhash::HashSet;

/// All of them: the second halves of tiles.
pub(super) fn streamed(
    module: &Module,
    backend: &Backend,
    options: &Options,
    barriers: &Barriers<'_>,
) -> HashSet<LoopId> {
    if !backend.lowering.streams || options.no_widen {
        return HashSet::default();
    }
    let all = module.nests().filter_map(|nest| {
        let this = nest.legal.wide.as_ref()?;
        suits(module, barriers, nest, this).then_some(this.leaf)
    });
    all.collect()
}

fn suits(module: &Module, barriers: &Barriers<'_>, nest: &Nest, this: &Elementwise) -> bool {
    let id = this.leaf;
    let part = module.loop_(id);
    let h = &part.header;
    let ordinary = !h.down
        && h.wide().is_none()
        && !h.is_auto()
        && h.step_span.is_none()
        && matches!(h.comparison, Comparison::Less | Comparison::LessEqual)
        && part.tile.as_ref().is_some_and(|t| !t.over_tiles);
    let small = this.work.straight_on_processor();
    // Nothing that has to stand at the beginning of the body.
    let bare = part.constants.trim().is_empty() && !part.uses_item_variables;
    ordinary
        && small.is_some_and(|n| n <= MOST_STREAMING)
        && this.guard.is_none()
        && bare
        && has_lanes(module, part)
        && !barriers.is_split(id)
        && !barriers.in_fibers(id)
        && !module.directives.iter().any(|d| nest.span.contains(d.span))
        && this.elements.iter().any(element_is_streamed)
        && bytes_streamed(this, nest).is_some()
}

/// Whether an array is only written, one element in each iteration.
pub(crate) fn element_is_streamed(e: &ElementAccess) -> bool {
    e.writes && !e.reads && e.distances() == 1 && e.uses.iter().all(|u| u.distance == 0)
}

/// How many bytes a nest writes so, as text, in floating point. `None` if device code cannot compute it.
pub(crate) fn bytes_streamed(this: &Elementwise, nest: &Nest) -> Option<String> {
    let size: usize = { this.elements.iter() }
        .filter(|e| element_is_streamed(e))
        .map(|e| e.scalar.size())
        .sum();
    let (known, unknown) = times_iterations(size as u64, nest)?;
    let factors = unknown.iter().map(|factor| format!("{factor} * "));
    Some(format!("{}{known}.0", factors.collect::<String>()))
}
