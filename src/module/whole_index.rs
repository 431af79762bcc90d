//! Gathers whose indices are computed as floating-point numbers and are integers all the same.

use crate::source::Span;

/// What an index is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WholePart {
    /// The place of the element along an axis, fastest first.
    Place(usize),
    /// How many iterations of a loop were before: which of [`Kernel::counted_loops`](super::Kernel::counted_loops).
    Iteration(usize),
}

/// An index as a sum of integers, modulo 2^32. It is the index in calls that leave none of the kernel's arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeIndex {
    /// What is added to the parts.
    pub constant: i64,
    /// Each part once, in order, and what it is multiplied by: not zero.
    pub parts: Vec<(WholePart, i64)>,
}

/// A loop whose iterations are counted for such indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedLoop {
    /// What it repeats.
    pub body: LoopBody,
    /// What the nearest loop around it repeats; none if there is no loop.
    pub around: Option<LoopBody>,
    /// Its condition, and of how many iterations it holds, where nothing else is asked.
    pub condition: Option<(Span, Iterations)>,
}

/// Of how many iterations a condition holds that compares a `float`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterations {
    /// Always so many.
    Number(u32),
    /// It counts by ones from a whole number on, while that is less than a parameter's value, which nobody changes.
    Up {
        /// The number.
        first: i64,
        /// The parameter, and which component of it.
        end: (usize, usize),
    },
    /// It counts by ones from such a value on, while that is above zero.
    Down {
        /// The parameter, and which component of it.
        first: (usize, usize),
    },
}

/// The statement that a loop repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopBody {
    /// The loop.
    pub of: Span,
    /// The statement.
    pub span: Span,
    /// It is a block.
    pub block: bool,
}
