use crate::module::{Base, Type};

/// The type of a value inside a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analyze::brook) enum Ty {
    /// A number, a vector, or `void`.
    Number(Type),
    /// A struct, by its number.
    Record(usize),
}

pub(super) const VOID: Ty = Ty::Number(Type::scalar(Base::Void));
/// What AMD's compiler goes on with where something has no type.
pub(super) const INT: Ty = Ty::Number(Type::scalar(Base::Int));

impl Ty {
    /// The number or vector, if it is one.
    pub(super) fn arithmetic(self) -> Option<Type> {
        match self {
            Self::Number(ty) if ty.base != Base::Void => Some(ty),
            _ => None,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        self.arithmetic().is_some_and(|t| t.base.is_integer())
    }

    pub(super) fn is_vector(self) -> bool {
        self.arithmetic().is_some_and(Type::is_vector)
    }
}

/// The place of a base type in the order of promotions (specification, section 6.3.3).
pub(super) fn rank(base: Base) -> u8 {
    match base {
        Base::Void | Base::Bool => 0,
        Base::Char => 1,
        Base::UChar => 2,
        Base::Short => 3,
        Base::UShort => 4,
        Base::Int => 5,
        Base::UInt => 6,
        Base::Float => 7,
        Base::Double => 8,
    }
}

/// The type that two operands meet in: of different bases the higher-ranked operand's, of the same base
/// the longer one.
pub(super) fn common(a: Type, b: Type) -> Type {
    let key = |t: Type| (rank(t.base), t.width);
    if key(a) >= key(b) { a } else { b }
}

/// The same in BrookGPU: the higher-ranked base, as many components as the shorter vector has; a scalar is
/// as long as the other operand.
pub(super) fn shorter(a: Type, b: Type) -> Type {
    let base = if rank(a.base) >= rank(b.base) {
        a.base
    } else {
        b.base
    };
    let width = match (a.width, b.width) {
        (1, width) | (width, 1) => width,
        (a, b) => a.min(b),
    };
    Type { base, width }
}

/// Whether a conversion is said to lose data: to a narrower integer, from a large integer to `float`,
/// from floating point to an integer. 16-bit integers are not asked in the last case.
pub(super) fn loses(from: Base, to: Base) -> bool {
    let bits = |base: Base| base.scalar().map_or(0, |s| s.size() * 8);
    let float = |base: Base| matches!(base, Base::Float | Base::Double);
    match (float(from), float(to)) {
        (false, false) => bits(to) < bits(from) && to != Base::Bool,
        (false, true) => bits(from) == 32 && to == Base::Float,
        (true, false) => bits(to) != 16 && to != Base::Bool,
        (true, true) => from == Base::Double && to == Base::Float,
    }
}

/// Integers of one size: assignment takes one for the other, strictly too.
pub(super) fn same_but_for_sign(a: Type, b: Type) -> bool {
    let size = |t: Type| t.base.scalar().map(crate::expr::Scalar::size);
    a.width == b.width
        && a.base.is_integer()
        && b.base.is_integer()
        && a.base != Base::Bool
        && b.base != Base::Bool
        && size(a) == size(b)
}

/// The type of a number as it is written: C's, but for suffixes that need 64 bits.
pub(in crate::analyze::brook) fn literal(text: &str) -> Type {
    // To C's grammar a sign belongs to the number behind it.
    let lower = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let float = lower.contains('.') || (!hex && lower.contains('e')) || lower.contains('p');
    let base = match float || (!hex && lower.ends_with('f')) {
        true if lower.ends_with('f') => Base::Float,
        true => Base::Double,
        false if lower.contains('u') => Base::UInt,
        false => Base::Int,
    };
    Type::scalar(base)
}
