use crate::lex::{Token, lex};
use crate::source::Span;

/// The kernels among the top-level pieces of a text, prototypes included.
pub(super) fn kernels(text: &str) -> Vec<Span> {
    let tokens = lex(text);
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut depth = 0usize;
    let mut in_directive = false;
    let mut had_parameters = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if in_directive {
            continue;
        }
        let first = *start.get_or_insert(index);
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
            if is_kernel(text, &tokens, first) {
                let from = tokens.get(first).map_or(token.span, |t| t.span);
                found.push(from.to(token.span));
            }
            start = None;
            had_parameters = false;
        }
    }
    // A kernel without an end: the parser will say what is missing.
    if let Some(first) = start
        && is_kernel(text, &tokens, first)
        && let (Some(from), Some(to)) = (tokens.get(first), tokens.last())
    {
        found.push(from.span.to(to.span));
    }
    found
}

/// The name of a kernel whose head has no type: `kernel f(...)`.
pub(super) fn without_type(text: &str, kernel: Span) -> Option<Span> {
    let piece = kernel.of(text);
    let tokens = lex(piece);
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(piece));
    let mut at = 0;
    while word(at) == "[" && word(at + 1) == "[" {
        while at < tokens.len() && !(word(at) == "]" && word(at + 1) == "]") {
            at += 1;
        }
        at += 2;
    }
    let name = tokens
        .get(at)
        .filter(|t| t.is_identifier() && word(at + 1) == "(")?;
    let start = kernel.start;
    Some(Span::new(start + name.span.start, start + name.span.end))
}

/// The first bracket that has no partner; directives aside.
pub(super) fn unbalanced(text: &str) -> Option<Span> {
    let tokens = lex(text);
    let mut open: Vec<(&str, Span)> = Vec::new();
    let mut in_directive = false;
    for token in &tokens {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        if in_directive {
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

/// Whether the piece beginning at token `first` has a kernel's attribute in front.
fn is_kernel(text: &str, tokens: &[Token], first: usize) -> bool {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.text(text));
    let mut at = first;
    while word(at) == "[" && word(at + 1) == "[" {
        if matches!(word(at + 2), "brook_kernel" | "brook_reduce") {
            return true;
        }
        while at < tokens.len() && !(word(at) == "]" && word(at + 1) == "]") {
            at += 1;
        }
        at += 2;
    }
    false
}
