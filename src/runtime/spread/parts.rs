//! A program on the devices of a set.

use super::super::element::ElementType;
use super::super::layout::Shape;
use super::super::stream::DynStream;
use super::super::{BuildOptions, Kernel, Program, Result, lock};
use super::directory::MOST_PARTS;
use crate::source_text::Source;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// What a program has on the devices of its set: made when it is first asked for.
pub(in super::super) struct Parts {
    programs: [OnceLock<Program>; MOST_PARTS],
    /// Reductions that join partial results, by the type of an element and the operator; `None` of what cannot be built.
    joins: Mutex<HashMap<(String, String), Option<Kernel>>>,
    /// Memory for partial results of the last reduction, for the next one.
    partials: Mutex<Option<DynStream>>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            programs: [const { OnceLock::new() }; MOST_PARTS],
            joins: Mutex::default(),
            partials: Mutex::default(),
        }
    }
}

impl Parts {
    /// The program on the device of that number.
    pub(in super::super) fn get(&self, part: usize, make: impl FnOnce() -> Program) -> Program {
        self.programs[part].get_or_init(make).clone()
    }

    /// The reduction of elements of a type by an operator, on a program's set; `None` where there is none.
    pub(super) fn join(&self, program: &Program, element: &str, operator: &str) -> Option<Kernel> {
        let key = (element.to_string(), operator.to_string());
        let mut joins = lock(&self.joins);
        let join = joins.entry(key).or_insert_with(|| {
            let text = format!(
                "reduce void brook_join({element} a<>, reduce {element} r<>) {{ r {operator}= a; }}\n"
            );
            let source = Source::new("brook_join.br", text);
            let options = match program.recipe() {
                Some(recipe) => recipe.options.clone(),
                None => BuildOptions::new(),
            };
            let built = program.device().build(&source, &options).ok()?;
            built.kernel("brook_join").ok()
        });
        join.clone()
    }

    /// Calls `use_it` with a stream for partial results, which nobody else uses meanwhile.
    pub(super) fn with_partials(
        &self,
        program: &Program,
        element: ElementType,
        shape: Shape,
        use_it: impl FnOnce(&DynStream) -> Result<()>,
    ) -> Result<()> {
        let kept = lock(&self.partials).take();
        let fits = |kept: &DynStream| kept.element == element && kept.layout.shape == shape;
        let partials = match kept.filter(fits) {
            Some(partials) => partials,
            None => DynStream::allocate(program.device(), element, shape)?,
        };
        let done = use_it(&partials);
        *lock(&self.partials) = Some(partials);
        done
    }
}

impl Kernel {
    /// The kernel on the device of that number of its set.
    pub(super) fn on_part(&self, part: usize) -> Result<Self> {
        let program = self.program().on_part(part);
        program.kernel(&self.metadata().name)
    }
}
