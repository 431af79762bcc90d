//! What may be written at a place.

use super::names::{Declared, Names, line_at};
use super::text::{KEYWORDS, STREAM_KEYWORDS};
use super::{NameKind, macros};
use crate::grammar::Dialect;
use crate::intrinsics::Intrinsics;
use crate::normalize::attributes::{ATTRIBUTES, Attribute};
use crate::sema;
use crate::source::{Location, Span};

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is written.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// In one line, more about it.
    pub detail: String,
}

/// What a [`Completion`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// An attribute, without its `@`.
    Attribute,
    /// A declared name.
    Name(NameKind),
    /// A macro.
    Macro,
    /// A function of the language or the C library.
    Function,
    /// A word of the language.
    Keyword,
}

/// All that may begin or go on at a place of a file.
pub(super) fn at(
    names: &Names,
    dialect: Dialect,
    intrinsics: &Intrinsics,
    place: Location,
) -> Vec<Completion> {
    let Some(file) = names.files.get(place.file) else {
        return Vec::new();
    };
    let (start, line) = line_at(&file.text, place.span.start);
    let column = (place.span.start - start) as usize;
    let before = line.get(..column).unwrap_or(line);
    let typed = before.len() - trailing_word(before).len();
    let (before, word) = before.split_at(typed);
    if is_comment(before) {
        return Vec::new();
    }
    if before.ends_with('@') {
        return attributes(dialect);
    }
    if before.trim_start().starts_with('#') && before.trim() == "#" {
        return directives();
    }
    // A file's name is nothing that a program declares.
    let directive = before.trim_start().strip_prefix('#').map(str::trim_start);
    if directive.is_some_and(|d| d.starts_with("include")) {
        return Vec::new();
    }
    if let Some(object) = member_of(before) {
        let at = start + object as u32;
        return members(
            names,
            Location {
                span: Span::at(at),
                ..place
            },
        );
    }
    // A number goes on.
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let mut all: Vec<Completion> = Vec::new();
    // Labels are seen in all of a function, and by `goto` alone.
    if trailing_word(before.trim_end()) == "goto" {
        let labels = names.declared.iter().filter(|d| d.kind == NameKind::Label);
        let here = labels.filter(|d| {
            let scope = d.scope.filter(|s| s.file == place.file);
            scope.is_some_and(|s| s.span.contains(place.span))
        });
        return here.map(of).collect();
    }
    let other = |d: &&Declared| matches!(d.kind, NameKind::Field | NameKind::Label);
    let mut visible: Vec<&Declared> = { names.declared.iter() }
        .filter(|d| !other(d) && !d.name.is_empty() && d.is_visible(place))
        .collect();
    // Of those that hide each other, the innermost.
    visible.sort_by_key(|d| d.scope.map_or(u32::MAX, |s| s.span.len()));
    for declared in visible {
        if !all.iter().any(|c| c.label == declared.name) {
            all.push(of(declared));
        }
    }
    for name in macros::names(&names.files) {
        let text = macros::definitions(&names.files, &name);
        let detail = text.first().map_or(String::new(), |d| d.text.clone());
        push(&mut all, &name, CompletionKind::Macro, &detail);
    }
    for (name, row) in intrinsics.rows().filter(|_| dialect == Dialect::Okl) {
        let detail = format!("{} arguments; each backend's own", row.arguments);
        push(&mut all, name, CompletionKind::Function, &detail);
    }
    for name in sema::REAL_FUNCTIONS {
        push(&mut all, name, CompletionKind::Function, "of the C library");
    }
    for word in KEYWORDS {
        push(&mut all, word, CompletionKind::Keyword, "");
    }
    if dialect == Dialect::Brook {
        for word in STREAM_KEYWORDS {
            push(&mut all, word, CompletionKind::Keyword, "of Brook+");
        }
    }
    all
}

fn push(all: &mut Vec<Completion>, name: &str, kind: CompletionKind, detail: &str) {
    if !all.iter().any(|c| c.label == name) {
        all.push(Completion {
            label: name.to_string(),
            kind,
            detail: detail.to_string(),
        });
    }
}

fn of(declared: &Declared) -> Completion {
    Completion {
        label: declared.name.clone(),
        kind: CompletionKind::Name(declared.kind),
        detail: declared.text.clone(),
    }
}

fn attributes(dialect: Dialect) -> Vec<Completion> {
    let rows = ATTRIBUTES.iter().filter(|row| row.dialect == dialect);
    let all = rows.map(|row: &Attribute| Completion {
        label: row.name.to_string(),
        kind: CompletionKind::Attribute,
        detail: row.summary.to_string(),
    });
    all.collect()
}

fn directives() -> Vec<Completion> {
    let words = [
        "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma",
        "error",
    ];
    let all = words.map(|word| Completion {
        label: word.to_string(),
        kind: CompletionKind::Keyword,
        detail: String::new(),
    });
    all.into()
}

/// The members of what is named at a place.
fn members(names: &Names, object: Location) -> Vec<Completion> {
    let means = names.word(object).and_then(|w| w.means);
    let Some(declared) = means.and_then(|m| names.declared.get(m)) else {
        return Vec::new();
    };
    let members = declared
        .members
        .iter()
        .filter_map(|&m| names.declared.get(m));
    // What a structure has is in it; of a variable, in its type.
    let members: Vec<&Declared> = match declared.kind {
        NameKind::Record | NameKind::Namespace | NameKind::Enumeration => members.collect(),
        _ => members.filter(|m| m.kind != NameKind::Record).collect(),
    };
    members.into_iter().map(of).collect()
}

/// Where, in the part of a line before a member's name, the name stands that it is a member of.
fn member_of(before: &str) -> Option<usize> {
    let object = before
        .strip_suffix('.')
        .or_else(|| before.strip_suffix("->"))
        .or_else(|| before.strip_suffix("::"))?;
    let mut object = object.trim_end();
    // `a[i].x`, `f(x).y`
    while let Some(close) = object.chars().last().filter(|c| matches!(c, ']' | ')')) {
        let open = if close == ']' { '[' } else { '(' };
        let mut depth = 0usize;
        let at = object.char_indices().rev().find(|&(_, c)| {
            if c == close {
                depth += 1;
            } else if c == open {
                depth -= 1;
            }
            depth == 0
        })?;
        object = object.get(..at.0)?.trim_end();
    }
    let word = trailing_word(object);
    (!word.is_empty()).then(|| object.len() - word.len())
}

fn trailing_word(text: &str) -> &str {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let rest = text.trim_end_matches(is_letter);
    &text[rest.len()..]
}

/// Whether a line is a comment behind that part of it.
fn is_comment(before: &str) -> bool {
    let tokens = crate::lex::lex(before);
    let end = tokens.last().map_or(0, |t| t.span.end as usize);
    let gap = before.get(end..).unwrap_or_default().trim_start();
    gap.starts_with("//") || gap.starts_with("/*")
}
