use super::{Diagnostic, Report, Severity};
use crate::source::{FileId, Files, SourceFile, Span};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet,
};
use std::fmt::Write;
use std::ops::Range;

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    Plain,
    /// For a terminal.
    Colored,
}

/// Lines longer than that are cut around what is pointed at; the renderer reads all that it gets, for each message.
const LONGEST_LINE: usize = 1000;
/// The same of changes, which it does not cut itself.
const LONGEST_CHANGED: usize = 140;
/// Includes of a chain that are named.
const INCLUDES_SHOWN: usize = 3;
/// Changes of one message that are shown.
const FIXES_SHOWN: usize = 3;

/// The report as people read it: message, place, source lines with carets and remarks, help, changes that mend it.
pub fn to_human(report: &Report, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    };
    let mut out = String::new();
    for d in report.diagnostics.iter().filter(|d| !d.follows) {
        out.push_str(&renderer.render(&groups(&report.files, d)));
        out.push_str("\n\n");
    }
    out
}

/// The report with one line a message, as editors and `make` read compilers' messages:
/// `file:line:column: error[OKL010]: …`.
pub fn to_short(report: &Report) -> String {
    let mut out = String::new();
    for d in report.diagnostics.iter().filter(|d| !d.follows) {
        let at = d
            .location
            .and_then(|l| place(&report.files, l.file, l.span.start));
        let at = at.map_or(String::new(), |at| at + ": ");
        // A String cannot fail to be written to.
        let _ = writeln!(
            out,
            "{at}{}[{}]: {}",
            d.severity.word(),
            d.code.id,
            printable(&d.message)
        );
    }
    out
}

/// `file:line:column`.
fn place(files: &Files, file: FileId, offset: u32) -> Option<String> {
    let file = files.get(file)?;
    let (line, column) = file.line_column(offset);
    Some(format!("{}:{line}:{column}", file.name))
}

/// A message's parts as the renderer wants them.
fn groups<'a>(files: &'a Files, d: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(printable(&d.message)).id(d.code.id);
    let mut main = Group::with_title(title);
    for snippet in snippets(files, d) {
        main = main.element(snippet);
    }
    let remarks = d.notes.iter().filter(|n| n.location.is_none());
    for remark in remarks {
        main = main.element(Level::NOTE.message(printable(&remark.message)));
    }
    if let Some(location) = d.location {
        for included in included_from(files, location.file) {
            main = main.element(Level::NOTE.message(included));
        }
    }
    if let Some(help) = &d.help {
        main = main.element(Level::HELP.message(printable(help)));
    }
    let mut all = vec![main];
    for fix in d.fixes.iter().take(FIXES_SHOWN) {
        let file = fix.edits.first().map(|(l, _)| l.file);
        let Some(file) = file.and_then(|f| files.get(f)) else {
            continue;
        };
        let spans = fix.edits.iter().map(|(l, _)| l.span);
        let lines = Lines::around(file, spans.clone(), LONGEST_CHANGED);
        let patches = fix.edits.iter().zip(spans);
        let patches = patches.map(|((_, text), span)| Patch::new(lines.range(span), text.as_str()));
        let snippet = lines.snippet().patches(patches);
        let title = Level::HELP.secondary_title(printable(&fix.message));
        all.push(title.element(snippet));
    }
    all
}

/// The places that a message points at, file by file: its own first.
fn snippets<'a>(files: &'a Files, d: &'a Diagnostic) -> Vec<Element<'a>> {
    let own = d
        .location
        .map(|l| (l, AnnotationKind::Primary, d.label.as_deref()));
    let others = d.notes.iter().filter_map(|n| {
        let label = Some(n.message.as_str());
        Some((n.location?, AnnotationKind::Context, label))
    });
    let mut by_file: Vec<(FileId, Vec<_>)> = Vec::new();
    for pointed in own.into_iter().chain(others) {
        let id = pointed.0.file;
        match by_file.iter_mut().find(|(f, _)| *f == id) {
            Some((_, list)) => list.push(pointed),
            None => by_file.push((id, vec![pointed])),
        }
    }
    let mut out = Vec::new();
    for (index, (id, pointed)) in by_file.into_iter().enumerate() {
        let (Some(file), Some((first, ..))) = (files.get(id), pointed.first()) else {
            continue;
        };
        let lines = Lines::around(file, pointed.iter().map(|(l, ..)| l.span), LONGEST_LINE);
        let annotations = pointed.iter().map(|(location, kind, label)| {
            let annotation: Annotation<'a> = kind.span(lines.range(location.span));
            match label {
                Some(label) => annotation.label(printable(label)),
                None => annotation,
            }
        });
        let snippet = lines.snippet().annotations(annotations);
        // What is shown of a line that is cut has another column.
        if lines.is_cut && index == 0 {
            let (line, column) = file.line_column(first.span.start);
            let origin = Origin::path(file.name.as_str()).line(line);
            out.push(origin.char_column(column).into());
            out.push(snippet.into());
        } else {
            out.push(snippet.path(file.name.as_str()).into());
        }
    }
    out
}

/// The directives that brought a file in, from the inside.
fn included_from(files: &Files, file: FileId) -> Vec<String> {
    let from = |id: FileId| files.get(id).and_then(|f| f.included_from);
    let chain: Vec<_> = std::iter::successors(from(file), |p| from(p.file))
        .take(200)
        .collect();
    let shown = chain.iter().take(INCLUDES_SHOWN);
    let mut out: Vec<String> = shown
        .filter_map(|p| place(files, p.file, p.offset))
        .map(|at| format!("included from {at}"))
        .collect();
    if chain.len() > INCLUDES_SHOWN {
        out.push(format!(
            "… and {} files further up",
            chain.len() - INCLUDES_SHOWN
        ));
    }
    out
}

/// Lines of a file that are shown, from the first to the last one in question. What stands between them is empty:
/// the renderer folds it, and need not read it.
struct Lines {
    /// Number of the first one, from 1.
    first: usize,
    text: String,
    is_cut: bool,
    /// Of each line that has its text: where what is shown of it begins in the file, where here, and how long it is.
    places: Vec<(u32, usize, u32)>,
}

impl Lines {
    fn around(
        file: &SourceFile,
        spans: impl Iterator<Item = Span> + Clone,
        longest: usize,
    ) -> Self {
        let mut numbers: Vec<(usize, u32)> = spans
            .clone()
            .map(|s| (file.line(s.start), s.start))
            .collect();
        numbers.sort_unstable();
        let first = numbers.first().map_or(1, |(line, _)| *line);
        let mut this = Self {
            first,
            text: String::new(),
            is_cut: false,
            places: Vec::new(),
        };
        let mut line = first;
        for (number, offset) in numbers {
            let (start, text) = file.line_at(offset);
            if number == line && !this.places.is_empty() {
                continue;
            }
            this.text.extend(std::iter::repeat_n('\n', number - line));
            line = number;
            let end = start + text.len() as u32;
            let inside = spans.clone().filter(|s| s.start >= start && s.start <= end);
            let from = inside.map(|s| s.start - start).min().unwrap_or(0);
            let window = window(text, from as usize, longest);
            let cut = start + window.start as u32;
            this.is_cut |= window.len() < text.len();
            let length = window.len() as u32;
            this.places.push((cut, this.text.len(), length));
            this.text.push_str(&text[window]);
        }
        this
    }

    /// Where a span, or what of it stands in its first line, is in the text that is shown.
    fn range(&self, span: Span) -> Range<usize> {
        let found = self
            .places
            .iter()
            .rev()
            .find(|(start, ..)| *start <= span.start);
        let Some((start, at, length)) = found.or(self.places.first()) else {
            return 0..0;
        };
        let inside = |offset: u32| at + offset.saturating_sub(*start).min(*length) as usize;
        let from = self.boundary(inside(span.start));
        from..self.boundary(inside(span.end.max(span.start))).max(from)
    }

    fn boundary(&self, mut at: usize) -> usize {
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn snippet<'a, T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text.clone()).line_start(self.first)
    }
}

/// Control characters would move the cursor of the reader's terminal.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c.is_control() && c != '\t' && c != '\n' {
            true => '\u{fffd}',
            false => c,
        })
        .collect()
}

/// The part of a long line that is shown of it.
fn window(line: &str, from: usize, longest: usize) -> Range<usize> {
    if line.len() <= longest {
        return 0..line.len();
    }
    let boundary = |mut at: usize| {
        at = at.min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(from.saturating_sub(longest / 2));
    start..boundary(start + longest)
}
