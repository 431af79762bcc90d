//! How the groups and items of each nest run on a target that has both.

use super::{coarsening, wide_access};
use crate::backend::{Backend, Model};
use crate::module::{KernelForm, LoopId, Module, Nest};
use crate::options::{Choices, Options};
use std::collections::HashMap;

/// How a nest runs.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// So many iterations of the program's innermost loop an item runs at once, each with elements of its own, side by side.
    pub(super) wide: usize,
    /// Items run so many iterations of that outer loop, one after the other.
    pub(super) coarse: Option<(LoopId, usize)>,
}

/// The schedules of all nests that do not run as the program says it, by their outermost loops.
pub(super) fn schedules(
    module: &Module,
    backend: &Backend,
    options: &Options,
) -> HashMap<LoopId, Schedule> {
    if backend.model != Model::Simt || options.no_widen {
        return HashMap::new();
    }
    let found = module.kernels.iter().flat_map(|kernel| {
        let nests = match &kernel.form {
            KernelForm::Okl { nests } => nests.as_slice(),
            _ => &[],
        };
        let choices = options.choices_of(module.asked_name(&kernel.name));
        nests.iter().filter_map(move |nest| {
            let schedule = Schedule::of(module, backend, nest, choices)?;
            Some((nest.root, schedule))
        })
    });
    found.collect()
}

impl Schedule {
    fn of(module: &Module, backend: &Backend, nest: &Nest, choices: Choices) -> Option<Self> {
        if let Some(wide) = wide_access::width(module, backend, nest, choices.elements) {
            return Some(Self { wide, coarse: None });
        }
        let coarse = coarsening::iterations(module, nest, choices.coarsen)?;
        let coarse = Some(coarse);
        Some(Self { wide: 1, coarse })
    }

    /// How many of the program's groups are one of the launch, by axis.
    pub(super) fn groups_in_one(&self, module: &Module) -> [usize; 3] {
        let mut all = [self.wide, 1, 1];
        if let Some((outer, iterations)) = self.coarse
            && let Some(axis) = all.get_mut(module.loop_(outer).axis)
        {
            *axis *= iterations;
        }
        all
    }
}
