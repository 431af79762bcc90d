//! Kernels made of templates, each once: those that the program was built with, and those that are built when they
//! are first wanted.

use super::kernel::{Found, Kernel, Which};
use super::program::Recipe;
use super::template::{Template, canonical};
use super::{Error, Program, Result};
use crate::compat::Request;
use crate::module::KernelTemplate;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel that was made of a template.
#[derive(Clone)]
pub(super) struct Instance {
    /// Its program; none where that is the template's.
    program: Option<Program>,
    index: usize,
    found: Arc<Found>,
}

/// Kernels by their names; who builds one holds its lock.
#[derive(Default)]
pub(super) struct Instances(Mutex<HashMap<String, Slot>>);

type Slot = Arc<Mutex<Option<Instance>>>;

impl Instance {
    /// What it is launched as, in a program of the template.
    pub(super) fn parts<'i>(&'i self, own: &'i Program) -> (&'i Program, usize, &'i Found) {
        (
            self.program.as_ref().unwrap_or(own),
            self.index,
            &self.found,
        )
    }

    /// The same as a kernel of its own.
    pub(super) fn kernel(&self, own: &Program) -> Kernel {
        let program = self.program.as_ref().unwrap_or(own).clone();
        Kernel::new(program, self.index, Arc::clone(&self.found))
    }
}

impl Program {
    /// The kernel with these arguments, one for each parameter in the one spelling. It is built where there is none yet,
    /// and whoever wants it meanwhile waits.
    ///
    /// # Errors
    /// It does not build, or nothing is there to build it of.
    pub(super) fn instance_of(
        &self,
        template: &KernelTemplate,
        arguments: &[String],
    ) -> Result<Instance> {
        let own = template.instances.iter().find(|i| i.arguments == arguments);
        if let Some(index) = own.and_then(|own| self.position(&own.name)) {
            return Ok(Instance {
                program: None,
                index,
                found: self.found(index)?,
            });
        }
        let name = format!("{}<{}>", template.name, arguments.join(", "));
        let Some(recipe) = self.recipe() else {
            let there: Vec<&str> = template.instances.iter().map(|i| &*i.name).collect();
            let there = match there.as_slice() {
                [] => "it has none of this template".to_string(),
                names => format!("it has: {}", names.join(", ")),
            };
            return Err(Error::argument(format!(
                "kernel '{name}' is not in the package, and there is no source to build it from; {there}; compile it with \
                 --instantiate '{name}'"
            )));
        };
        let slot = {
            let all = &self.instances().0;
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(name.clone()).or_default())
        };
        // A panic of who built it says nothing of the next one.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(instance) = &*slot {
            return Ok(instance.clone());
        }
        let instance = self.build_instance(recipe, &name)?;
        *slot = Some(instance.clone());
        Ok(instance)
    }

    fn build_instance(&self, recipe: &Recipe, name: &str) -> Result<Instance> {
        let mut options = recipe.options.clone();
        options.translate.instantiate = vec![name.to_string()];
        options.translate.only_instances = true;
        let built = self.device().build(&recipe.source, &options);
        let program = built.map_err(|error| in_kernel(error, name))?;
        let index = program.position(name).ok_or_else(|| {
            Error::argument(format!(
                "what the source includes has changed: there is no kernel '{name}' any more"
            ))
        })?;
        let found = program.found(index)?;
        Ok(Instance {
            program: Some(program),
            index,
            found,
        })
    }

    /// A kernel that is asked for with the first arguments of its template, `f<float, 4>`; none where no template has
    /// that name. With all it needs it is built, otherwise the rest is given later or deduced at a launch.
    pub(super) fn instance_asked_for(&self, name: &str) -> Result<Option<Kernel>> {
        let Some(request) = Request::parse(name) else {
            return Ok(None);
        };
        let templates = &self.metadata().templates;
        let Some(index) = templates.iter().position(|t| t.name == request.name) else {
            return Ok(None);
        };
        let template = &templates[index];
        let mut given = vec![None; template.parameters.len()];
        for (number, argument) in request.arguments.iter().enumerate() {
            let argument = canonical(template, number, argument)?;
            given[number] = Some(argument);
        }
        let kernel = Template::new(index, template, given);
        match kernel.whole(self) {
            Some(arguments) => {
                let instance = self.instance_of(template, &arguments)?;
                Ok(Some(instance.kernel(self)))
            }
            None => Ok(Some(Kernel {
                program: self.clone(),
                which: Which::Template(Arc::new(kernel)),
            })),
        }
    }
}

/// An error of a kernel that the user has not asked for by that name.
fn in_kernel(error: Error, name: &str) -> Error {
    match error {
        Error::Source(mut report) => {
            for diagnostic in &mut report.diagnostics {
                let said = diagnostic.clone();
                *diagnostic = said.note(format!("in kernel '{name}'"), None);
            }
            Error::Source(report)
        }
        other => other.context(&format!("kernel '{name}'")),
    }
}
