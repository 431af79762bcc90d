//! The names that the host's part of a Brook+ kernel may use, for one call.

use super::Result;
use super::launch::Bound;
use super::layout::{Layout, Range};
use super::stream_memory::StreamMemory;
use crate::expr::{Scalar, Value};
use crate::module::LaunchVariable;
use brook_driver::Buffer;
use std::sync::Arc;

/// What names stand for; owns what it must.
pub(super) struct Bindings {
    names: Vec<(String, Owned)>,
    linear: bool,
    gathered: Vec<(usize, Layout)>,
}

/// A thing a name may stand for.
pub(super) enum Owned {
    Buffer(Arc<dyn Buffer>),
    Stream(Arc<StreamMemory>),
    Scalar(Value),
    Bytes(Vec<u8>),
}

impl Bindings {
    /// The names every kernel over that domain may use.
    pub(super) fn new(domain: &Range) -> Self {
        let mut this = Self {
            names: Vec::new(),
            linear: true,
            gathered: Vec::new(),
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
        memory: Arc<StreamMemory>,
        layout: &Layout,
        domain: &Range,
    ) {
        self.add(name, Owned::Stream(memory));
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

    /// Notes where the elements lie that a parameter gathers from.
    pub(super) fn note_gathered(&mut self, parameter: usize, layout: &Layout) {
        self.gathered.push((parameter, *layout));
    }

    /// Where they lie, by parameter.
    pub(super) fn gathered(&self) -> &[(usize, Layout)] {
        &self.gathered
    }

    /// Makes memory that is not there yet.
    pub(super) fn make(&self) -> Result<()> {
        for (_, owned) in &self.names {
            if let Owned::Stream(memory) = owned {
                memory.buffer()?;
            }
        }
        Ok(())
    }

    /// The names, with memory made that was not.
    pub(super) fn as_bound<'b>(&'b self) -> Result<Vec<(&'b str, Bound<'b>)>> {
        let bound = |owned: &'b Owned| -> Result<Bound<'b>> {
            Ok(match owned {
                Owned::Buffer(buffer) => Bound::Buffer(&**buffer),
                Owned::Stream(memory) => Bound::Buffer(&**memory.buffer()?),
                Owned::Scalar(value) => Bound::Scalar(*value),
                Owned::Bytes(bytes) => Bound::Bytes(bytes),
            })
        };
        self.names
            .iter()
            .map(|(name, owned)| Ok((name.as_str(), bound(owned)?)))
            .collect()
    }
}
