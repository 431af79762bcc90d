//! How bodies with barriers run on a backend: as they are, split, or one fiber an item.

use crate::backend::Model;
use crate::lex;
use crate::module::{
    Collective, Construct, ConstructKind, LoopId, LoopKind, MaskedLoopItems, Module, Split,
};
use crate::rewrite::text::indentation;
use crate::source::Span;
use foldhash::{HashMap, HashSet};

/// What is decided before anything is rewritten.
#[derive(Debug, Default)]
pub(super) struct Plan<'m> {
    /// Innermost inner loops whose bodies are split at their barriers.
    split: HashMap<LoopId, Phases<'m>>,
    /// Innermost loops over items that blocks of these may run together.
    masked: HashMap<LoopId, &'m MaskedLoopItems>,
    /// Inner loops around a split one: its phases check their conditions.
    deferred: HashSet<LoopId>,
    /// Loops in which each item is a fiber.
    fibers: HashSet<LoopId>,
    /// The roots of nests with such loops.
    waiting: HashSet<LoopId>,
    /// Loops whose barriers some items cannot reach.
    pub(super) unreachable: Vec<LoopId>,
    /// Loops with barriers, between which and other loops over items there are loops over groups.
    pub(super) interleaved: Vec<LoopId>,
}

/// How a body is split.
#[derive(Debug)]
struct Phases<'m> {
    at: &'m Split,
    /// What stands between phases, in source order.
    boundaries: Vec<Span>,
}

impl<'m> Plan<'m> {
    /// `is_native` says which calls of functions of the group need nothing.
    pub(super) fn new(
        module: &'m Module,
        model: Model,
        is_native: &dyn Fn(&Collective) -> bool,
    ) -> Self {
        let mut plan = Self::default();
        let waits = |construct: &Construct| match &construct.kind {
            ConstructKind::Barrier { inside, .. } => *inside,
            ConstructKind::Collective(call) => Some(call.inside).filter(|_| !is_native(call)),
            _ => None,
        };
        let waiting: HashSet<LoopId> = module.constructs.iter().filter_map(waits).collect();
        let masked = module.nests().flat_map(|n| &n.schedule.masked);
        plan.masked = masked.map(|items| (items.leaf, items)).collect();
        let cuts = module.nests().flat_map(|n| &n.schedule.split);
        let cuts: HashMap<LoopId, &Split> = cuts.map(|s| (s.leaf, s)).collect();
        for index in 0..module.loops.len() {
            let id = LoopId::at(index);
            let this = module.loop_(id);
            if !this.waits || !waiting.contains(&id) {
                continue;
            }
            let chain = chain(module, id);
            let cut = cuts.get(&id).copied();
            match model {
                Model::Simt => {
                    let partial = this.continues_early
                        || chain.iter().any(|l| {
                            let l = module.loop_(*l);
                            l.guarded
                                || !l.absent.is_empty()
                                || l.tile.as_ref().is_some_and(|t| t.check && !t.over_tiles)
                        });
                    match (partial, cut) {
                        (true, Some(split)) => plan.split_at(module, split, &chain),
                        (true, None) => plan.unreachable.push(id),
                        _ => {}
                    }
                }
                Model::Loops if interleaves(module, id) => plan.interleaved.push(id),
                Model::Loops => {
                    let loops = cut.filter(|s| !this.continues_early && !s.stays_whole);
                    if let Some(split) = loops {
                        plan.split_at(module, split, &chain);
                        continue;
                    }
                    let top = chain.last().copied().unwrap_or(id);
                    plan.add_fibers(module, top);
                    plan.waiting.insert(module.root_of(top));
                }
            }
        }
        // A body is either one or the other.
        let fibers = plan.fibers.clone();
        plan.split.retain(|l, _| !fibers.contains(l));
        plan
    }

    fn split_at(&mut self, module: &Module, split: &'m Split, chain: &[LoopId]) {
        let phases = Phases {
            at: split,
            boundaries: boundaries(module, split),
        };
        self.split.insert(split.leaf, phases);
        self.deferred.extend(chain);
    }

    fn add_fibers(&mut self, module: &Module, top: LoopId) {
        self.fibers.insert(top);
        for &child in &module.loop_(top).children {
            self.add_fibers(module, child);
        }
    }

    /// The loop's body is split at its barriers.
    pub(super) fn is_split(&self, id: LoopId) -> bool {
        self.split.contains_key(&id)
    }

    /// Where it is.
    pub(super) fn split_of(&self, id: LoopId) -> Option<&'m Split> {
        self.split.get(&id).map(|phases| phases.at)
    }

    /// What the body of a loop over items is cut into that blocks of these may run together.
    pub(super) fn masked(&self, id: LoopId) -> Option<&'m MaskedLoopItems> {
        self.masked.get(&id).copied()
    }

    /// What stands before a place of such a loop, and what behind it, between two phases: barriers, and the two ends of
    /// loops with barriers. A phase in which values are given to functions of the group has something in it.
    pub(super) fn boundaries_at(&self, id: LoopId, at: u32) -> (Option<Span>, Option<Span>) {
        let Some(phases) = self.split.get(&id) else {
            return (None, None);
        };
        let all = &phases.boundaries;
        let before = all.partition_point(|b| b.end <= at);
        let behind = all.partition_point(|b| b.start < at);
        let before = before.checked_sub(1).and_then(|i| all.get(i));
        (before.copied(), all.get(behind).copied())
    }

    /// Its conditions are checked by the phases of a split loop inside it, or of its own.
    pub(super) fn is_deferred(&self, id: LoopId) -> bool {
        self.deferred.contains(&id)
    }

    /// Each item of the loop is a fiber.
    pub(super) fn in_fibers(&self, id: LoopId) -> bool {
        self.fibers.contains(&id)
    }

    /// Items of the nest with that root are fibers.
    pub(super) fn has_fibers(&self, root: LoopId) -> bool {
        self.waiting.contains(&root)
    }
}

/// The loop and the loops around it, up to the outermost inner one, but for those over groups.
pub(super) fn chain(module: &Module, id: LoopId) -> Vec<LoopId> {
    let mut all = Vec::new();
    let mut inner = 0;
    let mut at = Some(id);
    while let Some(this) = at {
        let kind = module.loop_(this).kind;
        if kind != LoopKind::Outer {
            all.push(this);
        }
        if kind == LoopKind::Inner {
            inner = all.len();
        }
        at = module.loop_(this).parent;
    }
    all.truncate(inner);
    all
}

/// Whether a loop over groups stands between the loop and one over items around it.
fn interleaves(module: &Module, id: LoopId) -> bool {
    let parent = |id: &LoopId| module.loop_(*id).parent;
    let mut chain = std::iter::successors(Some(id), parent).map(|id| module.loop_(id).kind);
    chain.any(|kind| kind == LoopKind::Outer) && chain.any(|kind| kind == LoopKind::Inner)
}

fn boundaries(module: &Module, split: &Split) -> Vec<Span> {
    let barriers = split.cuts.iter().filter(|c| !c.is_empty()).copied();
    let ends = split.loops.iter().flat_map(|(statement, body)| {
        let head = Span::new(loop_start(module, *statement), body.start + 1);
        [head, Span::new(body.end - 1, statement.end)]
    });
    let mut all: Vec<Span> = barriers.chain(ends).collect();
    all.sort_unstable();
    all
}

/// Where a loop begins with the pragmas before it: where the line of the first one begins.
pub(super) fn loop_start(module: &Module, statement: Span) -> u32 {
    let (text, all) = (&module.text, &module.directives);
    let blank = |from: u32, to: u32| lex::is_blank(Span::new(from, to).of(text));
    let mut at = statement.start;
    let behind = all.partition_point(|d| d.span.end <= at);
    for directive in all.iter().take(behind).rev() {
        if !blank(directive.span.end, at) {
            break;
        }
        at = directive.span.start;
    }
    match at == statement.start {
        true => at,
        false => at - indentation(text, at).len() as u32,
    }
}
