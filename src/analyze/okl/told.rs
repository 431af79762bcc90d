//! What the command line defines, in messages about what comes of it.

use crate::analyze::Context;
use crate::diagnostics::{Diagnostic, nearest};
use crate::lex::lex;
use crate::source::{COMMAND_LINE, Files, Location, Span};

/// The macros of the command line: their names, and where they are said.
fn defines(files: &Files) -> Vec<(&str, Location)> {
    let mut found = Vec::new();
    for (id, file) in files.iter().filter(|(_, f)| f.name == COMMAND_LINE) {
        let mut start = 0;
        for line in file.text.split_inclusive('\n') {
            if let Some(rest) = line.strip_prefix("#define ") {
                let name = rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
                let begins = start + line.len() - rest.len();
                let span = Span::from(begins..begins + rest.trim_end().len());
                found.push((
                    name.into_iter().next().unwrap_or(""),
                    Location { file: id, span },
                ));
            }
            start += line.len();
        }
    }
    found
}

/// Adds which macros of the command line an attribute mentions: it is read after these were put in.
pub(super) fn with_defines(context: &Context<'_>, mut message: Diagnostic) -> Diagnostic {
    let files = &context.provenance.files;
    let Some((at, file)) = message
        .location
        .and_then(|at| Some((at, files.get(at.file)?)))
    else {
        return message;
    };
    let rest = file.text.get(at.span.start as usize..).unwrap_or("");
    if !rest.starts_with('@') && !rest.starts_with("[[") {
        return message;
    }
    let defines = defines(files);
    if defines.is_empty() {
        return message;
    }
    let mut depth = 0usize;
    for token in lex(rest) {
        let word = token.text(rest);
        match word {
            "(" | "[" => depth += 1,
            ")" | "]" if depth <= 1 => break,
            ")" | "]" => depth -= 1,
            ";" | "{" => break,
            _ => {}
        }
        if let Some((name, at)) = defines.iter().find(|(name, _)| *name == word) {
            message = message.note(format!("'{name}' is what -D says"), Some(*at));
        }
    }
    message
}

/// A macro of the command line that may be meant by a name but for its case.
pub(super) fn but_for_case<'c>(context: &Context<'c>, name: &str) -> Option<&'c str> {
    let all = defines(&context.provenance.files);
    let lower: Vec<String> = all.iter().map(|(n, _)| n.to_lowercase()).collect();
    let name = name.to_lowercase();
    let near = match lower.contains(&name) {
        true => name.as_str(),
        false => nearest(&name, lower.iter().map(String::as_str))?,
    };
    let index = lower.iter().position(|n| n == near)?;
    all.get(index).map(|(name, _)| *name)
}
