//! What pointers point to, for targets whose pointers carry address spaces.

use crate::source::Span;

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Global memory: what a kernel is given.
    Global,
    /// The memory of a group.
    Shared,
    /// An item's own.
    Private,
    /// Constants at file scope.
    Constant,
}

/// Names a [`Pointer`] of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointerId(pub(crate) u32);

impl PointerId {
    /// Its place in a module's list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a pointer's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It points to memory of that kind.
    Space(Space),
    /// It is another pointer's value.
    Pointer(PointerId),
    /// A call's result; index into a module's list of calls.
    Result(usize),
}

/// A variable, parameter, field, cast or result that is a pointer.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Where it is declared.
    pub span: Span,
    /// Everything it may be given.
    pub origins: Vec<Origin>,
}

/// A call of a function of the program that is given pointers.
#[derive(Clone, Debug)]
pub struct PointerCall {
    /// The function's name.
    pub function: String,
    /// The function around the call, by its place in the module's list; `None` for kernels.
    pub caller: Option<usize>,
    /// Position of each argument that is a pointer, and where it may come from.
    pub arguments: Vec<(usize, Vec<Origin>)>,
}
