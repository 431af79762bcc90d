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
    /// How AMD's Brook+ compiler put it, for messages of Brook and Brook+.
    pub classic: Option<&'static Classic>,
}

impl Code {
    /// Whether it is one of some rows.
    pub(crate) fn is_any(&self, rows: &[&Code]) -> bool {
        rows.iter().any(|row| std::ptr::eq(*row, self))
    }
}

impl Severity {
    /// `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A message in the words of AMD's Brook+ compiler.
#[derive(Debug, PartialEq, Eq)]
pub struct Classic {
    /// What it printed first, such as `In Binary expression`; often nothing.
    pub group: &'static str,
    /// The message, with `{}` for the arguments; nothing where the group says it all.
    pub text: &'static str,
    /// The level of a warning: shown from that level on; from 1 on an error under strong type checking.
    pub level: Option<u8>,
}

/// A remark attached to a diagnostic.
#[derive(Clone, Debug)]
pub struct Note {
    /// What it says.
    pub message: String,
    /// What it points at, if anything.
    pub location: Option<Location>,
}

/// A change of the source that mends what a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative: `insert ';'`.
    pub message: String,
    /// Ranges of files as written, and what is to stand there; they do not overlap.
    pub edits: Vec<(Location, String)>,
    /// It is what was meant, as far as can be told: `brook check --fix` makes it. Others are proposals.
    pub certain: bool,
}

impl Fix {
    /// Another name in some places.
    pub(crate) fn rename(places: &[Location], name: &str, certain: bool) -> Self {
        Self {
            message: format!("write '{name}'"),
            edits: places.iter().map(|at| (*at, name.to_string())).collect(),
            certain,
        }
    }

    /// A character that is missing at a place.
    pub(crate) fn insert(at: Location, character: &str, certain: bool) -> Self {
        Self {
            message: format!("insert '{character}'"),
            edits: vec![(at, character.to_string())],
            certain,
        }
    }
}

/// One message.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Which row it is an instance of.
    pub code: &'static Code,
    /// Error or warning: the row's, unless options have changed it.
    pub severity: Severity,
    /// The message with its arguments filled in.
    pub message: String,
    /// The message in the words of AMD's Brook+ compiler, from the colon on; empty where it had none.
    pub classic: String,
    /// It follows from another one: only AMD's compiler would have said it as well.
    pub follows: bool,
    /// It is a warning that an option makes an error.
    pub promoted: bool,
    /// When it was raised, and again: AMD's compiler printed messages in that order.
    pub raised: Vec<u32>,
    /// What it points at; `None` for what concerns the whole translation.
    pub location: Option<Location>,
    /// What stands at the caret, if that says more than the message.
    pub label: Option<String>,
    /// The expansion chain and other remarks.
    pub notes: Vec<Note>,
    /// How to mend it: the row's words, unless more is known.
    pub help: Option<String>,
    /// Changes that mend it; the likeliest first.
    pub fixes: Vec<Fix>,
}

/// Expansions of macros that are shown of a chain: the outermost ones, and the innermost.
const CHAIN_SHOWN: usize = 3;

impl Diagnostic {
    /// An instance of `code`; `arguments` replace the `{}` of its text in order.
    pub fn new(
        code: &'static Code,
        location: Option<Location>,
        arguments: &[&dyn fmt::Display],
    ) -> Self {
        let classic = code
            .classic
            .map_or(String::new(), |c| c.tail(c.group, arguments));
        Self {
            code,
            severity: code.severity,
            message: fill(code.text, arguments),
            classic,
            follows: false,
            promoted: false,
            raised: Vec::new(),
            location,
            label: None,
            notes: Vec::new(),
            help: code.help.map(str::to_string),
            fixes: Vec::new(),
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
        let location = provenance.files.whole_attribute(origin.location);
        let mut this = Self::new(code, Some(location), arguments);
        let inner = origin.expansions.get(1..).unwrap_or_default();
        let folded = inner.len().saturating_sub(CHAIN_SHOWN);
        for (index, (name, call)) in inner.iter().enumerate() {
            match index + 1 < CHAIN_SHOWN || index + 1 == inner.len() || folded == 0 {
                true => {
                    this = this.note(format!("in expansion of macro '{name}'"), Some(*call));
                }
                false if index + 1 == CHAIN_SHOWN => {
                    this = this.note(format!("{folded} more macros in between"), None);
                }
                false => {}
            }
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

    /// Says at the caret what stands there.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Says how to mend it, in other words than the row's.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a change that mends it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }
}

/// A text with its `{}` replaced in order.
fn fill(text: &str, arguments: &[&dyn fmt::Display]) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    for argument in arguments {
        let Some((before, after)) = rest.split_once("{}") else {
            break;
        };
        out.push_str(before);
        out.push_str(&argument.to_string());
        rest = after;
    }
    out + rest
}

impl Classic {
    /// What stands behind `ERROR--1` or `WARN--1`. Errors without a group have its colon all the same.
    pub(crate) fn tail(&self, group: &str, arguments: &[&dyn fmt::Display]) -> String {
        let text = fill(self.text, arguments);
        match (group, self.level, text.as_str()) {
            (group, _, "") => format!(": {group}"),
            ("", Some(_), text) => format!(": {text}"),
            (group, _, text) => format!(": {group}: {text}"),
        }
    }
}

/// Where a stage gathers its messages.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    raised: u32,
}

impl Sink {
    /// Whether there is a message of that code.
    pub(crate) fn has(&self, code: &Code) -> bool {
        self.diagnostics.iter().any(|d| std::ptr::eq(d.code, code))
    }

    /// Adds a message. A second one with the same code at the same place has the same cause; it is only
    /// noted that there was one.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        self.raised += 1;
        let same = |d: &Diagnostic| {
            std::ptr::eq(d.code, diagnostic.code)
                && d.location == diagnostic.location
                && d.message == diagnostic.message
        };
        if let Some(first) = self.diagnostics.iter_mut().rev().take(64).find(|d| same(d)) {
            first.raised.push(self.raised);
            return;
        }
        diagnostic.raised.push(self.raised);
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    /// Whether something is said of a place, or of more that it is part of.
    pub(crate) fn is_said_at(&self, at: Location) -> bool {
        let holds = |l: Location| {
            let begins = l.span.start == at.span.start;
            l.file == at.file && (begins || l.span.contains(at.span))
        };
        self.diagnostics
            .iter()
            .filter_map(|d| d.location)
            .any(holds)
    }

    /// Drops messages that are not wanted.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&Diagnostic) -> bool) {
        self.diagnostics.retain(wanted);
        let errors = self.diagnostics.iter();
        self.errors = errors.filter(|d| d.severity == Severity::Error).count();
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
#[derive(Clone, Debug, Default)]
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
            .any(|d| d.severity == Severity::Error)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::to_human(self, super::Style::Plain))
    }
}

impl std::error::Error for Report {}
