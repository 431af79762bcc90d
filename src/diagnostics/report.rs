use crate::source::{Files, Location, Provenance, Span};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The translation goes on; something deserves a look.
    Warning,
    /// There is no translation.
    Error,
}

/// One row of `grammar/diagnostics.toml`.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable code, such as `OKL102`.
    pub id: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The message; `{}` stands for the arguments in order.
    pub text: &'static str,
    /// How to mend it, if the row says so.
    pub help: Option<&'static str>,
    /// One line of explanation for the reference page.
    pub explain: &'static str,
}

/// A remark attached to a diagnostic.
#[derive(Clone, Debug)]
pub struct Note {
    /// What it says.
    pub message: String,
    /// What it points at, if anything.
    pub location: Option<Location>,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Which row it is an instance of.
    pub code: &'static Code,
    /// The message with its arguments filled in.
    pub message: String,
    /// What it points at; `None` for what concerns the whole translation.
    pub location: Option<Location>,
    /// The expansion chain and other remarks.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// An instance of `code`; `arguments` replace the `{}` of its text in order.
    pub fn new(
        code: &'static Code,
        location: Option<Location>,
        arguments: &[&dyn fmt::Display],
    ) -> Self {
        let mut message = String::with_capacity(code.text.len() + 16);
        let mut rest = code.text;
        for argument in arguments {
            let Some((before, after)) = rest.split_once("{}") else {
                break;
            };
            message.push_str(before);
            message.push_str(&argument.to_string());
            rest = after;
        }
        message.push_str(rest);
        Self {
            code,
            message,
            location,
            notes: Vec::new(),
        }
    }

    /// An instance of `code` at a span of the analysed text, with the chain of macro expansions that
    /// lead there.
    pub fn at(
        code: &'static Code,
        provenance: &Provenance,
        span: Span,
        arguments: &[&dyn fmt::Display],
    ) -> Self {
        let Some(origin) = provenance.origin(span) else {
            return Self::new(code, None, arguments);
        };
        let mut this = Self::new(code, Some(origin.location), arguments);
        for (name, call) in origin.expansions.into_iter().skip(1) {
            this = this.note(format!("in expansion of macro '{name}'"), Some(call));
        }
        if let Some(spelled) = origin.spelled {
            this = this.note("the text in question is written here", Some(spelled));
        }
        this
    }

    /// Adds a remark.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>, location: Option<Location>) -> Self {
        self.notes.push(Note {
            message: message.into(),
            location,
        });
        self
    }
}

/// Where a stage gathers its messages.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Sink {
    /// Adds a message. A second one with the same code at the same place has the same cause and is
    /// dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| {
            std::ptr::eq(d.code, diagnostic.code)
                && d.location == diagnostic.location
                && d.message == diagnostic.message
        };
        if self.diagnostics.iter().rev().take(64).any(same) {
            return;
        }
        self.errors += usize::from(diagnostic.code.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    /// Whether there is an error among the messages.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Number of errors so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All messages in source order.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|d| d.location.map(|l| (l.file, l.span.start)));
        self.diagnostics
    }
}

/// The messages of one translation and the files they point into.
#[derive(Debug, Default)]
pub struct Report {
    /// In source order.
    pub diagnostics: Vec<Diagnostic>,
    /// What locations refer to.
    pub files: Files,
}

impl Report {
    /// Whether there is an error among the messages.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.code.severity == Severity::Error)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::to_human(self, super::Style::Plain))
    }
}

impl std::error::Error for Report {}
