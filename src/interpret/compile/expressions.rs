use super::super::code::{Collective, Operation, Register};
use super::super::real::{self, REAL};
use super::places::Spot;
use super::{Builder, Key, Result, may_end_without_value, not_modelled};
use crate::body::{
    BinaryOperator, BodyId, Builtin, ExpressionId, ExpressionKind, PlaceId, Type, TypeKind,
};
use crate::expr::{Scalar, Value};
use crate::module::CollectiveKind;
use crate::source::Span;

/// A literal as it lies in a register.
fn literal(value: Value) -> u64 {
    match value {
        Value::Int(_, bits) => bits as u64,
        Value::Float(Scalar::Float, x) => u64::from((x as f32).to_bits()),
        Value::Float(_, x) => x.to_bits(),
    }
}

impl Builder<'_, '_> {
    /// Computes a value into registers: those that are wanted, or wherever it is.
    pub(super) fn value(&mut self, id: ExpressionId, want: Option<Register>) -> Result<Register> {
        let expression = self.body.expression(id);
        let (ty, span) = (expression.ty, expression.span);
        match &expression.kind {
            ExpressionKind::Literal(value) => {
                let value = match self.kind(ty) {
                    TypeKind::Scalar(scalar) if scalar != value.scalar() => value.convert(scalar),
                    _ => *value,
                };
                self.constant(literal(value), want, span)
            }
            ExpressionKind::Null => self.constant(0, want, span),
            ExpressionKind::Load(place) => self.read(*place, want),
            ExpressionKind::AddressOf(place) => self.address(*place, want),
            ExpressionKind::Unary(operator, a) => {
                let a = self.value(*a, None)?;
                let width = self.width(ty);
                let to = self.target(want, width, span)?;
                let scalar = self.number(ty, span)?;
                for at in 0..width as Register {
                    self.unary(*operator, scalar, to + at, a + at, span)?;
                }
                Ok(to)
            }
            ExpressionKind::Binary(operator, a, b) => {
                let operands = self.body.expression(*a).ty;
                let a = self.value(*a, None)?;
                let b = self.value(*b, None)?;
                let to = self.target(want, self.width(ty), span)?;
                self.operate_type(*operator, operands, [to, a, b], span)?;
                Ok(to)
            }
            ExpressionKind::Offset(pointer, by) => {
                let size = self.pointed_size(ty, span)?;
                let pointer = self.value(*pointer, None)?;
                let by = self.value(*by, None)?;
                let to = self.target(want, 1, span)?;
                self.emit(Operation::Element(to, pointer, by, size), span);
                Ok(to)
            }
            ExpressionKind::Difference(a, b) => {
                let size = self.pointed_size(self.body.expression(*a).ty, span)?;
                let a = self.value(*a, None)?;
                let b = self.value(*b, None)?;
                let to = self.target(want, 1, span)?;
                self.emit(Operation::Difference(to, a, b, size), span);
                Ok(to)
            }
            ExpressionKind::And(a, b) => self.short(*a, *b, true, span),
            ExpressionKind::Or(a, b) => self.short(*a, *b, false, span),
            ExpressionKind::Conditional(c, a, b) => {
                let width = self.width(ty);
                let to = self.temporary(width.max(1), span)?;
                let otherwise = self.unless(*c)?;
                let before = self.written.clone();
                self.value_to(*a, to)?;
                let end = self.jump(Operation::Jump(0), span);
                self.land_all(otherwise);
                self.written.clone_from(&before);
                self.value_to(*b, to)?;
                self.land(end);
                self.written = before;
                Ok(to)
            }
            ExpressionKind::Convert(a) => {
                let from = self.body.expression(*a).ty;
                let a = self.value(*a, None)?;
                self.convert(from, ty, a, want, span)
            }
            ExpressionKind::Assign { place, value } => self.assign(*place, *value),
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                before,
            } => self.update(*place, *operator, *value, *computed, *before, span),
            ExpressionKind::Comma(a, b) => {
                self.value(*a, None)?;
                self.value(*b, want)
            }
            ExpressionKind::Call(body, arguments) => {
                let found = self.call(*body, arguments, ty, span)?;
                let callee = &self.program.bodies[body.0 as usize];
                if may_end_without_value(self.program, callee) {
                    let name = self.variable_number(&callee.name);
                    let used = !self.unused.contains(&id);
                    self.emit(Operation::CalledValue(name, used), span);
                }
                Ok(found)
            }
            ExpressionKind::Builtin(builtin, arguments) => {
                self.builtin(*builtin, arguments, ty, want, span)
            }
            ExpressionKind::Construct(parts) => self.construct(parts, ty, span),
            ExpressionKind::Component(a, number) => Ok(self.value(*a, None)? + *number as Register),
            ExpressionKind::FieldOf(a, number) => {
                let TypeKind::Record(record) = self.kind(self.body.expression(*a).ty) else {
                    return Err(not_modelled(span, "a field of this value"));
                };
                let field = &self.program.types.record(record).fields[*number as usize];
                let (offset, ty) = (field.offset, field.ty);
                let pointer = self.value(*a, None)?;
                self.load(pointer, offset, false, ty, want, span)
            }
            ExpressionKind::Collective(function, arguments) => {
                let first = arguments.first().map(|a| self.body.expression(*a).ty);
                let scalar = match first.map(|ty| self.kind(ty)) {
                    Some(TypeKind::Scalar(scalar)) => scalar,
                    Some(_) => return Err(not_modelled(span, "this type in a collective")),
                    None => Scalar::Int,
                };
                let votes = matches!(function.kind, CollectiveKind::All | CollectiveKind::Any);
                let scalar = match self.kind(ty) {
                    TypeKind::Scalar(result) if !votes => result,
                    _ => scalar,
                };
                let at = self.arguments(arguments, span)?;
                let to = self.temporary(1, span)?;
                let number = self.unit.code.collectives.len() as u16;
                self.unit.code.collectives.push(Collective {
                    function: *function,
                    scalar,
                    arguments: arguments.len() as u16,
                });
                self.emit(Operation::Collective(to, at, number), span);
                Ok(to)
            }
        }
    }

    /// Computes a value into these registers.
    pub(super) fn value_to(&mut self, id: ExpressionId, to: Register) -> Result<()> {
        let expression = self.body.expression(id);
        let (width, span) = (self.width(expression.ty), expression.span);
        let found = self.value(id, Some(to))?;
        self.copy_registers(to, found, width, span);
        Ok(())
    }

    /// Jumps that are taken where a condition is false.
    pub(super) fn unless(&mut self, id: ExpressionId) -> Result<Vec<usize>> {
        use BinaryOperator as B;
        let expression = self.body.expression(id);
        let span = expression.span;
        if let ExpressionKind::And(a, b) = expression.kind {
            let mut jumps = self.unless(a)?;
            jumps.extend(self.unless(b)?);
            return Ok(jumps);
        }
        if let ExpressionKind::Binary(operator @ (B::Less | B::Greater), a, b) = expression.kind
            && let TypeKind::Scalar(scalar) = self.kind(self.body.expression(a).ty)
            && !scalar.is_float()
            && scalar != Scalar::ULong
        {
            let a = self.value(a, None)?;
            let b = self.value(b, None)?;
            let (a, b) = if operator == B::Less { (a, b) } else { (b, a) };
            return Ok(vec![self.jump(Operation::JumpUnlessLess(a, b, 0), span)]);
        }
        let condition = self.value(id, None)?;
        Ok(vec![self.jump(Operation::JumpUnless(condition, 0), span)])
    }

    /// `a && b`, or `a || b`.
    fn short(
        &mut self,
        a: ExpressionId,
        b: ExpressionId,
        and: bool,
        span: Span,
    ) -> Result<Register> {
        let to = self.temporary(1, span)?;
        self.value_to(a, to)?;
        let end = match and {
            true => Operation::JumpUnless(to, 0),
            false => Operation::JumpIf(to, 0),
        };
        let end = self.jump(end, span);
        let before = self.written.clone();
        self.value_to(b, to)?;
        self.land(end);
        self.written = before;
        Ok(to)
    }

    fn assign(&mut self, place: PlaceId, value: ExpressionId) -> Result<Register> {
        let (ty, span) = (self.body.place(place).ty, self.body.place(place).span);
        let whole = self.body.place(place).path.is_empty();
        let scalar = self.width(ty) == 1 && !matches!(self.kind(ty), TypeKind::Record(_));
        // A variable in registers takes its value where it is computed.
        if whole
            && scalar
            && let crate::body::Root::Variable(crate::body::VariableId::Local(index)) =
                self.body.place(place).root
            && let super::layout::Home::Registers(first, _) = self.homes[index as usize]
        {
            let found = self.value(value, Some(first))?;
            self.write_spot(Spot::Registers(first, index), ty, false, found, span)?;
            return Ok(first);
        }
        let mut found = self.value(value, None)?;
        let width = self.width(ty);
        if self.place_changes(place) {
            let kept = self.temporary(width, span)?;
            self.copy_registers(kept, found, width, span);
            found = kept;
        }
        let spot = self.spot(place, false)?;
        self.write_spot(spot, ty, self.is_atomic(place), found, span)?;
        Ok(found)
    }

    /// Whether finding a place changes variables.
    fn place_changes(&self, place: PlaceId) -> bool {
        let mut changes = false;
        for value in self.body.way(place) {
            self.body.each_value(value, &mut |inside| {
                changes |= matches!(
                    self.body.expression(inside).kind,
                    ExpressionKind::Assign { .. } | ExpressionKind::Update { .. }
                );
            });
        }
        changes
    }

    fn update(
        &mut self,
        place: PlaceId,
        operator: BinaryOperator,
        value: ExpressionId,
        computed: Type,
        before: bool,
        span: Span,
    ) -> Result<Register> {
        let ty = self.body.place(place).ty;
        let place_span = self.body.place(place).span;
        let atomic = self.is_atomic(place);
        let by = self.value(value, None)?;
        let spot = self.spot(place, false)?;
        let old = self.read_spot(spot, ty, atomic, None, place_span)?;
        let width = self.width(ty);
        let kept = match (before, spot) {
            (true, Spot::Registers(..)) => {
                let kept = self.temporary(width, span)?;
                self.copy_registers(kept, old, width, span);
                kept
            }
            _ => old,
        };
        let new = if let TypeKind::Pointer(_) = self.kind(ty) {
            let size = self.pointed_size(ty, span)?;
            let by = match operator {
                BinaryOperator::Add => by,
                _ => {
                    let less = self.temporary(1, span)?;
                    self.emit(Operation::NegateI64(less, by), span);
                    less
                }
            };
            let to = self.temporary(1, span)?;
            self.emit(Operation::Element(to, old, by, size), span);
            to
        } else {
            let wide = self.convert(ty, computed, old, None, span)?;
            let in_place = match spot {
                Spot::Registers(first, _) if computed == ty && width == 1 => {
                    // What is the group's is looked at before it is written.
                    Some(first)
                }
                _ => None,
            };
            let to = self.target(in_place, self.width(computed), span)?;
            self.operate_type(operator, computed, [to, wide, by], span)?;
            self.convert(computed, ty, to, None, span)?
        };
        self.write_spot(spot, ty, atomic, new, place_span)?;
        Ok(if before { kept } else { new })
    }

    /// Values side by side.
    pub(super) fn arguments(&mut self, arguments: &[ExpressionId], span: Span) -> Result<Register> {
        let widths = arguments
            .iter()
            .map(|a| self.width(self.body.expression(*a).ty));
        let total = widths.sum::<u32>();
        let first = self.temporary(total.max(1), span)?;
        let mut at = first;
        for &argument in arguments {
            self.value_to(argument, at)?;
            at += self.width(self.body.expression(argument).ty) as Register;
        }
        Ok(first)
    }

    fn call(
        &mut self,
        body: BodyId,
        arguments: &[ExpressionId],
        ty: Type,
        span: Span,
    ) -> Result<Register> {
        let function = self.unit.function(Key::Body(body.0)) as u16;
        if let TypeKind::Record(_) = self.kind(ty) {
            let object = self.local_object("the result", ty, span)?;
            let widths = arguments
                .iter()
                .map(|a| self.width(self.body.expression(*a).ty));
            let total = widths.sum::<u32>() + 1;
            let first = self.temporary(total, span)?;
            let mut at = first + 1;
            for &argument in arguments {
                self.value_to(argument, at)?;
                at += self.width(self.body.expression(argument).ty) as Register;
            }
            self.emit(Operation::LocalAddress(first, object), span);
            let nothing = self.temporary(1, span)?;
            self.emit(Operation::Call(nothing, first, function), span);
            return Ok(first);
        }
        let at = self.arguments(arguments, span)?;
        let width = self.width(ty);
        let to = self.temporary(width.max(1), span)?;
        self.emit(Operation::Call(to, at, function), span);
        Ok(to)
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[ExpressionId],
        ty: Type,
        want: Option<Register>,
        span: Span,
    ) -> Result<Register> {
        let first = arguments.first();
        let first = first.ok_or_else(|| not_modelled(span, "a call without arguments"))?;
        let operand = self.body.expression(*first).ty;
        if let Builtin::Copying | Builtin::CopiesClosed | Builtin::CopiesAwaited = builtin {
            return self.copies(builtin, arguments, want, span);
        }
        let scalar = self.number(operand, span)?;
        let lanes = self.width(operand) as Register;
        let at = self.arguments(arguments, span)?;
        match builtin {
            Builtin::Real(name) => {
                let number = real::find(name);
                let number = number.ok_or_else(|| not_modelled(span, &format!("'{name}'")))?;
                let known = REAL[number as usize].1;
                if known.arguments() != arguments.len() || !scalar.is_float() {
                    return Err(not_modelled(span, &format!("this call of '{name}'")));
                }
                let single = scalar == Scalar::Float;
                let to = self.target(want, u32::from(lanes), span)?;
                if lanes == 1 {
                    self.emit(Operation::Real(to, at, number, single), span);
                    return Ok(to);
                }
                let row = self.temporary(arguments.len() as u32, span)?;
                for lane in 0..lanes {
                    for argument in 0..arguments.len() as Register {
                        let from = at + argument * lanes + lane;
                        self.emit(Operation::Move(row + argument, from), span);
                    }
                    self.emit(Operation::Real(to + lane, row, number, single), span);
                }
                Ok(to)
            }
            Builtin::Ones | Builtin::LeadingZeros => {
                let to = self.target(want, 1, span)?;
                let bits = 8 * scalar.size() as u8;
                self.emit(
                    match builtin {
                        Builtin::Ones => Operation::Ones(to, at),
                        _ => Operation::LeadingZeros(to, at, bits),
                    },
                    span,
                );
                Ok(to)
            }
            Builtin::Clamp | Builtin::Inside => {
                let to = self.target(want, 1, span)?;
                self.emit(
                    match builtin {
                        Builtin::Clamp => Operation::Clamp(to, at, at + 1),
                        _ => Operation::Inside(to, at, at + 1),
                    },
                    span,
                );
                Ok(to)
            }
            Builtin::Min | Builtin::Max | Builtin::Abs => {
                let to = self.target(want, self.width(ty), span)?;
                for lane in 0..lanes {
                    let [to, a, b] = [to + lane, at + lane, at + lanes + lane];
                    self.emit(
                        match builtin {
                            Builtin::Min => Operation::Min(to, a, b, scalar),
                            Builtin::Max => Operation::Max(to, a, b, scalar),
                            _ => Operation::Abs(to, a, scalar),
                        },
                        span,
                    );
                }
                Ok(to)
            }
            Builtin::Copying | Builtin::CopiesClosed | Builtin::CopiesAwaited => Ok(at),
        }
    }

    fn construct(&mut self, parts: &[ExpressionId], ty: Type, span: Span) -> Result<Register> {
        let TypeKind::Record(record) = self.kind(ty) else {
            return self.arguments(parts, span);
        };
        let object = self.local_object("a value", ty, span)?;
        let to = self.temporary(1, span)?;
        let fields = &self.program.types.record(record).fields;
        let mut values = Vec::new();
        for part in parts {
            values.push(self.value(*part, None)?);
        }
        self.emit(Operation::Forget(object), span);
        self.emit(Operation::LocalAddress(to, object), span);
        for (field, value) in fields.iter().zip(values) {
            let spot = Spot::Memory(to, field.offset);
            self.write_spot(spot, field.ty, false, value, span)?;
        }
        Ok(to)
    }

    /// The scalar that a number, or each component of a vector, is.
    fn number(&self, ty: Type, span: Span) -> Result<Scalar> {
        match self.kind(ty) {
            TypeKind::Scalar(scalar) => Ok(scalar),
            TypeKind::Vector(vector) => Ok(vector.scalar),
            _ => Err(not_modelled(span, "an operator on this type")),
        }
    }

    fn pointed_size(&self, ty: Type, span: Span) -> Result<u32> {
        let to = self.program.types.element(ty);
        let to = to.ok_or_else(|| not_modelled(span, "a pointer of unknown type"))?;
        let size = self.program.types.size(to).max(1);
        u32::try_from(size).map_err(|_| not_modelled(span, "elements of so many bytes"))
    }
}
