//! A line on the terminal that says how far something is. Nothing where standard error is no terminal.

use super::terminal;
use std::io::{IsTerminal, Write};

pub(super) struct Line {
    shown: bool,
}

impl Line {
    pub(super) fn new() -> Self {
        Self {
            shown: std::io::stderr().is_terminal() && !terminal::is_quiet(),
        }
    }

    /// Shows this in the place of what was shown before.
    pub(super) fn say(&self, what: &str) {
        if self.shown {
            // Nobody is left to tell if standard error is gone.
            let _ = write!(std::io::stderr().lock(), "\r{what}\x1b[K");
        }
    }
}

/// `####....`
pub(super) fn bar(filled: usize, width: usize) -> String {
    let filled = filled.min(width);
    format!("{}{}", "#".repeat(filled), ".".repeat(width - filled))
}
