use super::LoopId;
use crate::expr::Scalar;
use crate::source::Span;

/// Of [`MaskedLoopPlan::exits`]: what differs by item whatever the function is given.
pub const BY_ITEM: u64 = 1 << 63;

/// A loop that each item leaves at a time of its own, and that a block of items may run together, since nothing
/// that an item evaluates after it has left can do any harm.
#[derive(Clone, Debug)]
pub struct MaskedLoopPlan {
    /// The body that the loop is a statement of, braces included.
    pub body: Span,
    /// The function's parameters, brackets included.
    pub parameters: Span,
    /// `return` statements before the loop, and their values.
    pub early: Vec<(Span, Option<Span>)>,
    /// The loop.
    pub span: Span,
    /// What runs before its first iteration, with the semicolon.
    pub initial: Option<Span>,
    /// Under which condition there is another iteration, in C++.
    pub condition: Option<String>,
    /// There is a first iteration in any case.
    pub runs_once: bool,
    /// Its body.
    pub statements: Vec<Masked>,
    /// What follows each iteration.
    pub update: Vec<Masked>,
    /// Variables from before the loop that it, or what follows, mentions.
    pub variables: Vec<LaneVariable>,
    /// Numbers are converted from or to floating point in it, or `?:` chooses among some.
    pub mixes: bool,
    /// A `continue` is in it.
    pub continues: bool,
    /// A `return` is in it, or before it.
    pub returns: bool,
    /// What the function returns, if that is a number.
    pub result: Option<Scalar>,
    /// Which of the function's parameters its end depends on, a bit each, and [`BY_ITEM`].
    pub exits: u64,
}

impl MaskedLoopPlan {
    /// Bytes of the largest number in it.
    pub fn widest(&self) -> usize {
        let sizes = self.variables.iter().map(|v| v.ty.size());
        sizes
            .chain(self.result.map(Scalar::size))
            .max()
            .unwrap_or(1)
    }
}

/// A variable that each lane has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneVariable {
    /// Its name.
    pub name: String,
    /// Its type, or that of its components.
    pub ty: Scalar,
    /// How many it has; a vector is no variable of the loop.
    pub components: u8,
    /// The loop uses it.
    pub used: bool,
    /// The loop changes it.
    pub changes: bool,
    /// What follows the loop mentions it.
    pub outlives: bool,
}

/// A statement that some of the lanes run. Values are C++ that is defined for all of them, with a bracket around what is made
/// of several.
#[derive(Clone, Debug)]
pub enum Masked {
    /// A variable.
    Declaration {
        /// Its name.
        name: String,
        /// Its type.
        ty: Scalar,
        /// What it begins with.
        value: Option<String>,
    },
    /// An assignment.
    Assignment {
        /// The variable.
        name: String,
        /// Its type.
        ty: Scalar,
        /// The value.
        value: String,
    },
    /// A block.
    Block(Vec<Masked>),
    /// A condition, and what is done where it holds and where not.
    If(String, Vec<Masked>, Vec<Masked>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<String>),
}

impl Masked {
    /// Whether something holds for the names of all variables that it declares.
    pub fn all_names(&self, holds: &dyn Fn(&str) -> bool) -> bool {
        let all = |inside: &[Self]| inside.iter().all(|s| s.all_names(holds));
        match self {
            Self::Declaration { name, .. } => holds(name),
            Self::Block(inside) => all(inside),
            Self::If(_, then, other) => all(then) && all(other),
            _ => true,
        }
    }
}

/// How the body of a loop over items is cut where a block of items runs masked loops.
#[derive(Clone, Debug)]
pub struct MaskedLoopItems {
    /// The loop: an innermost one.
    pub leaf: LoopId,
    /// Where it is cut, in order.
    pub stages: Vec<MaskedLoopStage>,
    /// What the condition is for that all of it stands in, behind other statements: the text without braces, and
    /// whether there are any.
    pub guarded: Option<(Span, bool)>,
    /// Variables of the body that live across a cut: the stretch between cuts that declares them, and the last one
    /// that mentions them.
    pub kept: Vec<(LaneVariable, usize, usize)>,
}

/// What happens between two stretches of an item's body.
#[derive(Clone, Debug)]
pub enum MaskedLoopStage {
    /// A loop, which is left out of the body.
    Loop(Box<MaskedLoopPlan>),
    /// Calls of functions with such a loop in the statement that begins there.
    Calls(u32, Vec<MaskedLoopCall>),
}

/// A call of a function with such a loop.
#[derive(Clone, Debug)]
pub struct MaskedLoopCall {
    /// The call.
    pub span: Span,
    /// The function, by its place in the module's list.
    pub function: usize,
    /// The arguments, without brackets.
    pub arguments: Span,
}
