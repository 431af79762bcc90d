//! How bodies with barriers run on a backend: as they are, split, or one fiber an item.

use crate::backend::Model;
use crate::module::{Collective, Construct, ConstructKind, LoopId, LoopKind, Module, Split};
use foldhash::{HashMap, HashSet};

/// Which loops over items run so.
#[derive(Debug, Default)]
pub(crate) struct Barriers<'m> {
    /// Innermost inner loops whose bodies are split at their barriers.
    split: HashMap<LoopId, &'m Split>,
    /// Inner loops around a split one: its phases check their conditions.
    deferred: HashSet<LoopId>,
    /// Loops in which each item is a fiber.
    fibers: HashSet<LoopId>,
    /// The roots of nests with such loops.
    waiting: HashSet<LoopId>,
    /// Loops whose barriers some items cannot reach.
    pub(crate) unreachable: Vec<LoopId>,
    /// Loops with barriers, between which and other loops over items there are loops over groups.
    pub(crate) interleaved: Vec<LoopId>,
}

impl<'m> Barriers<'m> {
    /// `is_native` says which calls of functions of the group need nothing.
    pub(crate) fn new(
        module: &'m Module,
        model: Model,
        is_native: &dyn Fn(&Collective) -> bool,
    ) -> Self {
        let mut all = Self::default();
        let waits = |construct: &Construct| match &construct.kind {
            ConstructKind::Barrier { inside, .. } => *inside,
            ConstructKind::Collective(call) => Some(call.inside).filter(|_| !is_native(call)),
            _ => None,
        };
        let waiting: HashSet<LoopId> = module.constructs.iter().filter_map(waits).collect();
        let cuts = module.nests().flat_map(|n| &n.legal.split);
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
                        (true, Some(split)) => all.split_at(split, &chain),
                        (true, None) => all.unreachable.push(id),
                        _ => {}
                    }
                }
                Model::Loops if interleaves(module, id) => all.interleaved.push(id),
                Model::Loops => {
                    let loops = cut.filter(|s| !this.continues_early && !s.stays_whole);
                    if let Some(split) = loops {
                        all.split_at(split, &chain);
                        continue;
                    }
                    let top = chain.last().copied().unwrap_or(id);
                    all.add_fibers(module, top);
                    all.waiting.insert(module.root_of(top));
                }
            }
        }
        // A body is either one or the other.
        let fibers = &all.fibers;
        all.split.retain(|l, _| !fibers.contains(l));
        all
    }

    fn split_at(&mut self, split: &'m Split, chain: &[LoopId]) {
        self.split.insert(split.leaf, split);
        self.deferred.extend(chain);
    }

    fn add_fibers(&mut self, module: &Module, top: LoopId) {
        self.fibers.insert(top);
        for &child in &module.loop_(top).children {
            self.add_fibers(module, child);
        }
    }

    /// The loop's body is split at its barriers.
    pub(crate) fn is_split(&self, id: LoopId) -> bool {
        self.split.contains_key(&id)
    }

    /// Where it is.
    pub(crate) fn split_of(&self, id: LoopId) -> Option<&'m Split> {
        self.split.get(&id).copied()
    }

    /// All loops that are split, and where.
    pub(crate) fn splits(&self) -> impl Iterator<Item = (LoopId, &'m Split)> {
        self.split.iter().map(|(id, split)| (*id, *split))
    }

    /// Its conditions are checked by the phases of a split loop inside it, or of its own.
    pub(crate) fn is_deferred(&self, id: LoopId) -> bool {
        self.deferred.contains(&id)
    }

    /// Each item of the loop is a fiber.
    pub(crate) fn in_fibers(&self, id: LoopId) -> bool {
        self.fibers.contains(&id)
    }

    /// Items of the nest with that root are fibers.
    pub(crate) fn has_fibers(&self, root: LoopId) -> bool {
        self.waiting.contains(&root)
    }
}

/// The loop and the loops around it, up to the outermost inner one, but for those over groups.
pub(crate) fn chain(module: &Module, id: LoopId) -> Vec<LoopId> {
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
