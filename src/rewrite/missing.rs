//! Types and functions of a finished text that the target does not have.

use super::{Rewritten, Use};
use crate::backend::Backend;
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::lex::{Token, TokenKind, lex};
use crate::module::{Element, Module, parts};
use crate::source::Span;
use foldhash::{HashSet, HashSetExt};

/// Says where the program first uses each of them.
pub(super) fn types(module: &Module, backend: &Backend, rewritten: &Rewritten, sink: &mut Sink) {
    let missing = &backend.names.missing;
    if missing.is_empty() {
        return;
    }
    let mut tell = |at: Span, name: &str| {
        let arguments: [&dyn std::fmt::Display; 2] = [&backend.name, &name];
        let code = &codes::MISSING_TYPE;
        sink.push(Diagnostic::at(code, &module.provenance, at, &arguments));
    };
    let text = rewritten.text.as_str();
    let structs = rewritten.uses.iter().filter_map(|used| match used {
        Use::Struct(index) => Some(*index),
        _ => None,
    });
    for index in structs {
        // Templates write their fields.
        let parts = parts(&module.structs, Element::Struct(index));
        let lacks = |name: &String| parts.iter().any(|p| p.ty.to_string() == *name);
        if let Some(name) = missing.iter().find(|name| lacks(name)) {
            tell(
                module.kernels.first().map(|k| k.body).unwrap_or_default(),
                name,
            );
        }
    }
    let mut told = HashSet::new();
    for token in identifiers(text) {
        let name = token.text(text);
        let is_missing = missing.iter().any(|t| t == name) && module.declared.get(name).is_none();
        if !is_missing || !told.insert(name) {
            continue;
        }
        // What is moved elsewhere, such as parameters, leads to no place of its own.
        let written = identifiers(&module.text).find(|t| t.is(&module.text, name));
        let mapped = || Span::at(rewritten.map.original(token.span.start));
        tell(written.map_or_else(mapped, |t| t.span), name);
    }
}

/// The identifiers of a text outside of its directives.
fn identifiers(text: &str) -> impl Iterator<Item = Token> {
    let mut in_directive = false;
    lex(text).into_iter().filter(move |token| {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        !in_directive && token.kind == TokenKind::Identifier
    })
}
