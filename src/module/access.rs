use super::Origin;
use crate::source::Span;

/// What an access does with memory that a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Its value is read.
    Read,
    /// It is written only, or changed atomically.
    Write,
    /// Its value is read, and it is written.
    Change,
    /// A reference or the like is bound to it: what happens by that name is not looked into.
    Bound,
}

/// Where a pointer may come from: one place as a rule.
#[derive(Clone, Debug)]
pub enum Origins {
    /// It is known, and one.
    One(Origin),
    /// Any other number of them.
    Many(Vec<Origin>),
}

impl std::ops::Deref for Origins {
    type Target = [Origin];

    fn deref(&self) -> &[Origin] {
        match self {
            Self::One(origin) => std::slice::from_ref(origin),
            Self::Many(origins) => origins,
        }
    }
}

/// An access of an OKL program to memory that a pointer leads to, or that nothing is known of.
#[derive(Clone, Debug)]
pub struct Access {
    /// All of it: `p[i].x`.
    pub span: Span,
    /// What happens.
    pub kind: AccessKind,
    /// Where the pointer may come from; empty if that is not known.
    pub origins: Origins,
    /// The function around it, by its place in the module's list; `None` for kernels.
    pub function: Option<usize>,
    /// It is an argument of something that may take references, as far as is known.
    pub argument: bool,
    /// It is a number or a vector for sure.
    pub plain: bool,
}
