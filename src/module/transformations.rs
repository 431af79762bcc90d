use super::{Elementwise, LoopId, MaskedLoopItems};
use crate::source::Span;

/// What is legal to make of a nest's groups and items, and gains something on one target or another: how they may run, where that need
/// not be as the program says it.
#[derive(Clone, Debug, Default)]
pub struct Transformations {
    /// Items access elements of several iterations of the innermost loop at once.
    pub wide: Option<Elementwise>,
    /// Items run several iterations of an outer loop, one after the other.
    pub coarsened: Option<Coarsened>,
    /// Loops over groups and items of which the one loop in them may check the condition, too; of a `@tile` the first half.
    pub sinking: Vec<LoopId>,
    /// Where loops stay loops: loops over items that may stand within those that their bodies consist of.
    pub interchanged: Vec<LoopsInside>,
    /// Where loops stay loops: loops over items that add up elements of arrays, which may be done element by element.
    pub accumulated: Vec<Accumulated>,
    /// Where items are lanes of vectors: innermost loops that only copy, to places that do not lie side by side; of a `@tile` the
    /// second half.
    pub scattered: Vec<(LoopId, Vec<Respelled>)>,
    /// Where items are lanes of vectors: innermost loops that declare arrays, none of which is left once the loops are
    /// unrolled.
    pub dissolving: Vec<LoopsInside>,
    /// Loops over items in whose bodies these wait for each other, and that may be split there.
    pub split: Vec<Split>,
    /// Where loops stay loops: loops over items in whose bodies are loops that items leave at different times, and that blocks
    /// of items may run together.
    pub masked: Vec<MaskedLoopItems>,
}

/// A loop over items that may be split into phases, each of them up to where items wait for each other.
#[derive(Clone, Debug)]
pub struct Split {
    /// The loop: an innermost one.
    pub leaf: LoopId,
    /// Where it is cut, in source order: barriers, and empty spans before statements with calls of functions of the group.
    pub cuts: Vec<Span>,
    /// The ordinary loops in which it is cut, all of which all items run through alike: the statement, and its body with the
    /// braces.
    pub loops: Vec<(Span, Span)>,
    /// Something may keep the address of a variable over a barrier that would be another one behind it if the loop
    /// became several loops.
    pub stays_whole: bool,
}

/// An innermost loop over items, and ordinary loops in it.
#[derive(Clone, Debug)]
pub struct LoopsInside {
    /// The loop over items; of a `@tile` the second half.
    pub leaf: LoopId,
    /// The statements of the others.
    pub loops: Vec<Span>,
}

/// An innermost loop over items that is declarations and a loop in which elements of an array grow, `place OP= value`, within loops
/// over these. All are places in the text.
#[derive(Clone, Debug)]
pub struct Accumulated {
    /// The loop over items.
    pub leaf: LoopId,
    /// The declarations before the loop.
    pub before: Option<Span>,
    /// The head of the loop in which they grow, `for (…)`, and how many rounds it has.
    pub rounds: (Span, u64),
    /// The heads of the loops over elements, from the outside, and what counts them.
    pub elements: Vec<(Span, String)>,
    /// What each round declares.
    pub temporaries: Vec<Held>,
    /// The element.
    pub place: Span,
    /// `+=` and its relatives.
    pub operator: String,
    /// What is added.
    pub value: Span,
}

/// An expression of the program that another one has the value of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Respelled {
    /// Where it stands.
    pub span: Span,
    /// The other one.
    pub text: String,
}

/// A variable that holds what it is read from, or an array that holds that for each element along a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: Span,
    /// Where it, or an element, is read.
    pub uses: Vec<Span>,
}

/// An outer loop of which each item may run several neighbouring iterations, and gains by it.
#[derive(Clone, Debug)]
pub struct Coarsened {
    /// The loop: no part of a `@tile`, and nothing stands between it and the loops around it.
    pub outer: LoopId,
    /// How many iterations an item may run.
    pub iterations: usize,
    /// Operators, calls and accesses through pointers of one iteration.
    pub operations: usize,
    /// How many of an iteration's reads another one of these has made before.
    pub again: usize,
}
