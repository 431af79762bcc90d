use super::Report;
use crate::source::{Files, Location};
use serde_json::{Value, json};
use std::fmt::Write;

/// The report as one JSON object a line: `code`, `severity`, `message`, `location`, `label`, `notes`, `help`, and
/// `fixes`, each with its `edits`. Lines and columns count from 1, columns in characters; `start` and `end` are bytes
/// of the file as it is on the disk.
pub fn to_json(report: &Report) -> String {
    let mut out = String::new();
    for d in report.diagnostics.iter().filter(|d| !d.follows) {
        let notes: Vec<_> = d
            .notes
            .iter()
            .map(|n| json!({"message": n.message, "location": at(&report.files, n.location)}))
            .collect();
        let fixes: Vec<_> = d
            .fixes
            .iter()
            .map(|fix| {
                let edits: Vec<_> = fix
                    .edits
                    .iter()
                    .map(|(location, text)| {
                        let file = report.files.get(location.file);
                        let text = file.map_or(text.into(), |f| f.with_own_ends(text));
                        json!({"location": at(&report.files, Some(*location)), "text": text})
                    })
                    .collect();
                json!({"message": fix.message, "certain": fix.certain, "edits": edits})
            })
            .collect();
        let value = json!({
            "code": d.code.id,
            "severity": d.severity.word(),
            "message": d.message,
            "location": at(&report.files, d.location),
            "label": d.label,
            "notes": notes,
            "help": d.help,
            "fixes": fixes,
        });
        // A String cannot fail to be written to.
        let _ = writeln!(out, "{value}");
    }
    out
}

fn at(files: &Files, location: Option<Location>) -> Value {
    let Some((location, file)) = location.and_then(|l| Some((l, files.get(l.file)?))) else {
        return Value::Null;
    };
    let (line, column) = file.line_column(location.span.start);
    let (end_line, end_column) = file.line_column(location.span.end);
    let bytes = file.on_disk(location.span);
    json!({
        "file": file.name, "line": line, "column": column,
        "endLine": end_line, "endColumn": end_column,
        "start": bytes.start, "end": bytes.end,
    })
}
