use super::{Pass, spell};
use crate::backend::AddressSpaces;
use crate::module::{Base, IndexStyle, IndexedAccess, ParameterKind, Type};
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
        let (name, span, ty) = (
            self.backend.safe_name(&parameter.name).into_owned(),
            parameter.span,
            parameter.ty,
        );
        let spelled = self.type_name(ty);
        let output = if self.cpp() { "&" } else { "*" };
        let text = match parameter.kind {
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
        };
        self.edits.discard(span);
        self.edits.replace(span, text);
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
        let text = match (self.cpp(), access.element.width) {
            (false, 3) => format!("vload3({index}, {name})"),
            _ => format!("{name}[{index}]"),
        };
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }

    /// Writes outside of the array are dropped.
    pub(super) fn scatter(
        &mut self,
        span: Span,
        access: &IndexedAccess,
        value: Span,
    ) -> Result<(), Overlap> {
        self.type_name(access.element);
        let index = self.index(access, "brook_inside")?;
        let value = self.take(value)?;
        let name = self.backend.safe_name(&access.array);
        let store = match (self.cpp(), access.element.width) {
            (false, 3) => format!("vstore3({value}, brook_to, {name})"),
            _ => format!("{name}[brook_to] = {value}"),
        };
        let long = if self.cpp() { "long long" } else { "long" };
        self.edits.discard(span);
        self.edits.replace(
            span,
            format!("{{ const {long} brook_to = {index}; if (brook_to >= 0) {store}; }}"),
        );
        Ok(())
    }

    /// A sub-kernel works at the caller's place; arrays travel with their shape, outputs by
    /// reference.
    pub(super) fn call(&mut self, kernel: usize, name: Span, arguments: &[Span]) {
        let Some(callee) = self.module.kernels.get(kernel) else {
            return;
        };
        self.edits.discard(name);
        self.edits
            .replace(name, format!("brook_fn_{}", callee.name));
        for (span, parameter) in arguments.iter().zip(&callee.parameters) {
            match parameter.kind {
                ParameterKind::Gather(_) => {
                    let name = self.backend.safe_name(span.of(self.text).trim());
                    let shape = format!(", {name}_shape");
                    self.edits.insert(span.end, shape);
                }
                ParameterKind::StreamOut { .. } | ParameterKind::Out if !self.cpp() => {
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
    }
}
