//! Functions of all items of a group.

use super::Pass;
use crate::backend::{Backend, Model, fill};
use crate::module::{CollectiveFunction, Kernel};
use crate::rewrite::text::parenthesized;
use crate::rewrite::{Part, Use};
use crate::source::{Overlap, Span};

/// The declaration of the memory that they use, where the target has to be told.
pub(crate) fn memory_of_group(kernel: &Kernel, backend: &Backend) -> Option<String> {
    let memory = &backend.spelling.collective_memory;
    let items = kernel.group_size().filter(|_| kernel.collectives)?;
    // One more for each run of values that are combined together.
    let count = items + items.div_ceil(8).min(32);
    (!memory.is_empty()).then(|| fill(memory, &[("count", &count.to_string())]))
}

impl Pass<'_> {
    pub(super) fn group_function(
        &mut self,
        span: Span,
        function: CollectiveFunction,
        arguments: &[Span],
    ) -> Result<(), Overlap> {
        let module = self.module;
        let kernel = module.kernels.iter().find(|k| k.body.contains(span));
        let items = kernel.and_then(Kernel::group_size).unwrap_or(1);
        let mut texts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            texts.push(self.take(*argument)?);
        }
        let value = texts.first().map_or("", |t| t.trim());
        let value = match function.is_vote() {
            true => format!("{} != 0", parenthesized(value)),
            false => value.to_string(),
        };
        let mine = match texts.get(1) {
            Some(place) => format!("brook_item.x == (int){}", parenthesized(place)),
            None => "brook_active".to_string(),
        };
        self.uses.insert(Part::Collectives.into());
        self.uses.insert(Use::Group(function.kind.into()));
        if self.backend.model == Model::Loops {
            self.uses.insert(Part::Fibers.into());
            self.uses.insert(Part::FiberCollectives.into());
        }
        let items = items.to_string();
        let text = fill(
            &self.backend.spelling.collective,
            &[
                ("operation", &function.word()),
                ("x", &items),
                ("y", "1"),
                ("z", "1"),
                ("items", &items),
                ("again", "true"),
                ("mine", &mine),
                ("value", &value),
            ],
        );
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }
}
