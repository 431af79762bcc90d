//! How bodies with barriers run on a backend: as they are, split, or one fiber an item.

use crate::backend::Model;
use crate::module::{Barriers, Collective, Construct, ConstructKind, LoopId, LoopKind, Module};
use std::collections::HashSet;

/// What is decided before anything is rewritten.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Innermost inner loops whose bodies are split at their barriers.
    split: HashSet<LoopId>,
    /// Inner loops around a split one: its phases check their conditions.
    deferred: HashSet<LoopId>,
    /// Loops in which each item is a fiber.
    fibers: HashSet<LoopId>,
    /// The roots of nests with such loops.
    waiting: HashSet<LoopId>,
    /// Loops whose barriers some items cannot reach.
    pub(super) unreachable: Vec<LoopId>,
}

impl Plan {
    /// `is_native` says which calls of functions of the group need nothing.
    pub(super) fn new(
        module: &Module,
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
        for index in 0..module.loops.len() {
            let id = LoopId::at(index);
            let this = module.loop_(id);
            if this.barriers == Barriers::None || !waiting.contains(&id) {
                continue;
            }
            let chain = chain(module, id);
            let cut = matches!(this.barriers, Barriers::Cuts(_) | Barriers::InLoops { .. });
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
                        (true, true) => plan.split_at(id, &chain),
                        (true, false) => plan.unreachable.push(id),
                        _ => {}
                    }
                }
                Model::Loops if cut && !this.continues_early && !this.stays_whole => {
                    plan.split_at(id, &chain)
                }
                Model::Loops => {
                    let top = chain.last().copied().unwrap_or(id);
                    plan.add_fibers(module, top);
                    plan.waiting.insert(module.root_of(top));
                }
            }
        }
        // A body is either one or the other.
        let fibers = plan.fibers.clone();
        plan.split.retain(|l| !fibers.contains(l));
        plan
    }

    fn split_at(&mut self, leaf: LoopId, chain: &[LoopId]) {
        self.split.insert(leaf);
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
        self.split.contains(&id)
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

/// The loop and the loops around it, up to the outermost inner one.
pub(super) fn chain(module: &Module, id: LoopId) -> Vec<LoopId> {
    let mut all = Vec::new();
    let mut inner = 0;
    let mut at = Some(id);
    while let Some(this) = at {
        let kind = module.loop_(this).kind;
        if kind == LoopKind::Outer {
            break;
        }
        all.push(this);
        if kind == LoopKind::Inner {
            inner = all.len();
        }
        at = module.loop_(this).parent;
    }
    all.truncate(inner);
    all
}
