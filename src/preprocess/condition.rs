use super::State;
use super::directives::Line;
use super::macros::{BuiltIn, Meaning, VENDOR};
use super::scan::Frame;
use crate::diagnostics::codes;
use crate::lex::TokenKind;
use crate::source::Location;
use std::rc::Rc;

/// An `#if` that is open.
#[derive(Debug)]
pub(super) struct Conditional {
    /// `if`, `ifdef` or `ifndef`, and where it stands.
    name: Box<str>,
    location: Location,
    /// One of its groups has been read.
    taken: bool,
    /// `#else` has been seen.
    otherwise: bool,
}

impl State<'_> {
    /// A directive of a conditional, in text that is read.
    pub(super) fn conditional(&mut self, line: &Line) {
        match line.name() {
            "if" | "ifdef" | "ifndef" => {
                let taken = self.condition(line);
                let location = line.location(self);
                let open = Conditional {
                    name: line.name().into(),
                    location,
                    taken,
                    otherwise: false,
                };
                if let Some(frame) = self.frames.last_mut() {
                    frame.conditionals.push(open);
                }
                if !taken {
                    self.skip();
                }
            }
            "endif" => {
                let open = self.frames.last_mut().and_then(|f| f.conditionals.pop());
                if open.is_none() {
                    self.stray(line);
                }
            }
            _ => match self.frames.last().and_then(|f| f.conditionals.last()) {
                None => self.stray(line),
                // The group that was read ends here; none of the others is.
                Some(_) => {
                    self.alternative(line);
                    self.skip();
                }
            },
        }
    }

    fn stray(&mut self, line: &Line) {
        let location = line.location(self);
        self.fail(&codes::CONDITION_STRAY, location, &[&line.name()]);
    }

    /// Skips groups up to the one to read, or to the end of the conditional.
    fn skip(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let source = Rc::clone(&frame.source);
        let mut at = frame.at;
        let mut nested = 0usize;
        while let Some(token) = source.tokens.get(at) {
            if token.kind == TokenKind::UnterminatedComment {
                self.lexical_error(&source, *token);
            }
            if !token.line_start || !source.is_directive(at) {
                at += 1;
                continue;
            }
            let end = source.line_end(at);
            let line = Line {
                source: Rc::clone(&source),
                hash: at,
                end,
            };
            at = end;
            match line.name() {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "endif" if nested > 0 => nested -= 1,
                "endif" => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.conditionals.pop();
                        frame.at = end;
                    }
                    return;
                }
                "else" | "elif" | "elifdef" | "elifndef" if nested == 0 => {
                    if let Some(frame) = self.frames.last_mut() {
                        (frame.at, frame.began) = (end, line.hash);
                    }
                    if self.alternative(&line) || self.stopped {
                        return;
                    }
                }
                _ => {}
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at;
            frame.copied = source.text.len() as u32;
        }
    }

    /// `#else` or `#elif` of the innermost conditional: whether its group is to be read.
    fn alternative(&mut self, line: &Line) -> bool {
        let is_else = line.name() == "else";
        let Some(open) = self
            .frames
            .last_mut()
            .and_then(|f| f.conditionals.last_mut())
        else {
            return false;
        };
        let (after_else, was_taken, begin) = (open.otherwise, open.taken, open.location);
        open.otherwise |= is_else;
        if after_else {
            let location = line.location(self);
            let diagnostic = crate::diagnostics::Diagnostic::new(
                &codes::CONDITION_AFTER_ELSE,
                Some(location),
                &[&line.name()],
            );
            self.sink
                .push(diagnostic.note("the conditional begins here", Some(begin)));
            return false;
        }
        let take = !was_taken && (is_else || self.condition(line));
        if let Some(open) = self
            .frames
            .last_mut()
            .and_then(|f| f.conditionals.last_mut())
        {
            open.taken |= take;
        }
        take
    }

    /// What `#if`, `#ifdef` and their like say.
    fn condition(&mut self, line: &Line) -> bool {
        let wanted = match line.name() {
            "ifdef" | "elifdef" => true,
            "ifndef" | "elifndef" => false,
            _ => return self.evaluate(line),
        };
        let name = line.source.tokens.get(line.rest().start);
        let Some(name) = name.filter(|t| !line.rest().is_empty() && t.is_identifier()) else {
            let location = line.location(self);
            let what = "expected the name of a macro";
            self.fail(
                &codes::CONDITION_MALFORMED,
                location,
                &[&line.name(), &what],
            );
            return false;
        };
        let spelling = line.source.spelling(*name);
        match self.is_defined(&spelling) {
            Some(defined) => defined == wanted,
            None => {
                let location = self.at_token(&line.source, *name);
                self.fail(&codes::CONDITION_VENDOR, location, &[&spelling]);
                false
            }
        }
    }

    /// Whether a macro of that name is defined; `None` if only the vendor's compiler knows.
    pub(super) fn is_defined(&self, name: &str) -> Option<bool> {
        match self.macros.get(name) {
            Some(found) => Some(!matches!(found.meaning, Meaning::BuiltIn(BuiltIn::Pragma))),
            None if VENDOR.contains(&name) => None,
            None => Some(false),
        }
    }

    /// Reports conditionals that a file leaves open.
    pub(super) fn report_open(&mut self, frame: &Frame) {
        if self.stopped {
            return;
        }
        for open in &frame.conditionals {
            self.fail(&codes::CONDITION_OPEN, open.location, &[&open.name]);
        }
    }
}
