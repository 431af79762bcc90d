//! The names that the host's part of a Brook+ kernel may use, for one call.

use super::launch::Bound;
use super::stream::Shape;
use crate::expr::{Scalar, Value};
use brook_driver::Buffer;
use std::sync::Arc;

/// What names stand for; owns what it must.
pub(super) struct Bindings(Vec<(String, Owned)>);

/// A thing a name may stand for.
pub(super) enum Owned {
    Buffer(Arc<dyn Buffer>),
    Scalar(Value),
    Bytes(Vec<u8>),
}

impl Bindings {
    /// The names every kernel over that domain may use.
    pub(super) fn new(domain: &Shape) -> Self {
        let mut this = Self(Vec::new());
        this.count("brook_count", domain.count());
        this.shape("brook_domain", domain, domain);
        this
    }

    pub(super) fn add(&mut self, name: &str, owned: Owned) {
        self.0.push((name.to_string(), owned));
    }

    pub(super) fn count(&mut self, name: &str, count: u64) {
        self.add(name, Owned::Scalar(Value::Int(Scalar::ULong, count as i64)));
    }

    pub(super) fn shape(&mut self, name: &str, shape: &Shape, domain: &Shape) {
        self.add(name, Owned::Bytes(shape.to_bytes(domain).to_vec()));
    }

    pub(super) fn buffer(&mut self, name: &str, buffer: Arc<dyn Buffer>) {
        self.add(name, Owned::Buffer(buffer));
    }

    /// Memory with its shape.
    pub(super) fn shaped(
        &mut self,
        name: &str,
        buffer: Arc<dyn Buffer>,
        shape: &Shape,
        domain: &Shape,
    ) {
        self.buffer(name, buffer);
        self.shape(&format!("{name}_shape"), shape, domain);
    }

    pub(super) fn as_bound<'b>(&'b self) -> Vec<(&'b str, Bound<'b>)> {
        let bound = |owned: &'b Owned| match owned {
            Owned::Buffer(buffer) => Bound::Buffer(&**buffer),
            Owned::Scalar(value) => Bound::Scalar(*value),
            Owned::Bytes(bytes) => Bound::Bytes(bytes),
        };
        self.0
            .iter()
            .map(|(name, owned)| (name.as_str(), bound(owned)))
            .collect()
    }
}
