//! What a row in `grammar/` cannot say: attributes and checks of one's own.
//!
//! An [`Extension`] is registered in [`Options::extensions`](crate::Options::extensions). It can
//!
//! - add attributes ([`Extension::attributes`]): name, what they decorate, how many arguments they take;
//!   these are checked as for the language's own;
//! - check each use of one ([`Extension::check`]) and each finished kernel
//!   ([`Extension::check_kernel`]), with diagnostics of its own;
//! - lower each use for a backend ([`Extension::lower`]) by changes of the user's text, and put text into
//!   the prelude ([`Extension::prelude`]);
//! - change the finished device source ([`Extension::finish`]).
//!
//! The example crate `examples/extension` adds one attribute, `@unroll(n)`.

pub use crate::grammar::Target;
pub use crate::normalize::attributes::Attribute;

use crate::backend::Backend;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::expr;
use crate::module::{Kernel, Module, Site};
use crate::source::{Edits, Span};
use std::fmt;

/// Adds to the language and to the stages of translation. All of it has to be a pure function of what it
/// is given: translations are cached.
pub trait Extension: fmt::Debug + Send + Sync {
    /// Its name: with the version, part of the key under which translations are cached.
    fn name(&self) -> &str;

    /// Changes whenever its translations may; what it was configured with belongs here, too.
    fn version(&self) -> String;

    /// The attributes of OKL that it adds. A name of the language's own stays what it is.
    fn attributes(&self) -> &[Attribute] {
        &[]
    }

    /// Looks at one use of its attributes, once name, target and number of arguments are found right.
    fn check(&self, site: &Site, messages: &mut Messages<'_>) {
        let _ = (site, messages);
    }

    /// Looks at a kernel when everything about it is known.
    fn check_kernel(&self, kernel: &Kernel, messages: &mut Messages<'_>) {
        let _ = (kernel, messages);
    }

    /// Says how a backend spells one use of its attributes. The attribute itself is removed in any
    /// case. The header of an attributed loop is written anew: changes there are lost.
    fn lower(&self, site: &Site, backend: &Backend, changes: &mut Changes<'_>) {
        let _ = (site, backend, changes);
    }

    /// What is put before the program's text, given all uses of its attributes there; empty for nothing.
    fn prelude(&self, sites: &[&Site], backend: &Backend) -> String {
        let _ = (sites, backend);
        String::new()
    }

    /// A last stage: changes of the finished device source, prelude included.
    fn finish(&self, device: &str, backend: &Backend, edits: &mut Edits) {
        let _ = (device, backend, edits);
    }
}

/// Where an extension says what is wrong.
pub struct Messages<'a> {
    module: &'a Module,
    sink: &'a mut Sink,
}

impl<'a> Messages<'a> {
    pub(crate) fn new(module: &'a Module, sink: &'a mut Sink) -> Self {
        Self { module, sink }
    }

    /// The program: loops, constructs and the text that all spans refer to.
    pub fn module(&self) -> &'a Module {
        self.module
    }

    /// The text at a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.module.text.get(span.range()).unwrap_or("")
    }

    /// The integer that an argument is, if it is a constant.
    pub fn integer(&self, argument: &str) -> Option<i64> {
        let parsed = expr::parse(argument).ok()?;
        expr::evaluate(&parsed, &|_| None).ok()?.as_i64()
    }

    /// Reports; an error ends the translation. `arguments` replace the `{}` of the code's text in order.
    pub fn report(&mut self, code: &'static Code, span: Span, arguments: &[&dyn fmt::Display]) {
        let provenance = &self.module.provenance;
        self.sink
            .push(Diagnostic::at(code, provenance, span, arguments));
    }
}

/// Changes of the user's text for one backend. Two that touch the same bytes end the translation with an
/// error.
pub struct Changes<'a> {
    text: &'a str,
    edits: &'a mut Edits,
}

impl<'a> Changes<'a> {
    pub(crate) fn new(text: &'a str, edits: &'a mut Edits) -> Self {
        Self { text, edits }
    }

    /// The text at a span, as the user wrote it.
    pub fn text(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Inserts before a byte of the text.
    pub fn insert(&mut self, at: u32, text: impl Into<String>) {
        if self.text.is_char_boundary(at as usize) {
            self.edits.insert(at, text.into());
        }
    }

    /// Inserts a line of its own before a byte of the text, for what the preprocessor of the target's
    /// compiler reads.
    pub fn insert_line(&mut self, at: u32, line: &str) {
        self.insert(at, format!("\n{line}\n"));
    }

    /// Replaces a span of the text; the empty text removes it.
    pub fn replace(&mut self, span: Span, text: impl Into<String>) {
        if !span.is_empty() && self.text.get(span.range()).is_some() {
            self.edits.replace(span, text.into());
        }
    }
}
