//! Names of kernels and streams that host code misspells. Host code is C++ that another compiler reads, so that only one
//! thing is certain: a name that stands in a program once is declared nowhere in it.

use crate::diagnostics::{Diagnostic, Fix, Sink, codes, is_certain, nearest};
use crate::lex::{Token, lex};
use crate::library::{self, Role};
use crate::module::Module;
use crate::source::Span;
use foldhash::{HashMap, HashMapExt};

/// Reports them: calls of kernels, and streams among the arguments of calls.
pub(crate) fn check_names(module: &Module, sink: &mut Sink) {
    // A part of a program may be included where more is declared, as what a header declares that was not read.
    let Some(host) = module.host.as_ref().filter(|h| h.has_main) else {
        return;
    };
    let text = host.text.as_str();
    let tokens = lex(text);
    if includes_unknown(&tokens, text) {
        return;
    }
    let mut count: HashMap<&str, usize> = HashMap::new();
    for token in tokens.iter().filter(|t| t.is_identifier()) {
        *count.entry(token.text(text)).or_default() += 1;
    }
    let written: Vec<Span> = host.kernels.iter().map(|k| k.span).collect();
    let kernels = || host.kernels.iter().map(|k| k.name.as_str());
    let declarators = || host.streams.iter().flat_map(|s| &s.declarators);
    let streams = || declarators().map(|d| d.name.as_str());
    let word = |at: usize| tokens.get(at).map_or("", |t: &Token| t.text(text));
    for (at, token) in tokens.iter().enumerate() {
        let name = token.text(text);
        let once = token.is_identifier() && count.get(name) == Some(&1);
        if !once || token.span.holder(&written).is_some() || library::is_known(name, Role::Function)
        {
            continue;
        }
        let before = word(at.wrapping_sub(1));
        let (what, near) = match (before, word(at + 1)) {
            (";" | "{" | "}", "(") => ("kernel", nearest(name, kernels())),
            ("(" | ",", "," | ")") => ("stream", nearest(name, streams())),
            _ => continue,
        };
        let Some(near) = near.filter(|near| is_certain(name, near)) else {
            continue;
        };
        let at = host.written(&module.provenance.files, token.span);
        let code = &codes::BROOK_HOST_NAME;
        let message = Diagnostic::new(code, Some(at), &[&what, &name]);
        let message = message
            .label(format!("did you mean '{near}'?"))
            .fix(Fix::rename(&[at], near, true));
        sink.push(message);
    }
}

/// Whether host code includes more than C's headers.
fn includes_unknown(tokens: &[Token], text: &str) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |t: &Token| t.text(text));
    (0..tokens.len()).any(|at| {
        let first = tokens.get(at).is_some_and(|t| t.line_start);
        let include = first && word(at) == "#" && word(at + 1) == "include";
        include && !library::is_c_header(directive(tokens, text, at))
    })
}

/// The line of a directive.
fn directive<'t>(tokens: &[Token], text: &'t str, at: usize) -> &'t str {
    let start = tokens.get(at).map_or(0, |t| t.span.start as usize);
    let line = text.get(start..).and_then(|rest| rest.lines().next());
    line.unwrap_or("")
}
