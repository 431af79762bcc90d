use super::{Diagnostic, Report, Severity, codes};
use std::fmt::Write;

/// After so many errors AMD's compiler gave up.
const MOST_ERRORS: usize = 10;

/// The report as AMD's Brook+ compiler wrote its messages, in the order in which it found them.
///
/// A message is `FILE(LINE) : ERROR--1: GROUP: TEXT` and the text in question; warnings are counted on
/// their own. Messages that it did not have are written in the same way.
pub fn to_brcc(report: &Report) -> String {
    let mut raised: Vec<(u32, &Diagnostic)> = report
        .diagnostics
        .iter()
        .flat_map(|d| d.raised.iter().map(move |&order| (order, d)))
        .collect();
    // What no sink has seen comes first: the source could not be read.
    let unseen = report.diagnostics.iter().filter(|d| d.raised.is_empty());
    raised.extend(unseen.map(|d| (0, d)));
    raised.sort_by_key(|(order, _)| *order);
    // What could not be read was not looked into.
    if raised.iter().any(|(_, d)| is_syntax(d)) {
        raised.retain(|(_, d)| is_syntax(d));
    }
    let mut out = String::new();
    let (mut errors, mut warnings) = (0, 0);
    for (_, diagnostic) in raised {
        if let Some(text) = preprocessing(diagnostic) {
            // Its preprocessor did not count.
            errors += usize::from(diagnostic.severity == Severity::Error);
            let word = match diagnostic.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARN",
            };
            message(
                &mut out,
                report,
                diagnostic,
                &format!("{word}-- {text}"),
                "",
            );
            continue;
        }
        let kind = match (diagnostic.severity, diagnostic.promoted) {
            (Severity::Error, false) => {
                errors += 1;
                format!("ERROR--{errors}")
            }
            (Severity::Error, true) => {
                errors += 1;
                warnings += 1;
                format!("WARNING AS ERROR--{warnings}")
            }
            (Severity::Warning, _) => {
                warnings += 1;
                format!("WARN--{warnings}")
            }
        };
        message(&mut out, report, diagnostic, &kind, &tail(diagnostic));
        if errors > MOST_ERRORS {
            let _ = writeln!(
                out,
                "Error count exceeds {MOST_ERRORS}; stopping compilation"
            );
            return out;
        }
    }
    if errors > 0 {
        let _ = writeln!(out, "***Semantic check found {errors} errors");
    }
    out
}

/// What the restricted preprocessor says, without the colon.
fn preprocessing(diagnostic: &Diagnostic) -> Option<&str> {
    let own = diagnostic.code.id.starts_with("BRK3");
    own.then(|| diagnostic.classic.trim_start_matches([':', ' ']))
}

/// What stands behind the number.
fn tail(diagnostic: &Diagnostic) -> String {
    match diagnostic.classic.as_str() {
        "" => format!(": {}", diagnostic.message),
        tail => tail.to_string(),
    }
}

/// Whether AMD's compiler would have failed to parse the text.
fn is_syntax(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.is_any(&[
        &codes::SYNTAX_ERROR,
        &codes::SYNTAX_MISSING,
        &codes::SYNTAX_OPERATOR,
        &codes::MISSPELLED_KEYWORD,
        &codes::UNBALANCED,
        &codes::BROOK_CONSTRUCTOR_COUNT,
    ])
}

/// One message. A String cannot fail to be written to.
fn message(out: &mut String, report: &Report, diagnostic: &Diagnostic, kind: &str, tail: &str) {
    let file = diagnostic.location.and_then(|l| report.files.get(l.file));
    let place = match (diagnostic.location, file) {
        (Some(location), Some(file)) => {
            let (line, _) = file.line_column(location.span.start);
            format!("{}({line}) : ", file.name)
        }
        _ => String::new(),
    };
    let piece = match (diagnostic.location, file) {
        (Some(location), Some(file)) => location.span.of(&file.text),
        _ => "",
    };
    if is_syntax(diagnostic) {
        // Grammars differ in the word at which they notice it; the old one mostly named its class.
        let _ = writeln!(out, "{place}Error (syntax error) before 'Identifier'");
    } else {
        let _ = writeln!(out, "{place}{kind}{tail}");
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "\tNote: {}", note.message);
    }
    let piece: Vec<&str> = piece.split_whitespace().collect();
    if !piece.is_empty() {
        let _ = writeln!(out, "\n\tStatement: {}\n", piece.join(" "));
    }
}
