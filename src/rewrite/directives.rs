//! Lines that are for the vendor's compiler, as the backend spells them.

use crate::backend::Backend;
use crate::module::{Directive, Module};
use crate::schedule::{Schedule, Spelled};
use crate::source::{Edits, Span};

/// Spells pragmas for the backend. What is known to no backend stays as it is.
pub(super) fn rewrite(
    module: &Module,
    schedule: &Schedule<'_>,
    backend: &Backend,
    edits: &mut Edits,
) {
    for directive in &module.directives {
        let span = directive.span;
        if is_known_header(span.of(&module.text), backend) {
            edits.delete(span);
        } else {
            define_around(directive, edits);
        }
    }
    for Spelled { line, words, .. } in &schedule.spelled {
        if words.is_empty() {
            let newline = module.text.as_bytes().get(line.end as usize) == Some(&b'\n');
            edits.delete(Span::new(line.start, line.end + u32::from(newline)));
        } else {
            edits.replace(*line, format!("#pragma {words}"));
        }
    }
}

/// `#include` of a header that the target's compiler needs not.
fn is_known_header(line: &str, backend: &Backend) -> bool {
    let name = line
        .strip_prefix("#include ")
        .map(|name| name.trim_matches(['<', '>', '"']));
    name.is_some_and(|name| backend.lowering.known_headers.iter().any(|h| h == name))
}

/// Defines what a header may want to know, and not beyond it: what follows is expanded already, and
/// the names in it are those of variables.
fn define_around(directive: &Directive, edits: &mut Edits) {
    let end = directive.span.end;
    for line in &directive.definitions {
        edits.insert(directive.span.start, format!("{line}\n"));
        let name = line.strip_prefix("#define ").unwrap_or("");
        let length = name.find(|c: char| c == '(' || c.is_whitespace());
        let name = name.get(..length.unwrap_or(name.len())).unwrap_or("");
        edits.append(end, format!("\n#undef {name}"));
    }
}
