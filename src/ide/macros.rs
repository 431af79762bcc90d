//! Macros in the files of a source: where they are defined and used.

use crate::lex::{Token, TokenKind, lex};
use crate::source::{FileId, Files, Location, Place, Span};

/// A `#define`.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// Its name.
    pub(super) at: Location,
    /// The whole directive, continued lines in one.
    pub(super) text: String,
    /// Where that is.
    pub(super) whole: Location,
    /// The names of its parameters.
    pub(super) parameters: Vec<String>,
    /// Where each of them stands in the directive, in the same order: first between the brackets.
    pub(super) named: Vec<Vec<Location>>,
}

/// The definitions of a macro, in whichever group of a conditional they stand.
pub(super) fn definitions(files: &Files, name: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    all(files, &mut |definition, word| {
        if word == name {
            found.push(definition());
        }
    });
    found
}

/// The names of all macros that files define.
pub(super) fn names(files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    all(files, &mut |_, word| found.push(word.to_string()));
    found.sort_unstable();
    found.dedup();
    found
}

type Visit<'v> = dyn FnMut(&dyn Fn() -> Definition, &str) + 'v;

fn all(files: &Files, visit: &mut Visit<'_>) {
    for (id, file) in files.iter() {
        let text = file.text.as_str();
        if !text.contains("define") {
            continue;
        }
        let tokens = lex(text);
        for (index, token) in tokens.iter().enumerate() {
            let word = |at: usize| tokens.get(index + at).map_or("", |t| t.text(text));
            let begins = token.line_start && word(0) == "#" && word(1) == "define";
            let Some(name) = tokens
                .get(index + 2)
                .filter(|t| begins && t.is_identifier())
            else {
                continue;
            };
            let rest = tokens.get(index + 3..).unwrap_or_default();
            let end = rest.iter().take_while(|t| !t.line_start).last();
            let end = end.unwrap_or(name).span.end;
            let definition = || {
                let parameters = parameters(text, name, rest);
                let named = { parameters.iter() }
                    .map(|p| named(text, id, p, rest))
                    .collect();
                Definition {
                    at: Location {
                        file: id,
                        span: name.span,
                    },
                    text: Span::new(token.span.start, end).of(text).to_string(),
                    whole: Location {
                        file: id,
                        span: Span::new(token.span.start, end),
                    },
                    parameters,
                    named,
                }
            };
            visit(&definition, name.text(text));
        }
    }
}

/// What stands between the brackets directly behind a macro's name.
fn parameters(text: &str, name: &Token, rest: &[Token]) -> Vec<String> {
    let open = rest.first().filter(|t| t.is(text, "("));
    if open.is_none_or(|o| o.span.start != name.span.end) {
        return Vec::new();
    }
    let inside = rest.iter().skip(1).take_while(|t| !t.is(text, ")"));
    let names = inside.filter(|t| t.is_identifier());
    names.map(|t| t.text(text).to_string()).collect()
}

/// Where a parameter's name stands in a directive behind the macro's.
fn named(text: &str, file: FileId, parameter: &str, rest: &[Token]) -> Vec<Location> {
    let inside = rest.iter().take_while(|t| !t.line_start);
    let words = inside.filter(|t| t.is_identifier() && t.is(text, parameter));
    words.map(|t| Location { file, span: t.span }).collect()
}

/// All definitions of macros.
pub(super) fn every(files: &Files) -> Vec<Definition> {
    let mut found = Vec::new();
    all(files, &mut |definition, _| found.push(definition()));
    found
}

/// Where a name stands in files, but for comments, strings, and names of attributes.
pub(super) fn mentions(files: &Files, name: &str) -> Vec<Location> {
    let mut found = Vec::new();
    for (id, file) in files.iter() {
        let text = file.text.as_str();
        if !text.contains(name) {
            continue;
        }
        let mut before = TokenKind::Punctuator;
        for token in lex(text) {
            let kind = std::mem::replace(&mut before, token.kind);
            if token.is_identifier() && token.is(text, name) && kind != TokenKind::At {
                found.push(Location {
                    file: id,
                    span: token.span,
                });
            }
        }
    }
    found
}

/// The file that the `#include` at a place brings in.
pub(super) fn included(files: &Files, at: Location) -> Option<Location> {
    let file = files.get(at.file)?;
    let (start, line) = super::names::line_at(&file.text, at.span.start);
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    rest.strip_prefix("include")?;
    let end = start + line.len() as u32;
    let here = |place: Place| place.file == at.file && (start..=end).contains(&place.offset);
    let direct = files
        .iter()
        .find(|(_, f)| f.included_from.is_some_and(here));
    let again = || files.repeated().iter().find(|(place, _)| here(*place));
    let found = direct
        .map(|(id, _)| id)
        .or_else(|| again().map(|(_, id)| *id))?;
    Some(Location {
        file: found,
        span: Span::at(0),
    })
}
