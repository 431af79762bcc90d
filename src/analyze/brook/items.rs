use crate::lex::{Token, lex};
use crate::module::Type;
use crate::source::Span;

/// The kernels among the top-level pieces of a text, prototypes included.
pub(super) fn kernels(text: &str) -> Vec<Span> {
    let tokens = lex(text);
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

/// Whether tokens before a brace are `namespace a::b` or `extern "C"`.
fn opens_block(text: &str, head: &[Token]) -> bool {
    let words: Vec<&str> = head.iter().map(|t| t.text(text)).collect();
    match words.as_slice() {
        ["extern", language] => language.starts_with('"'),
        ["namespace", ..] | ["inline", "namespace", ..] => !words.contains(&"="),
        _ => false,
    }
}

/// The text with the names of Brook+'s types changed into some of C of the same length where a sign makes
/// C's grammar take a cast for a sum: `(ushort) -a`.
pub(super) fn with_casts(text: &str) -> String {
    let tokens = lex(text);
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let mut out = text.to_string();
    for (index, token) in tokens.iter().enumerate() {
        let name = token.text(text);
        let cast = index > 0
            && word(index - 1) == "("
            && word(index + 1) == ")"
            && matches!(word(index + 2), "-" | "+")
            && !token.spliced;
        let stand_in = match name.len() {
            4 => "char",
            5 => "float",
            6 => "double",
            7 => "int32_t",
            _ => continue,
        };
        if cast && Type::from_words(name).is_some() {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            out.replace_range(start..end, stand_in);
        }
    }
    out
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
