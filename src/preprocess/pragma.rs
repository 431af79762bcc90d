use super::State;
use super::directives::Line;
use super::include::Header;
use super::pieces::{Kind, Once, Piece};
use crate::diagnostics::codes;
use crate::lex::{TokenKind, lex};
use crate::module::Directive;
use crate::source::Span;

impl State<'_> {
    /// `#pragma`: `once` is obeyed, everything else stays, its arguments expanded.
    pub(super) fn pragma(&mut self, line: &Line) {
        let pieces = self.texts.pieces(&line.source, line.hash..line.end);
        let (head, arguments) = pieces.split_at(pieces.len().min(3));
        if head.get(2).is_some_and(|p| self.texts.is(p, "once")) {
            line.source.once.set(Once::Never);
            return;
        }
        let arguments = self.expand_all(arguments);
        self.output.break_line(Self::place(&line.source, line.hash));
        self.keep_pieces(head.iter().chain(&arguments));
    }

    /// `_Pragma("x")`, whose name has just been read, becomes a line `#pragma x`.
    pub(super) fn pragma_operator(&mut self, name: Piece) {
        let open = self.next(0, true);
        // A macro may make the string.
        let mut string = self.advance(0, true, &mut None);
        if string.is_none() {
            let mut first = self.next_of_file();
            string = self.advance(0, true, &mut first);
        }
        let string = string.filter(|p| p.kind == Kind::Token(TokenKind::String));
        let close = self.next(0, true);
        let (Some(open), Some(string), Some(close)) = (open, string, close) else {
            return self.fail_at(&codes::PRAGMA_OPERATOR, &name, &[]);
        };
        let well_formed = self.texts.is(&open, "(") && self.texts.is(&close, ")");
        if !well_formed || self.output.in_string {
            return self.fail_at(&codes::PRAGMA_OPERATOR, &name, &[]);
        }
        let literal = self.texts.of(&string);
        let inner = literal
            .split_once('"')
            .and_then(|(_, rest)| rest.strip_suffix('"'));
        let inner = inner.unwrap_or("");
        let text = format!(
            "#pragma {}",
            inner.replace("\\\"", "\"").replace("\\\\", "\\")
        );
        let pieces: Vec<Piece> = lex(&text)
            .into_iter()
            .map(|token| {
                let like = Piece {
                    space: token.space_before,
                    ..string
                };
                self.texts.make(token.text(&text), token.kind, &like)
            })
            .collect();
        let (head, arguments) = pieces.split_at(pieces.len().min(3));
        if head.get(2).is_some_and(|p| self.texts.is(p, "once")) {
            if let Some(frame) = self.frames.last() {
                frame.source.once.set(Once::Never);
            }
            return;
        }
        let arguments = self.expand_all(arguments);
        self.output.break_line(name.place);
        self.keep_pieces(head.iter().chain(&arguments));
        self.output.add("\n", name.place, name.expansion);
    }

    fn keep_pieces<'p>(&mut self, pieces: impl Iterator<Item = &'p Piece>) {
        let start = self.output.text.len();
        self.output.fresh = true;
        for piece in pieces {
            self.output.piece(self.texts.of(piece), piece);
        }
        self.output
            .kept
            .push(Span::from(start..self.output.text.len()));
    }

    /// Leaves a directive as it is written, on a line of its own.
    pub(super) fn keep(&mut self, line: &Line) {
        let place = Self::place(&line.source, line.hash);
        let (Some(first), Some(last)) = (
            line.source.tokens.get(line.hash),
            line.source.tokens.get(line.end - 1),
        ) else {
            return;
        };
        let text = Span::new(first.span.start, last.span.end).of(&line.source.text);
        self.output.break_line(place);
        let start = self.output.text.len();
        if text.contains('\n') {
            let pieces = self.texts.pieces(&line.source, line.hash..line.end);
            let joined = self.texts.join(&pieces);
            self.output.add(&joined, place, None);
        } else {
            self.output.copy(text, place);
        }
        self.output
            .kept
            .push(Span::from(start..self.output.text.len()));
    }

    /// Leaves a directive in other words.
    pub(super) fn keep_as(&mut self, line: &Line, text: &str) {
        let place = Self::place(&line.source, line.hash);
        self.output.break_line(place);
        let start = self.output.text.len();
        self.output.add(text, place, None);
        self.output
            .kept
            .push(Span::from(start..self.output.text.len()));
    }

    /// Leaves an include of a file that is not found.
    pub(super) fn keep_include(&mut self, line: &Line, header: &Header) {
        self.keep_as(line, &format!("#{} {header}", line.name()));
        if let Some(&span) = self.output.kept.last() {
            let definitions = self.macros.definitions();
            self.output
                .kept_includes
                .push(Directive { span, definitions });
        }
    }
}
