use super::State;
use super::pieces::{Piece, Source};
use crate::diagnostics::{Code, Diagnostic, Fix, codes};
use crate::lex::{Token, TokenKind};
use crate::source::{ExpansionId, Location, Place, Span};
use std::fmt::Display;

/// More lexical errors than this, and the file is no text.
const MOST_LEXICAL_ERRORS: usize = 50;

impl State<'_> {
    /// A range of normalised text as the user wrote it.
    pub(super) fn written(&self, start: Place, length: u32) -> Location {
        let from = self.files.as_written(start);
        let last = Place {
            offset: start.offset + length.saturating_sub(1),
            ..start
        };
        // The last byte is mapped on its own, since normalisation in between changes the length.
        let to = (self.files.as_written(last).offset + 1).max(from.offset);
        Location {
            file: from.file,
            span: Span::new(from.offset, to),
        }
    }

    pub(super) fn at_tokens(&self, source: &Source, first: Token, last: Token) -> Location {
        let place = Place {
            file: source.id,
            offset: first.span.start,
        };
        self.written(place, last.span.end - first.span.start)
    }

    pub(super) fn at_token(&self, source: &Source, token: Token) -> Location {
        self.at_tokens(source, token, token)
    }

    pub(super) fn fail(&mut self, code: &'static Code, at: Location, arguments: &[&dyn Display]) {
        self.sink.push(Diagnostic::new(code, Some(at), arguments));
    }

    /// Where the user wrote what a piece came from: the outermost call.
    pub(super) fn outermost(&self, piece: &Piece) -> Location {
        let mut location = self.written(piece.place, piece.span.len());
        let mut next = piece.expansion;
        while let Some(expansion) =
            next.and_then(|ExpansionId(id)| self.expansions.get(id as usize))
        {
            location = self.written(expansion.call, expansion.length);
            next = expansion.parent;
        }
        location
    }

    /// A diagnostic at a piece: it points at the outermost call, and says what lies in between.
    pub(super) fn diagnostic(
        &self,
        code: &'static Code,
        piece: &Piece,
        arguments: &[&dyn Display],
    ) -> Diagnostic {
        let mut location = self.written(piece.place, piece.span.len());
        let mut notes = Vec::new();
        let mut next = piece.expansion;
        while let Some(expansion) =
            next.and_then(|ExpansionId(id)| self.expansions.get(id as usize))
        {
            notes.push((
                format!("in expansion of macro '{}'", expansion.name),
                location,
            ));
            location = self.written(expansion.call, expansion.length);
            next = expansion.parent;
        }
        let mut diagnostic = Diagnostic::new(code, Some(location), arguments);
        for (message, location) in notes.into_iter().rev().take(16) {
            diagnostic = diagnostic.note(message, Some(location));
        }
        diagnostic
    }

    pub(super) fn fail_at(
        &mut self,
        code: &'static Code,
        piece: &Piece,
        arguments: &[&dyn Display],
    ) {
        let diagnostic = self.diagnostic(code, piece, arguments);
        self.sink.push(diagnostic);
    }

    /// Reports what is no token. Where that goes on and on, the text is none.
    pub(super) fn lexical_error(&mut self, source: &Source, token: Token) {
        let text = token.text(&source.text);
        let (code, argument) = match token.kind {
            TokenKind::UnterminatedComment => (&codes::UNTERMINATED_COMMENT, String::new()),
            TokenKind::UnterminatedString | TokenKind::UnterminatedCharacter => {
                (&codes::UNTERMINATED_STRING, String::new())
            }
            TokenKind::Stray if text == "\0" => (&codes::NUL_BYTE, String::new()),
            TokenKind::Stray => (&codes::STRAY_BYTE, format!("'{}'", text.escape_default())),
            _ => return,
        };
        // Only its beginning: the end of what does not end is no news.
        let first = Token {
            span: Span::new(token.span.start, token.span.start + 1),
            ..token
        };
        let location = self.at_token(source, first);
        let mut message = Diagnostic::new(code, Some(location), &[&argument]);
        if token.kind == TokenKind::UnterminatedString {
            let whole = self.at_token(source, token).span;
            let mut line = whole.of(self.files.get(location.file).map_or("", |f| &f.text));
            line = line.trim_end();
            let end = Span::at(whole.start + line.len() as u32);
            message = message.label("this '\"' is not closed");
            // What a string in code was to hold, nobody knows.
            if self.output.text.is_empty() || line.contains(".h") {
                let end = Location {
                    span: end,
                    ..location
                };
                message = message.fix(Fix::insert(end, "\"", line.ends_with(".h")));
            }
        }
        self.sink.push(message);
        self.lexical_errors += 1;
        self.stopped |= self.lexical_errors >= MOST_LEXICAL_ERRORS || text == "\0";
    }

    /// Counts tokens that an expansion made; gives up where there are too many.
    pub(super) fn spend(&mut self, tokens: usize, at: &Piece) {
        self.tokens = self.tokens.saturating_add(tokens);
        if self.tokens > super::MOST_TOKENS {
            let limit = format!(
                "{} million tokens from expansions",
                super::MOST_TOKENS / 1_000_000
            );
            self.runaway(&limit, at);
        } else if self.output.text.len() > self.bytes_allowed
            || self.texts.pool.len() > super::MOST_BYTES
        {
            self.runaway(&format!("{} MiB of text", super::MOST_BYTES >> 20), at);
        }
    }

    fn runaway(&mut self, limit: &str, at: &Piece) {
        if !self.stopped {
            self.fail_at(&codes::MACRO_RUNAWAY, at, &[&limit]);
        }
        self.stopped = true;
    }
}
