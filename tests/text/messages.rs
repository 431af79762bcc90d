//! Brook+'s messages: verdicts of AMD's compiler on one-line programs, what the specification lists, and the
//! reference page.
//!
//! - `tests/data/brcc-verdicts.jsonl`: programs, with the verdict and the messages under strong and relaxed
//!   type checking.
//! - `tests/data/specification-messages.tsv`: sections 7.1 and 7.2 of the specification line by line, with the
//!   code here; `-` where `grammar/unreachable.toml` says why it cannot arise.
//! - `tests/data/runtime-messages.tsv`: section 8, each message with the test that causes it; `-` where
//!   `grammar/unreachable.toml` says why it cannot arise.
//! - `docs/messages.md` is generated; `BROOK_BLESS=1` writes it.

use crate::support::Trial;
use crate::support::cases::root;
use brook::backend::Backend;
use brook::diagnostics::{Report, Severity, codes, find, reference, to_brcc};
use brook::source::MemoryLoader;
use brook::{Checking, Options, Source};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    source: String,
    strict: Verdict,
    relaxed: Verdict,
}

#[derive(Deserialize)]
struct Verdict {
    accepted: bool,
    messages: Vec<String>,
}

/// Rows whose verdict is not AMD's, and why.
const EXEMPT: &[(usize, bool, &str)] = &[
    (14, true, "a declaration in a for loop is C99"),
    (15, true, "a declaration behind a statement is C99"),
    (
        58,
        false,
        "the specification does not allow both kinds of output",
    ),
    (63, true, "a struct without typedef is C"),
    (
        66,
        true,
        "the specification writes 'void kernel' (section 4.1.2)",
    ),
    (
        67,
        true,
        "the specification writes 'void kernel' (section 4.1.1)",
    ),
    (68, true, "the specification writes 'void reduce'"),
    (
        69,
        true,
        "the specification writes the element like a value (section 4.1.2)",
    ),
    (80, true, "bool is an extension"),
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("messages::reference", || Ok(reference_is_current()?)),
        Trial::test(
            "messages::specification",
            || Ok(specification_is_covered()?),
        ),
        Trial::test("messages::runtime", || Ok(runtime_is_covered()?)),
        Trial::test("messages::codes_explain", || Ok(codes_explain()?)),
    ];
    let path = root().join("tests/data/brcc-verdicts.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for (number, line) in text.lines().enumerate() {
        for relaxed in [false, true] {
            let line = line.to_string();
            let mode = if relaxed { "relaxed" } else { "strict" };
            let name = format!("messages::verdict_{number:02}_{mode}");
            trials.push(Trial::test(name, move || {
                Ok(verdict(number, &line, relaxed)?)
            }));
        }
    }
    trials
}

/// What `brcc` says about a program.
fn check(source: &str, relaxed: bool) -> Report {
    let options = Options {
        checking: Checking {
            relaxed,
            ..Checking::default()
        },
        unexpanded: true,
        exported_kernels: true,
        ..Options::default()
    };
    let backend = Backend::built_in("openmp").unwrap();
    let source = Source::new("t.br", source);
    match brook::check(&source, &backend, &options, &MemoryLoader::new()) {
        Ok(warnings) => warnings,
        Err(errors) => *errors,
    }
}

fn verdict(number: usize, line: &str, relaxed: bool) -> Result<(), String> {
    let row: Row = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let expected = if relaxed { row.relaxed } else { row.strict };
    let report = check(&row.source, relaxed);
    let accepted = !report.has_errors();
    let exempt = EXEMPT.iter().find(|(row, ..)| *row == number);
    let wanted = exempt.map_or(expected.accepted, |(_, accepted, _)| *accepted);
    let text = to_brcc(&report);
    if accepted != wanted {
        return Err(format!("{}\naccepted: {accepted}\n{text}", row.source));
    }
    if exempt.is_some() {
        return Ok(());
    }
    let messages: Vec<&str> = text.lines().filter(|l| l.starts_with("t.br(")).collect();
    if messages != expected.messages {
        let expected = expected.messages.join("\n");
        return Err(format!(
            "{}\n--- expected\n{expected}\n--- found\n{text}",
            row.source
        ));
    }
    Ok(())
}

fn reference_is_current() -> Result<(), String> {
    let path = root().join("docs/messages.md");
    let text = reference();
    if std::env::var_os("BROOK_BLESS").is_some() {
        return std::fs::write(path, text).map_err(|e| e.to_string());
    }
    match std::fs::read_to_string(&path) {
        Ok(old) if old == text => Ok(()),
        _ => Err(format!(
            "{} is not what the tables make; BROOK_BLESS=1 writes it",
            path.display()
        )),
    }
}

fn specification_is_covered() -> Result<(), String> {
    let path = root().join("tests/data/specification-messages.tsv");
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut wrong = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.splitn(3, '\t').collect();
        let [kind, id, message] = fields[..] else {
            return Err(format!("three fields in '{line}'?"));
        };
        if id == "-" {
            if !codes::UNREACHABLE.iter().any(|(text, _)| *text == message) {
                wrong.push(format!("no reason for '{message}'"));
            }
            continue;
        }
        let &[code] = find(id).as_slice() else {
            wrong.push(format!("no code {id} for '{message}'"));
            continue;
        };
        // The specification shows examples in place of arguments.
        let mut rest = message.replace('"', "");
        for piece in code.text.split("{}").map(|p| p.replace('"', "")) {
            let piece = piece.trim_matches([':', ' ', '(', ')', ',']);
            match rest.to_lowercase().find(&piece.to_lowercase()) {
                Some(at) => rest = rest.split_off(at + piece.len()),
                None if message.starts_with("Note: ") => {}
                None => wrong.push(format!("{id} says '{}', not '{message}'", code.text)),
            }
        }
        if kind == "warning" && code.severity == Severity::Error && code.classic.is_none() {
            wrong.push(format!("{id} is no message of Brook+"));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Every message of section 8 has a test with its words, or a reason why it cannot arise.
fn runtime_is_covered() -> Result<(), String> {
    let path = root().join("tests/data/runtime-messages.tsv");
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut wrong = Vec::new();
    for line in text.lines() {
        let (test, message) = line.split_once('\t').ok_or("two fields a line")?;
        if test == "-" {
            if !codes::UNREACHABLE.iter().any(|(text, _)| *text == message) {
                wrong.push(format!("no reason for '{message}'"));
            }
            continue;
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let content = std::fs::read_to_string(root().join(test)).unwrap_or_default();
        // Tests of kernels end a message where their own part of it begins.
        let start = message.split(". The results").next().unwrap_or(message);
        if !words(&content.replace("\\\n", "")).contains(start) {
            wrong.push(format!("{test} lacks '{message}'"));
        }
    }
    match wrong.is_empty() && text.lines().count() == 66 {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Every code has one line that explains it.
fn codes_explain() -> Result<(), String> {
    for code in codes::ALL {
        if code.explain.trim().is_empty() || code.explain.contains('\n') {
            return Err(format!("{} has no line of explanation", code.id));
        }
        if find(&code.id.to_lowercase()).is_empty() {
            return Err(format!("{} is not found", code.id));
        }
    }
    Ok(())
}
