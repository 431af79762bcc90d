use super::State;
use super::condition::Conditional;
use super::pieces::{Kind, Piece, Source, is_attribute_name};
use crate::lex::TokenKind;
use crate::source::{FileId, Place};
use std::rc::Rc;

/// A file being read.
#[derive(Debug)]
pub(super) struct Frame {
    pub source: Rc<Source>,
    /// The next token.
    pub at: usize,
    /// The token that began what is being done now: a macro's name, or the `#` of a directive.
    pub began: usize,
    /// Up to where its text has been copied or dropped.
    pub copied: u32,
    /// The conditionals open here, the innermost last.
    pub conditionals: Vec<Conditional>,
    /// What `#line` says: how many lines further the file claims to be, and its name.
    pub claimed: (i64, Option<Box<str>>),
}

impl State<'_> {
    /// Reads everything: command line, forced includes, the main text.
    pub(super) fn run(&mut self, name: &str, raw: &str) {
        let main = self.add_file(name.to_string(), raw.to_string(), None, None);
        self.define_options();
        self.check_directories();
        for path in self.options.forced_includes.iter().rev() {
            self.force_include(path);
        }
        // Innermost last: the forced ones are read before the main text.
        self.frames.insert(0, self.frame(main));
        while !self.frames.is_empty() && !self.stopped {
            self.scan();
        }
    }

    pub(super) fn frame(&self, id: FileId) -> Frame {
        let source = Rc::clone(&self.texts.sources[id.0 as usize]);
        Frame {
            source,
            at: 0,
            began: 0,
            copied: 0,
            conditionals: Vec::new(),
            claimed: (0, None),
        }
    }

    /// Reads the innermost file until it ends or another one is included.
    fn scan(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (source, mut at) = (Rc::clone(&frame.source), frame.at);
        // A forced include may have been included by the one before it.
        if at == 0 && self.is_read(&source) {
            self.frames.pop();
            return;
        }
        let bytes = source.text.as_bytes();
        let depth = self.frames.len();
        while let Some(token) = source.tokens.get(at) {
            match token.kind {
                TokenKind::Identifier => {
                    if token.spliced || self.macros.may_hold(&bytes[token.span.range()]) {
                        self.resume_at(at);
                        if self.replace(&source, at) {
                            at = self.frames.last().map_or(at, |f| f.at);
                            if self.stopped {
                                return;
                            }
                            continue;
                        }
                    }
                }
                TokenKind::Number | TokenKind::String | TokenKind::Character => {}
                // What normalisation left to be decided.
                TokenKind::At => self.expanded_attributes = true,
                TokenKind::Punctuator => {
                    if token.line_start && source.is_directive(at) {
                        self.resume_at(at);
                        self.directive();
                        if self.frames.len() != depth || self.stopped {
                            return;
                        }
                        at = self.frames.last().map_or(at, |f| f.at);
                        continue;
                    }
                }
                _ => {
                    self.lexical_error(&source, *token);
                    if self.stopped {
                        return;
                    }
                }
            }
            if token.spliced {
                self.join(&source, at);
            }
            at += 1;
        }
        self.finish_file(&source);
    }

    /// Writes a token with a backslash-newline inside in one piece: nobody behind expects them.
    fn join(&mut self, source: &Source, at: usize) {
        let Some(token) = source.tokens.get(at) else {
            return;
        };
        self.copy_to(source, token.span.start);
        let place = Place {
            file: source.id,
            offset: token.span.start,
        };
        self.output.add(source.word(at), place, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.copied = token.span.end;
        }
    }

    fn resume_at(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at;
            frame.began = at;
        }
    }

    fn finish_file(&mut self, source: &Source) {
        self.copy_to(source, source.text.len() as u32);
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.report_open(&frame);
        // An included file's last line is a line of its own.
        if source.id != FileId::MAIN {
            let end = Place {
                file: source.id,
                offset: source.text.len() as u32,
            };
            self.output.break_line(end);
        }
    }

    /// Copies the text before `to` that no one has taken.
    pub(super) fn copy_to(&mut self, source: &Source, to: u32) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let from = frame.copied;
        if from < to {
            let text = &source.text[from as usize..to as usize];
            self.output.copy(
                text,
                Place {
                    file: source.id,
                    offset: from,
                },
            );
            frame.copied = to;
        }
    }

    /// Replaces the macro call, or the calls in the attribute, at a name of the innermost file.
    /// False if there are none.
    fn replace(&mut self, source: &Source, at: usize) -> bool {
        let token = source.tokens[at];
        let name = source.spelling(token);
        if is_attribute_name(&name) && source.is_attribute(at) {
            return self.replace_in_attribute(source, at + 2);
        }
        if !self.is_call(&name, &source.tokens, &source.text, at) {
            return false;
        }
        self.replace_from(source, at);
        true
    }

    /// The string of an attribute, if anything in it expands.
    fn replace_in_attribute(&mut self, source: &Source, at: usize) -> bool {
        let content = source.word(at);
        let inner = content
            .get(1..content.len().saturating_sub(1))
            .unwrap_or("");
        let names = inner.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
        if !names
            .into_iter()
            .any(|name| self.macros.get(name).is_some())
        {
            return false;
        }
        self.replace_from(source, at);
        true
    }

    /// Expands from token `at` of the innermost file for as long as results are rescanned.
    fn replace_from(&mut self, source: &Source, at: usize) {
        let token = source.tokens[at];
        self.copy_to(source, token.span.start);
        self.resume_at(at);
        self.output.fresh = true;
        let mut first = self.next_of_file();
        while let Some(piece) = self.advance(0, true, &mut first) {
            self.emit(piece);
        }
        self.output.in_string = false;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let Some(last) = frame.at.checked_sub(1).and_then(|i| source.tokens.get(i)) else {
            return;
        };
        frame.copied = last.span.end.max(frame.copied);
        let touching = source.tokens.get(frame.at).is_some_and(|next| {
            next.span.start == frame.copied && self.output.pastes(next.text(&source.text))
        });
        if touching {
            self.output.text.push(' ');
        }
    }

    /// Writes a token that expansion is done with.
    fn emit(&mut self, piece: Piece) {
        match piece.kind {
            Kind::Token(TokenKind::Identifier) => {
                let text = self.texts.of(&piece);
                if text == "_Pragma" {
                    return self.pragma_operator(piece);
                }
                self.expanded_attributes |= is_attribute_name(text);
            }
            Kind::Token(TokenKind::At) if !self.output.in_string => self.expanded_attributes = true,
            _ => {}
        }
        self.output.piece(self.texts.of(&piece), &piece);
    }

    /// The next token of the innermost file; the string of an attribute is opened first.
    pub(super) fn next_of_file(&mut self) -> Option<Piece> {
        let frame = self.frames.last_mut()?;
        let at = frame.at;
        let token = *frame.source.tokens.get(at)?;
        frame.at += 1;
        let source = Rc::clone(&frame.source);
        if token.kind == TokenKind::String && source.is_attribute_string(at) {
            let mut pieces = self.spare.pop().unwrap_or_default();
            self.texts.open(&source, at, &mut pieces);
            self.push_context(pieces, None);
            return self.next_of_context(0);
        }
        if !matches!(
            token.kind,
            TokenKind::Identifier
                | TokenKind::Number
                | TokenKind::String
                | TokenKind::Character
                | TokenKind::Punctuator
                | TokenKind::At
        ) {
            self.lexical_error(&source, token);
        }
        Some(self.texts.piece(&source, token))
    }
}
