use super::{Origin, VectorType};
use crate::source::Span;

/// An access to memory that must not be torn: what happens to the memory, and what becomes of its
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// What happens to the memory.
    pub operation: AtomicOperation,
    /// The memory.
    pub memory: Span,
    /// Where it stands in the expression that computes its new value, without brackets around it.
    pub places: Vec<Span>,
    /// Who gets a value of it.
    pub result: Option<AtomicResult>,
    /// How it is written.
    pub shape: AtomicShape,
    /// Bytes of the memory, where its type is known.
    pub bytes: Option<usize>,
    /// The type of the memory, where the operation moves its bits.
    pub object: Option<AtomicObject>,
    /// The memory is a component of a vector, which C has no address of.
    pub component: Option<AtomicComponent>,
    /// No parentheses stand around the operation, as they do in `v = (x += 1)`.
    pub bare: bool,
    /// The memory is a variable of the group's own.
    pub group: bool,
}

/// The type of memory whose bits are exchanged as those of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomicObject {
    /// Its name in C.
    pub name: String,
    /// Bytes: 1, 2, 4 or 8, and the memory is aligned to as many.
    pub size: usize,
}

/// A component of a vector in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicComponent {
    /// The vector's type.
    pub vector: VectorType,
    /// Which component.
    pub index: usize,
    /// The vector, or, before `->`, the pointer to it.
    pub base: Span,
    /// `->` leads to the component.
    pub arrow: bool,
    /// Where the vector lies.
    pub origin: Origin,
}

/// What an atomic does to its memory `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOperation {
    /// `x OP= value`, `x = x OP value`, `x = OP(x, value)`.
    Update {
        /// Which operator or function.
        operator: AtomicOperator,
        /// Where the value is written.
        value: Span,
        /// `x = value OP x`
        reversed: bool,
    },
    /// `++x`, `x++`
    Increment,
    /// `--x`, `x--`
    Decrement,
    /// `x = value`
    Write {
        /// Where the value is written.
        value: Span,
    },
    /// Nothing: it is only read.
    Read,
    /// Any other new value computed from the old one.
    Compute {
        /// The expression that changes the memory. It may be evaluated again, until no other item comes between.
        expression: Span,
    },
}

/// How an atomic combines its memory with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    And,
    Or,
    Xor,
    /// The smaller one: the memory stays as it is unless the value is less.
    Min,
    /// The larger one, likewise.
    Max,
    /// `fmin`: a number wins over NaN.
    FMin,
    /// `fmax`: a number wins over NaN.
    FMax,
}

impl AtomicOperator {
    /// The last part of the name of its function in the prelude.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "sub",
            Self::Multiply => "mul",
            Self::Divide => "div",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Min => "min",
            Self::Max => "max",
            Self::FMin => "fmin",
            Self::FMax => "fmax",
        }
    }

    /// The operator that C spells so, without `=`.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "&" => Self::And,
            "|" => Self::Or,
            "^" => Self::Xor,
            _ => return None,
        })
    }

    /// C has it as a function only.
    pub const fn is_function(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::FMin | Self::FMax)
    }

    /// `a OP b` is `b OP a`.
    pub const fn commutes(self) -> bool {
        !matches!(self, Self::Subtract | Self::Divide)
    }
}

/// A value of the memory that is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicResult {
    /// What it is assigned to; `None` in a declaration, whose initialiser the construct is.
    pub target: Option<Span>,
    /// The value after the operation, not before.
    pub after: bool,
}

/// How an atomic is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicShape {
    /// As a single expression; the construct is that expression.
    Expression,
    /// As the initialiser of a variable; the construct is the initialiser.
    Initializer,
    /// As two statements in a block; the construct is the block.
    Block,
}
