use crate::analyze::syntax_errors;
use crate::compat;
use crate::diagnostics::Sink;
use crate::grammar::Dialect;
use crate::normalize::normalize_preprocessed;
use crate::options::Options;
use crate::preprocess::verbatim;
use std::cell::Cell;

/// Bytes that are parsed in search of repairs, at most, and how often a whole text is: half a second's worth.
const MOST_BYTES: usize = 1 << 20;
const MOST_TIMES: usize = 12;

/// The language, and whether it is BrookGPU's.
pub(super) type Reads = (Dialect, bool);

/// Tells whether a text can be parsed.
pub(super) struct Oracle<'o> {
    dialect: Dialect,
    options: &'o Options,
    left: Cell<usize>,
}

impl<'o> Oracle<'o> {
    pub(super) fn new(dialect: Dialect, options: &'o Options, text: &str) -> Self {
        let left = Cell::new(MOST_BYTES + MOST_TIMES * text.len());
        Self {
            dialect,
            options,
            left,
        }
    }

    /// Whether the language has streams.
    pub(super) fn has_streams(&self) -> bool {
        self.dialect == Dialect::Brook
    }

    /// All that decides how a text is read.
    pub(super) fn reads(&self) -> Reads {
        (self.dialect, self.options.checking.brookgpu)
    }

    /// Whether enough was not tried yet.
    pub(super) fn may_go_on(&self) -> bool {
        self.left.get() > 0
    }

    /// Takes off what is left to try as much as a text takes.
    pub(super) fn counts(&self, text: &str) {
        self.left
            .set(self.left.get().saturating_sub(text.len() + 1));
    }

    /// Where the first thing stands that cannot be parsed; `None` if all can.
    pub(super) fn first_error(&self, text: &str) -> Option<u32> {
        self.counts(text);
        let normalize = |raw: &str| normalize_preprocessed(raw, self.dialect);
        let mut read = verbatim("", text, &normalize);
        let mut sink = Sink::default();
        compat::adjust(&mut read, self.dialect, &Options::default(), &mut sink);
        syntax_errors(&read, self.dialect, self.options, &mut sink);
        let found = sink.into_sorted();
        let errors = found.iter().filter(|d| super::is_syntax(d.code));
        let starts = errors.map(|d| d.location.map_or(text.len() as u32, |l| l.span.start));
        starts.min()
    }

    /// Whether a text becomes better than one whose first error was at `before` by a replacement that ends `shift` bytes
    /// further: `Some(true)` if nothing is wrong any more.
    pub(super) fn is_better(&self, text: &str, before: u32, enough: u32) -> Option<bool> {
        match self.first_error(text) {
            None => Some(true),
            Some(at) if at > before + enough => Some(false),
            Some(_) => None,
        }
    }
}
