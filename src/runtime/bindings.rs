//! The names that the host's part of a Brook+ kernel may use, for one call.

use super::launch::Bound;
use super::layout::{LAYOUT, Layout, RANGE, Range};
use super::stream_memory::StreamMemory;
use super::{Kernel, Result};
use crate::expr::{Scalar, Value};
use crate::module::LaunchVariable;
use brook_driver::Buffer;
use std::borrow::Cow;
use std::sync::Arc;

/// What names stand for; owns what it must.
pub(super) struct Bindings<'m> {
    names: Vec<(Cow<'m, str>, Owned)>,
    linear: bool,
    gathered: Vec<(usize, Layout)>,
}

/// A thing a name may stand for.
pub(super) enum Owned {
    Buffer(Arc<dyn Buffer>),
    Stream(Arc<StreamMemory>),
    Scalar(Value),
    Range([u8; RANGE]),
    Layout([u8; LAYOUT]),
    Bytes(Vec<u8>),
}

/// Names that most calls have room for.
const MOST: usize = 24;

impl<'m> Bindings<'m> {
    /// The names every kernel over that domain may use.
    pub(super) fn new(domain: &Range) -> Self {
        let mut this = Self {
            names: Vec::with_capacity(MOST),
            linear: true,
            gathered: Vec::new(),
        };
        this.count(LaunchVariable::Count.name(), domain.count());
        this.add(
            LaunchVariable::Domain.name(),
            Owned::Range(domain.to_bytes()),
        );
        this
    }

    pub(super) fn add(&mut self, name: &'m str, owned: Owned) {
        self.names.push((Cow::Borrowed(name), owned));
    }

    pub(super) fn count(&mut self, name: &'m str, count: u64) {
        self.add(name, Owned::Scalar(Value::Int(Scalar::ULong, count as i64)));
    }

    pub(super) fn layout(&mut self, name: &'m str, layout: &Layout, domain: &Range) {
        self.add(name, Owned::Layout(layout.to_bytes(domain)));
    }

    pub(super) fn buffer(&mut self, name: &'m str, buffer: Arc<dyn Buffer>) {
        self.add(name, Owned::Buffer(buffer));
    }

    /// A parameter's memory, and where elements lie in it.
    pub(super) fn shaped(
        &mut self,
        (kernel, parameter): (&'m Kernel, usize),
        memory: Arc<StreamMemory>,
        layout: &Layout,
        domain: &Range,
    ) {
        let name = &kernel.metadata().parameters[parameter].name;
        self.add(name, Owned::Stream(memory));
        let shape = Owned::Layout(layout.to_bytes(domain));
        self.names.push((kernel.shape_name(parameter), shape));
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
        let mut all = Vec::with_capacity(self.names.len());
        for (name, owned) in &self.names {
            let bound = match owned {
                Owned::Buffer(buffer) => Bound::Buffer(&**buffer),
                Owned::Stream(memory) => Bound::Buffer(&**memory.buffer()?),
                Owned::Scalar(value) => Bound::Scalar(*value),
                Owned::Range(bytes) => Bound::Bytes(bytes),
                Owned::Layout(bytes) => Bound::Bytes(bytes),
                Owned::Bytes(bytes) => Bound::Bytes(bytes),
            };
            all.push((&**name, bound));
        }
        Ok(all)
    }
}
