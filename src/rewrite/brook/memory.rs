use super::{Pass, spell};
use crate::backend::AddressSpaces;
use crate::module::{Base, IndexStyle, IndexedAccess, Parameter, ParameterKind, Temporary, Type};
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
        let spelled = self.type_name(ty);
        let output = if self.cpp() { "&" } else { "*" };
        match parameter.kind {
            ParameterKind::StreamOut { .. } | ParameterKind::Out | ParameterKind::Reduce => {
                format!("{spelled} {output}{name}")
            }
            ParameterKind::Gather(_) => {
                let pointer = self.array_pointer(ty, true);
                format!("{pointer}{name}, const brook_shape {name}_shape")
            }
            ParameterKind::Scatter(_) => {
                let pointer = self.array_pointer(ty, false);
                format!("{pointer}{name}, const brook_shape {name}_shape")
            }
            _ => format!("{spelled} {name}"),
        }
    }

    /// The pointer to elements of a type in device memory, `*` included.
    pub(super) fn array_pointer(&self, ty: Type, constant: bool) -> String {
        let space = match self.backend.lowering.address_spaces {
            AddressSpaces::None => "",
            AddressSpaces::Inferred => self.backend.spelling.global.as_str(),
        };
        let gap = if space.is_empty() { "" } else { " " };
        let constant = if constant { "const " } else { "" };
        format!("{space}{gap}{constant}{} *", self.element(ty))
    }

    /// What a pointer to elements points to. OpenCL's vectors of three take the room of four, so
    /// streams of them are addressed by component.
    fn element(&self, ty: Type) -> String {
        match (self.cpp(), ty.width) {
            (false, 3) => spell(Type::scalar(ty.base), false),
            (cpp, _) => spell(ty, cpp),
        }
    }

    /// The index of an element, each dimension clamped to its extent.
    fn index(&mut self, access: &IndexedAccess, function: &str) -> Result<String, Overlap> {
        let mut parts = vec![format!("{}_shape", self.backend.safe_name(&access.array))];
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
        Ok(format!("{function}({})", parts.join(", ")))
    }

    pub(super) fn gather(&mut self, span: Span, access: &IndexedAccess) -> Result<(), Overlap> {
        self.type_name(access.element);
        let index = self.index(access, "brook_at")?;
        let name = self.backend.safe_name(&access.array);
        let text = self.load(&name, &index, access.element);
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }

    /// Writes outside of the array are dropped.
    pub(super) fn scatter(
        &mut self,
        span: Span,
        access: &IndexedAccess,
        (path, components, ty): (&str, &str, Option<Type>),
        operator: &str,
        value: Span,
    ) -> Result<(), Overlap> {
        self.type_name(access.element);
        let index = self.index(access, "brook_inside")?;
        let mut value = self.take(value)?;
        let name = self.backend.safe_name(&access.array).into_owned();
        let whole = path.is_empty() && components.is_empty();
        let load = self.load(&name, "brook_to", access.element);
        let mut parts = Vec::new();
        if !whole || !operator.is_empty() {
            let element = spell(access.element, self.cpp());
            parts.push(format!("{element} brook_was = {load};"));
            let base = format!("brook_was{path}");
            if let (Some(ty), false) = (ty, operator.is_empty()) {
                let before = match components {
                    "" => base.clone(),
                    _ => self.read(&base, components),
                };
                value = self.binary(operator, &before, &format!("({value})"), ty);
            }
            parts.push(match components {
                "" => format!("{base} = {value};"),
                _ => format!("{};", self.write(&base, components, &value)),
            });
            value = "brook_was".to_string();
        }
        parts.push(self.store(&name, "brook_to", &value, access.element));
        let parts = match parts.as_slice() {
            [only] => only.clone(),
            all => format!("{{ {} }}", all.join(" ")),
        };
        let long = if self.cpp() { "long long" } else { "long" };
        self.edits.discard(span);
        // The statement's own semicolon follows.
        self.edits.replace(
            span,
            format!("{{ const {long} brook_to = {index}; if (brook_to >= 0) {parts} }}"),
        );
        Ok(())
    }

    /// An element of memory.
    fn load(&self, name: &str, index: &str, element: Type) -> String {
        match (self.cpp(), element.width) {
            (false, 3) => format!("vload3({index}, {name})"),
            _ => format!("{name}[{index}]"),
        }
    }

    /// The statement that writes an element of memory.
    fn store(&self, name: &str, index: &str, value: &str, element: Type) -> String {
        match (self.cpp(), element.width) {
            (false, 3) => format!("vstore3({value}, {index}, {name});"),
            _ => format!("{name}[{index}] = {value};"),
        }
    }

    /// A sub-kernel works at the caller's place; arrays travel with their shape, outputs by
    /// reference.
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
                    let shape = format!(", {name}_shape");
                    self.edits.insert(span.end, shape);
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
        self.edits.insert_before(open, format!("brook_here{comma}"));
        Ok(())
    }
}
