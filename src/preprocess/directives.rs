use super::State;
use super::pieces::Source;
use crate::diagnostics::codes;
use crate::lex::TokenKind;
use crate::source::{Location, Place};
use std::ops::Range;
use std::rc::Rc;

/// A directive: the tokens of its line.
pub(super) struct Line {
    pub source: Rc<Source>,
    /// Index of the `#`.
    pub hash: usize,
    /// Index after its last token.
    pub end: usize,
}

impl Line {
    pub fn name(&self) -> &str {
        if self.hash + 1 < self.end {
            self.source.word(self.hash + 1)
        } else {
            ""
        }
    }

    /// Whether a quote of it is not closed.
    pub fn is_unterminated(&self) -> bool {
        let tokens = self.source.tokens.get(self.rest()).unwrap_or_default();
        tokens
            .iter()
            .any(|t| t.kind == TokenKind::UnterminatedString)
    }

    /// What follows the name.
    pub fn rest(&self) -> Range<usize> {
        (self.hash + 2).min(self.end)..self.end
    }

    pub fn location(&self, state: &State<'_>) -> Location {
        let first = self.source.tokens[self.hash];
        let last = self
            .source
            .tokens
            .get(self.end - 1)
            .copied()
            .unwrap_or(first);
        state.at_tokens(&self.source, first, last)
    }
}

impl State<'_> {
    /// Obeys the directive that comes next in the innermost file.
    pub(super) fn directive(&mut self) {
        let Some(line) = self.take_line() else { return };
        self.copy_before(&line);
        if !self.obey(&line) {
            match line.name() {
                "include" | "include_next" => {
                    self.drop_line();
                    return self.include(&line);
                }
                "pragma" => self.pragma(&line),
                name => {
                    let location = line.location(self);
                    self.fail(&codes::UNKNOWN_DIRECTIVE, location, &[&name]);
                    self.keep(&line);
                }
            }
        }
        self.drop_line();
    }

    /// Obeys a directive that stands among the arguments of a macro.
    pub(super) fn directive_in_arguments(&mut self) {
        let Some(line) = self.take_line() else { return };
        let before = std::mem::replace(&mut self.in_arguments, true);
        let obeyed = self.obey(&line);
        self.in_arguments = before;
        if !obeyed {
            let location = line.location(self);
            self.fail(&codes::MACRO_ARGUMENT_DIRECTIVE, location, &[&line.name()]);
        }
    }

    /// Takes the tokens of a directive; what comes next is the line after it.
    fn take_line(&mut self) -> Option<Line> {
        let frame = self.frames.last_mut()?;
        let (source, hash) = (Rc::clone(&frame.source), frame.at);
        let end = source.line_end(hash);
        frame.at = end;
        // Even where the rest is no C, a comment must end.
        let last = source.tokens.get(end - 1).copied()?;
        if last.kind == TokenKind::UnterminatedComment {
            self.lexical_error(&source, last);
        }
        Some(Line { source, hash, end })
    }

    /// Directives that leave nothing in the text. False for all others.
    fn obey(&mut self, line: &Line) -> bool {
        let source = &line.source;
        match line.name() {
            "define" => self.define(source, line.rest(), true),
            "undef" => self.undefine(source, line.rest()),
            "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif" => {
                self.conditional(line);
            }
            // The vendor's compiler decides whether it comes to that.
            "error" | "warning" if self.in_kept_group() && !self.in_arguments => self.keep(line),
            "error" | "warning" => {
                let pieces = self.texts.pieces(source, line.rest());
                let text = self.texts.join(&pieces);
                let code = match line.name() {
                    "error" => &codes::ERROR_DIRECTIVE,
                    _ => &codes::WARNING_DIRECTIVE,
                };
                let location = line.location(self);
                self.fail(code, location, &[&text]);
            }
            "" => {}
            "line" => self.claim(line, line.rest()),
            // What other preprocessors leave behind: `# 1 "file"`.
            _ => {
                let second = source.tokens.get(line.hash + 1);
                let is_marker = second.is_some_and(|t| t.kind == TokenKind::Number);
                if is_marker {
                    self.claim(line, line.hash + 1..line.end);
                }
                return is_marker;
            }
        }
        true
    }

    /// `#line`: what `__LINE__` and `__FILE__` are from the next line on. Diagnostics name the lines of
    /// the file that was given.
    fn claim(&mut self, line: &Line, rest: Range<usize>) {
        let pieces = self.texts.pieces(&line.source, rest);
        let pieces = self.expand_all(&pieces);
        let number = pieces.first().map(|p| self.texts.of(p).replace('\'', ""));
        let number = number.and_then(|n| n.parse::<u32>().ok());
        let name = pieces.get(1).map(|p| self.texts.of(p));
        let unquoted = name.map(|n| n.strip_prefix('"').and_then(|n| n.strip_suffix('"')));
        let (Some(number), None | Some(Some(_))) = (number, unquoted) else {
            let location = line.location(self);
            return self.fail(&codes::LINE_MALFORMED, location, &[]);
        };
        let name = unquoted.flatten().map(Into::into);
        let last = line
            .source
            .tokens
            .get(line.end - 1)
            .map_or(0, |t| t.span.end);
        let place = Place {
            file: line.source.id,
            offset: last,
        };
        let next = self.line_of(place) as i64 + 1;
        if let Some(frame) = self.frames.last_mut() {
            let before = frame.claimed.1.take();
            frame.claimed = (i64::from(number) - next, name.or(before));
        }
    }

    /// Copies the text before a directive, but not the blanks on its own line.
    fn copy_before(&mut self, line: &Line) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let start = line.source.tokens[line.hash].span.start;
        let text = line.source.text.as_bytes();
        let mut to = start;
        while to > frame.copied && matches!(text[to as usize - 1], b' ' | b'\t') {
            to -= 1;
        }
        let on_new_line = to == 0 || text[to as usize - 1] == b'\n';
        self.copy_to(&line.source, if on_new_line { to } else { start });
        if let Some(frame) = self.frames.last_mut() {
            frame.copied = frame.copied.max(start);
        }
    }

    /// Drops the text up to the end of the line that was read last.
    fn drop_line(&mut self) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let last = frame
            .at
            .checked_sub(1)
            .and_then(|i| frame.source.tokens.get(i));
        let from = last.map_or(0, |t| t.span.end).max(frame.copied);
        frame.copied = end_of_line(&frame.source.text, from);
    }
}

/// The newline that ends the logical line at `from`, comments and continuations passed over.
fn end_of_line(text: &str, from: u32) -> u32 {
    let bytes = text.as_bytes();
    let mut at = from as usize;
    let mut in_line_comment = false;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        if byte == b'\n' {
            break;
        } else if rest.starts_with(b"\\\n") {
            at += 2;
        } else if rest.starts_with(b"\\\r\n") {
            at += 3;
        } else if !in_line_comment && rest.starts_with(b"//") {
            in_line_comment = true;
            at += 2;
        } else if !in_line_comment && rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|w| w == b"*/");
            at = end.map_or(bytes.len(), |n| at + 2 + n + 2);
        } else {
            at += 1;
        }
    }
    at as u32
}
