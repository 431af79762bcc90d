use super::{Note, Report, Severity};
use crate::source::{Files, Location, Span};
use serde_json::json;
use std::fmt::Write;

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    Plain,
    /// For a terminal.
    Colored,
}

/// Longest piece of a source line that is shown; longer lines are cut around the caret.
const SHOWN: usize = 160;

/// The report as people read it: place, message, the source line and a caret, notes, help.
pub fn to_human(report: &Report, style: Style) -> String {
    let paint = |code: &str, text: &str| match style {
        Style::Plain => text.to_string(),
        Style::Colored => format!("\x1b[{code}m{text}\x1b[0m"),
    };
    let mut out = String::new();
    for d in report.diagnostics.iter().filter(|d| !d.follows) {
        let (word, color) = match d.severity {
            Severity::Error => ("error", "1;31"),
            Severity::Warning => ("warning", "1;35"),
        };
        let head = paint(color, &format!("{word}[{}]", d.code.id));
        let at = d
            .location
            .map_or(String::new(), |l| place(&report.files, l) + ": ");
        // A String cannot fail to be written to.
        let _ = writeln!(out, "{}{head}: {}", paint("1", &at), d.message);
        if let Some(location) = d.location {
            excerpt(&mut out, &report.files, location, &|s| paint("1;32", s));
            included_from(&mut out, &report.files, location);
        }
        for Note { message, location } in &d.notes {
            let at = location.map_or(String::new(), |l| place(&report.files, l) + ": ");
            let _ = writeln!(
                out,
                "{}{}: {message}",
                paint("1", &at),
                paint("1;36", "note")
            );
            if let Some(location) = location {
                excerpt(&mut out, &report.files, *location, &|s| paint("1;32", s));
            }
        }
        if let Some(help) = d.code.help {
            let _ = writeln!(out, "  {}: {help}", paint("1;36", "help"));
        }
    }
    out
}

fn place(files: &Files, location: Location) -> String {
    let Some(file) = files.get(location.file) else {
        return String::new();
    };
    let (line, column) = file.line_column(location.span.start);
    format!("{}:{line}:{column}", file.name)
}

fn included_from(out: &mut String, files: &Files, location: Location) {
    let mut next = files.get(location.file).and_then(|f| f.included_from);
    let mut depth = 0;
    while let Some(from) = next.filter(|_| depth < 16) {
        let at = Location {
            file: from.file,
            span: Span::at(from.offset),
        };
        let _ = writeln!(out, "  included from {}", place(files, at));
        next = files.get(from.file).and_then(|f| f.included_from);
        depth += 1;
    }
}

/// The source line and a caret line under it.
fn excerpt(out: &mut String, files: &Files, location: Location, paint: &dyn Fn(&str) -> String) {
    let Some(file) = files.get(location.file) else {
        return;
    };
    let (line_start, line) = file.line_at(location.span.start);
    let from = ((location.span.start - line_start) as usize).min(line.len());
    let to = ((location.span.end.saturating_sub(line_start)) as usize).clamp(from, line.len());
    let (shown, from, to) = window(line, from, to);
    // Tabs are kept in the blank before the caret, so that it stands under the right column.
    let blank: String = shown[..from]
        .chars()
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let length = shown[from..to].chars().count().max(1);
    let caret = paint(&format!("^{}", "~".repeat(length - 1)));
    let _ = writeln!(out, "    {}\n    {blank}{caret}", printable(shown));
}

/// Control characters would move the cursor of the reader's terminal.
fn printable(line: &str) -> String {
    line.chars()
        .map(|c| {
            if c.is_control() && c != '\t' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// Cuts a long line down to what is around `from..to`.
fn window(line: &str, from: usize, to: usize) -> (&str, usize, usize) {
    let boundary = |mut at: usize| {
        at = at.min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (from, to) = (boundary(from), boundary(to));
    if line.len() <= SHOWN {
        return (line, from, to);
    }
    let start = boundary(from.saturating_sub(SHOWN / 2));
    let end = boundary(start + SHOWN);
    (
        &line[start..end],
        from - start,
        to.min(end).max(from) - start,
    )
}

/// The report as one JSON object a line.
pub fn to_json(report: &Report) -> String {
    let mut out = String::new();
    for d in report.diagnostics.iter().filter(|d| !d.follows) {
        let notes: Vec<_> = d
            .notes
            .iter()
            .map(|n| json!({"message": n.message, "location": at(&report.files, n.location)}))
            .collect();
        let value = json!({
            "code": d.code.id,
            "severity": match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            "message": d.message,
            "location": at(&report.files, d.location),
            "notes": notes,
            "help": d.code.help,
        });
        let _ = writeln!(out, "{value}");
    }
    out
}

fn at(files: &Files, location: Option<Location>) -> serde_json::Value {
    let Some((location, file)) = location.and_then(|l| Some((l, files.get(l.file)?))) else {
        return serde_json::Value::Null;
    };
    let (line, column) = file.line_column(location.span.start);
    let (end_line, end_column) = file.line_column(location.span.end);
    json!({
        "file": file.name, "line": line, "column": column,
        "endLine": end_line, "endColumn": end_column,
        "start": location.span.start, "end": location.span.end,
    })
}
