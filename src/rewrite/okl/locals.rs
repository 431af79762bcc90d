//! Types and constants that a kernel declares around its nests: each device kernel gets those it needs.

use super::Pass;
use crate::module::{Kernel, Local};
use crate::source::{Overlap, Span};

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

    /// The declarations around a nest that it, or what it needs of them, uses.
    pub(super) fn locals_of(&self, nest: Span, locals: &[(&Local, String)]) -> String {
        let seen = |local: &Local| local.scope.contains(nest) && local.span.end <= nest.start;
        let mut needing = vec![nest];
        let mut needed = Vec::new();
        for (local, text) in locals.iter().rev().filter(|(local, _)| seen(local)) {
            let used = |at: &u32| needing.iter().any(|s| s.start <= *at && *at < s.end);
            if local.names.is_empty() || local.uses.iter().any(used) {
                needing.push(local.span);
                needed.push(text.as_str());
            }
        }
        needed.reverse();
        needed.concat()
    }
}
