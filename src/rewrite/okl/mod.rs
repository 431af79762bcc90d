//! OKL for both execution models. How nests and the loops over their items run, the schedule says.
//!
//! - `mod.rs`: the pass over all constructs, and what both models share.
//! - `simt.rs`: loops become indices; `kernels.rs`: each outermost nest becomes a device kernel.
//! - `loops.rs`: loops stay loops, and groups are shared out; exclusive variables become arrays.
//! - `tiles.rs`: the last tile of a loop; `guard_sinking.rs`: which loop checks the conditions of several.
//! - `wide_access/`: items that run several iterations at once, `coarsening.rs`: one after the other.
//! - `lanes.rs`, `interchange.rs`, `accumulation.rs`: which loops are vectors, and which change places, where loops stay loops;
//!   `masked_loops.rs`: items that go on together until the last has left.
//! - `shared.rs`: group memory; `flat.rs`: arrays in it that lie in one piece, where loops stay loops; `matrices.rs`: matrices in it that lie the other way.
//! - `phases.rs`: bodies that are split at their barriers.
//! - `exclusive.rs`, `fibers.rs`: what items own, and items that wait for each other, where loops stay loops.
//! - `locals.rs`, `group.rs`: what stands around nests, and in them outside of inner loops.
//! - `spaces.rs`: what pointers point to, where targets want to know.
//! - `reads.rs`: reads that the target's compiler must not join with others; `exchanged.rs`: arrays that items change for
//!   one another.
//! - `atomics.rs`: how an atomic statement is written, `atomic_objects.rs`: one that moves bits; `collectives.rs`: calls of functions of a group.
//! - `intrinsics.rs`: calls of functions that each backend spells in its own way.
//! - `parameters.rs`: how a parameter of a device kernel is written.

mod accumulation;
mod atomic_objects;
mod atomics;
#[cfg(test)]
mod atomics_tests;
#[cfg(test)]
mod barriers_tests;
mod coarsening;
mod collectives;
mod exchanged;
mod exclusive;
mod fibers;
mod flat;
mod group;
mod guard_sinking;
mod interchange;
mod intrinsics;
mod kernels;
mod lanes;
mod locals;
mod loops;
mod masked_loops;
mod matrices;
mod parameters;
mod phases;
mod reads;
mod shared;
mod simt;
mod spaces;
mod streamed;
mod tiles;
mod wide_access;

pub(crate) use wide_access::wide_name;

use super::Rewritten;
use super::directives;
use super::text::parenthesized;
use crate::backend::{AddressSpaces, Backend, Model, Vectors};
use crate::diagnostics::{Code, Diagnostic, Sink, codes};
use crate::expr::Scalar;
use crate::extension::Changes;
use crate::module::{
    Construct, ConstructKind, Dimensions, KernelForm, Loop, LoopId, Module, Nest, Origin,
    PlacedConstant, VectorType,
};
use crate::options::Options;
use crate::rewrite::{Frame, Part, Use};
use crate::schedule::Schedule;
use crate::source::{Edits, Overlap, Span};
use collectives::Deposit;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use reads::Reads;
use shared::Memory;
use spaces::Spaces;
use std::collections::BTreeSet;
use std::fmt::Display;

/// The state of one rewrite.
struct Pass<'a> {
    module: &'a Module,
    text: &'a str,
    schedule: &'a Schedule<'a>,
    backend: &'a Backend,
    options: &'a Options,
    sink: &'a mut Sink,
    edits: Edits,
    uses: BTreeSet<Use>,
    memory: Memory,
    spaces: Spaces,
    /// Declarations moved to the beginning of a device kernel, by nest.
    hoisted: HashMap<LoopId, Vec<String>>,
    /// Declarations of locals that outlive a barrier, by the loop that is split there.
    carried: HashMap<LoopId, Vec<String>>,
    /// Those of locals that each phase of such a loop has anew.
    anew: HashMap<LoopId, Vec<String>>,
    /// The same for the results of functions of the group, where one stands for all items.
    results: HashMap<LoopId, Vec<String>>,
    /// Loops that are split and need the numbers of their items.
    numbered: HashSet<LoopId>,
    /// What is done before statements with calls of such functions, by the beginning of the statement.
    deposits: HashMap<u32, Vec<Deposit>>,
    /// The most items of nests whose memory for such functions is for no more.
    limited: HashMap<LoopId, u64>,
    /// How many results there are so far.
    values: usize,
    /// Nests that write past the caches.
    streamed: HashSet<LoopId>,
    /// What stands between the phases of loops that are split.
    boundaries: HashMap<LoopId, Vec<Span>>,
    /// The headers of rewritten loops, for the phases of split ones.
    headers: HashMap<LoopId, String>,
    /// Functions that blocks of items call.
    in_lanes: HashSet<usize>,
    reads: Reads,
    /// Conditions with several ways are marked: the target has to be told, and items wait somewhere.
    marks_ways: bool,
}

/// Whether items wait for one another anywhere.
fn has_barriers(module: &Module, options: &Options) -> bool {
    let implied = !options.no_auto_barriers;
    let around = |l: &Loop| implied && (l.barrier_before || l.barrier_after) || l.in_condition;
    let waits = |c: &Construct| {
        matches!(
            c.kind,
            ConstructKind::Barrier { .. } | ConstructKind::Collective(_)
        )
    };
    module.loops.iter().any(around) || module.constructs.iter().any(waits)
}

/// Rewrites an OKL module.
pub(super) fn rewrite(
    module: &Module,
    schedule: &Schedule<'_>,
    backend: &Backend,
    options: &Options,
    sink: &mut Sink,
) -> Result<Rewritten, Overlap> {
    let mut pass = Pass {
        module,
        text: &module.text,
        schedule,
        backend,
        options,
        sink,
        edits: Edits::new(),
        uses: BTreeSet::new(),
        spaces: match backend.lowering.address_spaces {
            AddressSpaces::Inferred => Spaces::new(module),
            AddressSpaces::None => Spaces::default(),
        },
        memory: Memory::new(module, backend.lowering.static_shared),
        hoisted: HashMap::new(),
        carried: HashMap::new(),
        anew: HashMap::new(),
        results: HashMap::new(),
        numbered: HashSet::new(),
        deposits: HashMap::new(),
        limited: HashMap::new(),
        values: 0,
        streamed: HashSet::new(),
        boundaries: phases::boundaries(module, schedule),
        headers: HashMap::new(),
        in_lanes: HashSet::new(),
        marks_ways: backend.lowering.several_ways && has_barriers(module, options),
        reads: match backend.lowering.joins_reads {
            true => Reads::new(module, !backend.is_cpp()),
            false => Reads::default(),
        },
    };
    // First, so that whoever takes text takes it with its directives.
    directives::rewrite(module, schedule, backend, &mut pass.edits);
    pass.scattered();
    pass.extensions(|_| true);
    pass.drop_promises();
    pass.check_barriers();
    let mut index = 0;
    while let Some(construct) = module.constructs.get(index) {
        if let Some((function, forms)) = pass.forms_at(index) {
            pass.forms(function, &forms)?;
            index = function.constructs.1;
        } else {
            pass.construct(construct)?;
            index += 1;
        }
    }
    pass.wide_bodies()?;
    pass.masked_functions()?;
    pass.file_scope();
    let (device_kernels, frames, host) = match backend.model {
        Model::Simt => pass.device_kernels()?,
        Model::Loops => {
            let (functions, host) = pass.functions();
            let frames = vec![Frame::default(); functions.len()];
            (functions, frames, host)
        }
    };
    let (text, map) = pass.edits.apply(&module.text)?;
    Ok(Rewritten {
        text,
        map,
        device_kernels,
        frames,
        host,
        uses: pass.uses,
    })
}

impl<'a> Pass<'a> {
    fn error(&mut self, code: &'static Code, span: Span, arguments: &[&dyn Display]) {
        self.sink.push(Diagnostic::at(
            code,
            &self.module.provenance,
            span,
            arguments,
        ));
    }

    /// Lets extensions write what stands where `wanted` says so.
    fn extensions(&mut self, wanted: impl Fn(Span) -> bool) {
        for site in self.module.sites.iter().filter(|s| wanted(s.attribute)) {
            if let Some(extension) = self.options.extensions.get(site.extension) {
                let mut changes = Changes::new(&self.module.text, &mut self.edits);
                extension.lower(site, self.backend, &mut changes);
            }
        }
    }

    fn nest_of_root(&self, root: LoopId) -> Option<&'a Nest> {
        self.module.nest_of_root(root)
    }

    fn text_after(&self, span: Span) -> &'a str {
        self.text.get(span.end as usize..).unwrap_or("")
    }

    fn is_simt(&self) -> bool {
        self.backend.model == Model::Simt
    }

    /// Whether it belongs to the host's part of a kernel, which device code is made without.
    fn stays_with_host(&self, span: Span) -> bool {
        let kernel = self.module.kernels.iter().find(|k| k.body.contains(span));
        self.is_simt()
            && kernel.is_some_and(|kernel| match &kernel.form {
                KernelForm::Okl { nests } => {
                    let locals = kernel.locals.iter().map(|l| l.span);
                    let mut kept = nests.iter().map(|n| n.span).chain(locals);
                    !kept.any(|k| k.contains(span))
                }
                _ => false,
            })
    }

    fn construct(&mut self, construct: &Construct) -> Result<(), Overlap> {
        let span = construct.span;
        match &construct.kind {
            ConstructKind::NoC(what) if !self.backend.is_cpp() && !self.stays_with_host(span) => {
                let name = self.backend.name.clone();
                self.error(&codes::NO_C_FORM, span, &[what, &name]);
            }
            ConstructKind::Exception if self.is_simt() && !self.stays_with_host(span) => {
                let name = self.backend.name.clone();
                self.error(&codes::EXCEPTION, span, &[&name]);
            }
            ConstructKind::InC(text) if !self.backend.is_cpp() => match span.is_empty() {
                // What closes belongs to what stands before it, whoever takes that.
                true if text == ")" => self.edits.append(span.start, ")"),
                true => self.edits.insert(span.start, text.clone()),
                // Pointers' types are written with C's word.
                false if self.backend.spelling.restrict.is_empty() => {
                    self.edits.replace(span, text.replace("*restrict", "*"))
                }
                false => self.edits.replace(span, text.clone()),
            },
            ConstructKind::RealBound { up } => {
                let end = self.edits.take(span, self.text)?;
                let end = parenthesized(end.trim());
                let (change, compare) = if *up { ('+', '<') } else { ('-', '>') };
                let whole = format!("((long){end} {change} ((long){end} {compare} {end}))");
                self.edits.replace(span, whole);
            }
            ConstructKind::Overload if !self.backend.is_cpp() => {
                let overloadable = &self.backend.spelling.overloadable;
                self.edits
                    .insert_before(span.start, format!("{overloadable} "));
            }
            // What its first operand becomes is a part of what is converted.
            ConstructKind::ConvertedInC(to) if !self.backend.is_cpp() => {
                self.edits.insert_outermost(span.start, format!("({to})("));
            }
            ConstructKind::SharedAddress if self.backend.lowering.hidden_addresses => {
                self.uses.insert(Part::SharedAddress.into());
                self.edits
                    .insert_before(span.start, "brook_shared_address(");
                self.edits.append(span.end, ")");
            }
            ConstructKind::TruthIndex if self.backend.lowering.opaque_truths => {
                self.uses.insert(Part::Truths.into());
                self.edits.insert_before(span.start, "brook_number(");
                self.edits.append(span.end, ")");
            }
            ConstructKind::SeveralWays { cases }
                if self.marks_ways && !self.stays_with_host(span) =>
            {
                self.uses.insert(Part::SeveralWays.into());
                let name = if *cases { "VALUES" } else { "WAYS" };
                self.edits
                    .insert_before(span.start, format!("BROOK_SEVERAL_{name} ("));
                self.edits.append(span.end, ")");
            }
            ConstructKind::Address if !self.backend.is_cpp() => {
                self.edits.insert_before(span.start, "&")
            }
            ConstructKind::Temporary(words) if !self.backend.is_cpp() => {
                self.uses.insert(Part::Temporaries.into());
                let text = self.backend.spelling.temporary.replace("{type}", words);
                let (before, behind) = text.split_once("{value}").unwrap_or((&text, ""));
                self.edits.insert_before(span.start, before.to_string());
                self.edits.append(span.end, behind.to_string());
            }
            ConstructKind::ComponentAddress {
                base,
                arrow,
                vector,
                index,
                pointer,
            } if !self.backend.is_cpp() => {
                let base = self.edits.take(*base, self.text)?;
                let origin = Origin::Pointer(*pointer);
                let address = self.component_pointer((&base, *vector), *arrow, *index, origin);
                self.edits.discard(span);
                self.edits.replace(span, address);
            }
            ConstructKind::Constant(text) => self.edits.insert(span.start, text.clone()),
            ConstructKind::Converted(to) if self.backend.lowering.exact_calls => {
                let text = match to {
                    // What closes belongs to what stands before it, whoever takes that.
                    None => {
                        self.edits.append(span.start, ")");
                        return Ok(());
                    }
                    // Not every OpenCL device has double.
                    Some(Scalar::Double) if !self.backend.is_cpp() => "(brook_double)(".to_string(),
                    Some(to) => format!("({})(", to.c_name()),
                };
                self.edits.insert_outermost(span.start, text);
            }
            ConstructKind::Quotient(begins) if self.backend.lowering.opaque_quotients => {
                self.uses.insert(Part::Opaque.into());
                match begins {
                    true => self.edits.insert_outermost(span.start, "brook_opaque("),
                    false => self.edits.append(span.start, ")"),
                }
            }
            // The prelude includes C's header for printf.
            ConstructKind::Std if self.is_simt() || self.text_after(span).starts_with("printf") => {
                self.edits.delete(span);
            }
            ConstructKind::Number(text)
                if !self.backend.spelling.constant.is_empty()
                    || self.backend.lowering.computed_constants =>
            {
                self.edits.discard(span);
                self.edits.replace(span, text.clone());
            }
            ConstructKind::LiteralType(name) if self.backend.is_cpp() => {
                self.edits.discard(span);
                self.edits.replace(span, name.clone());
            }
            ConstructKind::Ordered(values) if self.backend.is_cpp() => {
                let mut texts = Vec::with_capacity(values.len());
                for value in values {
                    texts.push(match value {
                        Some(value) => self.edits.take(*value, self.text)?,
                        None => "{}".to_string(),
                    });
                }
                self.edits
                    .replace(span, format!("{{{}}}", texts.join(", ")));
            }
            ConstructKind::ParameterType(text) if !self.backend.is_cpp() => {
                self.edits.discard(span);
                self.edits.replace(span, *text);
            }
            ConstructKind::Constants { values, placed } if !self.backend.is_cpp() => {
                self.enumerate(span, values, placed);
            }
            ConstructKind::InLists(text)
                if !self.backend.is_cpp() || self.backend.lowering.whole_lists =>
            {
                match text == "{" {
                    true => self.edits.insert(span.start, "{"),
                    false => self.edits.append(span.start, text.clone()),
                }
            }
            ConstructKind::NullPointer { function, ty } if self.has_forms(function) => {
                // The form for global memory, as for whatever leads nowhere else.
                let text = format!("({} {ty})0", self.backend.spelling.global);
                self.edits.discard(span);
                self.edits.replace(span, text);
            }
            ConstructKind::EnumeratorsBegin if !self.backend.is_cpp() => {
                self.edits.discard(span);
                self.edits.replace(span, "enum { ");
            }
            ConstructKind::ConstantPointer if !self.backend.is_cpp() => {
                let constant = &self.backend.spelling.constant;
                if !constant.is_empty() {
                    self.edits.insert(span.start, format!("{constant} "));
                }
            }
            ConstructKind::VectorName { ty, makes } => self.vector_name(span, *ty, *makes),
            ConstructKind::Attribute => self.edits.delete_word(span, self.text),
            ConstructKind::Restrict { at } => {
                self.edits.delete_word(span, self.text);
                let keyword = self.backend.spelling.restrict.as_str();
                if !keyword.is_empty() && self.keeps_promise(span) {
                    let after = self.text.as_bytes().get(*at as usize);
                    let gap = if after.is_some_and(u8::is_ascii_whitespace) {
                        ""
                    } else {
                        " "
                    };
                    self.edits.insert(*at, format!(" {keyword}{gap}"));
                }
            }
            ConstructKind::Read(access) => self.read(span, *access),
            ConstructKind::Pointer { at, pointer } => self.pointer(*at, *pointer),
            ConstructKind::Pointers {
                at,
                names,
                again,
                lifetime,
            } => self.pointers(span, *at, names, again.as_ref(), *lifetime)?,
            ConstructKind::Dim {
                base,
                indices,
                dimensions,
            } => {
                self.dimension_access(span, *base, indices, dimensions)?;
            }
            ConstructKind::Intrinsic { name, arguments } => {
                self.intrinsic(span, name, arguments)?
            }
            ConstructKind::Collective(call) => self.collective(span, call)?,
            ConstructKind::Aligned(bytes) => self.aligned(span, *bytes),
            ConstructKind::Atomic(atomic) => self.atomic(span, atomic)?,
            ConstructKind::Critical { attribute } => self.critical(span, *attribute),
            ConstructKind::Loop(id) if self.is_simt() => self.simt_loop(*id)?,
            ConstructKind::Loop(id) if self.is_fiber_loop(*id) => self.fiber_loop(*id)?,
            ConstructKind::Loop(id) => self.host_loop(*id)?,
            ConstructKind::Barrier { scope, inside } => self.barrier(span, *scope, *inside),
            ConstructKind::Shared {
                attribute,
                words,
                variables,
                element,
                of_kernel,
                ahead,
                nest,
            } => {
                let of_type = (*element, *of_kernel, ahead.as_ref());
                self.shared(span, *attribute, *words, variables, of_type, *nest)?;
            }
            ConstructKind::SharedElement { variable, brackets } => {
                self.shared_element(span, *variable, brackets);
            }
            ConstructKind::MatrixAccess(access) => self.matrix_access(access)?,
            ConstructKind::ItemVariables {
                variables,
                words,
                nest,
                lifetime,
            } => self.item_variables(span, variables, *words, *nest, *lifetime)?,
            ConstructKind::ItemVariableUse {
                end,
                by_item,
                nest,
                lifetime,
            } => self.item_variable_use(span, *end, *by_item, *nest, *lifetime),
            ConstructKind::GroupStatement { nest } => self.group_statement(span, *nest),
            ConstructKind::OnceStatement { within } => self.once_statement(span, *within),
            ConstructKind::GroupDeclaration {
                nest,
                words,
                scalar,
                name,
                value,
            } => self.group_declaration(span, *nest, *words, *scalar, name, *value)?,
            ConstructKind::EachItem { nest } => self.each_item(span, *nest),
            ConstructKind::Continue { ends, early: true }
                if self.schedule.barriers.is_split(*ends) =>
            {
                self.edits
                    .replace(span, "{ brook_active = false; continue; }");
            }
            ConstructKind::Return { ends, direct } => self.returns(span, *ends, *direct),
            // What is left belongs to Brook+.
            _ => {}
        }
        Ok(())
    }

    /// Integer constants, as C has them everywhere: in sizes of arrays, too.
    fn enumerate(&mut self, span: Span, values: &[(String, i64)], placed: &[PlacedConstant]) {
        let small = values.iter().all(|(_, n)| i32::try_from(*n).is_ok());
        let constant = &self.backend.spelling.constant;
        if small && !values.is_empty() {
            let list: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            self.edits.discard(span);
            let mut text = format!("enum {{ {} }};", list.join(", "));
            for p in placed {
                let (ty, place, value) = (p.scalar.c_name(), &p.place, p.value);
                text.push_str(&format!(" {constant} const {ty} {place} = {value};"));
            }
            self.edits.replace(span, text);
        } else if !constant.is_empty() {
            self.edits.insert(span.start, format!("{constant} "));
        }
    }

    fn vector_name(&mut self, span: Span, ty: VectorType, makes: bool) {
        let own = match self.backend.lowering.vectors {
            Vectors::Mixed => ty.width == 3 || ty.size() > 16,
            _ => false,
        };
        self.uses.insert(Part::Vectors.into());
        if makes {
            self.uses.insert(Part::OklMakes.into());
            self.uses.insert(Use::OklMake(ty));
        }
        self.uses.insert(Use::OklVector(ty));
        if own {
            let prefix = if makes { "brook_make_" } else { "brook_" };
            self.edits.replace(span, format!("{prefix}{ty}"));
        }
    }

    /// `m(i, j)` becomes `m[i + X * (j)]`.
    fn dimension_access(
        &mut self,
        span: Span,
        base: Span,
        indices: &[Span],
        dimensions: &Dimensions,
    ) -> Result<(), Overlap> {
        let base = self.edits.take(base, self.text)?;
        let mut texts = Vec::with_capacity(indices.len());
        for index in indices {
            texts.push(self.edits.take(*index, self.text)?);
        }
        // From the slowest dimension to the fastest: Horner's scheme over memory order.
        let mut offset = String::new();
        for &which in dimensions.order.iter().rev() {
            let index = texts.get(which).map_or("", String::as_str);
            let extent = dimensions.extents.get(which).map_or("", String::as_str);
            offset = match offset.is_empty() {
                true => parenthesized(index),
                false => format!(
                    "{} + {} * {}",
                    parenthesized(index),
                    parenthesized(extent),
                    parenthesized(&offset)
                ),
            };
        }
        self.edits.replace(span, format!("{base}[{offset}]"));
        Ok(())
    }

    /// Markers of functions and constants at file scope.
    fn file_scope(&mut self) {
        let function = self.backend.spelling.function.clone();
        if !function.is_empty() {
            for f in &self.module.functions {
                self.edits.insert(f.marker, format!("{function} "));
            }
        }
        let constant = self.backend.spelling.constant.clone();
        if !constant.is_empty() {
            let addressed = &self.backend.spelling.addressed_constant;
            for span in &self.module.constants {
                let all = &self.module.addressed;
                let at = all.binary_search_by_key(&span.start, |s| s.start);
                let is_addressed = !addressed.is_empty() && at.is_ok();
                let word = if is_addressed { addressed } else { &constant };
                self.edits.insert(span.start, format!("{word} "));
            }
        }
    }
}
