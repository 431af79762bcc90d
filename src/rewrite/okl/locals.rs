//! Types and constants that a kernel declares around its nests: each device kernel gets those it needs.

use super::Pass;
use crate::lex::lex;
use crate::module::{Kernel, Local};
use crate::source::{Overlap, Span};
use std::collections::HashSet;

impl<'a> Pass<'a> {
    /// Their texts, each on a line of its own.
    pub(super) fn take_locals(
        &mut self,
        kernel: &'a Kernel,
        indent: &str,
    ) -> Result<Vec<(&'a Local, String)>, Overlap> {
        let mut locals = Vec::with_capacity(kernel.locals.len());
        for local in &kernel.locals {
            let text = self.edits.take(local.span, self.text)?;
            let end = if text.ends_with('}') { ";" } else { "" };
            if !text.trim().is_empty() {
                locals.push((local, format!("\n{indent}    {text}{end}")));
            }
        }
        Ok(locals)
    }

    /// The declarations around a nest that it, or what it needs of them, mentions.
    pub(super) fn locals_of(&self, nest: Span, locals: &[(&Local, String)]) -> String {
        let words = |text: &str| {
            let tokens = lex(text);
            let names = tokens.iter().filter(|t| t.is_identifier());
            let names: Vec<String> = names.map(|t| t.text(text).to_string()).collect();
            names
        };
        let seen = |local: &Local| local.scope.contains(nest) && local.span.end <= nest.start;
        if !locals.iter().any(|(local, _)| seen(local)) {
            return String::new();
        }
        // Attributes hold words, too.
        let mut used: HashSet<String> = nest
            .of(self.text)
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_string)
            .collect();
        let mut needed = Vec::new();
        for (local, text) in locals.iter().rev().filter(|(local, _)| seen(local)) {
            if local.names.is_empty() || local.names.iter().any(|n| used.contains(n)) {
                used.extend(words(local.span.of(self.text)));
                needed.push(text.as_str());
            }
        }
        needed.reverse();
        needed.concat()
    }
}
