use crate::lex::{Lexed, Token, TokenKind};
use crate::source::Span;

/// The kernels among the top-level pieces of a text, prototypes included.
pub(super) fn kernels(lexed: &Lexed<'_>) -> Vec<Span> {
    let (text, tokens) = (lexed.text, lexed.tokens.as_slice());
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut depth = 0usize;
    let mut in_directive = false;
    let mut had_parameters = false;
    // Blocks of namespaces and of `extern "C"`, whose inside is as good as the top level.
    let mut blocks = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if in_directive {
            continue;
        }
        let first = *start.get_or_insert(index);
        if token.kind != TokenKind::Punctuator {
            continue;
        }
        if depth == 0 && token.is(text, "{") && opens_block(text, &tokens[first..index]) {
            blocks += 1;
            start = None;
            continue;
        }
        if depth == 0 && blocks > 0 && token.is(text, "}") {
            blocks -= 1;
            start = None;
            had_parameters = false;
            continue;
        }
        let ended = match token.text(text) {
            "(" | "[" => {
                had_parameters |= depth == 0 && token.is(text, "(");
                depth += 1;
                false
            }
            "{" => {
                depth += 1;
                false
            }
            ")" | "]" => {
                depth = depth.saturating_sub(1);
                false
            }
            "}" => {
                depth = depth.saturating_sub(1);
                // A function ends here; a struct goes on to its semicolon.
                depth == 0 && had_parameters
            }
            ";" => depth == 0,
            _ => false,
        };
        if ended {
            if is_kernel(lexed, first) {
                let from = tokens.get(first).map_or(token.span, |t| t.span);
                found.push(from.to(token.span));
            }
            start = None;
            had_parameters = false;
        }
    }
    // A kernel without an end: the parser will say what is missing.
    if let Some(first) = start
        && is_kernel(lexed, first)
        && let (Some(from), Some(to)) = (tokens.get(first), tokens.last())
    {
        found.push(from.span.to(to.span));
    }
    found
}

/// Whether tokens before a brace are `namespace a::b` or `extern "C"`.
fn opens_block(text: &str, head: &[Token]) -> bool {
    let words: Vec<&str> = head.iter().map(|t| t.text(text)).collect();
    match words.as_slice() {
        ["extern", language] => language.starts_with('"'),
        ["namespace", ..] | ["inline", "namespace", ..] => !words.contains(&"="),
        _ => false,
    }
}

/// The name of a kernel whose head has no type: `kernel f(...)`.
pub(super) fn without_type(lexed: &Lexed<'_>, kernel: Span) -> Option<Span> {
    let at = behind_attributes(lexed, lexed.first_from(kernel.start));
    let name = lexed.tokens.get(at)?;
    (name.is_identifier() && lexed.word(at + 1) == "(").then_some(name.span)
}

/// The word before the parameters of a kernel's head.
pub(super) fn name_of<'t>(lexed: &Lexed<'t>, kernel: Span) -> &'t str {
    let first = lexed.first_from(kernel.start);
    let mut open = behind_attributes(lexed, first);
    while open < lexed.first_from(kernel.end) && lexed.word(open) != "(" {
        open += 1;
    }
    match open > first {
        true => lexed.word(open - 1),
        false => "",
    }
}

/// The first token from `at` on that is of no attribute.
fn behind_attributes(lexed: &Lexed<'_>, mut at: usize) -> usize {
    while lexed.word(at) == "[" && lexed.word(at + 1) == "[" {
        at = behind_attribute(lexed, at);
    }
    at
}

/// The token behind an attribute.
fn behind_attribute(lexed: &Lexed<'_>, mut at: usize) -> usize {
    while at < lexed.tokens.len() && !(lexed.word(at) == "]" && lexed.word(at + 1) == "]") {
        at += 1;
    }
    at + 2
}

/// The first bracket that has no partner; directives aside.
pub(super) fn unbalanced(lexed: &Lexed<'_>) -> Option<Span> {
    let text = lexed.text;
    let mut open: Vec<(&str, Span)> = Vec::new();
    let mut in_directive = false;
    for token in &lexed.tokens {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if in_directive || token.kind != TokenKind::Punctuator {
            continue;
        }
        let wanted = match token.text(text) {
            bracket @ ("(" | "[" | "{") => {
                open.push((bracket, token.span));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        match open.pop() {
            Some((bracket, _)) if bracket == wanted => {}
            Some((_, span)) => return Some(span),
            None => return Some(token.span),
        }
    }
    open.last().map(|(_, span)| *span)
}

/// Whether the piece beginning at token `at` has a kernel's attribute in front.
fn is_kernel(lexed: &Lexed<'_>, mut at: usize) -> bool {
    while lexed.word(at) == "[" && lexed.word(at + 1) == "[" {
        if matches!(lexed.word(at + 2), "brook_kernel" | "brook_reduce") {
            return true;
        }
        at = behind_attribute(lexed, at);
    }
    false
}
