use super::super::code::{Operation, Register, Width};
use super::{Builder, Result, not_modelled};
use crate::body::{Arithmetic, BinaryOperator, Type, TypeKind, UnaryOperator};
use crate::expr::Scalar;
use crate::source::Span;

type Three = fn(Register, Register, Register) -> Operation;

/// The instruction of an operator on numbers of a type, and whether its operands change places. Types below `int`
/// occur in vectors only, are computed in `int`, and cut off behind.
fn instruction(operator: BinaryOperator, scalar: Scalar) -> Option<(Three, bool)> {
    use BinaryOperator as B;
    use Operation as O;
    use Scalar as S;
    // `int`, `unsigned`, `long`, `unsigned long`, `float`, `double`
    let column = match scalar {
        S::Bool | S::Char | S::Short | S::Int => 0,
        S::UChar | S::UShort | S::UInt => 1,
        S::Long => 2,
        S::ULong => 3,
        S::Float => 4,
        S::Double => 5,
    };
    let pick = |six: [Three; 6]| Some((six[column], false));
    let four = |four: [Three; 4]| four.get(column).map(|f| (*f, false));
    let swapped = |six: [Three; 6]| Some((six[column], true));
    let less: [Three; 6] = [
        O::Less,
        O::Less,
        O::Less,
        O::LessU64,
        O::LessF32,
        O::LessF64,
    ];
    let less_equal: [Three; 6] = [
        O::LessEqual,
        O::LessEqual,
        O::LessEqual,
        O::LessEqualU64,
        O::LessEqualF32,
        O::LessEqualF64,
    ];
    match operator {
        B::Add => pick([
            O::AddI32,
            O::AddU32,
            O::AddI64,
            O::AddU64,
            O::AddF32,
            O::AddF64,
        ]),
        B::Subtract => pick([
            O::SubtractI32,
            O::SubtractU32,
            O::SubtractI64,
            O::SubtractU64,
            O::SubtractF32,
            O::SubtractF64,
        ]),
        B::Multiply => pick([
            O::MultiplyI32,
            O::MultiplyU32,
            O::MultiplyI64,
            O::MultiplyU64,
            O::MultiplyF32,
            O::MultiplyF64,
        ]),
        B::Divide => pick([
            O::DivideI32,
            O::DivideU64,
            O::DivideI64,
            O::DivideU64,
            O::DivideF32,
            O::DivideF64,
        ]),
        B::Remainder => four([
            O::RemainderI32,
            O::RemainderU64,
            O::RemainderI64,
            O::RemainderU64,
        ]),
        B::And => four([O::And, O::And, O::And, O::And]),
        B::Or => four([O::Or, O::Or, O::Or, O::Or]),
        B::Xor => four([O::Xor, O::Xor, O::Xor, O::Xor]),
        B::ShiftLeft => four([
            O::ShiftLeftI32,
            O::ShiftLeftU32,
            O::ShiftLeft64,
            O::ShiftLeft64,
        ]),
        B::ShiftRight => four([
            O::ShiftRightI32,
            O::ShiftRightU32,
            O::ShiftRightI64,
            O::ShiftRightU64,
        ]),
        B::Equal => pick([
            O::Equal,
            O::Equal,
            O::Equal,
            O::Equal,
            O::EqualF32,
            O::EqualF64,
        ]),
        B::NotEqual => pick([
            O::NotEqual,
            O::NotEqual,
            O::NotEqual,
            O::NotEqual,
            O::NotEqualF32,
            O::NotEqualF64,
        ]),
        B::Less => pick(less),
        B::LessEqual => pick(less_equal),
        B::Greater => swapped(less),
        B::GreaterEqual => swapped(less_equal),
    }
}

impl Builder<'_, '_> {
    /// A register for a result: the one that is wanted, or a new one.
    pub(super) fn target(
        &mut self,
        want: Option<Register>,
        count: u32,
        span: Span,
    ) -> Result<Register> {
        match want {
            Some(register) => Ok(register),
            None => self.temporary(count, span),
        }
    }

    /// An operator on numbers.
    pub(super) fn operate(
        &mut self,
        operator: BinaryOperator,
        scalar: Scalar,
        [to, a, b]: [Register; 3],
        span: Span,
    ) -> Result<()> {
        // Sums, differences and products are the same bits with a sign and without.
        let wraps = self.body.arithmetic == Arithmetic::Total
            && matches!(
                operator,
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply
            );
        let found = instruction(
            operator,
            match scalar {
                Scalar::Int if wraps => Scalar::UInt,
                Scalar::Long if wraps => Scalar::ULong,
                scalar => scalar,
            },
        );
        let (make, swap) = found.ok_or_else(|| not_modelled(span, "this operator"))?;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.emit(make(to, a, b), span);
        let cut = wraps && scalar == Scalar::Int;
        if (scalar < Scalar::Int || cut) && !operator.compares() {
            self.emit(Operation::Wrap(to, to, Width::of(scalar)), span);
        }
        Ok(())
    }

    /// An operator on two values of a type, into registers that neither of them is in unless it is one number.
    pub(super) fn operate_type(
        &mut self,
        operator: BinaryOperator,
        ty: Type,
        [to, a, b]: [Register; 3],
        span: Span,
    ) -> Result<()> {
        match self.kind(ty) {
            TypeKind::Scalar(scalar) => self.operate(operator, scalar, [to, a, b], span),
            TypeKind::Pointer(_) if operator.compares() => {
                self.operate(operator, Scalar::ULong, [to, a, b], span)
            }
            TypeKind::Vector(vector) if !operator.compares() => {
                for at in 0..Register::from(vector.width) {
                    self.operate(operator, vector.scalar, [to + at, a + at, b + at], span)?;
                }
                Ok(())
            }
            _ => Err(not_modelled(span, "this operator on this type")),
        }
    }

    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        scalar: Scalar,
        to: Register,
        a: Register,
        span: Span,
    ) -> Result<()> {
        use Operation as O;
        use Scalar as S;
        let total = self.body.arithmetic == Arithmetic::Total;
        if total && operator == UnaryOperator::Negate && scalar == S::Int {
            self.emit(O::NegateU32(to, a), span);
            self.emit(O::Wrap(to, to, Width::I32), span);
            return Ok(());
        }
        let operation = match (operator, scalar) {
            (UnaryOperator::Not, _) => O::Not(to, a),
            (UnaryOperator::Negate, S::Float) => O::NegateF32(to, a),
            (UnaryOperator::Negate, S::Double) => O::NegateF64(to, a),
            (UnaryOperator::Negate, S::Long) => O::NegateI64(to, a),
            (UnaryOperator::Negate, S::ULong) => O::NegateU64(to, a),
            (UnaryOperator::Negate, S::UInt | S::UShort | S::UChar) => O::NegateU32(to, a),
            (UnaryOperator::Negate, _) => O::NegateI32(to, a),
            (UnaryOperator::Complement, S::Float | S::Double) => {
                return Err(not_modelled(span, "this operator"));
            }
            (UnaryOperator::Complement, S::UInt | S::UShort | S::UChar) => O::ComplementU32(to, a),
            (UnaryOperator::Complement, _) => O::Complement(to, a),
        };
        self.emit(operation, span);
        if scalar < S::Int && operator != UnaryOperator::Not {
            self.emit(O::Wrap(to, to, Width::of(scalar)), span);
        }
        Ok(())
    }

    /// A number of one type out of one of another.
    pub(super) fn convert_number(
        &mut self,
        from: Scalar,
        to: Scalar,
        a: Register,
        want: Option<Register>,
        span: Span,
    ) -> Result<Register> {
        use Operation as O;
        use Scalar as S;
        let is_int = |s: Scalar| !s.is_float();
        // Whether every value of one type is the same register in the other.
        let same = from == to
            || (is_int(from) && is_int(to) && to != S::Bool)
                && (to.size() == 8
                    || (from.size() < to.size() && (from.is_unsigned() || !to.is_unsigned())));
        if same {
            return Ok(a);
        }
        let result = self.target(want, 1, span)?;
        let operation = match (from, to) {
            (S::Float, S::Double) => O::F32ToF64(result, a),
            (S::Double, S::Float) => O::F64ToF32(result, a),
            (S::ULong, S::Float | S::Double) => O::Convert(result, a, from, to),
            (_, S::Float) => O::I64ToF32(result, a),
            (_, S::Double) => O::I64ToF64(result, a),
            (_, S::Bool) => O::Convert(result, a, from, to),
            (S::Float | S::Double, _) if self.body.arithmetic == Arithmetic::Total => {
                O::Saturate(result, a, from, to)
            }
            (S::Float | S::Double, _) => O::Convert(result, a, from, to),
            _ => O::Wrap(result, a, Width::of(to)),
        };
        self.emit(operation, span);
        Ok(result)
    }

    /// A value of one type out of one of another.
    pub(super) fn convert(
        &mut self,
        from: Type,
        to: Type,
        a: Register,
        want: Option<Register>,
        span: Span,
    ) -> Result<Register> {
        if from == to {
            return Ok(a);
        }
        match (self.kind(from), self.kind(to)) {
            (_, TypeKind::Void) => Ok(a),
            (TypeKind::Scalar(from), TypeKind::Scalar(to)) => {
                self.convert_number(from, to, a, want, span)
            }
            (TypeKind::Pointer(_), TypeKind::Scalar(Scalar::Bool)) => {
                self.convert_number(Scalar::ULong, Scalar::Bool, a, want, span)
            }
            (TypeKind::Pointer(from), TypeKind::Pointer(to)) => {
                let (a_granule, b_granule) = (self.unit.granule_of(from), self.unit.granule_of(to));
                let void = |ty: Type| self.kind(ty) == TypeKind::Void;
                if a_granule != b_granule && !void(to) && !void(from) {
                    self.unit.granule = self.unit.granule.min(b_granule).min(a_granule);
                }
                Ok(a)
            }
            (TypeKind::Scalar(from), TypeKind::Vector(vector)) => {
                let result = self.target(want, u32::from(vector.width), span)?;
                let one = self.convert_number(from, vector.scalar, a, None, span)?;
                for at in 0..Register::from(vector.width) {
                    self.emit(Operation::Move(result + at, one), span);
                }
                Ok(result)
            }
            (TypeKind::Vector(from), TypeKind::Vector(to)) if from.width == to.width => {
                let result = self.target(want, u32::from(to.width), span)?;
                for at in 0..Register::from(to.width) {
                    let here = Some(result + at);
                    let found = self.convert_number(from.scalar, to.scalar, a + at, here, span)?;
                    self.copy_registers(result + at, found, 1, span);
                }
                Ok(result)
            }
            _ => Err(not_modelled(span, "this conversion")),
        }
    }
}
