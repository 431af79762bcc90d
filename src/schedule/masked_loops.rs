//! Loops that items leave at different times, where loops stay loops: which run over lanes, and how many these are
//! (`rewrite/masked_loops/` says what becomes of them).

use crate::backend::{Backend, Model};
use crate::expr::constant;
use crate::module::{
    Construct, Kernel, KernelForm, MaskedLoopPlan, MaskedLoopStage, Module, ParameterKind,
};
use crate::options::Options;
use crate::source::Span;

/// Bytes of the largest number of all lanes. Two vectors of a processor that has 64 bytes in one, four where it has
/// 32: while one waits for its result, the others go on.
const BLOCK: usize = 128;

/// Whether such loops run over lanes on the backend.
pub(super) fn is_wanted(backend: &Backend, options: &Options) -> bool {
    backend.model == Model::Loops
        && backend.is_cpp()
        && !backend.spelling.masked_loop.is_empty()
        && !options.no_widen
}

/// What is asked of a module for each of its loops, found once.
pub(crate) struct Lanes {
    /// How many a block has, in the whole program.
    pub(crate) width: usize,
    /// The constructs by where they begin.
    places: Vec<usize>,
}

impl Lanes {
    pub(super) fn new(module: &Module) -> Self {
        let mut places: Vec<usize> = (0..module.constructs.len()).collect();
        places.sort_by_key(|&at| module.constructs.get(at).map(|c| c.span.start));
        Self {
            width: width(module),
            places,
        }
    }

    /// The constructs in a text, with their numbers.
    pub(crate) fn within<'m>(
        &self,
        module: &'m Module,
        span: Span,
    ) -> impl Iterator<Item = (usize, &'m Construct)> {
        let of = move |at: usize| module.constructs.get(at);
        let before = |&at: &usize| of(at).is_some_and(|c| c.span.start < span.start);
        let first = self.places.partition_point(before);
        let all = self.places.get(first..).unwrap_or_default().iter();
        let all = all.filter_map(move |&at| Some((at, of(at)?)));
        all.take_while(move |(_, c)| c.span.start <= span.end)
            .filter(move |(_, c)| span.contains(c.span))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// How many lanes a block has, in the whole program.
fn width(module: &Module) -> usize {
    let functions = module
        .functions
        .iter()
        .filter_map(|f| f.masked_loop.as_ref());
    let kernels = module.kernels.iter().filter_map(|k| k.masked_loop.as_ref());
    let loops = || {
        let all = module.nests().flat_map(|n| &n.legal.masked);
        all.map(|items| (module.loop_(items.leaf), items))
    };
    let stages = loops().flat_map(|(_, items)| &items.stages);
    let own = stages.filter_map(|stage| match stage {
        MaskedLoopStage::Loop(found) => Some(&**found),
        MaskedLoopStage::Calls(..) => None,
    });
    let all = functions.chain(kernels).chain(own);
    let width = BLOCK / all.map(MaskedLoopPlan::widest).fold(4, usize::max);
    // No more than there are items, where that is known of all.
    let mut most = Some(0);
    for (this, _) in loops() {
        let count = constant(&this.count).and_then(|n| usize::try_from(n).ok());
        most = most.zip(count).map(|(most, count)| most.max(count));
    }
    match most {
        Some(most @ 1..) => width.min(most.next_power_of_two()),
        _ => width,
    }
}

/// Whether a Brook+ kernel runs its loop over lanes.
pub(super) fn runs_masked_loop(
    module: &Module,
    kernel: &Kernel,
    backend: &Backend,
    options: &Options,
) -> bool {
    let Some(plan) = &kernel.masked_loop else {
        return false;
    };
    let safe = |name: &str| backend.safe_name(name) == name;
    let scatters = |p: &ParameterKind| matches!(p, ParameterKind::Scatter(_));
    is_wanted(backend, options)
        && plan.variables.iter().all(|v| safe(&v.name))
        && plan.statements.iter().all(|s| s.all_names(&safe))
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && !kernel.parameters.iter().any(|p| scatters(&p.kind))
        && !has_directives(module, kernel.span)
}

/// Whether lines for the vendor's compiler, or attributes of extensions, stand in a text: they belong to what is there.
pub(super) fn has_directives(module: &Module, span: Span) -> bool {
    module.directives.iter().any(|d| span.contains(d.span))
        || module.sites.iter().any(|s| span.contains(s.attribute))
}
