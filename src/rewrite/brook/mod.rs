//! Brook+ kernels: the user's function becomes a device function on values; what maps it over
//! streams is a block rendered from a template, as the schedule says.
//!
//! - `mod.rs`: the pass over all constructs.
//! - `groups.rs`: functions of all items of a group.
//! - `operators.rs`: operators, casts, swizzles, constructors.
//! - `wrap.rs`: integers that may overflow.
//! - `memory.rs`: gathers, scatters, calls and parameters.
//! - `launch.rs`: the functions that are launched, and the host's part of each kernel.
//! - `counted_loops.rs`: gathers whose floating-point indices are integers.
//! - `row_gathers.rs`: gathers that read side by side along rows.
//! - `masked_loops.rs`: kernels with loops that elements leave at different times.

#[cfg(test)]
mod contraction_tests;
mod counted_loops;
mod groups;
mod launch;
mod masked_loops;
mod memory;
mod operators;
mod row_gathers;
mod wrap;

pub(crate) use groups::memory_of_group;
#[cfg(feature = "runtime")]
pub(crate) use launch::{ACROSS, ONE_ROW};
pub(crate) use launch::{GROUP, group_bounds};
pub(crate) use memory::{Memory, pointer, reads_apart, stored_type};
pub(crate) use row_gathers::offset;
pub(crate) use wrap::joined;

use super::{Rewritten, directives};
use crate::backend::{AddressSpaces, Backend, Model};
use crate::module::{Base, Construct, ConstructKind, Kernel, KernelForm, Module, Type};
use crate::options::Options;
use crate::rewrite::{Part, Use};
use crate::schedule::{MapSchedule, Schedule};
use crate::source::{Edits, Overlap, Span};
use foldhash::{HashMap, HashMapExt};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The state of one rewrite.
struct Pass<'a> {
    module: &'a Module,
    text: &'a str,
    backend: &'a Backend,
    options: &'a Options,
    edits: Edits,
    schedule: &'a Schedule<'a>,
    /// Where bodies of kernels begin, ascending, and the kernels' numbers.
    bodies: Vec<(u32, usize)>,
    uses: BTreeSet<Use>,
    /// Temporary variables of the statement at hand: their declarations, and what copies them back.
    temporaries: Vec<(String, String)>,
    /// How many there have been.
    counted: usize,
}

fn bodies(module: &Module) -> Vec<(u32, usize)> {
    let all = module.kernels.iter().enumerate();
    let mut all: Vec<(u32, usize)> = all.map(|(number, k)| (k.body.start, number)).collect();
    all.sort_unstable();
    all
}

/// Rewrites a Brook+ module.
pub(super) fn rewrite(
    module: &Module,
    schedule: &Schedule<'_>,
    backend: &Backend,
    options: &Options,
) -> Result<Rewritten, Overlap> {
    let mut pass = Pass {
        module,
        options,
        text: &module.text,
        backend,
        edits: Edits::new(),
        schedule,
        bodies: bodies(module),
        uses: BTreeSet::from([Part::Brook.into()]),
        temporaries: Vec::new(),
        counted: 0,
    };
    directives::rewrite(module, schedule, backend, &mut pass.edits);
    for construct in &module.constructs {
        pass.construct(construct)?;
    }
    for kernel in &module.kernels {
        pass.head(kernel)?;
        let mut parameters = kernel.parameters.iter();
        if parameters.any(|p| reads_apart(kernel, p, backend)) {
            pass.uses.insert(Part::Opaque.into());
        }
    }
    if schedule.maps.iter().any(|s| s.line > 0) {
        pass.uses.insert(Part::Streams.into());
    }
    pass.count_iterations();
    pass.masked_kernels()?;
    pass.declare_early();
    pass.drop_host_code();
    let (device_kernels, frames, host) = pass.launches();
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
    fn cpp(&self) -> bool {
        self.backend.is_cpp()
    }

    /// How the kernel runs in whose body something stands.
    fn schedule_at(&self, at: u32) -> Option<&'a MapSchedule> {
        let behind = self.bodies.partition_point(|(start, _)| *start <= at);
        let &(_, number) = self.bodies.get(behind.checked_sub(1)?)?;
        let kernel = self.module.kernels.get(number)?;
        let inside = at < kernel.body.end;
        self.schedule.maps.get(number).filter(|_| inside)
    }

    /// A type as the target spells it; asks the prelude for vectors.
    fn type_name(&mut self, ty: Type) -> String {
        if ty.is_vector() {
            self.uses.insert(Use::Vector(ty));
        }
        spell(ty, self.cpp())
    }

    fn take(&mut self, span: Span) -> Result<String, Overlap> {
        self.edits.take(span, self.text)
    }

    fn construct(&mut self, construct: &Construct) -> Result<(), Overlap> {
        let span = construct.span;
        match &construct.kind {
            ConstructKind::Attribute => self.edits.delete_word(span, self.text),
            ConstructKind::TypeName(ty) => {
                let name = self.type_name(*ty);
                if name != span.of(self.text) {
                    self.edits.replace(span, name);
                }
            }
            ConstructKind::StructName(index) => {
                let name = self.value_type(Type::scalar(Base::Int), Some(*index));
                self.edits.replace(span, name);
            }
            ConstructKind::FloatIndex { only } => {
                let function = if *only {
                    "brook_nearest"
                } else {
                    "brook_truncate"
                };
                self.edits.insert_before(span.start, format!("{function}("));
                self.edits.append(span.end, ")");
            }
            ConstructKind::SharedArray => {
                self.edits.discard(span);
                self.edits.delete_word(span, self.text);
            }
            ConstructKind::InstanceInGroup => {
                self.uses.insert(Use::Vector(Type::vector(Base::Int, 4)));
                self.edits.replace(span, "brook_item");
            }
            ConstructKind::GroupFunction {
                function,
                arguments,
            } => self.group_function(span, *function, arguments)?,
            ConstructKind::SyncGroup => {
                if !self.backend.spelling.fibers.is_empty() {
                    self.uses.insert(Part::Fibers.into());
                }
                let barrier = self
                    .backend
                    .spelling
                    .barrier
                    .trim_end_matches(';')
                    .to_string();
                self.edits.replace(span, barrier);
            }
            ConstructKind::Parameter { kernel, parameter } => self.parameter(*kernel, *parameter),
            // References need no mark where they are used; pointers do.
            ConstructKind::OutputName if !self.cpp() => {
                self.edits.insert_before(span.start, "(*");
                self.edits.append(span.end, ")");
            }
            ConstructKind::Constructor {
                ty,
                name,
                arguments,
            } => {
                self.constructor(span, *ty, *name, arguments)?;
            }
            ConstructKind::Swizzle { base, components } => self.swizzle(span, *base, components)?,
            ConstructKind::SwizzleAssignment {
                base,
                components,
                operator,
                value,
                ty,
                operand,
            } => {
                let types = (*ty, *operand);
                self.swizzle_assignment(span, (*base, components), operator, *value, types)?;
            }
            ConstructKind::Compound {
                operator,
                left,
                ty,
                value,
                operand,
            } => {
                let (left, value) = (self.take(*left)?, self.take(*value)?);
                let value = self.compound(operator, &left, &value, (*ty, *operand));
                self.edits.replace(span, format!("{left} = {value}"));
            }
            ConstructKind::Update {
                base,
                components,
                operator,
                ty,
                after,
                used,
            } => {
                let value = used.then_some(*after);
                self.update(span, (*base, components), operator, *ty, value)?;
            }
            ConstructKind::FloatCondition if !self.cpp() => {
                self.edits.insert_before(span.start, "(");
                self.edits.append(span.end, " != 0)");
            }
            ConstructKind::AnyCondition(ty) => {
                self.type_name(*ty);
                self.uses.insert(Use::Function("any".to_string()));
                self.edits.insert_before(span.start, "brook_any(");
                self.edits.append(span.end, ")");
            }
            ConstructKind::Select {
                condition,
                picks,
                yes,
                no,
                ty,
            } => self.select(span, (*condition, *picks), (*yes, *no), *ty)?,
            ConstructKind::Push { kernel, parameter } => self.push(span, *kernel, *parameter),
            ConstructKind::Written(text) => self.edits.replace(span, text.clone()),
            ConstructKind::Temporaries { declares } => self.hold(span, *declares),
            ConstructKind::Gather(access) => self.gather(span, access)?,
            ConstructKind::Scatter {
                access,
                operator,
                value,
                path,
                components,
                ty,
                operand,
            } => {
                let types = ty.map(|ty| (ty, operand.unwrap_or(ty)));
                let part = (path.as_str(), components.as_str(), types);
                self.scatter(span, access, part, operator, *value)?;
            }
            ConstructKind::Operator {
                operator,
                left,
                right,
                operand,
                assigns,
                ..
            } => {
                self.operator(span, operator, (*left, *right), *operand, *assigns)?;
            }
            ConstructKind::Contracted {
                factors,
                addend,
                negated,
                ty,
                assigns,
            } => {
                self.contracted(span, (factors, addend), *negated, *ty, *assigns)?;
            }
            ConstructKind::Truth { ty, closed } => {
                let ty = spell(*ty, self.cpp());
                let (open, close) = if *closed { ("", "") } else { ("(", ")") };
                self.edits
                    .insert_before(span.start, format!("({ty}){open}"));
                self.edits.append(span.end, close);
            }
            ConstructKind::Wrapping { .. } => self.wrapping(span, &construct.kind),
            ConstructKind::Cast { value, conversion } => self.cast(span, *value, *conversion)?,
            ConstructKind::IndexOf(input) => {
                let place = match input {
                    Some(name) => {
                        self.uses.insert(Part::IndexofInput.into());
                        format!("brook_{name}_here")
                    }
                    None => "brook_here".to_string(),
                };
                let text = match self.cpp() {
                    true => format!("brook_indexof({place})"),
                    false => format!("convert_float4({place})"),
                };
                self.uses.insert(Use::Vector(Type::vector(Base::Float, 4)));
                self.uses.insert(Use::Vector(Type::vector(Base::Int, 4)));
                self.edits.discard(span);
                self.edits.replace(span, text);
            }
            ConstructKind::Instance => {
                self.uses.insert(Use::Vector(Type::vector(Base::Int, 4)));
                self.edits.replace(span, "brook_here");
            }
            ConstructKind::Builtin {
                name,
                name_span,
                types,
            } => {
                self.builtin(name, *name_span, types);
            }
            ConstructKind::SubKernelCall {
                kernel,
                name,
                arguments,
                temporaries,
            } => {
                self.call(*kernel, *name, arguments, temporaries)?;
            }
            ConstructKind::Name => {
                if let Cow::Owned(name) = self.backend.safe_name(span.of(self.text)) {
                    self.edits.replace(span, name);
                }
            }
            // What is left belongs to OKL.
            _ => {}
        }
        Ok(())
    }

    /// Attributes and qualifiers in front of a kernel go, its name gets the prefix of device
    /// functions.
    fn head(&mut self, kernel: &Kernel) -> Result<(), Overlap> {
        let words = kernel.head.of(self.text);
        let open = kernel.head.start + words.find('(').unwrap_or(0) as u32;
        let before = Span::new(kernel.span.start, open);
        self.edits.discard(before);
        let function = self.function(kernel);
        self.edits.replace(before, function);
        let here = self.here(kernel);
        let comma = if kernel.parameters.is_empty() {
            ""
        } else {
            ", "
        };
        // `(void)` would not do with another parameter in front.
        let close = Span::new(open + 1, kernel.head.end - 1);
        if kernel.parameters.is_empty() {
            self.edits.discard(close);
            self.edits.delete(close);
        }
        self.edits.insert_before(open + 1, format!("{here}{comma}"));
        Ok(())
    }

    /// Declarations of the kernels that are called before their definitions.
    fn declare_early(&mut self) {
        let module = self.module;
        let mut first_calls: HashMap<usize, u32> = HashMap::new();
        for construct in &module.constructs {
            if let ConstructKind::SubKernelCall { kernel, .. } = construct.kind {
                let end = construct.span.end;
                let first = first_calls.entry(kernel).or_insert(end);
                *first = end.min(*first);
            }
        }
        let early = |index: usize, kernel: &Kernel| {
            let first = first_calls.get(&index);
            first.is_some_and(|&end| end < kernel.span.start)
        };
        let mut text = String::new();
        for (index, kernel) in module.kernels.iter().enumerate() {
            if early(index, kernel) {
                let mut parts = vec![self.here(kernel)];
                for parameter in &kernel.parameters {
                    parts.push(self.parameter_text(parameter));
                }
                text += &format!("{}({});\n", self.function(kernel), parts.join(", "));
            }
        }
        let first = module.kernels.iter().map(|k| k.span.start).min();
        if let Some(at) = first.filter(|_| !text.is_empty()) {
            self.edits.insert_before(at, format!("{text}\n"));
        }
    }

    /// What stands before what may not be used.
    fn unused(&self) -> &'static str {
        match self.backend.model {
            Model::Loops => "[[maybe_unused]] ",
            Model::Simt => "",
        }
    }

    /// A kernel's result and name as a device function.
    fn function(&mut self, kernel: &Kernel) -> String {
        let result = self.value_type(kernel.result, kernel.result_struct);
        let template = match self.schedule_at(kernel.body.start).is_some_and(|s| s.cut) {
            true => "template <class brook_spot_type> ",
            false => "",
        };
        let function = match self.backend.spelling.function.as_str() {
            "" => String::new(),
            function => format!("{function} "),
        };
        // A sub-kernel may be there for others' use.
        let unused = self.unused();
        format!(
            "{template}{function}{unused}static inline {result} brook_fn_{}",
            kernel.name
        )
    }

    /// The parameters that every device function begins with: its place, whether gathers are known to be inside, and in groups, the item's number,
    /// whether it belongs to an element, and the arrays that the group shares.
    fn here(&mut self, kernel: &Kernel) -> String {
        let place = if self.cpp() { "brook_position" } else { "int4" };
        let mut here = format!("const {place} brook_here");
        if kernel.group_size().is_some() {
            self.uses.insert(Part::Groups.into());
            here += &format!(", const {place} brook_item, const bool brook_active");
            let waiting = &self.backend.spelling.waiting_parameter;
            if !waiting.is_empty() {
                here += &format!(", {waiting}");
            }
        }
        if self.is_told(kernel.body) {
            self.uses.insert(Part::InBounds.into());
            here += ", const bool brook_in_bounds";
        }
        if self.schedule_at(kernel.body.start).is_some_and(|s| s.cut) {
            self.uses.insert(Part::Rows.into());
            here += ", const brook_spot_type brook_spot";
        }
        if matches!(kernel.form, KernelForm::Vout) {
            here += ", const int brook_counts";
        }
        for array in &kernel.shared {
            let space = match self.backend.lowering.address_spaces {
                AddressSpaces::None => String::new(),
                AddressSpaces::Inferred => format!("{} ", self.backend.spelling.shared),
            };
            let ty = self.type_name(array.ty);
            let name = self.backend.safe_name(&array.name);
            here += &format!(", {space}{ty} *{name}");
        }
        if memory_of_group(kernel, self.backend).is_some() {
            here += &format!(", {}", self.backend.spelling.collective_parameter);
        }
        here
    }

    /// Everything that is no kernel belongs to the host program.
    fn drop_host_code(&mut self) {
        let mut done = 0;
        let mut first = true;
        let written = &self.module.constants;
        let length = self.text.len() as u32;
        let kernels = self.module.kernels.iter();
        let mut definitions: Vec<usize> = kernels.filter_map(|k| k.body.holder(written)).collect();
        definitions.sort_unstable();
        definitions.dedup();
        let definitions = definitions.iter().filter_map(|&d| written.get(d));
        let spans: Vec<Span> = definitions.copied().chain([Span::at(length)]).collect();
        for span in spans {
            let gap = Span::new(done, span.start);
            self.edits
                .discard(Span::new(gap.start, gap.end.max(gap.start)));
            if !gap.is_empty() {
                let text = if first || span.start == length {
                    ""
                } else {
                    "\n\n"
                };
                self.edits.replace(gap, text);
            }
            first = false;
            done = span.end;
        }
    }
}

/// A type as the target spells it.
pub(crate) fn spell(ty: Type, cpp: bool) -> String {
    if ty.is_vector() {
        return match (cpp, ty.base) {
            (true, _) => format!("brook_{ty}"),
            // OpenCL C has no vectors of bool.
            (false, Base::Bool) => format!("char{}", ty.width),
            (false, _) => ty.to_string(),
        };
    }
    let name = match (ty.base, cpp) {
        (Base::Char, true) => "signed char",
        (Base::UChar, true) => "unsigned char",
        (Base::UShort, true) => "unsigned short",
        (Base::UInt, true) => "unsigned int",
        (base, _) => base.name(),
    };
    name.to_string()
}
