//! What the text of one file says by itself: brackets that fold, words that are coloured.

use super::names::Names;
use super::{NameKind, macros};
use crate::grammar::Dialect;
use crate::lex::{Token, TokenKind, lex};
use crate::source::{FileId, Location, Span};
use std::collections::HashSet;

/// Keywords of C, C++ and Brook+ that are shown as such.
pub(super) const KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "operator",
    "private",
    "public",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "true",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "void",
    "volatile",
    "while",
];

/// Those of Brook+ besides.
pub(super) const STREAM_KEYWORDS: &[&str] = &[
    "kernel", "reduce", "out", "iter", "vout", "indexof", "instance",
];

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// A declared name.
    Name {
        /// As what it is declared.
        kind: NameKind,
        /// It does not change.
        constant: bool,
        /// Here it is declared.
        declares: bool,
    },
    /// `@` and an attribute's name.
    Attribute,
    /// A macro's name.
    Macro,
    /// A word of the language that a C compiler does not know as one.
    Keyword,
}

/// The pieces of a file whose meaning letters do not tell, in order.
pub(super) fn classes(names: &Names, file: FileId, dialect: Dialect) -> Vec<(Span, TokenClass)> {
    let Some(text) = names.files.get(file).map(|f| f.text.as_str()) else {
        return Vec::new();
    };
    let macros: HashSet<String> = macros::names(&names.files).into_iter().collect();
    let mut found = Vec::new();
    let tokens = lex(text);
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        if token.kind == TokenKind::At {
            if let Some(name) = next.filter(|t| t.is_identifier() && !t.space_before) {
                found.push((
                    Span::new(token.span.start, name.span.end),
                    TokenClass::Attribute,
                ));
            }
            continue;
        }
        let after_at = index > 0 && tokens[index - 1].kind == TokenKind::At;
        if !token.is_identifier() || after_at {
            continue;
        }
        let word = token.text(text);
        let at = Location {
            file,
            span: token.span,
        };
        let means = names.word(at).filter(|w| w.at.span == token.span);
        let means = means.and_then(|w| w.means);
        let class = match means.and_then(|m| names.declared.get(m)) {
            // Editors have no colour for those.
            Some(declared) if declared.kind == NameKind::Label => continue,
            Some(declared) => TokenClass::Name {
                kind: declared.kind,
                constant: declared.constant,
                declares: declared.at == Some(at),
            },
            None if macros.contains(word) => TokenClass::Macro,
            None if dialect == Dialect::Brook && STREAM_KEYWORDS.contains(&word) => {
                TokenClass::Keyword
            }
            None => continue,
        };
        found.push((token.span, class));
    }
    found
}

/// Pieces of a file that can be folded, from the first to the last byte: blocks, comments of several lines, groups of
/// conditionals.
pub(super) fn folds(text: &str) -> Vec<(Span, bool)> {
    let tokens = lex(text);
    let mut found = Vec::new();
    let (mut open, mut conditionals) = (Vec::new(), Vec::new());
    let mut before = 0u32;
    for (index, token) in tokens.iter().enumerate() {
        comments(text, Span::new(before, token.span.start), &mut found);
        before = token.span.end;
        match token.text(text) {
            "{" => open.push(token.span.start),
            "}" => {
                if let Some(start) = open.pop() {
                    found.push((Span::new(start, token.span.start), false));
                }
            }
            "#" if token.line_start => {
                conditional(text, &tokens, index, &mut conditionals, &mut found)
            }
            _ => {}
        }
    }
    comments(text, Span::new(before, text.len() as u32), &mut found);
    let several = |span: &Span| span.of(text).contains('\n');
    found.retain(|(span, _)| several(span));
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found
}

fn conditional(
    text: &str,
    tokens: &[Token],
    index: usize,
    open: &mut Vec<u32>,
    found: &mut Vec<(Span, bool)>,
) {
    let at = tokens[index].span.start;
    let word = tokens.get(index + 1).map_or("", |t| t.text(text));
    let ends = matches!(word, "else" | "elif" | "elifdef" | "elifndef" | "endif");
    if ends && let Some(start) = open.pop() {
        // The line with the next directive stays.
        let end = text[..at as usize].trim_end().len() as u32;
        found.push((Span::new(start, end.max(start)), false));
    }
    if matches!(word, "if" | "ifdef" | "ifndef") || (ends && word != "endif") {
        open.push(at);
    }
}

/// Comments between two tokens.
fn comments(text: &str, gap: Span, found: &mut Vec<(Span, bool)>) {
    let mut at = gap.start as usize;
    let end = gap.end as usize;
    let mut lines: Option<Span> = None;
    while at < end {
        let rest = &text[at..end];
        if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |i| i + 2);
            found.push((Span::new(at as u32, (at + length) as u32), true));
            at += length;
        } else if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let here = Span::new(at as u32, (at + length) as u32);
            // Lines of comments below each other are one.
            lines = match lines.take() {
                Some(span) if text[span.end as usize..at].matches('\n').count() == 1 => {
                    Some(Span::new(span.start, here.end))
                }
                Some(span) => {
                    found.push((span, true));
                    Some(here)
                }
                None => Some(here),
            };
            at += length;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found.extend(lines.map(|span| (span, true)));
}
