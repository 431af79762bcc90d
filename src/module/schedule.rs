use super::{Elementwise, LoopId};
use crate::source::Span;

/// How a nest's groups and items may run, where that need not be as the program says it.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// Items access elements of several iterations of the innermost loop at once.
    pub wide: Option<Elementwise>,
    /// Items run several iterations of an outer loop, one after the other.
    pub coarsened: Option<Coarsened>,
    /// Loops over groups and items of which the one loop in them may check the condition, too; of a `@tile` the first half.
    pub sinking: Vec<LoopId>,
    /// Where loops stay loops: loops over items that may stand within those that their bodies consist of.
    pub interchanged: Vec<LoopsInside>,
    /// Where items are lanes of vectors: innermost loops that declare arrays, none of which is left once the loops are
    /// unrolled.
    pub dissolving: Vec<LoopsInside>,
}

/// An innermost loop over items, and ordinary loops in it.
#[derive(Clone, Debug)]
pub struct LoopsInside {
    /// The loop over items; of a `@tile` the second half.
    pub leaf: LoopId,
    /// The statements of the others.
    pub loops: Vec<Span>,
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
}
