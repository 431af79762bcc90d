//! How a parameter of a device kernel is written.

use super::Pass;
use crate::expr::Scalar;
use crate::module::{Parameter, ParameterKind, offset_name};
use crate::source::Overlap;

impl Pass<'_> {
    /// A device kernel's parameter. OpenCL C takes no `bool`, no `size_t` and its relatives, under no
    /// name of a typedef either.
    pub(super) fn parameter_text(&self, parameter: &Parameter, text: String) -> String {
        let scalar = match (&parameter.kind, parameter.scalar) {
            (ParameterKind::Value, Some(scalar)) if !self.backend.is_cpp() => scalar,
            _ => return text,
        };
        let type_name = match scalar {
            Scalar::Bool => "uchar",
            scalar if scalar.c_name() == parameter.type_name => return text,
            scalar => scalar.c_name(),
        };
        let constant = if parameter.constant { "const " } else { "" };
        format!("{constant}{type_name} {}", parameter.name)
    }

    /// A pointer as two parameters: the buffer, and where in it to begin.
    pub(super) fn buffer_and_offset(&mut self, parameter: &Parameter) -> Result<String, Overlap> {
        let name = &parameter.name;
        self.edits.replace(parameter.name_span, buffer_name(name));
        let text = self.edits.take(parameter.span, self.text)?;
        Ok(format!("{text}, const ulong {}", offset_name(name)))
    }
}

fn buffer_name(name: &str) -> String {
    format!("brook_buffer_{name}")
}

/// The declaration of a pointer that came as two parameters.
pub(super) fn pointer_into_buffer(name: &str) -> String {
    let (buffer, offset) = (buffer_name(name), offset_name(name));
    format!(
        "__typeof__({buffer}) {name} = (__typeof__({buffer}))((__global char *){buffer} + {offset});"
    )
}
