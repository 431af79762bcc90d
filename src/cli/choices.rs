//! `--choose [KERNEL:]NAME=N`: what it says, and whether there are such kernels.

use super::Failure;
use super::common::Preprocess;
use brook::backend::Backend;
use brook::diagnostics::did_you_mean;
use brook::metadata::Metadata;
use brook::source::{FileLoader, Loader};
use brook::{Choices, Options, Source};
use std::collections::BTreeSet;

/// `[KERNEL:]NAME=N`. Instances of templates have colons in their names, too.
pub(super) fn choice(text: &str) -> Result<(String, Choices), String> {
    let fail = |what: &str| format!("--choose '{text}': {what}");
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| fail("NAME=N or KERNEL:NAME=N is expected"))?;
    let (kernel, name) = name.rsplit_once(':').unwrap_or(("*", name));
    let mut choices = Choices::default();
    choices
        .set(name.trim(), value)
        .map_err(|what| fail(&what))?;
    Ok((kernel.trim().to_string(), choices))
}

/// The kernels that sources have, and the templates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kernels {
    names: BTreeSet<String>,
    /// Some source was not understood: it may have any.
    unknown: bool,
}

impl Kernels {
    /// Those of a translation.
    pub(crate) fn add(&mut self, metadata: &Metadata) {
        let kernels = metadata.kernels.iter().map(|k| &k.name);
        let templates = metadata.templates.iter().map(|t| &t.name);
        self.names.extend(kernels.chain(templates).cloned());
    }

    /// The same of a translation that need not have come to an end.
    pub(crate) fn add_if(&mut self, metadata: Option<&Metadata>) {
        match metadata {
            Some(metadata) => self.add(metadata),
            None => self.unknown = true,
        }
    }

    /// Those of one translation.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let mut kernels = Self::default();
        kernels.add(metadata);
        kernels
    }

    /// Adds those of a source that nobody translates otherwise.
    pub(crate) fn read(&mut self, source: &Source, options: &Options, loader: &dyn Loader) {
        let backend = Backend::built_in("openmp").ok();
        let translated = backend.and_then(|b| brook::transpile(source, &b, options, loader).ok());
        self.add_if(translated.as_ref().map(|t| &t.metadata));
    }
}

impl Preprocess {
    /// Refuses choices for kernels that no source has: whoever misspells a name learns nothing from the result.
    pub(crate) fn check_choices(&self, files: &[String], kernels: &Kernels) -> Result<(), Failure> {
        if kernels.unknown {
            return Ok(());
        }
        for (text, template) in self.chosen()? {
            // Instances are written with blanks and without.
            let known = |n: &String| *n == template || n.split('<').next() == Some(&template);
            if kernels.names.iter().any(known) {
                continue;
            }
            let names: Vec<&str> = kernels.names.iter().map(String::as_str).collect();
            let meant = did_you_mean(&template, names.iter().copied());
            let (whose, has) = match files {
                [file] => (format!("'{file}' has no kernel"), "it has"),
                _ => ("no source has a kernel".to_string(), "they have"),
            };
            return Err(Failure::Usage(format!(
                "--choose '{text}': {whose} '{template}'{meant}; {has}: {}",
                names.join(", ")
            )));
        }
        Ok(())
    }

    /// The same for sources that are translated for this alone, if some kernel is named.
    pub(crate) fn check_choices_in(&self, sources: &[String]) -> Result<(), Failure> {
        if !self.names_kernels()? {
            return Ok(());
        }
        let mut kernels = Kernels::default();
        for file in sources {
            match brook::source::read(file.as_ref()) {
                Ok(text) => {
                    let source = Source::new(file.clone(), text);
                    kernels.read(&source, &self.options_for(file)?, &FileLoader);
                }
                // Whoever needs it says so.
                Err(_) => kernels.unknown = true,
            }
        }
        self.check_choices(sources, &kernels)
    }

    /// Whether some choice is of one kernel only.
    pub(crate) fn names_kernels(&self) -> Result<bool, Failure> {
        Ok(!self.chosen()?.is_empty())
    }

    /// The choices that name a kernel, and which.
    fn chosen(&self) -> Result<Vec<(&str, String)>, Failure> {
        let mut chosen = Vec::new();
        for text in &self.choices {
            let (kernel, _) = choice(text).map_err(Failure::Usage)?;
            let template = kernel.split('<').next().unwrap_or_default().trim();
            if template != "*" {
                chosen.push((text.as_str(), template.to_string()));
            }
        }
        Ok(chosen)
    }
}
