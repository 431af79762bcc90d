//! Pieces of trees.

use super::{Lower, Opaque, Unit};
use crate::body::{
    Atomicity, BinaryOperator, Body, Builtin, ExpressionId, ExpressionKind, Memory, Place, PlaceId,
    Root, StatementId, StatementKind, Step, Type, TypeKind, Types, UnaryOperator, VariableId,
};
use crate::expr::{Scalar, Value};
use crate::source::Span;

/// A value that is read more than once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept {
    /// As often as it is wanted.
    Constant(ExpressionId),
    /// It is in that variable.
    Variable(VariableId, Type),
}

/// What has the tree of a body to add to.
pub(super) trait Make {
    fn body(&mut self) -> &mut Body;
    fn types(&mut self) -> &mut Types;

    fn push(&mut self, kind: ExpressionKind, ty: Type, span: Span) -> ExpressionId {
        self.body().add_expression(kind, ty, span)
    }

    fn push_place(&mut self, place: Place) -> PlaceId {
        self.body().add_place(place)
    }

    fn push_statement(&mut self, kind: StatementKind, span: Span) -> StatementId {
        self.body().add_statement(kind, span)
    }

    fn ty(&mut self, id: ExpressionId) -> Type {
        self.body().expression(id).ty
    }

    fn literal(&mut self, value: Value, span: Span) -> ExpressionId {
        let ty = self.types().scalar(value.scalar());
        self.push(ExpressionKind::Literal(value), ty, span)
    }

    fn long(&mut self, value: i64, span: Span) -> ExpressionId {
        self.literal(Value::Int(Scalar::Long, value), span)
    }

    fn int(&mut self, value: i64, span: Span) -> ExpressionId {
        self.literal(Value::Int(Scalar::Int, value), span)
    }

    /// A new variable.
    fn variable(&mut self, name: &str, ty: Type, memory: Memory, span: Span) -> VariableId {
        self.body().add_variable(name, ty, memory, span)
    }

    /// What a variable holds.
    fn read(&mut self, id: VariableId, span: Span) -> ExpressionId {
        let place = self.whole(id, span);
        self.load(place)
    }

    /// All of a variable.
    fn whole(&mut self, id: VariableId, span: Span) -> Place {
        let ty = match id {
            VariableId::Local(index) => self.body().variables[index as usize].ty,
            VariableId::Global(_) => Types::VOID,
        };
        place(Root::Variable(id), ty, span)
    }

    /// What a pointer points to, of that type.
    fn pointed(&mut self, pointer: ExpressionId, span: Span) -> Place {
        let ty = self.ty(pointer);
        let to = self.types().element(ty).unwrap_or(Types::VOID);
        place(Root::Pointer(pointer), to, span)
    }

    fn load(&mut self, place: Place) -> ExpressionId {
        let (ty, span) = (place.ty, place.span);
        let place = self.push_place(place);
        self.push(ExpressionKind::Load(place), ty, span)
    }

    fn assign(&mut self, place: Place, value: ExpressionId, span: Span) -> ExpressionId {
        let ty = place.ty;
        let place = self.push_place(place);
        self.push(ExpressionKind::Assign { place, value }, ty, span)
    }

    fn address(&mut self, place: Place) -> ExpressionId {
        let span = place.span;
        let ty = self.types().pointer(place.ty);
        let place = self.push_place(place);
        self.push(ExpressionKind::AddressOf(place), ty, span)
    }

    /// `a OP b` of two values of one type.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> ExpressionId {
        let ty = match operator.compares() {
            true => self.types().scalar(Scalar::Bool),
            false => self.ty(a),
        };
        self.push(ExpressionKind::Binary(operator, a, b), ty, span)
    }

    fn unary(&mut self, operator: UnaryOperator, a: ExpressionId, span: Span) -> ExpressionId {
        let ty = self.ty(a);
        self.push(ExpressionKind::Unary(operator, a), ty, span)
    }

    fn conditional(
        &mut self,
        condition: ExpressionId,
        yes: ExpressionId,
        no: ExpressionId,
        span: Span,
    ) -> ExpressionId {
        let ty = self.ty(yes);
        let kind = ExpressionKind::Conditional(condition, yes, no);
        self.push(kind, ty, span)
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: Vec<ExpressionId>,
        span: Span,
    ) -> ExpressionId {
        let ty = match arguments.first() {
            Some(first) => self.ty(*first),
            None => Types::VOID,
        };
        self.push(ExpressionKind::Builtin(builtin, arguments), ty, span)
    }

    /// A number, or each component of a vector, as one of another type.
    fn cast(&mut self, value: ExpressionId, to: Type, span: Span) -> ExpressionId {
        match self.ty(value) == to {
            true => value,
            false => self.push(ExpressionKind::Convert(value), to, span),
        }
    }

    fn as_scalar(&mut self, value: ExpressionId, scalar: Scalar) -> ExpressionId {
        let span = self.body().expression(value).span;
        let ty = self.types().scalar(scalar);
        self.cast(value, ty, span)
    }

    /// `first, second`
    fn then(&mut self, first: Option<ExpressionId>, second: ExpressionId) -> ExpressionId {
        let Some(first) = first else {
            return second;
        };
        let (ty, span) = (self.ty(second), self.body().expression(second).span);
        self.push(ExpressionKind::Comma(first, second), ty, span)
    }

    fn call(
        &mut self,
        of: (crate::body::BodyId, Type),
        arguments: Vec<ExpressionId>,
        span: Span,
    ) -> ExpressionId {
        self.push(ExpressionKind::Call(of.0, arguments), of.1, span)
    }
}

/// All of what a way begins with.
pub(super) fn place(root: Root, ty: Type, span: Span) -> Place {
    Place {
        root,
        path: Vec::new(),
        ty,
        atomicity: Atomicity::Plain,
        span,
    }
}

impl Make for Lower<'_, '_, '_> {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }

    fn types(&mut self) -> &mut Types {
        &mut self.unit.program.types
    }
}

/// A body without text of its own.
pub(super) struct Plain<'l, 'u, 'a> {
    pub(super) unit: &'l mut Unit<'u, 'a>,
    pub(super) body: Body,
}

impl Make for Plain<'_, '_, '_> {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }

    fn types(&mut self) -> &mut Types {
        &mut self.unit.program.types
    }
}

impl Plain<'_, '_, '_> {
    pub(super) fn statement(&mut self, value: ExpressionId, span: Span) -> StatementId {
        self.push_statement(StatementKind::Expression(value), span)
    }
}

impl Lower<'_, '_, '_> {
    /// Keeps a value that is read more than once: what computes it, and what reads it.
    pub(super) fn keep(&mut self, value: ExpressionId) -> (Option<ExpressionId>, Kept) {
        let expression = self.body.expression(value);
        if let ExpressionKind::Literal(_) = expression.kind {
            return (None, Kept::Constant(value));
        }
        // What is kept already is written nowhere else.
        if let ExpressionKind::Load(place) = expression.kind
            && let Root::Variable(VariableId::Local(index)) = self.body.place(place).root
            && self.body.variables[index as usize].is_temporary()
        {
            return (None, Kept::Constant(value));
        }
        let (ty, span) = (expression.ty, expression.span);
        let variable = self.temporary(ty, span);
        let place = self.whole(variable, span);
        let assigned = self.assign(place, value, span);
        (Some(assigned), Kept::Variable(variable, ty))
    }

    pub(super) fn temporary(&mut self, ty: Type, span: Span) -> VariableId {
        self.temporaries += 1;
        let name = format!("{}{}", crate::body::Variable::TEMPORARY, self.temporaries);
        self.variable(&name, ty, Memory::Private, span)
    }

    pub(super) fn kept(&mut self, kept: Kept, span: Span) -> ExpressionId {
        match kept {
            Kept::Constant(value) => value,
            Kept::Variable(variable, _) => self.read(variable, span),
        }
    }

    /// A component of a kept vector, or a number for any.
    pub(super) fn component(&mut self, kept: Kept, index: u32, span: Span) -> ExpressionId {
        let (variable, ty) = match kept {
            Kept::Variable(variable, ty) => (variable, ty),
            Kept::Constant(value) => {
                let ty = self.ty(value);
                let Some((scalar, 2..)) = self.shape(ty) else {
                    return value;
                };
                let ty = self.scalar_type(scalar);
                return self.push(ExpressionKind::Component(value, index), ty, span);
            }
        };
        match self.shape(ty) {
            Some((scalar, width)) if width > 1 => {
                let mut place = self.whole(variable, span);
                place.path.push(Step::Component(index));
                place.ty = self.scalar_type(scalar);
                self.load(place)
            }
            _ => self.read(variable, span),
        }
    }

    /// A vector of those components, or the only one.
    pub(super) fn vector(&mut self, parts: Vec<ExpressionId>, span: Span) -> ExpressionId {
        if let [only] = parts[..] {
            return only;
        }
        let first = self.ty(parts[0]);
        let scalar = match self.kind(first) {
            TypeKind::Scalar(scalar) => scalar,
            _ => Scalar::Int,
        };
        let ty = self.unit.numbers_of(scalar, parts.len() as u8);
        self.push(ExpressionKind::Construct(parts), ty, span)
    }

    /// Computes each component of a vector, or a number, from the values of those at the same place.
    pub(super) fn each(
        &mut self,
        operands: &[ExpressionId],
        span: Span,
        mut compute: impl FnMut(&mut Self, &[ExpressionId]) -> ExpressionId,
    ) -> Result<ExpressionId, Opaque> {
        let first = self.ty(operands[0]);
        let Some((_, width)) = self.shape(first) else {
            let what = "an operator of these types".to_string();
            return Err(Opaque { span, what });
        };
        if width == 1 {
            return Ok(compute(self, operands));
        }
        let mut before = None;
        let mut kept = Vec::new();
        for &operand in operands {
            let (computed, value) = self.keep(operand);
            if let Some(computed) = computed {
                before = Some(self.then(before, computed));
            }
            kept.push(value);
        }
        let mut parts = Vec::new();
        for index in 0..u32::from(width) {
            let mut values = Vec::new();
            for &value in &kept {
                values.push(self.component(value, index, span));
            }
            parts.push(compute(self, &values));
        }
        let made = self.vector(parts, span);
        Ok(self.then(before, made))
    }
}
