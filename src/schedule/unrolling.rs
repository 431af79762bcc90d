//! Lines that ask for copies of a loop's body: how a backend spells them, and of which loops none is left by it.

use crate::backend::{Backend, fill};
use crate::expr;
use crate::lex::{Token, lex};
use crate::module::{Directive, Module};
use crate::source::Span;

/// GCC takes no more.
const MOST_COPIES: i64 = 65_534;

/// The most copies of a loop's body, with those of the loops in it, that are made where the program does not say how
/// many: what compiling takes grows with them.
const MOST_UNROLLED: i64 = 64;

/// What a `#pragma` says about unrolling.
#[derive(Debug, PartialEq, Eq)]
enum Unroll<'t> {
    Fully,
    Count(&'t str),
    Never,
}

/// A loop whose number of rounds is a constant, and of which no loop is left.
#[derive(Clone, Debug)]
pub(crate) struct Unrolled {
    /// The line that asks for it.
    pub(crate) pragma: Span,
    /// The statement.
    pub(crate) span: Span,
    /// `for (…)`
    pub(crate) header: Span,
    pub(crate) body: Span,
    pub(crate) variable: String,
    count: i64,
}

/// What becomes of a line that asks for copies of a loop's body.
pub(crate) struct Spelled {
    /// The line.
    pub(crate) line: Span,
    /// What stands behind its `#pragma`; nothing if it is left out.
    pub(crate) words: String,
    /// The loop of which none is left.
    pub(crate) unrolled: Option<Unrolled>,
}

/// What becomes of all such lines, the last of them first.
pub(super) fn spelled(module: &Module, backend: &Backend) -> Vec<Spelled> {
    let mut tokens = None;
    let mut all: Vec<Spelled> = Vec::new();
    let mut copies: Vec<(Span, i64)> = Vec::new();
    // What stands inside another loop comes first.
    for (index, directive) in module.directives.iter().enumerate().rev() {
        let line = directive.span;
        let Some(unroll) = unroll(line.of(&module.text)) else {
            continue;
        };
        // Within the head of an attributed loop, whose lowering replaces all of it.
        if module.loops.iter().any(|l| l.head.contains(line)) {
            continue;
        }
        let tokens = tokens.get_or_insert_with(|| lex(&module.text));
        let rest = module.directives.get(index + 1..).unwrap_or_default();
        let next = next_token(tokens, line.end, rest);
        let keyword = next.map_or("", |t| t.text(&module.text));
        let at = next.map_or(u32::MAX, |t| t.span.start);
        // A loop that is distributed has no copies to make; `omp simd` wants to stand before its loop.
        let distributed = module.loops.iter().any(|l| l.span.start == at);
        let mut spelled = Spelled {
            line,
            words: match matches!(keyword, "for" | "while" | "do") && !distributed {
                true => spell(&unroll, backend),
                false => String::new(),
            },
            unrolled: None,
        };
        // Whoever has a pragma with a count only is told how many rounds there are.
        let counted = unroll == Unroll::Fully && spelled.words.is_empty() && keyword == "for";
        if counted
            && !distributed
            && let Some(found) = rounds(&module.text, tokens, at)
            && !module.loops.iter().any(|l| found.span.contains(l.span))
        {
            let inner = copies.iter().filter(|(s, _)| found.span.contains(*s));
            let many = found.count * inner.map(|(_, n)| *n).max().unwrap_or(1);
            if many <= MOST_UNROLLED {
                let count = found.count.to_string();
                spelled.words = fill(&backend.spelling.unroll_count, &[("count", &count)]);
                copies.push((found.span, many));
                spelled.unrolled = Some(Unrolled {
                    pragma: line,
                    ..found
                });
            }
        }
        all.push(spelled);
    }
    all
}

/// Whether a line says that a loop is unrolled, and nothing else.
pub(crate) fn is_unrolling(line: &str) -> bool {
    matches!(unroll(line), Some(Unroll::Fully | Unroll::Count(_)))
}

/// Reads `for (T i = A; i < B; ++i)` of constants, whose first token stands at `start`.
fn rounds(text: &str, tokens: &[Token], start: u32) -> Option<Unrolled> {
    let first = tokens.partition_point(|t| t.span.start < start);
    let tokens = tokens.get(first..)?;
    let word = |i: usize| tokens.get(i).map_or("", |t| t.text(text));
    let close = closing(text, tokens, 1)?;
    let ends: Vec<usize> = (2..close).filter(|&i| word(i) == ";").collect();
    let [one, two] = *ends.as_slice() else {
        return None;
    };
    let value = |from: usize, to: usize| {
        let span = tokens
            .get(from)?
            .span
            .to(tokens.get(to.checked_sub(1)?)?.span);
        expr::constant(&expr::parse(span.of(text)).ok()?)
    };
    let equals = (2..one).find(|&i| word(i) == "=")?;
    let variable = word(equals - 1);
    let step = match (word(two + 1), word(two + 2)) {
        ("++", name) if name == variable && two + 3 == close => 1,
        (name, "++") if name == variable && two + 3 == close => 1,
        (name, "+=") if name == variable => value(two + 3, close)?,
        _ => return None,
    };
    if word(one + 1) != variable || step <= 0 {
        return None;
    }
    let (low, high) = (value(equals + 1, one)?, value(one + 3, two)?);
    let high = match word(one + 2) {
        "<" => high,
        "<=" => high.checked_add(1)?,
        _ => return None,
    };
    let count = high.checked_sub(low)?.checked_add(step - 1)? / step;
    // The body: a block, or a statement, which may be a loop.
    let mut at = close + 1;
    loop {
        at = match word(at) {
            "for" | "if" => closing(text, tokens, at + 1)? + 1,
            "#" => at + 1 + tokens.get(at + 1..)?.iter().position(|t| t.line_start)?,
            _ => break,
        };
    }
    let last = match word(at) {
        "{" => closing(text, tokens, at)?,
        _ => (at..tokens.len()).find(|&i| word(i) == ";")?,
    };
    let end = tokens.get(last)?.span.end;
    Some(Unrolled {
        pragma: Span::at(start),
        span: Span::new(start, end),
        header: Span::new(start, tokens.get(close)?.span.end),
        body: Span::new(tokens.get(close + 1)?.span.start, end),
        variable: variable.to_string(),
        count: Some(count).filter(|n| *n > 0)?,
    })
}

/// The bracket that closes the one at `open`.
fn closing(text: &str, tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// Reads `#pragma unroll`, `#pragma unroll N`, `#pragma unroll(N)` and `#pragma nounroll`.
fn unroll(line: &str) -> Option<Unroll<'_>> {
    let tokens = lex(line);
    let word = |i: usize| tokens.get(i).map_or("", |t| t.text(line));
    if word(0) != "#" || word(1) != "pragma" {
        return None;
    }
    match (word(2), tokens.get(3), tokens.last()) {
        ("nounroll", None, _) => Some(Unroll::Never),
        ("unroll", None, _) => Some(Unroll::Fully),
        ("unroll", Some(first), Some(last)) => {
            Some(Unroll::Count(first.span.to(last.span).of(line)))
        }
        _ => None,
    }
}

/// The pragma's words; empty where the backend has none.
fn spell(unroll: &Unroll<'_>, backend: &Backend) -> String {
    let spelling = &backend.spelling;
    let count = match unroll {
        Unroll::Fully => return spelling.unroll.clone(),
        Unroll::Never => return spelling.nounroll.clone(),
        Unroll::Count(count) => count,
    };
    let value = expr::parse(count)
        .ok()
        .and_then(|e| expr::evaluate(&e, &|_| None).ok())
        .and_then(|value| value.as_i64());
    let count = match value {
        // CUDA's compiler ignores such a pragma, others stop at it.
        Some(..=0) => return String::new(),
        Some(count) => count.min(MOST_COPIES).to_string(),
        // A constant that the compiler knows.
        None if count.starts_with('(') => (*count).to_string(),
        None => format!("({count})"),
    };
    fill(&spelling.unroll_count, &[("count", &count)])
}

/// The first token after `end` that belongs to no directive.
fn next_token<'t>(tokens: &'t [Token], end: u32, directives: &[Directive]) -> Option<&'t Token> {
    let first = tokens.partition_point(|t| t.span.start < end);
    let rest = tokens.get(first..).unwrap_or_default();
    let mut directives = directives.iter().peekable();
    rest.iter().find(|t| {
        while directives.next_if(|d| d.span.end <= t.span.start).is_some() {}
        directives.peek().is_none_or(|d| !d.span.contains(t.span))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_read() {
        assert_eq!(unroll("#pragma unroll"), Some(Unroll::Fully));
        assert_eq!(unroll("# pragma  unroll 4"), Some(Unroll::Count("4")));
        assert_eq!(
            unroll("#pragma unroll(2 * N)"),
            Some(Unroll::Count("(2 * N)"))
        );
        assert_eq!(unroll("#pragma nounroll"), Some(Unroll::Never));
        assert_eq!(unroll("#pragma GCC unroll 4"), None);
        assert_eq!(unroll("#include <unroll>"), None);
    }

    #[test]
    fn counts_are_numbers_where_they_can_be() {
        let spelled = |backend: &str, line: &str| {
            let backend = Backend::built_in(backend).unwrap();
            spell(&unroll(line).unwrap(), &backend)
        };
        assert_eq!(spelled("cuda", "#pragma unroll (2*4)"), "unroll 8");
        assert_eq!(spelled("cuda", "#pragma unroll 0"), "");
        assert_eq!(spelled("hip", "#pragma nounroll"), "unroll 1");
        assert_eq!(
            spelled("openmp", "#pragma unroll 100000"),
            "GCC unroll 65534"
        );
        assert_eq!(spelled("openmp", "#pragma unroll"), "");
        assert_eq!(spelled("openmp", "#pragma unroll N"), "GCC unroll (N)");
    }
}
