//! How the groups and items of each nest run on a target that has both.

use super::coarsening::iterations;
use super::wide_access::Wide;
use crate::backend::{Backend, Model};
use crate::expr::{self, BinaryOperator, Expr};
use crate::module::{KernelForm, LoopId, Module, Nest};
use crate::options::{Choices, Options};
use foldhash::{HashMap, HashMapExt};

/// How a nest runs.
#[derive(Clone, Debug)]
pub(crate) struct NestSchedule {
    /// Items run several iterations of the program's innermost loop at once.
    pub(crate) wide: Option<Wide>,
    /// Items run so many iterations of that outer loop, one after the other.
    pub(crate) coarse: Option<(LoopId, usize)>,
}

/// The schedules of all nests that do not run as the program says it, by their outermost loops.
pub(super) fn schedules(
    module: &Module,
    backend: &Backend,
    options: &Options,
) -> HashMap<LoopId, NestSchedule> {
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
            let schedule = NestSchedule::of(module, backend, nest, choices)?;
            Some((nest.root, schedule))
        })
    });
    found.collect()
}

impl NestSchedule {
    fn of(module: &Module, backend: &Backend, nest: &Nest, choices: Choices) -> Option<Self> {
        if let Some((wide, coarse)) = Wide::of(module, backend, nest, choices) {
            let wide = Some(wide);
            return Some(Self { wide, coarse });
        }
        // What stands before such an iteration needs lines of its own.
        let coarse = iterations(module, nest, choices.coarsen);
        let coarse = Some(coarse.filter(|(outer, _)| module.loop_(*outer).block)?);
        Some(Self { wide: None, coarse })
    }

    /// How many groups a launch has along an axis, of a nest that has so many.
    pub(crate) fn groups(&self, module: &Module, nest: &Nest, axis: usize, groups: &Expr) -> Expr {
        if let Some(wide) = self.wide.as_ref().filter(|_| axis == 0) {
            let outer = nest.legal.wide.as_ref().map(|w| module.loop_(w.outer));
            let tile = outer.and_then(|o| o.tile.as_ref());
            return match tile.filter(|_| wide.shift > 0) {
                Some(tile) => {
                    let shift = Expr::int(wide.shift as i32);
                    let iterations =
                        Expr::binary(BinaryOperator::Add, tile.iterations.clone(), shift);
                    shared_out(&iterations, wide.width * wide.items)
                }
                None => shared_out(groups, wide.width),
            };
        }
        match self.coarse {
            Some((outer, many)) if module.loop_(outer).axis == axis => shared_out(groups, many),
            _ => groups.clone(),
        }
    }
}

/// `(groups + 3) / 4`
fn shared_out(groups: &Expr, width: usize) -> Expr {
    let int = |n: usize| Expr::int(n as i32);
    let up = Expr::binary(BinaryOperator::Add, groups.clone(), int(width - 1));
    expr::simplify(&Expr::binary(BinaryOperator::Divide, up, int(width)))
}
