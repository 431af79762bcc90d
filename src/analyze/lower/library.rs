//! Functions and names that the program does not declare: C's, those of the targets, and OKL's own.

use super::{Lower, Lowered, Opaque};
use crate::body::{BinaryOperator, Builtin, ExpressionId, ExpressionKind, Type, TypeKind, Types};
use crate::expr::{self, Scalar, Value};
use crate::library::{self, Meaning};
use crate::module::{CollectiveFunction, VectorType};
use crate::sema;
use crate::source::Span;
use crate::syntax::{Kind, NodeId};

/// CUDA's fast or rounded forms of functions, which are taken for exact ones.
const VENDOR_FUNCTIONS: [(&str, &str, Scalar); 16] = [
    ("__expf", "exp", Scalar::Float),
    ("__exp10f", "exp10", Scalar::Float),
    ("__logf", "log", Scalar::Float),
    ("__log2f", "log2", Scalar::Float),
    ("__log10f", "log10", Scalar::Float),
    ("__sinf", "sin", Scalar::Float),
    ("__cosf", "cos", Scalar::Float),
    ("__tanf", "tan", Scalar::Float),
    ("__powf", "pow", Scalar::Float),
    ("__fmaf_rn", "fma", Scalar::Float),
    ("__fma_rn", "fma", Scalar::Double),
    ("__fsqrt_rn", "sqrt", Scalar::Float),
    ("__dsqrt_rn", "sqrt", Scalar::Double),
    ("__frsqrt_rn", "rsqrt", Scalar::Float),
    ("__builtin_sqrt", "sqrt", Scalar::Double),
    ("__builtin_fabs", "fabs", Scalar::Double),
];

/// Functions of the bits of a number, and its type.
const BIT_FUNCTIONS: [(&str, Builtin, Scalar); 9] = [
    ("__popc", Builtin::Ones, Scalar::UInt),
    ("__popcll", Builtin::Ones, Scalar::ULong),
    ("__builtin_popcount", Builtin::Ones, Scalar::UInt),
    ("__builtin_popcountl", Builtin::Ones, Scalar::ULong),
    ("__builtin_popcountll", Builtin::Ones, Scalar::ULong),
    ("__clz", Builtin::LeadingZeros, Scalar::UInt),
    ("__clzll", Builtin::LeadingZeros, Scalar::ULong),
    ("__builtin_clz", Builtin::LeadingZeros, Scalar::UInt),
    ("__builtin_clzll", Builtin::LeadingZeros, Scalar::ULong),
];

impl Lower<'_, '_> {
    /// A function that the program does not declare.
    pub(super) fn library(&mut self, node: NodeId, name: &str) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let given = self.arguments(node);
        let made = name.strip_prefix("make_").unwrap_or(name);
        if let Some(vector) = VectorType::from_name(made) {
            return self.vector(node, vector, &given);
        }
        if let Some(scalar) = Scalar::from_words([name]) {
            let ty = self.scalar_type(scalar);
            return self.made(node, ty);
        }
        if let Some(value) = self.intrinsic(node, name, &given)? {
            return Ok(value);
        }
        let mut values = Vec::new();
        for argument in &given {
            values.push(self.value(*argument)?);
        }
        self.library_value(name, values, span)
    }

    fn not_known<T>(&self, span: Span, what: impl Into<String>) -> Lowered<T> {
        let what = what.into();
        Err(Opaque { span, what })
    }

    /// The same of values.
    pub(super) fn library_value(
        &mut self,
        name: &str,
        mut values: Vec<ExpressionId>,
        span: Span,
    ) -> Lowered<ExpressionId> {
        match (name, values.as_slice()) {
            // What it is given is computed; it prints nothing.
            ("printf", _) => {
                let mut value = self.literal(Value::int(0), span);
                let ty = self.ty(value);
                for before in values.into_iter().rev() {
                    value = self.push(ExpressionKind::Comma(before, value), ty, span);
                }
                return Ok(value);
            }
            ("__builtin_expect", [value, _]) => return self.as_scalar(*value, Scalar::Long),
            ("__builtin_inff", []) => {
                return Ok(self.literal(Value::Float(Scalar::Float, f64::INFINITY), span));
            }
            ("__builtin_huge_valf", []) => {
                return Ok(self.literal(Value::Float(Scalar::Float, f64::INFINITY), span));
            }
            ("__builtin_huge_val", []) => {
                return Ok(self.literal(Value::Float(Scalar::Double, f64::INFINITY), span));
            }
            ("__frcp_rn", [value]) => {
                let one = self.literal(Value::Float(Scalar::Float, 1.0), span);
                let value = self.as_scalar(*value, Scalar::Float)?;
                return self.operate(BinaryOperator::Divide, one, value, span);
            }
            ("__fdividef", [a, b]) => {
                let (a, b) = (
                    self.as_scalar(*a, Scalar::Float)?,
                    self.as_scalar(*b, Scalar::Float)?,
                );
                return self.operate(BinaryOperator::Divide, a, b, span);
            }
            _ => {}
        }
        let scalars: Option<Vec<Scalar>> = values.iter().map(|v| self.scalar_of(*v)).collect();
        let Some(scalars) = scalars else {
            return self.not_known(span, format!("'{name}' of these types"));
        };
        if let Some(function) = CollectiveFunction::from_name(name) {
            let result = sema::library_result(name, &scalars);
            let at = usize::from(function.is_shuffle());
            if let (Some(result), Some(value)) = (result, values.get(at).copied()) {
                let value = match function.is_vote() {
                    true => self.truth(value)?,
                    false => self.as_scalar(value, result)?,
                };
                values[at] = value;
                let ty = self.scalar_type(result);
                return Ok(self.push(ExpressionKind::Collective(function, values), ty, span));
            }
        }
        let vendors = VENDOR_FUNCTIONS.iter().find(|(known, ..)| *known == name);
        if let Some((_, function, scalar)) = vendors {
            return self.real(span, function, values, *scalar);
        }
        let bits = BIT_FUNCTIONS.iter().find(|(known, ..)| *known == name);
        if let (Some((_, builtin, of)), [value]) = (bits, values.as_slice()) {
            let (builtin, value) = (*builtin, self.as_scalar(*value, *of)?);
            let ty = self.scalar_type(Scalar::Int);
            return Ok(self.push(ExpressionKind::Builtin(builtin, vec![value]), ty, span));
        }
        // `sqrtf`
        let real = |name: &str| sema::REAL_FUNCTIONS.iter().find(|f| **f == name).copied();
        let short = name.strip_suffix('f').and_then(real);
        if let (None, Some(function)) = (real(name), short) {
            return self.real(span, function, values, Scalar::Float);
        }
        let Some(result) = sema::library_result(name, &scalars) else {
            return self.not_known(span, format!("a call of '{name}'"));
        };
        match name {
            "min" | "max" => {
                let [a, b] = values.as_slice() else {
                    return self.not_known(span, format!("a call of '{name}'"));
                };
                let (a, b) = (self.as_scalar(*a, result)?, self.as_scalar(*b, result)?);
                let builtin = match name {
                    "min" => Builtin::Min,
                    _ => Builtin::Max,
                };
                let ty = self.scalar_type(result);
                Ok(self.push(ExpressionKind::Builtin(builtin, vec![a, b]), ty, span))
            }
            "abs" => {
                let [a] = values.as_slice() else {
                    return self.not_known(span, format!("a call of '{name}'"));
                };
                if result.is_float() {
                    return self.real(span, "fabs", values, result);
                }
                let a = self.as_scalar(*a, result)?;
                let ty = self.scalar_type(result);
                Ok(self.push(ExpressionKind::Builtin(Builtin::Abs, vec![a]), ty, span))
            }
            _ => match real(name) {
                Some(function) => self.real(span, function, values, sema::computed_in(&scalars)),
                None => self.not_known(span, format!("a call of '{name}'")),
            },
        }
    }

    fn real(
        &mut self,
        span: Span,
        function: &'static str,
        values: Vec<ExpressionId>,
        scalar: Scalar,
    ) -> Lowered<ExpressionId> {
        let mut converted = Vec::new();
        for value in values {
            converted.push(self.as_scalar(value, scalar)?);
        }
        let asks = matches!(function, "isfinite" | "isinf" | "isnan" | "isnormal");
        let ty = self.scalar_type(if asks { Scalar::Int } else { scalar });
        let kind = ExpressionKind::Builtin(Builtin::Real(function), converted);
        Ok(self.push(kind, ty, span))
    }

    /// What a pointer points to that is given to `__ldg`.
    pub(super) fn read_only(&mut self, call: NodeId) -> Lowered<Option<ExpressionId>> {
        let tree = self.unit.tree;
        let function = self.part(call, crate::syntax::Field::Function)?;
        let is_read = tree.kind(function) == Kind::Identifier
            && self.text(function) == "__ldg"
            && self.unit.sema.definition(function).is_none();
        match self.arguments(call).as_slice() {
            [pointer] if is_read => Ok(Some(self.value(*pointer)?)),
            _ => Ok(None),
        }
    }

    /// A name that the library or the language has.
    pub(super) fn library_name(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let name = self.text(node);
        match name {
            "NULL" => {
                let void = self.unit.program.types.pointer(Types::VOID);
                return Ok(self.push(ExpressionKind::Null, void, span));
            }
            "NAN" => return Ok(self.literal(Value::Float(Scalar::Float, f64::NAN), span)),
            _ => {}
        }
        let found = library::find(name).map(|row| row.meaning);
        if let Some(Meaning::Value(text)) = found
            && let Ok(value) = self.attribute_text(text, span)
        {
            return Ok(value);
        }
        self.unnamed(node, "a name that the program does not declare")
    }

    /// The type that a name means which nobody declares.
    pub(super) fn type_of_name(&mut self, name: &str) -> Option<Type> {
        if let Some(vector) = VectorType::from_name(name) {
            return Some(self.unit.program.types.of(TypeKind::Vector(vector)));
        }
        let scalar = Scalar::from_words([name])?;
        Some(self.scalar_type(scalar))
    }

    /// A function of OKL's own, or of the user's table.
    fn intrinsic(
        &mut self,
        node: NodeId,
        name: &str,
        given: &[NodeId],
    ) -> Lowered<Option<ExpressionId>> {
        let span = self.span(node);
        let facts = self.unit.facts;
        let collective = CollectiveFunction::from_name(name).is_some();
        let row = facts.intrinsics.get(name).filter(|_| !collective);
        let Some(row) = row else {
            return Ok(None);
        };
        match (name, given) {
            ("okl_memcpy_async", [to, from, bytes]) => {
                return Ok(Some(self.copied(node, *to, *from, *bytes)?));
            }
            ("okl_pipeline_commit" | "okl_pipeline_wait_prior", _) => {
                let mut done = self.literal(Value::int(0), span);
                if facts.tells_copies {
                    let (builtin, number) = match given {
                        [sets] => (Builtin::CopiesAwaited, self.value(*sets)?),
                        _ => (Builtin::CopiesClosed, done),
                    };
                    let number = self.as_scalar(number, Scalar::Long)?;
                    let kind = ExpressionKind::Builtin(builtin, vec![number]);
                    done = self.push(kind, self.ty(done), span);
                }
                return Ok(Some(self.convert(done, Types::VOID)?));
            }
            _ => {}
        }
        // What a prelude is needed for is no expression.
        let plain = ["fallback", "cuda"].into_iter();
        let mut plain = plain.filter(|backend| !row.prelude.contains_key(*backend));
        let text = plain.find_map(|backend| row.calls.get(backend));
        let Some(text) = text.filter(|_| given.len() == row.arguments) else {
            return Ok(None);
        };
        let mut text = text.clone();
        for at in 0..given.len() {
            text = text.replace(&format!("{{{at}}}"), &format!("brook_given_{at}"));
        }
        let Ok(parsed) = expr::parse(&text) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for argument in given {
            values.push(self.value(*argument)?);
        }
        let around = std::mem::replace(&mut self.given, values);
        let made = self.attribute(&parsed, span);
        self.given = around;
        made.map(Some)
    }

    /// A copy of so many bytes, which is done at once; of some it is said that nobody may look at it yet.
    fn copied(
        &mut self,
        node: NodeId,
        to: NodeId,
        from: NodeId,
        bytes: NodeId,
    ) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let Some(bytes) = self.unit.constant(bytes) else {
            return self.opaque(node, "a copy of so many bytes");
        };
        let (to, from) = (self.pointer_to(to)?, self.pointer_to(from)?);
        let types = &self.unit.program.types;
        let (a, b) = (types.element(self.ty(to)), types.element(self.ty(from)));
        let (Some(of), true) = (a, a == b) else {
            return self.unnamed(node, "a copy between these types");
        };
        let size = types.size(of).max(1) as i64;
        if bytes % size != 0 || !(0..=16).contains(&bytes) {
            return self.opaque(node, "a copy of so many bytes");
        }
        let mut done = self.literal(Value::int(0), span);
        // What else is copied is there at once on all devices.
        if self.unit.facts.tells_copies && matches!(bytes, 4 | 8 | 16) {
            let kind =
                ExpressionKind::Builtin(Builtin::Copying, vec![to, from, self.long(bytes, span)]);
            done = self.push(kind, self.ty(done), span);
        }
        done = self.convert(done, Types::VOID)?;
        for at in (0..bytes / size).rev() {
            let at = self.long(at, span);
            let (to, from) = (
                self.offset(to, at, false, span)?,
                self.offset(from, at, false, span)?,
            );
            let (to, from) = (self.pointed(to, span)?, self.pointed(from, span)?);
            let place = self.push_place(to);
            let value = self.read(from)?;
            let assigned = self.push(ExpressionKind::Assign { place, value }, of, span);
            done = self.push(ExpressionKind::Comma(assigned, done), Types::VOID, span);
        }
        Ok(done)
    }

    /// A pointer, or that to a variable.
    fn pointer_to(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let value = self.value(node)?;
        if matches!(self.kind(self.ty(value)), TypeKind::Pointer(_)) {
            return Ok(value);
        }
        let place = self.place(node)?;
        Ok(self.address_of(place, self.span(node)))
    }
}
