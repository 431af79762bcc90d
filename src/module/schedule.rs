use super::{Elementwise, LoopId};

/// How a nest's groups and items may run on a target that has both, where that is not as the program says it.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// Items access elements of several iterations of the innermost loop at once.
    pub wide: Option<Elementwise>,
    /// Items run several iterations of an outer loop, one after the other.
    pub coarsened: Option<Coarsened>,
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
