use super::{ExpressionId, VariableId};
use crate::module::BarrierScope;
use crate::source::Span;

/// Names a [`Statement`] of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementId(pub u32);

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it is written.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Computes something for what that does.
    Expression(ExpressionId),
    /// A variable begins, with nothing in it, or with zeros; at each execution anew.
    Declare {
        /// Which one: a local one.
        variable: VariableId,
        /// All of it is zero, before statements behind this one write its values.
        zeros: bool,
    },
    /// `{ … }`
    Block(Vec<StatementId>),
    /// `if (condition) … else …`; the condition is `bool`.
    If {
        /// What decides.
        condition: ExpressionId,
        /// First branch.
        then: Vec<StatementId>,
        /// Second branch.
        otherwise: Vec<StatementId>,
    },
    /// `for`, `while`, `do`.
    Loop {
        /// Before the first iteration.
        initial: Vec<StatementId>,
        /// Whether there is another one, a `bool`; `None` is always.
        condition: Option<ExpressionId>,
        /// After each iteration.
        step: Option<ExpressionId>,
        /// Each iteration.
        body: Vec<StatementId>,
        /// The first one is not asked for.
        late: bool,
    },
    /// `switch (value) …`
    Switch {
        /// An integer.
        value: ExpressionId,
        /// In source order; each runs on into the next.
        cases: Vec<Case>,
    },
    /// Out of the innermost loop or switch.
    Break,
    /// To the next iteration of the innermost loop; of an item, if that is a [`StatementKind::Distributed`] one.
    Continue,
    /// Out of the function. In a kernel, to the next iteration of the innermost distributed loop, if it is in one.
    Return(Option<ExpressionId>),
    /// All items of the group, or of the warp, wait for each other.
    Barrier(BarrierScope),
    /// A loop whose iterations are groups or items.
    Distributed(Box<Distributed>),
    /// What is not modelled; what that is called.
    Opaque(String),
}

/// A label of a `switch`, and what follows it up to the next.
#[derive(Clone, Debug)]
pub struct Case {
    /// The value; `None` is `default`.
    pub label: Option<i64>,
    /// What is done.
    pub body: Vec<StatementId>,
}

/// What the iterations of a loop are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistributedKind {
    /// Groups: in no order, at the same time.
    Outer,
    /// Items of a group: at the same time, and waiting for each other at barriers.
    Inner,
}

/// Where items wait for each other between loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// Before the loop: what the group did before is seen by its items.
    pub before: bool,
    /// After the loop, before what follows it.
    pub after: bool,
}

/// A loop whose iterations are groups or items: `for (variable = first; variable < bound; variable += step)`. The two halves of a
/// `@tile` are two of them (or one and a [`StatementKind::Loop`]). Values are those at the beginning of the loop.
#[derive(Clone, Debug)]
pub struct Distributed {
    /// What its iterations are.
    pub kind: DistributedKind,
    /// 0, 1 or 2 for x, y or z.
    pub axis: usize,
    /// The loop variable, of an integer type. Each iteration has its own.
    pub variable: VariableId,
    /// Its first value, of its type.
    pub first: ExpressionId,
    /// How many iterations there are, a `long`; below 0 is none.
    pub count: ExpressionId,
    /// What the variable changes by from one iteration to the next, a `long`; negative for loops that count down.
    pub step: ExpressionId,
    /// Iterations for which this `bool` is false do nothing: what a tile has past the end.
    pub guard: Option<ExpressionId>,
    /// Where items wait. Explicit barriers are statements.
    pub wait: Wait,
    /// Each iteration.
    pub body: Vec<StatementId>,
}
