use super::wrap::shortened;
use super::{Pass, joined, spell};
use crate::module::{Base, Conversion, Type, TypedOperand};
use crate::rewrite::{Part, Use};
use crate::source::{Overlap, Span};

/// Whether a text is a name, or a number without a point or sign.
fn is_word(text: &str) -> bool {
    text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// Functions of the language that are sums of products themselves.
const SUMS: [&str; 4] = ["cross", "dot", "lerp", "normalize"];

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
        self.edits.replace(
            span,
            format!(
                "({}({}))",
                self.backend.spelling.vector_of(&spelled),
                parts.join(", ")
            ),
        );
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
        self.uses.insert(Use::Swizzle(components.to_string()));
        self.edits.discard(span);
        self.edits
            .replace(span, format!("brook_{components}({base})"));
        Ok(())
    }

    /// `base.components` as a value.
    pub(super) fn read(&mut self, base: &str, components: &str) -> String {
        if !self.cpp() || components.len() < 2 {
            return format!("{base}.{components}");
        }
        self.uses.insert(Use::Swizzle(components.to_string()));
        format!("brook_{components}({base})")
    }

    /// `base.components = value`
    pub(super) fn write(&mut self, base: &str, components: &str, value: &str) -> String {
        if !self.cpp() || components.len() < 2 {
            return format!("{base}.{components} = {value}");
        }
        self.uses.insert(Use::Assignment(components.to_string()));
        format!("brook_set_{components}({base}, {value})")
    }

    pub(super) fn swizzle_assignment(
        &mut self,
        span: Span,
        (base, components): (Span, &str),
        operator: &str,
        value: Span,
        (ty, operand): (Type, Type),
    ) -> Result<(), Overlap> {
        self.type_name(ty);
        let (base, value) = (self.take(base)?, self.take(value)?);
        let value = match operator {
            "" => value,
            operator => {
                let before = self.read(&base, components);
                self.compound(operator, &before, &value, (ty, operand))
            }
        };
        let text = self.write(&base, components, &value);
        self.edits.replace(span, text);
        Ok(())
    }

    /// What `before OP= value` assigns, where the operator works in a type of its own.
    pub(super) fn compound(
        &mut self,
        operator: &str,
        before: &str,
        value: &str,
        (ty, operand): (Type, Type),
    ) -> String {
        if ty == operand {
            return self.binary(operator, before, &format!("({value})"), ty);
        }
        let before = self.converted(before.to_string(), ty, operand);
        let result = self.binary(operator, &before, &format!("({value})"), operand);
        self.converted(format!("({result})"), operand, ty)
    }

    /// `v++` and its like on vectors. `value` says whether somebody asks for the value, and for that of
    /// before.
    pub(super) fn update(
        &mut self,
        span: Span,
        (base, components): (Span, &str),
        operator: &str,
        ty: Type,
        value: Option<bool>,
    ) -> Result<(), Overlap> {
        if !ty.is_vector() {
            return self.step(span, base, operator, ty, value);
        }
        let base = self.take(base)?;
        let one = self.splat("1", ty);
        if components.is_empty() && value.is_none() {
            let changed = self.changed(&base, operator, &one, ty);
            self.edits.replace(span, changed);
            return Ok(());
        }
        if value != Some(true) {
            let text = match components {
                "" => format!("({})", self.changed(&base, operator, &one, ty)),
                _ => {
                    let before = self.read(&base, components);
                    let next = self.binary(operator, &before, &one, ty);
                    self.write(&base, components, &next)
                }
            };
            self.edits.replace(span, text);
            return Ok(());
        }
        // A variable of its own keeps the value of before; it is declared in front of the statement.
        let before = match components {
            "" => base.clone(),
            _ => self.read(&base, components),
        };
        let temporary = self.temporary(ty, None, String::new());
        let next = self.binary(operator, &temporary, &one, ty);
        let changed = match components {
            "" => format!("{base} = {next}"),
            _ => self.write(&base, components, &next),
        };
        let text = format!("({temporary} = {before}, {changed}, {temporary})");
        self.edits.replace(span, text);
        Ok(())
    }

    /// `v OP= one` on a vector.
    fn changed(&mut self, base: &str, operator: &str, one: &str, ty: Type) -> String {
        match self.cpp() {
            true => format!("{base} {operator}= {one}"),
            false => format!("{base} = {}", self.binary(operator, base, one, ty)),
        }
    }

    /// `i++` and its like on an integer that may overflow.
    fn step(
        &mut self,
        span: Span,
        base: Span,
        operator: &str,
        ty: Type,
        value: Option<bool>,
    ) -> Result<(), Overlap> {
        let lowering = &self.backend.lowering;
        let small = matches!(ty.base, Base::Char | Base::Short);
        if lowering.signed_wrap || (small && !lowering.opaque_small_integers) {
            return Ok(());
        }
        let base = self.take(base)?;
        let changed = match small {
            // NVIDIA's compilers believe of `i++` that it does not overflow, and take `i += 1` for what it is.
            true => format!("{base} {operator}= 1"),
            false => format!("{base} = {}", self.binary(operator, &base, "1", ty)),
        };
        let text = match value {
            None => changed,
            Some(false) => format!("({changed})"),
            Some(true) => {
                let back = if operator == "+" { "-" } else { "+" };
                let before = self.binary(back, &format!("({changed})"), "1", ty);
                format!("({before})")
            }
        };
        self.edits.replace(span, text);
        Ok(())
    }

    /// The name of a new temporary variable of the statement at hand.
    pub(super) fn temporary(&mut self, ty: Type, value: Option<&str>, back: String) -> String {
        self.counted += 1;
        let name = format!("brook_part_{}", self.counted);
        let spelled = self.type_name(ty);
        let declaration = match value {
            Some(value) => format!("{spelled} {name} = {value};"),
            None => format!("{spelled} {name};"),
        };
        self.temporaries.push((declaration, back));
        name
    }

    /// The temporary variables of a statement, around it.
    pub(super) fn hold(&mut self, span: Span, declares: bool) {
        let (mut before, mut behind) = (String::new(), String::new());
        for (declaration, back) in std::mem::take(&mut self.temporaries) {
            before += &format!("{declaration} ");
            if !back.is_empty() {
                behind += &format!(" {back};");
            }
        }
        let (open, close) = if declares { ("", "") } else { ("{ ", " }") };
        self.edits
            .insert_before(span.start, format!("{open}{before}"));
        self.edits.append(span.end, format!("{behind}{close}"));
    }

    /// A scalar as all components of a type.
    fn splat(&mut self, scalar: &str, ty: Type) -> String {
        let spelled = self.type_name(ty);
        let base = spell(Type::scalar(ty.base), self.cpp());
        match (ty.is_vector(), self.cpp()) {
            (false, _) => format!("({spelled})({scalar})"),
            (true, true) => format!("{spelled}(({base})({scalar}))"),
            (true, false) => {
                let vector = self.backend.spelling.vector_of(&spelled);
                format!("{vector}(({base})({scalar}))")
            }
        }
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
        let wraps = matches!(operator, "+" | "-" | "*") && operand.base == Base::Int;
        if assigns
            && wraps
            && (self.backend.lowering.signed_wrap || operand.is_vector() && self.cpp())
        {
            return Ok(());
        }
        let unary = left.is_empty();
        if unary && operator == "-" {
            if self.backend.lowering.opaque_negatives {
                let text = self.take(right)?;
                let text = self.minus(&text);
                self.edits.replace(span, text);
            }
            return Ok(());
        }
        let a = if unary {
            String::new()
        } else {
            self.take(left)?
        };
        let b = self.take(right)?;
        let value = match left.is_empty() {
            true => self.unary(operator, &b, operand),
            false if assigns => {
                let b = if is_word(&b) { b } else { format!("({b})") };
                self.binary(operator, &a, &b, operand)
            }
            false => self.binary(operator, &a, &b, operand),
        };
        let text = if assigns {
            format!("{a} = {value}")
        } else {
            value
        };
        self.edits.replace(span, text);
        Ok(())
    }

    fn unary(&mut self, operator: &str, b: &str, operand: Type) -> String {
        if operator == "!" {
            self.uses.insert(Use::Operator("not"));
            self.type_name(operand);
            return format!("brook_not({b})");
        }
        match operand.is_vector() {
            true => format!("{operator}{b}"),
            false => format!("(({})({operator}{b}))", spell(operand, self.cpp())),
        }
    }

    /// `a OP b` with Brook+'s meaning.
    pub(super) fn binary(&mut self, operator: &str, a: &str, b: &str, operand: Type) -> String {
        let integers = operand.base.is_integer();
        let relational = operand.is_vector();
        let function = match operator {
            "/" if integers => Some("div"),
            "%" => Some("rem"),
            "<<" => Some("shl"),
            ">>" => Some("shr"),
            "<" if relational => Some("lt"),
            ">" if relational => Some("gt"),
            "<=" if relational => Some("le"),
            ">=" if relational => Some("ge"),
            "==" if relational => Some("eq"),
            "!=" if relational => Some("ne"),
            "&&" if relational => Some("and"),
            "||" if relational => Some("or"),
            _ => None,
        };
        self.type_name(operand);
        match function {
            Some(name) => {
                self.uses.insert(Use::Operator(name));
                format!("brook_{name}({a}, {b})")
            }
            // Integers narrower than `int` wrap after every operator; vectors of them already do.
            None if operand.base.is_small() && !operand.is_vector() => {
                let [before, between, behind] = joined(operator, operand, self.backend);
                let cast = shortened(operand, matches!(operator, "+" | "-" | "*"), self.backend);
                format!("({cast}({before}{a}{between}{b}{behind}))")
            }
            None => {
                let [before, between, behind] = joined(operator, operand, self.backend);
                let text = format!("{before}{a}{between}{b}{behind}");
                match before.is_empty() || operand.is_vector() {
                    true => text,
                    false => format!("({})({text})", spell(operand, self.cpp())),
                }
            }
        }
    }

    /// A product that is added to without being rounded before.
    pub(super) fn contracted(
        &mut self,
        span: Span,
        ([a, b], addend): (&[TypedOperand; 2], &TypedOperand),
        negated: [bool; 2],
        ty: Type,
        assigns: bool,
    ) -> Result<(), Overlap> {
        self.type_name(ty);
        self.uses.insert(Use::Operator("fma"));
        let mut operand = |given: &TypedOperand, negated: bool| -> Result<String, Overlap> {
            let text = self.take(given.span)?;
            let text = match given.ty == ty {
                true => text,
                false => self.converted(text, given.ty, ty),
            };
            Ok(match negated {
                true => self.minus(&text),
                false => text,
            })
        };
        let (a, b) = (operand(a, negated[0])?, operand(b, false)?);
        let c = operand(addend, negated[1])?;
        let sum = format!("brook_fma({a}, {b}, {c})");
        let text = if assigns { format!("{c} = {sum}") } else { sum };
        // Casts around the product go, too.
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }

    /// The negative of a number where sums are contracted.
    fn minus(&mut self, text: &str) -> String {
        if self.backend.lowering.opaque_negatives {
            self.uses.insert(Use::Operator("minus"));
            return format!("brook_minus({text})");
        }
        match is_word(text) {
            true => format!("-{text}"),
            false => format!("-({text})"),
        }
    }

    /// `?:`, component by component.
    pub(super) fn select(
        &mut self,
        span: Span,
        (condition, picks): (Span, Type),
        (yes, no): (Span, Span),
        ty: Type,
    ) -> Result<(), Overlap> {
        let mut condition = self.take(condition)?;
        let (yes, no) = (self.take(yes)?, self.take(no)?);
        self.type_name(ty);
        if picks.base != ty.base && !self.cpp() {
            // One function for each type of the arms will do if the condition has that type, too.
            let zero = self.splat("0", picks);
            condition = self.binary("!=", &format!("({condition})"), &zero, picks);
            condition = self.converted(condition, picks, ty);
        }
        self.uses.insert(Part::Select.into());
        let text = format!("brook_select({condition}, {yes}, {no})");
        self.edits.replace(span, text);
        Ok(())
    }

    pub(super) fn cast(
        &mut self,
        span: Span,
        value: Span,
        Conversion { from, to }: Conversion,
    ) -> Result<(), Overlap> {
        let text = self.take(value)?;
        let text = match from == to {
            // The brackets may have been the cast's.
            true if !is_word(&text) => format!("({text})"),
            _ => self.converted(text, from, to),
        };
        self.edits.replace(span, text);
        Ok(())
    }

    /// A value of one type as another: components that are too many go, the last one is repeated where
    /// there are too few, and a scalar is all components.
    fn converted(&mut self, text: String, from: Type, to: Type) -> String {
        if to.width < from.width {
            let cut = Type {
                width: to.width,
                ..from
            };
            self.type_name(from);
            self.type_name(cut);
            let text = self.read(&format!("({text})"), &"xyzw"[..usize::from(to.width)]);
            return self.rebased(text, cut, to);
        }
        let base = Type {
            base: to.base,
            ..from
        };
        let text = self.rebased(text, from, base);
        if from.width == to.width {
            return text;
        }
        if !from.is_vector() {
            return self.splat(&text, to);
        }
        self.type_name(to);
        let last = &"xyzw"[usize::from(from.width) - 1..usize::from(from.width)];
        let missing = usize::from(to.width - from.width);
        let components = format!(
            "{}{}",
            &"xyzw"[..usize::from(from.width)],
            last.repeat(missing)
        );
        self.read(&format!("({text})"), &components)
    }

    /// Conversions of the components: from floating point to integers they saturate; all others are C's.
    fn rebased(&mut self, text: String, from: Type, to: Type) -> String {
        let spelled = self.type_name(to);
        if to.base == Base::Bool && to.is_vector() && from != to && !self.cpp() {
            let zero = self.splat("0", from);
            let differs = self.binary("!=", &format!("({text})"), &zero, from);
            return format!("convert_{spelled}({differs})");
        }
        let saturates = !from.base.is_integer() && to.base.is_integer() && to.base != Base::Bool;
        match (saturates, to.is_vector()) {
            (true, _) | (false, true) if from != to => {
                self.type_name(from);
                self.uses.insert(Part::Convert.into());
                // Comparisons have the operands' type here, but `int` in C.
                format!("brook_to_{to}(({})({text}))", spell(from, self.cpp()))
            }
            _ if from == to => text,
            _ => format!("({spelled})({text})"),
        }
    }

    pub(super) fn builtin(&mut self, name: &str, name_span: Span, types: &[Type]) {
        for ty in types {
            self.type_name(*ty);
        }
        if self.options.contract && SUMS.contains(&name) {
            self.uses.insert(Use::Operator("fma"));
        }
        self.uses.insert(Use::Function(name.to_string()));
        self.edits.replace(name_span, format!("brook_{name}"));
    }
}
