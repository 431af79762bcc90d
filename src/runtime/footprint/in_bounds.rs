//! Calls of which it is known that all gathers are inside of their arrays: kernels need not clamp their indices then.

use super::super::call_argument::StreamArgument;
use super::super::layout::{Layout, Range};
use super::Elements;
use crate::render::KernelMetadata;
use std::sync::Mutex;

/// To find out takes the host as long as a GPU takes for so many elements; with fewer, only the first call is looked at.
const LEAST: u64 = 1 << 16;

/// Elements of an array that 32 bits count.
const MOST: u64 = 1 << 32;

/// A call of a map whose item i has element i of every stream.
pub(in super::super) struct InBounds<'c> {
    pub(in super::super) range: &'c Range,
    pub(in super::super) arguments: &'c [StreamArgument<'c>],
    /// Where the elements of what it gathers from lie, by parameter.
    pub(in super::super) gathered: &'c [(usize, Layout)],
}

/// The last call of a kernel that was looked at, and what was found: most calls are like the one before.
#[derive(Default)]
pub(in super::super) struct Known(Mutex<Option<Call>>);

struct Call {
    range: Range,
    gathered: Vec<(usize, Layout)>,
    /// Bytes of all values.
    values: Vec<u8>,
    inside: bool,
}

impl InBounds<'_> {
    /// Whether it is known.
    pub(in super::super) fn is_known(&self, metadata: &KernelMetadata, known: &Known) -> bool {
        let Ok(mut last) = known.0.lock() else {
            return false;
        };
        match &*last {
            Some(last) if self.is_like(last) => last.inside,
            Some(_) if self.range.count() < LEAST => false,
            _ => {
                let inside = self.stays_in(metadata);
                *last = Some(Call {
                    range: *self.range,
                    gathered: self.gathered.to_vec(),
                    values: self.values().flatten().copied().collect(),
                    inside,
                });
                inside
            }
        }
    }

    fn values(&self) -> impl Iterator<Item = &[u8]> {
        let values = self.arguments.iter().filter_map(StreamArgument::value);
        values.map(|(_, bytes)| bytes)
    }

    fn is_like(&self, call: &Call) -> bool {
        call.range == *self.range
            && call.gathered == self.gathered
            && self.values().flatten().eq(&call.values)
    }

    fn stays_in(&self, metadata: &KernelMetadata) -> bool {
        let elements = Elements {
            range: self.range,
            arguments: self.arguments,
            placed: &|_| true,
        };
        self.gathered.iter().all(|(parameter, layout)| {
            let shape = &layout.shape;
            let indices = &metadata.parameters[*parameter].indices;
            let whole: u64 = layout.whole.iter().map(|e| u64::from(*e)).product();
            let extents = &shape.extents[..shape.rank];
            whole <= MOST && elements.stay_in(indices, extents)
        })
    }
}
