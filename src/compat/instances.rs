//! Kernels out of kernel templates: each one asked for is a copy of the template's function, with the
//! arguments in place of the parameters and with a name of its own.

use super::request::Request;
use super::templates::{Plain, Template, Text};
use super::{Adjusted, casts};
use crate::diagnostics::{Code, Diagnostic, Sink, codes};
use crate::lex::{TokenKind, lex};
use crate::module::{KernelTemplate, TemplateInstance, in_place, replaced};
use crate::options::Options;
use crate::preprocess::Preprocessed;
use crate::source::{Edits, Files, Span};
use foldhash::{HashSet, HashSetExt};

/// A kernel that came from a template: its name in the text, and the name by which it is asked for.
pub(crate) type Instance = (String, String);

/// Puts the kernels that are asked for in place of their templates. Other templates stay, unless they are for later.
pub(super) fn instantiate(
    read: &Preprocessed,
    options: &Options,
    edits: &mut Edits,
    sink: &mut Sink,
) -> (Adjusted, Vec<Refused>) {
    let tokens = lex(&read.text);
    let text = Text {
        text: &read.text,
        tokens: &tokens,
    };
    let mut templates = text.templates();
    let plain = text.plain(&templates);
    check_names(&text, &templates, &plain, read, sink);
    let mut taken: HashSet<String> = tokens
        .iter()
        .filter(|t| t.is_identifier())
        .map(|t| t.text(&read.text).to_string())
        .collect();
    let mut instances: Vec<Instance> = Vec::new();
    let mut done: HashSet<usize> = HashSet::new();
    let mut refused: Vec<Refused> = Vec::new();
    for given in &options.instantiate {
        let Some(request) = Request::parse(given) else {
            refused.push(Refused {
                code: &codes::INSTANCE_MALFORMED,
                given: given.clone(),
                known: String::new(),
            });
            continue;
        };
        if instances.iter().any(|(_, known)| known == given.trim()) {
            continue;
        }
        let arguments = templates
            .iter()
            .enumerate()
            .find_map(|(index, t)| Some((index, arguments(&t.known, &request)?)));
        let Some((index, (arguments, canonical))) = arguments else {
            let known: Vec<String> = templates.iter().map(|t| t.known.describe()).collect();
            let known = match known.is_empty() {
                true => "there is no template of a kernel".to_string(),
                false => format!("there is {}", known.join(", ")),
            };
            refused.push(Refused {
                code: &codes::INSTANCE_UNKNOWN,
                given: given.trim().to_string(),
                known,
            });
            continue;
        };
        let identifier = request.identifier(&mut taken);
        if let Some(template) = templates.get_mut(index) {
            text.copy(template, &arguments, &identifier, edits);
            template.known.instances.push(TemplateInstance {
                name: given.trim().to_string(),
                arguments: canonical,
            });
        }
        instances.push((identifier, given.trim().to_string()));
        done.insert(index);
    }
    for (index, template) in templates.iter().enumerate() {
        if options.templates_later || done.contains(&index) {
            edits.delete(text.span(template.first, template.end));
        }
    }
    for kernel in plain.iter().filter(|_| options.only_instances) {
        edits.delete(text.span(kernel.first, kernel.end));
    }
    let adjusted = Adjusted {
        instances,
        templates: templates.into_iter().map(|t| t.known).collect(),
    };
    (adjusted, refused)
}

/// A kernel that is asked for and cannot be made.
pub(super) struct Refused {
    code: &'static Code,
    given: String,
    /// What there is.
    known: String,
}

impl Refused {
    /// Says so, where it was asked for.
    pub(super) fn say(&self, files: &mut Files, sink: &mut Sink) {
        let at = files.add_argument("--instantiate", &self.given);
        let arguments: [&dyn std::fmt::Display; 2] = [&self.given, &self.known];
        sink.push(Diagnostic::new(self.code, Some(at), &arguments));
    }
}

/// A kernel is found by its name alone, so that two templates, or a template and a kernel, have two names.
fn check_names(
    text: &Text<'_>,
    templates: &[Template],
    plain: &[Plain],
    read: &Preprocessed,
    sink: &mut Sink,
) {
    let plain = plain.iter().map(|k| k.name_at);
    let mut all: Vec<usize> = templates.iter().map(|t| t.name_at).chain(plain).collect();
    all.sort_unstable();
    for (index, &at) in all.iter().enumerate() {
        let is_template = |at: usize| templates.iter().any(|t| t.name_at == at);
        let mut before = all[..index].iter();
        let first = before.find(|&&other| {
            text.word(other) == text.word(at) && (is_template(other) || is_template(at))
        });
        if let Some(&first) = first {
            let (code, span) = (&codes::KERNEL_TWICE, text.span(at, at + 1));
            let name = text.word(at);
            let message = Diagnostic::at(code, &read.provenance, span, &[&name]);
            let first = read.provenance.spelled(text.span(first, first + 1));
            sink.push(message.note("the first one is here", first));
        }
    }
}

/// An argument for each parameter, if the request is for this template: as it was written, and in the one spelling.
fn arguments(
    template: &KernelTemplate,
    request: &Request<'_>,
) -> Option<(Vec<String>, Vec<String>)> {
    if template.name != request.name || request.arguments.len() > template.parameters.len() {
        return None;
    }
    let given = request.arguments.iter().map(|a| Some(a.to_string()));
    let given: Vec<Option<String>> = given.collect();
    let canonical = template.complete(&given).ok()?;
    let written = canonical.iter().enumerate().map(|(index, canonical)| {
        let given = given.get(index).cloned().flatten();
        given.unwrap_or_else(|| canonical.clone())
    });
    Some((written.collect(), canonical))
}

impl Text<'_> {
    /// Writes an instance where its template begins, each token with its way back.
    fn copy(&self, template: &Template, arguments: &[String], name: &str, edits: &mut Edits) {
        let at = self.span(template.first, template.end).start;
        let known = |word: &str| {
            let index = template.known.parameter(word)?;
            let parameter = template.known.parameters.get(index)?;
            Some(in_place(
                arguments.get(index)?,
                parameter.type_name.is_none(),
            ))
        };
        let keyword = self.span(template.first, template.function).start;
        let before = template.first..template.keyword;
        let mut done = None;
        for index in before.chain(template.function..template.end) {
            let Some(token) = self.tokens.get(index) else {
                continue;
            };
            // White space and comments as they stand, but not across what is left out.
            let gap = match done {
                Some(done) if index != template.function => Span::new(done, token.span.start),
                _ => Span::at(token.span.start),
            };
            if !gap.is_empty() {
                edits.insert_moved(at, gap.of(self.text).to_string(), gap.start);
            } else if index == template.function && done.is_some() {
                edits.insert_moved(at, " ", keyword);
            }
            done = Some(token.span.end);
            let word = token.text(self.text);
            let member = index > 0 && matches!(self.word(index - 1), "." | "->" | "::");
            let new = match token.kind {
                TokenKind::Identifier if index == template.name_at => name.to_string(),
                TokenKind::Identifier if !member => match known(word) {
                    // Types of several words cannot be called; nor can these, by the parser (`casts.rs`).
                    Some(new)
                        if (new.contains(' ') || matches!(&*new, "long" | "short"))
                            && casts::is_functional(self, index) =>
                    {
                        format!("({new})")
                    }
                    Some(new) => new,
                    None => word.to_string(),
                },
                TokenKind::String if self.word(index.saturating_sub(2)).starts_with("okl_") => {
                    within(word, &known)
                }
                _ => word.to_string(),
            };
            edits.insert_moved(at, new, token.span.start);
        }
        edits.insert_moved(at, "\n", at);
    }
}

/// The string of an attribute with parameters replaced.
fn within(string: &str, known: &dyn Fn(&str) -> Option<String>) -> String {
    let inner = string.get(1..string.len().saturating_sub(1)).unwrap_or("");
    let escaped = |word: &str| Some(known(word)?.replace('\\', "\\\\").replace('"', "\\\""));
    format!("\"{}\"", replaced(inner, &escaped))
}
