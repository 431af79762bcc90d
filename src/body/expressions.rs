use super::{BodyId, Type, VariableId};
use crate::expr::Value;
use crate::module::CollectiveFunction;
use crate::source::Span;

/// Names an [`Expression`] of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpressionId(pub u32);

/// Names a [`Place`] of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceId(pub u32);

/// A value.
#[derive(Clone, Debug)]
pub struct Expression {
    /// How it is computed.
    pub kind: ExpressionKind,
    /// Its type: never an array.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// How a value is computed. Operands have the types that the language converts them to.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A number.
    Literal(Value),
    /// A pointer to nothing.
    Null,
    /// What is read from memory; a record whole.
    Load(PlaceId),
    /// A pointer to a place; for an array, to its first element.
    AddressOf(PlaceId),
    /// Of a number, or of each component of a vector.
    Unary(UnaryOperator, ExpressionId),
    /// Of two values of one type (that of shifts is the left one's; comparisons of pointers have two pointers). The type is
    /// theirs, or `bool` for comparisons.
    Binary(BinaryOperator, ExpressionId, ExpressionId),
    /// A pointer so many elements further; the number is a `long` and may be negative.
    Offset(ExpressionId, ExpressionId),
    /// How many elements lie between two pointers of one type, a `long`: the first less the second.
    Difference(ExpressionId, ExpressionId),
    /// `a && b`, where `b` is not computed if `a` is false. All three are `bool`.
    And(ExpressionId, ExpressionId),
    /// `a || b`, likewise.
    Or(ExpressionId, ExpressionId),
    /// `c ? a : b`, where one of them is computed. `c` is `bool`.
    Conditional(ExpressionId, ExpressionId, ExpressionId),
    /// Another type's value: a number of a number (as C converts; `bool` is "not zero"), `bool` of a pointer, all components
    /// of a number, a vector of a vector with as many components, a pointer of a pointer.
    Convert(ExpressionId),
    /// `place = value`, of the place's type. Its own value is what was written.
    Assign {
        /// Where it is written to.
        place: PlaceId,
        /// What is written; computed before the place.
        value: ExpressionId,
    },
    /// `place OP= value`, `++place`, `place++`: reads, computes, converts to the place's type, writes.
    Update {
        /// What is read and written; its address is computed once, after the value.
        place: PlaceId,
        /// Which operator.
        operator: BinaryOperator,
        /// The right operand. Of a pointer, the number of elements it moves by, a `long`.
        value: ExpressionId,
        /// The type in which the operator works, to which the place's value is converted before.
        computed: Type,
        /// Its own value is what the place had before, not what it has after.
        before: bool,
    },
    /// `a, b`.
    Comma(ExpressionId, ExpressionId),
    /// A call of a function of the program. Arguments are of the parameters' types; references are pointers.
    Call(BodyId, Vec<ExpressionId>),
    /// A call of a function of the language or of C's library.
    Builtin(Builtin, Vec<ExpressionId>),
    /// A vector of its components, or a record of its fields' values, in order: as many as there are, but of a union one.
    Construct(Vec<ExpressionId>),
    /// A component of a vector's value.
    Component(ExpressionId, u32),
    /// A field of a record's value.
    FieldOf(ExpressionId, u32),
    /// A function of the whole group, with its arguments as the program gives them: the mask comes first in shuffles.
    Collective(CollectiveFunction, Vec<ExpressionId>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOperator {
    Negate,
    Complement,
    /// Of a `bool`.
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOperator {
    /// Whether it gives a `bool`.
    pub const fn compares(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
        )
    }

    /// The comparison that holds where this one does not; other operators are themselves.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            other => other,
        }
    }

    /// The comparison that says of `b` and `a` what this one says of `a` and `b`; other operators are themselves.
    pub const fn turned(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            other => other,
        }
    }

    /// How C spells it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    /// The operator that C spells so.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "%" => Self::Remainder,
            "&" => Self::And,
            "|" => Self::Or,
            "^" => Self::Xor,
            "<<" => Self::ShiftLeft,
            ">>" => Self::ShiftRight,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterEqual,
            _ => return None,
        })
    }
}

/// A function of the language or of C's library. Arguments have been converted: all are of the result's type where nothing
/// else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// A function of real numbers by C's name without a suffix: `sqrt`, `pow`, `fmin`, `ldexp` (whose second argument is an
    /// `int`), `isnan` (whose result is a `bool` or an `int`). Computed in `float` where its first argument is one.
    Real(&'static str),
    /// The smaller one, as C++'s `std::min` and OKL's `min` take it: the first unless the second is less.
    Min,
    /// The larger one: the first unless it is less than the second.
    Max,
    /// Of an integer.
    Abs,
    /// How many bits of an integer are set.
    Ones,
    /// How many bits are zero before the first one that is set; of zero all.
    LeadingZeros,
    /// An index, a `long`, in an array of so many elements: the nearest one that it has.
    Clamp,
    /// Whether an array of so many elements has such an index: 1 or 0, a `long`.
    Inside,
    /// A copy of so many bytes to what the first pointer leads to, from what the second does: the bytes are there as soon as the
    /// item has waited for them. Gives 0, as the next two do.
    Copying,
    /// The item's copies since the last time are a set.
    CopiesClosed,
    /// The item waits for all of its sets but the last so many.
    CopiesAwaited,
}

/// Whether other items may do something at the same place at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Atomicity {
    /// No.
    #[default]
    Plain,
    /// Whole accesses of it are indivisible: the update, write or read that the place is of.
    Atomic,
}

/// A piece of memory of one type.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where the way to it begins.
    pub root: Root,
    /// The way from there.
    pub path: Vec<Step>,
    /// What lies there, at the end of the way.
    pub ty: Type,
    /// How it is accessed.
    pub atomicity: Atomicity,
    /// Where it is written.
    pub span: Span,
}

/// Where the way to a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A variable.
    Variable(VariableId),
    /// What a pointer points to; its type is the pointer's.
    Pointer(ExpressionId),
}

/// A step on the way to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A field of a record, by number.
    Field(u32),
    /// A component of a vector.
    Component(u32),
    /// An element of an array: an integer of any type, from 0.
    Index(ExpressionId),
}
