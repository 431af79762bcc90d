//! What integers of a kernel can be.

use crate::facts::Range;
use crate::module::Type;
use crate::syntax::NodeId;
use foldhash::HashMap;

/// A result that is computed modulo 2^32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Its construct.
    pub(super) construct: usize,
    /// The numbers that it is, modulo 2^32.
    pub(super) exact: Range,
    pub(super) unsigned: bool,
}

/// What is known of the values in a kernel.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) ranges: HashMap<NodeId, Range>,
    pub(super) parts: HashMap<NodeId, Part>,
    /// Steps of loops that end before their variable could overflow.
    pub(super) steps: Vec<NodeId>,
}

impl Range {
    /// All values of a type; `None` for what is no integer.
    pub(super) fn of(ty: Type) -> Option<Self> {
        Self::of_scalar(ty.base.scalar()?)
    }
}
