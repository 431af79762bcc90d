//! How programs are built.

use super::embedded::{EmbeddedFiles, is_nowhere};
use super::tuned::Place;
use super::{Error, IntoSource, Result};
use crate::extension::Extension;
use crate::module::Checking;
use crate::options::{Choices, Options};
use crate::preprocess::Define;
use crate::source_text::Source;
use brook_driver::{CompileOptions, Math};
use std::fmt;
use std::sync::Arc;

/// How to build a program.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    pub(super) translate: Options,
    pub(super) compile: CompileOptions,
    pub(super) cache: bool,
    pub(super) files: EmbeddedFiles,
    pub(super) tuned: Place,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            translate: Options {
                no_launcher: true,
                templates_later: true,
                ..Options::default()
            },
            compile: CompileOptions::default(),
            cache: true,
            files: EmbeddedFiles::default(),
            tuned: Place::default(),
        }
    }
}

impl BuildOptions {
    /// No macros, no directories, default arithmetic, with the cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything the transpiler can be told. No launcher is made, since programs are launched without it.
    #[must_use]
    pub fn translate(mut self, options: Options) -> Self {
        let directories = options.include_directories.iter();
        self.compile.include_directories =
            directories.filter(|d| !is_nowhere(d)).cloned().collect();
        self.translate = Options {
            no_launcher: true,
            templates_later: true,
            ..options
        };
        self
    }

    /// Defines a macro; `name` may have parameters: `F(a)`.
    #[must_use]
    pub fn define(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.translate.defines.push(Define {
            name: name.into(),
            value: value.to_string(),
        });
        self
    }

    /// How strictly Brook+ kernels are checked.
    #[must_use]
    pub fn checking(mut self, checking: Checking) -> Self {
        self.translate.checking = checking;
        self
    }

    /// Adds a directory in which includes are searched, after the source's own.
    #[must_use]
    pub fn include_directory(mut self, directory: impl Into<String>) -> Self {
        let directory = directory.into();
        // The device's compiler looks at the disk only.
        if !is_nowhere(&directory) {
            self.compile.include_directories.push(directory.clone());
        }
        self.translate.include_directories.push(directory);
        self
    }

    /// Puts the text of a file before the source.
    #[must_use]
    pub fn forced_include(mut self, file: impl Into<String>) -> Self {
        self.translate.forced_includes.push(file.into());
        self
    }

    /// Adds a file that is not on the disk: what leads to this path, from the source's own directory or one in which
    /// includes are searched, finds this text first. Paths that begin with [`EMBEDDED`](super::EMBEDDED) are never
    /// looked for on the disk, nor are directories of that name.
    #[must_use]
    pub fn file(mut self, path: impl AsRef<str>, text: impl Into<Vec<u8>>) -> Self {
        self.files.add(path.as_ref(), text.into());
        self
    }

    /// The source of that path: of the files that were added, or from the disk.
    ///
    /// # Errors
    /// There is none that can be read.
    pub fn source(&self, path: &str) -> Result<Source> {
        match self.files.get(path) {
            Some(text) => Ok(Source::new(path, text)),
            None if is_nowhere(path) => Err(Error::argument(format!(
                "there is no '{path}' in the program"
            ))),
            None => Source::file(path).into_source(),
        }
    }

    /// Adds functions that each backend spells in its own way: a table as in `docs/intrinsics.md`.
    ///
    /// # Errors
    /// What is wrong with the table.
    pub fn intrinsics(mut self, table: &str) -> std::result::Result<Self, String> {
        self.translate.intrinsics.add(table)?;
        Ok(self)
    }

    /// Asks for a kernel of a template, which is then launched by this name: `f<float, 4>`.
    #[must_use]
    pub fn instantiate(mut self, kernel: impl Into<String>) -> Self {
        self.translate.instantiate.push(kernel.into());
        self
    }

    /// Lets an extension take part in the translation.
    #[must_use]
    pub fn extension(mut self, extension: impl Extension + 'static) -> Self {
        self.translate.extensions.push(Arc::new(extension));
        self
    }

    /// Whether barriers between `@inner` loops are inserted where the language implies them; they are
    /// unless this says no.
    #[must_use]
    pub fn auto_barriers(mut self, insert: bool) -> Self {
        self.translate.no_auto_barriers = !insert;
        self
    }

    /// Whether items of a GPU run several iterations, or map several elements, where these lie side by side and can
    /// be read and written at once, and whether items of a processor run loops together that they leave at different
    /// times; they do unless this says no.
    #[must_use]
    pub fn widen(mut self, widen: bool) -> Self {
        self.translate.no_widen = !widen;
        self
    }

    /// Uses what `brook tune` left in a folder for the source and the device: values of macros that are not defined here, and how
    /// work is shared out. Without this `BROOK_TUNED` may name the folder. Of several shapes that a kernel was tuned with the
    /// latest is used, or [`BuildOptions::tuned_for`] says which.
    #[must_use]
    pub fn tuned(mut self, folder: impl Into<std::path::PathBuf>) -> Self {
        self.tuned.folder = Some(folder.into());
        self
    }

    /// Of what was tuned, uses what was found with these values and sizes: `n=4096`, or several with blanks between them.
    #[must_use]
    pub fn tuned_for(mut self, shape: impl Into<String>) -> Self {
        self.tuned.shape = Some(shape.into());
        self
    }

    /// Shares out the work of a kernel's items; `*` is all kernels that are not named. Results do not depend on it.
    #[must_use]
    pub fn choose(mut self, kernel: impl Into<String>, choices: Choices) -> Self {
        self.translate.choices.push((kernel.into(), choices));
        self
    }

    /// Whether what the device's compiler is given names the lines of the source, so that warnings and
    /// debuggers do. Errors always name them.
    #[must_use]
    pub fn line_directives(mut self, line_directives: bool) -> Self {
        self.translate.line_directives = line_directives;
        self
    }

    /// Chooses the arithmetic contract.
    #[must_use]
    pub fn math(mut self, math: Math) -> Self {
        self.compile.math = math;
        self
    }

    /// Whether sums of products that round once are written as such, so that no compiler has to find them.
    pub(super) fn writes_contractions(&self) -> bool {
        self.compile.math == Math::Default
    }

    /// Whether the device's compiler is told of names, by macros or by files of its own.
    fn compiler_has_names(&self) -> bool {
        let telling = ["-D", "/D", "-I", "-i", "--include", "--pre-include", "@"];
        let flags = self.compile.flags.iter();
        { flags }.any(|flag| telling.iter().any(|t| flag.trim_start().starts_with(t)))
    }

    /// How to translate for that compiler.
    pub(super) fn translation(&self) -> Options {
        Options {
            contract: self.writes_contractions(),
            undeclared_later: self.translate.undeclared_later || self.compiler_has_names(),
            ..self.translate.clone()
        }
    }

    /// Hands a flag to the device's compiler.
    #[must_use]
    pub fn flag(mut self, flag: impl Into<String>) -> Self {
        self.compile.flags.push(flag.into());
        self
    }

    /// Chooses the language standard, in the words of the device's compiler: `c++20`, `CL2.0`.
    #[must_use]
    pub fn standard(mut self, standard: impl Into<String>) -> Self {
        self.compile.standard = Some(standard.into());
        self
    }

    /// Adds what the environment says, which is how `brook run` talks to the program it runs:
    /// `BROOK_COMPILER_FLAGS`, one flag a line, and `BROOK_STD`.
    #[must_use]
    pub fn from_environment(mut self) -> Self {
        if let Ok(flags) = std::env::var("BROOK_COMPILER_FLAGS") {
            let flags = flags.lines().filter(|f| !f.trim().is_empty());
            self.compile.flags.extend(flags.map(str::to_string));
        }
        match std::env::var("BROOK_STD") {
            Ok(standard) if !standard.trim().is_empty() => self.standard(standard.trim()),
            _ => self,
        }
    }

    /// Whether to use the kernel cache; it is used unless this says no.
    #[must_use]
    pub fn cache(mut self, cache: bool) -> Self {
        self.cache = cache;
        self
    }
}
