//! Lines that are for the vendor's compiler, as the backend spells them.

use super::text::fill;
use crate::backend::Backend;
use crate::expr;
use crate::lex::{Token, lex};
use crate::module::{Directive, Module};
use crate::source::{Edits, Span};

/// GCC takes no more.
const MOST_COPIES: i64 = 65_534;

/// What a `#pragma` says about unrolling.
#[derive(Debug, PartialEq, Eq)]
enum Unroll<'t> {
    Fully,
    Count(&'t str),
    Never,
}

/// Spells pragmas for the backend. What is known to no backend stays as it is.
pub(super) fn rewrite(module: &Module, backend: &Backend, edits: &mut Edits) {
    let mut tokens = None;
    for (index, directive) in module.directives.iter().enumerate() {
        let span = directive.span;
        if is_known_header(span.of(&module.text), backend) {
            edits.delete(span);
            continue;
        }
        define_around(directive, edits);
        let Some(unroll) = unroll(span.of(&module.text)) else {
            continue;
        };
        // Within the head of an attributed loop, whose lowering replaces all of it.
        if module.loops.iter().any(|l| l.head.contains(span)) {
            continue;
        }
        let tokens = tokens.get_or_insert_with(|| lex(&module.text));
        let rest = module.directives.get(index + 1..).unwrap_or_default();
        let next = next_token(tokens, span.end, rest);
        let keyword = next.map_or("", |t| t.text(&module.text));
        let at = next.map_or(u32::MAX, |t| t.span.start);
        // A loop that is distributed has no copies to make; `omp simd` wants to stand before its loop.
        let distributed = module.loops.iter().any(|l| l.span.start == at);
        let spelled = match matches!(keyword, "for" | "while" | "do") && !distributed {
            true => spell(&unroll, backend),
            false => String::new(),
        };
        if spelled.is_empty() {
            let newline = module.text.as_bytes().get(span.end as usize) == Some(&b'\n');
            edits.delete(Span::new(span.start, span.end + u32::from(newline)));
        } else {
            edits.replace(span, format!("#pragma {spelled}"));
        }
    }
}

/// `#include <x>` of a header that the target's compiler needs not.
fn is_known_header(line: &str, backend: &Backend) -> bool {
    let name = line
        .trim_start_matches('#')
        .trim_start()
        .strip_prefix("include")
        .and_then(|rest| rest.trim().strip_prefix('<')?.split('>').next());
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
