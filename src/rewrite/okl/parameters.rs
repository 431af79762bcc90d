use super::Pass;
use crate::expr::Scalar;
use crate::module::{Parameter, ParameterKind};

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
}
