//! The preprocessor of AMD's Brook+ compiler, `brcc -pp` (programming guide, section 1.15): `#define` of a
//! name, `#undef`, `#if` of one number or name, `#ifdef`, `#ifndef`, `#else`, `#endif`, and nothing else.

use super::Define;
use crate::diagnostics::{Code, Diagnostic, Report, Sink, codes};
use crate::lex::{Token, TokenKind, lex};
use crate::source::{FileId, Location, SourceFile, Span};
use foldhash::HashMap;
use std::fmt::Display;

/// Macros inside macros: deeper ones are left as they are.
const DEEPEST: usize = 64;

/// What is left of a text, line for line, and what there was to say about it.
pub fn amd_preprocessed(name: &str, text: &str, defines: &[Define]) -> (String, Report) {
    let mut files = crate::source::Files::default();
    files.add(SourceFile::plain(name, text));
    let macros = defines
        .iter()
        .map(|d| (d.name.clone(), d.value.clone()))
        .collect();
    let mut pass = Pass {
        text,
        macros,
        conditions: Vec::new(),
        out: String::with_capacity(text.len()),
        sink: Sink::default(),
    };
    pass.run();
    let Pass { out, sink, .. } = pass;
    let diagnostics = sink.into_sorted();
    (out, Report { diagnostics, files })
}

/// A conditional that is open.
struct Condition {
    at: Span,
    /// Its branch is read.
    taken: bool,
    /// What is around it is read.
    around: bool,
    /// Its `#else` has been.
    other: bool,
}

struct Pass<'t> {
    text: &'t str,
    macros: HashMap<String, String>,
    conditions: Vec<Condition>,
    out: String,
    sink: Sink,
}

impl Pass<'_> {
    fn run(&mut self) {
        let text = self.text;
        let tokens = lex(text);
        let mut done = 0usize;
        let mut index = 0;
        while index < tokens.len() {
            let token = tokens[index];
            let start = token.span.start as usize;
            if token.line_start && token.is(text, "#") {
                self.copy(done, start);
                let line_end = text[start..].find('\n').map_or(text.len(), |n| start + n);
                let mut next = index + 1;
                while tokens
                    .get(next)
                    .is_some_and(|t| (t.span.start as usize) < line_end)
                {
                    next += 1;
                }
                let line = Span::new(start as u32, line_end as u32);
                self.directive(&tokens[index + 1..next], line);
                done = line_end;
                index = next;
                continue;
            }
            let end = token.span.end as usize;
            self.copy(done, start);
            match self.active() {
                true if token.is_identifier() => self.expand(token.text(text), 0),
                true => self.out.push_str(&text[start..end]),
                false => self.newlines(start, end),
            }
            done = end;
            index += 1;
        }
        self.copy(done, text.len());
        if let Some(open) = self.conditions.last() {
            let at = open.at;
            self.say(&codes::BROOK_PP_ENDIF, at, &[]);
        }
    }

    fn active(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.taken && c.around)
    }

    /// White space and comments between tokens; of what is not read, the lines.
    fn copy(&mut self, from: usize, to: usize) {
        match self.active() {
            true => self.out.push_str(&self.text[from..to]),
            false => self.newlines(from, to),
        }
    }

    fn newlines(&mut self, from: usize, to: usize) {
        let count = self.text[from..to].matches('\n').count();
        self.out.push_str(&"\n".repeat(count));
    }

    /// A name with what it stands for put in its place, again and again.
    fn expand(&mut self, name: &str, depth: usize) {
        let Some(value) = self.macros.get(name).filter(|_| depth < DEEPEST).cloned() else {
            self.out.push_str(name);
            return;
        };
        let mut done = 0;
        for token in lex(&value) {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            self.out.push_str(&value[done..start]);
            let word = token.text(&value);
            match token.is_identifier() && word != name {
                true => self.expand(word, depth + 1),
                false => self.out.push_str(word),
            }
            done = end;
        }
        self.out.push_str(&value[done..]);
    }

    fn say(&mut self, code: &'static Code, span: Span, arguments: &[&dyn Display]) {
        let file = FileId::MAIN;
        let location = Location { file, span };
        self.sink
            .push(Diagnostic::new(code, Some(location), arguments));
    }

    /// The tokens behind the `#`, and the line from there on.
    fn directive(&mut self, tokens: &[Token], line: Span) {
        let text = self.text;
        let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
        let written = line.of(text);
        let open = written
            .rfind("/*")
            .filter(|&at| !written[at..].contains("*/"));
        if open.is_some_and(|_| self.active()) {
            let location = Some(Location {
                file: FileId::MAIN,
                span: line,
            });
            let message = Diagnostic::new(&codes::BROOK_PP_COMMENT_END, location, &[]);
            let note =
                "comment should end in the same line if it is in the preprocessor directive line";
            self.sink.push(message.note(note, None));
            return;
        }
        let name = tokens.get(1).filter(|t| t.is_identifier());
        let conditional = matches!(word(0), "if" | "ifdef" | "ifndef" | "else" | "endif");
        if !self.active() && !conditional {
            return;
        }
        // A line that goes on is not handled (section 1.15.1).
        if written.trim_end().ends_with('\\') {
            self.say(&codes::BROOK_PP_SYNTAX, line, &[]);
            return;
        }
        match word(0) {
            "define" => self.define(name, tokens.len() > 1, line),
            "undef" => match name {
                Some(name) => {
                    self.rest(&codes::BROOK_PP_UNDEF_REST, tokens, 2, line);
                    self.macros.remove(name.text(text));
                }
                None => self.missing(tokens, &codes::BROOK_PP_UNDEF_TOKEN, line),
            },
            "ifdef" | "ifndef" => {
                let wanted = word(0) == "ifdef";
                let (token, rest) = match wanted {
                    true => (&codes::BROOK_PP_IFDEF_TOKEN, &codes::BROOK_PP_IFDEF_REST),
                    false => (&codes::BROOK_PP_IFNDEF_TOKEN, &codes::BROOK_PP_IFNDEF_REST),
                };
                let mut taken = false;
                match name {
                    _ if !self.active() => {}
                    Some(name) => {
                        self.rest(rest, tokens, 2, line);
                        taken = self.macros.contains_key(name.text(text)) == wanted;
                    }
                    None => self.missing(tokens, token, line),
                }
                self.open(line, taken);
            }
            "if" => {
                let taken = self.active() && self.value(tokens, line);
                self.open(line, taken);
            }
            "else" => {
                self.rest(&codes::BROOK_PP_ELSE_REST, tokens, 1, line);
                match self.conditions.last_mut() {
                    Some(condition) if !condition.other => {
                        condition.other = true;
                        condition.taken = !condition.taken;
                    }
                    _ => self.say(&codes::BROOK_PP_SYNTAX, line, &[]),
                }
            }
            "endif" => {
                self.rest(&codes::BROOK_PP_ENDIF_REST, tokens, 1, line);
                if self.conditions.pop().is_none() {
                    self.say(&codes::BROOK_PP_SYNTAX, line, &[]);
                }
            }
            "include" => self.say(&codes::BROOK_PP_INCLUDE, line, &[]),
            "line" => self.say(&codes::BROOK_PP_LINE, line, &[]),
            _ => self.say(&codes::BROOK_PP_SYNTAX, line, &[]),
        }
    }

    /// `#define NAME text`
    fn define(&mut self, name: Option<&Token>, something: bool, line: Span) {
        let text = self.text;
        let Some(name) = name else {
            let code = match something {
                true => &codes::BROOK_PP_SYNTAX,
                false => &codes::BROOK_PP_DEFINE_TOKEN,
            };
            self.say(code, line, &[]);
            return;
        };
        let behind = Span::new(name.span.end, line.end).of(text);
        if behind.starts_with('(') {
            self.say(&codes::BROOK_PP_SYNTAX, line, &[]);
            return;
        }
        let value = without_comments(behind);
        let name = name.text(text).to_string();
        if self.macros.insert(name.clone(), value).is_some() {
            self.say(&codes::BROOK_PP_REDEFINITION, line, &[&name]);
            self.say(&codes::BROOK_PP_PREVIOUS, line, &[&name]);
        }
    }

    fn open(&mut self, at: Span, taken: bool) {
        let around = self.active();
        self.conditions.push(Condition {
            at,
            // With nothing around it that is read, neither branch is.
            taken,
            around,
            other: false,
        });
    }

    fn missing(&mut self, tokens: &[Token], code: &'static Code, line: Span) {
        let code = match tokens.len() {
            0 | 1 => code,
            _ => &codes::BROOK_PP_SYNTAX,
        };
        self.say(code, line, &[]);
    }

    /// What stands behind a whole directive.
    fn rest(&mut self, code: &'static Code, tokens: &[Token], expected: usize, line: Span) {
        if tokens.len() > expected {
            let name = tokens.get(1).map_or("", |t| t.text(self.text));
            self.say(code, line, &[&name]);
        }
    }

    /// `#if` of a number or a name.
    fn value(&mut self, tokens: &[Token], line: Span) -> bool {
        let text = self.text;
        let [_, operand] = tokens else {
            self.say(&codes::BROOK_PP_IF_SYNTAX, line, &[]);
            return false;
        };
        let word = operand.text(text);
        let written = match operand.kind {
            _ if operand.is_identifier() => match self.macros.get(word) {
                Some(value) => value.trim().to_string(),
                None => {
                    self.say(&codes::BROOK_PP_DIRECTIVE, line, &[&word]);
                    return false;
                }
            },
            TokenKind::Number => word.to_string(),
            _ => {
                self.say(&codes::BROOK_PP_SYNTAX, line, &[]);
                return false;
            }
        };
        match written.parse::<i32>() {
            Ok(value) => value != 0,
            Err(_) => {
                self.say(&codes::BROOK_PP_VALUE, line, &[]);
                false
            }
        }
    }
}

/// The text of a macro.
fn without_comments(text: &str) -> String {
    let tokens = lex(text);
    let mut out = String::new();
    for token in &tokens {
        if token.space_before && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(token.text(text));
    }
    out
}
