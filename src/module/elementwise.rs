use super::{LoopId, Work};
use crate::expr::Scalar;
use crate::source::Span;

/// What makes it plain that each item of a nest touches its own elements of arrays, and that neighbouring items
/// touch neighbouring ones: an item may then run several iterations, and read and write their elements at once.
#[derive(Clone, Debug)]
pub struct Elementwise {
    /// The innermost inner loop, whose iterations are along x and go up by one.
    pub leaf: LoopId,
    /// The outer loop along x.
    pub outer: LoopId,
    /// Declarations at the beginning of the body, without effects, that indices and the condition depend on.
    pub first: Vec<IndexDeclaration>,
    /// The condition that the rest of the body stands under, if there is one.
    pub guard: Option<Span>,
    /// The rest of the body: straight on, every access in it happens.
    pub rest: Span,
    /// What the rest does.
    pub work: Work,
    /// The elements.
    pub elements: Vec<ElementAccess>,
    /// Which addresses have to be asked whether they are aligned.
    pub asked: Asked,
    /// Which of them the same item has read before, if it runs several iterations of an outer loop.
    pub repeats: Vec<Repeat>,
    /// Indices, the condition and what they are computed of can be computed for iterations that there are not: nothing in them
    /// is divided by what is not known.
    pub total: bool,
}

/// A declaration of constants that depend on nothing but loop variables and arguments.
#[derive(Clone, Debug)]
pub struct IndexDeclaration {
    /// The declaration.
    pub span: Span,
    /// The names it declares.
    pub names: Vec<String>,
}

/// The element of an array that is an item's own, and neighbours of it along x that are read as well.
#[derive(Clone, Debug)]
pub struct ElementAccess {
    /// The parameter.
    pub array: String,
    /// What it points to.
    pub scalar: Scalar,
    /// The index, as one of the accesses has it whose distance is 0.
    pub index: Span,
    /// What the index of the first item of all is, as far as that is known: the rest may be any number.
    pub offset: i64,
    /// All accesses.
    pub uses: Vec<ElementUse>,
    /// Its value is used.
    pub reads: bool,
    /// It gets a new one.
    pub writes: bool,
}

impl ElementAccess {
    /// How many different elements one iteration accesses.
    pub fn distances(&self) -> usize {
        let mut all: Vec<i64> = self.uses.iter().map(|u| u.distance).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}

/// What has to be asked, so that it is known of all elements whether a chunk of iterations begins with an aligned address.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Elements by number: the others are as far behind one of them as some of these are apart, or several times as far.
    pub elements: Vec<usize>,
    /// Outer loops by their statements, of which one iteration says it for all.
    pub loops: Vec<Span>,
}

/// Elements of an array which nobody writes, of which an iteration of an outer loop reads those that the iteration before has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The outer loop's statement.
    pub outer: Span,
    /// The element, by its number.
    pub element: usize,
    /// The number of the one that was read: the element is so many behind that.
    pub from: usize,
    pub by: i64,
}

/// An access to an item's element, or to a neighbour of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementUse {
    /// All of it: `a[i + 1]`.
    pub span: Span,
    /// How many elements behind the item's own it is: 1.
    pub distance: i64,
}
