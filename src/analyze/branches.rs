//! Conditionals that the vendor's compiler decides: all their groups are parsed and translated, one
//! after the other, so each must be complete, and no launch may depend on which of them is taken.

use crate::diagnostics::{Code, Diagnostic, Sink, codes};
use crate::lex::{Token, lex};
use crate::module::{ConstructKind, KernelForm, LoopKind, Module};
use crate::preprocess::{KeptConditional, Preprocessed};
use crate::source::{Provenance, Span};
use std::fmt::Display;

/// Checks the shape of all kept conditionals before their text is parsed.
pub(crate) fn check_shape(read: &Preprocessed, sink: &mut Sink) {
    if read.conditionals.is_empty() {
        return;
    }
    let mut directives = read.kept_directives.iter().peekable();
    let mut tokens = lex(&read.text);
    tokens.retain(|t| {
        while directives.next_if(|d| d.end <= t.span.start).is_some() {}
        directives.peek().is_none_or(|d| !d.contains(t.span))
    });
    let shape = Shape {
        text: &read.text,
        provenance: &read.provenance,
        enclosing: enclosing(&tokens, &read.text),
        tokens,
    };
    for conditional in &read.conditionals {
        if let Some(diagnostic) = shape.check(conditional) {
            sink.push(diagnostic);
        }
    }
}

struct Shape<'a> {
    text: &'a str,
    provenance: &'a Provenance,
    /// Without those of directives.
    tokens: Vec<Token>,
    /// For each token the bracket around it.
    enclosing: Vec<Option<usize>>,
}

/// The innermost bracket that is open at each token, and at the end.
fn enclosing(tokens: &[Token], text: &str) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut around = Vec::with_capacity(tokens.len() + 1);
    for (index, token) in tokens.iter().enumerate() {
        if matches!(token.text(text), ")" | "]" | "}") {
            open.pop();
        }
        around.push(open.last().copied());
        if matches!(token.text(text), "(" | "[" | "{") {
            open.push(index);
        }
    }
    around.push(open.last().copied());
    around
}

impl Shape<'_> {
    fn word(&self, index: Option<usize>) -> &str {
        let token = index.and_then(|i| self.tokens.get(i));
        token.map_or("", |t| t.text(self.text))
    }

    fn first_at(&self, offset: u32) -> usize {
        self.tokens.partition_point(|t| t.span.start < offset)
    }

    fn diagnostic(
        &self,
        code: &'static Code,
        span: Span,
        arguments: &[&dyn Display],
    ) -> Diagnostic {
        Diagnostic::at(code, self.provenance, span, arguments)
    }

    fn check(&self, conditional: &KeptConditional) -> Option<Diagnostic> {
        let begin = conditional.begin;
        for group in &conditional.groups {
            if let Some(bracket) = self.unbalanced(*group) {
                let word = bracket.text(self.text);
                let code = &codes::BRANCH_UNBALANCED;
                return Some(self.diagnostic(code, bracket.span, &[&word]));
            }
        }
        let first = self.first_at(conditional.span.start);
        let before = self.word(first.checked_sub(1));
        let after = self.word(Some(self.first_at(conditional.span.end)));
        let around = self.word(self.enclosing.get(first).copied().flatten());
        let whole = matches!(before, "" | ";" | "{" | "}" | ":" | ",")
            && matches!(around, "" | "{")
            && after != "else"
            && conditional.groups.iter().all(|group| {
                let (from, to) = (self.first_at(group.start), self.first_at(group.end));
                let last = self.word(to.checked_sub(1));
                from == to
                    || (self.word(Some(from)) != "else" && matches!(last, ";" | "}" | ":" | ","))
            });
        (!whole).then(|| self.diagnostic(&codes::BRANCH_STATEMENTS, begin, &[]))
    }

    /// The first bracket that has no partner within the group.
    fn unbalanced(&self, group: Span) -> Option<&Token> {
        let mut open: Vec<&Token> = Vec::new();
        let tokens = self
            .tokens
            .get(self.first_at(group.start)..self.first_at(group.end))?;
        for token in tokens {
            let partner = match token.text(self.text) {
                "(" | "[" | "{" => {
                    open.push(token);
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            match open.pop() {
                Some(bracket) if bracket.text(self.text) == partner => {}
                _ => return Some(token),
            }
        }
        open.first().copied()
    }
}

/// Checks that no launch depends on a conditional. `hoists`: the backend declares shared memory at
/// the beginning of a kernel, outside of any conditional.
pub(crate) fn check_launches(
    module: &Module,
    conditionals: &[KeptConditional],
    hoists: bool,
    sink: &mut Sink,
) {
    for conditional in conditionals {
        let what = launches(module, conditional.span).or_else(|| {
            let shared = |c: &crate::module::Construct| {
                matches!(c.kind, ConstructKind::Shared { .. }) && conditional.span.contains(c.span)
            };
            (hoists && module.constructs.iter().any(shared)).then_some("a [@shared] array")
        });
        if let Some(what) = what {
            let code = &codes::BRANCH_LAUNCH;
            let span = conditional.begin;
            sink.push(Diagnostic::at(code, &module.provenance, span, &[&what]));
        }
    }
}

/// What in or around the conditional decides a launch.
fn launches(module: &Module, span: Span) -> Option<&'static str> {
    for kernel in &module.kernels {
        let KernelForm::Okl { nests } = &kernel.form else {
            continue;
        };
        if span.contains(kernel.body) {
            return Some("a kernel");
        }
        if kernel.body.contains(span) && !nests.iter().any(|nest| nest.span.contains(span)) {
            return Some("what is outside of [@outer] loops");
        }
    }
    let outer = |l: &crate::module::Loop| l.kind == LoopKind::Outer && span.contains(l.span);
    module.loops.iter().any(outer).then_some("an [@outer] loop")
}
