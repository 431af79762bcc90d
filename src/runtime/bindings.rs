//! The names that the host's part of a Brook+ kernel may use, for one call.

use super::launch::Bound;
use super::layout::{Layout, Range};
use crate::expr::{Scalar, Value};
use crate::module::LaunchVariable;
use brook_driver::Buffer;
use std::sync::Arc;

/// What names stand for; owns what it must.
pub(super) struct Bindings {
    names: Vec<(String, Owned)>,
    linear: bool,
}

/// A thing a name may stand for.
pub(super) enum Owned {
    Buffer(Arc<dyn Buffer>),
    Scalar(Value),
    Bytes(Vec<u8>),
}

impl Bindings {
    /// The names every kernel over that domain may use.
    pub(super) fn new(domain: &Range) -> Self {
        let mut this = Self {
            names: Vec::new(),
            linear: true,
        };
        this.count(LaunchVariable::Count.name(), domain.count());
        this.add(
            LaunchVariable::Domain.name(),
            Owned::Bytes(domain.to_bytes()),
        );
        this
    }

    pub(super) fn add(&mut self, name: &str, owned: Owned) {
        self.names.push((name.to_string(), owned));
    }

    pub(super) fn count(&mut self, name: &str, count: u64) {
        self.add(name, Owned::Scalar(Value::Int(Scalar::ULong, count as i64)));
    }

    pub(super) fn layout(&mut self, name: &str, layout: &Layout, domain: &Range) {
        self.add(name, Owned::Bytes(layout.to_bytes(domain)));
    }

    pub(super) fn buffer(&mut self, name: &str, buffer: Arc<dyn Buffer>) {
        self.add(name, Owned::Buffer(buffer));
    }

    /// Memory, and where elements lie in it.
    pub(super) fn shaped(
        &mut self,
        name: &str,
        buffer: Arc<dyn Buffer>,
        layout: &Layout,
        domain: &Range,
    ) {
        self.buffer(name, buffer);
        self.layout(&format!("brook_{name}_shape"), layout, domain);
    }

    /// Counts a stream whose elements belong to the items of the domain among those.
    pub(super) fn note_stream(&mut self, layout: &Layout, domain: &Range) {
        self.linear &= layout.is_linear(domain);
    }

    /// Whether item i has element i of every such stream.
    pub(super) fn is_linear(&self) -> bool {
        self.linear
    }

    pub(super) fn as_bound<'b>(&'b self) -> Vec<(&'b str, Bound<'b>)> {
        let bound = |owned: &'b Owned| match owned {
            Owned::Buffer(buffer) => Bound::Buffer(&**buffer),
            Owned::Scalar(value) => Bound::Scalar(*value),
            Owned::Bytes(bytes) => Bound::Bytes(bytes),
        };
        self.names
            .iter()
            .map(|(name, owned)| (name.as_str(), bound(owned)))
            .collect()
    }
}
