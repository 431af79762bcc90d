use super::LoopId;
use crate::source::Span;

/// Which subscript of a matrix that a group shares counts neighbouring elements, where the items of the group are
/// lanes of vectors. Elsewhere it is the last one, as C has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatrixLayout {
    /// The last.
    #[default]
    Declared,
    /// The first: nearly all lanes that lie side by side count that one.
    Turned,
    /// There are two copies, one in each way.
    Both,
}

/// An access to an element of a matrix that a group shares.
#[derive(Clone, Debug)]
pub struct MatrixAccess {
    /// The place of its declaration among the constructs, and of the variable there.
    pub variable: (usize, usize),
    /// The matrix's name.
    pub name: Span,
    /// What stands between its brackets; names, numbers and operators, without effects.
    pub subscripts: [Span; 2],
    /// It is the target of an assignment that is a statement, which ends there.
    pub written: Option<u32>,
    /// Lanes that lie side by side count the first subscript, and not the last.
    pub across: bool,
    /// How the matrix lies in memory.
    pub layout: MatrixLayout,
    /// The nest's root loop.
    pub nest: LoopId,
}
