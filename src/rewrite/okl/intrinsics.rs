//! Calls of functions that each backend spells in its own way.

use super::Pass;
use crate::diagnostics::codes;
use crate::rewrite::Use;
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// `arguments` say of each whether it is a pointer.
    pub(super) fn intrinsic(
        &mut self,
        span: Span,
        name: &str,
        arguments: &[(Span, bool)],
    ) -> Result<(), Overlap> {
        let backend = self.backend.name.clone();
        let row = self.options.intrinsics.get(name);
        let Some(spelling) = row.and_then(|r| r.call(&backend)) else {
            self.error(&codes::INTRINSIC_MISSING, span, &[&name, &backend]);
            return Ok(());
        };
        let mut text = String::new();
        let mut texts = Vec::with_capacity(arguments.len());
        for (argument, _) in arguments {
            texts.push(self.edits.take(*argument, self.text)?.trim().to_string());
        }
        // What an argument says is no placeholder.
        let mut rest = spelling;
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            let end = behind.find('}').unwrap_or(behind.len());
            let word = behind.get(..end).unwrap_or("");
            let (address, number) = match word.strip_prefix('&') {
                Some(number) => (true, number),
                None => (false, word),
            };
            let index = number.parse::<usize>().ok();
            match index.and_then(|i| Some((texts.get(i)?, arguments.get(i)?.1))) {
                Some((argument, pointer)) if address && !pointer => {
                    text.push_str(&format!("&({argument})"));
                }
                Some((argument, _)) => text.push_str(argument),
                None => text.push_str(&format!("{{{word}}}")),
            }
            rest = behind.get(end + 1..).unwrap_or("");
        }
        text.push_str(rest);
        self.uses.insert(Use::Intrinsic(name.to_string()));
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }
}
