use super::{Capture, Transformations};
use crate::expr::{Expr, Scalar};
use crate::lex::{lex, without_const};
use crate::source::Span;

/// Names a [`Loop`] of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopId(pub(crate) u32);

impl LoopId {
    /// The loop at that place of a module's list.
    pub const fn at(index: usize) -> Self {
        Self(index as u32)
    }

    /// Its place in a module's list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the iterations of an attributed loop are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// Over groups: CUDA's blocks.
    Outer,
    /// Over the items of a group: CUDA's threads.
    Inner,
    /// Not at all: the part of a `@tile` that stays a loop.
    Sequential,
}

/// An attributed loop. A `@tile` is two of them with the same statement.
#[derive(Clone, Debug)]
pub struct Loop {
    /// How it is distributed.
    pub kind: LoopKind,
    /// 0, 1 or 2 for x, y or z; meaningless for sequential loops.
    pub axis: usize,
    /// The whole statement, attributes included.
    pub span: Span,
    /// From the first attribute to the closing bracket of the header.
    pub head: Span,
    /// The `for` statement's own head, without attributes: `for (…)`.
    pub header_span: Span,
    /// The body.
    pub body: Span,
    /// The body is `{ … }`.
    pub block: bool,
    /// Bounds and step.
    pub header: Header,
    /// Which part of a `@tile` this is, if any.
    pub tile: Option<Tile>,
    /// The attributed loop around it.
    pub parent: Option<LoopId>,
    /// Attributed loops directly inside, in source order.
    pub children: Vec<LoopId>,
    /// Number of iterations; exact, and at least 0.
    pub count: Expr,
    /// The launch may have more items along the axis than this loop has iterations.
    pub guarded: bool,
    /// Axes that other inner loops of the nest use and this one does not: only their first item
    /// runs it.
    pub absent: Vec<usize>,
    /// It is the whole body of another statement, without braces around it.
    pub alone: bool,
    /// Declarations at the beginning of the body: what the dimensions of a kernel's parameters mean.
    pub constants: String,
    /// It stands in a condition that is the same for all items of its group, and other inner loops do, too.
    pub in_condition: bool,
    /// A barrier belongs before this loop: what stands before it, outside of all inner loops, reads
    /// group memory that the loop may write.
    pub barrier_before: bool,
    /// A barrier belongs after this loop.
    pub barrier_after: bool,
    /// A `continue` ends an iteration of this loop.
    pub has_continue: bool,
    /// Such a `continue` stands before a barrier of the body.
    pub continues_early: bool,
    /// The loop variable is used in the body.
    pub uses_variable: bool,
    /// Variables that every item has its own value of are used in it, and in no inner loop inside it.
    pub uses_item_variables: bool,
    /// A `return` in it jumps to the end of an iteration.
    pub has_return: bool,
    /// The items of an innermost inner loop wait for each other in its body: [`Transformations::split`] says whether it may be cut
    /// there.
    pub waits: bool,
    /// No atomic, barrier, call or jump in it: iterations can be vectorised without a doubt.
    pub plain_body: bool,
    /// Of an outermost loop: its iterations may take very different times.
    pub uneven: bool,
    /// What each item does, in operations, where that is known: of a nest's outermost loop.
    pub operations: Option<usize>,
}

impl Loop {
    /// The second half of a tile whose first half this is.
    pub fn second_half(&self) -> Option<LoopId> {
        self.tile.as_ref().filter(|t| t.over_tiles)?;
        self.children.first().copied()
    }

    /// Whether it is a statement: all but second halves of tiles.
    pub fn is_statement(&self) -> bool {
        self.tile.as_ref().is_none_or(|t| t.over_tiles)
    }

    /// Whether a statement of that span is the only one in the body.
    pub fn holds_only(&self, text: &str, inner: Span) -> bool {
        let blank = |start: u32, end: u32| lex(Span::new(start, end).of(text)).is_empty();
        match self.block {
            false => self.body == inner,
            true => blank(self.body.start + 1, inner.start) && blank(inner.end, self.body.end - 1),
        }
    }
}

/// One half of a `@tile`.
#[derive(Clone, Debug)]
pub struct Tile {
    /// The tile's size as an expression.
    pub size: Expr,
    /// The tile's size as written.
    pub size_text: String,
    /// How many iterations all tiles have together.
    pub iterations: Expr,
    /// This is the loop over tiles; otherwise the loop within one.
    pub over_tiles: bool,
    /// Iterations past the loop's end are skipped.
    pub check: bool,
    /// The variable of the loop over tiles.
    pub variable: String,
}

/// `i < end` and its relatives, the loop variable on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    NotEqual,
}

impl Comparison {
    /// How C spells it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::NotEqual => "!=",
        }
    }
}

/// The header of an attributed loop.
#[derive(Clone, Debug)]
pub struct Header {
    /// The loop variable.
    pub variable: String,
    /// Its type's words as written.
    pub type_name: String,
    /// The scalar that the type is, if known.
    pub scalar: Option<Scalar>,
    /// First value.
    pub start: Expr,
    /// Where the first value is written.
    pub start_span: Span,
    /// What is written there may be a value that the variable's type does not have, and is converted.
    pub converts_start: bool,
    /// Bound.
    pub end: Expr,
    /// Where the bound is written.
    pub end_span: Span,
    /// The scalar that the bound is, if known.
    pub end_scalar: Option<Scalar>,
    /// How variable and bound are compared.
    pub comparison: Comparison,
    /// The amount by which the variable changes; positive for both directions.
    pub step: Expr,
    /// Where the amount is written; `None` for `++` and `--`.
    pub step_span: Option<Span>,
    /// The variable counts down.
    pub down: bool,
    /// The names in its bounds and step, and in the size of its tiles.
    pub names: Vec<String>,
    /// The type is that of the first value: `auto`.
    pub automatic: bool,
}

impl Header {
    /// A type in which a tile may reach past the end of the loop without wrapping, where the
    /// variable's own is too small for that.
    pub const fn wide(&self) -> Option<&'static str> {
        match (self.scalar, self.down) {
            (Some(Scalar::Char | Scalar::UChar | Scalar::Short | Scalar::UShort), _) => Some("int"),
            (Some(Scalar::UInt | Scalar::ULong), true) => Some("long"),
            _ => None,
        }
    }

    /// The variable of that type.
    pub fn wide_name(&self) -> String {
        match self.wide() {
            Some(_) => format!("brook_wide_{}", self.variable),
            None => self.variable.clone(),
        }
    }

    /// The first value from its text, as the variable has it.
    pub fn first_value(&self, text: &str) -> String {
        match self.converts_start {
            true => format!("({})({})", self.plain_type(), text.trim()),
            false => text.to_string(),
        }
    }

    /// Whether the type of the variable is that of its first value.
    pub fn is_auto(&self) -> bool {
        self.automatic
    }

    /// The type of the variable as one that can change.
    pub fn plain_type(&self) -> String {
        without_const(&self.type_name)
    }

    /// The declaration of the loop variable from the wide one.
    pub fn narrowing(&self) -> Option<String> {
        self.wide()?;
        let ty = self.plain_type();
        let wide = self.wide_name();
        Some(format!(
            "{} {} = ({ty}){wide};",
            self.type_name, self.variable
        ))
    }
}

/// An outermost `@outer` loop: one device kernel.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The outermost loop.
    pub root: LoopId,
    /// The statement, attributes included.
    pub span: Span,
    /// Number of groups along x, y, z.
    pub outer: [Expr; 3],
    /// Number of items along x, y, z.
    pub inner: [Expr; 3],
    /// Items in a group, where that is a constant.
    pub threads: Option<u64>,
    /// `@max_inner_dims`.
    pub max_inner: Option<[u64; 3]>,
    /// `@simd_length`.
    pub simd_length: Option<u32>,
    /// Host variables it uses.
    pub captures: Vec<Capture>,
    /// It declares `@exclusive` variables.
    pub uses_exclusive: bool,
    /// So many outer loops, from the root, are perfectly nested and rectangular.
    pub collapse: usize,
    /// Groups may take very different times.
    pub uneven: bool,
    /// What each item does, in operations, where that is known: of a nest's outermost loop.
    pub operations: Option<usize>,
    /// How it may run otherwise than the program says it.
    pub legal: Transformations,
}
