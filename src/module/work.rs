use crate::expr::Scalar;

/// Operations that the iterations or elements of an item may come to: what goes beyond computes enough to
/// hide its accesses, and would only take registers.
pub(crate) const MOST_OPERATIONS: usize = 500;

/// What a function of the library does for a `double` besides being called: GPUs have instructions for those of `float`. The
/// prices of options, with some five of them, are a twentieth slower with two elements an item, where `float`s gain an eighth with four.
const OPERATIONS_OF_DOUBLES: usize = 48;

/// What a function of the library takes on a processor besides being called: about as long as a sine.
const OPERATIONS_OF_LIBRARY: usize = 16;

/// What a piece of code does, as far as its tree says, with the functions that it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Operators, accesses and calls, as often as they are written: a function that is called twice counts once.
    pub operations: usize,
    /// Those calls among them whose functions are the library's, where it is known which these are.
    pub library: usize,
    /// There are loops, or jumps that may make one.
    pub loops: bool,
    /// Loops end when a condition says so: one item may take much longer than another.
    pub leaves: bool,
    /// Bounds of loops are read from memory.
    pub bounds_in_memory: bool,
}

impl Work {
    /// Its operations, if it runs straight on.
    pub fn straight(&self) -> Option<usize> {
        (!self.loops).then_some(self.operations)
    }

    /// The same, where calls of the library are counted as what they compute in that type.
    pub fn straight_in(&self, scalar: Scalar) -> Option<usize> {
        let more = match scalar {
            Scalar::Double => OPERATIONS_OF_DOUBLES,
            _ => 0,
        };
        let more = self.library.saturating_mul(more);
        Some(self.straight()?.saturating_add(more))
    }

    /// The same, where calls of the library are counted as what they take on a processor.
    pub fn straight_on_processor(&self) -> Option<usize> {
        let more = self.library.saturating_mul(OPERATIONS_OF_LIBRARY);
        Some(self.straight()?.saturating_add(more))
    }

    /// Both, one after the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            operations: self.operations.saturating_add(other.operations),
            library: self.library.saturating_add(other.library),
            loops: self.loops || other.loops,
            leaves: self.leaves || other.leaves,
            bounds_in_memory: self.bounds_in_memory || other.bounds_in_memory,
        }
    }
}
