//! What stays in the text for the vendor's compiler.

use crate::lex::lex;
use crate::module::Directive;
use crate::source::Span;

/// A conditional of preprocessed text, with all its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptConditional {
    /// From its `#if` to its `#endif`, both lines included.
    pub span: Span,
    /// The line of the `#if`.
    pub begin: Span,
    /// The text of each group.
    pub groups: Vec<Span>,
}

/// The conditionals among the directives of `text`, outer ones before those inside.
pub(super) fn conditionals(text: &str, directives: &[Span]) -> Vec<KeptConditional> {
    let mut found: Vec<KeptConditional> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for &line in directives {
        let name = name(line.of(text));
        if matches!(name, "else" | "elif" | "endif")
            && let Some(&index) = open.last()
            && let Some(last) = found.get_mut(index).and_then(|c| c.groups.last_mut())
        {
            last.end = line.start;
        }
        match name {
            "if" | "ifdef" | "ifndef" => {
                open.push(found.len());
                found.push(KeptConditional {
                    span: Span::new(line.start, text.len() as u32),
                    begin: line,
                    groups: vec![Span::new(line.end, text.len() as u32)],
                });
            }
            "else" | "elif" => {
                if let Some(this) = open.last().and_then(|&i| found.get_mut(i)) {
                    this.groups.push(Span::new(line.end, text.len() as u32));
                }
            }
            "endif" => {
                if let Some(this) = open.pop().and_then(|i| found.get_mut(i)) {
                    this.span.end = line.end;
                }
            }
            _ => {}
        }
    }
    found
}

/// Directive lines of preprocessed text: all that are left are for the vendor's compiler.
pub(super) fn lines(text: &str) -> Vec<Span> {
    let tokens = lex(text);
    let mut spans: Vec<Span> = Vec::new();
    let mut inside = false;
    for token in &tokens {
        if token.line_start {
            inside = token.is(text, "#");
            if inside {
                spans.push(token.span);
            }
        } else if inside && let Some(last) = spans.last_mut() {
            last.end = token.span.end;
        }
    }
    spans
}

/// The directive's name.
fn name(line: &str) -> &str {
    let words = line.trim_start_matches(['#', ' ', '\t']);
    let end = words.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.get(..end.unwrap_or(words.len())).unwrap_or("")
}

pub(super) fn is_include(line: &str) -> bool {
    matches!(name(line), "include" | "include_next")
}

/// All directives of a text, each with what has to be defined for it: `includes` are among `lines`,
/// both ascending.
pub fn directives(lines: Vec<Span>, includes: Vec<Directive>) -> Vec<Directive> {
    let mut includes = includes.into_iter().peekable();
    let with = |span: Span| {
        let known = includes.next_if(|include| include.span == span);
        known.unwrap_or(Directive {
            span,
            definitions: Vec::new(),
        })
    };
    lines.into_iter().map(with).collect()
}
