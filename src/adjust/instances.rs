//! Kernels out of kernel templates: each one asked for is a copy of the template's function, with the
//! arguments in place of the parameters and with a name of its own.

use super::request::{Request, split};
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::lex::{Token, TokenKind, lex};
use crate::preprocess::Preprocessed;
use crate::source::{Edits, Span};
use std::collections::HashSet;

/// A kernel that came from a template: its name in the text, and the name by which it is asked for.
pub(crate) type Instance = (String, String);

/// A template of a kernel; tokens by index.
struct Template<'t> {
    name: &'t str,
    /// The token of its name.
    name_at: usize,
    parameters: Vec<Parameter<'t>>,
    /// The whole declaration, attributes before `template` included.
    first: usize,
    /// What is copied besides such attributes: from the return type or an attribute to the last brace.
    function: usize,
    end: usize,
}

struct Parameter<'t> {
    name: &'t str,
    is_type: bool,
    default: Option<&'t str>,
}

/// Puts the kernels that are asked for in place of their templates.
pub(super) fn instantiate(
    read: &Preprocessed,
    requests: &[String],
    edits: &mut Edits,
    sink: &mut Sink,
) -> Vec<Instance> {
    let tokens = lex(&read.text);
    let text = Text {
        text: &read.text,
        tokens: &tokens,
    };
    let templates = text.templates();
    let mut taken: HashSet<String> = tokens
        .iter()
        .filter(|t| t.is_identifier())
        .map(|t| t.text(&read.text).to_string())
        .collect();
    let mut instances: Vec<Instance> = Vec::new();
    let mut done: HashSet<usize> = HashSet::new();
    for given in requests {
        let Some(request) = Request::parse(given) else {
            sink.push(Diagnostic::new(&codes::INSTANCE_MALFORMED, None, &[given]));
            continue;
        };
        if instances.iter().any(|(_, known)| known == given.trim()) {
            continue;
        }
        let arguments = templates
            .iter()
            .enumerate()
            .find_map(|(index, t)| Some((index, t, t.arguments(&request)?)));
        let Some((index, template, arguments)) = arguments else {
            let known: Vec<String> = templates.iter().map(Template::describe).collect();
            let known = match known.is_empty() {
                true => "there is no template of a kernel".to_string(),
                false => format!("there is {}", known.join(", ")),
            };
            let code = &codes::INSTANCE_UNKNOWN;
            sink.push(Diagnostic::new(code, None, &[&given.trim(), &known]));
            continue;
        };
        let identifier = request.identifier(&mut taken);
        text.copy(template, &arguments, &identifier, edits);
        instances.push((identifier, given.trim().to_string()));
        done.insert(index);
    }
    for index in done {
        if let Some(template) = templates.get(index) {
            edits.delete(text.span(template.first, template.end));
        }
    }
    instances
}

impl<'t> Template<'t> {
    /// An argument for each parameter, if the request is for this template.
    fn arguments<'r>(&self, request: &Request<'r>) -> Option<Vec<&'r str>>
    where
        't: 'r,
    {
        if self.name != request.name || request.arguments.len() > self.parameters.len() {
            return None;
        }
        let given = request.arguments.iter().copied().map(Some);
        let all = given.chain(std::iter::repeat(None));
        self.parameters
            .iter()
            .zip(all)
            .map(|(parameter, given)| given.or(parameter.default))
            .collect()
    }

    /// `f<T, N>`
    fn describe(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|p| p.name).collect();
        format!("{}<{}>", self.name, names.join(", "))
    }
}

struct Text<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl<'t> Text<'t> {
    fn word(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |t| t.text(self.text))
    }

    fn span(&self, first: usize, end: usize) -> Span {
        match (self.tokens.get(first), self.tokens.get(end - 1)) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::at(0),
        }
    }

    /// The index after what closes the bracket at `open`.
    fn after(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The index after the `>` that closes the `<` at `open`.
    fn after_angle(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = open;
        while at < self.tokens.len() {
            match self.word(at) {
                "<" => depth += 1,
                ">" => depth = depth.checked_sub(1)?,
                ">>" => depth = depth.checked_sub(2)?,
                "(" | "[" => {
                    at = self.after(at)?;
                    continue;
                }
                ";" | "{" | "}" => return None,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn templates(&self) -> Vec<Template<'t>> {
        (0..self.tokens.len())
            .filter(|&at| self.word(at) == "template" && self.word(at + 1) == "<")
            .filter_map(|at| self.template(at))
            .collect()
    }

    /// The template that begins at a token, if it is one of a kernel and has a body.
    fn template(&self, keyword: usize) -> Option<Template<'t>> {
        let function = self.after_angle(keyword + 1)?;
        let parameters = self.parameters(keyword + 2, function - 1)?;
        // Attributes may stand before the keyword as well.
        let mut first = keyword;
        while first >= 8 && self.is_attribute(first - 8) {
            first -= 8;
        }
        let mut is_kernel = (first..keyword).any(|at| self.word(at) == "okl_kernel");
        let mut at = function;
        let open = loop {
            match self.word(at) {
                "[" => {
                    is_kernel |= self.word(at + 2) == "okl_kernel";
                    at = self.after(at)?;
                }
                "(" => break at,
                ";" | "{" | "}" | "=" | "" => return None,
                _ => at += 1,
            }
        };
        let mut body = self.after(open)?;
        while self.word(body) == "[" {
            body = self.after(body)?;
        }
        if !is_kernel || self.word(body) != "{" {
            return None;
        }
        Some(Template {
            name: self.word(open - 1),
            name_at: open - 1,
            parameters,
            first,
            function,
            end: self.after(body)?,
        })
    }

    /// `[` `[` okl_name `(` "…" `)` `]` `]` at a token.
    fn is_attribute(&self, at: usize) -> bool {
        self.word(at) == "["
            && self.word(at + 1) == "["
            && self.word(at + 2).starts_with("okl_")
            && self.after(at) == Some(at + 8)
    }

    fn parameters(&self, from: usize, to: usize) -> Option<Vec<Parameter<'t>>> {
        let inner = match from < to {
            true => self.span(from, to).of(self.text),
            false => "",
        };
        split(inner).into_iter().map(parameter).collect()
    }

    /// Writes an instance where its template begins, each token with its way back.
    fn copy(&self, template: &Template<'t>, arguments: &[&str], name: &str, edits: &mut Edits) {
        let at = self.span(template.first, template.end).start;
        let known = |word: &str| {
            let index = template.parameters.iter().position(|p| p.name == word)?;
            let (parameter, argument) = (template.parameters.get(index)?, arguments.get(index)?);
            Some(in_place(argument, parameter.is_type))
        };
        let keyword = self.span(template.first, template.function).start;
        let before = self
            .tokens
            .iter()
            .enumerate()
            .skip(template.first)
            .take_while(|(_, t)| !t.is(self.text, "template"));
        let function = self
            .tokens
            .iter()
            .enumerate()
            .take(template.end)
            .skip(template.function);
        let mut done = None;
        for (index, token) in before.chain(function) {
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
            let member = index > 0 && matches!(self.word(index - 1), "." | "->");
            let new = match token.kind {
                TokenKind::Identifier if index == template.name_at => name.to_string(),
                TokenKind::Identifier if !member => known(word).unwrap_or_else(|| word.to_string()),
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

/// `typename T`, `int N = 4`
fn parameter(text: &str) -> Option<Parameter<'_>> {
    let (head, default) = match text.split_once('=') {
        Some((head, default)) => (head, Some(default.trim())),
        None => (text, None),
    };
    let mut words = head.split_ascii_whitespace();
    let is_type = matches!(words.next()?, "typename" | "class");
    let name = words.next_back()?;
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    plain.then_some(Parameter {
        name,
        is_type,
        default,
    })
}

/// An argument as it stands for its parameter.
fn in_place(argument: &str, is_type: bool) -> String {
    let plain = argument
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match is_type || plain {
        true => argument.to_string(),
        false => format!("({argument})"),
    }
}

/// The string of an attribute with parameters replaced.
fn within(string: &str, known: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(string.len());
    let mut done = 0;
    let inner = string.get(1..string.len().saturating_sub(1)).unwrap_or("");
    for token in lex(inner) {
        if token.is_identifier()
            && let Some(argument) = known(token.text(inner))
        {
            out.push_str(Span::new(done, token.span.start).of(inner));
            out.push_str(&argument.replace('\\', "\\\\").replace('"', "\\\""));
            done = token.span.end;
        }
    }
    out.push_str(inner.get(done as usize..).unwrap_or(""));
    format!("\"{out}\"")
}
