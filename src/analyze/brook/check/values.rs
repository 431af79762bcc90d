//! What expressions are worth, and where values are converted.

use super::symbols::Role;
use super::types::{INT, Ty};
use crate::diagnostics::{Code, codes};

/// What an expression is worth.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) ty: Ty,
    /// It is a whole array, of this sort.
    pub(super) array: Option<Role>,
    /// It is a name that means nothing, which has been reported.
    pub(super) undefined: bool,
    /// Its type is a guess, since something about it has been reported.
    pub(super) guessed: bool,
}

impl Value {
    pub(super) fn of(ty: Ty) -> Self {
        Self {
            ty,
            array: None,
            undefined: false,
            guessed: false,
        }
    }

    /// Something of that type, if only what has been reported were right.
    pub(super) fn guess(ty: Ty) -> Self {
        Self {
            guessed: true,
            ..Self::of(ty)
        }
    }

    /// What a name is worth that means nothing.
    pub(super) fn undefined() -> Self {
        Self {
            undefined: true,
            ..Self::guess(INT)
        }
    }

    pub(super) fn guessed_if(self, guessed: bool) -> Self {
        Self { guessed, ..self }
    }
}

/// Where a value is converted: what AMD's compiler named first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Assignment,
    Initialization,
    Relational,
    Trinary,
}

impl Place {
    pub(super) const fn group(self) -> &'static str {
        match self {
            Self::Assignment => "In Assignment expression",
            Self::Initialization => "In Initialization",
            Self::Relational => "In Relational expression",
            Self::Trinary => "In Trinary expression",
        }
    }
}

/// Which message says that one of two operands is an array.
pub(super) fn array_operand(left: &Value, right: &Value) -> Option<&'static Code> {
    match (left.array.is_some(), right.array.is_some()) {
        (true, _) => Some(&codes::BROOK_ARRAY_LEFT),
        (false, true) => Some(&codes::BROOK_ARRAY_RIGHT),
        (false, false) => None,
    }
}
