//! Integers wrap: where compilers take it for impossible that signed ones overflow, they are computed without a sign.

use super::{Pass, spell};
use crate::backend::Backend;
use crate::module::{Base, ConstructKind, Type, WrappedOperand};
use crate::source::Span;

/// The type without a sign in which a type's sums, differences and products wrap.
fn unsigned(ty: Type, cpp: bool) -> Type {
    let base = match ty.base {
        Base::Char if !cpp && ty.is_vector() => Base::UChar,
        Base::Short if !cpp && ty.is_vector() => Base::UShort,
        _ => Base::UInt,
    };
    ty.with_base(base)
}

/// Whether the target's vectors of a type may overflow; the prelude's do not.
fn is_signed_vector(ty: Type, backend: &Backend) -> bool {
    ty.is_vector() && !backend.is_cpp() && matches!(ty.base, Base::Char | Base::Short | Base::Int)
}

/// What stands before, between and behind two operands of an operator, for a result that is converted to their type.
/// The first operand is a name, or in brackets.
pub(crate) fn joined(operator: &str, ty: Type, backend: &Backend) -> [String; 3] {
    let wide = !ty.base.is_small() || (ty.base == Base::UShort && operator == "*");
    let overflows = matches!(operator, "+" | "-" | "*") && !backend.lowering.signed_wrap;
    let cpp = backend.is_cpp();
    let other = unsigned(ty, cpp);
    let other = spell(other, cpp);
    if let Some(function) = vector_function(ty, true, backend).filter(|_| overflows) {
        return match is_signed_vector(ty, backend) {
            true => [
                format!("{function}(as_{other}("),
                format!(") {operator} as_{other}("),
                "))".to_string(),
            ],
            false => [
                format!("{function}("),
                format!(" {operator} "),
                ")".to_string(),
            ],
        };
    }
    let integer = matches!(ty.base, Base::Int | Base::UShort);
    let cast = match overflows && wide && integer && !ty.is_vector() {
        true => format!("({other})"),
        false => String::new(),
    };
    [cast, format!(" {operator} "), String::new()]
}

/// Whether a sum, difference or product of a type is hidden from the compiler; `negative` says that it may be a negative
/// of something of that type.
fn hides(ty: Type, negative: bool, backend: &Backend) -> bool {
    let hidden = match ty.base {
        Base::Short | Base::UShort => negative,
        Base::Char | Base::UChar => !backend.is_cpp(),
        _ => false,
    };
    // The operators of the prelude's vectors hide them by themselves.
    let operators = ty.is_vector() && backend.is_cpp();
    hidden && !operators && backend.lowering.opaque_small_integers
}

/// The function that makes of a result without a sign what a vector's sum, difference or product is to be, if there has to
/// be one.
fn vector_function(ty: Type, negative: bool, backend: &Backend) -> Option<String> {
    let spelled = spell(ty, backend.is_cpp());
    match (hides(ty, negative, backend), is_signed_vector(ty, backend)) {
        _ if !ty.is_vector() => None,
        (true, _) => Some(format!("brook_shortened_{spelled}")),
        (false, true) => Some(format!("as_{spelled}")),
        (false, false) => None,
    }
}

/// What stands in front of an `int` in brackets that is to have a type again; `negative` says that it may be a negative,
/// a sum or a product of something of that type.
pub(super) fn shortened(ty: Type, negative: bool, backend: &Backend) -> String {
    let spelled = spell(ty, backend.is_cpp());
    match hides(ty, negative, backend) {
        true if backend.is_cpp() => format!("brook_shortened<{spelled}>"),
        true => format!("brook_shortened_{spelled}"),
        false => format!("({spelled})"),
    }
}

impl Pass<'_> {
    /// Casts around what may overflow, and in front of what it is computed from.
    pub(super) fn wrapping(&mut self, span: Span, what: &ConstructKind) {
        let ConstructKind::Wrapping {
            ty,
            operands,
            unsigned: signless,
            closed,
            part,
            negative,
        } = what
        else {
            return;
        };
        let cpp = self.cpp();
        let native = self.backend.lowering.signed_wrap;
        let other = spell(unsigned(*ty, cpp), cpp);
        if ty.is_vector() {
            let signed = is_signed_vector(*ty, self.backend);
            let hidden = hides(*ty, *negative, self.backend);
            if let ([operand], true) = (operands.as_slice(), hidden) {
                // Parts have no sign, on both sides.
                let as_type = match (signed, *part, operand.part) {
                    (true, true, false) => format!("as_{other}"),
                    (true, false, true) => format!("as_{}", spell(*ty, cpp)),
                    _ => String::new(),
                };
                self.negative(span, operand, &as_type);
                return;
            }
            if signed {
                for operand in operands.iter().filter(|o| !o.part) {
                    self.enclose(operand.span, &format!("as_{other}"), operand.brackets);
                }
            }
            let function = vector_function(*ty, *negative, self.backend);
            if let Some(function) = function.filter(|_| !part) {
                self.enclose(span, &function, *closed);
            }
            return;
        }
        let is_small = ty.base.is_small();
        if native && !is_small {
            return;
        }
        // One operand without a sign is enough for both.
        let already = operands.iter().any(|o| o.unsigned);
        if let Some(first) = operands.first()
            && *signless
            && !already
            && !native
        {
            let (open, close) = if first.closed { ("", "") } else { ("(", ")") };
            self.edits
                .insert_before(first.span.start, format!("({other}){open}"));
            self.edits.append(first.span.end, close);
        }
        if !part {
            let (open, close) = if *closed { ("", "") } else { ("(", ")") };
            let cast = shortened(*ty, *negative, self.backend);
            self.edits
                .insert_before(span.start, format!("{cast}{open}"));
            self.edits.append(span.end, close);
        }
    }

    /// `brook_negative(v)` for `-v`, or `brook_negative(as_type(v))`.
    fn negative(&mut self, span: Span, operand: &WrappedOperand, as_type: &str) {
        let before = Span::new(span.start, operand.span.start);
        let Some(sign) = before.of(self.text).rfind('-') else {
            return;
        };
        let at = span.start + sign as u32;
        self.edits
            .replace(Span::new(at, at + 1), "brook_negative".to_string());
        match as_type {
            "" => self.enclose(operand.span, "", operand.brackets),
            _ => {
                self.enclose(operand.span, &format!("({as_type}"), operand.brackets);
                self.edits.append(operand.span.end, ")");
            }
        }
    }

    /// `function(text)`, where the text may have brackets already.
    fn enclose(&mut self, span: Span, function: &str, brackets: bool) {
        let (open, close) = if brackets { ("", "") } else { ("(", ")") };
        self.edits
            .insert_before(span.start, format!("{function}{open}"));
        self.edits.append(span.end, close);
    }
}
