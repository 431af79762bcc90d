//! What is found of a file, piece by piece.

use crate::module::{Construct, ConstructKind, Kernel, Struct};
use crate::source::Span;
use foldhash::HashMap;

/// What has been found so far.
pub(super) struct Unit {
    pub(super) kernels: Vec<Kernel>,
    /// Their numbers, by name; of several, the first one's.
    pub(super) numbers: HashMap<String, usize>,
    pub(super) constructs: Vec<Construct>,
    /// The program's structs by the checker's numbers, then those made for elements that are arrays.
    pub(super) structs: Vec<Struct>,
    /// Spans of all kernels, prototypes included.
    pub(super) items: Vec<Span>,
}

impl Unit {
    pub(super) fn push(&mut self, span: Span, what: ConstructKind) {
        self.constructs.push(Construct { span, kind: what });
    }

    /// What a construct computes without a sign is a part of something larger that is, too.
    pub(super) fn join(&mut self, construct: usize) {
        let found = self.constructs.get_mut(construct);
        if let Some(ConstructKind::Wrapping { part, .. }) = found.map(|c| &mut c.kind) {
            *part = true;
        }
    }
}
