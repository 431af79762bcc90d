use super::{Pass, spell};
use crate::module::{Base, Conversion, Type};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    pub(super) fn constructor(
        &mut self,
        span: Span,
        ty: Type,
        name: Span,
        arguments: &[Span],
    ) -> Result<(), Overlap> {
        let spelled = self.type_name(ty);
        if self.cpp() {
            self.edits.replace(name, spelled);
            return Ok(());
        }
        let mut parts = Vec::new();
        for argument in arguments {
            parts.push(self.take(*argument)?);
        }
        self.edits
            .replace(span, format!("(({spelled})({}))", parts.join(", ")));
        Ok(())
    }

    /// OpenCL C has swizzles; elsewhere the prelude has a function for each one used.
    pub(super) fn swizzle(
        &mut self,
        span: Span,
        base: Span,
        components: &str,
    ) -> Result<(), Overlap> {
        if !self.cpp() {
            return Ok(());
        }
        let base = self.take(base)?;
        self.uses.insert(format!("swizzle:{components}"));
        self.edits.discard(span);
        self.edits
            .replace(span, format!("brook_{components}({base})"));
        Ok(())
    }

    pub(super) fn swizzle_assignment(
        &mut self,
        span: Span,
        base: Span,
        components: &str,
        operator: &str,
        value: Span,
    ) -> Result<(), Overlap> {
        if !self.cpp() {
            return Ok(());
        }
        let (base, value) = (self.take(base)?, self.take(value)?);
        self.uses.insert(format!("assign:{components}"));
        let value = match operator {
            "" => value,
            operator => {
                self.uses.insert(format!("swizzle:{components}"));
                format!("brook_{components}({base}) {operator} ({value})")
            }
        };
        self.edits
            .replace(span, format!("brook_set_{components}({base}, {value})"));
        Ok(())
    }

    /// Operators whose meaning is not every target's: division by zero, shift counts, integers
    /// narrower than `int`, comparisons of vectors.
    pub(super) fn operator(
        &mut self,
        span: Span,
        operator: &str,
        (left, right): (Span, Span),
        operand: Type,
        assigns: bool,
    ) -> Result<(), Overlap> {
        let unary = left.is_empty();
        let a = if unary {
            String::new()
        } else {
            self.take(left)?
        };
        let b = self.take(right)?;
        let function = match operator {
            "/" => Some("div"),
            "%" => Some("rem"),
            "<<" => Some("shl"),
            ">>" => Some("shr"),
            "<" => Some("lt"),
            ">" => Some("gt"),
            "<=" => Some("le"),
            ">=" => Some("ge"),
            "==" => Some("eq"),
            "!=" => Some("ne"),
            "&&" => Some("and"),
            "||" => Some("or"),
            "!" => Some("not"),
            _ => None,
        };
        let value = match function {
            Some(name) if unary => format!("brook_{name}({b})"),
            Some(name) => format!("brook_{name}({a}, {b})"),
            // Integers narrower than `int` wrap after every operator; vectors of them already do.
            None if operand.is_vector() && unary => format!("{operator}{b}"),
            None if operand.is_vector() => format!("{a} {operator} {b}"),
            None => {
                let ty = spell(operand, self.cpp());
                format!("(({ty})({a}{}{operator}{}{b}))", gap(unary), gap(unary))
            }
        };
        if let Some(name) = function {
            self.uses.insert(format!("operator:{name}"));
            self.type_name(operand);
        }
        let text = if assigns {
            format!("{a} = {value}")
        } else {
            value
        };
        self.edits.replace(span, text);
        Ok(())
    }

    /// Conversions from floating point to integers saturate; all others are C's.
    pub(super) fn cast(
        &mut self,
        span: Span,
        value: Span,
        Conversion { from, to }: Conversion,
    ) -> Result<(), Overlap> {
        let text = self.take(value)?;
        let spelled = self.type_name(to);
        let saturates = !from.base.is_integer() && to.base.is_integer() && to.base != Base::Bool;
        let text = match (saturates, to.is_vector()) {
            (true, _) | (false, true) if from != to => {
                self.type_name(from);
                self.uses.insert("convert".to_string());
                // Comparisons have the operands' type here, but `int` in C.
                format!("brook_to_{to}(({})({text}))", spell(from, self.cpp()))
            }
            _ if from == to => text,
            _ => format!("({spelled})({text})"),
        };
        self.edits.replace(span, text);
        Ok(())
    }

    pub(super) fn builtin(&mut self, name: &str, name_span: Span, types: &[Type]) {
        for ty in types {
            self.type_name(*ty);
        }
        self.uses.insert(format!("fn_{name}"));
        self.edits.replace(name_span, format!("brook_{name}"));
    }
}

fn gap(unary: bool) -> &'static str {
    if unary { "" } else { " " }
}
