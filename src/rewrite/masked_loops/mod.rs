//! Loops that items leave at different times, where loops stay loops: a block of items goes on together until the
//! last of them has left. Each is a lane; what it has is `brook_lanes.NAME[brook_lane]`, and a mask says whether it
//! is still there. Masks are values instead of branches, so that compilers make vectors of the lanes.
//!
//! - `mod.rs`: which loops, and what lanes have.
//! - `writer.rs`: the loop over lanes.

mod writer;

pub(super) use writer::Writer;

use super::spell;
use crate::backend::{Backend, Model};
use crate::expr::{Scalar, constant};
use crate::module::{
    Base, Construct, Kernel, KernelForm, LaneVariable, MaskedLoopPlan, MaskedLoopStage, Module,
    ParameterKind, Type,
};
use crate::options::Options;
use crate::source::{Edits, Overlap, Span};

/// Bytes of the largest number of all lanes. Two vectors of a processor that has 64 bytes in one, four where it has
/// 32: while one waits for its result, the others go on.
const BLOCK: usize = 128;

/// What vectors have components of.
const BASES: [Base; 9] = [
    Base::Bool,
    Base::Char,
    Base::UChar,
    Base::Short,
    Base::UShort,
    Base::Int,
    Base::UInt,
    Base::Float,
    Base::Double,
];

/// Whether such loops run over lanes on the backend.
pub(super) fn is_wanted(backend: &Backend, options: &Options) -> bool {
    backend.model == Model::Loops
        && backend.is_cpp()
        && !backend.spelling.masked_loop.is_empty()
        && !options.no_widen
}

/// What is asked of a module for each of its loops, found once.
pub(super) struct Lanes {
    /// How many a block has, in the whole program.
    pub(super) width: usize,
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
    pub(super) fn within<'m>(
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
pub(crate) fn width(module: &Module) -> usize {
    let functions = module
        .functions
        .iter()
        .filter_map(|f| f.masked_loop.as_ref());
    let kernels = module.kernels.iter().filter_map(|k| k.masked_loop.as_ref());
    let loops = || {
        let all = module.nests().flat_map(|n| &n.schedule.masked);
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
pub(crate) fn runs_masked_loop(
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

/// The fields that lanes need for variables.
pub(super) fn fields(variables: &[&LaneVariable], width: usize) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut fields = Vec::new();
    for v in variables {
        if !names.contains(&v.name.as_str()) {
            names.push(&v.name);
            let ty = match v.components {
                1 => lane_type(v.ty).to_string(),
                _ => type_name(v),
            };
            fields.push(format!("{ty} {}[{width}];", v.name));
        }
    }
    fields
}

/// The fields that lanes need besides.
pub(super) fn own_fields(plan: &MaskedLoopPlan, width: usize) -> Vec<String> {
    let mut fields = vec![format!("int brook_going[{width}];")];
    if plan.returns {
        fields.push(format!("int brook_returned[{width}];"));
        let result = plan.result.map(lane_type);
        fields.extend(result.map(|ty| format!("{ty} brook_result[{width}];")));
    }
    fields
}

/// A lane's variable as one of the names that the text has.
pub(super) fn load(v: &LaneVariable, constant: bool) -> String {
    let constant = if constant { "const " } else { "" };
    let truth = match v.ty {
        Scalar::Bool if v.components == 1 => " != 0",
        _ => "",
    };
    let (ty, name) = (type_name(v), &v.name);
    format!("{constant}{ty} {name} = brook_lanes.{name}[brook_lane]{truth};")
}

/// A type as lanes have it: truth values beside numbers would be converted at every step.
fn lane_type(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool => "int",
        other => other.c_name(),
    }
}

fn type_name(v: &LaneVariable) -> String {
    let vector = |base| spell(Type::vector(base, v.components), true);
    let base = BASES.into_iter().find(|b| b.scalar() == Some(v.ty));
    match base.filter(|_| v.components > 1) {
        Some(base) => vector(base),
        None => v.ty.c_name().to_string(),
    }
}

/// The other way.
pub(super) fn store(v: &LaneVariable) -> String {
    let name = &v.name;
    format!("brook_lanes.{name}[brook_lane] = {name};")
}

/// The text before a loop, where `return` notes that the lane has left; after `stores`.
pub(super) fn before(
    edits: &Edits,
    text: &str,
    plan: &MaskedLoopPlan,
    stores: &str,
) -> Result<String, Overlap> {
    let span = Span::new(plan.body.start + 1, plan.span.start);
    let mut edits = edits.within(span);
    for (statement, value) in &plan.early {
        let result = match value {
            Some(value) => {
                let value = edits.take(*value, text)?;
                // As a lane has it: a truth value is a number there.
                let value = match plan.result {
                    Some(Scalar::Bool) => format!("(bool)({value})"),
                    _ => value,
                };
                format!("brook_lanes.brook_result[brook_lane] = {value}; ")
            }
            None => String::new(),
        };
        edits.discard(*statement);
        let text =
            format!("{{ {stores}{result}brook_lanes.brook_returned[brook_lane] = 1; return; }}");
        edits.replace(*statement, text);
    }
    edits.take(span, text)
}
