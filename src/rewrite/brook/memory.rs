use super::{Pass, spell};
use crate::backend::{AddressSpaces, Backend, Language, spaced};
use crate::module::{
    Base, ConstructKind, Element, IndexStyle, IndexedAccess, Kernel, Module, Parameter,
    ParameterKind, Temporary, Type,
};
use crate::rewrite::{Part, Use};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// A parameter of the device function: values by value, outputs by reference, arrays as a
    /// pointer and a shape.
    pub(super) fn parameter(&mut self, kernel: usize, index: usize) {
        let Some(parameter) = self
            .module
            .kernels
            .get(kernel)
            .and_then(|k| k.parameters.get(index))
        else {
            return;
        };
        let text = self.parameter_text(parameter);
        let span = parameter.span;
        self.edits.discard(span);
        self.edits.replace(span, text);
    }

    pub(super) fn parameter_text(&mut self, parameter: &Parameter) -> String {
        let (name, ty) = (
            self.backend.safe_name(&parameter.name).into_owned(),
            parameter.ty,
        );
        let spelled = self.value_type(ty, parameter.structure);
        let output = if self.cpp() { "&" } else { "*" };
        let own = spaced(&self.backend.spelling.private_pointer);
        if !parameter.element_sizes.is_empty() {
            self.value_type(ty, parameter.structure);
            let base = self.element_of_array(parameter.structure);
            let sizes: String = parameter
                .element_sizes
                .iter()
                .map(|n| format!("[{n}]"))
                .collect();
            return format!("{own}{base} {name}{sizes}");
        }
        match parameter.kind {
            ParameterKind::StreamOut { .. } | ParameterKind::Out | ParameterKind::Reduce => {
                format!("{own}{spelled} {output}{name}")
            }
            ParameterKind::Vout => {
                let long = self.long();
                let pointer = pointer(self.backend, ty, parameter.structure, false);
                format!(
                    "{own}{spelled} {output}{name}, {own}{long} {output}brook_{name}_at, {pointer}brook_{name}_memory"
                )
            }
            ParameterKind::Gather(_) => {
                let pointer = pointer(self.backend, ty, parameter.structure, true);
                format!("{pointer}{name}, const brook_shape brook_{name}_shape")
            }
            ParameterKind::Scatter(_) => {
                let pointer = pointer(self.backend, ty, parameter.structure, false);
                format!("{pointer}{name}, const brook_shape brook_{name}_shape")
            }
            ParameterKind::StreamIn if parameter.indexed => {
                let place = if self.cpp() { "brook_position" } else { "int4" };
                format!(
                    "{spelled} {name}, const {place} brook_{}_here",
                    parameter.name
                )
            }
            _ => format!("{spelled} {name}"),
        }
    }

    /// An unsigned integer of 64 bits.
    fn long(&self) -> &'static str {
        match self.cpp() {
            true => "unsigned long long",
            false => "ulong",
        }
    }

    /// `push(o);`: the next element, or only its number where the kernel counts.
    pub(super) fn push(&mut self, span: Span, kernel: usize, index: usize) {
        let module = self.module;
        let kernel = module.kernels.get(kernel);
        let Some(parameter) = kernel.and_then(|k| k.parameters.get(index)) else {
            return;
        };
        let name = self.backend.safe_name(&parameter.name);
        let (at, value) = match self.cpp() {
            true => (format!("brook_{name}_at"), name.to_string()),
            false => (format!("(*brook_{name}_at)"), format!("(*{name})")),
        };
        let target = format!("brook_{name}_memory");
        let (ty, structure) = (parameter.ty, parameter.structure);
        let memory = Memory::new(module, self.backend, &target, ty, structure);
        let store = memory.store(&at, &value);
        self.edits.discard(span);
        self.edits
            .replace(span, format!("{{ if (!brook_counts) {store} ++{at}; }}"));
    }

    /// The type of a variable as the target spells it.
    pub(super) fn value_type(&mut self, ty: Type, structure: Option<usize>) -> String {
        let Some(index) = structure else {
            return self.type_name(ty);
        };
        self.use_struct(index);
        match self.module.structs.get(index) {
            Some(found) if found.fixed.is_none() => {
                self.backend.safe_name(&found.name).into_owned()
            }
            Some(_) => self.type_name(ty),
            None => String::new(),
        }
    }

    /// Asks the prelude for a struct, and for what it consists of.
    fn use_struct(&mut self, index: usize) {
        let Some(found) = self.module.structs.get(index) else {
            return;
        };
        self.uses.insert(Use::Struct(index));
        for field in &found.fields {
            match field.ty {
                Element::Number(ty) => {
                    self.type_name(ty);
                }
                Element::Fixed(fixed) => {
                    self.type_name(fixed.number());
                    self.uses.insert(Part::Fixed.into());
                }
                Element::Struct(index) => self.use_struct(index),
            }
        }
    }

    /// The type of the elements of an array that is an element of a stream.
    fn element_of_array(&mut self, structure: Option<usize>) -> String {
        let made = structure.and_then(|index| self.module.structs.get(index));
        match made.and_then(|s| s.fields.first()).map(|f| f.ty) {
            Some(Element::Number(ty)) => self.type_name(ty),
            Some(Element::Fixed(fixed)) => self.type_name(fixed.number()),
            Some(Element::Struct(index)) => self.value_type(Type::scalar(Base::Int), Some(index)),
            None => String::new(),
        }
    }

    /// The index of an element: a call that has begun, and the indices of each dimension.
    fn index(&mut self, access: &IndexedAccess, head: String) -> Result<String, Overlap> {
        let mut parts = vec![head];
        match access.style {
            IndexStyle::Vector => {
                for (span, ty) in access.indices.iter().zip(&access.types) {
                    self.type_name(*ty);
                    parts.push(self.take(*span)?);
                }
            }
            // Slowest first in the source, fastest first for the function.
            IndexStyle::Brackets => {
                let pairs: Vec<_> = access.indices.iter().zip(&access.types).collect();
                for (span, ty) in pairs.into_iter().rev() {
                    let text = self.take(*span)?;
                    let float = matches!(ty.base, Base::Float | Base::Double);
                    parts.push(match float {
                        true => format!("brook_truncate({text})"),
                        false => text,
                    });
                }
            }
        }
        Ok(format!("{})", parts.join(", ")))
    }

    /// The memory of the array that an access goes to.
    fn array(&self, access: &IndexedAccess) -> Memory {
        let name = self.backend.safe_name(&access.array);
        Memory::new(
            self.module,
            self.backend,
            &name,
            access.element,
            access.structure,
        )
    }

    pub(super) fn gather(&mut self, span: Span, access: &IndexedAccess) -> Result<(), Overlap> {
        self.type_name(access.element);
        let whole = self.is_whole(span, access);
        let mut index = self.index(access, self.gather_head(span, access))?;
        if whole {
            index.insert_str(0, &self.whole_place(access));
        }
        let text = self.array(access).load(&index);
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }

    /// Writes outside of the array are dropped.
    pub(super) fn scatter(
        &mut self,
        span: Span,
        access: &IndexedAccess,
        (path, components, types): (&str, &str, Option<(Type, Type)>),
        operator: &str,
        value: Span,
    ) -> Result<(), Overlap> {
        self.type_name(access.element);
        let array = self.backend.safe_name(&access.array);
        let mut index = self.index(access, format!("brook_inside(brook_{array}_shape"))?;
        let mut value = self.take(value)?;
        let mut ahead = String::new();
        let mut constructs = self.module.constructs.iter();
        if constructs
            .any(|c| matches!(c.kind, ConstructKind::GroupFunction { .. }) && span.contains(c.span))
        {
            // All items call it, also those that write nothing.
            let auto = match self.backend.language {
                Language::OpenClC => "__auto_type",
                _ => "auto",
            };
            ahead =
                format!("const {auto} brook_at = {index}; const {auto} brook_given = {value}; ");
            index = "brook_at".to_string();
            value = "brook_given".to_string();
        }
        // Items of the last group that belong to no element write nothing.
        if self.group_of(span).is_some() {
            index = format!("brook_active ? {index} : -1");
        }
        let whole = path.is_empty() && components.is_empty();
        let mut memory = self.array(access);
        if self.backend.lowering.joins_reads {
            memory = memory.kept_apart(access.structure);
        }
        let mut parts = Vec::new();
        if !whole || !operator.is_empty() {
            if self.backend.lowering.joins_reads {
                self.uses.insert(Part::Opaque.into());
            }
            let element = self.value_type(access.element, access.structure);
            parts.push(format!(
                "{element} brook_was = {};",
                memory.load("brook_to")
            ));
            let base = format!("brook_was{path}");
            if let (Some(types), false) = (types, operator.is_empty()) {
                let before = match components {
                    "" => base.clone(),
                    _ => self.read(&base, components),
                };
                value = self.compound(operator, &before, &value, types);
            }
            parts.push(match components {
                "" => format!("{base} = {value};"),
                _ => format!("{};", self.write(&base, components, &value)),
            });
            value = "brook_was".to_string();
        }
        parts.push(memory.store("brook_to", &value));
        let parts = match parts.as_slice() {
            [only] => only.clone(),
            all => format!("{{ {} }}", all.join(" ")),
        };
        let long = if self.cpp() { "long long" } else { "long" };
        self.edits.discard(span);
        self.edits.replace(
            span,
            format!("{{ {ahead}const {long} brook_to = {index}; if (brook_to >= 0) {parts} }}"),
        );
        Ok(())
    }

    /// Where the element is that an argument passes on: an input's own place, or the kernel's.
    fn place_of(&self, argument: &str, span: Span) -> String {
        let kernel = self.module.kernels.iter().find(|k| k.body.contains(span));
        let mut parameters = kernel.into_iter().flat_map(|k| &k.parameters);
        match parameters.find(|p| p.indexed && p.name == argument) {
            Some(parameter) => format!("brook_{}_here", parameter.name),
            None => "brook_here".to_string(),
        }
    }

    /// The group kernel that a span belongs to.
    fn group_of(&self, span: Span) -> Option<&Kernel> {
        let kernel = self.module.kernels.iter().find(|k| k.body.contains(span))?;
        kernel.group_size().map(|_| kernel)
    }

    /// A sub-kernel works at the caller's place; arrays travel with their shape, outputs by reference.
    pub(super) fn call(
        &mut self,
        kernel: usize,
        name: Span,
        arguments: &[Span],
        temporaries: &[Temporary],
    ) -> Result<(), Overlap> {
        let Some(callee) = self.module.kernels.get(kernel) else {
            return Ok(());
        };
        self.edits.discard(name);
        self.edits
            .replace(name, format!("brook_fn_{}", callee.name));
        for temporary in temporaries {
            let base = self.take(temporary.base)?;
            let before = self.read(&base, &temporary.components);
            let next = format!("brook_part_{}", self.counted + 1);
            let back = self.write(&base, &temporary.components, &next);
            let name = self.temporary(temporary.ty, Some(&before), back);
            let span = arguments[temporary.argument];
            self.edits.discard(span);
            self.edits.replace(span, name);
        }
        for (span, parameter) in arguments.iter().zip(&callee.parameters) {
            match parameter.kind {
                ParameterKind::Gather(_) => {
                    let name = self.backend.safe_name(span.of(self.text).trim());
                    let shape = format!(", brook_{name}_shape");
                    self.edits.insert(span.end, shape);
                }
                ParameterKind::StreamIn if parameter.indexed => {
                    let name = span.of(self.text).trim();
                    let place = self.place_of(name, *span);
                    self.edits.insert(span.end, format!(", {place}"));
                }
                ParameterKind::StreamOut { .. } | ParameterKind::Out | ParameterKind::Reduce
                    if !self.cpp() =>
                {
                    self.edits.insert_before(span.start, "&");
                }
                _ => {}
            }
        }
        // The bracket that opens the arguments follows the name.
        let rest = Span::new(name.end, self.text.len() as u32).of(self.text);
        let open = name.end + rest.find('(').unwrap_or(0) as u32 + 1;
        let comma = if arguments.is_empty() { "" } else { ", " };
        let called = self.schedule.maps.get(kernel);
        let told = match (called.is_some_and(|s| s.told), self.is_told(name)) {
            (true, true) => ", brook_in_bounds",
            (true, false) => ", false",
            (false, _) => "",
        };
        self.edits
            .insert_before(open, format!("brook_here{told}{comma}"));
        Ok(())
    }

    /// Whether the function that something is written in is told that nothing leaves an array.
    pub(super) fn is_told(&self, span: Span) -> bool {
        self.schedule_at(span.start).is_some_and(|s| s.told)
    }
}

/// How elements in device memory are read and written.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// What stands before and behind an index in a read.
    pub(crate) load: [String; 2],
    /// What stands before the index, between it and the value, and behind.
    store: [String; 3],
    /// The value comes first.
    value_first: bool,
}

impl Memory {
    pub(crate) fn new(
        module: &Module,
        backend: &Backend,
        name: &str,
        ty: Type,
        structure: Option<usize>,
    ) -> Self {
        let texts = |list: [&str; 3]| list.map(str::to_string);
        let (function, load) = match structure.and_then(|s| module.structs.get(s)) {
            Some(s) => {
                let name = backend.safe_name(&s.name);
                (format!("brook_store_{name}"), format!("brook_load_{name}"))
            }
            // OpenCL's vectors of three take the room of four.
            None if !backend.is_cpp() && ty.width == 3 => ("vstore3".into(), "vload3".into()),
            None => {
                return Self {
                    load: [format!("{name}["), "]".to_string()],
                    store: texts([&format!("{name}["), "] = ", ";"]),
                    value_first: false,
                };
            }
        };
        Self {
            load: [format!("{load}("), format!(", {name})")],
            store: texts([&format!("{function}("), ", ", &format!(", {name});")]),
            value_first: true,
        }
    }

    /// The same memory, whose reads the target's compiler must not join with others. Fields are read one by one, and
    /// kept apart there.
    #[must_use]
    pub(crate) fn kept_apart(mut self, structure: Option<usize>) -> Self {
        let [before, behind] = &mut self.load;
        if structure.is_some() {
            return self;
        }
        before.insert_str(0, "brook_opaque(");
        behind.push(')');
        self
    }

    /// The element at an index.
    pub(crate) fn load(&self, index: &str) -> String {
        format!("{}{index}{}", self.load[0], self.load[1])
    }

    /// The statement that writes it.
    pub(crate) fn store(&self, index: &str, value: &str) -> String {
        let [before, between, behind] = &self.store;
        let (first, second) = match self.value_first {
            true => (value, index),
            false => (index, value),
        };
        format!("{before}{first}{between}{second}{behind}")
    }
}

/// Whether an output's elements are read, where the target's compiler must not join that with reads of what is only
/// read.
pub(crate) fn reads_apart(kernel: &Kernel, parameter: &Parameter, backend: &Backend) -> bool {
    let constant =
        |p: &Parameter| matches!(p.kind, ParameterKind::StreamIn | ParameterKind::Gather(_));
    backend.lowering.joins_reads
        && parameter.kind == ParameterKind::StreamOut { reads: true }
        && kernel.parameters.iter().any(constant)
}

/// The pointer to elements in device memory, `*` included. OpenCL's vectors of three take the room of
/// four, so streams of them are addressed by component; structs by byte.
pub(crate) fn pointer(
    backend: &Backend,
    ty: Type,
    structure: Option<usize>,
    constant: bool,
) -> String {
    let space = match backend.lowering.address_spaces {
        AddressSpaces::None => String::new(),
        AddressSpaces::Inferred => format!("{} ", backend.spelling.global),
    };
    let constant = if constant { "const " } else { "" };
    let cpp = backend.is_cpp();
    let element = match structure {
        Some(_) => spell(Type::scalar(Base::UChar), cpp),
        None if !cpp && ty.width == 3 => spell(Type::scalar(ty.base), cpp),
        None => spell(ty, cpp),
    };
    format!("{space}{constant}{element} *")
}

/// A type, or the structure that it is, as the target spells it.
pub(crate) fn stored_type(
    module: &Module,
    backend: &Backend,
    ty: Type,
    structure: Option<usize>,
) -> String {
    match structure.and_then(|index| module.structs.get(index)) {
        Some(found) if found.fixed.is_none() => backend.safe_name(&found.name).into_owned(),
        _ => spell(ty, backend.is_cpp()),
    }
}
