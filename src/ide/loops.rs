//! What attributed loops become, and where items wait.

use super::{Hint, Hover, describe};
use crate::backend::{Backend, Model};
use crate::expr::{Expr, Scalar, simplify};
use crate::module::{KernelForm, Loop, LoopKind, Module};
use crate::source::{FileId, Location, Span};
use std::fmt::Write;

const AXES: [&str; 3] = ["x", "y", "z"];

/// What is known of the loop whose head is at a place, where its `for` or one of its attributes is.
pub(super) fn hover(module: &Module, at: Location, word: Location) -> Option<Hover> {
    let mut loops = module.loops.iter().filter(|l| l.is_statement());
    let found = loops.find(|l| {
        let head = location(module, l.head);
        let keyword = location(module, Span::at(l.header_span.start));
        let on_keyword =
            keyword.is_some_and(|k| k.file == word.file && k.span.start == word.span.start);
        let attribute = head.is_some_and(|h| h.file == at.file && h.span.contains(word.span));
        on_keyword || (attribute && is_attribute(module, word))
    })?;
    let mut text = distributed(found);
    if let Some(second) = found.second_half() {
        text.push_str("\n\n");
        text.push_str(&distributed(module.loop_(second)));
    }
    Some(Hover { at: word, text })
}

/// Whether `@` stands before a word.
fn is_attribute(module: &Module, word: Location) -> bool {
    let file = module.provenance.files.get(word.file);
    let before = file.and_then(|f| f.text.get(..word.span.start as usize));
    before.is_some_and(|b| b.trim_end().ends_with('@'))
}

fn distributed(found: &Loop) -> String {
    let (header, axis) = (&found.header, AXES[found.axis.min(2)]);
    let count = counted(&found.count);
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = match found.kind {
        LoopKind::Outer => write!(text, "**Over groups**, axis {axis}: `{count}` of them"),
        LoopKind::Inner => write!(
            text,
            "**Over the items of a group**, axis {axis}: `{count}` of them"
        ),
        LoopKind::Sequential => write!(text, "**A loop**: `{count}` iterations"),
    };
    let _ = write!(
        text,
        ", `{}` from `{}`",
        header.variable,
        plain(&header.start)
    );
    if found.kind != LoopKind::Sequential {
        text.push_str("\n\n| backend | index |\n|---|---|\n");
        for name in Backend::names() {
            let Ok(backend) = Backend::built_in(name) else {
                continue;
            };
            let _ = writeln!(text, "| {name} | {} |", index(&backend, found));
        }
    }
    if found.guarded {
        text.push_str("\nThe launch may have more items: those past the end do nothing.\n");
    }
    if found.barrier_after {
        text.push_str("\nItems wait for each other behind it.\n");
    }
    text.trim_end().to_string()
}

/// What a loop's number is on a backend.
fn index(backend: &Backend, found: &Loop) -> String {
    match found.kind {
        _ if backend.model == Model::Loops => match found.kind {
            LoopKind::Outer => "a loop that threads share out".to_string(),
            _ => "a loop, vectorised where it can be".to_string(),
        },
        LoopKind::Outer => format!("`{}`", backend.spelling.group[found.axis.min(2)]),
        LoopKind::Inner => format!("`{}`", backend.spelling.item[found.axis.min(2)]),
        LoopKind::Sequential => "a loop".to_string(),
    }
}

/// What the language adds to a file, where it stands: block sizes, ranges of items, barriers.
pub(super) fn hints(module: &Module, file: FileId) -> Vec<Hint> {
    let mut hints = Vec::new();
    let mut push = |at: Option<Location>, text: String, why: &str| {
        if let Some(at) = at.filter(|at| at.file == file) {
            hints.push(Hint {
                at,
                text,
                why: why.to_string(),
            });
        }
    };
    for kernel in &module.kernels {
        let KernelForm::Okl { nests } = &kernel.form else {
            continue;
        };
        for nest in nests {
            let at = behind(module, module.loop_(nest.root).head);
            let sizes: Vec<String> = nest.inner.iter().map(plain).collect();
            let (groups, known) = (product(&nest.outer), nest.threads.is_some());
            let sizes = match sizes.iter().rposition(|s| s != "1") {
                Some(last) => sizes[..=last].join(" x "),
                None => "1".to_string(),
            };
            let exact = if known { "" } else { "up to " };
            let text = format!("{groups} groups of {exact}{sizes}");
            push(
                at,
                text,
                "How many groups are launched, and how many items each has.",
            );
        }
    }
    for found in &module.loops {
        let last = found.tile.as_ref().is_none_or(|t| !t.over_tiles);
        if found.kind == LoopKind::Inner && last {
            let at = behind(module, found.head);
            let count = plain(&found.count);
            let text = format!("items {} 0..{count}", AXES[found.axis.min(2)]);
            push(
                at,
                text,
                "The items of a group that run this, by their number.",
            );
        }
        if found.barrier_after {
            let end = Span::at(found.span.end.saturating_sub(1));
            let at = location(module, end).map(|l| Location {
                span: Span::at(l.span.end.max(l.span.start + 1)),
                ..l
            });
            push(
                at,
                "barrier".to_string(),
                "The language implies a barrier here: all items of the group wait.",
            );
        }
    }
    hints.sort_by_key(|h| h.at.span.start);
    hints
}

/// An expression as it would be written by hand: that numbers are counted in 64 bits goes without saying.
fn plain(e: &Expr) -> String {
    simplify(e).to_string().replace("(long)", "")
}

/// The same of a number that stands alone.
pub(super) fn counted(e: &Expr) -> String {
    match simplify(e) {
        Expr::Cast(Scalar::Long, inner) => plain(&inner),
        e => plain(&e),
    }
}

/// How many there are along all axes.
fn product(counts: &[Expr; 3]) -> String {
    let counts = counts.iter().map(plain);
    let counts: Vec<String> = counts.filter(|c| c != "1").collect();
    match counts.as_slice() {
        [] => "1".to_string(),
        [one] => one.clone(),
        many => many
            .iter()
            .map(|c| bracketed(c))
            .collect::<Vec<_>>()
            .join(" x "),
    }
}

fn bracketed(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    match text.chars().all(plain) {
        true => text.to_string(),
        false => format!("({text})"),
    }
}

/// The place behind a piece of the text.
fn behind(module: &Module, span: Span) -> Option<Location> {
    let last = location(module, Span::at(span.end.saturating_sub(1)))?;
    Some(Location {
        span: Span::at(last.span.end.max(last.span.start + 1)),
        ..last
    })
}

fn location(module: &Module, span: Span) -> Option<Location> {
    describe::location(&module.provenance, span)
}
